/* What grew over a series of snapshots: those that never fell first, then
 * those that fell at times, then what is within the noise, then what shrank.
 * The formulas are in model/trend.h. */
#include "export/growth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/suspect.h"
#include "model/trend.h"

#define ERROR_COLUMNS 8
#define RATE_COLUMNS  14
#define GREW_COLUMNS  10
#define KEPT_COLUMNS  7
#define SITE_COLUMNS  20
#define SUSPECTS_MAX  5
#define KEPT_FROM     100 /* width from which on there is room for it */

struct growth {
	const struct report *r;
	const struct export_options *o;
	const struct trends *t;
	bool kept;
	struct buf *b;
};

static const char *
spark(int level, bool ascii)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇",
		"█" };
	static const char *const signs[] = { "_", ".", "-", "=", "+", "*", "#",
		"@" };

	return ascii ? signs[level] : blocks[level];
}

void
growth_put_spark(
    struct buf *b, const struct trends *t, const struct trend *row, bool ascii)
{
	double low = row->points[0], high = low, range;

	for (size_t i = 1; i < t->points; i++) {
		low = fmin(low, row->points[i]);
		high = fmax(high, row->points[i]);
	}
	/* ups and downs below the noise are none */
	range = high - low > row->error ? high - low : 0;
	for (size_t i = 0; i < t->points; i++) {
		double part =
		    range > 0 ? (row->points[i] - low) / range : 3.0 / 7;

		buf_puts(b, spark((int)(part * 7 + 0.5), ascii));
	}
}

struct fmt
growth_rate(const struct report *r, const struct trends *t,
    const struct trend *row, bool ascii)
{
	unsigned flags = FMT_ZERO | (ascii ? FMT_ASCII : 0);
	bool uneven = fabs(row->rate) <= row->rate_error;
	struct fmt rate, f;

	if (!t->timed || row->kind == TREND_NOISE)
		return (struct fmt){ "" };
	rate = suspect_rate(t, r, row->rate, flags);
	snprintf(f.s, sizeof f.s, "%s%.40s", uneven ? "~" : "", rate.s);
	return f;
}

/* What of the newly allocated is still there: that much at least grew. */
static struct fmt
kept(const struct trend *row)
{
	struct fmt f = { "" };

	if (row->kind > TREND_WAVERS || row->kept < 0)
		return f;
	snprintf(f.s, sizeof f.s, "%.30s%%", fmt_fixed(row->kept * 100, 0).s);
	return f;
}

/* Whether accumulated figures say anything, and there is room for it. */
static bool
any_kept(const struct trends *t, int width)
{
	if (width < KEPT_FROM)
		return false;
	for (size_t i = 0; i < t->count; i++) {
		if (t->list[i].allocated > 0)
			return true;
	}
	return false;
}

static int
put_figures(const struct growth *g, const struct trend *t)
{
	int cols = stats_columns(g->r, g->o), used = 3 * cols + 4;
	struct fmt grew = { "" };

	stats_put_right(g->b, stats_amount(g->r, g->o, t->first).s, cols);
	stats_put_right(g->b, stats_amount(g->r, g->o, t->last).s, cols + 1);
	stats_put_right(
	    g->b, stats_change(g->r, g->o, trend_change(t)).s, cols + 3);
	stats_put_right(g->b, stats_error(g->o, t->error, trend_change(t)).s,
	    ERROR_COLUMNS);
	used += ERROR_COLUMNS;
	if (g->t->timed) {
		stats_put_right(g->b, growth_rate(g->r, g->t, t, g->o->ascii).s,
		    RATE_COLUMNS);
		used += RATE_COLUMNS;
	}
	snprintf(grew.s, sizeof grew.s, "%u of %zu", t->grew, g->t->steps);
	stats_put_right(g->b, grew.s, GREW_COLUMNS);
	used += GREW_COLUMNS;
	if (g->kept) {
		stats_put_right(g->b, kept(t).s, KEPT_COLUMNS);
		used += KEPT_COLUMNS;
	}
	buf_puts(g->b, "  ");
	growth_put_spark(g->b, g->t, t, g->o->ascii);
	buf_puts(g->b, "  ");
	return used + 4 + (int)g->t->points;
}

static void
put_titles(const struct growth *g)
{
	int cols = stats_columns(g->r, g->o);
	int points = (int)g->t->points;

	stats_put_right(g->b, "FIRST", cols);
	stats_put_right(g->b, "LAST", cols + 1);
	stats_put_right(g->b, "CHANGE", cols + 3);
	stats_put_right(g->b, g->o->ascii ? "+/-" : "±", ERROR_COLUMNS);
	if (g->t->timed)
		stats_put_right(g->b, "RATE", RATE_COLUMNS);
	stats_put_right(g->b, "GREW IN", GREW_COLUMNS);
	if (g->kept)
		stats_put_right(g->b, "KEPT", KEPT_COLUMNS);
	buf_puts(g->b, points < 5 ? "  " : "  TREND");
	buf_pad(g->b, ' ', (size_t)(points < 5 ? points : points - 5) + 2);
	if (g->r->query.grouping == GROUP_THREADS)
		buf_puts(g->b, "THREAD\n");
	else
		buf_puts(g->b,
		    g->o->ascii ? "SITE < CALLERS\n" : "SITE ← CALLERS\n");
}

