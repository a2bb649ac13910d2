/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/growth.c src/export/markdown.c
 * src/export/markdown_case.c src/export/markdown_text.c
 * src/export/markdown_tree.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/markdown_text.h"
#include "export/markdown_tree.h"
#include "has.h"
#include "model/report.h"
#include "profile_fixture.h"

static void
escaped(void (*fn)(struct buf *, const char *), const char *s, const char *want)
{
	struct buf b = BUF_INIT;

	fn(&b, s);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
}

/* As GitHub reads it: references are characters, even in a table. */
static void
escapes(void **state)
{
	(void)state;
	escaped(markdown_text, "a <b> & c", "a &#60;b&#62; &#38; c");
	escaped(
	    markdown_text, "x_y|*z*`\n[\\]", "x\\_y\\|\\*z\\*\\` \\[\\\\\\]");
	escaped(markdown_code, "f<T>(int&)", "`f<T>(int&)`");
	escaped(markdown_code, "a|b", "<code>a&#124;b</code>");
	escaped(markdown_code, "a`<_", "<code>a&#96;&#60;&#95;</code>");
	escaped(markdown_code, "a\nb\x7f", "`a b `");
	escaped(markdown_code, "", "");
	escaped(markdown_block, "a\n", "```text\na\n```\n");
	escaped(markdown_block, "a ```` b", "`````text\na ```` b\n`````\n");
}

static void
render(struct profile *p, const struct query *q, const struct export_options *o,
    struct buf *b)
{
	const struct profile *list[1] = { p };
	struct report *r = report_build(list, 1, q);

	export_markdown(r, o, b);
	report_free(r);
}

/* From 5 to 15 s: decode 100 to 600, exact; index 300, grow 100 as before. */
static struct profile *
two(void)
{
	struct profile *p = fixture_empty();

	fixture_name(p, 1, AT_DECODE, "dec|ode<int>", "src/a`b.c", 214);
	fixture_cell(p, 1, 1, 100, 1, 100, 1, 0);
	fixture_cell(p, 2, 2, 300, 3, 300, 3, 0);
	fixture_cell(p, 3, 1, 100, 1, 100, 1, 0);
	fixture_commit(p, 5);
	fixture_cell(p, 1, 1, 600, 6, 600, 6, 0);
	fixture_commit(p, 15);
	return p;
}

/* The whole of it.  +500 of 500 that were there; all of what was allocated
 * was kept; 50 B/s. */
