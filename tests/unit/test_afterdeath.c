/* needs: src/io/afterdeath.c src/io/domain.c src/io/dumpread.c src/io/loop.c
 * prof/encode.c prof/tableread.c src/model/profile.c src/model/births.c
 * src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "io/afterdeath.h"
#include "io/dumpread.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "prof/table.h"
#include "table_fixture.h"

static double
live(const struct profile *p)
{
	const struct history *h = profile_history(p);

	return history_at(h, history_count(h) - 1)->live_bytes;
}

static void
test_whole(void **state)
{
	struct table *t = make_table();
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	int fd = table_file(t, sizeof *t);
	const struct birth *b;
	size_t n;

	(void)state;
	assert_int_equal(afterdeath_read(fd, d, NULL), 0);
	assert_true(live(p) == 2000); /* 3000 - 1000 */
	assert_string_equal(profile_facts(p)->image, "/bin/x");
	assert_string_equal(profile_thread_name(p, 1), "main");
	assert_int_equal(stacks_count(profile_stacks(p)), 1);
	assert_int_equal(profile_totals(p)->samples_live, 2);
	b = births_all(profile_births(p), &n);
	assert_int_equal(n, 1);
	assert_int_equal(b->birth, 50);
	assert_int_equal(birth_size(b), 100);
	assert_true(birth_lives(b, 1) && births_short(profile_births(p)));
	/* once more into the same profile */
	assert_int_equal(afterdeath_read(fd, d, NULL), 0);
	assert_int_equal(dumpread_snapshots(d), 2);
	close(fd);
	dumpread_free(d);
	profile_free(p);
	free(t);
}

/* The stack names a module that is gone: it goes too, the rest stays. */
static void
test_scribbled(void **state)
{
	struct table *t = make_table();
	struct table_head *h = (struct table_head *)(void *)t->chunk[0];
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	int fd;

	(void)state;
	h->module_dir[0] = 0xdeadbee8;
	fd = table_file(t, sizeof *t);
	assert_int_equal(afterdeath_read(fd, d, NULL), 0);
	assert_int_equal(stacks_count(profile_stacks(p)), 0);
	assert_int_equal(profile_totals(p)->samples_live, 2);
	close(fd);
	dumpread_free(d);
	profile_free(p);
	free(t);
}

static void
test_refused(void **state)
{
	struct table *t = make_table();
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "x");
	struct err e;
	int fd;

	(void)state;
	fd = table_file(t, 0);
	assert_int_equal(afterdeath_read(fd, d, &e), -1);
	assert_non_null(strstr(e.msg, "not complete"));
	close(fd);
	fd = table_file(t, 4); /* the head is cut */
	assert_int_equal(afterdeath_read(fd, d, &e), -1);
	close(fd);
	assert_int_equal(afterdeath_read(-1, d, &e), -1);
	dumpread_free(d);
	profile_free(p);
	free(t);
}

/* Any word of head and entries may be any other. */
static void
test_hostile(void **state)
{
	(void)state;
	srand(2);
	for (int i = 0; i < 60; i++) {
		struct table *t = make_table();
		struct profile *p = profile_new();
		struct dumpread *d = dumpread_new(p, "x");
		int fd;

		for (int k = 0; k < 40; k++) {
			size_t at = (size_t)rand() % 400;
			uint32_t w = rand() % 3 ? (uint32_t)rand() : ~0u;

			if (rand() % 2)
				at += AT(rand() % 2  ? CELLS_AT
					: rand() % 2 ? BIRTHS_AT
						     : RECORDS_AT);
			memcpy((unsigned char *)t + (at & ~(size_t)3) + 16, &w,
			    sizeof w);
		}
		fd = table_file(t, sizeof *t);
		afterdeath_read(fd, d, NULL);
		close(fd);
		dumpread_free(d);
		profile_free(p);
		free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_scribbled),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
