/* needs: src/io/heapkeys.c src/io/domain.c src/io/heapfile.c src/io/heapread.c
 * src/io/heapdata.c src/io/heapfigures.c src/io/heapsymbols.c
 * src/io/heapwords.c src/io/heapnotes.c src/io/heapmaps.c src/io/heapfit.c
 * src/io/heapmapline.c src/io/heapname.c src/io/infile.c src/io/progress.c
 * src/io/elfpeek.c src/io/ranges.c src/io/symcand.c src/model/profile.c
 * src/model/births.c
 * src/model/frames.c src/model/modules.c src/model/stacks.c
 * src/model/history.c src/model/history_log.c src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

#include "io/domain.h"
#include "io/elfpeek.h"
#include "io/heapfile.h"
#include "io/heapfit.h"
#include "model/modules.h"
#include "tests/unit/reader_fixture.h"

#define STACK "@ 0x700000001010\n  t*: 1: 64 [0: 0]\n"

/* A dump of one stack with those keys and that list of mappings. */
static struct profile *
with(const char *keys, const char *maps)
{
	struct profile *p;
	struct buf b = BUF_INIT;

	buf_printf(&b, "heap_v2/1\n%s  t*: 1: 64 [0: 0]\n" STACK, keys);
	buf_printf(&b, "\nMAPPED_LIBRARIES:\n%s", maps);
	p = reader_text(heapfile_read, buf_str(&b));
	buf_fini(&b);
	return p;
}

static void
test_figures(void **state)
{
	struct profile *p = with("# heaptop leaf=call\n"
				 "# heaptop now_ns=5000\n"
				 "# heaptop image_ns=2000\n"
				 "# heaptop start_ns=900\n"
				 "# heaptop live_bytes=64\n"
				 "# heaptop mapped_bytes=1000\n"
				 "# heaptop cached_bytes=200\n"
				 "# heaptop dirty_bytes=300\n"
				 "# heaptop meta_bytes=40\n"
				 "# heaptop rss_bytes=5000\n"
				 "# heaptop virtual_bytes=9000\n"
				 "# heaptop swap_bytes=10\n"
				 "# heaptop file_bytes=2000\n"
				 "# heaptop shmem_bytes=30\n"
				 "# heaptop major_faults=7\n"
				 "# heaptop samples=12\n"
				 "# heaptop samples_live=3\n"
				 "# heaptop cut_unwind=2\n"
				 "# heaptop inactive_ns=11\n"
				 "# heaptop of_tomorrow=1\n",
	    "");
	const struct profile_totals *t = &reader_snapshot(p)->totals;

	(void)state;
	assert_int_equal(t->now_ns, 5000);
	assert_int_equal(t->exact_ns, 5000);
	assert_int_equal(t->mapped_bytes, 1000);
	assert_int_equal(t->cached_bytes, 200);
	assert_int_equal(t->dirty_bytes, 300);
	assert_int_equal(t->meta_bytes, 40);
	assert_int_equal(t->rss_bytes, 5000);
	assert_int_equal(t->virtual_bytes, 9000);
	assert_int_equal(t->swap_bytes, 10);
	assert_int_equal(t->file_bytes, 2000);
	assert_int_equal(t->shmem_bytes, 30);
	assert_int_equal(t->major_faults, 7);
	assert_int_equal(t->samples, 12);
	assert_int_equal(t->samples_live, 3);
	assert_int_equal(t->lost[LOSS_CUT_UNWIND], 2);
	assert_int_equal(t->inactive_ns, 11);
	assert_int_equal(profile_facts(p)->image_ns, 2000);
	profile_free(p);
}

static struct profile_frame
leaf_of(const struct profile *p)
{
	const struct frames *f = profile_frames_const(p);
	frame_id id = stacks_at(profile_stacks(p), 1)->frames[0];

	return (
	    struct profile_frame){ frames_module(f, id), frames_offset(f, id) };
}

static void
test_bias_is_told(void **state)
{
	struct profile *p = with("# heaptop leaf=call\n# heaptop "
				 "module=700000000000-700000003000 6fffffff0000"
				 " 0102ff /nowhere/a.so\n",
	    "700000000000-700000003000 r-xp 00000000 08:01 9 /nowhere/a.so\n");
	struct profile_frame at = leaf_of(p);
	const struct module *m = modules_find(profile_modules(p), at.module);

	(void)state;
	assert_non_null(m);
	/* 0x700000001010 - 0x6fffffff0000 */
	assert_int_equal(at.offset, 0x11010);
	assert_int_equal(m->bias, 0x6fffffff0000);
	assert_int_equal(m->build_id_len, 3);
	assert_memory_equal(m->build_id, "\1\2\377", 3);
	profile_free(p);
}

