/*
 * A preload library that unwinds in the allocation calls of any program and
 * compares each stack with libunwind's.  tests/unwind.sh builds and runs it.
 *
 * UNWIND_PROBE_EVERY=N  capture in every Nth call (default 97)
 * UNWIND_PROBE_TIME=1   measure instead of comparing
 * UNWIND_PROBE_MAX=N    frames at most (default 1024)
 * UNWIND_PROBE_WATCH=0  don't notice unloaded modules (negative control)
 * UNWIND_PROBE_SIGNAL=1 capture in a SIGPROF handler, at any instruction
 *
 * The last line on stderr is the result.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "format.h"
#include "meta.h"
#include "modinfo.h"
#include "pagemap.h"
#include "thread.h"
#include "unwind.h"
#include "unwind_check.h"
#include "unwind_compare.h"

#define EXPORT __attribute__((visibility("default")))

/* glibc's allocator under its other names. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

EXPORT void *malloc(size_t);
EXPORT void *calloc(size_t, size_t);
EXPORT void *realloc(void *, size_t);
EXPORT void *memalign(size_t, size_t);
EXPORT int posix_memalign(void **, size_t, size_t);
EXPORT void *aligned_alloc(size_t, size_t);
EXPORT void free(void *);

/* For targets that want to see a stack: their own, captured here. */
EXPORT unsigned unwind_probe(uint64_t *, unsigned, unsigned *);
EXPORT unsigned unwind_probe_from(
    const struct unwind_regs *, uint64_t *, unsigned, unsigned *);
EXPORT unsigned long unwind_probe_differ(void);
EXPORT void unwind_probe_stack(uintptr_t, uintptr_t);

#define MAPS_MAX 1024
#define DEPTH    1024

static struct {
	bool ready, timing, watch, on_signal;
	unsigned every, max;
	_Atomic unsigned long calls;
	_Atomic unsigned long stacks, frames, ns, guessed, cut, deep;
	uintptr_t block;
	size_t block_size;
	void *_Atomic maps[MAPS_MAX];
} self = { .every = 97, .max = DEPTH, .watch = true };

static _Thread_local struct {
	bool inside;
	unsigned left;
	struct thread *state;
} here __attribute__((tls_model("initial-exec")));

