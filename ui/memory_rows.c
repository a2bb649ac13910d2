#include "ui/memory_rows.h"

#include "base/buf.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"

static void
add(struct memory_rows *m, enum memory_row_sort sort, uint32_t index)
{
	m->row[m->count++] = (struct memory_row){ sort, index };
}

/* Live bytes of a moment: exact, or the estimate of its snapshot. */
static struct memory_live
live_of(const struct app *a, const struct profile_totals *t)
{
	struct memory_live live = { (double)t->live_bytes, t->exact_ns != 0 };

	for (size_t i = a->point_count; !live.exact && i > 0; i--) {
		live.bytes = a->points[i - 1].live_bytes;
		if (a->points[i - 1].ns <= t->now_ns)
			break;
	}
	return live;
}

static void
add_mappings(struct memory_rows *m)
{
	for (uint32_t i = 0; i < m->seen->largest_count; i++)
		if (m->seen->largest[i].rss > 0)
			add(m, MEMORY_ROW_MAPPING, i);
	if (m->seen->others > 0)
		add(m, MEMORY_ROW_OTHERS, 0);
}

void
memory_rows_make(struct memory_rows *m, const struct app *a)
{
	static const struct profile_totals none;
	const struct profile_totals *t =
	    a->report && a->report->have_totals ? &a->report->totals : &none;
	struct memory_live live;

	m->count = 0;
	m->seen = a->memory.seen.ns ? &a->memory.seen : NULL;
	/* Of one that ended some time after the look there is no other. */
	m->present = m->seen && !a->query.at &&
	    (!app_ended(a) || memory_seen_fits(m->seen, t));
	if (m->present)
		t = &m->seen->totals;
	live = live_of(a, t);
	memory_parts(&m->parts, t, &live, m->present ? m->seen : NULL);
	for (uint32_t i = 0; i < m->parts.count; i++)
		if (i == 0 || m->parts.part[i].bytes != 0)
			add(m, MEMORY_ROW_PART, i);
	add(m, MEMORY_ROW_SUM, 0);
	add(m, MEMORY_ROW_BLANK, 0);
	add(m, MEMORY_ROW_TITLE, 0);
	if (m->seen)
		add_mappings(m);
}

bool
memory_row_is_thing(const struct memory_rows *m, size_t i)
{
	return i < m->count && m->row[i].sort != MEMORY_ROW_BLANK &&
	    m->row[i].sort != MEMORY_ROW_TITLE &&
	    m->row[i].sort != MEMORY_ROW_OTHERS;
}

/* FNV-1a */
static uint64_t
hash(const char *s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return h;
}

uint64_t
memory_row_key(const void *rows, size_t i)
{
	const struct memory_rows *m = rows;
	const struct memory_row *r = &m->row[i];
	const struct memory_mapping *p;

	if (r->sort == MEMORY_ROW_PART)
		return m->parts.part[r->index].kind;
	if (r->sort != MEMORY_ROW_MAPPING)
		return PART_COUNT + r->sort;
	p = &m->seen->largest[r->index];
	if (*p->name)
		return hash(p->name) ^ p->start;
	return p->kind == MEMORY_ANON ? p->start : 256u + p->kind;
}

void
memory_mapping_name(
    const struct memory_mapping *p, int cols, bool ascii, struct buf *b)
{
	if (*p->name == '/') {
		name_fit_path(b, p->name, cols, ascii);
		return;
	}
	buf_puts(b, *p->name ? p->name : memory_kind_label(p->kind));
	if (p->kind == MEMORY_ANON && !*p->name)
		buf_printf(b, " at %llx", (unsigned long long)p->start);
	else if (p->pieces > 1)
		buf_printf(b, ", %u ranges", p->pieces);
}
