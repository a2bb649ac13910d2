#include "model/passing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/report.h"
#include "model/report_knots.h"
#include "model/report_shape.h"

/* Whether the tree is worth its making. */
static bool
has_tree(const struct report *r)
{
	return !shape_is_new(r->shape) && r->query.piece == 0;
}

/* seen[group]: the last stack that was counted, + 1. */
static void
walk_stack(const struct report *r, uint32_t stack, const uint32_t *slot,
    uint32_t *seen, struct run_sum *to)
{
	const struct report_stack *s = &r->stacks[stack];
	struct run_sum one = { s->f, knots_weight(&s->f), stack, stack, 1, 0 };

	for (uint32_t at = 0; at < s->count; at++) {
		uint32_t group = r->places[s->places[at]].group;

		if (!slot[group] || seen[slot[group] - 1] == stack + 1)
			continue;
		seen[slot[group] - 1] = stack + 1;
		one.at = at;
		run_sum_add(&to[slot[group] - 1], &one);
	}
}

static void
walk(const struct report *r, const uint32_t *slot, struct run_sum *to)
{
	uint32_t *seen = xcalloc(r->place_groups, sizeof *seen);

	for (uint32_t i = 0; i < r->stack_count; i++)
		walk_stack(r, i, slot, seen, to);
	free(seen);
}

void
passing_sum(const struct report *r, const uint32_t *slot, struct run_sum *to)
{
	if (has_tree(r))
		knots_sum_groups(shape_knots(r->shape, false), r, slot, to);
	else
		walk(r, slot, to);
}

/* seen[group]: the last stack that was counted, + 1; NULL: no values. */
static void
mark_stack(const struct report *r, uint32_t stack, uint8_t *present,
    uint32_t *seen, double *value)
{
	const struct report_stack *s = &r->stacks[stack];

	for (uint32_t at = 0; at < s->count; at++) {
		uint32_t group = r->places[s->places[at]].group;

		present[group] = 1;
		if (!seen || seen[group] == stack + 1)
			continue;
		seen[group] = stack + 1;
		value[group] += s->f.value;
	}
}

void
passing_mark(const struct report *r, uint8_t *present, double *value)
{
	uint32_t *seen = NULL;

	if (has_tree(r)) {
		knots_mark_groups(
		    shape_knots(r->shape, false), r, present, value);
		return;
	}
	if (value)
		seen = xcalloc(r->place_groups, sizeof *seen);
	for (uint32_t i = 0; i < r->stack_count; i++) {
		if (!figures_empty(&r->stacks[i].f))
			mark_stack(r, i, present, seen, value);
	}
	free(seen);
}
