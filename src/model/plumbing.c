#include "model/plumbing.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct entry {
	const char *name;
	enum plumbing what;
};

/* Whole names, after cutting parameters and template arguments.  Sorted in
 * strcmp order; found by halving. */
static const struct entry names[] = {
	{ "CRYPTO_calloc", PLUMBING_WRAPPER },
	{ "CRYPTO_clear_realloc", PLUMBING_WRAPPER },
	{ "CRYPTO_malloc", PLUMBING_WRAPPER },
	{ "CRYPTO_realloc", PLUMBING_WRAPPER },
	{ "CRYPTO_zalloc", PLUMBING_WRAPPER },
	{ "Perl_safesyscalloc", PLUMBING_WRAPPER },
	{ "Perl_safesysmalloc", PLUMBING_WRAPPER },
	{ "Perl_safesysrealloc", PLUMBING_WRAPPER },
	{ "PyMem_Calloc", PLUMBING_WRAPPER },
	{ "PyMem_Malloc", PLUMBING_WRAPPER },
	{ "PyMem_RawCalloc", PLUMBING_WRAPPER },
	{ "PyMem_RawMalloc", PLUMBING_WRAPPER },
	{ "PyMem_RawRealloc", PLUMBING_WRAPPER },
	{ "PyMem_Realloc", PLUMBING_WRAPPER },
	{ "PyObject_Calloc", PLUMBING_WRAPPER },
	{ "PyObject_Malloc", PLUMBING_WRAPPER },
	{ "PyObject_Realloc", PLUMBING_WRAPPER },
	{ "_PyMem_RawCalloc", PLUMBING_WRAPPER },
	{ "_PyMem_RawMalloc", PLUMBING_WRAPPER },
	{ "_PyMem_RawRealloc", PLUMBING_WRAPPER },
	{ "_PyObject_Calloc", PLUMBING_WRAPPER },
	{ "_PyObject_Malloc", PLUMBING_WRAPPER },
	{ "_PyObject_Realloc", PLUMBING_WRAPPER },
	{ "__gnu_cxx::__alloc_traits::allocate", PLUMBING_WRAPPER },
	{ "__gnu_cxx::__pool_alloc::allocate", PLUMBING_WRAPPER },
	{ "__gnu_cxx::malloc_allocator::allocate", PLUMBING_WRAPPER },
	{ "__gnu_cxx::new_allocator::allocate", PLUMBING_WRAPPER },
	{ "__libc_calloc", PLUMBING_ALLOCATOR },
	{ "__libc_malloc", PLUMBING_ALLOCATOR },
	{ "__libc_memalign", PLUMBING_ALLOCATOR },
	{ "__libc_realloc", PLUMBING_ALLOCATOR },
	{ "__posix_memalign", PLUMBING_ALLOCATOR },
	{ "__rdl_alloc", PLUMBING_WRAPPER },
	{ "__rdl_alloc_zeroed", PLUMBING_WRAPPER },
	{ "__rdl_realloc", PLUMBING_WRAPPER },
	{ "__rust_alloc", PLUMBING_WRAPPER },
	{ "__rust_alloc_zeroed", PLUMBING_WRAPPER },
	{ "__rust_realloc", PLUMBING_WRAPPER },
	{ "_rjem_calloc", PLUMBING_ALLOCATOR },
	{ "_rjem_malloc", PLUMBING_ALLOCATOR },
	{ "_rjem_mallocx", PLUMBING_ALLOCATOR },
	{ "_rjem_rallocx", PLUMBING_ALLOCATOR },
	{ "_rjem_realloc", PLUMBING_ALLOCATOR },
	{ "aligned_alloc", PLUMBING_ALLOCATOR },
	{ "alloc::alloc::Global::alloc_impl", PLUMBING_WRAPPER },
	{ "alloc::alloc::Global::alloc_impl_runtime", PLUMBING_WRAPPER },
	{ "alloc::alloc::Global::grow_impl", PLUMBING_WRAPPER },
	{ "alloc::alloc::Global::grow_impl_runtime", PLUMBING_WRAPPER },
	{ "alloc::alloc::alloc", PLUMBING_WRAPPER },
	{ "alloc::alloc::alloc_zeroed", PLUMBING_WRAPPER },
	{ "alloc::alloc::exchange_malloc", PLUMBING_WRAPPER },
	{ "alloc::alloc::realloc", PLUMBING_WRAPPER },
	{ "calloc", PLUMBING_ALLOCATOR },
	{ "dbMallocRawFinish", PLUMBING_WRAPPER },
	{ "dbReallocFinish", PLUMBING_WRAPPER },
	{ "do_xmalloc", PLUMBING_WRAPPER },
	{ "do_xmallocz", PLUMBING_WRAPPER },
	{ "g_malloc", PLUMBING_WRAPPER },
	{ "g_malloc0", PLUMBING_WRAPPER },
	{ "g_malloc0_n", PLUMBING_WRAPPER },
	{ "g_malloc_n", PLUMBING_WRAPPER },
	{ "g_realloc", PLUMBING_WRAPPER },
	{ "g_realloc_n", PLUMBING_WRAPPER },
	{ "g_slice_alloc", PLUMBING_WRAPPER },
	{ "g_slice_alloc0", PLUMBING_WRAPPER },
	{ "g_try_malloc", PLUMBING_WRAPPER },
	{ "g_try_malloc0", PLUMBING_WRAPPER },
	{ "g_try_malloc_n", PLUMBING_WRAPPER },
	{ "g_try_realloc", PLUMBING_WRAPPER },
	{ "je_calloc", PLUMBING_ALLOCATOR },
	{ "je_malloc", PLUMBING_ALLOCATOR },
	{ "je_mallocx", PLUMBING_ALLOCATOR },
	{ "je_rallocx", PLUMBING_ALLOCATOR },
	{ "je_realloc", PLUMBING_ALLOCATOR },
	{ "llvm::allocate_buffer", PLUMBING_WRAPPER },
	{ "llvm::safe_calloc", PLUMBING_WRAPPER },
	{ "llvm::safe_malloc", PLUMBING_WRAPPER },
	{ "llvm::safe_realloc", PLUMBING_WRAPPER },
	{ "malloc", PLUMBING_ALLOCATOR },
	{ "mallocWithAlarm", PLUMBING_WRAPPER },
	{ "mallocx", PLUMBING_ALLOCATOR },
	{ "memalign", PLUMBING_ALLOCATOR },
	{ "mi_calloc", PLUMBING_ALLOCATOR },
	{ "mi_malloc", PLUMBING_ALLOCATOR },
	{ "mi_realloc", PLUMBING_ALLOCATOR },
	{ "operator new", PLUMBING_ALLOCATOR },
	{ "operator new[]", PLUMBING_ALLOCATOR },
	{ "posix_memalign", PLUMBING_ALLOCATOR },
	{ "pvalloc", PLUMBING_ALLOCATOR },
	{ "rallocx", PLUMBING_ALLOCATOR },
	{ "realloc", PLUMBING_ALLOCATOR },
	{ "reallocarray", PLUMBING_ALLOCATOR },
	{ "sqlite3DbMallocRaw", PLUMBING_WRAPPER },
	{ "sqlite3DbMallocRawNN", PLUMBING_WRAPPER },
	{ "sqlite3DbMallocZero", PLUMBING_WRAPPER },
	{ "sqlite3DbRealloc", PLUMBING_WRAPPER },
	{ "sqlite3Malloc", PLUMBING_WRAPPER },
	{ "sqlite3MallocZero", PLUMBING_WRAPPER },
	{ "sqlite3MemMalloc", PLUMBING_WRAPPER },
	{ "sqlite3MemRealloc", PLUMBING_WRAPPER },
	{ "sqlite3Realloc", PLUMBING_WRAPPER },
	{ "sqlite3_malloc", PLUMBING_WRAPPER },
	{ "sqlite3_malloc64", PLUMBING_WRAPPER },
	{ "sqlite3_realloc", PLUMBING_WRAPPER },
	{ "sqlite3_realloc64", PLUMBING_WRAPPER },
	{ "std::__new_allocator::allocate", PLUMBING_WRAPPER },
	{ "std::allocator::allocate", PLUMBING_WRAPPER },
	{ "std::allocator_traits::allocate", PLUMBING_WRAPPER },
	{ "std::pmr::memory_resource::allocate", PLUMBING_WRAPPER },
	{ "std::pmr::polymorphic_allocator::allocate", PLUMBING_WRAPPER },
	{ "tc_calloc", PLUMBING_ALLOCATOR },
	{ "tc_malloc", PLUMBING_ALLOCATOR },
	{ "tc_memalign", PLUMBING_ALLOCATOR },
	{ "tc_new", PLUMBING_ALLOCATOR },
	{ "tc_newarray", PLUMBING_ALLOCATOR },
	{ "tc_posix_memalign", PLUMBING_ALLOCATOR },
	{ "tc_realloc", PLUMBING_ALLOCATOR },
	{ "uv__calloc", PLUMBING_WRAPPER },
	{ "uv__malloc", PLUMBING_WRAPPER },
	{ "uv__realloc", PLUMBING_WRAPPER },
	{ "valloc", PLUMBING_ALLOCATOR },
	{ "xcalloc", PLUMBING_WRAPPER },
	{ "xmalloc", PLUMBING_WRAPPER },
	{ "xmallocz", PLUMBING_WRAPPER },
	{ "xrealloc", PLUMBING_WRAPPER },
	{ "xreallocarray", PLUMBING_WRAPPER },
	{ "zcalloc", PLUMBING_WRAPPER },
	{ "zcalloc_num", PLUMBING_WRAPPER },
	{ "zcalloc_usable", PLUMBING_WRAPPER },
	{ "zmalloc", PLUMBING_WRAPPER },
	{ "zmalloc_usable", PLUMBING_WRAPPER },
	{ "zrealloc", PLUMBING_WRAPPER },
	{ "zrealloc_usable", PLUMBING_WRAPPER },
	{ "ztrycalloc", PLUMBING_WRAPPER },
	{ "ztrycalloc_usable", PLUMBING_WRAPPER },
	{ "ztrymalloc", PLUMBING_WRAPPER },
	{ "ztrymalloc_usable", PLUMBING_WRAPPER },
	{ "ztryrealloc", PLUMBING_WRAPPER },
	{ "ztryrealloc_usable", PLUMBING_WRAPPER },
};

