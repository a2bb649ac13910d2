#include "ctl.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/procfs.h"
#include "options.h"
#include "output.h"
#include "ps.h"
#include "visit.h"

#define BAD_USAGE     2
#define PROCESSES_MAX 4096
#define PATH_MOST     4000 /* a target takes 4,096 bytes less ".part" */

/* A dump of a large heap onto a slow disk takes its time. */
#define DUMP_NS UINT64_C(60000000000)

#define DUMP_KEY "prof.dump"

/* What the words behind `ctl` mean. */
struct request {
	const char *target; /* NULL: none was given */
	bool all;
	struct visit_question *q; /* keys and values are the request's */
	size_t n;
};

/* ---- words ---- */

static bool
is_number(const char *word)
{
	return *word && word[strspn(word, "0123456789")] == '\0';
}

/* Is the first of several words a process rather than a name of a value?
 * Those have a dot in them and begin as jemalloc's do. */
static bool
is_target(const char *word, bool only)
{
	static const char *const spaces[] = { "prof.", "opt.", "stats.",
		"thread.", "arena.", "arenas.", "config.", "experimental." };

	if (is_number(word))
		return true;
	if (strpbrk(word, "=:"))
		return false;
	if (!strchr(word, '.'))
		return true;
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (strncmp(word, spaces[i], strlen(spaces[i])) == 0)
			return false;
	return !only;
}

/* As the process will have to understand it: the path of a file is meant
 * from here. */
static int
make_value(const char *key, const char *value, char **out, struct err *e)
{
	struct buf b = BUF_INIT;
	char *cwd;

	if (strcmp(key, DUMP_KEY) != 0 || *value == '/') {
		*out = xstrdup(value);
		return 0;
	}
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return err_sys(
		    e, "%s=%s: there is no current directory", key, value);
	buf_printf(&b, "%s/%s", strcmp(cwd, "/") == 0 ? "" : cwd, value);
	free(cwd);
	*out = b.data;
	return 0;
}

static int
add_question(struct request *r, const char *word, char flag, struct err *e)
{
	size_t len = strcspn(word, "=:");
	struct visit_question *q = &r->q[r->n];
	char *key, *value = NULL;

	if (len == 0 ||
	    strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_.") < len)
		return err_set(
		    e, "'%s' is no name of a value; one is prof.active", word);
	if (word[len] && !word[len + 1])
		return err_set(e, "'%s' wants a value behind it", word);
	if (flag == 'r' && word[len])
		return err_set(e, "-r reads; '%s' has a value", word);
	if (flag == 'w' && !word[len])
		return err_set(e, "-w writes; '%s' has no value", word);
	key = xstrndup(word, len);
	if (word[len] && make_value(key, word + len + 1, &value, e) < 0) {
		free(key);
		return -1;
	}
	*q = (struct visit_question){ key, value,
		strcmp(key, DUMP_KEY) == 0 ? DUMP_NS : VISIT_NS };
	r->n++;
	if (value && strlen(value) > PATH_MOST)
		return err_set(e, "the value of %s is too long", key);
	if (!value && strcmp(key, DUMP_KEY) == 0)
		return err_set(
		    e, "prof.dump wants the name of a file: prof.dump=x.heap");
	return 0;
}

static int
read_words(struct request *r, const struct options *o, struct err *e)
{
	char flag = 0;
	bool first = true;

	for (size_t i = 0; i < o->word_count; i++) {
		const char *word = o->words[i];

		if (strcmp(word, "--all") == 0) {
			r->all = true;
			continue;
		}
		if (strcmp(word, "-r") == 0 || strcmp(word, "-w") == 0) {
			flag = word[1];
			continue;
		}
		if (*word == '-')
			return err_set(e,
			    "ctl has no option %s; it has --all, -r and -w",
			    word);
		if (first && !flag && is_target(word, i + 1 == o->word_count))
			r->target = word;
		else if (add_question(r, word, flag, e) < 0)
			return -1;
		first = false;
		flag = 0;
	}
	if (r->n == 0)
		return err_set(e,
		    "ctl%s%s wants a name behind it, such as prof.active",
		    r->target ? " " : "", r->target ? r->target : "");
	if (r->all && r->target)
		return err_set(e, "%s and --all: give one of them", r->target);
	return 0;
}

static void
request_free(struct request *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free((void *)(uintptr_t)r->q[i].key);
		free((void *)(uintptr_t)r->q[i].value);
	}
	free(r->q);
}

/* ---- which processes ---- */

static void
say_none(void)
{
	say("no process that you may watch runs under libheaptop.so: start "
	    "one with `heaptop exec PROGRAM`");
}

