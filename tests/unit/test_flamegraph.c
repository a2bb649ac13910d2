/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/flamegraph.c src/export/flamegraph_layout.c */
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
#include "export/export.h"
#include "has.h"
#include "model/report.h"
#include "profile_fixture.h"
#include "xml_check.h"

/* The graph of q, whose tree is made; always well-formed. */
static void
draw(const struct profile *p, struct query *q, struct buf *b)
{
	struct export_options o;
	struct report *r;

	export_options_init(&o);
	o.program = "./app";
	q->tree = true;
	r = report_build(&p, 1, q);
	export_flamegraph(r, &o, b);
	report_free(r);
	assert_true(xml_is_well_formed(buf_str(b)));
}

/* A picture of 1200 with 10 at each side: 1180 for 1000 bytes.  Rows of 17
 * from 28 + 15 (one note) + 15 (what a box is) + 6 = 64 on. */
static void
boxes(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	draw(p, &q, &b);
	has(&b,
	    "<text class=\"head\" x=\"10\" y=\"20\">"
	    "./app: live bytes 1.0 KiB</text>");
	has(&b, "sampled 1/4 KiB");
	has(&b,
	    "<g><title>all\ncum 1.0 KiB (100.0%), flat 0 B (0.0%)\n"
	    "10 objects</title><rect x=\"10\" y=\"64\" width=\"1180\" ");
	/* four below the root: 64 + 4 * 17; 600 * 1.18 */
	has(&b,
	    "<g><title>decode\ncum 600 B (60.0%), flat 600 B (60.0%)\n"
	    "6 objects\nin app</title>"
	    "<rect x=\"10\" y=\"132\" width=\"708\" ");
	/* right of it: 10 + 708; 300 * 1.18 */
	has(&b, "<rect x=\"718\" y=\"132\" width=\"354\" ");
	has(&b,
	    "<g><title>main\ncum 100 B (10.0%), flat 0 B (0.0%)\n"
	    "1 object\nin app</title>"
	    "<rect x=\"1072\" y=\"81\" width=\"118\" ");
	/* what the short name leaves out */
	has(&b, "<g><title>tiny (inline)\n");
	has(&b, "1 object\ntiny(int)\nin app</title>");
	has(&b, "<text x=\"13\" y=\"144\">decode</text>");
	has_not(&b, "left out");
	buf_fini(&b);
	profile_free(p);
}

static void
sites_first(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	q.invert = true;
	q.metric = METRIC_ALLOC_OBJECTS;
	draw(p, &q, &b);
	has(&b, "./app: allocated objects 13, sites first</text>");
	has(&b, "<g><title>decode\ncum 9 (69.2%), flat 0 (0.0%)\n");
	buf_fini(&b);
	profile_free(p);
}

static void
modules(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	q.grouping = GROUP_MODULES;
	draw(p, &q, &b);
	has(&b, "<g><title>libc.so.6\ncum 900 B (90.0%)");
	query_init(&q);
	q.grouping = GROUP_LINES;
	buf_clear(&b);
	draw(p, &q, &b);
	has(&b, "<g><title>decode decode.c:214\ncum 600 B (60.0%)");
	buf_fini(&b);
	profile_free(p);
}

/* Names are anybody's; the model has a ? for control characters. */
static void
names(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT, name = BUF_INIT;
	struct query q;

	(void)state;
	fixture_name(p, 1, AT_DECODE,
	    "a<b>&\"'\x1b]]></title>\n\xff\xe2\x80\xaez", "", 0);
	buf_puts(&name, "std::map<");
	buf_pad(&name, 'x', 10000);
	buf_puts(&name, ">::insert");
	fixture_name(p, 1, AT_INDEX, buf_str(&name), "", 0);
	fixture_name(p, 1, AT_LOOP, "größe_\xe6\x97\xa5\xe6\x9c\xac", "", 0);
	query_init(&q);
	draw(p, &q, &b);
	has(&b,
	    "<title>a&lt;b&gt;&amp;&quot;&#39;?]]&gt;&lt;/title&gt;?"
	    "\xef\xbf\xbd\xef\xbf\xbdz\n");
	has(&b, "<title>std::map&lt;…&gt;::insert\n");
	has(&b, "größe_\xe6\x97\xa5\xe6\x9c\xac");
	has_not(&b,
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	buf_fini(&b);
	buf_fini(&name);
	profile_free(p);
}

/* 1 of 1,000,002 is .001 pixels. */
static void
narrow(void **state)
{
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	fixture_cell(p, 1, 1, 1e6, 1, 1e6, 1, 0);
	fixture_cell(p, 2, 2, 1, 1, 1, 1, 0);
	fixture_cell(p, 3, 1, 1, 1, 1, 1, 0);
	fixture_commit(p, 5);
	query_init(&q);
	draw(p, &q, &b);
	has(&b, "<title>decode\n");
	has_not(&b, "<title>index\n");
	has_not(&b, "<title>main\n");
	has_not(&b, "smaller");
	has(&b,
	    "2 boxes narrower than 0.004% left out, with all below them; "
	    "together &lt;0.1%");
	buf_fini(&b);
	profile_free(p);
}

/* Two that are too narrow, 40 * 1180 / 1,000,080 = .047 pixels each, make
 * one that is not. */
static void
rest(void **state)
{
	static const struct profile_frame f[2] = { { 1, AT_INDEX },
		{ 1, AT_WORK } };
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	profile_put_stack(p, 4, 0, &f[0], 1, NULL);
	profile_put_stack(p, 5, 0, &f[1], 1, NULL);
	fixture_cell(p, 1, 1, 1e6, 1, 1e6, 1, 0);
	fixture_cell(p, 4, 1, 40, 1, 40, 1, 0);
	fixture_cell(p, 5, 1, 40, 1, 40, 1, 0);
	fixture_commit(p, 5);
	query_init(&q);
	draw(p, &q, &b);
	has(&b,
	    "<g class=\"rest thin\"><title>(2 smaller)\ncum 80 B (0.0%)"
	    "</title><rect x=\"1189.9056\" y=\"81\" ");
	buf_fini(&b);
	profile_free(p);
}

/* 5,000 of .236 pixels are more than 4,000; at .4 pixels, 100 * .4 / 1180 =
 * .034 %, none is left, but all of them make one. */
static void
many(void **state)
{
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		struct profile_frame f = { 0, 0x1000 + i * 16 };

		profile_put_stack(p, 4 + i, 0, &f, 1, NULL);
		fixture_cell(p, 4 + i, 1, 100, 1, 100, 1, 0);
	}
	fixture_commit(p, 5);
	query_init(&q);
	draw(p, &q, &b);
	has(&b,
	    "<g class=\"rest\"><title>(5000 smaller)\ncum 488.3 KiB "
	    "(100.0%)</title><rect x=\"10\" y=\"81\" width=\"1180\" ");
	has(&b,
	    "5000 boxes narrower than 0.034% left out, with all below "
	    "them; together 100.0%; --focus=NAME shows them");
	assert_true(b.len < 20000);
	buf_fini(&b);
	profile_free(p);
}

