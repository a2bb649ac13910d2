#include "reports.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "export/export.h"
#include "io/procfs.h"
#include "io/symbols.h"
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

static struct report *
build(const struct options *o, const struct renderer *r,
    const struct profile *const *profiles, size_t n, uint32_t base)
{
	struct query q;

	query_init(&q);
	q.metric = o->metric;
	q.grouping = o->grouping;
	q.cut = r->cut;
	q.tree = r->tree;
	q.base = base;
	q.difference = base != 0;
	return report_build(profiles, n, &q);
}

static void
render(const struct options *o, const struct renderer *r,
    const struct report *report, const char *program, struct buf *b)
{
	struct export_options x;

	export_options_init(&x);
	x.program = program;
	x.show_bytes = o->show_bytes;
	if (o->rows)
		x.top = o->rows;
	r->fn(report, &x, b);
}

/* An empty table needs a word, lest it be taken for a failure. */
static void
say_empty(const struct report *r)
{
	const char *what =
	    metric_is_live(r->query.metric) ? "live" : "allocated";

	if (r->have_totals && r->totals.lg_sample == 0)
		say("the report is empty: nothing is %s", what);
	else if (r->have_totals)
		say("the report is empty: nothing %s was sampled at %s; a "
		    "small program needs more: lg_prof_sample:16 or 14, or "
		    "-s 4K",
		    what, fmt_sampling(r->totals.lg_sample).s);
	else
		say("the report is empty");
}

void
reports_render(const struct options *o, const struct profile *const *profiles,
    size_t n, uint32_t base, const char *program, struct buf *b)
{
	const struct renderer *r = &renderers[o->report];
	struct report *report = build(o, r, profiles, n, base);

	render(o, r, report, program, b);
	if (report->stack_count == 0)
		say_empty(report);
	report_free(report);
}

void
reports_snapshot(const struct options *o, const struct profile *p,
    const struct procfs_memory *m, struct buf *b)
{
	const struct renderer *r = &renderers[REPORT_NONE];
	struct report *report = build(o, r, &p, 1, 0);

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
