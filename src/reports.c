#include "reports.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "baseline.h"
#include "export/export.h"
#include "gates.h"
#include "io/procfs.h"
#include "io/symbols.h"
#include "model/alike.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/query.h"
#include "model/report.h"
#include "options.h"
#include "output.h"

#define SENTENCES_MAX 4

/* How each kind is made.  What jeprof prints too cuts stacks as jeprof does;
 * a dump is not cut at all. */
static const struct renderer {
	export_fn *fn;
	enum cut cut;
	bool tree;
} renderers[] = {
	[REPORT_NONE] = { export_snapshot, CUT_WRAPPERS, false },
	[REPORT_TEXT] = { export_text, CUT_ALLOCATOR, false },
	[REPORT_TOP] = { export_top, CUT_WRAPPERS, false },
	[REPORT_TREE] = { export_tree, CUT_WRAPPERS, true },
	[REPORT_COLLAPSED] = { export_collapsed, CUT_ALLOCATOR, false },
	[REPORT_DOT] = { export_dot, CUT_ALLOCATOR, false },
	[REPORT_HEAP] = { export_heap, CUT_NOTHING, false },
};

/* What a report is made of. */
struct making {
	const struct options *o;
	const struct profile *const *profiles;
	size_t n;
	uint32_t base;
	const char *program;
	struct baseline against;
};

static bool
is_graph(enum report_kind kind)
{
	return kind == REPORT_DOT;
}

/* Limits of a graph are its own business: it needs all rows. */
static void
limit_rows(struct query *q, const struct options *o)
{
	if (is_graph(o->report))
		return;
	if (o->limits.node_count > 0)
		q->max_rows = (size_t)o->limits.node_count;
	if (o->limits.node_fraction > 0)
		q->min_fraction = o->limits.node_fraction;
}

static void
limit_graph(struct export_options *x, const struct options *o)
{
	const struct limit_options *l = &o->limits;

	if (l->node_count >= 0)
		x->node_count = (size_t)l->node_count;
	if (l->node_fraction >= 0)
		x->node_fraction = l->node_fraction;
	if (l->edge_fraction >= 0)
		x->edge_fraction = l->edge_fraction;
	if (l->max_degree >= 0)
		x->max_degree = (size_t)l->max_degree;
}

static void
compare_with(struct query *q, const struct making *m)
{
	q->base = m->base;
	q->base_profile = m->against.profile;
	q->alike = m->against.by_name ? alike_stacks : NULL;
	q->difference = m->base != 0 || m->against.profile;
}

static struct report *
build(
    const struct making *m, const struct renderer *r, const struct query *asked)
{
	struct query q = *asked;

	q.cut = r->cut;
	q.tree = r->tree;
	compare_with(&q, m);
	limit_rows(&q, m->o);
	return report_build(m->profiles, m->n, &q);
}

static void
render(const struct options *o, const struct renderer *r,
    const struct report *report, const char *program, struct buf *b)
{
	struct export_options x;

	export_options_init(&x);
	x.program = program;
	x.show_bytes = o->show_bytes;
	x.plus = o->base_name && strcmp(o->base_name, "diff-base") == 0;
	if (o->rows)
		x.top = o->rows;
	limit_graph(&x, o);
	r->fn(report, &x, b);
}

/* ---- what is said of it ---- */

static void
put_amount(struct buf *b, const struct report *r, double v)
{
	if (metric_is_bytes(r->query.metric))
		buf_puts(b, fmt_bytes(v, FMT_ZERO).s);
	else
		buf_printf(b, "%s objects", fmt_count(v, FMT_ZERO).s);
}

static int
put_option(struct buf *b, const char *name, const char *value)
{
	if (b->len)
		buf_puts(b, ", ");
	buf_printf(b, "--%s=%s", name, value);
	return 1;
}

/* The filters that are in the query, as they may be typed; how many. */
static int
put_filters(struct buf *b, const struct query *q)
{
	int n = 0;

	if (q->focus)
		n += put_option(b, "focus", q->focus->text);
	if (q->ignore)
		n += put_option(b, "ignore", q->ignore->text);
	if (q->show)
		n += put_option(b, "show", q->show->text);
	if (q->hide)
		n += put_option(b, "hide", q->hide->text);
	if (q->min_size > 0)
		n += put_option(b, "min-size", fmt_int(q->min_size).s);
	if (q->max_size > 0)
		n += put_option(b, "max-size", fmt_int(q->max_size).s);
	return n;
}

/* Whoever filters should know that most is not in what he looks at.  True if
 * nothing is left. */
static bool
say_filtered(const struct report *r)
{
	const struct query *q = &r->query;
	double whole = r->whole.value, left = r->local.value;
	bool sizes = q->min_size > 0 || q->max_size > 0;
	bool nothing = r->stack_count == 0 && whole != 0;
	struct buf b = BUF_INIT;
	int n = put_filters(&b, q);

	if (n > 0 && (nothing || sizes || fabs(left) < fabs(whole) / 2)) {
		buf_puts(&b, n == 1 ? " leaves " : " leave ");
		if (nothing)
			buf_puts(&b, "nothing");
		else
			put_amount(&b, r, left);
		buf_puts(&b, " of ");
		put_amount(&b, r, whole);
		if (!nothing)
			buf_printf(&b, " (%s%%)",
			    fmt_percent(left, whole, FMT_ZERO).s);
		if (sizes)
			buf_puts(&b,
			    "; the size is that of a stack's average object");
		say("%s", buf_str(&b));
	}
	buf_fini(&b);
	return n > 0 && nothing;
}

