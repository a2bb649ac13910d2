#include "rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "init.h"
#include "os.h"
#include "say.h"

extern char **environ;

static char name[sizeof(((struct sockaddr_un *)0)->sun_path)];

const char *
rendezvous_name(void)
{
	return name;
}

static int
unix_socket(void)
{
	return (int)os_syscall(SYS_socket, AF_UNIX,
	    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static bool
address(struct sockaddr_un *sa, const char *path)
{
	if (strlen(path) >= sizeof sa->sun_path)
		return false;
	memset(sa, 0, sizeof *sa);
	sa->sun_family = AF_UNIX;
	strcpy(sa->sun_path, path);
	return true;
}

int
rendezvous_connect(const char *path)
{
	struct sockaddr_un sa;
	int fd;
	long r;

	if (!address(&sa, path))
		return -ENAMETOOLONG;
	fd = unix_socket();
	if (fd < 0)
		return fd;
	r = os_syscall(SYS_connect, fd, &sa, sizeof sa);
	if (r == 0)
		return fd;
	os_syscall(SYS_close, fd);
	return (int)r;
}

static bool
append(char *path, size_t cap, const char *s)
{
	size_t n = strlen(path), m = strlen(s);

	if (n + m >= cap)
		return false;
	memcpy(path + n, s, m + 1);
	return true;
}

/* The runtime directory's path into `path`. */
static bool
directory(char *path, size_t cap, uint32_t uid)
{
	static const char key[] = "XDG_RUNTIME_DIR=";
	struct say_number num;

	path[0] = '\0';
	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, key, sizeof key - 1) == 0 &&
		    (*e)[sizeof key - 1] == '/')
			return append(path, cap, *e + sizeof key - 1) &&
			    append(path, cap, "/heaptop");
	return append(path, cap, "/tmp/heaptop-") &&
	    append(path, cap, say_number(&num, uid));
}

/* Ours alone: a directory, no symbolic link, of our user, mode 0700. */
static bool
make_directory(const char *path, uint32_t uid)
{
	struct stat st;

	os_syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
	if (os_syscall(SYS_newfstatat, AT_FDCWD, path, &st,
	        AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	return S_ISDIR(st.st_mode) && st.st_uid == uid &&
	    (st.st_mode & 077) == 0;
}

int
rendezvous_listen(void)
{
	uint32_t uid = (uint32_t)os_syscall(SYS_geteuid);
	struct sockaddr_un sa;
	struct say_number num;
	int fd;
	long r;

	if (!directory(name, sizeof name, uid) || !make_directory(name, uid) ||
	    !append(name, sizeof name, "/") ||
	    !append(name, sizeof name, say_number(&num, init_pid())) ||
	    !append(name, sizeof name, ".sock") || !address(&sa, name)) {
		name[0] = '\0';
		return -EACCES;
	}
	fd = unix_socket();
	if (fd < 0)
		return fd;
	/* a socket of an earlier process of this number; ours is new */
	os_syscall(SYS_unlinkat, AT_FDCWD, name, 0);
	r = os_syscall(SYS_bind, fd, &sa, sizeof sa);
	if (r == 0)
		r = os_syscall(SYS_listen, fd, 8);
	if (r == 0)
		return fd;
	os_syscall(SYS_close, fd);
	name[0] = '\0';
	return (int)r;
}

int
rendezvous_accept(int fd)
{
	struct ucred cred = { 0, (uid_t)-1, (gid_t)-1 };
	uint32_t len = sizeof cred;
	uint32_t uid = (uint32_t)os_syscall(SYS_geteuid);
	int s = (int)os_syscall(
	    SYS_accept4, fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (s < 0)
		return s;
	/* the directory decides who gets in; this refuses only someone known
	 * to be another: across user namespaces the kernel shows 65534 */
	if (os_syscall(SYS_getsockopt, s, SOL_SOCKET, SO_PEERCRED, &cred,
	        &len) == 0 &&
	    cred.uid != uid && cred.uid != 0 && cred.uid != 65534) {
		os_syscall(SYS_close, s);
		return -EPERM;
	}
	return s;
}
