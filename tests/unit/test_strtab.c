/* needs: src/base/strtab.c src/base/arena.c src/base/map.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/strtab.h"

static void
equal_strings_have_equal_ids(void **state)
{
	struct strtab *t = strtab_new();
	char text[32];
	const char *first;

	(void)state;
	assert_int_equal(strtab_add(t, ""), 0);
	assert_int_equal(strtab_add(t, "a"), 1);
	first = strtab_at(t, 1);
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof text, "function_%d", i);
		assert_int_equal(strtab_add(t, text), i + 2);
	}
	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof text, "function_%d", i);
		assert_int_equal(strtab_add(t, text), i + 2);
		assert_string_equal(strtab_at(t, (str_id)i + 2), text);
	}
	assert_int_equal(strtab_count(t), 5002);
	assert_ptr_equal(strtab_at(t, 1), first);
	assert_int_equal(strtab_addn(t, "ab", 1), 1);
	strtab_free(t);
	strtab_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_strings_have_equal_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