const char *
growth_words(const struct trend *t)
{
	static const char *const words[] = {
		[TREND_GREW] = "grew and never fell",
		[TREND_WAVERS] = "grew, but fell at times",
		[TREND_NOISE] = "changed by no more than the error",
		[TREND_SHRANK] = "shrank",
	};

	if (t->levelled)
		return "grew and never fell, but has levelled off";
	return words[t->kind];
}

static void
put_row(const struct growth *g, uint32_t row)
{
	const struct trend *t = &g->t->list[row];
	int cols = g->o->width - put_figures(g, t);

	stats_put_site(g->b, g->r, &g->r->rows[row],
	    cols < SITE_COLUMNS ? SITE_COLUMNS : cols, g->o->ascii);
	if (t->levelled)
		buf_puts(g->b, "  (levelled off)");
	buf_putc(g->b, '\n');
}

/* A heading for each kind, then its rows. */
static void
put_rows(const struct growth *g, const uint32_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct trend *t = &g->t->list[order[i]];
		struct trend plain = { .kind = t->kind };

		if (i == 0 || g->t->list[order[i - 1]].kind != t->kind)
			buf_printf(g->b, "%s:\n", growth_words(&plain));
		put_row(g, order[i]);
	}
}

static void
put_rest(const struct growth *g, const uint32_t *order, size_t from, size_t n)
{
	double change = trend_change(&g->t->all);

	if (from >= n && g->r->remainder_count == 0)
		return;
	for (size_t i = 0; i < from; i++)
		change -= trend_change(&g->t->list[order[i]]);
	n = n - from + g->r->remainder_count;
	buf_printf(g->b, "%s %zu more %s, together %s\n",
	    g->o->ascii ? ".." : "…", n, grouping_noun(g->r->query.grouping, n),
	    stats_change(g->r, g->o, change).s);
}

/* Who may leak, as the screen has it. */
static void
put_suspects(const struct growth *g, struct trends *t)
{
	size_t n;
	uint32_t *rows = suspects_find(t, g->r, &n);

	if (n > 0)
		buf_puts(g->b, "suspects:\n");
	for (size_t i = 0; i < n && i < SUSPECTS_MAX; i++) {
		const struct trend *row = trends_at(t, rows[i]);

		buf_printf(g->b, "  %zu. ", i + 1);
		stats_put_site(g->b, g->r, &g->r->rows[rows[i]],
		    g->o->width - 6, g->o->ascii);
		buf_puts(g->b, "\n     ");
		suspect_why(
		    t, g->r, row, "since then", false, g->o->ascii, g->b);
		buf_putc(g->b, '\n');
	}
	if (n > SUSPECTS_MAX)
		buf_printf(g->b, "  %s %zu more that grow more slowly\n",
		    g->o->ascii ? ".." : "…", n - SUSPECTS_MAX);
	free(rows);
}

static void
put_head(const struct growth *g)
{
	const struct trend *all = &g->t->all;

	buf_printf(g->b, "growth of %s by %s, %zu snapshots",
	    metric_label(g->r->query.metric),
	    grouping_label(g->r->query.grouping), g->t->snapshots);
	if (g->t->steps + 1 < g->t->snapshots)
		buf_printf(g->b, " (%zu of them looked at)", g->t->steps + 1);
	if (g->t->timed)
		buf_printf(g->b, " over %s",
		    fmt_duration(g->t->to_ns - g->t->from_ns).s);
	buf_printf(g->b, ": %s, ", stats_amount(g->r, g->o, all->last).s);
	stats_put_delta(g->b, g->r, g->o, all->first, all->last);
	if (all->error > 0)
		buf_printf(g->b, " %s%s",
		    g->o->show_bytes ? (g->o->ascii ? "+/-" : "±") : "",
		    stats_error(g->o, all->error, trend_change(all)).s);
	buf_printf(g->b, "; it %s\n", growth_words(all));
	if (!g->t->timed)
		buf_puts(
		    g->b, "when the dumps were made is not known: no rates\n");
	stats_put_notes(g->b, g->r);
}

void
export_growth(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct trends *t = trends_new(r, !o->untimed);
	struct growth g = { r, o, t, any_kept(t, o->width), b };
	size_t n, shown;
	uint32_t *order;

	if (t->snapshots < 2 || r->profile_count > 1) {
		buf_puts(b,
		    "growth needs two or more dumps of one process, or a "
		    "recording\n");
		stats_put_notes(b, r);
		trends_free(t);
		return;
	}
	order = trends_order(t, r, &n);
	shown = o->top && o->top < n ? o->top : n;
	put_head(&g);
	put_suspects(&g, t);
	if (n)
		put_titles(&g);
	put_rows(&g, order, shown);
	put_rest(&g, order, shown, n);
	buf_printf(b,
	    "a step counts as growth if it is larger than its 95%% error%s%s\n",
	    t->timed ? "; ~ is an uneven rate" : "",
	    g.kept ? "; KEPT: what grew of what was allocated" : "");
	free(order);
	trends_free(t);
}
