/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/detail_ages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ingestd_shows.h"
#include "model/births.h"
#include "model/profile.h"
#include "model/report.h"

/* ---- a program that tells births ------------------------------------------- */

/* Ticks of 10 ms count from 0:00. */
static void
put(struct profile *p, uint32_t number, uint32_t stack, uint64_t size,
    uint32_t second)
{
	struct birth_told t = { .number = number,
		.cell = profile_find_cell(p, stack, 1),
		.size = size,
		.birth = second * 100 };

	assert_true(births_put(profile_births(p), &t));
}

static void
commit(struct ingestd *r, unsigned second)
{
	struct app_event e = { .kind = APP_DATA };
	struct profile_totals t = { .now_ns = INGESTD_AT(0, second),
		.exact_ns = INGESTD_AT(0, second),
		.live_bytes = 432642457,
		.live_objects = 1180000,
		.active = 1 };

	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
	ingestd_send(r, &e);
}

/*
 * At 12:42, of decode_batch: 300 B born at 0:04, 500 B at 8:42, 1000 B at
 * 12:40; of read_body: 4096 B born at 0:10.  Seven of decode_batch were freed.
 */
static void
open_at(struct ingestd *r, int w, int h, bool marked, uint64_t untold)
{
	static const uint32_t life[PROFILE_LIVES] = { 1, 0, 2, 4 };

	ingestd_open(r, w, h, marked);
	profile_put_life(r->profile, 1, 1, life);
	births_begin(profile_births(r->profile), INGESTD_START, untold, true);
	put(r->profile, 1, 1, 300, 4);
	put(r->profile, 2, 1, 500, 522);
	put(r->profile, 3, 1, 1000, 760);
	put(r->profile, 4, 2, 4096, 10);
	commit(r, 762);
}

/* At 12:51: that of 500 B is gone, and one of 200 B was born at 12:50. */
static void
go_on(struct ingestd *r)
{
	births_begin(profile_births(r->profile), INGESTD_START, 0, false);
	assert_true(births_put_death(profile_births(r->profile), 2));
	put(r->profile, 5, 1, 200, 770);
	commit(r, 771);
}

/* ---- the detail -------------------------------------------------------------- */

/* Ages at 12:42 are 12m38s, 4m and 2s. */
static void
tells_ages_below_the_list(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, false, 0);
	assert_shows(&r, " first seen 0:04, oldest live 12m38s ");
	assert_shows(&r, " median 4m 0s, youngest 2s ");
	ingestd_close(&r);
}

/* 22.5 MiB were allocated since 8:02, of which 500 B and 1000 B are alive. */
static void
tells_what_survives(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, true, 0);
	assert_shows(&r, " of 22.5 MiB born since A 1.5 KiB lives ");
	ingestd_keys(&r, "2");
	assert_shows(&r, "─ of 22.5 MiB born since A 1.5 KiB lives ─");
	ingestd_keys(&r, "1 m"); /* objects: 57000 came, and what went */
	assert_shows(&r, " born since A 2 live ");
	ingestd_close(&r);
}

/* B is 12:42, C 12:51: of 500 B and 1000 B the first is gone, and what was born
 * after B is not meant. */
static void
looks_at_a_later_moment(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, true, 0);
	ingestd_keys(&r, "b");
	go_on(&r);
	assert_shows(&r, " of 22.5 MiB born since A 1.5 KiB lives ");
	ingestd_keys(&r, "]");
	assert_shows(&r, " of 22.5 MiB born A→B 1.0 KiB lives at 12:51 ");
	ingestd_resize(&r, 160, 45);
	assert_shows(
	    &r, "born     of 22.5 MiB born A→B 1.0 KiB lives at 12:51");
	ingestd_close(&r);
}

/* 300 B and 500 B are in (256, 512], 1000 B in (512, 1024].  Of 7 freed the
 * fourth lived 64 to 256 ms, none longer. */
static void
has_more_at_the_side(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 160, 45, true, 0);
	assert_shows(&r, "age      first seen 0:04, oldest live 12m38s");
	assert_shows(&r, "         median 4m 0s, youngest 2s");
	assert_shows(&r, "lived    median 64ms–256ms  ▁ ▃█ up to 256ms");
	assert_shows(&r, "born     of 22.5 MiB born since A 1.5 KiB lives");
	assert_shows(&r, "│ SIZE          LIVE  SHARE\n");
	/* 0.8 of 30 columns */
	assert_shows(&r, "│ ≤ 512 B    800 B    ████████████████████████\n");
	assert_shows(
	    &r, "│ ≤ 1 KiB    1.0 KiB  ██████████████████████████████\n");
	assert_shows(&r, "│ STACK\n");
	ingestd_keys(&r, "Down");
	assert_shows(&r, "lived    no sample was freed\n");
	ingestd_keys(&r, "Up");
	assert_shows(&r, "│ SOURCE  src/decode.c\n");
	ingestd_keys(&r, "2");
	assert_shows(&r, "born     of 22.5 MiB born since A 1.5 KiB lives");
	assert_shows(&r, "│ SOURCE  src/decode.c\n"); /* comes first */
	assert_hides(&r, "SIZE");
	ingestd_close(&r);
}

