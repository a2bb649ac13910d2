#include "screen_plain_rows.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "model/figures.h"
#include "model/memory.h"
#include "model/name.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/detail_parts.h"
#include "ui/memory_rows.h"
#include "ui/view.h"

#define CALLERS    4 /* named in a row */
#define NAME_COLS  60
#define NAME_WHOLE 400
#define TREE_LEAST 0.01 /* branches of a smaller part are left out */

static void
put_count(double n, const char *noun, struct buf *b)
{
	buf_printf(
	    b, "%s %s%s", fmt_count(n, FMT_ZERO).s, noun, n == 1 ? "" : "s");
}

/* Without what is only of the language: nobody wants to hear it. */
static void
put_name(const char *name, int cols, struct buf *b)
{
	struct buf fit = BUF_INIT;

	name_fit(&fit, name, cols, true);
	buf_puts(b, buf_str(&fit));
	buf_fini(&fit);
}

static void
put_value(const struct app *a, double v, struct buf *b)
{
	if (metric_is_bytes(a->query.metric))
		buf_puts(b, fmt_bytes(v, FMT_ZERO).s);
	else
		put_count(v, "object", b);
}

/* ", up 21.5 MiB"; within the noise it is said to be so. */
static void
put_change(const struct app *a, const struct figures *f, struct buf *b)
{
	double change = figures_change(f);

	if (change == 0)
		return;
	buf_puts(b, change > 0 ? ", up " : ", down ");
	put_value(a, fabs(change), b);
	if (fabs(change) < figures_change_error(f))
		buf_puts(b, " within the noise");
}

/* ---- rows ---------------------------------------------------------------- */

/* Growth has a list of its own. */
static bool
grows(const struct app *a)
{
	return a->view == CONTEXT_GROWTH && a->report &&
	    a->growth.report == a->report;
}

size_t
plain_row_count(const struct app *a)
{
	if (a->view == CONTEXT_SNAPSHOTS)
		return a->point_count;
	if (grows(a))
		return a->growth.count;
	return a->report ? a->listed_count : 0;
}

const struct report_row *
plain_row_at(const struct app *a, size_t i)
{
	if (grows(a))
		return &a->report->rows[a->growth.listed[i].row];
	return app_row(a, i);
}

static void
put_point(const struct app *a, size_t i, struct buf *b)
{
	const struct app_point *p = &a->points[i];

	buf_printf(b, "%zu. At %s: %s live", i + 1, app_clock(a, p->ns).s,
	    fmt_bytes(p->live_bytes, FMT_ZERO).s);
	if (i > 0 && p->live_bytes != p[-1].live_bytes)
		buf_printf(b, ", %s %s",
		    p->live_bytes > p[-1].live_bytes ? "up" : "down",
		    fmt_bytes(fabs(p->live_bytes - p[-1].live_bytes), 0).s);
	if (p->id == a->mark[0].id)
		buf_puts(b, ", mark A");
	if (p->id == a->mark[1].id)
		buf_puts(b, ", mark B");
	buf_puts(b, ".\n");
}

/* Whether it may leak, and why. */
static void
put_growth(const struct app *a, const struct report_row *row, struct buf *b)
{
	const struct trend *t = growth_trend(a, row);
	size_t before = b->len;

	if (!t)
		return;
	if (!growth_suspect(a, row)) {
		buf_puts(b, "   Not suspected: ");
		suspect_why_not(a->growth.trends, a->report, t, b);
		if (b->len == before + strlen("   Not suspected: "))
			buf_cut(b, before);
		else
			buf_puts(b, ".\n");
		return;
	}
	buf_puts(b, "   Perhaps a leak: it ");
	suspect_why(a->growth.trends, a->report, t,
	    a->mark[0].id ? "since A" : "since the start", false, true, b);
	buf_puts(b, ".\n");
}

static void
put_row(const struct app *a, size_t i, struct buf *b)
{
	const struct report_row *row = plain_row_at(a, i);
	const struct report *r = a->report;

	buf_printf(b, "%zu. ", i + 1);
	put_name(parts_name(a, row), NAME_COLS, b);
	if (r->query.grouping == GROUP_THREADS)
		buf_printf(b, ", thread %llu", (unsigned long long)row->key);
	buf_puts(b, ": ");
	put_value(a, row->f.value, b);
	if (r->total.value > 0)
		buf_printf(b, ", %s percent",
		    fmt_percent(row->f.value, r->total.value, 0).s);
	put_change(a, &row->f, b);
	if (metric_is_bytes(a->query.metric)) {
		buf_puts(b, ", ");
		put_count(row->f.objects, "object", b);
	}
	for (uint32_t k = 1; k < row->count && k <= CALLERS; k++) {
		buf_puts(b, k == 1 ? "; called by " : ", ");
		put_name(
		    report_place(r, row->places[k]).function, NAME_COLS, b);
	}
	buf_puts(b, ".\n");
	if (grows(a))
		put_growth(a, row, b);
}

