/*
 * THE TABLE: all that the profiler knows of a process, laid out so that it
 * can be read from outside while the process runs and after it died.
 *
 * The table is a sequence of chunks of 1 MiB, at most 1,024 of them; places
 * in it are byte offsets from its start (uint32_t, 0 is none), never
 * pointers.  No object straddles a chunk.  In the target it normally lives in
 * a memfd that the helper thread made in its own descriptor table; heaptop
 * holds a copy of that descriptor and reads it with pread after the process
 * died.  Without a helper it is anonymous memory.
 *
 * Modules, stacks and cells are arrays that only grow, each in segments whose
 * places are in the head's directories; an id counts from 1, entry id is at
 * segment (id - 1) / SEG, index (id - 1) % SEG.  A count in the head is
 * raised (release) after the entry is whole, so who reads the count first
 * (acquire) sees whole entries.
 *
 * Beside them stand the births of live samples, in records that are used again
 * and again; see struct table_births.
 *
 * This header is the layout alone and is shared with heaptop; who writes and
 * under which locks is said in tablewrite.h.  A reader outside must check
 * every offset: a dying program may have scribbled over it.
 */
#ifndef PROF_TABLE_H
#define PROF_TABLE_H

#include <stdint.h>

#include "format.h"

#define TABLE_MAGIC  UINT64_C(0x3130454c42415448) /* "HTABLE01" */
#define TABLE_CHUNK  (1u << 20)
#define TABLE_CHUNKS 1024u
#define TABLE_SLOTS  1024u

#define MODULE_SEG  64u
#define MODULE_SEGS 1024u /* ids up to 65,535: what a frame can hold */
#define STACK_SEG   2048u
#define STACK_SEGS  2048u
#define CELL_SEG    256u
#define CELL_SEGS   8192u
#define SLOT_SEG    64u
#define SLOT_SEGS   (TABLE_SLOTS / SLOT_SEG)
#define BIRTH_SEG   1024u
#define BIRTH_SEGS  256u

struct table_module {
	uint64_t start, end, bias;
	uint32_t path; /* offset of path_len bytes */
	uint16_t path_len;
	uint8_t build_id_len;
	uint8_t zero;
	uint8_t build_id[BUILD_ID_MAX];
};

struct table_stack {
	uint32_t
	    frames; /* offset of `count` uint64_t, see struct stack_frame */
	uint16_t count;
	uint16_t flags; /* enum stack_flag */
};

enum slot_state {
	SLOT_FREE,
	SLOT_LIVE,
	SLOT_ENDED
};

struct table_slot {
	uint32_t tid;
	uint8_t state; /* enum slot_state */
	uint8_t name_len;
	uint16_t zero;
	uint32_t stamp; /* value of head.pull at the last change */
	uint32_t zero2;
	char name[16];
};

/*
 * The figures of one (stack, thread slot).  What was allocated and what was
 * freed are kept apart, live is the difference.  The slot's own thread alone
 * adds to what was allocated (in slot 0, whoever comes, atomically); anyone
 * adds to what was freed, atomically.  `begun` is raised before a change and
 * `done` after it: a reader that finds them equal before and after reading
 * has read consistent figures.  est and var as in struct cell_frame.
 */
struct table_cell {
	uint32_t stack;
	uint16_t slot;
	uint16_t zero;
	uint32_t begun, done;
	uint32_t stamp; /* value of head.pull at the last change */
	uint32_t zero2;
	uint64_t alloc_objects, alloc_bytes;
	uint64_t alloc_est_objects, alloc_est_bytes;
	double alloc_var_bytes, alloc_var_objects;
	uint64_t freed_objects, freed_bytes;
	uint64_t freed_est_objects, freed_est_bytes;
	double freed_var_bytes, freed_var_objects;
	uint32_t life[LIFE_BUCKETS];
	uint32_t zero3[6];
};

/*
 * What is known of one live sample, beside its cell.  A record belongs to one
 * sample at a time; `cell` is written last and cleared first, so who finds the
 * same contents twice in a row has read those of one sample.
 */
struct table_birth {
	uint32_t cell;  /* see birth_word(); 0: nobody's, the rest is void */
	uint32_t birth; /* ticks since start_ns */
	uint32_t size;  /* usable size, see birth_pack() */
	uint32_t stamp; /* value of head.pull at the last change */
};

