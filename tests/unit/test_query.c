/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/model/query.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "model/query.h"

static void
patterns(void **state)
{
	struct err e;
	struct pattern *p = pattern_new("^a(b|c)+$", &e);

	(void)state;
	assert_true(pattern_matches(p, "abcb"));
	assert_false(pattern_matches(p, "xabcb"));
	pattern_free(p);
	p = pattern_new("loop", &e);
	assert_true(pattern_matches(p, "the_loop_2"));
	pattern_free(p);
	assert_null(pattern_new("a(b", &e));
	assert_string_equal(
	    e.msg, "\"a(b\" is not a regular expression: Unmatched ( or \\(");
	pattern_free(NULL);
}

static void
defaults(void **state)
{
	struct query q;

	(void)state;
	query_init(&q);
	assert_int_equal(q.metric, METRIC_LIVE_BYTES);
	assert_int_equal(q.grouping, GROUP_FUNCTIONS);
	assert_int_equal(q.thread, -1);
	assert_string_equal(metric_label(q.metric), "live bytes");
	assert_string_equal(grouping_label(q.grouping), "function");
	assert_true(metric_is_bytes(METRIC_ALLOC_BYTES));
	assert_false(metric_is_live(METRIC_ALLOC_BYTES));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns),
		cmocka_unit_test(defaults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