/* Unloaded before the dump: no mapping has it. */
static void
test_unmapped(void **state)
{
	struct profile *p = with("# heaptop leaf=call\n# heaptop "
				 "module=700000000000-700000003000 700000000000"
				 " - /nowhere/gone.so\n",
	    "400000-401000 r-xp 00000000 08:01 9 /nowhere/program\n");
	struct profile_frame at = leaf_of(p);
	const struct module *m = modules_find(profile_modules(p), at.module);

	(void)state;
	assert_non_null(m);
	assert_string_equal(m->path, "/nowhere/gone.so");
	assert_int_equal(at.offset, 0x1010);
	assert_int_equal(m->build_id_len, 0);
	profile_free(p);
}

/* This program as the file that was mapped, of that build-id. */
static struct profile *
with_this(const char *self, const char *build_id)
{
	struct profile *p;
	struct buf keys = BUF_INIT, maps = BUF_INIT;

	buf_printf(&keys,
	    "# heaptop leaf=call\n# heaptop program=%s\n# heaptop "
	    "module=700000000000-700000009000 700000000000 %s %s\n",
	    self, build_id, self);
	buf_printf(&maps,
	    "700000000000-700000009000 r-xp 00000000 08:01 9 %s\n", self);
	p = with(buf_str(&keys), buf_str(&maps));
	buf_fini(&keys);
	buf_fini(&maps);
	return p;
}

/* The build-id decides, whatever the layout. */
static void
test_builds(void **state)
{
	static const char other[] = "another build";
	char self[4096], hex[65] = "";
	struct elfpeek peek;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	(void)state;
	assert_true(n > 0);
	self[n] = '\0';
	assert_true(heapfit_read(self, &peek));
	if (peek.build_id_len == 0)
		skip();
	for (size_t i = 0; i < peek.build_id_len; i++)
		sprintf(hex + 2 * i, "%02x", peek.build_id[i]);
	profile_free(with_this(self, hex));
	assert_null(strstr(buf_str(&reader_notes), other));
	hex[0] = hex[0] == '0' ? '1' : '0';
	profile_free(with_this(self, hex));
	assert_non_null(strstr(buf_str(&reader_notes), other));
}

static void
test_hostile(void **state)
{
	struct profile *p =
	    with("# heaptop \n# heaptop =\n"
		 "# heaptop module\n# heaptop module=\n"
		 "# heaptop module=-\n# heaptop module=1-2\n"
		 "# heaptop module=1-2 3\n"
		 "# heaptop module=1-2 3 zz\n"
		 "# heaptop module=1-2 3 zz \n"
		 "# heaptop module=5-2 3 00 /reversed\n"
		 "# heaptop module=0-ffffffffffffffff 0 0 /all\n"
		 "# heaptop bt_max=-1\n# heaptop pid=-1\n"
		 "# heaptop lg_sample=99\n",
		"");
	const struct modules *m = profile_modules(p);

	(void)state;
	assert_non_null(modules_find(m, 1));
	assert_string_equal(modules_find(m, 1)->path, "/all");
	assert_int_equal(modules_find(m, 1)->build_id_len, 0);
	assert_null(modules_find(m, 2));
	profile_free(p);
}

/* Live bytes of the newest snapshot. */
static double
live(const char *pool)
{
	struct profile *p;
	double bytes;

	domain_choose(pool);
	p = reader_text(heapfile_read,
	    "heap_v2/1\n# heaptop leaf=call\n# heaptop live_bytes=64\n"
	    "  t*: 1: 64 [0: 0]\n" STACK
	    "# heaptop pool=a\n# @ 0x10\n#   t*: 1: 5000 [0: 0]\n"
	    "# heaptop pool=b\n# @ 0x10\n#   t*: 1: 700 [0: 0]\n"
	    "#   t1: 1: 700 [0: 0]\n"
	    "# heaptop pool=a\n# @ 0x20\n#   t*: 2: 10000 [0: 0]\n"
	    "\nMAPPED_LIBRARIES:\n"
	    "400000-401000 r-xp 00000000 08:01 9 /nowhere/program\n");
	bytes = reader_snapshot(p)->live_bytes;
	assert_int_equal(
	    reader_snapshot(p)->totals.exact_ns != 0, pool == NULL);
	profile_free(p);
	domain_choose(NULL);
	return bytes;
}

/* Each domain by itself; at R = 1 a row is what it says. */
static void
test_pools(void **state)
{
	(void)state;
	assert_float_equal(live(NULL), 64, 1e-6);
	assert_float_equal(live("a"), 15000, 1e-6);
	assert_float_equal(live("b"), 700, 1e-6);
	assert_int_equal(reader_result, 0);
	assert_float_equal(live("c"), 0, 0);
	assert_non_null(strstr(buf_str(&reader_notes), "pool called c"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_bias_is_told),
		cmocka_unit_test(test_unmapped),
		cmocka_unit_test(test_builds),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_pools),
	};

	return cmocka_run_group_tests(tests, reader_set_up, reader_tear_down);
}
