#include "unwind_compare.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "format.h"
#include "modinfo.h"
#include "os.h"
#include "unwind.h"

/* Differences that are kept to be shown. */
#define SHOWN 4

/* Frames of each side around the first that differs. */
#define SHOWN_FRAMES 4

/* Frames of this library that may come first. */
#define OWN_FRAMES 64

#define WALK_MAX (FRAMES_MAX + OWN_FRAMES)

unwind_check_walk *unwind_check_fn;
struct unwind_compared unwind_compared;

static struct {
	atomic_flag busy;
	unsigned kept;
	struct {
		unsigned at, ours_n, theirs_n;
		uint64_t ours[SHOWN_FRAMES], theirs[SHOWN_FRAMES];
	} diff[SHOWN];
	uint64_t theirs[WALK_MAX];
} self BIG_BSS = { .busy = ATOMIC_FLAG_INIT };

bool
unwind_check_load(void)
{
	static const char name[] = "libheaptop-check.so";
	struct modinfo m;
	char *slash;
	void *handle, *sym = NULL;

	if (!modinfo_find((uintptr_t)&self, &m))
		return false;
	slash = strrchr(m.path, '/');
	if (!slash ||
	    (size_t)(slash + 1 - m.path) + sizeof name > sizeof m.path)
		return false;
	memcpy(slash + 1, name, sizeof name);
	handle = dlopen(m.path, RTLD_NOW | RTLD_LOCAL);
	if (handle)
		sym = dlsym(handle, "heaptop_check_walk");
	memcpy(&unwind_check_fn, &sym, sizeof sym);
	return sym != NULL;
}

static void
keep(unsigned at, const uint64_t *ours, unsigned ours_n, const uint64_t *theirs,
    unsigned theirs_n)
{
	unsigned i;

	if (self.kept == SHOWN)
		return;
	self.diff[self.kept].at = at;
	self.diff[self.kept].ours_n = ours_n;
	self.diff[self.kept].theirs_n = theirs_n;
	for (i = 0; i < SHOWN_FRAMES; i++) {
		unsigned k = at + i > 1 ? at + i - 1 : i;

		self.diff[self.kept].ours[i] = k < ours_n ? ours[k] : 0;
		self.diff[self.kept].theirs[i] = k < theirs_n ? theirs[k] : 0;
	}
	self.kept++;
}

void
unwind_compare(
    const struct unwind_regs *r, const uint64_t *pcs, unsigned n, unsigned max)
{
	const uint64_t *theirs = self.theirs;
	unsigned got, i;

	if (atomic_flag_test_and_set_explicit(
		&self.busy, memory_order_acquire)) {
		unwind_compared.skipped++;
		return;
	}
	got = unwind_check_fn(r, self.theirs,
	    max < WALK_MAX - OWN_FRAMES ? max + OWN_FRAMES : WALK_MAX);
	while (got > 0 && unwind_is_own(*theirs)) {
		theirs++;
		got--;
	}
	if (got > max)
		got = max;
	for (i = 0; i < n && i < got && pcs[i] == theirs[i]; i++)
		continue;
	unwind_compared.stacks++;
	unwind_compared.frames += n;
	if (i != n || i != got) {
		unwind_compared.differ++;
		keep(i, pcs, n, theirs, got);
	}
	atomic_flag_clear_explicit(&self.busy, memory_order_release);
}

static __attribute__((format(printf, 1, 2))) void
say(const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	if (n > 0)
		os_write(2, line,
		    (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void
unwind_check_report(void)
{
	unsigned i, k;

	if (!unwind_check_fn)
		return;
	for (i = 0; i < self.kept; i++) {
		say("heaptop: unwind check: ours has %u frames, libunwind's "
		    "%u, frame %u is the first that differs\n",
		    self.diff[i].ours_n, self.diff[i].theirs_n,
		    self.diff[i].at);
		for (k = 0; k < SHOWN_FRAMES; k++)
			say("heaptop: unwind check:   0x%llx  0x%llx\n",
			    (unsigned long long)self.diff[i].ours[k],
			    (unsigned long long)self.diff[i].theirs[k]);
	}
	say("heaptop: unwind check: %llu stacks, %llu frames, %llu differ, "
	    "%llu skipped\n",
	    (unsigned long long)unwind_compared.stacks,
	    (unsigned long long)unwind_compared.frames,
	    (unsigned long long)unwind_compared.differ,
	    (unsigned long long)unwind_compared.skipped);
}