size_t
plain_rows(const struct app *a, size_t from, size_t count, struct buf *b)
{
	size_t n = plain_row_count(a),
	       end = from + count < n ? from + count : n;

	for (size_t i = from; i < end; i++) {
		if (a->view == CONTEXT_SNAPSHOTS)
			put_point(a, i, b);
		else
			put_row(a, i, b);
	}
	return end;
}

/* ---- the tree ------------------------------------------------------------ */

static void
put_node(const struct app *a, const struct report *r, const struct tree_node *n,
    struct buf *b)
{
	buf_printf(b, "Level %u, ", n->depth);
	put_name(
	    n->place == TREE_ALL ? "all" : report_place(r, n->place).function,
	    NAME_COLS, b);
	buf_puts(b, ": ");
	put_value(a, n->cum.value, b);
	if (r->local.value > 0)
		buf_printf(b, ", %s percent",
		    fmt_percent(n->cum.value, r->local.value, 0).s);
	put_change(a, &n->cum, b);
	if (n->self.value > 0) {
		buf_puts(b, ", of it itself ");
		put_value(a, n->self.value, b);
	}
	buf_puts(b, ".\n");
}

/* The whole of it but for small branches, and chains of single callers as
 * their end alone. */
static void
put_tree(const struct app *a, struct buf *b)
{
	struct query q = a->report->query;
	struct report *r;
	double least;

	q.tree = true;
	r = report_build(a->report->profiles, a->report->profile_count, &q);
	least = fabs(r->local.value) * TREE_LEAST;
	for (size_t i = 0; i < r->tree_count; i++) {
		const struct tree_node *n = &r->tree[i];
		bool chain = i + 1 < r->tree_count && i > 0 &&
		    n[1].parent == i && n[1].next == n->next &&
		    n->self.value == 0;

		if (fabs(n->cum.value) >= least && !chain)
			put_node(a, r, n, b);
	}
	report_free(r);
}

/* ---- memory -------------------------------------------------------------- */

/* The parts that RSS is, then the mappings. */
static void
put_memory(const struct app *a, struct buf *b)
{
	struct memory_rows m;

	memory_rows_make(&m, a);
	for (size_t i = 0; i < m.parts.count; i++) {
		const struct memory_part *p = &m.parts.part[i];

		buf_printf(
		    b, "%s: %s", p->label, fmt_bytes(p->bytes, FMT_ZERO).s);
		if (m.parts.sum > 0)
			buf_printf(b, ", %s percent",
			    fmt_percent(p->bytes, m.parts.sum, FMT_ZERO).s);
		buf_printf(b, "; %s.\n", p->what);
	}
	buf_printf(b, "In all: %s%s.\n", fmt_bytes(m.parts.sum, FMT_ZERO).s,
	    m.parts.known ? ", which is what is resident" : "");
	for (size_t i = 0; i < m.count; i++) {
		const struct memory_mapping *p;

		if (m.row[i].sort != MEMORY_ROW_MAPPING)
			continue;
		p = &m.seen->largest[m.row[i].index];
		buf_puts(b, "Mapping ");
		memory_mapping_name(p, 200, true, b);
		buf_printf(b, ": %s resident of %s.\n",
		    fmt_bytes((double)p->rss, FMT_ZERO).s,
		    fmt_bytes((double)p->size, FMT_ZERO).s);
	}
}

/* ---- what is looked at ----------------------------------------------------- */

static void
put_moment(const struct app *a, struct buf *b)
{
	if (a->at || a->mark[1].id)
		buf_printf(b, " at %s", app_clock(a, app_shown_ns(a)).s);
	else if (!app_is_file(a) && !app_ended(a))
		buf_printf(b, " now, %s", app_clock(a, app_shown_ns(a)).s);
	else
		buf_printf(
		    b, " at %s, the end", app_clock(a, app_shown_ns(a)).s);
	if (a->mark[0].id)
		buf_printf(b, ", changes since A at %s",
		    app_clock(a, a->mark[0].ns).s);
}

