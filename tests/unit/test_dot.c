/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/dot.c src/export/dot_graph.c src/export/dot_svg.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "export/dot_svg.h"
#include "export/export.h"
#include "has.h"
#include "model/report.h"
#include "profile_fixture.h"

static void
options(struct export_options *o)
{
	export_options_init(o);
	o->program = "./app";
	o->show_bytes = true;
}

static void
draw(struct profile *p, export_fn *fn, struct query *q,
    const struct export_options *o, struct buf *b)
{
	const struct profile *list[1] = { p };
	struct report *r = report_build(list, 1, q);

	fn(r, o, b);
	report_free(r);
}

/* In jeprof's layout: by cum, then by name: N1 loop 900, N2 start, N3 work,
 * N4 decode 600, N5 index 300, N6 again 100, N7 grow, N8 main, N9 tiny. */
static void
layout(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	options(&o);
	draw(p, export_dot, &q, &o, &b);
	/* .005 and .001 of 1000 */
	has(&b,
	    "Legend [shape=box,fontsize=24,shape=plaintext,label=\"./app\\l"
	    "Total B: 1000\\lFocusing on: 1000\\l"
	    "Dropped nodes with <= 5 abs(B)\\l"
	    "Dropped edges with <= 1 B\\l\"];\n");
	/* 8 + 50 * sqrt(600 / 1000) = 46.7 */
	has(&b,
	    "\nN4 [label=\"decode\\n600 (60.0%)\\r\",shape=box,"
	    "fontsize=46.7];\n");
	has(&b,
	    "\nN1 [label=\"loop\\n0 (0.0%)\\rof 900 (90.0%)\\r\",shape=box,"
	    "fontsize=8.0];\n");
	/* 600^0.7 = 88.1; 2 * min(1, 3 * 600 / 1000) = 2 */
	has(&b,
	    "\nN1 -> N4 [label=600, weight=88, "
	    "style=\"setlinewidth(2.000000)\"];\n");
	/* inlined: dashed; 100^0.7 = 25.1; 2 * 3 * 100 / 1000 = 0.6 */
	has(&b,
	    "\nN8 -> N9 [label=100, weight=25, "
	    "style=\"setlinewidth(0.600000),dashed\"];\n");
	has(&b, "\nN9 [style=filled,fillcolor=\"#");
	has(&b,
	    "tooltip=\"decode\\nflat 600 B (60.0%)\\ncum 600 B (60.0%)\\n"
	    "objects: flat 6, cum 6\"];\n");
	has(&b, "label=\"sampled 1/4 KiB\\l\"; labeljust=l;");
	/* to be drawn: wide enough to be seen, titles come later */
	buf_clear(&b);
	draw(p, export_picture, &q, &o, &b);
	has(&b,
	    "\nN8 -> N9 [label=100, weight=25, "
	    "style=\"setlinewidth(1.000000),dashed\"];\n");
	has_not(&b, "tooltip");
	/* 11 + 33 * sqrt(600 / 1000) = 36.6 */
	has(&b, "shape=box,fontsize=36.6];\n");
	has(&b, "Legend [shape=box,fontsize=16,");
	has_not(&b, "minlen");
	buf_fini(&b);
	profile_free(p);
}

static size_t
count(const struct buf *b, const char *what)
{
	size_t n = 0;

	for (const char *s = buf_str(b); (s = strstr(s, what)) != NULL; s++)
		n++;
	return n;
}

/* main calls 18 functions and nothing else does: in a picture they hang in
 * sqrt(18 / 4) = 2 rows. */
static void
fan(void **state)
{
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	for (uint32_t i = 0; i < 18; i++) {
		struct profile_frame frames[2] = { { 1, 0x100 + 16 * i },
			{ 1, AT_MAIN } };
		char name[8];

		snprintf(name, sizeof name, "f%u", i);
		profile_put_stack(p, 4 + i, 0, frames, 2, NULL);
		fixture_name(p, 1, 0x100 + 16 * i, name, "", 0);
		fixture_cell(p, 4 + i, 1, 100, 1, 100, 1, 0);
	}
	fixture_commit(p, 5);
	query_init(&q);
	options(&o);
	o.max_degree = 100;
	draw(p, export_picture, &q, &o, &b);
	assert_int_equal(count(&b, " -> "), 19); /* and main's to tiny */
	assert_int_equal(count(&b, ",minlen=2"), 9);
	buf_clear(&b);
	draw(p, export_dot, &q, &o, &b);
	assert_int_equal(count(&b, "minlen"), 0);
	buf_fini(&b);
	profile_free(p);
}

static void
limits(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	options(&o);
	/* 100 is dropped, not only what is below */
	o.node_fraction = .1;
	draw(p, export_dot, &q, &o, &b);
	has(&b, "\nN5 [label=\"index");
	has_not(&b, "N6");
	buf_clear(&b);
	o.node_count = 3;
	draw(p, export_dot, &q, &o, &b);
	has(&b, "\nN3 [label");
	has_not(&b, "N4");
	/* functions stand in for stacks */
	buf_clear(&b);
	q.grouping = GROUP_STACKS;
	draw(p, export_dot, &q, &o, &b);
	has(&b, "\nN1 [label=\"loop\\n");
	buf_fini(&b);
	profile_free(p);
}

/* Flat and cum differ only by the order in which they were added up, and no
 * "of" is written: 100000.1 * (1 + 2 + 3 + 4) = 1000001. */