static void
comparison(void **state)
{
	struct export_origin origin = { .version = "1.0",
		.system = "Linux 6.1",
		.sampled = "MALLOC_CONF=prof:true app",
		.command = "heaptop --markdown --base=a.heap app b.heap",
		.from = "a.heap",
		.to = "b.heap",
		.remarks = "another build\nby name" };
	struct profile *p = two();
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	q.base = 1;
	q.difference = true;
	export_options_init(&o);
	o.program = "/usr/bin/app";
	o.origin = &origin;
	render(p, &q, &o, &b);
	assert_string_equal(buf_str(&b),
	    "# Memory of `app`: what changed\n"
	    "\n"
	    "Delta: **+500 B (+100.0%)**, live bytes from 500 B to 1.0 KiB.\n"
	    "\n"
	    "## Suspects\n"
	    "\n"
	    "1. **Suspected:** <code>dec&#124;ode&#60;int&#62;</code> at "
	    "<code>src/a&#96;b.c:214</code>: +500 B, 100.0% of all that "
	    "grew.\n"
	    "   - In the series it grew by more than its error, +50 B/s, 100% "
	    "of what it allocated since then is still there; whether it goes "
	    "on two moments cannot tell.\n"
	    "   - Called by `loop` at `loop.c:88`, by `work` at `work.c:51`, by "
	    "`start`.\n"
	    "   - To check: nearly all that was allocated there is still there; "
	    "who is to free it, and is that on every way out, errors too?\n"
	    "\n"
	    "A suspect grew by more than its error and, as far as that can be "
	    "told, goes on growing; that it leaks is not proven.\n"
	    "\n"
	    "## How it was measured\n"
	    "\n"
	    "| | |\n"
	    "| --- | --- |\n"
	    "| Program | `/usr/bin/app` |\n"
	    "| Started as | `app --fast` |\n"
	    "| Process | 41237 |\n"
	    "| Build-id | `0102` |\n"
	    "| From | time not known, `a.heap` |\n"
	    "| To | time not known, `b.heap` |\n"
	    "| Period | 10s |\n"
	    "| Sampling | interval 1/4 KiB, 10 samples in this report |\n"
	    "| System | `Linux 6.1` |\n"
	    "| Sampled by | `MALLOC_CONF=prof:true app` |\n"
	    "| heaptop | `1.0` |\n"
	    "| This report | `heaptop --markdown --base=a.heap app b.heap` |\n"
	    "\n"
	    "Not seen: sampled 1/4 KiB.\n"
	    "\n"
	    "only 10 samples: figures are rough; lg\\_prof\\_sample:0 "
	    "(--exact) counts everything.\n"
	    "\n"
	    "another build.\n"
	    "\n"
	    "by name.\n"
	    "\n"
	    "## Evidence\n"
	    "\n"
	    "| change | ± | now | objects | samples | grew in | function | "
	    "where |\n"
	    "| ---: | ---: | ---: | ---: | ---: | --- | --- | --- |\n"
	    "| +500 B |  | 600 B | 6 | 6 | 1 of 1 ▁█ | "
	    "<code>dec&#124;ode&#60;int&#62;</code> | "
	    "<code>src/a&#96;b.c:214</code> |\n"
	    "\n"
	    "## Call tree\n"
	    "\n"
	    "From the root down to where it was allocated; branches below 5 % "
	    "are left out.\n"
	    "\n"
	    "```text\n"
	    "      +500 B  100.0  start › work › loop › dec|ode<int>\n"
	    "```\n"
	    "\n"
	    "## Builds\n"
	    "\n"
	    "| file | build-id |\n"
	    "| --- | --- |\n"
	    "| `/usr/bin/app` | `0102` |\n"
	    "| `/lib/libc.so.6` | `0304` |\n"
	    "\n"
	    "## To repeat it\n"
	    "\n"
	    "Run the program so that it samples:\n"
	    "\n"
	    "```text\n"
	    "MALLOC_CONF=prof:true app\n"
	    "```\n"
	    "\n"
	    "Compare:\n"
	    "\n"
	    "```text\n"
	    "heaptop --markdown --base=a.heap app b.heap\n"
	    "```\n");
	buf_fini(&b);
	profile_free(p);
}

/* Whether the report has this in it. */
/* One moment: nothing is suspected, and it is said what else to do. */
static void
one_moment(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	render(p, &q, &o, &b);
	has(&b, "# Memory of `app`\n");
	/* 1.96 * sqrt(500) of 1000 */
	has(&b, "live bytes: **1.0 KiB**, ±4.4% (95 % interval).\n");
	has(&b,
	    "1. **Holds much:** `decode` at `decode.c:214`: 600 B ±6.5%, "
	    "60.0% of what is there.\n");
	has(&b, "two dumps can.");
	has_not(&b, "uspect");
	has_not(&b, "grew in");
	has(&b, "| At | time not known |\n");
	has(&b, "| 600 B | ±6.5% | 6 | 6 | `decode` | `decode.c:214` |\n");
	/* branches: 90 and 10 %, in these 600 and 300 */
	has(&b, "       600 B   60.0    decode\n");
	has(&b, "       300 B   30.0    index\n");
	has_not(&b, "To repeat");
	buf_clear(&b);
	q.grouping = GROUP_STACKS;
	render(p, &q, &o, &b);
	has(&b, "| `decode` ← `loop` ← `work` ← `start` | `decode.c:214` |\n");
	buf_fini(&b);
	profile_free(p);
}

/* What was left out, and that what shrank counts as nothing, is so in all of
 * it. */
static void
parts(void **state)
{
	struct profile *p = two();
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	q.thread = 1;
	render(p, &q, &o, &b);
	has(&b, "live bytes: **700 B**.\n");
	has(&b, ", 7 samples in this report |\n");
	has(&b, "| Only thread | `app` |\n");
	buf_clear(&b);
	fixture_cell(p, 2, 2, 0, 0, 300, 3, 0);
	fixture_commit(p, 16);
	q.thread = -1;
	q.base = 1;
	q.difference = true;
	render(p, &q, &o, &b);
	has(&b, "Delta: **+200 B (+40.0%)**");
	has(&b, "| -300 B |");
	buf_clear(&b);
	q.drop_negative = true;
	render(p, &q, &o, &b);
	has(&b, "Delta: **+500 B (");
	has_not(&b, "-300 B");
	buf_fini(&b);
	profile_free(p);
}