/*
 * The births, in segments as the arrays above, but numbers count from 0 and
 * records are used again.  There are at most BIRTH_SEG * BIRTH_SEGS: samples
 * beyond are counted in cells alone.
 */
struct table_births {
	uint64_t start_ns;          /* CLOCK_MONOTONIC of tick 0 */
	uint32_t count;             /* records are below this */
	uint32_t untold;            /* live samples without a record */
	uint32_t stamp[BIRTH_SEGS]; /* the highest in each segment, or above */
	uint32_t dir[BIRTH_SEGS];
};

#define BIRTH_TICK_NS UINT64_C(10000000)

/* A cell with the rate of the sample, and by what chance it is here: 1 in
 * 2^lg_thin, a multiple of 3 up to THIN_MAX. */
static inline uint32_t
birth_word(uint32_t cell, unsigned lg_sample, unsigned lg_thin)
{
	return cell << 8 | lg_thin / 3 << 6 | lg_sample;
}

static inline uint32_t
birth_cell(uint32_t word)
{
	return word >> 8;
}

static inline unsigned
birth_lg_sample(uint32_t word)
{
	return word & 63;
}

static inline unsigned
birth_lg_thin(uint32_t word)
{
	return 3 * (word >> 6 & 3);
}

/* Sizes from 2 GiB on are kept in pages of 4 KiB. */
static inline uint32_t
birth_pack(uint64_t size)
{
	if (size < UINT32_C(1) << 31)
		return (uint32_t)size;
	size >>= 12;
	return UINT32_C(1) << 31 |
	    (size < UINT32_C(1) << 31 ? (uint32_t)size : 0x7fffffffu);
}

static inline uint64_t
birth_unpack(uint32_t size)
{
	return size >> 31 ? (uint64_t)(size & 0x7fffffffu) << 12 : size;
}

/* Where the library's memory lies: the page heap's mappings, and those of its
 * own data outside the table and the library's file.  As of the exact
 * figures. */
enum extents_kind {
	EXTENTS_HEAP,
	EXTENTS_OWN,
	EXTENTS_KINDS
};

#define EXTENTS_MAX   126u
#define EXTENTS_MAGIC UINT64_C(0x544e455458450a)

struct table_extents {
	uint32_t count;
	uint32_t zero;
	uint64_t missed; /* bytes of further ones */
	struct {
		uint64_t start, bytes;
	} at[EXTENTS_MAX];
};

struct table_head {
	uint64_t magic;
	uint32_t version; /* FORMAT_VERSION */
	uint32_t chunks;  /* chunks in use */
	struct hello hello;
	uint32_t image; /* offsets of hello's strings */
	uint32_t command;
	uint8_t build_id[BUILD_ID_MAX];

	uint32_t pull; /* number of pulls begun, by any viewer */
	uint32_t modules, stacks, cells, slots;
	uint32_t lg_sample; /* current rate */
	uint32_t active;
	uint32_t rate_changes;
	uint64_t lost[8]; /* enum loss */

	uint32_t exact_seq; /* odd while `exact` is written */
	uint32_t
	    births; /* place of the struct table_births; 0: there are none */
	struct totals exact; /* the exact figures at exact.exact_ns */

	uint32_t module_dir[MODULE_SEGS];
	uint32_t slot_dir[SLOT_SEGS];
	uint32_t stack_dir[STACK_SEGS];
	uint32_t cell_dir[CELL_SEGS];

	uint64_t extents_magic; /* EXTENTS_MAGIC once they were told */
	struct table_extents extents[EXTENTS_KINDS];
};

_Static_assert(sizeof(struct table_module) == 64, "layout");
_Static_assert(sizeof(struct table_stack) == 8, "layout");
_Static_assert(sizeof(struct table_slot) == 32, "layout");
_Static_assert(sizeof(struct table_cell) == 192, "layout");
_Static_assert(sizeof(struct table_birth) == 16, "layout");
_Static_assert(BIRTH_SEG *BIRTH_SEGS == BIRTHS_MAX, "all have numbers");
_Static_assert(
    CELL_SEG *CELL_SEGS < 1u << 24, "an id and a rate fit into a word");
_Static_assert(sizeof(struct table_head) < TABLE_CHUNK / 4, "layout");

#endif
