/*
 * The C++ operators new and delete, under their mangled names.
 *
 * What C++ does when memory is short (the new_handler, std::bad_alloc) is
 * asked of the program's own C++ runtime, if it has one.
 */
#include <stddef.h>
#include <stdlib.h>

#include "entry.h"
#include "os.h"
#include "strict.h"

#define EXPORT __attribute__((visibility("default")))
#define COLD   __attribute__((noinline, cold))

/* std::get_new_handler(), std::__throw_bad_alloc() */
void (*_ZSt15get_new_handlerv(void))(void) __attribute__((weak));
void _ZSt17__throw_bad_allocv(void) __attribute__((weak, noreturn));

/* Let the new_handler, if any, find memory; false if there is none. */
static bool
ask_handler(void)
{
	void (*handler)(void) =
	    _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : NULL;
	if (handler == NULL)
		return false;
	handler();
	return true;
}

static COLD _Noreturn void
bad_alloc(void)
{
	static const char text[] =
	    "heaptop: operator new found no memory, and no C++ runtime to "
	    "throw std::bad_alloc\n";
	if (_ZSt17__throw_bad_allocv)
		_ZSt17__throw_bad_allocv();
	os_write(2, text, sizeof text - 1);
	abort();
}

static COLD void *
new_again(size_t size, size_t align, bool nothrow)
{
	for (;;) {
		if (!ask_handler()) {
			strict_no_memory("operator new");
			if (nothrow)
				return NULL;
			bad_alloc();
		}
		void *p = alloc_new(size, align, false);
		if (p != NULL)
			return p;
	}
}

static __attribute__((noinline)) void *
new_stuck(size_t size, bool nothrow)
{
	void *p = alloc_stuck(size);
	return p != NULL ? p : new_again(size, 16, nothrow);
}

static inline void *
new_plain(size_t size, bool nothrow)
{
	void *p = alloc_pop(size);
	return __builtin_expect(p != NULL, 1) ? p : new_stuck(size, nothrow);
}

static inline void *
new_aligned(size_t size, size_t align, bool nothrow)
{
	if (align < 16)
		align = 16;
	void *p = alloc_new(size, align, false);
	if (__builtin_expect(p == NULL, 0))
		return new_again(size, align, nothrow);
	return p;
}

#define NEW(name, call, ...)            \
	EXPORT void *name(__VA_ARGS__); \
	EXPORT void *name(__VA_ARGS__)  \
	{                               \
		return call;            \
	}
#define DELETE(name, ...)              \
	EXPORT void name(__VA_ARGS__); \
	EXPORT void name(__VA_ARGS__)  \
	{                              \
		alloc_free(p);         \
	}
/* Parameters that are there for the mangled name only. */
#define SIZE_T    __attribute__((unused)) size_t n_
#define ALIGN_T   __attribute__((unused)) size_t a_
#define NOTHROW_T __attribute__((unused)) const void *nothrow_

/* operator new and new[], of C++98, nothrow, aligned, aligned nothrow */
NEW(_Znwm, new_plain(n, false), size_t n)
NEW(_Znam, new_plain(n, false), size_t n)
NEW(_ZnwmRKSt9nothrow_t, new_plain(n, true), size_t n, NOTHROW_T)
NEW(_ZnamRKSt9nothrow_t, new_plain(n, true), size_t n, NOTHROW_T)
NEW(_ZnwmSt11align_val_t, new_aligned(n, a, false), size_t n, size_t a)
NEW(_ZnamSt11align_val_t, new_aligned(n, a, false), size_t n, size_t a)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, new_aligned(n, a, true), size_t n,
    size_t a, NOTHROW_T)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, new_aligned(n, a, true), size_t n,
    size_t a, NOTHROW_T)

/* operator delete and delete[], likewise, and with a size */
DELETE(_ZdlPv, void *p)
DELETE(_ZdaPv, void *p)
DELETE(_ZdlPvRKSt9nothrow_t, void *p, NOTHROW_T)
DELETE(_ZdaPvRKSt9nothrow_t, void *p, NOTHROW_T)
DELETE(_ZdlPvm, void *p, SIZE_T)
DELETE(_ZdaPvm, void *p, SIZE_T)
DELETE(_ZdlPvSt11align_val_t, void *p, ALIGN_T)
DELETE(_ZdaPvSt11align_val_t, void *p, ALIGN_T)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, void *p, ALIGN_T, NOTHROW_T)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, void *p, ALIGN_T, NOTHROW_T)
DELETE(_ZdlPvmSt11align_val_t, void *p, SIZE_T, ALIGN_T)
DELETE(_ZdaPvmSt11align_val_t, void *p, SIZE_T, ALIGN_T)
