#include "foreign.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "entry.h"

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
