/* The process and the profile as a whole: a figure a line, and what it is. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/ages.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"

#define LABEL_COLUMNS 20
#define VALUE_COLUMNS 14

struct stats {
	const struct report *r;
	const struct export_options *o;
	unsigned flags;
	struct buf *b;
};

static void put(const struct stats *s, const char *label, const char *value,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void
put(const struct stats *s, const char *label, const char *value,
    const char *fmt, ...)
{
	char text[256];
	va_list ap;

	buf_printf(s->b, "%-*s", LABEL_COLUMNS, label);
	stats_put_right(s->b, value, VALUE_COLUMNS);
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (*text)
		buf_printf(s->b, "  %s", text);
	buf_putc(s->b, '\n');
}

static struct fmt
bytes(const struct stats *s, double v)
{
	return s->o->show_bytes ? fmt_int(v) : fmt_bytes(v, s->flags);
}

static struct fmt
count(const struct stats *s, double n)
{
	return s->o->show_bytes ? fmt_int(n) : fmt_count(n, s->flags);
}

/* 0 stands for what the source did not tell. */
static void
put_bytes(
    const struct stats *s, const char *label, uint64_t v, const char *what)
{
	if (v)
		put(s, label, bytes(s, (double)v).s, "%s", what);
	else
		put(s, label, "not known", "%s", what);
}

static void
put_who(const struct stats *s)
{
	const struct profile_facts *f = profile_facts(s->r->profiles[0]);

	if (s->r->profile_count > 1) {
		buf_printf(
		    s->b, "%zu processes, added up\n", s->r->profile_count);
		return;
	}
	if (f->pid)
		buf_printf(s->b, "pid %u  ", f->pid);
	buf_printf(s->b, "%s\n", *f->command ? f->command : f->image);
}

static void
put_heap(const struct stats *s)
{
	const struct profile_totals *t = &s->r->totals;
	struct stats_live live = stats_live(s->r);

	if (live.exact) {
		put(s, "live", bytes(s, live.bytes).s, "counted exactly");
		put(s, "live objects", count(s, (double)t->live_objects).s,
		    "counted exactly");
		put(s, "allocated", bytes(s, (double)t->alloc_bytes).s,
		    "counted exactly, since the start");
		return;
	}
	if (live.half > 0)
		put(s, "live", bytes(s, live.bytes).s, "an estimate, %s",
		    fmt_error(live.half, live.bytes, s->flags).s);
	else
		put(s, "live", bytes(s, live.bytes).s, "%s",
		    t->lg_sample ? "an estimate" : "from every allocation");
}

/* How deep the stacks are, over all profiles. */
static unsigned
deepest(const struct report *r)
{
	unsigned most = 0;

	for (size_t k = 0; k < r->profile_count; k++) {
		const struct stacks *st = profile_stacks(r->profiles[k]);

		for (stack_id id = 1; id <= stacks_count(st); id++) {
			unsigned n = stacks_at(st, id)->count;

			most = n > most ? n : most;
		}
	}
	return most;
}

static double
all_stacks(const struct report *r)
{
	double sum = 0;

	for (size_t k = 0; k < r->profile_count; k++)
		sum += stacks_count(profile_stacks(r->profiles[k]));
	return sum;
}

static void
put_sampling(const struct stats *s)
{
	const struct profile_totals *t = &s->r->totals;
	bool mixed = s->r->several_rates && !t->rate_changes;

	put(s, "sampling", fmt_sampling(t->lg_sample).s, "%s%s",
	    t->lg_sample ? "mean distance of samples, in allocated bytes"
			 : "every allocation is recorded",
	    mixed ? "; of others it is smaller" : "");
	if (t->rate_changes)
		put(s, "changes of rate", count(s, (double)t->rate_changes).s,
		    "each sample has the weight of its own rate");
	put(s, "sampling off",
	    t->inactive_ns ? fmt_duration(t->inactive_ns).s : "never", "%s",
	    t->inactive_ns ? "what was allocated then is not in the profile"
			   : "as far as the profile says");
	if (t->samples || !t->samples_live)
		put(s, "samples", count(s, (double)t->samples).s,
		    "taken since the start");
	else
		put(s, "samples", "not known", "%s", "");
	put(s, "live samples", count(s, (double)t->samples_live).s,
	    "of them, whose object is not freed");
	put(s, "stacks", count(s, all_stacks(s->r)).s,
	    "different ones; %zu in this report", s->r->stack_count);
	put(s, "depth", count(s, deepest(s->r)).s,
	    "frames in the deepest stack");
}

static void
put_lives(const struct stats *s, const struct ages_lives *l)
{
	struct fmt freed = count(s, (double)l->freed);
	struct fmt from = fmt_duration(ages_life_from(l->median));
	struct fmt to = fmt_duration(ages_life_to(l->median));

	if (l->median == 0)
		put(s, "median life", to.s, "or less, of %s freed samples",
		    freed.s);
	else if (l->median == PROFILE_LIVES - 1)
		put(s, "median life", from.s, "or more, of %s freed samples",
		    freed.s);
	else
		put(s, "median life", from.s, "to %s, of %s freed samples",
		    to.s, freed.s);
}

