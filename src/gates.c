#include "gates.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "model/name.h"
#include "model/report.h"
#include "options.h"
#include "output.h"

#define NAME_COLUMNS 60
#define CALLERS_MAX  4

struct gate {
	const struct gate_options *o;
	const struct report *r;
	uint8_t *matches; /* [place]: 0 not looked at, 1 no, 2 yes */
	struct figures sum;
	const struct report_stack *largest;
};

static bool
place_matches(struct gate *g, uint32_t place)
{
	if (!g->matches[place]) {
		struct place p = report_place(g->r, place);

		g->matches[place] =
		    pattern_matches(g->o->where, p.function) ? 2 : 1;
	}
	return g->matches[place] == 2;
}

static bool
stack_matches(struct gate *g, const struct report_stack *s)
{
	if (!g->o->where)
		return true;
	for (uint32_t i = 0; i < s->count; i++)
		if (place_matches(g, s->places[i]))
			return true;
	return false;
}

static void
add_up(struct gate *g)
{
	g->matches = xcalloc(g->r->place_count, sizeof *g->matches);
	for (size_t i = 0; i < g->r->stack_count; i++) {
		const struct report_stack *s = &g->r->stacks[i];

		if (!stack_matches(g, s))
			continue;
		figures_add(&g->sum, &s->f);
		if (!g->largest || s->f.value > g->largest->f.value)
			g->largest = s;
	}
	free(g->matches);
}

static void
put_amount(struct buf *b, const struct figures *f)
{
	double half = figures_error(f);

	buf_puts(b, fmt_bytes(f->value, FMT_ZERO).s);
	if (half > 0)
		buf_printf(b, " %s", fmt_error(half, f->value, 0).s);
}

/* "; most of it, 970 KiB, in constant_leak < main". */
static void
put_largest(struct buf *b, const struct gate *g)
{
	const struct report_stack *s = g->largest;

	if (!s)
		return;
	buf_puts(b, "; the largest stack, ");
	put_amount(b, &s->f);
	buf_puts(b, ": ");
	for (uint32_t i = 0; i < s->count && i < CALLERS_MAX; i++) {
		struct place p = report_place(g->r, s->places[i]);

		if (i > 0)
			buf_puts(b, " < ");
		name_fit(b, p.function, NAME_COLUMNS, false);
	}
	if (s->count > CALLERS_MAX)
		buf_puts(b, " < ...");
}

bool
gates_fail(const char *name, const struct gate_options *o,
    const struct report *r, bool all)
{
	struct gate g = { .o = o, .r = r };
	double limit = (double)o->limit;
	struct buf b = BUF_INIT;
	bool above, failed;

	add_up(&g);
	above = g.sum.value > limit;
	failed = g.sum.value - figures_error(&g.sum) > limit;
	buf_printf(&b, "--%s=%s: ", name, o->text);
	put_amount(&b, &g.sum);
	if (r->query.difference)
		buf_puts(&b, " more");
	if (failed)
		buf_printf(
		    &b, ", which is above %s", fmt_bytes(limit, FMT_ZERO).s);
	else if (above)
		buf_printf(&b,
		    ", above %s, but by less than the error: no "
		    "failure",
		    fmt_bytes(limit, FMT_ZERO).s);
	else
		buf_printf(&b, ", not above %s", fmt_bytes(limit, FMT_ZERO).s);
	if (above)
		put_largest(&b, &g);
	if (above || all)
		say("%s", buf_str(&b));
	buf_fini(&b);
	return failed;
}
