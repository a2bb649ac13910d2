/*
 * The births of live samples in the table, for those who look on: which cell,
 * when, how large, at what rate.  What free() goes by is struct record; this
 * is told beside it, so it may be short.  Where many samples live, as when
 * every object is one, only some of the new ones get a number, by chance: the
 * more live, the fewer (MIRROR_ALL and so on), so that they stay in a cache.
 * One that ought to have a number and finds no room is counted as untold.
 *
 * Who takes a number has it alone until it gives it back: nothing is locked
 * in between.  Threads take and give back some at a time, under the table's
 * lock, never while they unwind.
 *
 * Each change is made before the cell's figures are, and told after them:
 *
 *	r->number = mirror_born(t, cell, ...);
 *	cells_alloc(cell, ...);
 *	mirror_tell_born(r->number);
 *
 *	told = mirror_died(n, cell, ...);
 *	cells_free(cell, ...);
 *	if (told)
 *		mirror_give(t, n);
 *
 * Between the two lies the fence that table_stamp() asks for.  One sample may
 * die once: whoever else says so (two threads free the same, or one while
 * another resets) is told no, and gives nothing back.
 */
#ifndef PROF_MIRROR_H
#define PROF_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

struct table_births;
struct thread;

/* Numbers a thread holds at most, and takes or gives back at a time. */
#define MIRROR_HELD 32u
#define MIRROR_SOME 16u

/* With fewer numbers in use all samples get one, from then on one in 8, 64 and
 * at last 512. */
#define MIRROR_ALL   (32u << 10)
#define MIRROR_EIGHT (64u << 10)
#define MIRROR_64    (96u << 10)

#define MIRROR_UNTOLD UINT32_MAX

/* Take a number and fill in its record.  0: it is not one of those that get
 * one; MIRROR_UNTOLD: there is none, which is counted.  `t` may be NULL.  Not
 * for two samples of one thread at a time. */
uint32_t mirror_born(struct thread *t, uint32_t cell, uint64_t size,
    unsigned lg_sample, uint32_t birth);
void mirror_tell_born(uint32_t number);

/* Records lie anywhere in memory: what the thread will write next, or what is
 * known of a number, is fetched while there is other work to be done. */
void mirror_expect(const struct thread *t);
void mirror_expect_death(uint32_t number);

/* The sample is freed; by anyone.  True if its number is to be given back. */
bool mirror_died(uint32_t number, uint32_t cell);
void mirror_give(struct thread *t, uint32_t number);

/* The thread ends: others may have its numbers. */
void mirror_thread_end(struct thread *t);

/* The table is being made: its births.  */
void mirror_open(struct table_births *births);

/* In the child after a fork: everything is forgotten. */
void mirror_forked(void);

#endif
