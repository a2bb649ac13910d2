#include "export/flamegraph_layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/report.h"

static void
weigh(struct flamegraph_layout *l)
{
	const struct tree_node *t = l->r->tree;

	for (size_t i = l->r->tree_count; i-- > 0;) {
		l->weight[i] += fabs(t[i].self.value);
		if (i > 0)
			l->weight[t[i].parent] += l->weight[i];
	}
}

/* Boxes that are drawn, and how deep they go. */
static size_t
count(struct flamegraph_layout *l)
{
	const struct tree_node *t = l->r->tree;
	uint32_t last = 0;
	size_t boxes = 0;

	for (uint32_t i = 0; i < l->r->tree_count;) {
		struct flame_children c;
		uint32_t depth = t[i].depth;

		if (i > 0 && !flame_is_wide(l, l->weight[i])) {
			i = t[i].next;
			continue;
		}
		c = flame_children(l, i++);
		depth += flame_shows_rest(l, &c);
		boxes += 1 + flame_shows_rest(l, &c);
		last = depth > last ? depth : last;
	}
	l->rows = last + 1;
	return boxes;
}

void
flamegraph_layout_init(
    struct flamegraph_layout *l, const struct report *r, double width)
{
	static const double least[] = { .05, .1, .2, .4, .8, 1.6 };

	*l = (struct flamegraph_layout){ .r = r };
	l->weight = xcalloc(r->tree_count, sizeof *l->weight);
	weigh(l);
	if (l->weight[0] > 0)
		l->scale = width / l->weight[0];
	for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
		l->least = least[i];
		if (count(l) <= FLAME_BOXES)
			break;
	}
}

void
flamegraph_layout_fini(struct flamegraph_layout *l)
{
	free(l->weight);
	l->weight = NULL;
}

bool
flame_is_wide(const struct flamegraph_layout *l, double weight)
{
	return weight * l->scale >= l->least;
}

struct flame_children
flame_children(const struct flamegraph_layout *l, uint32_t n)
{
	const struct tree_node *t = l->r->tree;
	struct flame_children c = { 0 };

	for (uint32_t i = n + 1; i < t[n].next; i = t[i].next) {
		if (flame_is_wide(l, l->weight[i])) {
			c.drawn += l->weight[i];
			continue;
		}
		c.rest += l->weight[i];
		c.rest_value += t[i].cum.value;
		c.rest_count++;
	}
	return c;
}

bool
flame_shows_rest(
    const struct flamegraph_layout *l, const struct flame_children *c)
{
	return c->rest_count > 0 && flame_is_wide(l, c->rest);
}
