/*
 * Reading THE TABLE, from inside while it is written or from outside, where
 * nothing in it is to be relied on: every place is checked.
 *
 * It calls nothing and allocates nothing.
 */
#ifndef PROF_TABLEREAD_H
#define PROF_TABLEREAD_H

#include <stddef.h>
#include <stdint.h>

#include "table.h"

/* How to get at a table.  chunk(ctx, i) gives the address of chunk i, valid
 * as long as the view is used, or NULL if there is none. */
struct table_view {
	const void *(*chunk)(void *ctx, uint32_t i);
	void *ctx;
};

/* Find an entry; NULL if it lies outside the table.  For those who walk a
 * table themselves.  Ids count from 1. */
const struct table_head *table_head_at(const struct table_view *v);
const struct table_module *table_module_at(
    const struct table_view *v, uint32_t id);
const struct table_stack *table_stack_at(
    const struct table_view *v, uint32_t id);
const struct table_cell *table_cell_at(const struct table_view *v, uint32_t id);
const struct table_slot *table_slot_at(
    const struct table_view *v, uint32_t slot); /* from 0 */
/* NULL if the table has none. */
const struct table_births *table_births_at(const struct table_view *v);
const struct table_birth *table_birth_at(
    const struct table_view *v, uint32_t number);
const void *table_at(const struct table_view *v, uint32_t off, size_t len);

/* A copy of a slot, word by word: who reads it while it changes may find a
 * mixture, and the stamp of that change afterwards. */
void table_slot_read(const struct table_slot *s, struct table_slot *out);

/* A consistent copy of a birth, its stamp apart; cell is 0 if it is nobody's,
 * or just changing: then a stamp will tell of it. */
void table_birth_read(const struct table_birth *b, struct table_birth *out);

/* A consistent copy of a cell's figures; stack, slot and all.  Gives up after
 * a bounded number of tries (a thread died in the middle of a change) and
 * takes what is there. */
void table_cell_read(const struct table_cell *cell, struct cell_frame *out);

#endif
