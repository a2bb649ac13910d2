/*
 * A list that scrolls: cursor, first row seen, and whose row the cursor is.
 *
 * The selection is a thing, known by its key, not a row: when rows move the
 * cursor goes with it; when it is gone the cursor stays at its row.  Until
 * one moves it is the first row, whichever that is.  The list scrolls only as far as keeps the cursor visible.  Pure arithmetic; the
 * rows are asked for through `struct list_rows` and may be 0.
 */
#ifndef UI_LIST_H
#define UI_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/keymap.h"

struct list {
	uint64_t key;       /* of the selected row */
	bool chosen;        /* one has moved; until then it is the first row */
	size_t cursor, top; /* rows; top is the first one seen */
};

struct list_rows {
	size_t count;
	size_t page; /* rows seen at once; 0: the list is not seen */
	uint64_t (*key_at)(const void *data, size_t i);
	const void *data;
};

/* New rows, a new order or another page: find the selection again. */
void list_update(struct list *l, const struct list_rows *r);
/* Select row i, at most the last. */
void list_select(struct list *l, const struct list_rows *r, size_t i);
/* Select by key; false if there is no such row. */
bool list_find(struct list *l, const struct list_rows *r, uint64_t key);
/* UP DOWN PAGE_UP PAGE_DOWN FIRST LAST; false: the action is not ours. */
bool list_act(struct list *l, const struct list_rows *r, enum action a);
/* Scroll by `rows`; the cursor follows only if it would be lost. */
void list_scroll(struct list *l, const struct list_rows *r, int rows);

#endif
