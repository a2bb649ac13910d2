/* needs: src/base/ src/model/ src/export/label.c src/export/table.c
 * src/export/stats_words.c
 * prof/heapv2.c prof/maths.c src/export/text.c src/export/top.c
 * src/export/tree.c src/export/collapsed.c src/export/dot.c
 * src/export/dot_graph.c src/export/escape.c src/export/heap.c
 * src/export/maps.c src/export/snapshot.c */
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

/* The profile of the fixture through one exporter. */
static void
render(struct profile *p, export_fn *fn, const struct query *q,
    const struct export_options *o, struct buf *b)
{
	const struct profile *list[1] = { p };
	struct report *r = report_build(list, 1, q);

	fn(r, o, b);
	report_free(r);
}

static void
expect(export_fn *fn, const struct query *q, const struct export_options *o,
    const char *want)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;

	render(p, fn, q, o, &b);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	profile_free(p);
}

/* Columns as printf's "%8s %6s %6s %8s %6s %s". */
static void
text(void **state)
{
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	o.show_bytes = true;
	expect(export_text, &q, &o,
	    "Total: 1000 B\n"
	    "     600  60.0%  60.0%      600  60.0% decode\n"
	    "     300  30.0%  90.0%      300  30.0% index\n"
	    "     100  10.0% 100.0%      100  10.0% grow\n"
	    "       0   0.0% 100.0%      100  10.0% again\n"
	    "       0   0.0% 100.0%      900  90.0% loop\n"
	    "       0   0.0% 100.0%      100  10.0% main\n"
	    "       0   0.0% 100.0%      900  90.0% start\n"
	    "       0   0.0% 100.0%      100  10.0% tiny (inline)\n"
	    "       0   0.0% 100.0%      900  90.0% work\n");
	q.max_rows = 1;
	q.thread = 1;
	q.metric = METRIC_ALLOC_OBJECTS;
	q.grouping = GROUP_LINES;
	expect(export_text, &q, &o,
	    "Total (t1): 10 objects\n"
	    "       9  90.0%  90.0%        9  90.0% decode decode.c:214\n"
	    "       1  10.0% 100.0%        1  10.0% (7 more)\n");
	q.max_rows = 0;
	q.thread = 9;
	expect(export_text, &q, &o, "");
}

static void
collapsed(void **state)
{
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	expect(export_collapsed, &q, &o,
	    "main;tiny(int)[inline];again;again;grow 100\n"
	    "start;work;loop;decode 600\n"
	    "start;work;loop;index 300\n");
}

/* Errors: 1.96 * sqrt(500) / 1000 = 4.4 %; 1.96 * 20 / 600 = 6.5 %;
 * 1.96 * 10 / 300 = 6.5 %; the third stack is exact. */
static void
snapshot(void **state)
{
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_STACKS;
	export_options_init(&o);
	o.width = 80;
	expect(export_snapshot, &q, &o,
	    "pid 41237  app --fast\n"
	    "at 0:04   live 1.0 KiB ±4.4%   10 objects   sampled 1/4 KiB"
	    "   0 lost\n"
	    "     LIVE      %        ±      CHANGE   OBJS  SITE ← CALLERS\n"
	    "  600 B     60.0    ±6.5%                  6  "
	    "decode ← loop ← work ← start\n"
	    "  300 B     30.0    ±6.5%                  3  "
	    "index ← loop ← work ← start\n"
	    "  100 B     10.0                           1  "
	    "grow ← again ← again ← tiny ← main\n");
	o.top = 1;
	o.ascii = true;
	expect(export_snapshot, &q, &o,
	    "pid 41237  app --fast\n"
	    "at 0:04   live 1.0 KiB +/-4.4%   10 objects   sampled 1/4 KiB"
	    "   0 lost\n"
	    "     LIVE      %      +/-      CHANGE   OBJS  SITE < CALLERS\n"
	    "  600 B     60.0  +/-6.5%                  6  "
	    "decode < loop < work < start\n"
	    "  400 B     40.0  +/-4.9%                  4  "
	    ".. 2 more stacks\n");
	/* what is said of the process is not of a part of it */
	o.top = 10;
	q.thread = 2;
	expect(export_snapshot, &q, &o,
	    "pid 41237  app --fast\n"
	    "at 0:04   live 1.0 KiB   sampled 1/4 KiB   0 lost\n"
	    "     LIVE      %      +/-      CHANGE   OBJS  SITE < CALLERS\n"
	    "  300 B    100.0  +/-6.5%                  3  "
	    "index < loop < work < start\n");
	q.thread = -1;
	q.min_size = 1000;
	expect(export_snapshot, &q, &o,
	    "pid 41237  app --fast\n"
	    "at 0:04   live 1.0 KiB +/-4.4%   10 objects   sampled 1/4 KiB"
	    "   0 lost\n"
	    ".. nothing that lives was sampled\n");
}

static void
tree(void **state)
{
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	q.tree = true;
	export_options_init(&o);
	expect(export_tree, &q, &o,
	    "sampled 1/4 KiB\n"
	    "     LIVE      %  CALL TREE, callers first\n"
	    "  1.0 KiB  100.0  all\n"
	    "  900 B     90.0  ├─ start › work › loop\n"
	    "  600 B     60.0  │ ├─ decode\n"
	    "  300 B     30.0  │ └─ index\n"
	    "  100 B     10.0  └─ main › tiny › again › again › grow\n");
	q.invert = true;
	q.thread = 2;
	o.ascii = true;
	expect(export_tree, &q, &o,
	    "sampled 1/4 KiB\n"
	    "     LIVE      %  CALL TREE, sites first\n"
	    "  300 B    100.0  all\n"
	    "  300 B    100.0  +- index > loop > work > start\n");
	o.show_bytes = true;
	expect(export_tree, &q, &o,
	    "sampled 1/4 KiB\n"
	    "          LIVE      %  CALL TREE, sites first\n"
	    "           300  100.0  all\n"
	    "           300  100.0  +- index > loop > work > start\n");
}

