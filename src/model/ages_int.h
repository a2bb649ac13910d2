/*
 * The inside of a view of ages: ages.c finds what is meant by a question,
 * ages_amounts.c adds up.
 */
#ifndef MODEL_AGES_INT_H
#define MODEL_AGES_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "model/ages.h"

struct births;

/* Things in order of what they belong to: those of i are at[first[i]] up to
 * at[first[i + 1]]. */
struct sorted {
	uint32_t *first, *at;
};

struct list {
	const uint32_t *stacks;
	size_t count;
};

/* One object as the median sees it. */
struct weight {
	uint32_t birth;
	double objects;
};

struct age_view {
	const struct report *r;
	const struct profile *p;
	const struct births *b;
	uint32_t snapshot; /* the report's moment */
	uint64_t now_ns;
	bool known;

	bool sorted;
	const struct profile_cell *cells;
	size_t cell_count;
	struct sorted births;   /* [cell]: indices of births that live */
	struct sorted of_stack; /* [stack of the report]: cells */
	struct sorted of_group; /* [group]: stacks, by their leaves */
	uint64_t *samples;      /* [cell]: how many live */

	struct list *lists;
	size_t list_count, list_cap;
	struct map list_of; /* by a hash of the list */

	uint32_t *picked; /* cells of the set in question */
	size_t picked_count, picked_cap;
	struct weight *weights;
	size_t weight_cap;

	struct map kept; /* set: index of its answer */
	struct ages *answers;
	size_t answer_count, answer_cap;
};

/* Find the cells of a set: v->picked. */
void age_view_pick(struct age_view *v, enum ages_of of, uint32_t n);
/* So many births are known of what was picked: are some missing? */
bool age_view_part(const struct age_view *v, uint64_t samples);
uint64_t age_view_born_ns(const struct age_view *v, uint32_t tick);

#endif
