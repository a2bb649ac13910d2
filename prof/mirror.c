#include "mirror.h"

#include <stddef.h>
#include <string.h>

#include "init.h"
#include "lock.h"
#include "meta.h"
#include "os.h"
#include "tablewrite.h"
#include "thread.h"

#define FREE_BYTES ((size_t)BIRTHS_MAX * sizeof(uint32_t))

static struct {
	struct table_births *births; /* NULL: no table, or no room in it */
	uint8_t generation;          /* of the table */
	bool full;                   /* there will be no more than there are */
	uint32_t *free; /* numbers given back, NULL until there were some */
	uint32_t nfree; /* under the table's lock, as the two above */
	/* A list of numbers given back by who may not wait, + 1, each leading
	 * to the next by its record's `birth`; 0 is its end. */
	uint32_t stray;
} mirror;

/* Where the segments are: what births->dir says, as addresses. */
static struct table_birth *segment[BIRTH_SEGS];

void
mirror_open(struct table_births *births)
{
	births->start_ns = init_ticks_start_ns();
	births->count = 1; /* 0 is nobody's */
	mirror.births = births;
	mirror.generation = table_generation();
}

void
mirror_forked(void)
{
	if (mirror.free) {
		os_unmap(mirror.free, FREE_BYTES);
		meta_unnote(mirror.free, FREE_BYTES);
	}
	if (mirror.births)
		memset(&mirror, 0, sizeof mirror);
}

static struct table_birth *
birth_at(uint32_t number)
{
	return __atomic_load_n(&segment[number / BIRTH_SEG], __ATOMIC_ACQUIRE) +
	    number % BIRTH_SEG;
}

/* ---- numbers --------------------------------------------------------------- */

static void
make_free(void)
{
	mirror.free = os_map(FREE_BYTES);
	if (mirror.free)
		meta_note(mirror.free, FREE_BYTES);
}

/* Under the lock. */
static void
keep_free(uint32_t number)
{
	if (!mirror.free)
		make_free();
	if (mirror.free && mirror.nfree < BIRTHS_MAX)
		mirror.free[mirror.nfree++] = number;
}

/* Under the lock.  What is taken is taken whole, so that nobody can put back
 * in between what was there. */
static void
collect_strays(void)
{
	uint32_t next = __atomic_exchange_n(&mirror.stray, 0, __ATOMIC_ACQUIRE);

	while (next) {
		uint32_t number = next - 1;

		next =
		    __atomic_load_n(&birth_at(number)->birth, __ATOMIC_RELAXED);
		keep_free(number);
	}
}

