#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/elfpeek.h"
#include "io/launch.h"
#include "io/precheck.h"
#include "io/procfs.h"
#include "io/symcand.h"
#include "model/modules.h"
#include "options.h"
#include "output.h"
#include "place.h"
#include "visit.h"

#define NO_FILE 2
#define SHOWN   8 /* processes named in a line */

/* What is looked at, and the answers so far. */
struct check {
	const char *word; /* as it was typed */
	pid_t pid;        /* 0: a file, not a process */
	char *path;       /* of the program */
	char name[4096];  /* what to call it, and to start it by */
	struct precheck pre;
	struct visit visit; /* pid */
	struct buf out;
	bool good; /* it can be watched */
};

static const struct visit_question questions[] = {
	{ "opt.prof_final", NULL, VISIT_NS },
	{ "opt.prof_prefix", NULL, VISIT_NS },
};

#define QUESTIONS (sizeof questions / sizeof *questions)

/* A line: the question, and the answer behind it. */
static void line(struct check *c, const char *question, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
line(struct check *c, const char *question, const char *fmt, ...)
{
	struct err text;
	va_list ap;

	va_start(ap, fmt);
	err_vset(&text, fmt, ap);
	va_end(ap);
	buf_printf(&c->out, "%s: %s\n", question, text.msg);
}

/* ---- can it be watched ---- */

#define WATCHED "can be watched"

/* What a file alone tells; true if there is nothing against it. */
static bool
check_file(struct check *c)
{
	const struct precheck *p = &c->pre;

	switch (p->kind) {
	case PRECHECK_OK: return true;
	case PRECHECK_OWN_MALLOC:
		line(c, WATCHED,
		    "in part: %s; build it without that one to see all",
		    p->sentence);
		c->good = true;
		break;
	case PRECHECK_UNREADABLE:
		line(c, WATCHED,
		    "not known: %s cannot be read; ask as a user who may",
		    c->name);
		break;
	case PRECHECK_NOT_ELF:
		line(c, WATCHED,
		    "no: %s is no program that this system runs: give a "
		    "program or a script",
		    c->name);
		break;
	case PRECHECK_STATIC:
	case PRECHECK_SETID:
	case PRECHECK_CAPS:
	case PRECHECK_MACHINE:
	case PRECHECK_MUSL:
	case PRECHECK_ASAN: line(c, WATCHED, "no: %s", p->sentence); break;
	}
	return false;
}

static void
check_process(struct check *c)
{
	enum procfs_library lib = procfs_library(c->pid);

	c->visit.pid = c->pid;
	visit_all(&c->visit, 1, questions, QUESTIONS);
	if (c->visit.end == VISIT_DONE || c->visit.end == VISIT_WAITING) {
		c->good = true;
		if (c->pre.kind == PRECHECK_OWN_MALLOC)
			check_file(c);
		else
			line(c, WATCHED, "yes%s",
			    c->visit.end == VISIT_WAITING
				? ", as soon as it has made a sample (never, "
				  "if it was started with thread:false)"
				: "");
	} else if (lib != PROCFS_ABSENT || check_file(c))
		line(c, WATCHED, "no: %s", c->visit.why);
	else
		c->good = false;
	if (lib == PROCFS_PRELOADED)
		line(c, "runs preloaded", "yes");
	else if (lib == PROCFS_UNKNOWN)
		line(c, "runs preloaded",
		    "not known: its maps cannot be read; ask as its user or "
		    "as root");
	else
		line(c, "runs preloaded",
		    "no: restart it with `heaptop exec %s`", c->name);
}

/* ---- does it run ---- */

static bool
same_file(pid_t pid, const struct stat *want)
{
	struct stat st;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return stat(path, &st) == 0 && st.st_dev == want->st_dev &&
	    st.st_ino == want->st_ino;
}

/* Processes that run this file: those preloaded, and the others. */
struct running {
	struct buf with, without;
	size_t with_count, without_count;
};

static void
note(struct buf *b, size_t *count, pid_t pid)
{
	if (++*count <= SHOWN)
		buf_printf(b, "%s%d", *count > 1 ? ", " : "", (int)pid);
	else if (*count == SHOWN + 1)
		buf_puts(b, ", ...");
}

static void
find_running(const struct stat *want, struct running *r)
{
	size_t n;
	pid_t *pid = procfs_all(&n);

	for (size_t i = 0; i < n; i++) {
		if (pid[i] == getpid() || !same_file(pid[i], want))
			continue;
		if (procfs_library(pid[i]) == PROCFS_PRELOADED)
			note(&r->with, &r->with_count, pid[i]);
		else
			note(&r->without, &r->without_count, pid[i]);
	}
	free(pid);
}

static void
check_running(struct check *c)
{
	struct running r = { .with_count = 0 };
	struct stat st;

	if (c->pre.script) {
		line(c, "runs preloaded",
		    "not known: %s is run by %s; give the process id", c->name,
		    c->pre.file);
		return;
	}
	if (stat(c->path, &st) == 0)
		find_running(&st, &r);
	if (r.with_count > 0)
		line(c, "runs preloaded", "yes: %s%s%s", buf_str(&r.with),
		    r.without_count ? "; without libheaptop.so: " : "",
		    buf_str(&r.without));
	else if (r.without_count > 0)
		line(c, "runs preloaded",
		    "no: %s without libheaptop.so; restart with `heaptop exec "
		    "%s`",
		    buf_str(&r.without), c->name);
	else if (!c->good)
		line(c, "runs preloaded", "no: it does not run");
	else
		line(c, "runs preloaded",
		    "no: it does not run; start it with `heaptop %s`, or with "
		    "`heaptop exec %s` to watch it later",
		    c->name, c->name);
	buf_fini(&r.with);
	buf_fini(&r.without);
}

/* ---- dumps ---- */

/* From the environment, of the process or ours. */
static void
place_by_options(const struct check *c, struct place *p)
{
	static const char *const names[] = { "MALLOC_CONF", "HEAPTOP_CONF" };
	const char *sources[3] = { NULL, NULL, NULL };
	char *own[2] = { NULL, NULL };
	char link[1024];
	ssize_t n = readlink("/etc/malloc.conf", link, sizeof link - 1);

	if (n > 0) {
		link[n] = '\0';
		sources[0] = link;
	}
	for (int i = 0; i < 2; i++) {
		own[i] = c->pid ? procfs_environ(c->pid, names[i]) : NULL;
		sources[i + 1] = c->pid ? own[i] : getenv(names[i]);
	}
	place_read(p, sources, 3);
	free(own[0]);
	free(own[1]);
}

static void
find_place(const struct check *c, struct place *p)
{
	const struct visit_answer *a = c->visit.answer;

	if (!a || c->visit.end != VISIT_DONE || a[0].error || a[1].error) {
		place_by_options(c, p);
		return;
	}
	*p = (struct place){ .prof = true };
	p->final = strcmp(a[0].text, "true") == 0 && a[1].text[0];
	snprintf(p->prefix, sizeof p->prefix, "%s", a[1].text);
}

/* As a path that we can look at: a process may have other files, and another
 * current directory. */
static char *
seen_path(const struct check *c, const char *path)
{
	struct buf b = BUF_INIT;

	if (c->pid)
		buf_printf(&b, "/proc/%d/%s", (int)c->pid,
		    *path == '/' ? "root" : "cwd/");
	buf_puts(&b, path);
	return b.data;
}

/* Nothing can be written there: 0, or errno. */
static int
place_error(const struct check *c, const char *prefix)
{
	char *path = seen_path(c, prefix), *slash = strrchr(path, '/');
	struct stat st;
	int error;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		if (slash == path)
			slash[1] = '\0';
		else if (slash)
			*slash = '\0';
		else
			strcpy(path, prefix[0] ? "." : "");
	}
	error = access(path, W_OK | X_OK) < 0 ? errno : 0;
	free(path);
	return error;
}

