/* What resident memory is made of: parts that add up to it, as far as they
 * are known; what is left over is a part of its own and said to be so. */
#include <math.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/profile.h"
#include "model/report.h"

#define LABEL_COLUMNS 18
#define VALUE_COLUMNS 14
#define BAR_COLUMNS   30

struct memory {
	const struct report *r;
	const struct export_options *o;
	unsigned flags;
	double rss; /* 0: not known */
	double sum; /* of the parts so far */
	/* parts of rss that are no heap; 0 both: not known */
	double files, shared;
	struct buf *b;
};

static void
put_bar(const struct memory *m, double v)
{
	size_t n = 0;

	if (m->rss > 0 && v > 0)
		n = (size_t)(fmin(v / m->rss, 1) * BAR_COLUMNS + 0.5);
	buf_puts(m->b, "  ");
	for (size_t i = 0; i < n; i++)
		buf_puts(m->b, m->o->ascii ? "#" : "█");
	buf_pad(m->b, ' ', BAR_COLUMNS - n);
}

static void
put_line(const struct memory *m, const char *label, double v, const char *what)
{
	struct fmt f = m->o->show_bytes ? fmt_int(v) : fmt_bytes(v, m->flags);

	if (v < 0 && !m->o->show_bytes)
		f = fmt_change(v, m->flags);
	buf_printf(m->b, "%-*s", LABEL_COLUMNS, label);
	stats_put_right(m->b, f.s, VALUE_COLUMNS);
	if (m->rss > 0) {
		stats_put_right(m->b, fmt_percent(v, m->rss, m->flags).s, 8);
		put_bar(m, v);
	}
	buf_printf(m->b, "  %s\n", what);
}

static void
put_part(struct memory *m, const char *label, double v, const char *what)
{
	put_line(m, label, v, what);
	m->sum += v;
}

static void
put_heap(struct memory *m)
{
	const struct profile_totals *t = &m->r->totals;
	struct stats_live live = stats_live(m->r);

	put_part(m, "live objects", live.bytes,
	    live.exact         ? "usable sizes, counted exactly"
		: t->lg_sample ? "usable sizes, an estimate"
			       : "usable sizes, from every allocation");
	if (!t->mapped_bytes)
		return;
	put_part(m, "free objects", (double)t->cached_bytes,
	    "in thread caches and slabs, ready to be used again");
	put_part(m, "free pages", (double)t->dirty_bytes,
	    "not yet given back to the system");
	put_part(m, "own data", (double)t->meta_bytes,
	    "of the allocator and the profiler");
}

/* Anonymous memory that none of the parts accounts for, then the rest. */
static void
put_others(struct memory *m)
{
	double rest;

	if (m->files + m->shared > 0)
		put_part(
		    m, "files", m->files, "programs, libraries, mapped files");
	if (m->shared > 0)
		put_part(m, "shared memory", m->shared,
		    "also counted by those it is shared with");
	rest = m->rss - m->sum;
	if (rest >= 0)
		put_part(m, "the rest", rest,
		    m->files + m->shared > 0
			? "other mappings, stacks, room lost in slabs"
			: "files, other mappings, stacks, room lost in slabs");
	else
		put_part(m, "not resident", rest,
		    "of the above: never touched, given back or swapped out");
}

static void
put_unknown(const struct memory *m)
{
	if (m->rss == 0)
		buf_puts(m->b,
		    "not known: resident memory (rss), so what else the "
		    "process holds; heaptop -p PID --memory tells it of a "
		    "process that runs\n");
	if (!m->r->totals.mapped_bytes)
		buf_puts(m->b,
		    "not known: what the allocator keeps free, and its own "
		    "data\n");
	if (m->rss > 0 && m->files + m->shared == 0)
		buf_puts(m->b,
		    "not known: how much of the rest are files and shared "
		    "memory\n");
}

/* Address space is no part of resident memory: no share, no bar. */
static void
put_mapped(
    const struct memory *m, const char *label, uint64_t v, const char *what)
{
	struct memory plain = *m;

	plain.rss = 0;
	if (v)
		put_line(&plain, label, (double)v, what);
}

void
export_memory(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct memory m = { .r = r,
		.o = o,
		.flags = FMT_ZERO | (o->ascii ? FMT_ASCII : 0),
		.rss = (double)r->totals.rss_bytes,
		.b = b };
	const struct profile_totals *t = &r->totals;
	const struct export_resident *now = o->resident;

	m.files = (double)(now ? now->file_bytes : t->file_bytes);
	m.shared = (double)(now ? now->shmem_bytes : t->shmem_bytes);
	put_heap(&m);
	if (m.rss > 0) {
		put_others(&m);
		put_line(&m, "rss", m.sum, "resident memory: the sum");
		if (t->swap_bytes)
			buf_printf(b, "swapped out besides: %s\n",
			    fmt_bytes((double)t->swap_bytes, m.flags).s);
		put_mapped(&m, "virtual", t->virtual_bytes,
		    "address space of the process");
	} else {
		put_line(&m, "known so far", m.sum, "the sum");
	}
	put_mapped(
	    &m, "mapped", t->mapped_bytes, "address space the allocator holds");
	put_unknown(&m);
	stats_put_notes(b, r);
}
