/* needs: prof/modinfo.c prof/readmem.c */
#include "prof/modinfo.h"

#include <gnu/libc-version.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prof/pagemap.h"
#include "prof/readmem.h"

static bool owned;

bool
pagemap_owns(const void *p)
{
	(void)p;
	return owned;
}

static void
test_program(void **state)
{
	struct modinfo m;

	(void)state;
	modinfo_set_exe("/some/program");
	assert_true(modinfo_find((uintptr_t)&test_program, &m));
	assert_string_equal(m.path, "/some/program");
	assert_false(m.closeable);
	assert_true(m.start <= (uintptr_t)&test_program);
	assert_true(m.end > (uintptr_t)&test_program);
	assert_int_equal(modinfo_key((uintptr_t)&test_program), m.start);
}

/* libc is named by its path, loaded at its bias, and has a build-id. */
static void
test_library(void **state)
{
	struct modinfo m;

	(void)state;
	assert_true(modinfo_find((uintptr_t)&gnu_get_libc_version, &m));
	assert_non_null(strstr(m.path, "libc.so.6"));
	assert_int_equal(m.bias, m.start);
	assert_int_equal(m.build_id_len, 20);
	owned = true;
	assert_true(modinfo_find((uintptr_t)&gnu_get_libc_version, &m));
	assert_non_null(strstr(m.path, "libc.so.6"));
	assert_true(m.closeable);
	owned = false;
}

static void
test_none(void **state)
{
	struct modinfo m;
	int here;

	(void)state;
	assert_false(modinfo_find(0, &m));
	assert_false(modinfo_find(~UINT64_C(0), &m));
	assert_false(modinfo_find((uintptr_t)&here, &m));
	assert_int_equal(modinfo_key((uintptr_t)&here), 0);
}

/* Without the system call a library loaded at the start is read directly, a
 * closeable one not at all. */
static void
test_no_syscalls(void **state)
{
	struct modinfo m;

	(void)state;
	readmem_stop();
	assert_true(modinfo_find((uintptr_t)&gnu_get_libc_version, &m));
	assert_int_equal(m.build_id_len, 20);
	owned = true;
	assert_true(modinfo_find((uintptr_t)&gnu_get_libc_version, &m));
	assert_int_equal(m.build_id_len, 0);
	assert_string_equal(m.path, "");
	owned = false;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_no_syscalls),
	};

	readmem_init();
	if (!modinfo_init())
		return 0; /* a libc without _dl_find_object: nothing to test */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
