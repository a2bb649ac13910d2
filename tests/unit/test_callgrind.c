/* needs: src/base/ src/model/ src/export/callgrind.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "export/export.h"
#include "model/report.h"
#include "profile_fixture.h"

#define EXPORT export_callgrind
#include "export_fixture.h"

/*
 * Strings count from 1 in order of appearance, stacks from the root.  Each of
 * work and loop is in two stacks; "again" calls itself, which is charged to
 * its outermost call only.  The error is 1.96 * sqrt(400 + 100) = 43.8.
 */
static void
functions(void **state)
{
	struct query q;

	(void)state;
	query_init(&q);
	expect(&q,
	    "# callgrind format\n"
	    "version: 1\n"
	    "creator: heaptop\n"
	    "pid: 41237\n"
	    "cmd: app --fast\n"
	    "desc: Error: 44 of the total, 95 %\n"
	    "desc: Notes: sampled 1/4 KiB\n"
	    "positions: line\n"
	    "event: inuse_space : Live bytes\n"
	    "event: inuse_objects : Live objects\n"
	    "events: inuse_space inuse_objects\n"
	    "summary: 1000 10\n"
	    "\n"
	    "ob=(1) /lib/libc.so.6\nfl=(2) ???\nfn=(3) start\n"
	    "cob=(4) /usr/bin/app\ncfi=(5) work.c\ncfn=(6) work\n"
	    "calls=2 0\n0 900 9\n"
	    "\n"
	    "ob=(4)\nfl=(5)\nfn=(6)\n"
	    "cob=(4)\ncfi=(7) loop.c\ncfn=(8) loop\n"
	    "calls=2 0\n51 900 9\n"
	    "\n"
	    "ob=(4)\nfl=(7)\nfn=(8)\n"
	    "cob=(4)\ncfi=(9) decode.c\ncfn=(10) decode\n"
	    "calls=1 0\n88 600 6\n"
	    "cob=(4)\ncfi=(9)\ncfn=(11) index\n"
	    "calls=1 0\n88 300 3\n"
	    "\n"
	    "ob=(4)\nfl=(9)\nfn=(10)\n"
	    "214 600 6\n"
	    "\n"
	    "ob=(4)\nfl=(9)\nfn=(11)\n"
	    "300 300 3\n"
	    "\n"
	    "ob=(4)\nfl=(12) main.c\nfn=(13) main\n"
	    "cob=(4)\ncfi=(14) app.h\ncfn=(15) tiny(int)\n"
	    "calls=1 0\n33 100 1\n"
	    "\n"
	    "ob=(4)\nfl=(14)\nfn=(15)\n"
	    "cob=(4)\ncfi=(16) lru.c\ncfn=(17) again\n"
	    "calls=1 0\n7 100 1\n"
	    "\n"
	    "ob=(4)\nfl=(16)\nfn=(17)\n"
	    "cob=(4)\ncfi=(16)\ncfn=(17)\n"
	    "calls=1 0\n9 0 0\n"
	    "cob=(4)\ncfi=(16)\ncfn=(18) grow\n"
	    "calls=1 0\n9 100 1\n"
	    "\n"
	    "ob=(4)\nfl=(16)\nfn=(18)\n"
	    "122 100 1\n");
}

/* A name in parentheses is no compressed one, and objects come first if they
 * were asked for. */
static void
names(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_name(p, 1, AT_LOOP, "(7) <&\"\\x", "", 0);
	query_init(&q);
	q.metric = METRIC_ALLOC_OBJECTS;
	q.thread = 2;
	b = render(list, 1, &q);
	assert_non_null(
	    strstr(buf_str(&b), "events: alloc_objects alloc_space\n"));
	assert_non_null(strstr(buf_str(&b), "summary: 3 300\n"));
	assert_non_null(strstr(buf_str(&b), "cfn=(7) (7) <&\"\\x\n"));
	buf_fini(&b);
	profile_free(p);
}

/* Fractions do not get lost: three lines of one function, 0.4 bytes each, are
 * one byte together (1.2). */
static void
fractions(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_name(p, 1, AT_DECODE, "same", "x.c", 1);
	fixture_name(p, 1, AT_INDEX, "same", "x.c", 2);
	fixture_name(p, 1, AT_GROW, "same", "x.c", 3);
	for (uint32_t i = 1; i <= 3; i++)
		fixture_cell(p, i, 1, .4, 1, .4, 1, 0);
	fixture_commit(p, 5);
	query_init(&q);
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b), "summary: 1 3\n"));
	assert_non_null(strstr(buf_str(&b), "1 0 1\n2 1 1\n3 0 1\n"));
	buf_fini(&b);
	profile_free(p);
}

/* 600 has become 500: what went is negative, and only bytes are known. */
static void
difference(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_cell(p, 1, 1, 500, 5, 900, 9, 400);
	fixture_commit(p, 6);
	query_init(&q);
	q.difference = true;
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b), "events: inuse_space\n"));
	assert_non_null(strstr(buf_str(&b), "summary: -100\n"));
	assert_non_null(strstr(buf_str(&b), "214 -100\n"));
	assert_null(strstr(buf_str(&b), "index"));
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(names),
		cmocka_unit_test(fractions),
		cmocka_unit_test(difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
