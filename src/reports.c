#include "reports.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "baseline.h"
#include "export/dot_svg.h"
#include "export/export.h"
#include "formats.h"
#include "gates.h"
#include "io/graphviz.h"
#include "io/launch.h"
#include "io/procfs.h"
#include "model/alike.h"
#include "model/profile.h"
#include "model/query.h"
#include "model/report.h"
#include "options.h"
#include "output.h"
#include "reports_more.h"

#define BAD_USAGE 2
#define NO_THREAD (UINT16_MAX + 1) /* slots are below */
#define PIECE     (1u << 20) /* rows that are looked at in one go: 80 MB */

/* What a report is made of. */
struct making {
	const struct options *o;
	const struct profile *const *profiles;
	size_t n;
	uint32_t base;
	const char *program;
	bool untimed; /* its snapshots' times are not known */
	struct baseline against;
};

/* Limits of a graph are its own business: it needs all rows. */
static void
limit_rows(struct query *q, const struct options *o)
{
	if (formats[o->report].graph)
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
	q->alike = m->against.by_name ? alike_stacks
	    : m->against.by_address   ? alike_addresses
				      : NULL;
	q->difference = m->base != 0 || m->against.profile;
}

static struct report *
build(const struct making *m, const struct format *r, const struct query *asked)
{
	struct query q = *asked;

	q.cut = r->cut;
	q.tree = r->tree;
	q.freed = r->freed;
	q.piece = r->listed ? PIECE : 0;
	compare_with(&q, m);
	limit_rows(&q, m->o);
	return report_build(m->profiles, m->n, &q);
}

/* The graph that is in `text`, drawn. */
static int
draw(const struct format *r, const struct report *report,
    const struct export_options *x, const struct buf *text, struct buf *b)
{
	struct buf drawn = BUF_INIT;
	struct err e;
	int status = 0;

	if (graphviz_draw(r->dot, text, &graphviz_usual, &drawn, &e) < 0) {
		say("%s", e.msg);
		status = 1;
	} else if (strcmp(r->dot, "svg") == 0) {
		export_dot_svg(report, x, buf_str(&drawn), drawn.len, b);
	} else {
		buf_put(b, drawn.data, drawn.len);
	}
	buf_fini(&drawn);
	return status;
}

static int
render(const struct making *m, const struct format *r,
    const struct report *report, struct buf *b)
{
	const struct options *o = m->o;
	struct export_options x;
	struct reports_more more;
	struct buf text = BUF_INIT;
	int status = 0;

	export_options_init(&x);
	x.program = m->program;
	x.show_bytes = o->show_bytes;
	x.plus = o->base_name && strcmp(o->base_name, "diff-base") == 0;
	x.untimed = m->untimed;
	if (o->rows)
		x.top = o->rows;
	limit_graph(&x, o);
	reports_more_init(
	    &more, o, m->profiles[0], buf_str(&m->against.remarks), &x);
	if (r->dot) {
		r->fn(report, &x, &text);
		status = draw(r, report, &x, &text, b);
	} else {
		r->fn(report, &x, b);
	}
	reports_more_fini(&more);
	buf_fini(&text);
	return status;
}

/* ---- one report ---- */

static void
put_process(struct report *r, const struct procfs_memory *m)
{
	r->totals.rss_bytes = m->rss_bytes;
	r->totals.virtual_bytes = m->virtual_bytes;
	r->totals.swap_bytes = m->swap_bytes;
	r->totals.major_faults = m->major_faults;
}

static int
make_one(const struct making *m, const struct query *q, struct buf *b)
{
	const struct format *r = &formats[m->o->report];
	struct report *report = build(m, r, q);
	struct procfs_memory now;
	int status;

	if (reports_more_process(m->o, &now))
		put_process(report, &now);
	status = render(m, r, report, b);
	if (!reports_say_filtered(report) && report->group_count == 0)
		reports_say_empty(report);
	report_free(report);
	return status;
}

/* The option that leaves something out or compares, or NULL. */
static const char *
narrows(const struct options *o)
{
	const struct query_options *q = &o->query;

	return q->focus   ? "focus"
	    : q->ignore   ? "ignore"
	    : q->show     ? "show"
	    : q->hide     ? "hide"
	    : q->thread   ? "thread"
	    : q->min_size ? "min-size"
	    : q->max_size ? "max-size"
	    : o->base     ? o->base_name
			  : NULL;
}