/* Under the lock: a number that nobody had yet, or 0. */
static uint32_t
new_number(void)
{
	struct table_births *b = mirror.births;
	uint32_t n = b->count, off;
	void *at;

	if (mirror.full || n == BIRTHS_MAX) {
		mirror.full = true;
		return 0;
	}
	if (b->dir[n / BIRTH_SEG] == 0) {
		off = table_append(BIRTH_SEG * sizeof(struct table_birth), &at);
		if (off == 0) {
			mirror.full = true;
			return 0;
		}
		__atomic_store_n(&segment[n / BIRTH_SEG], at, __ATOMIC_RELEASE);
		__atomic_store_n(&b->dir[n / BIRTH_SEG], off, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&b->count, n + 1, __ATOMIC_RELEASE);
	return n;
}

/* Under the lock: up to `most` numbers. */
static unsigned
take_some(uint32_t *to, unsigned most)
{
	unsigned n = 0;

	if (__atomic_load_n(&mirror.stray, __ATOMIC_RELAXED))
		collect_strays();
	while (n < most && mirror.nfree > 0)
		to[n++] = mirror.free[--mirror.nfree];
	while (n < most) {
		to[n] = new_number();
		if (to[n] == 0)
			break;
		n++;
	}
	return n;
}

/* Nothing was given back that could be had. */
static bool
exhausted(void)
{
	return __atomic_load_n(&mirror.full, __ATOMIC_RELAXED) &&
	    __atomic_load_n(&mirror.nfree, __ATOMIC_RELAXED) == 0 &&
	    __atomic_load_n(&mirror.stray, __ATOMIC_RELAXED) == 0;
}

/* How thinly samples are told, in steps of a factor of 8. */
static unsigned
thinness(void)
{
	uint32_t used =
	    __atomic_load_n(&mirror.births->count, __ATOMIC_RELAXED) -
	    __atomic_load_n(&mirror.nfree, __ATOMIC_RELAXED);

	return used < MIRROR_ALL  ? 0
	    : used < MIRROR_EIGHT ? 1
	    : used < MIRROR_64    ? 2
				  : 3;
}

/* What a thread held in another table is nothing here. */
static void
settle(struct thread *t)
{
	if (t->births_generation == mirror.generation)
		return;
	t->births_held = 0;
	t->births_thin = 0;
	t->births_generation = mirror.generation;
}

/* 0: there is none. */
static uint32_t
take(struct thread *t)
{
	uint32_t number = 0;

	if (t && t->births_held > 0)
		return t->births[--t->births_held];
	if (exhausted())
		return 0;
	table_lock();
	if (t) {
		t->births_held = (uint8_t)take_some(t->births, MIRROR_SOME);
		t->births_thin = (uint8_t)thinness();
	} else {
		take_some(&number, 1);
	}
	table_unlock();
	return t && t->births_held > 0 ? t->births[--t->births_held] : number;
}

/* Under the lock. */
static void
give_back(struct thread *t, unsigned keep)
{
	while (t->births_held > keep)
		keep_free(t->births[--t->births_held]);
	t->births_thin = (uint8_t)thinness();
}

/* By chance, whether the next sample is to be told.  The constants are from
 * Numerical Recipes, 2nd ed., p. 284; the high bits are the random ones.  All
 * threads begin with the same ones, and many end soon: so the thread's own
 * random bits come in. */
static bool
lucky(struct thread *t)
{
	if (t->births_thin == 0)
		return true;
	t->births_luck = t->births_luck * 1664525u + 1013904223u;
	return (t->births_luck ^ (uint32_t)(t->rng >> 32)) >>
	    (32 - 3 * t->births_thin) ==
	    0;
}

static void
push_stray(uint32_t number)
{
	struct table_birth *b = birth_at(number);
	uint32_t next = __atomic_load_n(&mirror.stray, __ATOMIC_RELAXED);

	do {
		__atomic_store_n(&b->birth, next, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&mirror.stray, &next, number + 1,
	    true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* A thread inside the profiler may hold the lock, or be taking a number: a
 * signal handler has come in between. */
static void
give(struct thread *t, uint32_t number)
{
	if (!t || t->inside) {
		push_stray(number);
		return;
	}
	settle(t);
	if (t->births_held == MIRROR_HELD) {
		t->inside++;
		table_lock();
		give_back(t, MIRROR_HELD - MIRROR_SOME);
		table_unlock();
		t->inside--;
	}
	t->births[t->births_held++] = number;
}

void
mirror_thread_end(struct thread *t)
{
	if (t->births_held == 0 || !table_head())
		return;
	settle(t);
	table_lock();
	give_back(t, 0);
	table_unlock();
}

/* ---- births ---------------------------------------------------------------- */

static void
tell(uint32_t number)
{
	table_stamp_both(&birth_at(number)->stamp,
	    &mirror.births->stamp[number / BIRTH_SEG]);
}

static void
count_untold(uint32_t n)
{
	__atomic_add_fetch(&mirror.births->untold, n, __ATOMIC_RELAXED);
}

uint32_t
mirror_born(struct thread *t, uint32_t cell, uint64_t size, unsigned lg_sample,
    uint32_t birth)
{
	struct table_birth *b;
	uint32_t number;
	unsigned lg_thin;

	if (!mirror.births)
		return 0;
	if (t) {
		settle(t);
		if (!lucky(t))
			return 0;
	}
	lg_thin = t ? 3u * t->births_thin : 0;
	number = take(t);
	if (number == 0) {
		count_untold(1);
		return MIRROR_UNTOLD;
	}
	b = birth_at(number);
	__atomic_store_n(&b->birth, birth, __ATOMIC_RELAXED);
	__atomic_store_n(&b->size, birth_pack(size), __ATOMIC_RELAXED);
	__atomic_store_n(
	    &b->cell, birth_word(cell, lg_sample, lg_thin), __ATOMIC_RELEASE);
	return number;
}

void
mirror_tell_born(uint32_t number)
{
	if (number && number != MIRROR_UNTOLD)
		tell(number);
}

void
mirror_expect(const struct thread *t)
{
	if (t->births_held > 0 && t->births_generation == mirror.generation)
		__builtin_prefetch(birth_at(t->births[t->births_held - 1]), 1);
}

void
mirror_expect_death(uint32_t number)
{
	if (number && number != MIRROR_UNTOLD)
		__builtin_prefetch(birth_at(number), 1);
}

bool
mirror_died(uint32_t number, uint32_t cell)
{
	uint32_t *word, was;

	if (number == 0)
		return false;
	if (number == MIRROR_UNTOLD) {
		count_untold(UINT32_MAX); /* one less */
		return false;
	}
	word = &birth_at(number)->cell;
	was = __atomic_load_n(word, __ATOMIC_RELAXED);
	if (birth_cell(was) != cell)
		return false;
	if (!(&__libc_single_threaded != NULL && __libc_single_threaded))
		return __atomic_compare_exchange_n(
		    word, &was, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	__atomic_store_n(word, 0, __ATOMIC_RELEASE);
	return true;
}

void
mirror_give(struct thread *t, uint32_t number)
{
	tell(number);
	give(t, number);
}
