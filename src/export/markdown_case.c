#include "export/markdown_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/markdown_text.h"
#include "export/markdown_tree.h"
#include "export/stats_words.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"

#define SUSPECTS_MAX   5
#define OTHERS_MAX     3
#define MUCH_SHARE     0.05 /* of what grew, or is there */
#define CALLERS_MAX    3
#define NAME_COLUMNS   100
#define SURVIVES_SHARE 0.9 /* from here on nearly all is kept */

static bool
is_compared(const struct query *q)
{
	return q->difference || q->base_profile || q->base;
}

void
markdown_case_init(struct markdown_case *c, const struct report *r,
    const struct export_options *o)
{
	struct query q = r->query;

	memset(c, 0, sizeof *c);
	c->asked = r;
	c->o = o;
	c->compared = is_compared(&q);
	q.cut = CUT_WRAPPERS;
	q.max_rows = 0;
	q.min_fraction = 0;
	q.tree = true;
	q.difference = c->compared;
	c->tree = report_build(r->profiles, r->profile_count, &q);
	q.tree = false;
	q.difference = false;
	q.freed = true;
	q.order = c->compared ? ORDER_CHANGE : ORDER_FLAT;
	q.reverse = false;
	c->rows = report_build(r->profiles, r->profile_count, &q);
	if (!q.base_profile && r->profile_count == 1)
		c->trends = trends_new(c->rows, !o->untimed);
	if (c->trends && c->trends->snapshots < 2) {
		trends_free(c->trends);
		c->trends = NULL;
	}
	for (size_t i = 0; i < c->rows->row_count; i++)
		c->grown += fmax(0, figures_change(&c->rows->rows[i].f));
}

void
markdown_case_fini(struct markdown_case *c)
{
	trends_free(c->trends);
	report_free(c->rows);
	report_free(c->tree);
}

double
markdown_value(const struct markdown_case *c, const struct report_row *row)
{
	return c->compared ? figures_change(&row->f) : row->f.value;
}

const struct trend *
markdown_trend(const struct markdown_case *c, const struct report_row *row)
{
	return c->trends ? trends_at(c->trends, (uint32_t)(row - c->rows->rows))
			 : NULL;
}

/* What came and what went may be more than the difference of variances says;
 * a trend knows better. */
double
markdown_error(const struct markdown_case *c, const struct report_row *row)
{
	const struct trend *t = markdown_trend(c, row);
	double half;

	if (!c->compared)
		return figures_error(&row->f);
	half = figures_change_error(&row->f);
	return t && t->error > half ? t->error : half;
}

/* ---- suspects ------------------------------------------------------------ */

static bool
is_much(const struct markdown_case *c, const struct report_row *row)
{
	double v = markdown_value(c, row);
	double whole = c->compared ? c->grown : c->rows->local.value;

	return v > 0 && v > markdown_error(c, row) && v >= MUCH_SHARE * whole;
}

/* `name` file:line */
static void
put_place(const struct markdown_case *c, uint32_t place, struct buf *b)
{
	struct place p = report_place(c->rows, place);
	struct buf text = BUF_INIT;

	markdown_name(&text, c->rows, &p, NAME_COLUMNS, c->o);
	markdown_code(b, buf_str(&text));
	if (*p.file) {
		buf_clear(&text);
		buf_printf(&text, p.line ? "%s:%u" : "%s", p.file, p.line);
		buf_puts(b, " at ");
		markdown_code(b, buf_str(&text));
	}
	buf_fini(&text);
}

static void
put_who(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	enum grouping by = c->rows->query.grouping;

	if (by == GROUP_THREADS || by == GROUP_FILES || by == GROUP_MODULES) {
		buf_printf(b, "%s ", grouping_label(by));
		markdown_code(b, row->name);
		return;
	}
	put_place(c, row->places[0], b);
}

/* Below these is only what starts every program and every thread. */
static bool
is_start(const char *function)
{
	static const char *const names[] = { "_start", "__libc_start_main",
		"__libc_start_call_main", "start_thread", "clone", "clone3",
		"__clone3" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(function, names[i]) == 0)
			return true;
	}
	return false;
}

static void
put_callers(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	uint32_t n = 1;

	while (n < row->count &&
	    !is_start(report_place(c->rows, row->places[n]).function))
		n++;
	for (uint32_t i = 1; i < n && i <= CALLERS_MAX; i++) {
		buf_puts(b, i == 1 ? "   - Called by " : ", by ");
		put_place(c, row->places[i], b);
	}
	if (n > 1)
		buf_printf(
		    b, "%s.\n", n > CALLERS_MAX + 1 ? ", and so on" : "");
}