static bool
is_directory(const struct check *c, const char *prefix)
{
	char *path = seen_path(c, prefix);
	struct stat st;
	bool is = stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	free(path);
	return is;
}

static void
check_dumps(struct check *c)
{
	struct place p;
	char pid[16] = "PID";
	int error;

	if (!c->good) {
		line(c, "dumps", "nowhere: it cannot be watched, see above");
		return;
	}
	if (c->pid)
		snprintf(pid, sizeof pid, "%d", (int)c->pid);
	find_place(c, &p);
	if (!p.final) {
		line(c, "dumps",
		    "nowhere: none is written unless it is asked for; one at "
		    "its end with MALLOC_CONF=prof:true,prof_prefix:PATH, one "
		    "now with `heaptop ctl %s prof.dump=FILE`",
		    pid);
		return;
	}
	error = place_error(c, p.prefix);
	if (error)
		line(c, "dumps",
		    "nowhere: %s: %s; make its directory, or choose another "
		    "prof_prefix",
		    p.prefix, strerror(error));
	else if (is_directory(c, p.prefix))
		line(c, "dumps", "at its end %s/PROGRAM.%s.SECONDS.f.heap",
		    p.prefix, pid);
	else
		line(c, "dumps", "at its end %s.%s.0.f.heap", p.prefix, pid);
}

/* ---- names ---- */

/* What files have of it; "" nothing, else the file's path. */
struct names {
	char symbols[4096], lines[4096];
};

