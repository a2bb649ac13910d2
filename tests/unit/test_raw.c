/* needs: src/base/ src/model/ src/export/raw.c src/export/maps.c
 * src/export/amounts.c */
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

#define EXPORT export_raw
#include "export_fixture.h"

#define SYMBOLS                                            \
	"--- symbol\n"                                     \
	"binary=/usr/bin/app\n"                            \
	"0x0000555500000010 operator new(unsigned long)\n" \
	"0x0000555500000020 decode\n"                      \
	"0x0000555500000030 loop\n"                        \
	"0x0000555500000040 work\n"                        \
	"0x00007f0000000090 start\n"                       \
	"0x0000555500000050 index\n"                       \
	"0x0000555500000060 grow\n"                        \
	"0x0000555500000070 again\n"                       \
	"0x0000555500000080 main--tiny(int)\n"             \
	"---\n"
#define MAPS                                                             \
	"\n"                                                             \
	"MAPPED_LIBRARIES:\n"                                            \
	"555500000000-555500001000 r-xp 00000000 00:00 0 /usr/bin/app\n" \
	"7f0000000000-7f0000001000 r-xp 00000000 00:00 0 /lib/libc.so.6\n"
#define STACK1                                          \
	"0x555500000010 0x555500000021 0x555500000031 " \
	"0x555500000041 0x7f0000000091\n"
#define STACK2                                          \
	"0x555500000010 0x555500000051 0x555500000031 " \
	"0x555500000041 0x7f0000000091\n"

/* All figures whatever is asked for; leaves are inside the call, the others
 * behind it. */
static void
whole(void **state)
{
	struct query q;

	(void)state;
	query_init(&q);
	q.cut = CUT_NOTHING;
	q.metric = METRIC_ALLOC_OBJECTS;
	expect(&q,
	    SYMBOLS "heap profile: 10: 1000 [13: 1300] @ unsampled/4096\n"
		    "6: 600 [9: 900] @ " STACK1 "3: 300 [3: 300] @ " STACK2
		    "1: 100 [1: 100] @ 0x555500000060 0x555500000071"
		    " 0x555500000071 0x555500000081\n" MAPS);
}

static void
exact(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct profile_totals t = { .now_ns = 9, .exact_ns = 9 };
	struct query q;
	struct buf b;

	(void)state;
	profile_put_totals(p, &t);
	profile_commit(p);
	query_init(&q);
	q.cut = CUT_NOTHING;
	q.thread = 2;
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b),
	    "heap profile: 3: 300 [3: 300] @ heapprofile\n"
	    "3: 300 [3: 300] @ " STACK2 "\nMAPPED"));
	buf_fini(&b);
	profile_free(p);
}

/* "--" joins names, so none may have it. */
static void
names(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_name(p, 1, AT_MAIN, "It::operator--()", "", 0);
	query_init(&q);
	q.cut = CUT_NOTHING;
	b = render(list, 1, &q);
	assert_non_null(strstr(
	    buf_str(&b), "0x0000555500000080 It::operator- -()--tiny(int)\n"));
	buf_fini(&b);
	profile_free(p);
}

/* Another program with other code at the same address, and a place that has
 * no address. */
static void
two_processes(void **state)
{
	static const struct profile_frame frames[2] = { { 1, AT_NEW },
		{ 0, UINT64_C(1) << 63 } };
	struct profile *p = fixture_profile(), *p2 = profile_new();
	const struct profile *list[2] = { p, p2 };
	struct frame_name lost = { "lost", "", 0 };
	struct query q;
	struct buf b;

	(void)state;
	profile_put_module(p2, 1, FIXTURE_BIAS, FIXTURE_BIAS + 0x1000,
	    FIXTURE_BIAS, NULL, 0, "/usr/bin/b", NULL);
	profile_put_stack(p2, 1, 0, frames, 2, NULL);
	fixture_name(p2, 1, AT_NEW, "other", "", 0);
	frames_set_names(profile_frames(p2),
	    frames_add(profile_frames(p2), 0, frames[1].offset), &lost, 1);
	fixture_cell(p2, 1, 1, 50, 5, 50, 5, 0);
	fixture_commit(p2, 5);
	query_init(&q);
	q.cut = CUT_NOTHING;
	b = render(list, 2, &q);
	assert_non_null(strstr(buf_str(&b),
	    "0x0000600000000000 other\n0x0000600000000010 lost\n---\n"));
	assert_non_null(strstr(
	    buf_str(&b), "5: 50 [5: 50] @ 0x600000000000 0x600000000011\n"));
	buf_fini(&b);
	profile_free(p);
	profile_free(p2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(exact),
		cmocka_unit_test(names),
		cmocka_unit_test(two_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