/* decode +400, grow -60, the others as they were. */
static struct profile *
grown(void)
{
	struct profile *p = fixture_empty();

	fixture_cell(p, 1, 1, 1000, 10, 1300, 13, 400);
	fixture_cell(p, 2, 2, 300, 3, 300, 3, 100);
	fixture_cell(p, 3, 1, 40, 1, 100, 1, 0);
	fixture_commit(p, 9);
	return p;
}

/* Width is what came and went: 460 for 1180 pixels. */
static void
difference(void **state)
{
	struct profile *a = fixture_profile(), *c = grown();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	q.base_profile = a;
	q.difference = true;
	draw(c, &q, &b);
	has(&b, "./app: change of live bytes +340 B</text>");
	/* net 340 of 460: 73.9 %; 400: 87.0 %; -60: -13.0 % */
	has(&b, "<g><title>all\ncum +340 B (73.9%), flat");
	/* all of it grew: the full warm colour; 400 * 1180 / 460 */
	has(&b, "<title>decode\ncum +400 B (87.0%), flat +400 B (87.0%)\n");
	has(&b,
	    "width=\"1026.087\" height=\"16\" fill=\"#f27d52\"/>"
	    "<text x=\"13\" y=\"144\">decode");
	has(&b, "<title>grow\ncum -60 B (-13.0%), flat -60 B (-13.0%)\n");
	has(&b, "fill=\"#6fa8dc\"/><text x=\"1039.1\" y=\"161\">grow");
	has(&b, ">grew</text>");
	has_not(&b, "<title>index");
	has_not(&b, ">program</text>");
	buf_fini(&b);
	profile_free(c);
	profile_free(a);
}

/* Width is what is there now, colour what changed. */
static void
compared(void **state)
{
	struct profile *a = fixture_profile(), *c = grown();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	q.base_profile = a;
	draw(c, &q, &b);
	has(&b, "./app: live bytes 1.3 KiB (+340 B)</text>");
	has(&b,
	    "<title>index\ncum 300 B (22.4%), flat 300 B (22.4%)\n"
	    "3 objects\nwas 300 B\nin app</title>");
	has(&b, "fill=\"#efeae4\"/><text x=\"893.6\" y=\"144\">index");
	has(&b,
	    "<title>decode\ncum 1.0 KiB (74.6%), flat 1.0 KiB (74.6%)\n"
	    "10 objects\nwas 600 B\n");
	buf_fini(&b);
	profile_free(c);
	profile_free(a);
}

static void
nothing(void **state)
{
	struct profile *p = fixture_empty();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	draw(p, &q, &b);
	has(&b, "./app: live bytes 0 B</text>");
	buf_fini(&b);
	profile_free(p);
}

/* All is freed since: there are boxes, and none weighs anything. */
static void
gone(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	for (uint32_t i = 1; i <= 3; i++)
		fixture_cell(p, i, i == 2 ? 2 : 1, 0, 0, 900, 9, 0);
	fixture_commit(p, 9);
	query_init(&q);
	draw(p, &q, &b);
	has(&b, "./app: live bytes 0 B");
	has_not(&b, "nan");
	has_not(&b, "left out");
	buf_fini(&b);
	profile_free(p);
}

/* The script must not end its own section, and be in ASCII. */
static void
script(void **state)
{
	struct profile *p = fixture_profile();
	struct buf b = BUF_INIT;
	struct query q;
	const char *s, *end;

	(void)state;
	query_init(&q);
	draw(p, &q, &b);
	s = strstr(buf_str(&b), "<script><![CDATA[");
	assert_non_null(s);
	end = strstr(s, "]]>");
	assert_non_null(end);
	assert_string_equal(end, "]]></script>\n</svg>\n");
	for (; s < end; s++)
		assert_true((unsigned char)*s < 0x80);
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes),
		cmocka_unit_test(sites_first),
		cmocka_unit_test(modules),
		cmocka_unit_test(names),
		cmocka_unit_test(narrow),
		cmocka_unit_test(rest),
		cmocka_unit_test(many),
		cmocka_unit_test(difference),
		cmocka_unit_test(compared),
		cmocka_unit_test(nothing),
		cmocka_unit_test(gone),
		cmocka_unit_test(script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
