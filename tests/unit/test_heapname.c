/* needs: src/io/heapname.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/heapname.h"

static void
test_pid(void **state)
{
	(void)state;
	assert_int_equal(heapname_pid("jeprof.2393.0.f.heap"), 2393);
	assert_int_equal(heapname_pid("d/redis.6455.10.i10.heap"), 6455);
	assert_int_equal(heapname_pid("a.b.77.1700000000.m3.heap.gz"), 77);
	assert_int_equal(heapname_pid("/tmp/x.heap"), 0);
	assert_int_equal(heapname_pid("x.1.heap"), 0);
	assert_int_equal(heapname_pid("x.12.3.z4.heap"), 0);
	assert_int_equal(heapname_pid("12.3.f.heap"), 0);
	assert_int_equal(heapname_pid("x.99999999999.3.f.heap"), 0);
	assert_int_equal(heapname_pid("x.12.3.f"), 0);
	assert_int_equal(heapname_pid(""), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_pid) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
