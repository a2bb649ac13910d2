#include "foreign.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "entry.h"
#include "os.h"

static struct {
	void (*free)(void *);
	void *(*realloc)(void *, size_t);
	size_t (*malloc_usable_size)(void *);
} next;

void
entry_resolve_next(void)
{
	*(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next.malloc_usable_size =
	    dlsym(RTLD_NEXT, "malloc_usable_size");
	*(void **)&next.free = dlsym(RTLD_NEXT, "free");
}

void
entry_invalid_free(void *p)
{
	static _Atomic bool told;
	static const char head[] = "heaptop: free of 0x";
	static const char tail[] =
	    ", which is not a live block: freed twice, or not from malloc\n";
	char line[sizeof head + 16 + sizeof tail];
	if (atomic_exchange(&told, true))
		return;
	size_t n = sizeof head - 1;
	memcpy(line, head, n);
	for (int shift = 60; shift >= 0; shift -= 4)
		line[n++] = "0123456789abcdef"[(uintptr_t)p >> shift & 15];
	memcpy(line + n, tail, sizeof tail - 1);
	os_write(2, line, n + sizeof tail - 1);
}

void
foreign_free(void *p)
{
	if (p != NULL && next.free != NULL)
		next.free(p);
}

void *
foreign_realloc(void *p, size_t size)
{
	return next.realloc != NULL ? next.realloc(p, size) : NULL;
}

size_t
foreign_usable(void *p)
{
	if (p == NULL || next.malloc_usable_size == NULL)
		return 0;
	return next.malloc_usable_size(p);
}
