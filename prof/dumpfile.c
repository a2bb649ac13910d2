#include "dumpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "dumptext.h"
#include "facts.h"
#include "format.h"
#include "names.h"
#include "os.h"
#include "path.h"
#include "say.h"
#include "tablewrite.h"

bool
dumpfile_is_directory(const char *path)
{
	struct stat st;

	return os_syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	    S_ISDIR(st.st_mode);
}

/* What the usual errors mean here; NULL for others. */
static const char *
reason(int error)
{
	switch (error) {
	case EACCES: return "permission denied";
	case ENOENT: return "its directory is not there";
	case ENOTDIR: return "a part of its path is no directory";
	case EEXIST: return "what is there is no file";
	case EISDIR: return "it is a directory";
	case ENOSPC: return "no space is left on the device";
	case EROFS: return "the file system is read-only";
	case EDQUOT: return "the disk quota is used up";
	case EFBIG: return "files may not grow that large (ulimit -f)";
	case EMFILE: return "too many files are open";
	case ENAMETOOLONG: return "its name is too long";
	case ENOMEM: return "no memory";
	case EAGAIN: return "nothing can be recorded";
	case EPERM: return "system calls are filtered";
	default: return NULL;
	}
}

/* Who may not, where permission is what is missing. */
static const char *
user(int error, struct say_number *num)
{
	uint64_t uid = (uint64_t)os_syscall(SYS_geteuid);

	if (error != EACCES)
		return "";
	return uid == 0 ? "root" : say_number(num, uid);
}

void
dumpfile_say(int error, const char *what, const char *path)
{
	struct say_number num, id;
	const char *why = reason(error), *who = user(error, &id);

	say(what, " could not be written: ", why ? why : "error ",
	    why ? "" : say_number(&num, (uint64_t)error),
	    *who ? " for user " : "", who, ": ", path, NULL);
}

int
dumpfile_check(const char *prefix)
{
	char dir[PATH_BYTES];
	size_t n = strlen(prefix);
	long r;

	if (n + 3 > sizeof dir)
		return ENAMETOOLONG;
	memcpy(dir, prefix, n + 1);
	if (!dumpfile_is_directory(dir))
		while (n > 0 && dir[n - 1] != '/')
			n--;
	/* "/." also tells a file in the place of a directory */
	strcpy(dir + n, n > 0 && dir[n - 1] == '/' ? "." : "/.");
	r = os_syscall(SYS_faccessat, AT_FDCWD, dir, W_OK | X_OK);
	return r < 0 ? (int)-r : 0;
}

/*
 * Where files may not grow beyond a limit (RLIMIT_FSIZE), the write that
 * would, also brings SIGXFSZ, which ends a program.  The limit is meant for
 * the program's files, not to be its end on account of ours: the signal is
 * held back, and taken, if it was not there before.
 */
struct held {
	uint64_t mask;
	bool pending;
};

#define XFSZ (UINT64_C(1) << (SIGXFSZ - 1))

static void
hold_signal(struct held *h)
{
	uint64_t block = XFSZ, pending = 0;

	os_syscall(
	    SYS_rt_sigprocmask, SIG_BLOCK, &block, &h->mask, sizeof block);
	os_syscall(SYS_rt_sigpending, &pending, sizeof pending);
	h->pending = (pending & XFSZ) != 0;
}

static void
release_signal(const struct held *h)
{
	struct timespec now = { 0, 0 };
	uint64_t take = XFSZ;

	if (!h->pending)
		os_syscall(SYS_rt_sigtimedwait, &take, NULL, &now, sizeof take);
	os_syscall(
	    SYS_rt_sigprocmask, SIG_SETMASK, &h->mask, NULL, sizeof h->mask);
}

/* A device or a pipe, which a file is not to take the place of. */
static bool
is_special(const char *path)
{
	struct stat st;

	return os_syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	    !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

int
dumpfile_write(const char *path, bool gzip, const struct dump_about *about)
{
	char temporary[PATH_BYTES];
	struct held held;
	long fd;
	int error;

	temporary[0] = '\0';
	if (!table_head())
		return EAGAIN;
	if (!path_append(temporary, sizeof temporary, path) ||
	    !path_append(temporary, sizeof temporary, ".part"))
		return ENAMETOOLONG;
	if (is_special(path))
		return EEXIST;
	fd = os_syscall(SYS_openat, AT_FDCWD, temporary,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return (int)-fd;
	names_refresh_all();
	facts_totals();
	hold_signal(&held);
	error = dumptext_write((int)fd, gzip, about);
	release_signal(&held);
	os_syscall(SYS_close, fd);
	if (error == 0)
		error = (int)-os_syscall(
		    SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path, 0);
	if (error != 0)
		os_syscall(SYS_unlinkat, AT_FDCWD, temporary, 0);
	return error;
}