/* An empty table needs a word, lest it be taken for a failure. */
static void
say_empty(const struct report *r)
{
	const char *what =
	    metric_is_live(r->query.metric) ? "live" : "allocated";

	if (r->query.difference)
		say("the report is empty: nothing has changed");
	else if (r->have_totals && r->totals.lg_sample == 0)
		say("the report is empty: nothing is %s", what);
	else if (r->have_totals)
		say("the report is empty: nothing %s was sampled at %s; a "
		    "small program needs more: lg_prof_sample:16 or 14, or "
		    "-s 4K",
		    what, fmt_sampling(r->totals.lg_sample).s);
	else
		say("the report is empty");
}

/* ---- one report ---- */

static void
make_one(const struct making *m, const struct query *q, struct buf *b)
{
	const struct renderer *r = &renderers[m->o->report];
	struct report *report = build(m, r, q);

	render(m->o, r, report, m->program, b);
	if (!say_filtered(report) && report->stack_count == 0)
		say_empty(report);
	report_free(report);
}

/* jeprof's --thread='*': a report for each thread that has something. */
static void
make_each_thread(const struct making *m, struct query q, struct buf *b)
{
	bool *seen = xcalloc(UINT16_MAX + 1, sizeof *seen);

	for (size_t k = 0; k < m->n; k++) {
		size_t n;
		const struct profile_cell *c =
		    profile_cells(m->profiles[k], &n);

		for (size_t i = 0; i < n; i++)
			seen[c[i].slot] = true;
	}
	for (int slot = 0; slot <= UINT16_MAX; slot++) {
		q.thread = slot;
		if (seen[slot])
			make_one(m, &q, b);
	}
	free(seen);
}

/* ---- gates ---- */

static bool
fails(const struct making *m, struct query q, const char *name,
    const struct gate_options *g)
{
	struct report *report;
	bool failed;

	if (!g->text)
		return false;
	q.metric =
	    metric_is_live(q.metric) ? METRIC_LIVE_BYTES : METRIC_ALLOC_BYTES;
	q.grouping = GROUP_STACKS;
	q.cut = CUT_WRAPPERS;
	if (g == &m->o->growth)
		compare_with(&q, m);
	report = report_build(m->profiles, m->n, &q);
	failed = gates_fail(name, g, report, m->o->report == REPORT_GATES);
	report_free(report);
	return failed;
}

static int
make(const struct making *m, const struct query *q, struct buf *b)
{
	const struct options *o = m->o;
	bool failed;

	if (o->report != REPORT_GATES) {
		if (o->query.thread && strcmp(o->query.thread, "*") == 0)
			make_each_thread(m, *q, b);
		else
			make_one(m, q, b);
	}
	failed = fails(m, *q, "fail-above", &o->above);
	failed |= fails(m, *q, "fail-growth", &o->growth);
	return failed ? GATES_FAILED : m->against.partial;
}

int
reports_render(const struct options *o, const struct profile *const *profiles,
    size_t n, uint32_t base, const char *program, struct buf *b)
{
	struct making m = { o, profiles, n, base, program, { 0 } };
	struct query q;
	struct err e;
	int status = 1;

	if (baseline_read(&m.against, o, profiles, n, &e) < 0 ||
	    options_query(o, profiles[0], &q, &e) < 0)
		say("%s", e.msg);
	else
		status = make(&m, &q, b);
	baseline_free(&m.against);
	return status;
}

int
reports_check(const struct options *o)
{
	struct err e;
	int status = baseline_check(o, &e);

	if (status)
		say("%s", e.msg);
	return status;
}

void
reports_snapshot(const struct options *o, const struct profile *p,
    const struct procfs_memory *m, struct buf *b)
{
	const struct renderer *r = &renderers[REPORT_NONE];
	struct query q;
	struct err e;
	struct report *report;

	/* a thread that is not there yet may still come */
	if (options_query(o, p, &q, &e) < 0)
		options_query(o, NULL, &q, &e);
	q.cut = r->cut;
	report = report_build(&p, 1, &q);
	if (m) {
		report->totals.rss_bytes = m->rss_bytes;
		report->totals.virtual_bytes = m->virtual_bytes;
		report->totals.swap_bytes = m->swap_bytes;
		report->totals.major_faults = m->major_faults;
	}
	render(o, r, report, profile_facts(p)->command, b);
	report_free(report);
}

/* Marks the modules in which a place has no name. */
static void
mark_nameless(const struct profile *p, unsigned char *marks, uint32_t max)
{
	const struct frames *f = profile_frames_const(p);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		uint32_t module = frames_module(f, id);

		if (module <= max && frames_state(f, id) == FRAME_NAMELESS)
			marks[module] = 1;
	}
}

static int
say_nameless(const struct symbols *s, const struct profile *p, int left)
{
	uint32_t max = modules_max(profile_modules(p));
	unsigned char *marks = xcalloc((size_t)max + 1, 1);

	mark_nameless(p, marks, max);
	for (uint32_t id = 1; id <= max && left > 0; id++) {
		const char *note = marks[id] ? symbols_note(s, p, id) : "";

		if (!*note)
			continue;
		say("%s", note);
		left--;
	}
	free(marks);
	return left;
}

void
reports_say_nameless(
    const struct symbols *s, const struct profile *const *profiles, size_t n)
{
	int left = SENTENCES_MAX;

	for (size_t i = 0; i < n; i++)
		left = say_nameless(s, profiles[i], left);
}
