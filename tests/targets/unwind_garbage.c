/*
 * Walks from registers that are nonsense, while one thread maps and unmaps
 * memory and another opens and closes a plugin; runs under unwind_probe.so
 * with UNWIND_PROBE_TIME=1.  Arguments: the plugin's path, number of walks.
 * Nothing may fault; that is all.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "unwind_check.h"

unsigned unwind_probe_from(
    const struct unwind_regs *, uint64_t *, unsigned, unsigned *);
void unwind_probe_stack(uintptr_t, uintptr_t);

static _Atomic bool done;
static _Atomic uintptr_t plugin, mapped;
static const char *path;
static unsigned long walks;
static _Atomic unsigned long frames;

static void *
maps(void *arg)
{
	(void)arg;
	while (!done) {
		size_t size = (size_t)(1 + rand() % 64) * 4096, i;
		uint64_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			continue;
		for (i = 0; i < size / 8; i += 3)
			p[i] = (uintptr_t)p + i * 8 + 64;
		mapped = (uintptr_t)p;
		munmap(p, size);
	}
	return NULL;
}

static void *
opens(void *arg)
{
	(void)arg;
	while (!done) {
		void *handle = dlopen(path, RTLD_NOW);

		if (!handle)
			continue;
		plugin = (uintptr_t)dlsym(handle, "plugin_call");
		dlclose(handle);
	}
	return NULL;
}

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t
address(uint64_t *state, uintptr_t lo, uintptr_t hi)
{
	static const char *const names[] = { "printf", "qsort", "dlopen",
		"strtod", "raise", "regexec" };
	uint64_t r = draw(state);

	switch (r >> 8 & 7) {
	case 0: return draw(state);
	case 1: return plugin + (r & 127);
	case 2: return mapped + (r >> 16 & 0xfff8);
	case 3: return lo + draw(state) % (hi - lo);
	case 4: return (lo + draw(state) % (hi - lo)) & ~UINT64_C(7);
	case 5: return hi - (r >> 16 & 0xff8);
	case 6: return r & 0xffff;
	default:
		return (uint64_t)(uintptr_t)dlsym(
			   RTLD_DEFAULT, names[(r >> 16) % 6]) +
		    (r >> 24 & 1023);
	}
}

static void *
walker(void *arg)
{
	uint64_t state = (uintptr_t)arg * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t pcs[256];
	pthread_attr_t attr;
	void *stack;
	size_t size;
	unsigned long i;
	uintptr_t lo, hi;

	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &stack, &size);
	lo = (uintptr_t)stack;
	hi = lo + size;
	unwind_probe_stack(lo, hi);
	for (i = 0; i < walks; i++) {
		struct unwind_regs r = { .pc = address(&state, lo, hi),
			.sp = address(&state, lo, hi),
			.bp = address(&state, lo, hi),
			.bx = address(&state, lo, hi),
			.r12 = address(&state, lo, hi),
			.r13 = address(&state, lo, hi) };
		unsigned flags;

		frames += unwind_probe_from(&r, pcs, 256, &flags);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t busy[2], walking[2];
	uintptr_t i;

	if (argc != 3)
		return 2;
	path = argv[1];
	walks = strtoul(argv[2], NULL, 10) / 2;
	pthread_create(&busy[0], NULL, maps, NULL);
	pthread_create(&busy[1], NULL, opens, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&walking[i], NULL, walker, (void *)(i + 1));
	for (i = 0; i < 2; i++)
		pthread_join(walking[i], NULL);
	done = true;
	pthread_join(busy[0], NULL);
	pthread_join(busy[1], NULL);
	printf("%lu walks, %lu frames\n", walks * 2, frames);
	return 0;
}