static int
peek(const char *path, struct elfpeek *p)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int r = fd < 0 ? -1 : elfpeek_read(fd, p);

	if (fd >= 0)
		close(fd);
	return r;
}

static void
find_names(const struct check *c, const struct elfpeek *p, struct names *n)
{
	struct module m = { .path = c->pre.file, .name = "" };
	struct symcand cand = { .count = 0 };
	struct elfpeek other;

	memcpy(m.build_id, p->build_id, sizeof m.build_id);
	m.build_id_len = p->build_id_len;
	symcand_find(
	    &cand, &m, c->pid, c->pre.file, c->pid ? NULL : c->pre.file, NULL);
	for (size_t i = 0; i < cand.count; i++) {
		if (peek(cand.path[i], &other) < 0 ||
		    other.build_id_len != p->build_id_len ||
		    memcmp(other.build_id, p->build_id, p->build_id_len) != 0)
			continue;
		if (other.symbols && !n->symbols[0])
			snprintf(
			    n->symbols, sizeof n->symbols, "%s", cand.path[i]);
		if (other.lines && !n->lines[0])
			snprintf(n->lines, sizeof n->lines, "%s", cand.path[i]);
	}
	symcand_fini(&cand);
}

static void
put_names(struct check *c, const char *question, const char *path,
    const char *hex, const char *without)
{
	if (path[0] == '\0')
		line(c, question, "no: %s, or install its debug symbols%s%s%s",
		    without, *hex ? " (build-id " : "", hex, *hex ? ")" : "");
	else if (strstr(path, "/.build-id/"))
		line(c, question, "yes, from %s", path);
	else
		line(c, question, "yes");
}

static void
check_names(struct check *c)
{
	struct names n = { .symbols = "" };
	struct elfpeek p;
	char hex[2 * sizeof p.build_id + 1] = "";

	if (peek(c->pre.file, &p) < 0) {
		line(c, "function names", "not known: %s cannot be read",
		    c->pre.file);
		return;
	}
	for (size_t i = 0; i < p.build_id_len; i++)
		snprintf(hex + 2 * i, 3, "%02x", p.build_id[i]);
	find_names(c, &p, &n);
	put_names(c, "function names", n.symbols, hex,
	    "it is stripped, only what it exports has a name; use a file "
	    "that is not stripped");
	put_names(c, "debug lines", n.lines, hex, "build it with -g");
}

/* ---- the whole ---- */

static bool
is_number(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

/* The program of a process, or a file.  0, or the exit status. */
static int
find_program(struct check *c)
{
	struct procfs_stat st;
	struct buf b = BUF_INIT;
	struct err e;
	long pid = strtol(c->word, NULL, 10);
	int status;
	ssize_t n;

	if (is_number(c->word) && pid > 0 && pid <= 0x7fffffff &&
	    procfs_stat((pid_t)pid, &st) == 0) {
		c->pid = (pid_t)pid;
		buf_printf(&b, "/proc/%ld/exe", pid);
		c->path = b.data;
		n = readlink(c->path, c->name, sizeof c->name - 1);
		if (n > 0)
			c->name[n] = '\0';
		else
			snprintf(c->name, sizeof c->name, "%s", st.comm);
		return 0;
	}
	if (is_number(c->word) && access(c->word, F_OK) < 0) {
		say("there is no process %s", c->word);
		return NO_FILE;
	}
	snprintf(c->name, sizeof c->name, "%s", c->word);
	status = launch_find(c->word, &c->path, &e);
	if (status == 0)
		return 0;
	say("%s", e.msg);
	return status == LAUNCH_NOT_FOUND ? NO_FILE : 1;
}

static void
check_all(struct check *c)
{
	precheck_file(c->path, c->name, &c->pre);
	if (c->pid) {
		line(c, "program", "%s", c->name);
		check_process(c);
	} else {
		c->good = check_file(c) || c->good;
		if (c->pre.kind == PRECHECK_OK)
			line(c, WATCHED, "yes");
		check_running(c);
	}
	if (c->pre.kind == PRECHECK_NOT_ELF ||
	    c->pre.kind == PRECHECK_UNREADABLE)
		return;
	check_dumps(c);
	check_names(c);
}

static int
run(struct check *c, const struct options *o)
{
	struct output out;
	struct err e;
	int status;

	c->word = o->words[0];
	status = find_program(c);
	if (status != 0)
		return status;
	if (output_open(&out, o->output, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		return 1;
	}
	check_all(c);
	output_put(&out, &c->out);
	output_close(&out);
	return out.failed || !c->good;
}

int
check_run(const struct options *o)
{
	struct check *c = xcalloc(1, sizeof *c);
	int status = run(c, o);

	visit_free(&c->visit, 1, QUESTIONS);
	buf_fini(&c->out);
	free(c->path);
	free(c);
	return status;
}
