/* One block of batch mode: who, totals, the top rows, the remainder. */
#include <math.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/table.h"
#include "model/profile.h"
#include "model/report.h"

/* A line of facts, broken between two of them when it is full. */
struct facts {
	struct buf *b;
	int width, used;
};

static void
put_fact(struct facts *f, const char *s)
{
	int cols = utf8_width(s);

	if (f->used && f->used + 3 + cols > f->width) {
		buf_putc(f->b, '\n');
		f->used = 0;
	}
	if (f->used) {
		buf_puts(f->b, "   ");
		f->used += 3;
	}
	buf_puts(f->b, s);
	f->used += cols;
}

static void
put_who(const struct report *r, const struct export_options *o, struct buf *b)
{
	const struct profile_facts *f = profile_facts(r->profiles[0]);
	struct buf line = BUF_INIT;

	buf_printf(
	    &line, "pid %u  %s", f->pid, *f->command ? f->command : f->image);
	utf8_cut_right(b, buf_str(&line), o->width, o->ascii ? "~" : "…");
	buf_putc(b, '\n');
	buf_fini(&line);
}

/* Live bytes of the whole process now and before; exact where counted. */
struct live {
	double now, before;
	bool exact;
	double half; /* 95 % half width, where it is an estimate */
};

static double
sum_live(const struct report *r, bool before)
{
	double sum = 0;

	for (size_t k = 0; k < r->profile_count; k++) {
		struct moments m = moments_of(r->profiles[k], &r->query);
		size_t n = history_count(m.history);
		snap_id id = before ? m.base : m.at;
		size_t i = id ? history_index(m.history, id) : n - 1;

		if (n > 0 && i < n && (id || !before))
			sum += history_at(m.history, i)->live_bytes;
	}
	return sum;
}

/* Its live objects, and the variance of its live bytes; NULL if the report is
 * of something else. */
static const struct figures *
process_figures(const struct report *r)
{
	const struct query *q = &r->query;

	return q->metric == METRIC_LIVE_BYTES && q->thread < 0 ? &r->whole
							       : NULL;
}

static struct live
live_of(const struct report *r)
{
	struct live l;

	l.exact = r->totals.exact_ns && (!r->have_before || r->before.exact_ns);
	l.half = 0;
	if (l.exact) {
		l.now = (double)r->totals.live_bytes;
		l.before = (double)r->before.live_bytes;
		return l;
	}
	l.now = sum_live(r, false);
	l.before = sum_live(r, true);
	if (process_figures(r))
		l.half = figures_error(process_figures(r));
	return l;
}

static void
put_live(struct facts *f, const struct report *r, unsigned flags)
{
	struct live l = live_of(r);
	struct buf s = BUF_INIT;
	double change = l.now - l.before;

	buf_printf(&s, "live %s", fmt_bytes(l.now, flags | FMT_ZERO).s);
	if (l.half > 0)
		buf_printf(&s, " %s", fmt_error(l.half, l.now, flags).s);
	put_fact(f, buf_str(&s));
	buf_clear(&s);
	if (r->have_before) {
		buf_puts(&s, fmt_change(change, flags | FMT_ZERO).s);
		if (l.before > 0)
			buf_printf(&s, " (%s%s%%)", change < 0 ? "-" : "+",
			    fmt_fixed(fabs(change) / l.before * 100, 1).s);
		put_fact(f, buf_str(&s));
	}
	buf_fini(&s);
}

static void
put_bytes(struct facts *f, const char *what, double v, unsigned flags)
{
	struct buf s = BUF_INIT;

	buf_printf(&s, "%s %s", what, fmt_bytes(v, flags).s);
	put_fact(f, buf_str(&s));
	buf_fini(&s);
}

static void
put_count(struct facts *f, double n, const char *what, unsigned flags)
{
	struct buf s = BUF_INIT;

	buf_printf(&s, "%s %s", fmt_count(n, flags | FMT_ZERO).s, what);
	put_fact(f, buf_str(&s));
	buf_fini(&s);
}

/* What /proc said; rss is never 0 where it is known. */
static void
put_process(struct facts *f, const struct report *r, unsigned flags)
{
	const struct profile_totals *t = &r->totals;

	if (t->rss_bytes == 0)
		return;
	put_bytes(f, "rss", (double)t->rss_bytes, flags);
	put_bytes(f, "virtual", (double)t->virtual_bytes, flags);
	put_bytes(f, "swap", (double)t->swap_bytes, flags | FMT_ZERO);
	put_count(f, (double)t->major_faults, "major faults", flags);
}

static void
put_objects(struct facts *f, const struct report *r, unsigned flags)
{
	if (r->totals.exact_ns)
		put_count(f, (double)r->totals.live_objects, "objects", flags);
	else if (process_figures(r))
		put_count(f, process_figures(r)->objects, "objects", flags);
}

static double
losses(const struct profile_totals *t)
{
	return (double)t->lost[LOSS_TABLE_FULL] +
	    (double)t->lost[LOSS_STARTING] + (double)t->lost[LOSS_NESTED] +
	    (double)t->lost[LOSS_NOMEM];
}

static void
put_totals(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct facts f = { .b = b, .width = o->width };
	unsigned flags = o->ascii ? FMT_ASCII : 0;
	uint64_t start = profile_facts(r->profiles[0])->image_ns;
	struct buf s = BUF_INIT;

	if (start && r->now_ns >= start) {
		buf_printf(&s, "at %s", fmt_clock(r->now_ns - start).s);
		put_fact(&f, buf_str(&s));
	}
	put_live(&f, r, flags);
	put_process(&f, r, flags);
	put_objects(&f, r, flags);
	buf_clear(&s);
	buf_printf(&s, "%s%s", r->totals.lg_sample ? "sampled " : "",
	    fmt_sampling(r->totals.lg_sample).s);
	put_fact(&f, buf_str(&s));
	put_count(&f, losses(&r->totals), "lost", flags);
	buf_putc(b, '\n');
	buf_fini(&s);
}

void
export_snapshot(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	put_who(r, o, b);
	put_totals(r, o, b);
	table_put(r, o, b);
}