void *
meta_alloc(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* The probe's thread states live as long as the process. */
void
meta_free(void *p, size_t size)
{
	munmap(p, size);
}

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct thread *
state(void)
{
	if (!here.state)
		here.state = meta_alloc(sizeof *here.state);
	return here.state;
}

static void
capture(void)
{
	static _Thread_local uint64_t *pcs;
	unsigned flags, n;
	uint64_t from = 0;

	if (here.inside)
		return;
	here.inside = true;
	if (!pcs)
		pcs = meta_alloc(DEPTH * sizeof *pcs);
	if (self.timing)
		from = now_ns();
	n = unwind_capture(state(), pcs, self.max, &flags);
	if (self.timing)
		self.ns += now_ns() - from;
	self.stacks++;
	self.frames += n;
	if (flags & STACK_GUESSED)
		self.guessed++;
	if (flags & STACK_CUT_UNWIND)
		self.cut++;
	if (flags & STACK_CUT_DEPTH)
		self.deep++;
	here.inside = false;
}

static inline void
tick(void)
{
	if (!self.ready || self.on_signal || here.inside || here.left-- > 0)
		return;
	here.left = self.every - 1;
	capture();
}

/* Remember ld.so's link_map. */
static void
watch(void *p)
{
	static _Atomic unsigned next;
	unsigned tries;

	for (tries = 0; p && tries < MAPS_MAX; tries++) {
		void *none = NULL;

		if (atomic_compare_exchange_strong(
			&self.maps[next++ % MAPS_MAX], &none, p))
			return;
	}
}

/* What the allocator tells the unwinder. */
bool
pagemap_owns(const void *p)
{
	unsigned i;

	for (i = 0; i < MAPS_MAX; i++)
		if (self.maps[i] == p)
			return true;
	return false;
}

bool
pagemap_block(const void *p, uintptr_t *lo, uintptr_t *hi)
{
	if ((uintptr_t)p - self.block >= self.block_size)
		return false;
	*lo = self.block;
	*hi = self.block + self.block_size;
	return true;
}

static void
unwatch(void *p)
{
	unsigned i;

	for (i = 0; i < MAPS_MAX; i++)
		if (self.maps[i] == p && p) {
			self.maps[i] = NULL;
			if (self.watch)
				unwind_linkmap_freed();
			return;
		}
}

static _Atomic bool watching;

void *
malloc(size_t n)
{
	tick();
	return __libc_malloc(n);
}

void *
calloc(size_t a, size_t b)
{
	void *p;

	tick();
	p = __libc_calloc(a, b);
	if (self.ready &&
	    unwind_is_ldso((uintptr_t)__builtin_return_address(0))) {
		watch(p);
		watching = true;
	}
	return p;
}

void *
realloc(void *p, size_t n)
{
	tick();
	return __libc_realloc(p, n);
}

void *
memalign(size_t a, size_t n)
{
	tick();
	return __libc_memalign(a, n);
}

void *
aligned_alloc(size_t a, size_t n)
{
	tick();
	return __libc_memalign(a, n);
}

int
posix_memalign(void **p, size_t a, size_t n)
{
	tick();
	*p = __libc_memalign(a, n);
	self.block = (uintptr_t)*p; /* the last one is known as a block */
	self.block_size = n;
	return *p ? 0 : 12;
}

void
free(void *p)
{
	if (watching && unwind_is_ldso((uintptr_t)__builtin_return_address(0)))
		unwatch(p);
	__libc_free(p);
}

unsigned
unwind_probe(uint64_t *pcs, unsigned max, unsigned *flags)
{
	unsigned n;

	here.inside = true;
	n = unwind_capture(state(), pcs, max, flags);
	here.inside = false;
	return n;
}

unsigned
unwind_probe_from(
    const struct unwind_regs *r, uint64_t *pcs, unsigned max, unsigned *flags)
{
	unsigned n;

	here.inside = true;
	n = unwind_from(state(), r, pcs, max, flags);
	here.inside = false;
	return n;
}

unsigned long
unwind_probe_differ(void)
{
	return unwind_compared.differ;
}

/* The calling thread's stack, as a pthread_create wrapper would tell it. */
void
unwind_probe_stack(uintptr_t lo, uintptr_t hi)
{
	struct thread *t = state();

	t->stack_lo = lo;
	t->stack_hi = hi;
}

static void
on_prof(int sig)
{
	(void)sig;
	capture();
}

static unsigned
number(const char *name, unsigned other)
{
	const char *s = getenv(name);

	return s && *s ? (unsigned)strtoul(s, NULL, 10) : other;
}

static __attribute__((constructor)) void
start(void)
{
	static char exe[1024];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);

	unwind_init();
	if (n > 0)
		modinfo_set_exe(exe);
	self.every = number("UNWIND_PROBE_EVERY", 97);
	self.max = number("UNWIND_PROBE_MAX", DEPTH);
	self.timing = number("UNWIND_PROBE_TIME", 0);
	self.watch = number("UNWIND_PROBE_WATCH", 1);
	self.on_signal = number("UNWIND_PROBE_SIGNAL", 0);
	unwind_use_fp(number("UNWIND_PROBE_FP", 0));
	if (!self.timing && !unwind_check_load())
		fprintf(stderr, "unwind_probe: no libheaptop-check.so\n");
	if (self.on_signal) {
		struct sigaction sa = { .sa_handler = on_prof,
			.sa_flags = SA_RESTART };
		struct itimerval every = { { 0, 1000 }, { 0, 1000 } };

		sigaction(SIGPROF, &sa, NULL);
		setitimer(ITIMER_PROF, &every, NULL);
	}
	self.ready = true;
}

static __attribute__((destructor)) void
finish(void)
{
	here.inside = true;
	self.ready = false;
	if (self.stacks == 0)
		return;
	unwind_check_report();
	dprintf(2,
	    "unwind_probe: %lu stacks, %lu frames, %lu guessed, "
	    "%lu cut, %lu too deep",
	    self.stacks, self.frames, self.guessed, self.cut, self.deep);
	if (self.timing)
		dprintf(2, ", %.1f ns a frame",
		    (double)self.ns / (double)self.frames);
	dprintf(2, "\n");
}