static void
put_series(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	const struct trend *t = markdown_trend(c, row);

	if (!t || !c->compared)
		return;
	buf_puts(b, "   - In the series it ");
	suspect_why(c->trends, c->rows, t, "since then", false, c->o->ascii, b);
	buf_puts(b, ".\n");
}

static void
put_check(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	const struct trend *t = markdown_trend(c, row);

	buf_puts(b, "   - To check: ");
	if (c->compared && t && t->kind == TREND_WAVERS)
		buf_puts(b,
		    "it fell at times; is it a queue or a cache, and what "
		    "limits it?");
	else if (c->compared && t && t->kept >= SURVIVES_SHARE)
		buf_puts(b,
		    "nearly all that was allocated there is still there; who "
		    "is to free it, and is that on every way out, errors too?");
	else if (c->compared)
		buf_puts(b,
		    "who frees what is allocated there, and does what holds "
		    "it (a list, a map, a cache) ever let go of anything?");
	else
		buf_puts(b,
		    "is so much needed there at once? One moment cannot tell "
		    "a leak from use; two dumps can.");
	buf_putc(b, '\n');
}

static void
put_suspect(const struct markdown_case *c, const struct report_row *row,
    size_t n, struct buf *b)
{
	double v = markdown_value(c, row), half = markdown_error(c, row);
	double whole = c->compared ? c->grown : c->rows->local.value;

	buf_printf(
	    b, "%zu. **%s** ", n, c->compared ? "Suspected:" : "Holds much:");
	put_who(c, row, b);
	buf_printf(b, ": %s",
	    c->compared ? stats_change(c->rows, c->o, v).s
			: stats_amount(c->rows, c->o, v).s);
	if (half > 0)
		buf_printf(b, " %s%s", c->o->show_bytes ? "± " : "",
		    stats_error(c->o, half, v).s);
	buf_printf(b, ", %s%% of %s.\n", fmt_percent(v, whole, 0).s,
	    c->compared ? "all that grew" : "what is there");
	put_series(c, row, b);
	put_callers(c, row, b);
	put_check(c, row, b);
}

/* What grew much and is not suspected, and why not. */
static void
put_others(const struct markdown_case *c, struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; c->trends && i < c->rows->row_count; i++) {
		const struct report_row *row = &c->rows->rows[i];
		struct buf why = BUF_INIT;

		if (is_much(c, row))
			suspect_why_not(
			    c->trends, c->rows, markdown_trend(c, row), &why);
		if (why.len > 0 && n++ < OTHERS_MAX) {
			buf_puts(b, "\nNot suspected: ");
			put_who(c, row, b);
			buf_printf(b, ": %s, %s.\n",
			    stats_change(c->rows, c->o, markdown_value(c, row))
				.s,
			    buf_str(&why));
		}
		buf_fini(&why);
	}
}

static void
put_suspects(const struct markdown_case *c, struct buf *b)
{
	size_t n;
	uint32_t *rows = suspects_find(c->trends, c->rows, &n);

	buf_puts(b, "\n## Suspects\n\n");
	for (size_t i = 0; i < n && i < SUSPECTS_MAX; i++)
		put_suspect(c, &c->rows->rows[rows[i]], i + 1, b);
	if (n > SUSPECTS_MAX)
		buf_printf(
		    b, "\n%zu more grow more slowly.\n", n - SUSPECTS_MAX);
	buf_puts(b,
	    n == 0 ? "None: nothing grew by more than its error and went "
		     "on growing.\n"
		: c->trends ? "\nA suspect grew by more than its error and, as "
			      "far as that can be told, goes on growing; that "
			      "it leaks is not proven.\n"
			    : "\nA suspect is a place that grew by more than "
			      "its error; that it leaks is not proven.\n");
	put_others(c, b);
	free(rows);
}

void
markdown_suspects(const struct markdown_case *c, struct buf *b)
{
	size_t n = 0;

	if (c->compared) {
		put_suspects(c, b);
		return;
	}
	buf_puts(b, "\n## Where most of it is\n\n");
	for (size_t i = 0; i < c->rows->row_count && n < SUSPECTS_MAX; i++) {
		if (is_much(c, &c->rows->rows[i]))
			put_suspect(c, &c->rows->rows[i], ++n, b);
	}
	if (n == 0)
		buf_puts(b, "Nothing stands out by more than its error.\n");
}
