/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/list.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/export.h"
#include "model/report.h"
#include "profile_fixture.h"

/* Every file has 197 lines, but for one that is not there. */
static const char *
source(void *arg, const char *file, uint32_t first, uint32_t count)
{
	struct buf *b = arg;

	if (strcmp(file, "lru.c") == 0)
		return NULL;
	buf_clear(b);
	for (uint32_t i = first; i < first + count && i <= 197; i++)
		buf_printf(b, i == 52 ? "\tcr\033\r\n" : "text %u\n", i);
	return buf_str(b);
}

static void
expect(struct profile *p, const char *re, bool with_source, const char *want)
{
	const struct profile *list[1] = { p };
	struct buf b = BUF_INIT, text = BUF_INIT;
	struct export_options o;
	struct query q;
	struct report *r;
	struct pattern *pattern = pattern_new(re, NULL);

	query_init(&q);
	q.cut = CUT_ALLOCATOR;
	export_options_init(&o);
	o.show_bytes = true;
	o.list = pattern;
	o.source = with_source ? source : NULL;
	o.source_arg = &text;
	r = report_build(list, 1, &q);
	export_list(r, &o, &b);
	assert_string_equal(buf_str(&b), want);
	report_free(r);
	buf_fini(&b);
	buf_fini(&text);
	pattern_free(pattern);
}

#define NOTES                                                             \
	"sampled 1/4 KiB\n"                                               \
	"only 10 samples: figures are rough; lg_prof_sample:0 (--exact) " \
	"counts everything\n"

/*
 * The function "work" is at line 51 in both big stacks, allocates 600 bytes
 * at 60 and 300 at 200: 900 in all, each stack once.  Lines 51 to 60 are near
 * each other; the file ends before 200.
 */
static void
lines(void **state)
{
	struct profile *p = fixture_profile();

	(void)state;
	fixture_name(p, 1, AT_DECODE, "work", "work.c", 60);
	fixture_name(p, 1, AT_INDEX, "work", "work.c", 200);
	expect(p, "^wor", true,
	    "Total: 1000 B\n"
	    "ROUTINE ====================== work in work.c\n"
	    "   900    900 Total B (flat / cumulative)\n"
	    "     .      .   46: text 46\n"
	    "     .      .   47: text 47\n"
	    "     .      .   48: text 48\n"
	    "     .      .   49: text 49\n"
	    "     .      .   50: text 50\n"
	    "---\n"
	    "     .    900   51: text 51\n"
	    "     .      .   52: \tcr?\n"
	    "     .      .   53: text 53\n"
	    "     .      .   54: text 54\n"
	    "     .      .   55: text 55\n"
	    "     .      .   56: text 56\n"
	    "     .      .   57: text 57\n"
	    "     .      .   58: text 58\n"
	    "     .      .   59: text 59\n"
	    "   600    600   60: text 60\n"
	    "---\n"
	    "     .      .   61: text 61\n"
	    "     .      .   62: text 62\n"
	    "     .      .   63: text 63\n"
	    "     .      .   64: text 64\n"
	    "     .      .   65: text 65\n"
	    "...\n"
	    "     .      .  195: text 195\n"
	    "     .      .  196: text 196\n"
	    "     .      .  197: text 197\n"
	    "work.c ends before line 200: it is not what the program was built "
	    "of\n"
	    "   300    300  200: \n" NOTES);
	profile_free(p);
}

/* "again" calls itself: its stack counts once.  "start" has no file, lru.c
 * is not there; an inlined function is one of its own. */
static void
unreadable(void **state)
{
	struct profile *p = fixture_profile();

	(void)state;
	expect(p, "again|start|grow|tiny", true,
	    "Total: 1000 B\n"
	    "ROUTINE ====================== again in lru.c\n"
	    "     .    100 Total B (flat / cumulative)\n"
	    "lru.c cannot be read here; HEAPTOP_SOURCE_PATH says where its "
	    "source is\n"
	    "     .    100    9: \n"
	    "ROUTINE ====================== grow in lru.c\n"
	    "   100    100 Total B (flat / cumulative)\n"
	    "lru.c cannot be read here; HEAPTOP_SOURCE_PATH says where its "
	    "source is\n"
	    "   100    100  122: \n"
	    "ROUTINE ====================== start in ??\n"
	    "     .    900 Total B (flat / cumulative)\n"
	    "no source lines are known of it: build with -g, or install its "
	    "debug symbols\n"
	    "ROUTINE ====================== tiny in app.h\n"
	    "     .    100 Total B (flat / cumulative)\n"
	    "     .      .    2: text 2\n"
	    "     .      .    3: text 3\n"
	    "     .      .    4: text 4\n"
	    "     .      .    5: text 5\n"
	    "     .      .    6: text 6\n"
	    "---\n"
	    "     .    100    7: text 7\n"
	    "---\n"
	    "     .      .    8: text 8\n"
	    "     .      .    9: text 9\n"
	    "     .      .   10: text 10\n"
	    "     .      .   11: text 11\n"
	    "     .      .   12: text 12\n" NOTES);
	expect(p, "nobody", true,
	    "Total: 1000 B\n"
	    "no function with memory of its own or below it matches "
	    "'nobody'\n" NOTES);
	expect(p, "loop", false,
	    "Total: 1000 B\n"
	    "ROUTINE ====================== loop in loop.c\n"
	    "     .    900 Total B (flat / cumulative)\n"
	    "loop.c cannot be read here; HEAPTOP_SOURCE_PATH says where its "
	    "source is\n"
	    "     .    900   88: \n" NOTES);
	profile_free(p);
}

/* A line may be missing, be the first or the last there can be. */
static void
odd_lines(void **state)
{
	struct profile *p = fixture_profile();

	(void)state;
	fixture_name(p, 1, AT_DECODE, "work", "work.c", 0);
	fixture_name(p, 1, AT_INDEX, "work", "work.c", UINT32_MAX);
	fixture_name(p, 1, AT_WORK, "work", "work.c", 1);
	expect(p, "work", true,
	    "Total: 1000 B\n"
	    "ROUTINE ====================== work in work.c\n"
	    "   900    900 Total B (flat / cumulative)\n"
	    "   600    600    ?: (line not known)\n"
	    "---\n"
	    "     .    900    1: text 1\n"
	    "---\n"
	    "     .      .    2: text 2\n"
	    "     .      .    3: text 3\n"
	    "     .      .    4: text 4\n"
	    "     .      .    5: text 5\n"
	    "     .      .    6: text 6\n"
	    "...\n"
	    "work.c cannot be read here; HEAPTOP_SOURCE_PATH says where its "
	    "source is\n"
	    "   300    300 4294967295: \n" NOTES);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines),
		cmocka_unit_test(unreadable),
		cmocka_unit_test(odd_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
