/* What resident memory is made of: parts that add up to it, as far as they
 * are known; what is left over is a part of its own and said to be so. */
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/memory.h"
#include "model/profile.h"
#include "model/report.h"

#define LABEL_COLUMNS 18
#define VALUE_COLUMNS 14
#define BAR_COLUMNS   30
#define SOME          12 /* of the largest mappings */

struct memory {
	const struct report *r;
	const struct export_options *o;
	unsigned flags;
	double rss;                     /* 0: not known */
	const struct memory_seen *seen; /* NULL: its mappings are not known */
	/* parts of rss that are no heap; 0 both: not known */
	double files, shared;
	struct buf *b;
};

static struct fmt
bytes(const struct memory *m, double v)
{
	return m->o->show_bytes ? fmt_int(v)
	    : v < 0             ? fmt_change(v, m->flags)
				: fmt_bytes(v, m->flags);
}

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
	buf_printf(m->b, "%-*s", LABEL_COLUMNS, label);
	stats_put_right(m->b, bytes(m, v).s, VALUE_COLUMNS);
	if (m->rss > 0) {
		stats_put_right(m->b, fmt_percent(v, m->rss, m->flags).s, 8);
		put_bar(m, v);
	}
	buf_printf(m->b, "  %s\n", what);
}

/* The parts, and their sum. */
static double
put_parts(const struct memory *m)
{
	struct stats_live live = stats_live(m->r);
	struct memory_live counted = { live.bytes, live.exact };
	struct profile_totals t = m->r->totals;
	struct memory_parts parts;

	/* All of the moment of the look. */
	if (m->seen && m->seen->totals.exact_ns)
		counted =
		    (struct memory_live){ (double)m->seen->totals.live_bytes,
			    true };
	t.file_bytes = (uint64_t)m->files;
	t.shmem_bytes = (uint64_t)m->shared;
	memory_parts(&parts, &t, &counted, m->seen);
	for (size_t i = 0; i < parts.count; i++)
		put_line(m, parts.part[i].label, parts.part[i].bytes,
		    parts.part[i].what);
	return parts.sum;
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
	if (m->rss > 0 && !m->seen && m->files + m->shared == 0)
		buf_puts(m->b,
		    "not known: how much of the rest are files and shared "
		    "memory\n");
	if (m->seen && !m->seen->heap_known)
		buf_puts(m->b,
		    "not known: which mappings are the allocator's; as much "
		    "as it says it uses is taken for its own\n");
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

/* ---- mappings ---------------------------------------------------------- */

static void
put_columns(
    const struct memory *m, double rss, double size, double dirty, double swap)
{
	stats_put_right(m->b, bytes(m, rss).s, VALUE_COLUMNS);
	stats_put_right(m->b, bytes(m, size).s, VALUE_COLUMNS);
	stats_put_right(m->b, bytes(m, dirty).s, VALUE_COLUMNS);
	stats_put_right(m->b, bytes(m, swap).s, VALUE_COLUMNS);
}

static void
put_mapping(const struct memory *m, const struct memory_mapping *p)
{
	put_columns(m, (double)p->rss, (double)p->size, (double)p->dirty,
	    (double)p->swap);
	buf_puts(m->b, "  ");
	if (*p->name)
		buf_puts(m->b, p->name);
	else
		buf_puts(m->b, memory_kind_label(p->kind));
	if (p->kind == MEMORY_ANON && !*p->name)
		buf_printf(m->b, " %llx", (unsigned long long)p->start);
	if (p->pieces > 1 && !*p->name)
		buf_printf(m->b, ", %u ranges", p->pieces);
	buf_putc(m->b, '\n');
}

static void
put_mappings(const struct memory *m)
{
	const struct memory_seen *s = m->seen;
	uint32_t n = s->largest_count < SOME ? s->largest_count : SOME;
	uint64_t rss = s->others_rss, size = s->others_size;
	uint32_t others = s->others + s->largest_count - n;

	for (uint32_t i = n; i < s->largest_count; i++) {
		rss += s->largest[i].rss;
		size += s->largest[i].size;
	}
	buf_putc(m->b, '\n');
	stats_put_right(m->b, "rss", VALUE_COLUMNS);
	stats_put_right(m->b, "size", VALUE_COLUMNS);
	stats_put_right(m->b, "dirty", VALUE_COLUMNS);
	stats_put_right(m->b, "swap", VALUE_COLUMNS);
	buf_puts(m->b, "  mapping\n");
	for (uint32_t i = 0; i < n; i++)
		put_mapping(m, &s->largest[i]);
	if (others == 0)
		return;
	stats_put_right(m->b, bytes(m, (double)rss).s, VALUE_COLUMNS);
	stats_put_right(m->b, bytes(m, (double)size).s, VALUE_COLUMNS);
	buf_pad(m->b, ' ', 2 * VALUE_COLUMNS);
	buf_printf(m->b, "  %u others\n", others);
}

/* ---- the whole --------------------------------------------------------- */

static void
put_sums(const struct memory *m, double sum)
{
	const struct profile_totals *t = &m->r->totals;
	uint64_t swap = m->seen ? m->seen->swap : t->swap_bytes;

	if (m->rss > 0) {
		put_line(m, "rss", sum, "resident memory: the sum");
		if (swap)
			buf_printf(m->b, "swapped out besides: %s\n",
			    fmt_bytes((double)swap, m->flags).s);
		put_mapped(m, "virtual", t->virtual_bytes,
		    "address space of the process");
	} else {
		put_line(m, "known so far", sum, "the sum");
	}
	put_mapped(
	    m, "mapped", t->mapped_bytes, "address space the allocator holds");
	if (!m->seen)
		return;
	put_mapped(m, "pss", m->seen->pss,
	    "rss, with what is shared divided among those who share it");
	buf_printf(m->b, "%-*s", LABEL_COLUMNS, "faults");
	stats_put_right(m->b,
	    fmt_count((double)m->seen->minor_faults, m->flags).s,
	    VALUE_COLUMNS);
	buf_printf(m->b, "  and %s that read from a disk\n",
	    fmt_count((double)m->seen->major_faults, m->flags).s);
}

/* Mappings are of one process at one moment. */
static const struct memory_seen *
seen_of(const struct report *r)
{
	const struct memory_seen *s;

	if (r->profile_count != 1 || r->query.at)
		return NULL;
	s = profile_seen(r->profiles[0]);
	return s && memory_seen_fits(s, &r->totals) ? s : NULL;
}

void
export_memory(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	const struct profile_totals *t = &r->totals;
	const struct export_resident *now = o->resident;
	struct memory m = { .r = r,
		.o = o,
		.flags = FMT_ZERO | (o->ascii ? FMT_ASCII : 0),
		.rss = (double)t->rss_bytes,
		.seen = seen_of(r),
		.b = b };

	m.files = (double)(now ? now->file_bytes : t->file_bytes);
	m.shared = (double)(now ? now->shmem_bytes : t->shmem_bytes);
	if (m.seen)
		m.rss = (double)m.seen->rss;
	put_sums(&m, put_parts(&m));
	put_unknown(&m);
	if (m.seen)
		put_mappings(&m);
	stats_put_notes(b, r);
}