/* +500 with a variance of 90000, of which nothing is known to have stayed:
 * 588 is more, so nothing is claimed. */
static void
noise(void **state)
{
	struct profile *p = fixture_empty();
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	fixture_cell(p, 1, 1, 1000, 10, 0, 0, 0);
	fixture_commit(p, 5);
	fixture_cell(p, 1, 1, 1500, 15, 0, 0, 90000);
	fixture_commit(p, 15);
	query_init(&q);
	q.base = 1;
	export_options_init(&o);
	render(p, &q, &o, &b);
	has(&b, "That is within the error: nothing is claimed.\n");
	has(&b,
	    "None: nothing grew by more than its error and went on growing.\n");
	has_not(&b, "Suspected");
	has(&b, "0 of 1 ▄▄");
	buf_fini(&b);
	profile_free(p);
}

/* From 5 to 11 s: decode 0 100 200 300 300 300 300, index 10 more each time. */
static void
levelled(void **state)
{
	static const double values[] = { 0, 100, 200, 300, 300, 300, 300 };
	struct profile *p = fixture_empty();
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	for (unsigned i = 0; i < 7; i++) {
		fixture_cell(p, 1, 1, values[i], 1, values[i], 1, 0);
		fixture_cell(p, 2, 2, 10 * i, 1, 10 * i, 1, 0);
		fixture_commit(p, 5 + i);
	}
	query_init(&q);
	q.base = 1;
	export_options_init(&o);
	render(p, &q, &o, &b);
	has(&b, "1. **Suspected:** `index` at `decode.c:300`: +60 B, 16.7%");
	has(&b,
	    "In the series it grew in 6 of 6, +10 B/s, 100% of what it "
	    "allocated since then is still there.\n");
	has_not(&b, "**Suspected:** `decode`");
	has(&b,
	    "Not suspected: `decode` at `decode.c:214`: +300 B, it grew, but "
	    "has levelled off.\n");
	buf_fini(&b);
	profile_free(p);
}

/* A name that never came is no address; another program's base says which
 * builds differ. */
static void
other_build(void **state)
{
	struct profile *base = fixture_empty();
	struct profile *other = profile_new();
	const struct profile_frame frames[2] = { { 1, 0x999 }, { 1, 0x20 } };
	struct profile_facts facts = { .image = "/usr/bin/app",
		.command = "",
		.source = "",
		.image_ns = 1000000000,
		/* 2001-09-09 01:46:40 */
		.wall_ns = UINT64_C(1000000000000000000) };
	struct export_options o;
	struct buf b = BUF_INIT;
	struct query q;

	(void)state;
	fixture_cell(base, 1, 1, 100, 1, 100, 1, 0);
	fixture_commit(base, 5);
	profile_put_facts(other, &facts);
	profile_put_module(other, 1, 0x1000, 0x9000, 0x1000,
	    (const uint8_t *)"\7\7", 2, "/usr/bin/app", NULL);
	profile_put_thread(other, 1, 1, 0, "");
	profile_put_stack(other, 1, 0, frames, 2, NULL);
	fixture_cell(other, 1, 1, 5000, 5, 5000, 5, 0);
	fixture_commit(other, 3);
	query_init(&q);
	q.base_profile = base;
	q.difference = true;
	export_options_init(&o);
	render(other, &q, &o, &b);
	has(&b, "`(no name in app)`");
	has_not(&b, "0x");
	has(&b, "| `/usr/bin/app` | `0707` | `0102` |\n");
	has(&b, "| To | 2001-09-09 01:46:42 UTC |\n");
	has(&b, "Delta: **+4.8 KiB (+4900.0%)**");
	buf_fini(&b);
	profile_free(other);
	profile_free(base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes),
		cmocka_unit_test(comparison),
		cmocka_unit_test(one_moment),
		cmocka_unit_test(parts),
		cmocka_unit_test(noise),
		cmocka_unit_test(levelled),
		cmocka_unit_test(other_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
