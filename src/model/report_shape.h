/*
 * The part of a report that does not depend on figures: places, the groups
 * they are in, the place list of each stack after cutting, show and hide, and
 * the tree that all stacks make.
 *
 * A shape is made of a list of stacks.  That of a single profile is kept with
 * it and grows as stacks are added; it is made anew when names change.  One
 * that is asked for is borrowed until shape_release: reports do so, as their
 * place lists live in it.  Lists never move, and places that are held stay as
 * they are; everything else may move when the same shape is taken again.
 */
#ifndef MODEL_REPORT_SHAPE_H
#define MODEL_REPORT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/query.h"
#include "model/report.h"
#include "model/stacks.h"

struct knots;
struct profile;
struct shape;

/* A stack of one of the profiles. */
struct stack_ref {
	uint32_t source; /* index of its profile */
	stack_id id;
};

/* Leaf first; count 0: the filters left nothing. */
struct place_list {
	const uint32_t *places;
	uint32_t count;
	uint32_t group; /* of the leaf */
	uint32_t flags; /* of the stack: enum profile_stack_flag */
};

/* With one profile `refs` is not read, and may be NULL: they are its stacks
 * from 1 to count, in order. */
struct shape *shape_take(const struct profile *const *profiles, size_t n,
    const struct query *q, const struct stack_ref *refs, size_t count);
void shape_release(struct shape *s); /* NULL is fine */

/* Whether this is the first report that is made with it. */
bool shape_is_new(const struct shape *s);
/* All places; *n of them.  Held until places_release. */
const struct report_place *shape_places(struct shape *s, size_t *n);
void places_release(const struct report_place *places); /* NULL is fine */
uint32_t shape_groups(const struct shape *s); /* groups are below this */
/* [index into refs] */
const struct place_list *shape_lists(const struct shape *s);
/* The stacks as a tree, from the root or from the sites. */
struct knots *shape_knots(struct shape *s, bool invert);
/* Most of the work of shape_knots in advance, for `some` more stacks; when all
 * are there, for the first time, the rest of it.  Returns whether there may be
 * more to do. */
bool shape_prepare(struct shape *s, bool invert, size_t some);
/* [group]: where the function of its first place stands among all, by name;
 * equal names stand at the same. */
const uint32_t *shape_ranks(struct shape *s);

#endif
