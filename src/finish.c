#include "finish.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "formats.h"
#include "io/procfs.h"
#include "model/profile.h"
#include "options.h"
#include "output.h"
#include "reports.h"
#include "session.h"
#include "target.h"

#define OTHERS_MAX   5 /* processes named one by one */
#define NAME_COLUMNS 40

void
finish_root(struct session *s, const char *end)
{
	struct target *t = session_find(s, s->root);

	session_died(s, s->root, end);
	/* It may have been known as gone before its status was. */
	if (t)
		snprintf(t->end, sizeof t->end, "%s", end);
}

bool
finish_any(const struct session *s)
{
	for (const struct target *t = s->targets; t; t = t->next)
		if (target_samples(t) > 0)
			return true;
	return false;
}

void
finish_say_nothing(const struct session *s, const char *program)
{
	const struct options *o = s->o;

	if (s->targets || o->exact)
		say("%s: no allocation was sampled", program);
	else
		say("%s: no allocation was sampled; small programs need a "
		    "smaller distance: -s 4K, or --exact for all",
		    program);
}

/* A report may be about it: it has samples, and its image did not give way
 * to another one. */
static bool
counts(const struct target *t)
{
	return t->profile && !t->replaced && target_samples(t) > 0;
}

/* The one whose report is asked for. */
static struct target *
chosen(const struct session *s)
{
	struct target *root = session_find(s, s->root), *best = NULL;

	if (root && counts(root))
		return root;
	for (struct target *t = s->targets; t; t = t->next)
		if (counts(t) && (!best || target_live(t) > target_live(best)))
			best = t;
	if (best)
		say("process %ld itself has no samples; this is process %ld "
		    "(%.*s)",
		    (long)s->root, (long)best->pid, NAME_COLUMNS,
		    best->command);
	return best;
}

/* One line that names what is not in the report. */
static void
say_others(const struct session *s, const struct target *shown)
{
	struct buf b = BUF_INIT;
	int count = 0;

	for (const struct target *t = s->targets; t; t = t->next) {
		if (t == shown || t->replaced || target_samples(t) == 0)
			continue;
		if (count++ >= OTHERS_MAX)
			continue;
		buf_printf(&b, "%s%ld %.*s (%s)", count > 1 ? ", " : "",
		    (long)t->pid, NAME_COLUMNS, t->command,
		    fmt_bytes((double)target_live(t), FMT_ZERO).s);
	}
	if (count > OTHERS_MAX)
		buf_printf(&b, " and %d more", count - OTHERS_MAX);
	if (count)
		say("not in this report, --sum adds them: %s", buf_str(&b));
	buf_fini(&b);
}

/* The profiles of the report, to be freed; how many. */
static size_t
collect(struct session *s, const struct profile ***out)
{
	const struct profile **list;
	struct target *one = NULL;
	size_t n = 0, all = 0;

	for (struct target *t = s->targets; t; t = t->next)
		all++;
	*out = list = xcalloc(all + 1, sizeof *list);
	if (!s->o->sum)
		one = chosen(s);
	for (struct target *t = s->targets; t; t = t->next)
		if (counts(t) && (s->o->sum || t == one))
			list[n++] = t->profile;
	if (one)
		say_others(s, one);
	return n;
}

/* Texts that follow one another have a line between them. */
static int
render(struct session *s, const struct profile *const *list, size_t n,
    struct buf *b)
{
	if (s->batch.printed > 0 && !formats_is_document(s->o->report))
		buf_putc(b, '\n');
	return reports_render(
	    s->o, list, n, s->base, profile_facts(list[0])->image, b);
}

/* What their mappings say, as soon as they have answered. */
static void
look(const struct session *s)
{
	struct err e;

	for (struct target *t = s->targets; t; t = t->next)
		if (counts(t) && !t->ended && target_look(t, &e) < 0)
			say("%s", e.msg);
}

int
finish_report(struct session *s)
{
	const struct profile **list;
	struct buf b = BUF_INIT;
	size_t n;
	int status = 0;

	if (s->o->report == REPORT_MEMORY)
		look(s);
	n = collect(s, &list);
	if (n == 0) {
		say("nothing to report: the processes that had samples have "
		    "become other programs");
	} else {
		session_names(s, -1);
		status = render(s, list, n, &b);
		output_put(&s->out, &b);
		reports_say_nameless(s->symbols, list, n);
	}
	buf_fini(&b);
	free(list);
	return status;
}

/* What /proc says of those that live. */
static void
ask_proc(const struct session *s)
{
	struct procfs_memory m;

	for (const struct target *t = s->targets; t; t = t->next)
		if (counts(t) && !t->ended && procfs_memory(t->pid, &m) == 0)
			profile_put_process(t->profile, m.rss_bytes,
			    m.virtual_bytes, m.swap_bytes, m.major_faults);
}

static void
hear_nothing(void *arg, const char *sentence)
{
	(void)arg;
	(void)sentence;
}

void
finish_snapshot(struct session *s, int names_ms)
{
	const struct profile **list;
	struct buf b = BUF_INIT;
	size_t n;

	session_names(s, names_ms);
	ask_proc(s);
	say_to(hear_nothing, NULL);
	n = collect(s, &list);
	if (n > 0)
		render(s, list, n, &b);
	say_to(NULL, NULL);
	output_put(&s->out, &b);
	buf_fini(&b);
	free(list);
}
