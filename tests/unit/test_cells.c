/* needs: prof/cells.c prof/index.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "prof/cells.h"
#include "prof/meta.h"
#include "prof/os.h"
#include "prof/tablewrite.h"
#include "prof/thread.h"

/* A table of one chunk. */
unsigned char *table_chunk[TABLE_CHUNKS];
uint8_t table_number;
static uint32_t used = TABLE_CHUNK / 2;

struct table_head *
table_head(void)
{
	return (struct table_head *)(void *)table_chunk[0];
}

uint32_t
table_append(size_t len, void **at)
{
	uint32_t off = used;

	if (len > TABLE_CHUNK - used)
		return 0;
	used += (uint32_t)len;
	*at = table_ptr(off);
	return off;
}

void
table_lock(void)
{
}

void
table_unlock(void)
{
}

void
table_lost(enum loss what)
{
	(void)what;
}

void *
os_map(size_t size)
{
	return calloc(1, size);
}

void
meta_note(const void *p, size_t size)
{
	(void)p;
	(void)size;
}

static int
setup(void **state)
{
	(void)state;
	table_chunk[0] = calloc(1, TABLE_CHUNK);
	table_head()->slots = 1;
	table_head()->pull = 1;
	return 0;
}

static struct table_cell *
cell(uint32_t id)
{
	return (struct table_cell *)table_ptr(table_head()->cell_dir[0]) + id -
	    1;
}

static void
one_sample(void **state)
{
	struct weighed w = { 100, 2, 200, 5.5, 0.5 };
	struct thread t = { .tid = 1 };
	uint32_t id = cells_get(&t, 7);

	(void)state;
	assert_int_equal(id, 1);
	assert_int_equal(cells_get(&t, 7), id);
	cells_alloc(id, &w);
	assert_int_equal(cell(id)->alloc_objects, 1);
	assert_int_equal(cell(id)->alloc_bytes, 100);
	cells_free(id, &w, 3); /* 30 ms: [16, 64) */
	assert_int_equal(cell(id)->freed_objects, 1);
	assert_int_equal(cell(id)->freed_est_bytes, 200);
	assert_int_equal(cell(id)->life[2], 1);
	assert_int_equal(cell(id)->begun, cell(id)->done);
	cells_thread_end(&t);
}

/* More are freed than a lifetime's 32 bits can count: it stays at what it can,
 * and does not begin anew. */
static void
lifetimes_stay_full(void **state)
{
	struct weighed w = { 16, 1, 16, 0, 0 };
	struct thread t = { .tid = 2 };
	uint32_t id = cells_get(&t, 8), full;

	(void)state;
	cell(id)->life[0] = UINT32_MAX - 3;
	for (int i = 0; i < 100; i++) {
		cells_alloc(id, &w);
		cells_free(id, &w, 0);
	}
	full = cell(id)->life[0];
	assert_true(full >= UINT32_MAX - 3);
	assert_int_equal(cell(id)->freed_objects, 100);
	cells_thread_end(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sample),
		cmocka_unit_test(lifetimes_stay_full),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
