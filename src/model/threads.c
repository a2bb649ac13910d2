#include "model/threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"

/* Where the numbers of two moments are: those of the present in the cells,
 * others in history's columns. */
struct pass {
	const struct report *r;
	const struct profile *p;
	struct thread_facts *rows;
	uint32_t *row_of; /* [slot]: row + 1 */
	struct moments m;
	struct history_columns at, base;
	enum history_field measured; /* the report's metric */
};

static enum history_field
field_of(enum metric metric)
{
	static const enum history_field fields[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = HISTORY_LIVE_BYTES,
		[METRIC_LIVE_OBJECTS] = HISTORY_LIVE_OBJECTS,
		[METRIC_ALLOC_BYTES] = HISTORY_ALLOC_BYTES,
		[METRIC_ALLOC_OBJECTS] = HISTORY_ALLOC_OBJECTS,
	};

	return fields[metric];
}

static double
past(const struct history_columns *c, enum history_field f, uint32_t cell)
{
	return cell < c->count ? (double)c->field[f][cell] : 0;
}

static double
at_moment(const struct pass *p, const struct cell_values *v,
    enum history_field f, uint32_t cell)
{
	if (p->m.at)
		return past(&p->at, f, cell);
	switch ((int)f) {
	case HISTORY_LIVE_BYTES: return v->live_bytes;
	case HISTORY_LIVE_OBJECTS: return v->live_objects;
	case HISTORY_ALLOC_BYTES: return v->alloc_bytes;
	default: return v->alloc_objects;
	}
}

/* Of whole numbers, as history keeps them. */
static double
change(const struct pass *p, double value, enum history_field f, uint32_t cell)
{
	double was = p->m.base ? past(&p->base, f, cell) : 0;

	return (double)history_whole(value) - was;
}

/* Into its place; ties by appearance. */
static void
add_stack(const struct pass *p, struct thread_facts *t, uint32_t stack,
    const struct profile_cell *c, uint32_t cell)
{
	struct thread_stack *to = t->heaviest;
	struct figures f = figures_cell(&p->m, p->r->query.metric, c, cell);
	size_t i = t->heaviest_count;

	while (i > 0 && to[i - 1].f.value < f.value)
		i--;
	if (i == THREAD_HEAVIEST)
		return;
	if (t->heaviest_count < THREAD_HEAVIEST)
		t->heaviest_count++;
	memmove(&to[i + 1], &to[i], (t->heaviest_count - 1 - i) * sizeof *to);
	to[i] = (struct thread_stack){ stack, f };
}

/* Whether there is still room for it. */
static bool
is_heavy(const struct thread_facts *t, double value)
{
	if (value <= 0)
		return false;
	return t->heaviest_count < THREAD_HEAVIEST ||
	    value > t->heaviest[THREAD_HEAVIEST - 1].f.value;
}

static void
add_cell(const struct pass *p, struct thread_facts *t, uint32_t stack,
    const struct profile_cell *c, uint32_t cell)
{
	double live = at_moment(p, &c->v, HISTORY_LIVE_BYTES, cell);
	double alloc = at_moment(p, &c->v, HISTORY_ALLOC_BYTES, cell);
	double more = change(p, alloc, HISTORY_ALLOC_BYTES, cell);
	uint64_t ns = profile_first_ns(p->p, cell);

	t->alloc_bytes += alloc;
	t->alloc_objects += at_moment(p, &c->v, HISTORY_ALLOC_OBJECTS, cell);
	t->new_bytes += more;
	/* What was allocated and does not live was freed. */
	t->freed_bytes += more - change(p, live, HISTORY_LIVE_BYTES, cell);
	if (ns && (t->first_ns == 0 || ns < t->first_ns))
		t->first_ns = ns;
	if (is_heavy(t, at_moment(p, &c->v, p->measured, cell)))
		add_stack(p, t, stack, c, cell);
}

static void
add_cells(const struct pass *p)
{
	size_t count;
	const struct profile_cell *cells = profile_cells(p->p, &count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t stack = p->r->stack_index[0][cells[i].stack];
		uint32_t row = p->row_of[cells[i].slot];

		if (stack && row)
			add_cell(p, &p->rows[row - 1], stack - 1, &cells[i], i);
	}
}

void
threads_facts(const struct report *r, struct thread_facts *rows)
{
	struct pass p = { .r = r, .p = r->profiles[0], .rows = rows };
	unsigned mask = 1u << HISTORY_LIVE_BYTES | 1u << HISTORY_ALLOC_BYTES |
	    1u << HISTORY_ALLOC_OBJECTS;

	p.m = moments_of(p.p, &r->query);
	p.measured = field_of(r->query.metric);
	if (p.m.at)
		p.at = history_columns(
		    p.m.history, p.m.at, mask | 1u << p.measured);
	if (p.m.base)
		p.base = history_columns(p.m.history, p.m.base, mask);
	p.row_of = xcalloc(UINT16_MAX + 1, sizeof *p.row_of);
	if (r->row_count)
		memset(rows, 0, r->row_count * sizeof *rows);
	for (size_t i = 0; i < r->row_count; i++)
		if (r->rows[i].key <= UINT16_MAX)
			p.row_of[r->rows[i].key] = (uint32_t)i + 1;
	add_cells(&p);
	for (size_t i = 0; i < r->row_count; i++)
		if (rows[i].freed_bytes < 0)
			rows[i].freed_bytes = 0;
	free(p.row_of);
}
