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

#include "base/err.h"
#include "model/profile.h"
#include "options.h"
#include "quantity.h"
#include "spelling.h"
#include "typed.h"

#define S UINT64_C(1000000000)

static void
test_defaults(void **state)
{
	(void)state;
	good("prog", MODE_LAUNCH);
	assert_int_equal(o.report, REPORT_NONE);
	assert_int_equal(o.metric, METRIC_LIVE_BYTES);
	assert_int_equal(o.grouping, GROUP_STACKS);
	assert_int_equal(o.interval_ns, S);
	assert_int_equal(o.snapshots, 0);
	assert_int_equal(o.sample_bytes, 0);
	assert_int_equal(o.max_depth, 0);
	assert_false(o.batch || o.exact || o.sum);
	assert_null(o.conf);
	assert_null(o.output);
	assert_null(o.target);
}

static void
test_spelling(void **state)
{
	static const char *const same[] = { "--max-depth=7 prog",
		"--max_depth=7 prog", "--max-depth 7 prog", "--max-dep 7 prog",
		"--max-de=7 prog" };

	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		good(same[i], MODE_LAUNCH);
		assert_int_equal(o.max_depth, 7);
		assert_string_equal(o.program[0], "prog");
	}
	good("-bn5 prog", MODE_LAUNCH);
	assert_true(o.batch);
	assert_int_equal(o.snapshots, 5);
	good("-b -n 6 prog", MODE_LAUNCH);
	assert_int_equal(o.snapshots, 6);
	good("-n=7 -b prog", MODE_LAUNCH);
	assert_int_equal(o.snapshots, 7);
	good("--inuse_objects prog", MODE_LAUNCH);
	assert_int_equal(o.metric, METRIC_LIVE_OBJECTS);
	bad("--inuse prog", "--inuse-space, --inuse-objects");
	bad("--t x.dump", "--text, --top, --tree");
	bad("--nothing prog", "no option --nothing");
	bad("-z prog", "no option -z");
}

static void
test_values(void **state)
{
	(void)state;
	bad("-n 0 prog",
	    "-n takes a whole number from 1 to 1000000000, not '0'");
	bad("-n -b prog", "-n takes");
	bad("-n", "-n wants a value: a whole number");
	bad("--interval=x prog", "--interval takes a duration");
	bad("--interval=1ms prog", "from 10ms to 24h");
	bad("--interval", "--interval wants a value");
	bad("-s 0 prog", "-s takes a size");
	bad("--max-depth=5000 prog", "from 1 to 4096");
	bad("--conf=narenas=2 prog", "--conf takes options such as");
	bad("--conf=a:b,c prog", "--conf takes options such as");
	bad("--conf=:1 prog", "--conf takes options such as");
	good("--conf=prof_prefix:/a:b,narenas:2 prog", MODE_LAUNCH);
	bad("--text=5 x.dump", "--text takes no value");
	bad("--top=x x.dump", "--top takes a whole number");
	bad("-o", "-o wants a value");
}

/* To the nearest power of two by ratio: 91 KiB / 64 KiB = 1.42 > sqrt(2)
 * only from 92,682 bytes on. */
static void
test_sample(void **state)
{
	(void)state;
	good("-s 64K prog", MODE_LAUNCH);
	assert_int_equal(o.sample_bytes, 65536);
	assert_false(o.sample_rounded);
	good("-s 92681 prog", MODE_LAUNCH);
	assert_int_equal(o.sample_bytes, 65536);
	assert_true(o.sample_rounded);
	good("-s 92682 prog", MODE_LAUNCH);
	assert_int_equal(o.sample_bytes, 131072);
	good("-s1 prog", MODE_LAUNCH);
	assert_int_equal(o.sample_bytes, 1);
	bad("-s 64K --exact prog", "give one");
	bad("--exact x.dump", "--exact is for a program that heaptop starts");
	bad("-s 4K -p 12", "-s is for a program");
}

