/*
 * Two plugins that ld.so maps at the same addresses by turns; runs under
 * unwind_probe.so.  Arguments: their paths.  Prints how many walks through
 * them were wrong; exit status 1 if any was, or if they never met.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ROUNDS 200

unsigned unwind_probe(uint64_t *, unsigned, unsigned *);

static uint64_t pcs[64];
static unsigned n, flags;
static uint64_t caller;

static void
capture(void)
{
	n = unwind_probe(pcs, 64, &flags);
}

static __attribute__((noinline)) void
through(void (*call)(void (*)(void)))
{
	caller = (uint64_t)(uintptr_t)__builtin_return_address(0);
	call(capture);
	__asm__ volatile("");
}

int
main(int argc, char **argv)
{
	unsigned wrong = 0, met = 0, i;
	void *last = NULL;

	if (argc != 3)
		return 2;
	for (i = 0; i < ROUNDS; i++) {
		void *handle = dlopen(argv[1 + i % 2], RTLD_NOW);
		void *sym = handle ? dlsym(handle, "plugin_call") : NULL;
		bool found = false;
		unsigned k;

		if (!sym) {
			fprintf(stderr, "%s\n", dlerror());
			return 2;
		}
		met += sym == last;
		last = sym;
		through((void (*)(void (*)(void)))(uintptr_t)sym);
		for (k = 0; k < n; k++)
			found |= pcs[k] == caller;
		wrong += !found || flags != 0;
		dlclose(handle);
	}
	printf("%u of %u walks wrong, %u at a reused address\n", wrong, ROUNDS,
	    met);
	return wrong != 0 || met < ROUNDS / 2;
}
