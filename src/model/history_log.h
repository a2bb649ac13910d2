/*
 * What LOG_CELLS cells were through time, packed: a part of history.
 *
 * A log is a row of changes, oldest first: each says which cells differ from
 * the change before, and by how much.  Beside them stand wholes: all cells at
 * one moment, so that any moment is found without reading from the beginning.
 * The first change counts from all zeros.
 *
 * Inside both, values stand field by field, so that who wants few fields
 * reads few: a byte for the width w of the largest (0: all are 0, and nothing
 * follows), the length of the rest in two bytes, two bits a value for its
 * length (0, 1, 2 or w bytes), the values in zigzag form.
 *
 * A change counts for every moment from its own on.  Where no moment between
 * two changes can be asked for any more, log_merge makes one of them.
 */
#ifndef MODEL_HISTORY_LOG_H
#define MODEL_HISTORY_LOG_H

#include <stddef.h>
#include <stdint.h>

#define LOG_CELLS  512u
#define LOG_FIELDS 10u
#define LOG_ALL    ((1u << LOG_FIELDS) - 1)

struct piece;

struct log_entry {
	uint32_t id; /* the snapshot it belongs to */
	uint32_t size;
	struct piece *piece;
};

/* All zeros is an empty log. */
struct log {
	struct log_entry *changes, *wholes; /* oldest first */
	size_t count, cap;
	size_t whole_count, whole_cap;
	size_t bytes; /* of all pieces */
};

/* Some cells and a number for each of their fields.  Cells ascend. */
struct batch {
	size_t count;
	uint16_t cell[LOG_CELLS];
	int64_t field[LOG_FIELDS][LOG_CELLS];
};

/* Bytes of a piece at most: a head, cells, fields, and some to spare. */
#define LOG_PIECE_MAX        \
	(4 + LOG_CELLS * 2 + \
	    LOG_FIELDS * (3 + LOG_CELLS / 4 + LOG_CELLS * 8) + 8)

/* Room to work in, for one log at a time: a batch for the caller, and what
 * merging needs. */
struct log_scratch {
	struct batch batch;
	uint16_t piece[LOG_PIECE_MAX / 2 + 1];
};

/* Where values are put: [field][cell of the log]. */
typedef int64_t *log_columns[LOG_FIELDS];

void log_fini(struct log *l);

/* The change of snapshot `id`, which is newer than all before: the batch in
 * `s`. */
void log_append(struct log *l, uint32_t id, struct log_scratch *s);

/* The values at `id` of the fields in `mask`, in place of what is in `to`. */
void log_read(
    const struct log *l, uint32_t id, unsigned mask, const log_columns to);
/* The same, where `to` holds the values at `from`, which is not newer. */
void log_advance(const struct log *l, uint32_t from, uint32_t id, unsigned mask,
    const log_columns to);

/* Of the moments only ids[0..n-1], ascending, are asked for from now on; the
 * last of them is that of the newest change or newer.  Wholes are only made
 * up to `old`. */
void log_merge(struct log *l, const uint32_t *ids, size_t n, uint32_t old,
    struct log_scratch *s);

#endif