static void
test_optional_value(void **state)
{
	(void)state;
	good("--top x.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_TOP);
	assert_int_equal(o.rows, OPTIONS_TOP_ROWS);
	good("--top 20 x.dump", MODE_DUMPS);
	assert_int_equal(o.rows, 20);
	assert_int_equal(o.dump_count, 1);
	good("--top=20 x.dump", MODE_DUMPS);
	assert_int_equal(o.rows, 20);
	good("--top 20x.dump", MODE_DUMPS);
	assert_int_equal(o.rows, OPTIONS_TOP_ROWS);
	good("--text x.dump", MODE_DUMPS);
	assert_int_equal(o.rows, 0);
}

static void
test_program_or_dumps(void **state)
{
	(void)state;
	good("a.dump b.dump", MODE_DUMPS);
	assert_null(o.binary);
	assert_int_equal(o.dump_count, 2);
	assert_string_equal(o.dumps[1], "b.dump");
	good("prog a.dump b.dump", MODE_DUMPS);
	assert_string_equal(o.binary, "prog");
	assert_int_equal(o.dump_count, 2);
	assert_string_equal(o.dumps[0], "a.dump");
	good("prog a.dump -x", MODE_LAUNCH);
	assert_string_equal(o.program[2], "-x");
	assert_null(o.program[3]);
	good("-- prog a.dump", MODE_LAUNCH);
	assert_string_equal(o.program[0], "prog");
	assert_string_equal(o.program[1], "a.dump");
	good("prog -b -- --text", MODE_LAUNCH);
	assert_false(o.batch);
	assert_string_equal(o.program[2], "--");
	assert_string_equal(o.program[3], "--text");
	good("-- prog *.heap", MODE_LAUNCH);
	good("lost", MODE_LAUNCH);
	bad("prog *.heap", "no file '*.heap'");
	bad("prog lost.heap", "no file 'lost.heap'");
	bad("prog lost.heap.1", "no file 'lost.heap.1'");
	bad("prog a.dump lost.heap.gz", "no file 'lost.heap.gz'");
	bad("lost.heap", "put -- before");
	/* named like a dump, and there: why it is none is told later */
	good("other.heap", MODE_DUMPS);
	good("other.heap a.dump", MODE_DUMPS);
	assert_int_equal(o.dump_count, 2);
	good("--text prog other.heap.3", MODE_DUMPS);
	assert_string_equal(o.binary, "prog");
	good("prog other.heap", MODE_LAUNCH);
	good("-- other.heap", MODE_LAUNCH);
	bad("a.dump prog", "'a.dump' is a saved dump and 'prog' is no dump");
	bad("a.dump lost", "no file");
	good("prog lost.heaps", MODE_LAUNCH);
	good("prog --like=lost*", MODE_LAUNCH);
	bad("", "a program, a dump or -p PID is wanted");
	bad("--", "a program, a dump or -p PID is wanted");
}

static void
test_behind_a_dump(void **state)
{
	(void)state;
	good("a.dump --text b.dump --lines", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_TEXT);
	assert_int_equal(o.grouping, GROUP_LINES);
	assert_int_equal(o.dump_count, 2);
	assert_string_equal(o.dumps[0], "a.dump");
	assert_string_equal(o.dumps[1], "b.dump");
}

static void
test_reports(void **state)
{
	(void)state;
	good("--tree -- prog", MODE_LAUNCH);
	assert_int_equal(o.report, REPORT_TREE);
	good("--collapsed -p 12", MODE_ATTACH);
	assert_string_equal(o.target, "12");
	good("--text --text a.dump", MODE_DUMPS);
	bad("--text --top=3 a.dump", "--text and --top are two reports");
	good("--heap a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_HEAP);
	good("--dot --sum -o f a.dump b.dump", MODE_DUMPS);
	assert_true(o.sum);
	assert_string_equal(o.output, "f");
	bad("--tree prog", "put -- before it");
	bad("--tree lost", "'lost' is no file");
	bad("--text prog a.dump other", "'other' is no dump");
	bad("--text --dot a.dump", "--text and --dot are two reports");
	bad("--fail-above=1 -b -- prog",
	    "--fail-above is one report and -b");
	bad("--tree -n1 a.dump", "-n asks for snapshots");
	bad("--sum -b a.dump", "--sum adds up");
}

static void
test_fractions(void **state)
{
	static const char *const wrong[] = { "", "x", "-0.1", "1.1", "101%",
		"5%%", "0,5", "1e-3", "nan" };
	double v;

	(void)state;
	assert_int_equal(quantity_fraction("0.05", &v), 0);
	assert_true(v == 0.05);
	assert_int_equal(quantity_fraction(".5", &v), 0);
	assert_true(v == 0.5);
	assert_int_equal(quantity_fraction("5%", &v), 0);
	assert_true(v == 0.05);
	assert_int_equal(quantity_fraction("1", &v), 0);
	assert_true(v == 1);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (quantity_fraction(wrong[i], &v) == 0)
			fail_msg("'%s' was taken for a fraction", wrong[i]);
}

static void
test_selection(void **state)
{
	struct query q;

	(void)state;
	good("--focus=a|b --ignore x --retain=y --exclude=z --cum --invert "
	     "--min_size=1K --max-size=10K --thread=t3 a.dump",
	    MODE_DUMPS);
	assert_int_equal(options_query(&o, NULL, &q, &e), 0);
	assert_string_equal(q.focus->text, "a|b");
	assert_string_equal(q.ignore->text, "x");
	assert_string_equal(q.show->text, "y");
	assert_string_equal(q.hide->text, "z");
	assert_true(q.order == ORDER_CUM && q.invert);
	assert_true(q.min_size == 1024 && q.max_size == 10240);
	assert_string_equal(o.query.thread, "3");
	assert_int_equal(q.thread, -1); /* of no profile yet */
	/* the last one counts, and no other is left behind */
	good("--show=a --retain=b --focus=x --focus=y a.dump", MODE_DUMPS);
	assert_string_equal(o.query.show->text, "b");
	assert_string_equal(o.query.focus->text, "y");
	good("--thread=* --text a.dump", MODE_DUMPS);
	assert_string_equal(o.query.thread, "*");
	bad("--focus=(a a.dump", "--focus: \"(a\" is not a regular expression");
	bad("--ignore=*_get a.dump", "write '.*_get'");
	bad("--hide= a.dump", "--hide takes a regular expression");
	bad("--thread=x a.dump", "--thread takes the id of a thread");
	bad("--min-size=0 a.dump", "--min-size takes a size");
	bad("--min-size=2K --max-size=2K a.dump", "no object is as large");
	good("--min-size=2K a.dump", MODE_DUMPS);
}

/* A thread is found by the system's id first, then by the dump's. */
static void
test_thread(void **state)
{
	struct profile *p = profile_new();
	struct query q;

	(void)state;
	profile_put_thread(p, 1, 4711, 0, "one");
	profile_put_thread(p, 4, 2, 0, "two");
	good("--thread=4711 a.dump", MODE_DUMPS);
	assert_int_equal(options_query(&o, p, &q, &e), 0);
	assert_int_equal(q.thread, 1);
	good("--thread=2 a.dump", MODE_DUMPS);
	assert_int_equal(options_query(&o, p, &q, &e), 0);
	assert_int_equal(q.thread, 4);
	good("--thread=4 a.dump", MODE_DUMPS);
	assert_int_equal(options_query(&o, p, &q, &e), 0);
	assert_int_equal(q.thread, 4);
	good("--thread=9 a.dump", MODE_DUMPS);
	assert_int_equal(options_query(&o, p, &q, &e), -1);
	assert_string_equal(
	    e.msg, "there is no thread 9; --threads lists those there are");
	profile_free(p);
}

static void
test_limits(void **state)
{
	(void)state;
	good("--dot a.dump", MODE_DUMPS);
	assert_true(o.limits.node_count < 0 && o.limits.edge_fraction < 0);
	good("--dot --nodecount=5 --nodefraction .1 --edgefraction=1% "
	     "--maxdegree 3 a.dump",
	    MODE_DUMPS);
	assert_int_equal(o.limits.node_count, 5);
	assert_int_equal(o.limits.max_degree, 3);
	assert_true(o.limits.node_fraction == .1);
	assert_true(o.limits.edge_fraction == .01);
	bad("--nodecount=5 a.dump", "give --text or another report");
	bad("--dot --nodefraction=2 a.dump", "takes a part of the whole");
	bad("--dot --maxdegree=-1 a.dump", "takes a whole number from 0");
}

static void
test_base(void **state)
{
	(void)state;
	good("--text --base=b.dump a.dump", MODE_DUMPS);
	assert_string_equal(o.base, "b.dump");
	assert_string_equal(o.base_name, "base");
	good("--text --diff_base b.dump a.dump", MODE_DUMPS);
	assert_string_equal(o.base_name, "diff-base");
	good("--text --base=b.dump --drop_negative -- prog", MODE_LAUNCH);
	bad("--base=b.dump a.dump", "give --text or another report");
	bad("--text --base= a.dump", "--base takes the name of a dump");
	bad("--text --seconds=1 --base=b.dump -p 1", "give one of them");
	bad("--text --drop_negative a.dump", "is about a difference");
	good("--text --drop_negative --seconds=1 -p 1", MODE_ATTACH);
}

static void
test_more_reports(void **state)
{
	static const struct {
		const char *line;
		enum report_kind kind;
	} t[] = {
		{ "--svg a.dump", REPORT_SVG },
		{ "--pdf a.dump", REPORT_PDF },
		{ "--ps a.dump", REPORT_PS },
		{ "--png a.dump", REPORT_PNG },
		{ "--flame a.dump", REPORT_FLAMEGRAPH },
		{ "--callg a.dump", REPORT_CALLGRIND },
		{ "--raw a.dump", REPORT_RAW },
		{ "--pprof a.dump", REPORT_PPROF },
		{ "--speed a.dump", REPORT_SPEEDSCOPE },
		{ "--json a.dump", REPORT_JSON },
		{ "--csv a.dump", REPORT_CSV },
		{ "--growth a.dump b.dump", REPORT_GROWTH },
		{ "--sizes a.dump", REPORT_SIZES },
		{ "--stats a.dump", REPORT_STATS },
		{ "--memory a.dump", REPORT_MEMORY },
		{ "--list=x a.dump", REPORT_LIST },
		{ "--list x a.dump", REPORT_LIST },
		{ "--markdown a.dump", REPORT_MARKDOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		good(t[i].line, MODE_DUMPS);
		assert_int_equal(o.report, t[i].kind);
	}
	good("--list=x --list=y a.dump", MODE_DUMPS);
	assert_string_equal(o.list->text, "y");
	bad("--list=( a.dump", "is not a regular expression");
	bad("--list=x --text a.dump", "--list and --text are two reports");
	bad("--growth -p 1", "needs some time");
	good("--growth --seconds=1 -p 1", MODE_ATTACH);
	bad("--growth --base=a.dump b.dump", "compares the dumps given");
}

/* As a shell would read it again. */
static void
test_line(void **state)
{
	(void)state;
	good("a.dump --text --focus=it's|$x b.dump", MODE_DUMPS);
	assert_string_equal(
	    o.line, "heaptop a.dump --text '--focus=it'\\''s|$x' b.dump");
}

static void
test_gates(void **state)
{
	(void)state;
	good("--fail-above=1M a.dump", MODE_DUMPS);
	assert_int_equal(o.report, REPORT_GATES);
	assert_int_equal(o.above.limit, 1048576);
	assert_null(o.above.where);
	assert_null(o.growth.text);
	good("--text --fail-above=10K,x,y -- prog", MODE_LAUNCH);
	assert_int_equal(o.report, REPORT_TEXT);
	assert_int_equal(o.above.limit, 10240);
	assert_string_equal(o.above.where->text, "x,y");
	good("--fail-growth=0,f --base=b.dump a.dump", MODE_DUMPS);
	assert_int_equal(o.growth.limit, 0);
	bad("--fail-above=x a.dump", "takes SIZE or SIZE,REGEX");
	bad("--fail-above=1K,( a.dump", "is not a regular expression");
	bad("--fail-above=1K,*x a.dump", "write '.*x'");
	bad("--fail-above=1K, a.dump", "takes SIZE or SIZE,REGEX");
	bad("--fail-growth=1K a.dump", "is about a difference");
	bad("--fail-above=1K prog", "put -- before it");
	bad("--fail-above=1K -b -- prog", "-b asks for snapshots");
}

/* optimal string alignment: drops, additions, changes, swaps */
static void
test_spelling_distance(void **state)
{
	static const struct {
		const char *typed, *name;
		unsigned far;
	} rows[] = {
		{ "text", "text", 0 }, { "TEXT", "text", 0 },
		{ "show_bytes", "show-bytes", 0 }, { "", "dot", 3 },
		{ "tets", "test", 1 },          /* a swap */
		{ "intervall", "interval", 1 }, /* one more */
		{ "trea", "tree", 1 },          /* another */
		{ "kitten", "sitting", 3 },     /* two others, one more */
	};
	char much[200];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(spelling_distance(rows[i].typed,
				     strlen(rows[i].typed), rows[i].name),
		    rows[i].far);
	memset(much, 'x', sizeof much);
	assert_int_equal(
	    spelling_distance(much, sizeof much, "text"), SPELLING_FAR);
	bad("--shwo_bytes prog", "no option --shwo_bytes (--show-bytes?)");
	bad("--zz prog", "no option --zz; ");
	bad("-b=1 prog", "-b takes no value");
}

static void
test_twice(void **state)
{
	(void)state;
	/* the last one counts, as where an alias is overruled */
	good("-n 4 -n3 --files --lines prog", MODE_LAUNCH);
	assert_int_equal(o.snapshots, 3);
	assert_int_equal(o.grouping, GROUP_LINES);
	good("--inuse_space --alloc_space a.dump", MODE_DUMPS);
	assert_int_equal(o.metric, METRIC_ALLOC_BYTES);
}

static void
test_modes(void **state)
{
	(void)state;
	good("--help", MODE_HELP);
	good("--version prog", MODE_VERSION);
	good("--vers", MODE_VERSION);
	good("-p name -b", MODE_ATTACH);
	bad("-p 1 prog", "-p 1 watches that process; 'prog' has no place");
	bad("-p= -b", "-p takes a process id");
	good("exec prog -b", MODE_EXEC);
	assert_string_equal(o.program[0], "prog");
	assert_string_equal(o.program[1], "-b");
	good("exec -s 4K -- prog", MODE_EXEC);
	assert_int_equal(o.sample_bytes, 4096);
	good("--exact exec a.dump", MODE_EXEC);
	assert_true(o.exact);
	good("exec prog *.heap", MODE_EXEC);
	good("exec -- exec", MODE_EXEC);
	good("-- exec", MODE_LAUNCH);
	good("-- ps", MODE_LAUNCH);
	bad("exec", "exec wants a program");
	bad("exec -b prog", "leave -b away");
	bad("exec --text prog", "leave --text away");
	bad("exec --interval=2 prog", "leave --interval away");
	bad("exec --lines prog", "leave --lines away");
	bad("exec --show_bytes prog", "leave --show-bytes away");
	bad("exec -p 3", "give one of them");
}

static void
test_pick(void **state)
{
	(void)state;
	good("-p", MODE_ATTACH);
	assert_null(o.target);
	good("-p --ascii", MODE_ATTACH);
	assert_null(o.target);
	assert_true(o.ascii);
	good("--lines -p", MODE_ATTACH);
	assert_int_equal(o.grouping, GROUP_LINES);
	good("-p12", MODE_ATTACH);
	assert_string_equal(o.target, "12");
	bad("-p -- prog", "-p watches that process; 'prog' has no place");
}

static void
test_commands(void **state)
{
	(void)state;
	good("ps", MODE_PS);
	good("-o f ps", MODE_PS);
	assert_string_equal(o.output, "f");
	good("-- ps", MODE_LAUNCH);
	good("-- ctl a b", MODE_LAUNCH);
	bad("ps 12", "ps lists all it can; '12' has no place there");
	bad("-b ps", "ps has no use for -b");
	bad("--text ps", "ps has no use for --text");
	bad("-p 1 ps", "ps is a command of its own");
	bad("-s 4K ps", "-s is for a program that heaptop starts");
	good("ctl -w prof.active=true", MODE_CTL);
	assert_int_equal(o.word_count, 2);
	assert_string_equal(o.words[0], "-w");
	good("ctl --all prof.active -b", MODE_CTL);
	assert_int_equal(o.word_count, 3);
	good("ctl --help", MODE_HELP);
	good("ps --help", MODE_HELP);
	good("check --help", MODE_HELP);
	bad("ctl", "ctl wants a name such as prof.active");
	bad("-n 3 ctl prof.active", "ctl has no use for -n");
	good("check ./prog", MODE_CHECK);
	assert_int_equal(o.word_count, 1);
	assert_string_equal(o.words[0], "./prog");
	good("check x.dump", MODE_CHECK);
	bad("check", "check wants a program or a process id");
	bad("check a b", "check looks at one program; 'b' has no place");
	bad("--sum check a", "check has no use for --sum");
}

static void
test_screen(void **state)
{
	(void)state;
	good("prog", MODE_LAUNCH);
	assert_null(o.color);
	assert_null(o.theme);
	assert_false(o.ascii || o.no_mouse);
	good(
	    "--color=never --theme light --no_mouse --lines prog", MODE_LAUNCH);
	assert_string_equal(o.color, "never");
	assert_string_equal(o.theme, "light");
	assert_true(o.no_mouse);
	assert_int_equal(o.grouping, GROUP_LINES);
	/* an alias may hold them: no harm done elsewhere */
	good("--color=256 --text a.dump", MODE_DUMPS);
	good("--theme=dark exec prog", MODE_EXEC);
	good("--ascii ps", MODE_PS);
	bad("--color=red prog", "--color takes auto, never, 16 or 256, not");
	bad("--theme=blue prog", "--theme takes auto, dark or light");
	bad("--ascii=1 prog", "--ascii takes no value");
	good("--target-output=log prog", MODE_LAUNCH);
	assert_string_equal(o.target_output, "log");
	bad("--target-output=log -p 1", "for a program that heaptop starts");
	bad("--target-output=log a.dump", "for a program that heaptop starts");
	bad("--target-output=log exec prog", "leave --target-output away");
	bad("--target-output= prog", "--target-output takes the name");
}

static void
test_seconds(void **state)
{
	(void)state;
	good("--text --seconds=30 -p 12", MODE_ATTACH);
	assert_int_equal(o.seconds_ns, 30 * S);
	good("-p 12 --tree --seconds 500ms", MODE_ATTACH);
	assert_int_equal(o.seconds_ns, S / 2);
	bad("--seconds=3 -p 12", "--seconds is for a report on a running");
	bad("--seconds=3 --text -- prog", "--seconds is for a report");
	bad("--seconds=3 --text a.dump", "--seconds is for a report");
	bad("--seconds=3 exec prog", "leave --seconds away");
	bad("--seconds=0 --text -p 1", "--seconds takes a duration");
	bad("--text -p", "-p wants a value with --text: a process id");
	bad("-b -p", "-p wants a value with -b: a process id");
	bad("-bp", "-p wants a value with -b");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_spelling),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_optional_value),
		cmocka_unit_test(test_program_or_dumps),
		cmocka_unit_test(test_behind_a_dump),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_selection),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_more_reports),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_gates),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_spelling_distance),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_screen),
		cmocka_unit_test(test_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
