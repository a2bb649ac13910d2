/* needs: prof/rate.c prof/os.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>
#include <unistd.h>

#include "prof/rate.h"
#include "prof/tablewrite.h"

#define MS UINT64_C(1000000)

/* The table is not open: a rate is set before it all the same. */
struct table_head *
table_head(void)
{
	return NULL;
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 * MS + (uint64_t)t.tv_nsec;
}

/* The rows of a dump want the finest rate that any of their samples was taken
 * at; what was only set while sampling was off does not count. */
static void
finest(void **state)
{
	(void)state;
	rate_set((struct rate){ 12, false });
	assert_false(rate_ever_active());
	assert_int_equal(rate_finest(), 12);
	rate_set((struct rate){ 19, true });
	assert_true(rate_ever_active());
	assert_int_equal(rate_finest(), 19);
	rate_set((struct rate){ 14, true });
	rate_set((struct rate){ 24, true });
	assert_int_equal(rate_finest(), 14);
	rate_set((struct rate){ 3, false });
	assert_int_equal(rate_finest(), 14);
	rate_set((struct rate){ 24, true });
	assert_int_equal(rate_finest(), 14);
	rate_restart();
	assert_int_equal(rate_finest(), 24);
	assert_int_equal(rate_now().lg, 24);
	rate_set((struct rate){ 0, true });
	assert_int_equal(rate_finest(), 0);
}

/* The times off add up, and the present one says since when. */
static void
time_off(void **state)
{
	uint64_t before = rate_inactive_ns(now()), off;

	(void)state;
	assert_int_equal(rate_off_since(), 0);
	rate_set((struct rate){ 19, false });
	off = rate_off_since();
	assert_true(off != 0 && off <= now());
	rate_set((struct rate){ 20, false }); /* still the same time */
	assert_int_equal(rate_off_since(), off);
	assert_int_equal(rate_inactive_ns(off + 7 * MS), before + 7 * MS);
	usleep(30000);
	rate_set((struct rate){ 20, true });
	assert_true(rate_on_since() > off && rate_on_since() <= now());
	assert_int_equal(rate_off_since(), 0);
	/* the clock is coarse: a few milliseconds either way */
	assert_true(rate_inactive_ns(now()) >= before + 20 * MS);
	before = rate_inactive_ns(now());
	usleep(20000);
	assert_int_equal(rate_inactive_ns(now()), before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finest),
		cmocka_unit_test(time_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
