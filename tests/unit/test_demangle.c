/* needs: src/io/demangle.c src/base/mem.c src/base/err.c */
/* libs: -liberty */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "io/demangle.h"

static void
check(const char *name, const char *expect)
{
	char *s = demangle(name);

	assert_string_equal(s, expect);
	free(s);
}

/* Expected: what c++filt of binutils 2.40 prints, less clone suffixes. */
static void
test_names(void **state)
{
	(void)state;
	check("main", "main");
	check("", "");
	check("_Z3fooi", "foo(int)");
	check("_Z3fooi.cold", "foo(int)");
	check("_ZN2ns1CclEi", "ns::C::operator()(int)");
	check("_Z4nodeIiEvv", "void node<int>()");
	check("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	check("_RNvC6_123foo3bar", "123foo::bar");
	check("_D3foo3barFZv", "foo.bar()");
	check("memcpy@@GLIBC_2.14", "memcpy");
	check("@", "@");
	check("_Z", "_Z");
}

/* A name of a megabyte is not looked into, and what comes out is bounded. */
static void
test_hostile(void **state)
{
	size_t n = 1000000;
	char *name = malloc(n + 1), *s;

	(void)state;
	memset(name, 'N', n);
	memcpy(name, "_Z", 2);
	name[n] = 0;
	s = demangle(name);
	assert_int_equal(strlen(s), DEMANGLE_OUT_MAX);
	free(s);
	name[DEMANGLE_MAX] = 0; /* deep nesting */
	s = demangle(name);
	assert_true(strlen(s) <= DEMANGLE_OUT_MAX);
	free(s);
	free(name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