/* Heads of names; what follows does not matter. */
static const struct entry heads[] = {
	{ "alloc::raw_vec::", PLUMBING_WRAPPER },
	{ "<alloc::alloc::Global as ", PLUMBING_WRAPPER },
	{ "<alloc::raw_vec::RawVec", PLUMBING_WRAPPER },
	{ "tcmalloc::", PLUMBING_ALLOCATOR },
	{ "je_prof_", PLUMBING_ALLOCATOR },
	{ "prof_backtrace_impl", PLUMBING_ALLOCATOR },
	{ "void* fallbackNewImpl", PLUMBING_ALLOCATOR },
	{ "void* newImpl", PLUMBING_ALLOCATOR },
	{ "fallbackNewImpl", PLUMBING_ALLOCATOR },
	{ "newImpl", PLUMBING_ALLOCATOR },
};

/* Heads of file names of libraries that are nothing but an allocator. */
static const char *const libraries[] = {
	"libheaptop.so",
	"libjemalloc.so",
	"libtcmalloc",
	"libmimalloc",
	"libsnmalloc",
	"libhoard",
	"libtbbmalloc",
	"libscudo",
	"libasan.so",
};

static bool
has_head(const char *s, const char *head)
{
	return strncmp(s, head, strlen(head)) == 0;
}

