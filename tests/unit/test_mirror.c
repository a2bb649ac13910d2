/* needs: prof/mirror.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prof/init.h"
#include "prof/lock.h"
#include "prof/meta.h"
#include "prof/mirror.h"
#include "prof/os.h"
#include "prof/tablewrite.h"
#include "prof/thread.h"

/* A table of some chunks, of which so many bytes are used. */
#define CHUNKS 8u
unsigned char *table_chunk[TABLE_CHUNKS];
uint8_t table_number;
static uint32_t used, limit;
static unsigned locks;
static struct table_births *births;

struct table_head *
table_head(void)
{
	return (struct table_head *)(void *)table_chunk[0];
}

uint32_t
table_append(size_t len, void **at)
{
	uint32_t off = used;

	assert_int_equal(locks, 1);
	if (used % TABLE_CHUNK + len > TABLE_CHUNK)
		off = (used / TABLE_CHUNK + 1) * TABLE_CHUNK;
	if (off + len > limit)
		return 0;
	used = off + (uint32_t)len;
	*at = table_ptr(off);
	return off;
}

void
table_lock(void)
{
	locks++;
}

void
table_unlock(void)
{
	locks--;
}

uint64_t
init_ticks_start_ns(void)
{
	return 4711;
}

void *
os_map(size_t size)
{
	return calloc(1, size);
}

void
os_unmap(void *p, size_t size)
{
	(void)size;
	free(p);
}

void
meta_note(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

void
meta_unnote(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

static int
setup(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CHUNKS; i++)
		table_chunk[i] = calloc(1, TABLE_CHUNK);
	limit = CHUNKS * TABLE_CHUNK;
	used = TABLE_CHUNK / 2;
	table_head()->pull = 7;
	births = table_ptr(TABLE_CHUNK / 4);
	mirror_open(births);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	assert_int_equal(locks, 0);
	table_number++;
	mirror_forked();
	for (unsigned i = 0; i < CHUNKS; i++)
		free(table_chunk[i]);
	return 0;
}

static const struct table_birth *
record(uint32_t number)
{
	uint32_t at = births->dir[number / BIRTH_SEG];

	assert_true(at != 0 && number < births->count);
	return (const struct table_birth *)table_ptr(at) + number % BIRTH_SEG;
}

static void
die(struct thread *t, uint32_t number, uint32_t cell)
{
	assert_true(mirror_died(number, cell));
	mirror_give(t, number);
}

static void
one_life(void **state)
{
	struct thread t = { 0 };
	uint32_t n = mirror_born(&t, 5, UINT64_C(3) << 30, 12, 99), again;

	(void)state;
	assert_int_equal(births->start_ns, 4711);
	assert_true(n != 0 && n != MIRROR_UNTOLD);
	assert_int_equal(birth_cell(record(n)->cell), 5);
	assert_int_equal(birth_lg_sample(record(n)->cell), 12);
	assert_int_equal(birth_lg_thin(record(n)->cell), 0);
	assert_int_equal(record(n)->birth, 99);
	assert_true(birth_unpack(record(n)->size) == UINT64_C(3) << 30);
	mirror_tell_born(n);
	assert_int_equal(record(n)->stamp, 7);
	assert_int_equal(births->stamp[n / BIRTH_SEG], 7);

	/* of another cell, or dead already: nothing is given back twice */
	assert_false(mirror_died(n, 6));
	table_head()->pull = 8;
	die(&t, n, 5);
	assert_int_equal(record(n)->cell, 0);
	assert_int_equal(record(n)->stamp, 8);
	assert_false(mirror_died(n, 5));
	again = mirror_born(&t, 6, 16, 0, 100);
	assert_int_equal(again, n);
	mirror_thread_end(&t);
	assert_int_equal(t.births_held, 0);
}

/* Numbers go round: what one thread takes another gives back, and one that
 * may not wait does. */
static void
numbers_go_round(void **state)
{
	struct thread a = { 0 }, b = { 0 }, busy = { .inside = 1 };
	static uint32_t held[1000];
	static bool taken[4096];

	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		memset(taken, 0, sizeof taken);
		for (unsigned i = 0; i < 1000; i++) {
			held[i] = mirror_born(i % 3 ? &a : NULL, 1, 8, 0, 1);
			assert_in_range(held[i], 1, 4095);
			assert_false(taken[held[i]]);
			taken[held[i]] = true;
		}
		for (unsigned i = 0; i < 1000; i++)
			die(i % 5 == 0       ? &busy
				: i % 5 == 1 ? NULL
					     : &b,
			    held[i], 1);
	}
	assert_true(births->count < 1200);
	mirror_thread_end(&a);
	mirror_thread_end(&b);
}

