/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c src/base/map.c src/base/strtab.c src/base/utf8.c src/model/name.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/name.h"

static void
cleans(void **state)
{
	static const char *const t[][2] = {
		{ "main", "main" },
		{ "foo.isra.0", "foo" },
		{ "foo.part.1.cold", "foo" },
		{ "void foo<int>(int) [clone .isra.0]", "foo<int>" },
		{ "operator new(unsigned long)", "operator new" },
		{ "operator new[](unsigned long)", "operator new[]" },
		{ "Foo::operator bool() const", "Foo::operator bool" },
		{ "Foo::operator()(int) const", "Foo::operator()" },
		{ "bool ns::operator< <int>(X<int> const&, X<int> const&)",
		    "ns::operator< <int>" },
		{ "std::ostream& operator<< <char>(std::ostream&, char)",
		    "operator<< <char>" },
		{ "X::operator->() const", "X::operator->" },
		{ "a::(anonymous namespace)::f(int) const::{lambda(int)#1}"
		  "::operator()(int) const",
		    "a::(anon)::f::{lambda#1}::operator()" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
		  "std::allocator<char> >::_M_create(unsigned long&, "
		  "unsigned long)",
		    "std::string::_M_create" },
		{ "f[abi:cxx11](int)", "f" },
		{ "std::rt::lang_start::{{closure}}::h0123456789abcdef",
		    "std::rt::lang_start::{{closure}}" },
		{ "<alloc::vec::Vec<T> as core::iter::FromIterator<T>>"
		  "::from_iter",
		    "<alloc::vec::Vec<T> as core::iter::FromIterator<T>>"
		    "::from_iter" },
		{ "non-virtual thunk to A::f()", "A::f" },
		{ "(", "(" },
		{ "<<<", "<<<" },
		{ ")>]}", ")>]}" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct buf b = BUF_INIT;

		name_clean(&b, t[i][0]);
		assert_string_equal(buf_str(&b), t[i][1]);
		buf_fini(&b);
	}
}

#define VECTOR                                    \
	"std::vector<std::shared_ptr<Foo>, "      \
	"std::allocator<std::shared_ptr<Foo> > >" \
	"::_M_realloc_insert<std::shared_ptr<Foo> const&>(int)"

static void
fits_by_stages(void **state)
{
	static const struct {
		const char *name;
		int cols;
		const char *s, *ascii;
	} t[] = {
		{ VECTOR, 40, "std::vector<…>::_M_realloc_insert<…>",
		    "std::vector<..>::_M_realloc_insert<..>" },
		{ VECTOR, 30, "std::vector::_M_realloc_insert",
		    "std::vector::_M_realloc_insert" },
		{ VECTOR, 21, "…::_M_realloc_insert", "..::_M_realloc_insert" },
		{ VECTOR, 12, "…lloc_insert", "~lloc_insert" },
		{ "a::b::c::dddddddd", 14, "…::c::dddddddd", "..::dddddddd" },
		{ "<A<T> as B>::from_iter", 10, "from_iter", "from_iter" },
		{ "abc", 0, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct buf b = BUF_INIT;

		assert_int_equal(name_fit(&b, t[i].name, t[i].cols, false),
		    utf8_width(t[i].s));
		assert_string_equal(buf_str(&b), t[i].s);
		buf_clear(&b);
		name_fit(&b, t[i].name, t[i].cols, true);
		assert_string_equal(buf_str(&b), t[i].ascii);
		buf_fini(&b);
	}
}

/* Whatever the name, never wider than asked. */
static void
never_too_wide(void **state)
{
	static const char signs[] = "ab:<>(){}[]- ,*&operator<~\xe4\xb8\xad";
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char name[48];
		struct buf b = BUF_INIT;
		int cols = i % 30, used;

		for (size_t j = 0; j < sizeof name - 1; j++) {
			seed = seed * 1664525 + 1013904223;
			name[j] = signs[(seed >> 8) % (sizeof signs - 1)];
		}
		name[sizeof name - 1] = '\0';
		used = name_fit(&b, name, cols, i & 1);
		assert_true(used <= cols);
		assert_int_equal(utf8_width(buf_str(&b)), used);
		buf_fini(&b);
	}
}

static void
paths_keep_their_end(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	name_fit_path(&b, "/home/me/src/decode.c", 13, false);
	assert_string_equal(buf_str(&b), "…/decode.c");
	buf_clear(&b);
	name_fit_path(&b, "/home/me/src/decode.c", 5, false);
	assert_string_equal(buf_str(&b), "…de.c");
	buf_clear(&b);
	name_fit_path(&b, "a.c", 5, false);
	assert_string_equal(buf_str(&b), "a.c");
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cleans),
		cmocka_unit_test(fits_by_stages),
		cmocka_unit_test(never_too_wide),
		cmocka_unit_test(paths_keep_their_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