/* Where they are known. */
static void
put_ages(const struct stats *s)
{
	struct age_view *v = ages_new(s->r);
	struct ages a = ages_at(v, AGES_ALL, 0);
	struct ages_lives l = ages_lives(v, AGES_ALL, 0);

	if (a.known) {
		put(s, "median age", fmt_duration(a.median_ns).s,
		    "half of the live objects are at least as old%s",
		    a.part ? "; of some it is not known" : "");
		put(s, "oldest live", fmt_duration(a.oldest_ns).s, "%s",
		    a.exact ? "" : "of the samples");
		put(s, "youngest live", fmt_duration(a.youngest_ns).s, "%s",
		    a.exact ? "" : "of the samples");
	}
	if (l.known)
		put_lives(s, &l);
	ages_free(v);
}

static void
put_losses(const struct stats *s)
{
	static const struct {
		enum profile_loss loss;
		const char *label, *what;
	} losses[] = {
		{ LOSS_TABLE_FULL, "lost: table full", "samples" },
		{ LOSS_STARTING, "lost: starting", "samples before the start" },
		{ LOSS_NESTED, "lost: nested", "samples in signal handlers" },
		{ LOSS_NOMEM, "lost: no memory", "samples" },
		{ LOSS_CUT_DEPTH, "cut: depth",
		    "stacks; prof_max_depth sets the limit" },
		{ LOSS_CUT_UNWIND, "cut: unwinding",
		    "stacks with a frame that could not be read" },
		{ LOSS_GUESSED, "guessed",
		    "stacks with a frame without unwind tables" },
		{ LOSS_SHARED_SLOT, "threads without slot",
		    "samples that count for «other threads»" },
	};
	const uint64_t *lost = s->r->totals.lost;

	put(s, "lost samples",
	    count(s,
		(double)lost[LOSS_TABLE_FULL] + (double)lost[LOSS_STARTING] +
		    (double)lost[LOSS_NESTED] + (double)lost[LOSS_NOMEM])
		.s,
	    "%s", "");
	put(s, "truncated stacks",
	    count(
		s, (double)lost[LOSS_CUT_DEPTH] + (double)lost[LOSS_CUT_UNWIND])
		.s,
	    "%s", "");
	for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
		uint64_t n = lost[losses[i].loss];

		if (n)
			put(s, losses[i].label, count(s, (double)n).s, "%s",
			    losses[i].what);
	}
}

/* The same as stats.retained of mallctl. */
static double
retained(const struct profile_totals *t)
{
	uint64_t used = t->live_bytes + t->cached_bytes + t->dirty_bytes;

	return t->mapped_bytes > used ? (double)(t->mapped_bytes - used) : 0;
}

static void
put_allocator(const struct stats *s)
{
	const struct profile_totals *t = &s->r->totals;

	put_bytes(s, "mapped", t->mapped_bytes,
	    t->mapped_bytes ? "address space the allocator holds" : "");
	if (!t->mapped_bytes)
		return;
	put(s, "cached", bytes(s, (double)t->cached_bytes).s,
	    "free objects in thread caches and slabs");
	put(s, "dirty", bytes(s, (double)t->dirty_bytes).s,
	    "free pages not yet given back");
	put(s, "retained", bytes(s, retained(t)).s,
	    "the rest of what is mapped: address space, no memory");
	put(s, "meta", bytes(s, (double)t->meta_bytes).s,
	    "the allocator's and the profiler's own");
}

static void
put_process(const struct stats *s)
{
	const struct profile_totals *t = &s->r->totals;

	put_bytes(s, "rss", t->rss_bytes,
	    t->rss_bytes ? "resident memory of the whole process" : "");
	if (!t->rss_bytes)
		return;
	put_bytes(s, "virtual", t->virtual_bytes, "");
	put(s, "swap", bytes(s, (double)t->swap_bytes).s, "%s", "");
	put(s, "major faults", count(s, (double)t->major_faults).s, "%s", "");
}

static void
put_time(const struct stats *s)
{
	const struct profile_facts *f = profile_facts(s->r->profiles[0]);

	if (f->image_ns && s->r->now_ns > f->image_ns)
		put(s, "running for",
		    fmt_duration(s->r->now_ns - f->image_ns).s, "%s", "");
}

void
export_stats(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct stats s = { r, o, FMT_ZERO | (o->ascii ? FMT_ASCII : 0), b };
	double half = figures_error(&r->local);

	put_who(&s);
	put_time(&s);
	if (r->have_before && (r->query.base || r->query.difference))
		put(&s, "compared over", fmt_duration(r->now_ns - r->base_ns).s,
		    "%s", "");
	put_heap(&s);
	buf_printf(b, "%-*s", LABEL_COLUMNS, "in this report");
	stats_put_right(b, stats_amount(r, o, r->local.value).s, VALUE_COLUMNS);
	buf_printf(b, "  %s%s%s\n", metric_label(r->query.metric),
	    half > 0 ? ", " : "",
	    half > 0 ? fmt_error(half, r->local.value, s.flags).s : "");
	put_sampling(&s);
	put_ages(&s);
	put_losses(&s);
	put_allocator(&s);
	put_process(&s);
	stats_put_notes(b, r);
}
