/* needs: src/model/plumbing.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/plumbing.h"

static void
classifies(void **state)
{
	static const struct {
		const char *function, *module;
		enum plumbing want;
	} t[] = {
		{ "malloc", "libc.so.6", PLUMBING_ALLOCATOR },
		{ "operator new(unsigned long)", "app", PLUMBING_ALLOCATOR },
		{ "operator new[](unsigned long, std::nothrow_t const&)", "app",
		    PLUMBING_ALLOCATOR },
		{ "malloc_usable_size", "libjemalloc.so.2",
		    PLUMBING_ALLOCATOR },
		{ "malloc_usable_size", "app", PLUMBING_NONE },
		{ "je_prof_backtrace", "app", PLUMBING_ALLOCATOR },
		{ "std::allocator<Foo>::allocate(unsigned long)", "app",
		    PLUMBING_WRAPPER },
		{ "__gnu_cxx::new_allocator<std::pair<int const, X> >"
		  "::allocate(unsigned long, void const*)",
		    "app", PLUMBING_WRAPPER },
		{ "std::allocator_traits<std::allocator<int> >"
		  "::allocate(std::allocator<int>&, unsigned long)",
		    "app", PLUMBING_WRAPPER },
		{ "g_malloc", "libglib-2.0.so.0", PLUMBING_WRAPPER },
		{ "xmalloc", "app", PLUMBING_WRAPPER },
		{ "alloc::alloc::alloc", "app", PLUMBING_WRAPPER },
		{ "alloc::raw_vec::RawVec<T,A>::grow_one", "app",
		    PLUMBING_WRAPPER },
		{ "<alloc::alloc::Global as core::alloc::Allocator>"
		  "::allocate",
		    "app", PLUMBING_WRAPPER },
		{ "__rust_alloc", "app", PLUMBING_WRAPPER },
		/* sites */
		{ "xstrdup", "app", PLUMBING_NONE },
		{ "std::string::_M_create", "app", PLUMBING_NONE },
		{ "arena_alloc", "app", PLUMBING_NONE },
		{ "my::allocator::allocate", "app", PLUMBING_NONE },
		{ "", "", PLUMBING_NONE },
		{ "<<<<>", "", PLUMBING_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		assert_int_equal(
		    plumbing_class(t[i].function, t[i].module), t[i].want);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classifies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
