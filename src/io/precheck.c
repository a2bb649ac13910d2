#include "io/precheck.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/elfpeek.h"

#define SCRIPT_DEPTH 5   /* as far as the kernel follows #! */
#define SCRIPT_LINE  256 /* bytes of the first line that it reads */

/* The file being looked at and how to call it in a sentence. */
struct look {
	const char *path;
	char label[256]; /* "prog", or "prog (run by /bin/x)" */
	int fd;
	struct stat st;
	struct precheck *out;
};

static void __attribute__((format(printf, 4, 5))) verdict(struct look *l,
    enum precheck_kind kind, enum precheck_verdict v, const char *fmt, ...)
{
	struct precheck *p = l->out;
	va_list ap;
	int n;

	p->kind = kind;
	p->verdict = v;
	n = snprintf(p->sentence, sizeof p->sentence, "%s ", l->label);
	va_start(ap, fmt);
	if (n > 0 && (size_t)n < sizeof p->sentence)
		vsnprintf(
		    p->sentence + n, sizeof p->sentence - (size_t)n, fmt, ap);
	va_end(ap);
}

/* Set-id bits and capabilities count only where the kernel honours them. */
static bool
gains_rights(const struct look *l)
{
	struct statvfs fs;

	if (fstatvfs(l->fd, &fs) == 0 && (fs.f_flag & ST_NOSUID) != 0)
		return false;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static bool
check_rights(struct look *l)
{
	const struct stat *st = &l->st;
	bool uid = (st->st_mode & S_ISUID) != 0 && st->st_uid != getuid();
	/* without group execution the bit means something else */
	bool gid = (st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    st->st_gid != getgid();

	if ((uid || gid) && gains_rights(l)) {
		verdict(l, PRECHECK_SETID, PRECHECK_UNWATCHED,
		    "is set-%s-ID: the loader ignores LD_PRELOAD for it; run "
		    "a copy without that bit to watch its heap",
		    uid ? "user" : "group");
		return false;
	}
	if (getuid() != 0 &&
	    fgetxattr(l->fd, "security.capability", NULL, 0) > 0 &&
	    gains_rights(l)) {
		verdict(l, PRECHECK_CAPS, PRECHECK_UNWATCHED,
		    "has file capabilities: the loader ignores LD_PRELOAD "
		    "for it, as for a set-user-ID program; run a copy "
		    "without them to watch its heap");
		return false;
	}
	return true;
}

static bool
check_machine(struct look *l, const struct elfpeek *p)
{
	if (p->bits != 64) {
		verdict(l, PRECHECK_MACHINE, PRECHECK_UNWATCHED,
		    "is a %d-bit program and libheaptop.so is 64-bit: build "
		    "it for 64 bits to watch its heap",
		    p->bits);
		return false;
	}
	if (!p->native) {
		verdict(l, PRECHECK_MACHINE, PRECHECK_UNWATCHED,
		    "is built for another machine (ELF machine %u) than "
		    "libheaptop.so",
		    p->machine);
		return false;
	}
	return true;
}

static bool
check_loader(struct look *l, const struct elfpeek *p)
{
	/* ld.so started as a program does what it does as an interpreter */
	if (p->interpreter[0] == 0 && strncmp(p->soname, "ld-linux", 8) == 0)
		return true;
	if (p->interpreter[0] == 0) {
		verdict(l, PRECHECK_STATIC, PRECHECK_UNWATCHED,
		    "is a static program: it has no loader that would take "
		    "libheaptop.so in; link it dynamically to watch its "
		    "heap");
		return false;
	}
	if (strstr(p->interpreter, "ld-musl") != NULL ||
	    strstr(p->interpreter, "uClibc") != NULL) {
		verdict(l, PRECHECK_MUSL, PRECHECK_REFUSE,
		    "uses %s and libheaptop.so needs glibc: build it for "
		    "glibc to watch its heap",
		    strstr(p->interpreter, "ld-musl") != NULL ? "musl"
							      : "uClibc");
		return false;
	}
	return true;
}

static bool
check_symbols(struct look *l, const struct elfpeek *p)
{
	if (p->sanitizer != NULL) {
		verdict(l, PRECHECK_ASAN, PRECHECK_REFUSE,
		    "is built with %s, whose runtime brings its own malloc "
		    "and must come first: build it without -fsanitize to "
		    "watch its heap",
		    p->sanitizer);
		return false;
	}
	if (p->allocator[0] != 0) {
		verdict(l, PRECHECK_OWN_MALLOC, PRECHECK_RUN,
		    "has an allocator of its own (%s): what goes through it "
		    "is not seen",
		    p->allocator);
		return false;
	}
	return true;
}

/* The interpreter of a script's first line; false if there is none. */
static bool
script_interpreter(const char *line, char *out, size_t size)
{
	size_t len;

	line += 2;
	line += strspn(line, " \t");
	len = strcspn(line, " \t\r\n");
	if (len == 0 || len >= size)
		return false;
	memcpy(out, line, len);
	out[len] = 0;
	return true;
}

static bool
open_look(struct look *l)
{
	/* O_NONBLOCK: a FIFO must not hold us up. */
	l->fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (l->fd < 0 || fstat(l->fd, &l->st) < 0 || !S_ISREG(l->st.st_mode)) {
		/* Executable without being readable: then no debugger may
		 * touch it either. */
		l->out->kind = PRECHECK_UNREADABLE;
		l->out->verdict = PRECHECK_RUN;
		return false;
	}
	return true;
}

static void
check_elf(struct look *l)
{
	struct elfpeek p;

	if (elfpeek_read(l->fd, &p) < 0 || p.damaged) {
		l->out->kind = PRECHECK_NOT_ELF;
		return;
	}
	if (check_machine(l, &p) && check_loader(l, &p) && check_rights(l))
		check_symbols(l, &p);
}

void
precheck_file(const char *path, const char *name, struct precheck *out)
{
	char line[SCRIPT_LINE], interpreter[SCRIPT_LINE];
	struct look l = { .path = path, .fd = -1, .out = out };

	memset(out, 0, sizeof *out);
	snprintf(l.label, sizeof l.label, "%s", name);
	for (int depth = 0; depth <= SCRIPT_DEPTH; depth++) {
		ssize_t n;

		if (!open_look(&l))
			break;
		n = pread(l.fd, line, sizeof line - 1, 0);
		line[n > 0 ? n : 0] = 0;
		if (strncmp(line, "#!", 2) != 0) {
			check_elf(&l);
			break;
		}
		if (!script_interpreter(
			line, interpreter, sizeof interpreter)) {
			out->kind = PRECHECK_NOT_ELF;
			break;
		}
		close(l.fd);
		l.fd = -1;
		l.path = interpreter;
		snprintf(l.label, sizeof l.label, "%.100s (run by %.100s)",
		    name, interpreter);
	}
	out->script = l.path == interpreter;
	snprintf(out->file, sizeof out->file, "%s", l.path);
	if (l.fd >= 0)
		close(l.fd);
}