/* The name without "(...)" and without what is in angle brackets, "" if it
 * does not fit: none of the listed ones is that long. */
static void
bare(const char *function, char *to, size_t size)
{
	size_t n = 0;
	unsigned depth = 0;

	for (const char *s = function; *s && (depth || *s != '('); s++) {
		if (*s == '<') {
			depth++;
		} else if (*s == '>' && depth) {
			depth--;
		} else if (depth == 0) {
			if (n + 1 == size) {
				n = 0;
				break;
			}
			to[n++] = *s;
		}
	}
	/* Newer demanglers write Rust's generics as ::<T>. */
	while (n >= 2 && to[n - 1] == ':')
		n--;
	to[n] = '\0';
}

static enum plumbing
by_name(const char *name)
{
	size_t low = 0, high = sizeof names / sizeof names[0];

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(name, names[mid].name);

		if (order == 0)
			return names[mid].what;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return PLUMBING_NONE;
}

enum plumbing
plumbing_module(const char *module)
{
	for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
		if (has_head(module, libraries[i]))
			return PLUMBING_ALLOCATOR;
	}
	return PLUMBING_NONE;
}

enum plumbing
plumbing_class(const char *function, const char *module)
{
	char name[96];
	const char *last;

	if (plumbing_module(module) != PLUMBING_NONE)
		return plumbing_module(module);
	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
		if (has_head(function, heads[i].name))
			return heads[i].what;
	}
	bare(function, name, sizeof name);
	/* A template's name comes with its return type. */
	last = strrchr(name, ' ');
	if (last && by_name(name) == PLUMBING_NONE && strstr(last, "::"))
		return by_name(last + 1);
	return by_name(name);
}
