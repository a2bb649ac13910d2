#include "export/stats_words.h"

#include <math.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "export/export.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"

/* Beyond this share of what was there a percentage says nothing. */
#define SHARE_MAX 1000

/* In the middle of a row a name gets no longer than this. */
#define CALLER_COLUMNS 48

/* Fewer samples than this make figures rough (1.96 / sqrt(64) is 25 %). */
#define FEW_SAMPLES 64
/* What is recommended to start with, where that is not done already. */
#define SMALL_LG 14

static unsigned
flags(const struct export_options *o)
{
	return FMT_ZERO | (o->ascii ? FMT_ASCII : 0);
}

struct fmt
stats_amount(const struct report *r, const struct export_options *o, double v)
{
	if (o->show_bytes)
		return fmt_int(v);
	if (metric_is_bytes(r->query.metric))
		return fmt_bytes(v, flags(o));
	return fmt_count(v, flags(o));
}

struct fmt
stats_change(const struct report *r, const struct export_options *o, double v)
{
	if (o->show_bytes)
		return fmt_int(v);
	if (metric_is_bytes(r->query.metric))
		return fmt_change(v, flags(o));
	return fmt_count_change(v, flags(o));
}

int
stats_columns(const struct report *r, const struct export_options *o)
{
	if (o->show_bytes)
		return 14;
	return metric_is_bytes(r->query.metric) ? FMT_W_BYTES + 1 : 7;
}

struct fmt
stats_error(const struct export_options *o, double half, double v)
{
	if (!(half > 0))
		return (struct fmt){ "" };
	return o->show_bytes ? fmt_int(half) : fmt_error(half, v, flags(o));
}

void
stats_put_delta(struct buf *b, const struct report *r,
    const struct export_options *o, double from, double to)
{
	double change = to - from;

	buf_puts(b, stats_change(r, o, change).s);
	if (from > 0 && fabs(change) / from < SHARE_MAX)
		buf_printf(b, " (%s%s%%)", change < 0 ? "-" : "+",
		    fmt_fixed(fabs(change) / from * 100, 1).s);
}

void
stats_put_right(struct buf *b, const char *s, int width)
{
	int used = utf8_width(s);

	if (used < width)
		buf_pad(b, ' ', (size_t)(width - used));
	buf_puts(b, s);
}

/* What a row is called, where that is not its function. */
static bool
has_own_name(const struct report *r)
{
	return r->query.grouping == GROUP_THREADS ||
	    r->query.grouping == GROUP_FILES ||
	    r->query.grouping == GROUP_MODULES;
}

void
stats_put_site(struct buf *b, const struct report *r,
    const struct report_row *row, int cols, bool ascii)
{
	struct buf line = BUF_INIT;
	bool named = has_own_name(r);
	int most = cols < CALLER_COLUMNS ? cols : CALLER_COLUMNS;

	if (named)
		buf_puts(&line, row->name);
	for (uint32_t i = named; i < row->count; i++) {
		struct place p = report_place(r, row->places[i]);

		if (r->query.grouping == GROUP_THREADS ||
		    utf8_width(buf_str(&line)) > cols)
			break;
		if (i > 0)
			buf_puts(&line, ascii ? " < " : " ← ");
		name_fit(&line, p.function, most, ascii);
		if (i == 0 && r->query.grouping == GROUP_LINES && p.line)
			buf_printf(&line, " %s:%u", p.file, p.line);
	}
	utf8_cut_right(b, buf_str(&line), cols, ascii ? "~" : "…");
	buf_fini(&line);
}

/* The largest distance, of those that one would type, at which what is there
 * would have had enough samples; 0: none. */
static unsigned
better_distance(const struct report *r)
{
	double bytes = r->total.bytes / FEW_SAMPLES;

	for (unsigned lg = 18; lg >= 10; lg -= 2) {
		if (bytes >= (double)(1u << lg) && lg < r->totals.lg_sample)
			return lg;
	}
	return 0;
}

void
stats_put_hint(struct buf *b, const struct report *r)
{
	const struct figures *f = &r->total;
	unsigned lg;

	if (!r->have_totals || r->totals.lg_sample == 0 ||
	    r->query.difference || f->samples >= FEW_SAMPLES)
		return;
	if (f->samples == 0) {
		buf_printf(b,
		    "nothing %s was sampled at %s; a small program "
		    "needs more: %s",
		    metric_is_live(r->query.metric) ? "live" : "allocated",
		    fmt_sampling(r->totals.lg_sample).s,
		    r->totals.lg_sample > SMALL_LG
			? "lg_prof_sample:16 or 14, or -s 4K"
			: "lg_prof_sample:0, or --exact");
		return;
	}
	lg = better_distance(r);
	buf_printf(b, "only %s %s: figures are rough; ",
	    fmt_count((double)f->samples, 0).s,
	    f->samples == 1 ? "sample" : "samples");
	if (lg)
		buf_printf(b,
		    "lg_prof_sample:%u (-s %uK) would give %u or more", lg,
		    (1u << lg) / 1024, FEW_SAMPLES);
	else
		buf_puts(b, "lg_prof_sample:0 (--exact) counts everything");
}

void
stats_put_notes(struct buf *b, const struct report *r)
{
	size_t before;

	if (*r->notes)
		buf_printf(b, "%s\n", r->notes);
	before = b->len;
	stats_put_hint(b, r);
	if (b->len > before)
		buf_putc(b, '\n');
}

/* The estimate of the moment that the report looks at. */
static double
estimated_live(const struct report *r)
{
	double sum = 0;

	for (size_t k = 0; k < r->profile_count; k++) {
		struct moments m = moments_of(r->profiles[k], &r->query);
		size_t n = history_count(m.history);
		size_t i = m.at ? history_index(m.history, m.at) : n - 1;

		if (n > 0 && i < n)
			sum += history_at(m.history, i)->live_bytes;
	}
	return sum;
}

struct stats_live
stats_live(const struct report *r)
{
	struct stats_live l = { .exact = r->totals.exact_ns != 0 };

	if (l.exact) {
		l.bytes = (double)r->totals.live_bytes;
		return l;
	}
	l.bytes = estimated_live(r);
	if (r->query.metric == METRIC_LIVE_BYTES && !r->query.difference &&
	    r->query.thread < 0)
		l.half = figures_error(&r->whole);
	return l;
}