/* The list, for someone to choose from. */
static void
print_choice(void)
{
	struct buf b = BUF_INIT;
	struct ps_row *rows;
	size_t n = ps_list(&rows);
	struct err e;

	ps_table(&b, rows, n, false, ps_columns(STDERR_FILENO));
	buf_write(&b, STDERR_FILENO, "stderr", &e);
	say("there are several processes; say which: heaptop ctl PID|NAME "
	    "KEY[=VALUE]..., or --all of them");
	buf_fini(&b);
	ps_free(rows, n);
}

static size_t
preloaded(struct visit **v)
{
	pid_t *pid = xmalloc(PROCESSES_MAX * sizeof *pid);
	size_t all = procfs_preloaded(pid, PROCESSES_MAX), n = 0;

	*v = xcalloc(PROCESSES_MAX, sizeof **v);
	for (size_t i = 0; i < all && i < PROCESSES_MAX; i++)
		if (pid[i] != getpid())
			(*v)[n++].pid = pid[i];
	free(pid);
	return n;
}

/* The processes meant.  0, or the exit status after a sentence. */
static int
find_targets(const struct request *r, struct visit **v, size_t *n)
{
	struct err e;
	int found;

	if (!r->target) {
		*n = preloaded(v);
		if (*n == 0)
			say_none();
		if (*n > 1 && !r->all) {
			print_choice();
			return BAD_USAGE;
		}
		return *n == 0;
	}
	*v = xcalloc(1, sizeof **v);
	*n = 1;
	found = procfs_find(r->target, &(*v)->pid, &e);
	if (found == 0)
		return 0;
	say("%s", e.msg);
	return found == -2 ? BAD_USAGE : 1;
}

/* ---- answers ---- */

static void
say_error(
    pid_t pid, const struct visit_question *q, const struct visit_answer *a)
{
	if (strcmp(q->key, DUMP_KEY) != 0)
		say("process %d: %s%s%s: %s", (int)pid, q->key,
		    q->value ? "=" : "", q->value ? q->value : "", a->text);
	else if (a->error == EACCES || a->error == EPERM)
		say("process %d cannot write %s as uid %u: %s", (int)pid,
		    q->value, (unsigned)procfs_uid(pid), strerror(a->error));
	else
		say("process %d cannot write %s: %s", (int)pid, q->value,
		    strerror(a->error));
}

/* Where a file is that was written in a file system of the process's own. */
static void
say_where(pid_t pid, const char *path)
{
	if (access(path, F_OK) < 0)
		say("process %d sees other files than this shell: the dump is "
		    "/proc/%d/root%s",
		    (int)pid, (int)pid, path);
}

/* False if something failed. */
static bool
put_answers(
    struct buf *b, const struct visit *v, const struct request *r, bool several)
{
	bool good = v->end == VISIT_DONE;

	for (size_t i = 0; i < r->n; i++) {
		const struct visit_answer *a = &v->answer[i];
		const struct visit_question *q = &r->q[i];

		if (a->error > 0) {
			say_error(v->pid, q, a);
			good = false;
		} else if (a->error == 0 && a->text && !q->value) {
			if (several)
				buf_printf(b, "%d: ", (int)v->pid);
			buf_printf(b, "%s = %s\n", q->key, a->text);
		} else if (a->error == 0 && strcmp(q->key, DUMP_KEY) == 0)
			say_where(v->pid, q->value);
	}
	if (v->end != VISIT_DONE)
		say("%s", v->why);
	return good;
}

static int
ask(const struct request *r, struct visit *v, size_t n, const struct options *o)
{
	struct buf b = BUF_INIT;
	struct output out;
	struct err e;
	bool good = true;

	if (output_open(&out, o->output, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		return 1;
	}
	visit_all(v, n, r->q, r->n);
	for (size_t i = 0; i < n; i++)
		good = put_answers(&b, &v[i], r, n > 1) && good;
	visit_free(v, n, r->n);
	if (b.len > 0)
		output_put(&out, &b);
	output_close(&out);
	buf_fini(&b);
	return !good || out.failed;
}

/* Several processes would write the same file. */
static bool
dumps_collide(const struct request *r, size_t n)
{
	for (size_t i = 0; i < r->n; i++)
		if (n > 1 && strcmp(r->q[i].key, DUMP_KEY) == 0)
			return true;
	return false;
}

int
ctl_run(const struct options *o)
{
	struct request r = { .q = xcalloc(o->word_count, sizeof *r.q) };
	struct visit *v = NULL;
	struct err e;
	int status;
	size_t n = 0;

	if (read_words(&r, o, &e) < 0) {
		say("%s", e.msg);
		request_free(&r);
		return BAD_USAGE;
	}
	status = find_targets(&r, &v, &n);
	if (status == 0 && dumps_collide(&r, n)) {
		say("%zu processes would write the same file; give each a "
		    "prof.dump of its own",
		    n);
		status = BAD_USAGE;
	}
	if (status == 0)
		status = ask(&r, v, n, o);
	free(v);
	request_free(&r);
	return status;
}
