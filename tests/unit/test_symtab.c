/* needs: src/io/symtab.c src/io/ranges.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/symtab.h"

static void
test_find(void **state)
{
	struct symtab *t = symtab_new();

	(void)state;
	/* one place, five names: a global one with the fewest underscores */
	symtab_add(t, 100, 10, 0, SYMTAB_LOCAL, "short");
	symtab_add(t, 100, 10, 0, SYMTAB_GLOBAL, "__alloc");
	symtab_add(t, 100, 10, 0, SYMTAB_GLOBAL, "alloc_it");
	symtab_add(t, 100, 10, 0, SYMTAB_WEAK, "w");
	symtab_add(t, 100, 10, 0, SYMTAB_WEAK, "_v");
	symtab_add(t, 200, 5, 0, SYMTAB_LOCAL, "b");
	symtab_add(t, 300, 50, 0, SYMTAB_LOCAL, "outer");
	/* a label inside a function, and one on its own */
	symtab_add(t, 310, 0, 400, SYMTAB_LOCAL, "label");
	symtab_add(t, 360, 0, 400, SYMTAB_LOCAL, "asm");
	symtab_add(t, 370, 4, 0, SYMTAB_LOCAL, "last");
	symtab_add(t, 500, 4, 0, SYMTAB_LOCAL, "");
	symtab_sort(t);
	assert_int_equal(symtab_count(t), 10);
	assert_null(symtab_find(t, 99));
	assert_string_equal(symtab_find(t, 100), "alloc_it");
	assert_string_equal(symtab_find(t, 109), "alloc_it");
	assert_null(symtab_find(t, 110)); /* the nearest is not it */
	assert_string_equal(symtab_find(t, 204), "b");
	assert_string_equal(symtab_find(t, 320), "outer");
	assert_string_equal(symtab_find(t, 355), "label");
	assert_string_equal(symtab_find(t, 369), "asm");
	assert_string_equal(symtab_find(t, 373), "last");
	assert_null(symtab_find(t, 374));
	assert_null(symtab_find(t, 500));
	symtab_free(t);
	symtab_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_find) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
