#include "export/amounts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/report.h"

static struct report *
ask(const struct report *asked, const struct query *like, enum metric metric)
{
	struct query q = *like;

	q.metric = metric;
	return report_build(asked->profiles, asked->profile_count, &q);
}

/* The values of one metric; stacks are found by their ids. */
static void
fill(struct amounts *a, const struct report *from, enum metric metric)
{
	double *to = xcalloc(a->r->stack_count + 1, sizeof *to);

	for (size_t i = 0; i < a->r->stack_count; i++) {
		const struct report_stack *s = &a->r->stacks[i];
		uint32_t at = from->stack_index[s->profile][s->id];

		if (at)
			to[i] = from->stacks[at - 1].f.value;
		a->total[metric] += to[i];
	}
	a->of[metric] = to;
}

void
amounts_take(struct amounts *a, const struct report *asked, bool difference)
{
	struct query q = asked->query;

	*a = (struct amounts){ 0 };
	q.freed = true;
	q.tree = false;
	q.grouping = GROUP_STACKS;
	q.max_rows = 1;
	if (!difference) {
		q.difference = false;
		q.base_profile = NULL;
	}
	a->r = ask(asked, &q, asked->query.metric);
	for (int m = 0; m < METRIC_COUNT; m++) {
		struct report *r = ask(asked, &q, (enum metric)m);

		fill(a, r, (enum metric)m);
		report_free(r);
	}
}

void
amounts_fini(struct amounts *a)
{
	for (int m = 0; m < METRIC_COUNT; m++)
		free(a->of[m]);
	report_free(a->r);
}
