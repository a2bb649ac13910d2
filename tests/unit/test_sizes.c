/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/sizes.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/export.h"
#include "model/births.h"
#include "model/report.h"
#include "profile_fixture.h"

static void
expect(struct profile *p, const struct query *q, const struct export_options *o,
    const char *want)
{
	const struct profile *list[1] = { p };
	struct report *r = report_build(list, 1, q);
	struct buf b = BUF_INIT;

	export_sizes(r, o, &b);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	report_free(r);
}

/* 10 objects of 640 bytes (64 is the largest of its class), 2 of 65, one of
 * none, which belong to 2^6, 2^7 and to no class; what is not exact is rough. */
static void
classes(void **state)
{
	struct profile *p = fixture_empty();
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	o.width = 90;
	fixture_cell(p, 1, 1, 640, 10, 640, 10, 400);
	fixture_cell(p, 2, 2, 130, 2, 130, 2, 0);
	fixture_cell(p, 3, 1, 230, 0, 230, 0, 0);
	fixture_commit(p, 5);
	/* 1.96 * 20 / 640 = 6.1 % */
	expect(p, &q, &o,
	    "live bytes by size of objects: 1.0 KiB in 12 objects, 83 B on "
	    "average\n"
	    "the sizes of single objects are not in the profile: each stack "
	    "counts at its average\n"
	    "sampled 1/4 KiB\n"
	    "only 12 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n"
	    "    UP TO         LIVE       %        ±    OBJS   STACKS  LARGEST: "
	    "SITE ← CALLERS\n"
	    "     64 B        640 B    64.0    ±6.1%      10        1  decode ← "
	    "loop ← work ← start\n"
	    "    128 B        130 B    13.0                2        1  index ← "
	    "loop ← work ← start\n"
	    "        ?        230 B    23.0                0        1  grow ← "
	    "again ← again ← tiny ← m…\n");
	profile_free(p);
}

/* Changes: from 100 to 640 bytes in objects of 64; from 300 to 130 in objects
 * of 65; 230 gone, of which no size is known. */
static void
changes(void **state)
{
	struct profile *p = fixture_empty();
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	o.width = 80;
	o.ascii = true;
	o.show_bytes = true;
	fixture_cell(p, 1, 1, 100, 1, 100, 1, 0);
	fixture_cell(p, 2, 2, 300, 4, 300, 4, 0);
	fixture_cell(p, 3, 1, 230, 1, 230, 1, 0);
	fixture_commit(p, 5);
	fixture_cell(p, 1, 1, 640, 10, 640, 10, 0);
	fixture_cell(p, 2, 2, 130, 2, 430, 6, 0);
	fixture_cell(p, 3, 1, 0, 0, 230, 1, 0);
	fixture_commit(p, 6);
	q.base = 1;
	q.difference = true;
	expect(p, &q, &o,
	    "live bytes by size of objects: 140 (+22.2%)\n"
	    "the sizes of single objects are not in the profile: each stack "
	    "counts at its average\n"
	    "sampled 1/4 KiB\n"
	    "    UP TO           CHANGE       %      +/-   STACKS  LARGEST: "
	    "SITE < CALLERS\n"
	    "     64 B              540   385.7                 1  decode < "
	    "loop < work < st~\n"
	    "    128 B             -170  -121.4                 1  index < "
	    "loop < work < sta~\n"
	    "        ?             -230  -164.3                 1  grow < again "
	    "< again < ti~\n");
	profile_free(p);
}

static void
put(struct profile *p, uint32_t number, uint32_t stack, uint16_t slot,
    uint64_t size)
{
	struct birth_told t = { .number = number,
		.cell = profile_find_cell(p, stack, slot),
		.size = size,
		.birth = 1 };

	assert_true(births_put(profile_births(p), &t));
}

/* Where objects are known one by one: decode has 512 and two of 64 bytes, of
 * which each stack is divided; index 65; of what is in grow none is known.  128,
 * 65, 200 and 512 of 905 bytes. */
static void
single_objects(void **state)
{
	struct profile *p = fixture_empty();
	struct export_options o;
	struct query q;

	(void)state;
	query_init(&q);
	export_options_init(&o);
	o.width = 90;
	fixture_cell(p, 1, 1, 640, 3, 640, 3, 0);
	fixture_cell(p, 2, 2, 65, 1, 65, 1, 0);
	fixture_cell(p, 3, 1, 200, 1, 200, 1, 0);
	births_begin(profile_births(p), 0, 1, true);
	put(p, 1, 1, 1, 512);
	put(p, 2, 1, 1, 64);
	put(p, 3, 1, 1, 64);
	put(p, 4, 2, 2, 65);
	fixture_commit(p, 5);
	expect(p, &q, &o,
	    "live bytes by size of objects: 905 B in 5 objects, 181 B on "
	    "average\n"
	    "each object counts at its size, as far as 4 samples tell; some "
	    "stacks at their average\n"
	    "sampled 1/4 KiB\n"
	    "only 5 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n"
	    "    UP TO         LIVE       %        ±    OBJS   STACKS  LARGEST: "
	    "SITE ← CALLERS\n"
	    "     64 B        128 B    14.1                2        1  decode ← "
	    "loop ← work ← start\n"
	    "    128 B         65 B     7.2                1        1  index ← "
	    "loop ← work ← start\n"
	    "    256 B        200 B    22.1                1        1  grow ← "
	    "again ← again ← tiny ← m…\n"
	    "    512 B        512 B    56.6                1        1  decode ← "
	    "loop ← work ← start\n");
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(single_objects),
		cmocka_unit_test(changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
