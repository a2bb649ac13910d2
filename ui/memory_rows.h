/*
 * The rows of the Memory view: parts and their sum, then mappings.
 *
 * Made anew from the state whenever they are needed; nothing is kept.
 */
#ifndef UI_MEMORY_ROWS_H
#define UI_MEMORY_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/memory.h"

struct app;
struct buf;

enum memory_row_sort {
	MEMORY_ROW_PART,  /* index into parts.part */
	MEMORY_ROW_SUM,   /* RSS */
	MEMORY_ROW_BLANK, /* between parts and mappings */
	MEMORY_ROW_TITLE, /* of the mappings' columns, or why there are none */
	MEMORY_ROW_MAPPING, /* index into seen->largest */
	MEMORY_ROW_OTHERS,  /* mappings that are smaller */
};

struct memory_row {
	enum memory_row_sort sort;
	uint32_t index;
};

#define MEMORY_ROWS_MAX (PART_COUNT + MEMORY_LARGEST + 4)

struct memory_rows {
	struct memory_parts parts;
	/* The look that mappings come from, NULL: none; `present`: the parts
	 * are of it, too. */
	const struct memory_seen *seen;
	bool present;
	struct memory_row row[MEMORY_ROWS_MAX];
	size_t count;
};

void memory_rows_make(struct memory_rows *m, const struct app *a);
/* Whether a row can be selected; what it is by, for struct list. */
bool memory_row_is_thing(const struct memory_rows *m, size_t i);
uint64_t memory_row_key(const void *rows, size_t i);

/* What a mapping is called: "/usr/lib/libc.so.6", "page heap, 3 ranges"; a
 * path's end if there are fewer than `cols` columns for it. */
void memory_mapping_name(
    const struct memory_mapping *p, int cols, bool ascii, struct buf *b);

#endif