/* No room for another segment: the rest is counted, as long as it lives. */
static void
a_full_table(void **state)
{
	struct thread t = { 0 };
	static uint32_t held[BIRTH_SEG + 100];
	unsigned untold = 0;

	(void)state;
	limit = used + BIRTH_SEG * sizeof(struct table_birth);
	for (unsigned i = 0; i < BIRTH_SEG + 100; i++) {
		held[i] = mirror_born(&t, 1, 8, 0, 1);
		mirror_tell_born(held[i]);
		untold += held[i] == MIRROR_UNTOLD;
	}
	assert_int_equal(untold, 101); /* 0 is nobody's number */
	assert_int_equal(births->untold, 101);
	for (unsigned i = 0; i < BIRTH_SEG + 100; i++) {
		if (held[i] == MIRROR_UNTOLD)
			assert_false(mirror_died(held[i], 1));
		else
			die(&t, held[i], 1);
	}
	assert_int_equal(births->untold, 0);
	assert_true(mirror_born(&t, 1, 8, 0, 1) != MIRROR_UNTOLD);
	mirror_thread_end(&t);
}

/* Of very many only some are told, and stand for all: the sum of 2^lg_thin is
 * unbiased; that of each has variance 2^k (2^k - 1) by what is told. */
static void
thinning(void **state)
{
	const uint32_t all = 1000000;
	struct thread t = { 0 };
	uint32_t told = 0;
	double sum = 0, var = 0;

	(void)state;
	for (uint32_t i = 0; i < all; i++) {
		uint32_t n = mirror_born(&t, 1, 8, 0, 1);
		double w;

		assert_true(n != MIRROR_UNTOLD);
		if (n == 0)
			continue;
		w = ldexp(1, (int)birth_lg_thin(record(n)->cell));
		told++;
		sum += w;
		var += w * (w - 1);
		/* all of the first are told; those in hand count, too */
		assert_true(i + MIRROR_HELD > MIRROR_ALL || w == 1);
	}
	assert_in_range(told, MIRROR_EIGHT, MIRROR_64);
	assert_true(fabs(sum - all) < 5 * sqrt(var));
	assert_int_equal(births->untold, 0);
	mirror_thread_end(&t);
}

/* Many threads that live for ten samples each: of these, too, as many are told
 * as there should be.  The first of each is told for itself. */
static void
many_short_threads(void **state)
{
	const uint32_t all = 200000;
	struct thread t = { 0 };
	double sum = 0, var = 0;

	(void)state;
	for (uint32_t i = 0; i < MIRROR_ALL; i++)
		mirror_born(&t, 1, 8, 0, 1);
	mirror_thread_end(&t);
	for (uint32_t i = 0; i < all; i++) {
		uint32_t n;
		double w;

		if (i % 10 == 0) {
			mirror_thread_end(&t);
			memset(&t, 0, sizeof t);
			/* as sample_thread_start() does */
			t.rng = 12345 + i * UINT64_C(0xd1342543de82ef95);
		}
		n = mirror_born(&t, 1, 8, 0, 1);
		assert_true(n != MIRROR_UNTOLD);
		if (n == 0)
			continue;
		w = ldexp(1, (int)birth_lg_thin(record(n)->cell));
		sum += w;
		var += w * (w - 1);
	}
	assert_true(fabs(sum - all) < 5 * sqrt(var));
	mirror_thread_end(&t);
}

/* What a thread held in its parent's table is nothing in the child's. */
static void
after_a_fork(void **state)
{
	struct thread t = { 0 };
	struct table_births *other;
	uint32_t n;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		n = mirror_born(&t, 1, 8, 0, 1);
	assert_true(t.births_held > 0);
	mirror_forked();
	table_number++;
	assert_int_equal(mirror_born(&t, 1, 8, 0, 1), 0); /* not open yet */
	other = births + 1;
	births = other;
	mirror_open(births);
	n = mirror_born(&t, 3, 8, 0, 1);
	assert_in_range(n, 1, MIRROR_SOME);
	assert_int_equal(birth_cell(record(n)->cell), 3);
	mirror_thread_end(&t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_life),
		TEST(numbers_go_round),
		TEST(a_full_table),
		TEST(thinning),
		TEST(many_short_threads),
		TEST(after_a_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
