/*
 * The call stacks of a profile: append-only, frames leaf first.
 *
 * A stack_id is dense and counts from 1 in order of arrival; the profile
 * translates the ids of its source.  Ids and the arrays handed out stay good
 * as long as the table.
 */
#ifndef MODEL_STACKS_H
#define MODEL_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "model/frames.h"

struct modules;
struct stacks;

typedef uint32_t stack_id; /* from 1; 0 is none */

struct stack {
	const frame_id *frames; /* leaf first */
	uint32_t count;
	uint32_t flags; /* enum profile_stack_flag */
	/* The same in every run of the same builds: a hash of the (build-id,
	 * offset) list; the module's path stands in for a missing build-id. */
	uint64_t identity;
};

struct stacks *stacks_new(void);
void stacks_free(struct stacks *t);

/* Always a new id; `ids` are copied. */
stack_id stacks_add(struct stacks *t, unsigned flags, const frame_id *ids,
    uint32_t count, const struct frames *f, const struct modules *m);
uint32_t stacks_count(const struct stacks *t); /* ids are 1..count */
const struct stack *stacks_at(const struct stacks *t, stack_id id);

#endif