static void
rounding(void **state)
{
	static const int callers[] = { AT_LOOP, AT_WORK, AT_GROW, AT_MAIN };
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct profile_frame f[2] = { { 1, AT_INDEX },
			{ 1, (uint64_t)callers[i] } };
		double bytes = (i + 1) * 100000.1;

		profile_put_stack(p, 4 + i, 0, f, 2, NULL);
		fixture_cell(
		    p, 4 + i, (uint16_t)(1 + i % 2), bytes, 1, bytes, 1, 0);
	}
	fixture_commit(p, 5);
	query_init(&q);
	options(&o);
	draw(p, export_dot, &q, &o, &b);
	has(&b, "\nN1 [label=\"index\\n1000001 (100.0%)\\r\",");
	buf_fini(&b);
	profile_free(p);
}

/* 10 kB of template arguments are not in it; markup stays text. */
static void
names(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT, name = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	fixture_name(p, 1, AT_DECODE, "a<\"\\N&lt;>(int)", "", 0);
	buf_puts(&name, "map<");
	buf_pad(&name, 'x', 10240);
	buf_puts(&name, ">::insert");
	fixture_name(p, 1, AT_INDEX, buf_str(&name), "", 0);
	query_init(&q);
	options(&o);
	draw(p, export_dot, &q, &o, &b);
	has(&b, "[label=\"a<\\\"\\\\N&amp;lt;>\\n600");
	has(&b, "objects: flat 6, cum 6\\na<\\\"\\\\N&amp;lt;>(int)\"");
	has(&b, "[label=\"map<…>\\ninsert\\n300");
	assert_true(b.len < 10000);
	buf_fini(&b);
	buf_fini(&name);
	profile_free(p);
}

/* grow is gone, decode has more: 1300 against 1000. */
static void
colours(void **state)
{
	struct profile *a = fixture_profile(), *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;

	(void)state;
	fixture_cell(p, 1, 1, 1000, 10, 1000, 10, 0);
	fixture_cell(p, 2, 2, 300, 3, 300, 3, 0);
	fixture_commit(p, 9);
	query_init(&q);
	options(&o);
	q.base_profile = a;
	q.difference = true;
	draw(p, export_picture, &q, &o, &b);
	has(&b, "; 300 B\" {\n");
	/* N1..4: decode loop start work 400, more than the whole: all warm */
	has(&b, "\nN1 [style=filled,fillcolor=\"#f27d52\"];\n");
	/* again -100 of 300 */
	has(&b, "[label=\"again\\n0 (0.0%)\\rof -100 (-33.3%)\\r\"");
	/* sqrt(1/3) = .577 from efeae4 to 6fa8dc: a5 c4 df */
	has(&b, "\nN5 [style=filled,fillcolor=\"#a5c4df\"];\n");
	has(&b, ",color=\"#6fa8dc\"];\n");
	has(&b, "label=\"warm: grew, cool: shrank\\l");
	/* not the difference: each by its own change; index has none */
	buf_clear(&b);
	q.difference = false;
	draw(p, export_picture, &q, &o, &b);
	has(&b, "fillcolor=\"#efeae4\"];\n");
	buf_fini(&b);
	profile_free(p);
	profile_free(a);
}

static const char drawing[] =
    "<?xml version=\"1.0\"?>\n<svg>\n<title>./app</title>\n"
    "<g class=\"node\"><title>Legend</title></g>\n"
    "<g class=\"node\"><title>N4</title></g>\n"
    "<g class=\"node\"><title>N99</title></g>\n"
    "<g class=\"edge\"><title>N1&#45;&gt;N4</title></g>\n"
    "<g class=\"edge\"><title>N4&#45;&gt;N1</title></g>\n"
    "<g class=\"edge\"><title>N1&#45;&gt;N4x</title></g>\n"
    "<title>N</title><title>N18446744073709551617</title>\n"
    "</svg>\n";

/* The other program's names are replaced where they are what was written. */
static void
titles(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct buf b = BUF_INIT;
	struct export_options o;
	struct query q;
	struct report *r;

	(void)state;
	fixture_name(p, 1, AT_DECODE, "de<c>ode", "", 0);
	query_init(&q);
	options(&o);
	r = report_build(list, 1, &q);
	export_dot_svg(r, &o, drawing, strlen(drawing), &b);
	has(&b, "<svg>\n<title>./app</title>\n");
	has(&b, "<title>Legend</title>");
	has(&b,
	    "<title>de&lt;c&gt;ode\nflat 600 B (60.0%)\n"
	    "cum 600 B (60.0%)\nobjects: flat 6, cum 6</title></g>\n");
	has(&b, "<title>loop → de&lt;c&gt;ode\n600 B (60.0%)</title>");
	has(&b, "<title>N99</title>");
	has(&b, "<title>N4&#45;&gt;N1</title>");
	has(&b, "<title>N1&#45;&gt;N4x</title>");
	has(&b,
	    "<title>N</title><title>N18446744073709551617</title>\n"
	    "<script><![CDATA[\n");
	assert_string_equal(
	    strstr(buf_str(&b), "]]>"), "]]></script>\n</svg>\n");
	/* cut anywhere it is passed on */
	for (size_t n = 0; n < strlen(drawing); n++) {
		char *part = strndup(drawing, n);

		buf_clear(&b);
		export_dot_svg(r, &o, part, n, &b);
		assert_true(b.len >= n || strstr(part, "N4"));
		free(part);
	}
	report_free(r);
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layout),
		cmocka_unit_test(fan),
		cmocka_unit_test(limits),
		cmocka_unit_test(rounding),
		cmocka_unit_test(names),
		cmocka_unit_test(colours),
		cmocka_unit_test(titles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