void
plain_head(const struct app *a, struct buf *b)
{
	const struct view *v = view_at(a->view);
	char filter[APP_TEXT];

	buf_printf(b, "%s: ", v ? v->label : "");
	if (!a->report) {
		buf_puts(b, "nothing is known yet.\n");
		return;
	}
	if (a->view == CONTEXT_SNAPSHOTS)
		buf_printf(b, "%zu of them, looking", a->point_count);
	else if (a->view == CONTEXT_MEMORY)
		buf_puts(b, "what is resident,");
	else
		buf_printf(b, "%s by %s,", metric_label(a->query.metric),
		    grouping_label(a->report->query.grouping));
	put_moment(a, b);
	buf_printf(b, ". %s live in all",
	    fmt_bytes((double)a->report->totals.live_bytes, FMT_ZERO).s);
	app_filter_text(a, filter, sizeof filter);
	if (*filter) {
		buf_printf(b, "; only what matches %s: ", filter);
		put_value(a, a->report->local.value, b);
	}
	buf_puts(b, ".\n");
	if (a->report->notes && *a->report->notes)
		buf_printf(b, "Note: %s\n", a->report->notes);
	if (a->view == CONTEXT_TREE || a->view == CONTEXT_FLAME)
		put_tree(a, b);
	if (a->view == CONTEXT_MEMORY)
		put_memory(a, b);
	if (grows(a) && a->growth.small + a->growth.same > 0)
		buf_printf(b,
		    "%zu rows changed by less than their noise, %zu not at "
		    "all.\n",
		    a->growth.small, a->growth.same);
}

/* ---- one row ----------------------------------------------------------------- */

void
plain_row(const struct app *a, size_t i, struct buf *b)
{
	const struct report_row *row;
	struct fmt error;

	if (a->view == CONTEXT_SNAPSHOTS) {
		put_point(a, i, b);
		return;
	}
	row = plain_row_at(a, i);
	put_row(a, i, b);
	error = fmt_error(figures_error(&row->f), row->f.value, FMT_ASCII);
	if (strcmp(error.s, "exact") == 0)
		buf_puts(b, "The figure is exact.\n");
	else {
		buf_puts(b, "It rests on ");
		put_count((double)row->f.samples, "sample", b);
		buf_printf(b, " and is right, %s.\n", error.s);
	}
	if (row->first_ns)
		buf_printf(
		    b, "First seen at %s.\n", app_clock(a, row->first_ns).s);
	for (uint32_t k = 0; k < row->count; k++) {
		struct place p = report_place(a->report, row->places[k]);

		buf_printf(b, "Frame %u: ", k);
		put_name(p.function, NAME_WHOLE, b);
		if (p.file && *p.file)
			buf_printf(b, ", %s line %u", p.file, p.line);
		if (p.module && *p.module)
			buf_printf(b, ", in %s", p.module);
		buf_puts(b, ".\n");
	}
}

void
plain_status(const struct app *a, struct buf *b)
{
	const struct app_status *s = &a->status;
	const char *name = *a->target.name ? a->target.name : "the program";

	buf_puts(b, name);
	if (a->target.pid)
		buf_printf(b, ", process %u", a->target.pid);
	switch (s->connection) {
	case APP_WAITING:
		buf_printf(b, ": %s\n",
		    *s->sentence ? s->sentence
				 : "waiting for the first sample.");
		return;
	case APP_LIVE: buf_puts(b, ": live"); break;
	case APP_LATE:
		buf_printf(b, ": no answer for %s", fmt_duration(s->ns).s);
		break;
	case APP_ENDED:
	case APP_KILLED:
		buf_printf(b, ": %s, at %s",
		    *s->sentence ? s->sentence : s->what,
		    app_clock(a, s->ns).s);
		break;
	case APP_FILE: buf_printf(b, ": from %s", s->what); break;
	}
	if (a->paused)
		buf_puts(b, ", held");
	else if (a->query.at && !app_is_file(a))
		buf_printf(
		    b, ", looking at %s", app_clock(a, app_shown_ns(a)).s);
	if (a->report) {
		const struct profile_totals *t = &a->report->totals;

		buf_printf(
		    b, ". %s live", fmt_bytes((double)t->live_bytes, 0).s);
		if (t->rss_bytes)
			buf_printf(b, ", %s resident",
			    fmt_bytes((double)t->rss_bytes, 0).s);
		buf_printf(b, ", sampled %s, %llu lost",
		    fmt_sampling(t->lg_sample).s,
		    (unsigned long long)app_lost(a));
	}
	buf_puts(b, ".\n");
	if (*s->last_line)
		buf_printf(b, "Its last line was: %s\n", s->last_line);
}
