#include "rendezvous.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "conf.h"
#include "init.h"
#include "os.h"
#include "path.h"
#include "say.h"

/* Of a directory's path, so that its sockets' names fit. */
#define XDG_MAX 72

static char name[sizeof(((struct sockaddr_un *)0)->sun_path)];

const char *
rendezvous_name(void)
{
	return name;
}

void
rendezvous_forked(void)
{
	name[0] = '\0';
}

static int
unix_socket(void)
{
	return (int)os_syscall(
	    SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
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

/* $XDG_RUNTIME_DIR if it is a directory of ours and leaves room for names, the
 * rule of heaptop too: `sudo` may leave somebody else's behind.  Else NULL. */
static const char *
own_xdg(uint32_t uid)
{
	const char *dir = conf.runtime;
	struct stat st;

	if (*dir != '/' || strlen(dir) > XDG_MAX ||
	    os_syscall(SYS_newfstatat, AT_FDCWD, dir, &st, 0) != 0)
		return NULL;
	return S_ISDIR(st.st_mode) && st.st_uid == uid ? dir : NULL;
}

/* The runtime directory's path into `path`. */
static bool
directory(char *path, size_t cap, uint32_t uid)
{
	const char *xdg = own_xdg(uid);
	struct say_number num;

	path[0] = '\0';
	if (xdg)
		return path_append(path, cap, xdg) &&
		    path_append(path, cap, "/heaptop");
	return path_append(path, cap, "/tmp/heaptop-") &&
	    path_append(path, cap, say_number(&num, uid));
}

/* Ours alone: a directory, no symbolic link, of our user, mode 0700. */
static bool
make_directory(const char *path, uint32_t uid)
{
	struct stat st;

	os_syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
	if (os_syscall(
		SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	return S_ISDIR(st.st_mode) && st.st_uid == uid &&
	    (st.st_mode & 077) == 0;
}

/* A name "<pid>.sock" of a process that is not there (any more, or in our
 * pid namespace): its pid, 0 for other names and live processes. */
static uint32_t
absent_pid(const char *entry)
{
	uint32_t pid = 0;

	while (*entry >= '0' && *entry <= '9' && pid < 100000000)
		pid = pid * 10 + (uint32_t)(*entry++ - '0');
	if (pid == 0 || strcmp(entry, ".sock") != 0)
		return 0;
	return os_syscall(SYS_kill, pid, 0) == -ESRCH ? pid : 0;
}

/* Remove a socket that nobody listens on: the kernel refuses a connection. */
static void
remove_stale(const char *dir, const char *entry)
{
	char path[sizeof name];
	int fd;

	path[0] = '\0';
	if (absent_pid(entry) == 0 || !path_append(path, sizeof path, dir) ||
	    !path_append(path, sizeof path, "/") ||
	    !path_append(path, sizeof path, entry))
		return;
	fd = rendezvous_connect(path);
	if (fd >= 0)
		os_syscall(SYS_close, fd);
	else if (fd == -ECONNREFUSED)
		os_syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* Processes that die without exit() leave their sockets behind; each that
 * comes takes some of them away. */
static void
sweep(const char *dir)
{
	char buf[2048] __attribute__((aligned(8)));
	long fd = os_syscall(
	    SYS_openat, AT_FDCWD, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n, off = 0;

	if (fd < 0)
		return;
	n = os_syscall(SYS_getdents64, fd, buf, sizeof buf);
	while (off < n) {
		const struct dirent64 *d =
		    (const struct dirent64 *)(const void *)(buf + off);

		remove_stale(dir, d->d_name);
		off += d->d_reclen;
	}
	os_syscall(SYS_close, fd);
}

/* Bind `fd` and listen; the name appears when a connection can be made. */
static long
bind_and_listen(int fd, const char *path)
{
	struct sockaddr_un sa;
	char making[sizeof sa.sun_path];
	long r, mask; /* the helper's own: it shares none with the program */

	making[0] = '\0';
	if (!path_append(making, sizeof making, path) ||
	    !path_append(making, sizeof making, "~") || !address(&sa, making))
		return -ENAMETOOLONG;
	os_syscall(SYS_unlinkat, AT_FDCWD, making, 0);
	mask = os_syscall(SYS_umask, 077);
	r = os_syscall(SYS_bind, fd, &sa, sizeof sa);
	os_syscall(SYS_umask, mask);
	if (r == 0)
		r = os_syscall(SYS_listen, fd, 8);
	if (r == 0)
		r = os_syscall(
		    SYS_renameat2, AT_FDCWD, making, AT_FDCWD, path, 0);
	if (r != 0)
		os_syscall(SYS_unlinkat, AT_FDCWD, making, 0);
	return r;
}

int
rendezvous_listen(void)
{
	uint32_t uid = (uint32_t)os_syscall(SYS_geteuid);
	struct say_number num;
	char path[sizeof name];
	int fd;
	long r;

	name[0] = '\0';
	if (!directory(path, sizeof path, uid) || !make_directory(path, uid))
		return -EACCES;
	sweep(path);
	if (!path_append(path, sizeof path, "/") ||
	    !path_append(path, sizeof path, say_number(&num, init_pid())) ||
	    !path_append(path, sizeof path, ".sock"))
		return -ENAMETOOLONG;
	fd = unix_socket();
	if (fd < 0)
		return fd;
	/* from here on who exits takes it away */
	memcpy(name, path, sizeof name);
	r = bind_and_listen(fd, path);
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
	if (os_syscall(
		SYS_getsockopt, s, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 &&
	    cred.uid != uid && cred.uid != 0 && cred.uid != 65534) {
		os_syscall(SYS_close, s);
		return -EPERM;
	}
	return s;
}