static void
has_all_over_the_screen(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, true, 0);
	ingestd_keys(&r, "Enter");
	assert_shows(&r,
	    "\n oldest live 12m38s, median 4m 0s, youngest 2s   of 22.5 MiB "
	    "born since A 1.5 KiB lives\n");
	assert_shows(&r, "\n lifetimes: median 64ms–256ms  ▁ ▃█ up to 256ms\n");
	assert_shows(&r, "\n─ Stack ─");
	ingestd_resize(&r, 80, 24);
	assert_shows(&r, "\n oldest live 12m38s, median 4m 0s, youngest 2s");
	ingestd_close(&r);
}

/* Above decode_batch: also 4096 B of read_body is below start_thread. */
static void
tells_ages_of_nodes(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 160, 45, false, 0);
	ingestd_keys(&r, "f");
	assert_shows(&r, " 312k objects, 398 B avg, oldest live 12m38s ");
	ingestd_keys(&r, "t");
	assert_shows(
	    &r, "age      oldest live 12m38s, median 4m 0s, youngest 2s");
	ingestd_keys(&r, "Enter");
	assert_shows(&r, "\n oldest live 12m38s, median 4m 0s, youngest 2s");
	ingestd_close(&r);
}

/* 231 samples of decode_batch live, three are told of. */
static void
says_that_it_is_a_part(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 160, 45, true, 228);
	assert_shows(&r, "first seen 0:04, oldest known 12m38s");
	assert_shows(&r, "SIZE          LIVE  SHARE of those known\n");
	ingestd_close(&r);
}

static void
says_nothing_where_nothing_is_told(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 45, true);
	assert_hides(&r, "oldest");
	assert_hides(&r, "SIZE");
	assert_hides(&r, "born");
	ingestd_keys(&r, "D");
	assert_shows(&r, "the program tells no ages of objects");
	assert_hides(&r, "AGE");
	ingestd_keys(&r, "2 D");
	assert_shows(&r, "the program tells no ages of objects");
	ingestd_close(&r);
}

/* Of the moment before births were told nothing is known. */
static void
knows_its_moment(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, false, 0);
	ingestd_keys(&r, "[");
	assert_hides(&r, "oldest");
	ingestd_keys(&r, "]");
	assert_shows(&r, "oldest live 12m38s");
	ingestd_close(&r);
}

/* ---- the column --------------------------------------------------------------- */

static void
has_a_column(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, true, 0);
	ingestd_keys(&r, "D");
	assert_shows(&r, "     LIVE▼     %                   AGE  OBJS  SITE");
	assert_shows(&r, "▌118.4 MiB  28.7 ██████████      4m 0s  312k  dec");
	assert_shows(&r, "  86.1 MiB  20.9 ███████▎       12m32s  1310  htt");
	assert_shows(&r, "  64.0 MiB  15.5 █████▍                    2  lru");
	ingestd_keys(&r, "s"); /* not by a change that nobody sees */
	assert_int_equal(r.app.query.order, ORDER_OBJECTS);
	ingestd_keys(&r, "6");
	assert_shows(&r, "   AGE ");
	ingestd_keys(&r, "1 D");
	assert_shows(&r, "CHANGE");
	ingestd_close(&r);
}

static void
lists_survivors(void **state)
{
	struct ingestd r;

	(void)state;
	open_at(&r, 100, 30, true, 0);
	ingestd_keys(&r, "2 D");
	assert_shows(&r, "TREND             AGE  SITE");
	assert_shows(&r, "     4m 0s  decode_batch");
	ingestd_keys(&r, "D");
	assert_shows(&r, "TREND       SURVIVING  SITE");
	assert_shows(&r, "  1.5 KiB  decode_batch");
	assert_shows(&r, "born since A 1.5 KiB lives\n");
	ingestd_keys(&r, "s");
	assert_shows(&r, "SURVIVING▼");
	ingestd_keys(&r, "D");
	assert_shows(&r, "LIVE▼");
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_ages_below_the_list),
		cmocka_unit_test(tells_what_survives),
		cmocka_unit_test(looks_at_a_later_moment),
		cmocka_unit_test(has_more_at_the_side),
		cmocka_unit_test(has_all_over_the_screen),
		cmocka_unit_test(tells_ages_of_nodes),
		cmocka_unit_test(says_that_it_is_a_part),
		cmocka_unit_test(says_nothing_where_nothing_is_told),
		cmocka_unit_test(knows_its_moment),
		cmocka_unit_test(has_a_column),
		cmocka_unit_test(lists_survivors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
