/*
 * Which sampled objects were alive at which snapshot, and when each was born.
 *
 * Objects are told under numbers that are used again (prof/format.h): a birth
 * under a number that is somebody's else is the death of that one, too.
 * Snapshots are counted as in history.h: an object is alive from the first one
 * after its birth was put to the last one before its death was.  One that
 * lived between two snapshots only was never seen.
 *
 * The dead are kept as long as a retained snapshot has them, and no longer
 * than there is room: the oldest dead are forgotten first, and then nothing
 * is known of the moments they lived in (births_known).  Where even those
 * alive do not fit, what comes is left out and counted.
 *
 * Each stands for 1/p objects, p the probability with which it is here:
 * (1 - exp(-size / 2^lg_sample)) / 2^lg_thin; Horvitz and Thompson's
 * estimator as in prof/sample.h.
 */
#ifndef MODEL_BIRTHS_H
#define MODEL_BIRTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct births;
struct history;

#define BIRTHS_NUMBERS (1u << 20) /* numbers are below this */
#define BIRTHS_TICK_NS UINT64_C(10000000)
#define BIRTHS_CELLS   (1u << 24) /* and their cells below this */
/* How many objects are kept, alive and dead, unless it is set: 5 MiB. */
#define BIRTHS_KEPT (1u << 18)

struct birth {
	uint32_t cell : 24; /* of the profile */
	uint32_t lg_sample : 6;
	uint32_t thin : 2; /* lg_thin is 3 times this */
	uint32_t birth;    /* ticks since births_start_ns() */
	uint32_t size;     /* packed, see birth_size() */
	uint32_t born;     /* first snapshot that has it */
	uint32_t died;     /* first one that has not; 0: none yet */
};

/* One as it is told; its size in bytes. */
struct birth_told {
	uint32_t number;
	uint32_t cell;
	uint64_t size;
	uint32_t birth;
	uint8_t lg_sample, lg_thin; /* 0, 3, 6 or 9 */
};

struct births *births_new(void);
void births_free(struct births *b); /* NULL is fine */
void births_set_kept(struct births *b, uint32_t kept);

/* A dump is told, of a process whose ticks begin at start_ns, which is the
 * same in all; `untold` live samples will not be put.  `whole`: what is not
 * put before the next commit is dead. */
void births_begin(
    struct births *b, uint64_t start_ns, uint64_t untold, bool whole);
/* False if it is nothing that can be: a number, a cell or rates out of bounds,
 * no size. */
bool births_put(struct births *b, const struct birth_told *t);
bool births_put_death(struct births *b, uint32_t number);
/* The next snapshot has been made; history says which are retained. */
void births_commit(struct births *b, const struct history *h);

/* Whether births are told at all, and whether all that lived at a snapshot
 * are known. */
bool births_told(const struct births *b);
uint32_t births_now(const struct births *b); /* the newest snapshot */
bool births_known(const struct births *b, uint32_t snapshot);
/* Some were never told, or left out: those that are known may not be all. */
bool births_short(const struct births *b);
uint64_t births_start_ns(const struct births *b);

/* All that are kept, in no order; borrowed until the next births_put*. */
const struct birth *births_all(const struct births *b, size_t *n);
static inline bool
birth_lives(const struct birth *b, uint32_t snapshot)
{
	return b->born <= snapshot && (b->died == 0 || snapshot < b->died);
}

/* Bytes of an object, and how many it stands for. */
uint64_t birth_size(const struct birth *b);
double birth_weight(const struct birth *b);

size_t births_bytes(const struct births *b); /* memory in use */

#endif
