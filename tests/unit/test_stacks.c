/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/model/modules.c src/model/plumbing.c src/model/frames.c src/model/stacks.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/modules.h"
#include "model/stacks.h"

/* The identity of a stack of three places in one run of a program. */
static uint64_t
identity(uint64_t base, uint8_t build, const uint64_t offsets[3])
{
	struct modules *m = modules_new();
	struct frames *f = frames_new(m);
	struct stacks *t = stacks_new();
	struct module in = { .id = 1,
		.start = base,
		.end = base + 4096,
		.bias = base,
		.path = "/x/app",
		.build_id = { build },
		.build_id_len = 1 };
	frame_id ids[3];
	uint64_t got;

	modules_add(m, &in);
	for (int i = 0; i < 3; i++)
		ids[i] = frames_add(f, 1, offsets[i]);
	assert_int_equal(stacks_add(t, 2, ids, 3, f, m), 1);
	assert_int_equal(stacks_add(t, 0, ids, 2, f, m), 2);
	assert_int_equal(stacks_count(t), 2);
	assert_int_equal(stacks_at(t, 1)->count, 3);
	assert_int_equal(stacks_at(t, 1)->flags, 2);
	assert_memory_equal(stacks_at(t, 1)->frames, ids, sizeof ids);
	got = stacks_at(t, 1)->identity;
	assert_int_not_equal(got, stacks_at(t, 2)->identity);
	stacks_free(t);
	frames_free(f);
	modules_free(m);
	return got;
}

static void
identity_outlives_the_run(void **state)
{
	const uint64_t a[3] = { 1, 2, 3 }, b[3] = { 1, 3, 2 };

	(void)state;
	assert_int_equal(identity(0x1000, 7, a), identity(0x9000, 7, a));
	assert_int_not_equal(identity(0x1000, 7, a), identity(0x1000, 8, a));
	assert_int_not_equal(identity(0x1000, 7, a), identity(0x1000, 7, b));
	stacks_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity_outlives_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