/* What resident memory is made of cannot be told of a part of the heap. */
static int
make_memory(const struct making *m, struct query q, struct buf *b)
{
	const char *name = narrows(m->o);

	if (name)
		say("--memory is of the whole process at one moment: --%s "
		    "changes nothing about it",
		    name);
	q.focus = q.ignore = q.show = q.hide = NULL;
	q.min_size = q.max_size = 0;
	q.thread = -1;
	return make_one(m, &q, b);
}

/* jeprof's --thread='*': a report for each thread that has something. */
static int
make_each_thread(const struct making *m, struct query q, struct buf *b)
{
	bool *seen = xcalloc(UINT16_MAX + 1, sizeof *seen);
	int status = 0;

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
			status |= make_one(m, &q, b);
	}
	free(seen);
	return status;
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
	bool failed, each;
	int status = 0;

	each = o->query.thread && strcmp(o->query.thread, "*") == 0;
	if (o->report == REPORT_MEMORY)
		status = make_memory(m, *q, b);
	else if (o->report != REPORT_GATES)
		status = each ? make_each_thread(m, *q, b) : make_one(m, q, b);
	failed = fails(m, *q, "fail-above", &o->above);
	failed |= fails(m, *q, "fail-growth", &o->growth);
	if (status || m->against.partial)
		return 1;
	return failed ? GATES_FAILED : 0;
}

/* The question; a thread of it may be in any of the profiles. */
static int
ask(const struct making *m, struct query *q, struct err *e)
{
	const struct profile *base = m->against.profile;

	for (size_t k = 0; k < m->n; k++)
		if (options_query(m->o, m->profiles[k], q, e) == 0)
			return 0;
	return base ? options_query(m->o, base, q, e) : -1;
}

static int
make_against(struct making *m, struct buf *b)
{
	struct query q;
	struct err e;
	int status = 1;

	if (baseline_read(&m->against, m->o, m->profiles, m->n, &e) < 0 ||
	    ask(m, &q, &e) < 0)
		say("%s", e.msg);
	else
		status = make(m, &q, b);
	baseline_free(&m->against);
	return status;
}

int
reports_render(const struct options *o, const struct profile *const *profiles,
    size_t n, uint32_t base, const char *program, struct buf *b)
{
	struct making m = { .o = o,
		.profiles = profiles,
		.n = n,
		.base = o->report == REPORT_GROWTH ? 0 : base,
		.program = program };

	return make_against(&m, b);
}

int
reports_render_series(const struct options *o, const struct profile *p,
    bool untimed, const char *program, struct buf *b)
{
	struct making m = { .o = o,
		.profiles = &p,
		.n = 1,
		.program = program,
		.untimed = untimed };

	return make_against(&m, b);
}

/* A report for machines does no good to a terminal, and harm to some. */
static int
check_terminal(const struct options *o)
{
	int fd = o->mode == MODE_LAUNCH ? STDERR_FILENO : STDOUT_FILENO;

	if (!formats[o->report].binary || o->output || !isatty(fd))
		return 0;
	say("--%s is nothing for a terminal; give -o FILE with it",
	    o->report_name);
	return BAD_USAGE;
}

static int
check_graphviz(const struct options *o)
{
	char *path = NULL;
	struct err e;

	if (!formats[o->report].dot)
		return 0;
	if (launch_find("dot", &path, &e) == 0) {
		free(path);
		return 0;
	}
	say("--%s is drawn by graphviz' program dot, which is not in PATH: "
	    "install the package graphviz, or take --flamegraph, or --dot and "
	    "draw it elsewhere",
	    o->report_name);
	return 1;
}

int
reports_check(const struct options *o)
{
	struct err e;
	int status = check_terminal(o);

	if (!status)
		status = check_graphviz(o);
	if (!status) {
		status = baseline_check(o, &e);
		if (status)
			say("%s", e.msg);
	}
	return status == 1 && o->mode == MODE_LAUNCH ? LAUNCH_FAILED : status;
}

void
reports_snapshot(const struct options *o, const struct profile *p,
    const struct procfs_memory *m, struct buf *b)
{
	const struct format *r = &formats[REPORT_NONE];
	struct making making = { .o = o,
		.profiles = &p,
		.n = 1,
		.program = profile_facts(p)->command };
	struct query q;
	struct err e;
	struct report *report;

	/* a thread that is not there yet may still come: nothing is of it */
	if (options_query(o, p, &q, &e) < 0) {
		options_query(o, NULL, &q, &e);
		q.thread = NO_THREAD;
	}
	q.cut = r->cut;
	report = report_build(&p, 1, &q);
	if (m)
		put_process(report, m);
	render(&making, r, report, b);
	report_free(report);
}
