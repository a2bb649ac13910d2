#include "ui/snapshots_table.h"

#include <math.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/header.h"
#include "ui/rule.h"
#include "ui/timeline.h"

/* What was live at a moment, of the points. */
static double
live_at(const struct app *a, uint64_t ns)
{
	size_t i = a->point_count;

	while (i > 0 && a->points[i - 1].ns > ns)
		i--;
	return i > 0 ? a->points[i - 1].live_bytes : (double)NAN;
}

/* "360.9 MiB → 412.6 MiB   +51.7 MiB   +14.3%   +189.8 KiB/s" */
static void
say_interval(const struct app *a, bool ascii, struct buf *b)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);
	uint64_t from = app_compared_ns(a), to = app_shown_ns(a);
	double was = a->mark[0].id ? live_at(a, from) : 0, is = live_at(a, to);
	double s = ((double)to - (double)from) / 1e9;

	if (isnan(was) || isnan(is))
		return;
	buf_printf(b, "%s %s %s   %s", fmt_bytes(was, flags).s,
	    glyph(GLYPH_CALLS, ascii), fmt_bytes(is, flags).s,
	    fmt_change(is - was, flags).s);
	if (was > 0)
		buf_printf(b, "   %+.1f%%", (is - was) / was * 100);
	if (header_rate_known(a, from, to))
		buf_printf(b, "   %s", fmt_rate((is - was) / fabs(s), flags).s);
}

static struct fmt
amount(const struct app *a, double v, bool ascii)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);

	return metric_is_bytes(a->report->query.metric)
	    ? fmt_change(v, flags)
	    : fmt_count_change(v, flags);
}

/* "8 stacks grew +54.4 MiB, 1 shrank -3.2 MiB, 308 others +512.0 KiB, each within
 * noise" */
static void
say_stacks(const struct app *a, bool ascii, struct buf *b)
{
	const struct snapshots_change *c = &a->snapshots.change;
	bool moved = c->grew || c->shrank;

	if (c->grew)
		buf_printf(b, "%zu stack%s grew %s", c->grew,
		    c->grew == 1 ? "" : "s", amount(a, c->growth, ascii).s);
	if (c->shrank)
		buf_printf(b, "%s%zu %sshrank %s", c->grew ? ", " : "",
		    c->shrank,
		    c->grew              ? ""
			: c->shrank == 1 ? "stack "
					 : "stacks ",
		    amount(a, c->shrinkage, ascii).s);
	if (c->others == 0)
		return;
	buf_printf(b, "%s%zu %s%s", moved ? ", " : "", c->others,
	    moved ? "other" : "stack", c->others == 1 ? "" : "s");
	if (fabs(c->rest) < 0.5)
		buf_puts(b, " unchanged");
	else
		buf_printf(
		    b, " %s, each within noise", amount(a, c->rest, ascii).s);
}

static void
say_since_start(const struct app *a, struct buf *b)
{
	buf_printf(b, "in %zu stack%s; ", a->report->stack_count,
	    a->report->stack_count == 1 ? "" : "s");
	buf_puts(b, "a sets mark A at the selected snapshot, to compare with");
}

static void
say_title(const struct app *a, bool ascii, struct buf *title, struct buf *more)
{
	uint64_t from = app_compared_ns(a), to = app_shown_ns(a);
	const char *sign = timeline_sign(a, ascii);

	buf_printf(title, "%s%s %s %s%s%s", a->mark[0].id ? "A " : "",
	    app_clock(a, from).s, glyph(GLYPH_CALLS, ascii), sign,
	    *sign ? " " : "", app_clock(a, to).s);
	if (!a->target.untimed)
		buf_puts(
		    more, fmt_duration(to > from ? to - from : from - to).s);
}

void
snapshots_draw_pane(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.detail;
	struct buf title = BUF_INIT, more = BUF_INIT, line = BUF_INIT;

	if (r.h <= 0 || !a->report)
		return;
	say_title(a, g->ascii, &title, &more);
	rule_draw(g, a->layout.rule, buf_str(&title), buf_str(&more), "");
	say_interval(a, g->ascii, &line);
	grid_put_cut(g, r.x + 1, r.y, r.w - 2, ROLE_TEXT, buf_str(&line));
	buf_clear(&line);
	if (a->mark[0].id && a->snapshots.change.known)
		say_stacks(a, g->ascii, &line);
	else if (!a->mark[0].id)
		say_since_start(a, &line);
	if (r.h > 1)
		grid_put_cut(
		    g, r.x + 1, r.y + 1, r.w - 2, ROLE_TEXT, buf_str(&line));
	buf_fini(&title);
	buf_fini(&more);
	buf_fini(&line);
}
