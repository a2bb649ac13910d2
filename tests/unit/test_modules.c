/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/model/modules.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "model/modules.h"

static struct module
app(void)
{
	return (struct module){ .id = 3,
		.start = 0x1000,
		.end = 0x2000,
		.bias = 0x1000,
		.path = "/usr/bin/app",
		.build_id = { 1, 2, 3 },
		.build_id_len = 3 };
}

static void
keeps_copies(void **state)
{
	struct modules *m = modules_new();
	struct module in = app();
	char path[] = "/usr/bin/app";
	const struct module *got;

	(void)state;
	in.path = path;
	assert_int_equal(modules_add(m, &in), 0);
	memset(path, 'x', 4);
	got = modules_find(m, 3);
	assert_string_equal(got->path, "/usr/bin/app");
	assert_string_equal(got->name, "app");
	assert_null(modules_find(m, 1));
	assert_null(modules_find(m, 4));
	assert_int_equal(modules_max(m), 3);
	modules_free(m);
}

static void
refuses_what_does_not_fit(void **state)
{
	struct modules *m = modules_new();
	struct module in = app();

	(void)state;
	assert_int_equal(modules_add(m, &in), 0);
	assert_int_equal(modules_add(m, &in), 0);
	in.bias++;
	assert_int_equal(modules_add(m, &in), -1);
	in.id = 0;
	assert_int_equal(modules_add(m, &in), -1);
	in.id = 1u << 30;
	assert_int_equal(modules_add(m, &in), -1);
	in.id = 4;
	in.build_id_len = 33;
	assert_int_equal(modules_add(m, &in), -1);
	modules_free(m);
}

static void
newest_at_an_address(void **state)
{
	struct modules *m = modules_new();
	struct module in = app();

	(void)state;
	modules_add(m, &in);
	in.id = 4;
	in.path = "/lib/plugin.so";
	modules_add(m, &in);
	assert_int_equal(modules_find_address(m, 0x1fff)->id, 4);
	assert_null(modules_find_address(m, 0x2000));
	assert_null(modules_find_address(m, 0xfff));
	in.id = 5;
	in.path = "";
	in.start = 0x9000;
	in.end = 0xa000;
	modules_add(m, &in);
	assert_string_equal(modules_find_address(m, 0x9000)->name, "?");
	/* a path that would colour the terminal stays what it is */
	in.id = 6;
	in.path = "/x\33/a\33[1m\n\x7f"
		  "b.so";
	modules_add(m, &in);
	assert_string_equal(modules_find(m, 6)->name, "a?[1m??b.so");
	assert_string_equal(modules_find(m, 6)->path, in.path);
	modules_free(m);
	modules_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_copies),
		cmocka_unit_test(refuses_what_does_not_fit),
		cmocka_unit_test(newest_at_an_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
