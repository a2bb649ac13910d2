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

/* They are told by their ids alone. */
static void
appended_strings_are_not_found(void **state)
{
	struct strtab *t = strtab_new();
	str_id a = strtab_add(t, "a");

	(void)state;
	assert_int_equal(strtab_append(t, "bc", 1), 2);
	assert_int_equal(strtab_append(t, "b", 1), 3);
	assert_string_equal(strtab_at(t, 2), "b");
	assert_int_equal(strtab_add(t, "b"), 4);
	for (int i = 0; i < 1000; i++)
		strtab_append(t, "a", 1);
	for (size_t i = 0; i < 100; i++)
		strtab_addn(t, "0123456789", i % 10);
	assert_int_equal(strtab_add(t, "a"), a);
	assert_int_equal(strtab_add(t, "b"), 4);
	strtab_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_strings_have_equal_ids),
		cmocka_unit_test(appended_strings_are_not_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
