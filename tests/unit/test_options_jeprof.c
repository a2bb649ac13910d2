/* needs: tests/unit/typed.c src/options.c src/options_set.c src/options_table.c
 * src/options_jeprof.c
 * src/options_query.c src/words.c src/quantity.c src/spelling.c
 * src/model/query.c src/model/profile.c src/model/births.c src/model/frames.c
 * src/model/modules.c src/model/stacks.c src/model/history.c
 * src/model/history_log.c src/model/plumbing.c src/model/name.c
 * src/base/arena.c src/base/map.c src/base/strtab.c src/base/utf8.c
 * src/base/err.c src/base/buf.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "options.h"
#include "typed.h"

#define S UINT64_C(1000000000)

/* What only jeprof has. */
static void
test_jeprof(void **state)
{
	(void)state;
	good("-text -show_bytes -base=b.dump a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_TEXT);
	assert_true(o.show_bytes);
	assert_string_equal(o.base, "b.dump");
	good("-p df", MODE_ATTACH);
	assert_string_equal(o.target, "df");
	bad("-tex a.dump", "no option -t");
	good("--gif a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_GIF);
	good("--tools=/x/ --debug-syms-by-id --heapcheck --dot a.dump",
	    MODE_DUMPS);
	good("--interactive a.dump", MODE_DUMPS);
	assert_true(o.interactive);
	bad("--web a.dump",
	    "--web starts a viewer, which heaptop does not; "
	    "give --svg -o heap.svg and open that");
	bad("--disasm=main a.dump", "--list=REGEX shows source lines");
	bad("--disasm main a.dump", "--list=REGEX shows source lines");
	bad("--total_delay a.dump", "--total-delay is about locks");
	bad("--nocum a.dump", "--nocum is what there is without --cum");
	bad("--no-drop_negative a.dump", "without --drop-negative");
	bad("--nofocus a.dump", "no option --nofocus");
	/* in no other's way, and in no list */
	good("--te a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_TEXT);
	good("--inter=3 prog", MODE_LAUNCH);
	assert_int_equal(o.interval_ns, 3 * S);
	good("--interactiv a.dump", MODE_DUMPS);
	bad("--s a.dump",
	    "--svg, --speedscope, --sizes, --stats, --stacks, "
	    "--show-bytes, --sum, --show, --seconds; type");
}

/* --sum is about dumps: options go on behind a program, which is not run. */
static void
test_sum(void **state)
{
	(void)state;
	good("--sum prog a.dump --lines b.dump --text", MODE_DUMPS);
	assert_string_equal(o.binary, "prog");
	assert_int_equal(o.dump_count, 2);
	assert_int_equal(o.grouping, GROUP_LINES);
	assert_int_equal(o.report, REPORT_TEXT);
	good("--sum prog --text a.dump", MODE_DUMPS);
	good("--sum prog x.heap", MODE_DUMPS);
	bad("--sum prog", "'prog' is no dump");
	bad("--sum prog other", "'other' is no dump");
	bad("--sum prog lost", "'lost' is no file");
	bad("--sum lost:80/pprof/heap", "heaptop fetches none");
	bad("--sum -b a.dump", "--sum adds up");
	bad("--sum -p 1", "--sum adds up");
	bad("--sum --nodecount=3 a.dump", "give --text or another report");
	/* with no screen it becomes a report */
	good("--sum prog a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_NONE);
	assert_int_equal(o.grouping, GROUP_FUNCTIONS);
	options_default_report(&o);
	assert_int_equal(o.report, REPORT_TEXT);
	good("--sum --dot a.dump", MODE_DUMPS);
	options_default_report(&o);
	assert_int_equal(o.report, REPORT_DOT);
	good("a.dump", MODE_DUMPS);
	options_default_report(&o);
	assert_int_equal(o.report, REPORT_NONE);
	good("--sum --text -- prog -x", MODE_LAUNCH);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jeprof),
		cmocka_unit_test(test_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