static void
top(void **state)
{
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_THREADS;
	export_options_init(&o);
	expect(export_top, &q, &o,
	    "live bytes: 1.0 KiB ±4.4%, by thread\n"
	    "sampled 1/4 KiB\n"
	    "     LIVE      %        ±      CHANGE   OBJS  THREAD\n"
	    "  700 B     70.0    ±5.6%                  7  app\n"
	    "  300 B     30.0    ±6.5%                  3  thread 41238\n");
}

static void
dot(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;
	struct query q;
	struct buf b = BUF_INIT;

	(void)state;
	fixture_name(p, 1, AT_LOOP, "a::b<\"\\\">", "", 0);
	query_init(&q);
	export_options_init(&o);
	o.program = "./app";
	o.show_bytes = true;
	render(p, export_dot, &q, &o, &b);
	assert_non_null(strstr(buf_str(&b), "digraph \"./app; 1000 B\" {\n"));
	/* 8 + 50 * sqrt(0.6) = 46.7 */
	assert_non_null(strstr(buf_str(&b),
	    " [label=\"decode\\n600 (60.0%)\\r\",shape=box,"
	    "fontsize=46.7];\n"));
	assert_non_null(strstr(buf_str(&b),
	    "N1 [label=\"a\\nb<\\\"\\\\\\\">\\n0 (0.0%)\\r"
	    "of 900 (90.0%)\\r\",shape=box,fontsize=8.0];\n"));
	/* recursion: an arrow to itself, counted once; 100^0.7 = 25.1 */
	assert_non_null(strstr(buf_str(&b),
	    "[label=100, weight=25, style=\"setlinewidth(0.600000)\"]"));
	assert_null(strstr(buf_str(&b), "label=200"));
	buf_fini(&b);
	profile_free(p);
}

/* At R = 1 and 100 bytes each the pair is the figures themselves. */
static void
heap(void **state)
{
	struct profile *p = fixture_profile();
	struct profile_totals t = { .now_ns = 9,
		.exact_ns = 9,
		.live_bytes = 1111,
		.live_objects = 11,
		.alloc_bytes = 2222,
		.lost = { [LOSS_GUESSED] = 3 } };
	struct export_options o;
	struct query q;
	struct buf b = BUF_INIT;

	(void)state;
	/* freed, but it was there */
	fixture_cell(p, 3, 1, 0, 0, 100, 1, 0);
	profile_put_totals(p, &t);
	profile_commit(p);
	query_init(&q);
	export_options_init(&o);
	render(p, export_heap, &q, &o, &b);
	assert_string_equal(buf_str(&b),
	    "heap_v2/1\n"
	    "# heaptop leaf=call\n"
	    "# heaptop pid=41237\n"
	    "# heaptop image=/usr/bin/app\n"
	    "# heaptop command=app --fast\n"
	    "# heaptop lg_sample=0\n"
	    "# heaptop live_bytes=1111\n"
	    "# heaptop live_objects=11\n"
	    "# heaptop alloc_bytes=2222\n"
	    "# heaptop module=555500000000-555500001000 555500000000 0102"
	    " /usr/bin/app\n"
	    "# heaptop module=7f0000000000-7f0000001000 7f0000000000 0304"
	    " /lib/libc.so.6\n"
	    "# heaptop guessed=3\n"
	    "  t*: 9: 900 [13: 1300]\n"
	    "  t1: 6: 600 [10: 1000] app\n"
	    "  t2: 3: 300 [3: 300]\n"
	    "@ 0x555500000010 0x555500000021 0x555500000031 0x555500000041"
	    " 0x7f0000000091\n"
	    "  t*: 6: 600 [9: 900]\n"
	    "  t1: 6: 600 [9: 900]\n"
	    "@ 0x555500000010 0x555500000051 0x555500000031 0x555500000041"
	    " 0x7f0000000091\n"
	    "  t*: 3: 300 [3: 300]\n"
	    "  t2: 3: 300 [3: 300]\n"
	    "@ 0x555500000060 0x555500000071 0x555500000071 0x555500000081\n"
	    "  t*: 0: 0 [1: 100]\n"
	    "  t1: 0: 0 [1: 100]\n"
	    "\n"
	    "MAPPED_LIBRARIES:\n"
	    "555500000000-555500001000 r-xp 00000000 00:00 0 /usr/bin/app\n"
	    "7f0000000000-7f0000001000 r-xp 00000000 00:00 0 /lib/libc.so.6\n");
	buf_fini(&b);
	profile_free(p);
}

/* A row that weighs less than a sample lowers the R of the header. */
static void
heap_rate(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;
	struct query q;
	struct buf b = BUF_INIT;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	render(p, export_heap, &q, &o, &b);
	/* the lightest row has 100 bytes */
	assert_memory_equal(buf_str(&b), "heap_v2/64\n", 11);
	assert_non_null(strstr(buf_str(&b), "# heaptop lg_sample=12\n"));
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text),
		cmocka_unit_test(collapsed),
		cmocka_unit_test(snapshot),
		cmocka_unit_test(tree),
		cmocka_unit_test(top),
		cmocka_unit_test(dot),
		cmocka_unit_test(heap),
		cmocka_unit_test(heap_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
