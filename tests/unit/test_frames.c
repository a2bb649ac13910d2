/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/model/modules.c src/model/plumbing.c src/model/frames.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "model/frames.h"
#include "model/modules.h"

static struct modules *
one_module(void)
{
	struct modules *m = modules_new();
	struct module in = {
		.id = 1, .start = 16, .end = 32, .path = "/x/app"
	};

	modules_add(m, &in);
	return m;
}

static void
ids_are_dense_and_stay(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);

	(void)state;
	for (uint64_t i = 0; i < 3000; i++)
		assert_int_equal(frames_add(f, i & 1, i * 64), i + 1);
	for (uint64_t i = 0; i < 3000; i++) {
		frame_id id = frames_add(f, i & 1, i * 64);

		assert_int_equal(id, i + 1);
		assert_int_equal(frames_module(f, id), i & 1);
		assert_int_equal(frames_offset(f, id), i * 64);
	}
	assert_int_equal(frames_count(f), 3000);
	/* these would share a key of module << 48 ^ offset */
	assert_int_not_equal(
	    frames_add(f, 0, UINT64_C(1) << 48 | 5), frames_add(f, 1, 5));
	frames_free(f);
	modules_free(m);
}

static void
named_by_module_until_names_come(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);
	frame_id a = frames_add(f, 1, 0x1b2e4), b = frames_add(f, 0, 0xff);
	uint64_t version = frames_version(f);

	(void)state;
	assert_string_equal(frames_name(f, a, 0).function, "app+0x1b2e4");
	assert_string_equal(frames_name(f, b, 0).function, "0xff");
	assert_string_equal(frames_name(f, b, 0).file, "");
	assert_int_equal(frames_state(f, a), FRAME_UNKNOWN);
	frames_set_asked(f, a);
	assert_int_equal(frames_state(f, a), FRAME_ASKED);
	frames_set_names(f, a, NULL, 0);
	assert_int_equal(frames_state(f, a), FRAME_NAMELESS);
	assert_string_equal(frames_name(f, a, 0).function, "app+0x1b2e4");
	assert_true(frames_version(f) > version);
	frames_free(f);
	modules_free(m);
}

/* The text of a place is the same wherever its module was loaded, and is
 * counted though nobody has asked for it. */
static void
text_is_by_name_of_module(void **state)
{
	struct modules *m = one_module();
	struct module again = {
		.id = 2, .start = 64, .end = 80, .path = "/y/app"
	};
	struct frames *f = frames_new(m);
	frame_id a, b, c;
	uint32_t count;

	(void)state;
	modules_add(m, &again);
	a = frames_add(f, 1, 5);
	b = frames_add(f, 2, 5);
	c = frames_add(f, 0, UINT64_MAX);
	assert_int_not_equal(a, b);
	/* "", "app" and the three places, of which two are alike */
	count = frames_string_count(f);
	assert_int_equal(count, 4);
	assert_string_equal(frames_name(f, b, 0).function, "app+0x5");
	assert_int_equal(
	    frames_function_id(f, a, 0), frames_function_id(f, b, 0));
	assert_string_equal(
	    frames_name(f, c, 0).function, "0xffffffffffffffff");
	assert_true(frames_function_id(f, c, 0) < count);
	assert_int_equal(frames_string_count(f), count);
	frames_free(f);
	modules_free(m);
}

/* A call at 0x101f returns to 0x1020. */
static void
written_as_the_source_has_it(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);
	frame_id a = frames_add(f, 1, 0x101f), b = frames_add(f, 1, 0x1020);
	struct frame_name name = { "f", "f.c", 1 };

	(void)state;
	assert_string_equal(frames_name(f, a, 0).function, "app+0x101f");
	frames_set_behind(f, a);
	assert_string_equal(frames_name(f, a, 0).function, "app+0x1020");
	assert_int_equal(frames_offset(f, a), 0x101f);
	assert_string_equal(frames_name(f, b, 0).function, "app+0x1020");
	frames_set_names(f, a, &name, 1);
	frames_set_behind(f, a);
	assert_string_equal(frames_name(f, a, 0).function, "f");
	frames_free(f);
	modules_free(m);
}

/* Only a name can be half; the next one, or none, makes it whole. */
static void
half_a_name(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);
	frame_id a = frames_add(f, 1, 0x101f);
	struct frame_name name = { "f", "", 0 };

	(void)state;
	frames_set_half(f, a, true);
	assert_false(frames_half(f, a));
	frames_set_names(f, a, &name, 1);
	assert_false(frames_half(f, a));
	frames_set_half(f, a, true);
	assert_true(frames_half(f, a));
	frames_set_asked(f, a);
	assert_int_equal(frames_state(f, a), FRAME_NAMED);
	frames_set_names(f, a, &name, 1);
	assert_false(frames_half(f, a));
	frames_set_half(f, a, true);
	frames_set_half(f, a, false);
	assert_false(frames_half(f, a));
	frames_free(f);
	modules_free(m);
}

/* More than an inline chain can be: the outermost stay. */
static void
absurd_chains_are_cut(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);
	struct frame_name names[300];
	frame_id a = frames_add(f, 1, 1);

	(void)state;
	for (uint32_t i = 0; i < 300; i++)
		names[i] = (struct frame_name){ i == 299 ? "real" : "", "", i };
	frames_set_names(f, a, names, 300);
	assert_int_equal(frames_depth(f, a), 128);
	assert_string_equal(frames_name(f, a, 127).function, "real");
	assert_string_equal(frames_name(f, a, 0).function, "app+0x1");
	assert_int_equal(frames_name(f, a, 0).line, 172);
	frames_free(f);
	modules_free(m);
}

static void
inlined_functions(void **state)
{
	struct modules *m = one_module();
	struct frames *f = frames_new(m);
	frame_id a = frames_add(f, 1, 1), b = frames_add(f, 1, 2);
	struct frame_name names[] = { { "in\tner", "a.h", 3 },
		{ "outer", "a.c", 30 } };

	(void)state;
	frames_set_names(f, a, names, 2);
	assert_int_equal(frames_state(f, a), FRAME_NAMED);
	assert_int_equal(frames_depth(f, a), 2);
	assert_string_equal(frames_name(f, a, 0).function, "in?ner");
	assert_int_equal(frames_name(f, a, 0).line, 3);
	assert_string_equal(frames_name(f, a, 1).file, "a.c");
	frames_set_names(f, b, names + 1, 1);
	assert_int_equal(
	    frames_function_id(f, a, 1), frames_function_id(f, b, 0));
	/* names may get better, and worse */
	frames_set_names(f, a, names + 1, 1);
	assert_int_equal(frames_depth(f, a), 1);
	frames_set_names(f, a, names, 2);
	assert_int_equal(frames_depth(f, a), 2);
	assert_int_equal(frames_plumbing(f, a, 1), PLUMBING_NONE);
	names[0].function = "malloc";
	frames_set_names(f, b, names, 1);
	assert_int_equal(frames_plumbing(f, b, 0), PLUMBING_ALLOCATOR);
	frames_free(f);
	modules_free(m);
	frames_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_dense_and_stay),
		cmocka_unit_test(named_by_module_until_names_come),
		cmocka_unit_test(text_is_by_name_of_module),
		cmocka_unit_test(written_as_the_source_has_it),
		cmocka_unit_test(half_a_name),
		cmocka_unit_test(absurd_chains_are_cut),
		cmocka_unit_test(inlined_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
