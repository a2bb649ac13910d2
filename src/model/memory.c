#include "model/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/vec.h"

/* ---- pieces ------------------------------------------------------------ */

struct memory_sum {
	struct memory_seen seen;
	struct memory_mapping *all;
	size_t count, cap;
	/* Where the next piece of such a kind goes, + 1; 0: nowhere yet. */
	size_t whole[MEMORY_KINDS];
};

const char *
memory_kind_label(enum memory_kind k)
{
	static const char *const labels[MEMORY_KINDS] = {
		[MEMORY_HEAP] = "page heap",
		[MEMORY_OWN] = "heaptop's own data",
		[MEMORY_ANON] = "anonymous",
		[MEMORY_STACK] = "threads' stacks",
		[MEMORY_CODE] = "code",
		[MEMORY_FILE] = "file",
		[MEMORY_SHARED] = "shared memory",
		[MEMORY_KERNEL] = "the kernel's",
	};

	return labels[k];
}

struct memory_sum *
memory_sum_new(void)
{
	return xcalloc(1, sizeof(struct memory_sum));
}

/* All of these are one thing, wherever they lie. */
static bool
is_whole(enum memory_kind k)
{
	return k == MEMORY_HEAP || k == MEMORY_OWN || k == MEMORY_STACK ||
	    k == MEMORY_KERNEL;
}

/* The end of a path is its meaning.  Control bytes, which it may have, would
 * move the cursor. */
static void
copy_name(char to[MEMORY_NAME], const char *name)
{
	size_t len = strlen(name);
	size_t skip = len < MEMORY_NAME ? 0 : len - (MEMORY_NAME - 1);

	/* not in the middle of a character */
	while (skip && ((unsigned char)name[skip] & 0xc0) == 0x80)
		skip++;
	snprintf(to, MEMORY_NAME, "%s", name + skip);
	for (char *c = to; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
}

static struct memory_mapping *
mapping_of(struct memory_sum *s, const struct memory_piece *p)
{
	struct memory_mapping *m;
	char name[MEMORY_NAME];

	copy_name(name, is_whole(p->kind) ? "" : p->name);
	if (is_whole(p->kind) && s->whole[p->kind])
		return &s->all[s->whole[p->kind] - 1];
	/* A file's pieces follow each other. */
	m = s->count ? &s->all[s->count - 1] : NULL;
	if (m && *name && m->kind == p->kind && strcmp(m->name, name) == 0)
		return m;
	VEC_ROOM(s->all, s->cap, s->count + 1);
	m = &s->all[s->count++];
	*m = (struct memory_mapping){
		.kind = p->kind, .start = p->start, .end = p->end
	};
	memcpy(m->name, name, sizeof name);
	if (is_whole(p->kind))
		s->whole[p->kind] = s->count;
	return m;
}

void
memory_sum_add(struct memory_sum *s, const struct memory_piece *p)
{
	struct memory_mapping *m = mapping_of(s, p);
	uint64_t size = p->end > p->start ? p->end - p->start : 0;

	m->pieces++;
	m->size += size;
	m->rss += p->rss;
	m->pss += p->pss;
	m->dirty += p->dirty;
	m->swap += p->swap;
	s->seen.kind[p->kind] += p->rss;
	s->seen.size += size;
	s->seen.rss += p->rss;
	s->seen.pss += p->pss;
	s->seen.dirty += p->dirty;
	s->seen.swap += p->swap;
	s->seen.stacks += p->kind == MEMORY_STACK;
}

static int
by_rss(const void *a, const void *b)
{
	const struct memory_mapping *x = a, *y = b;

	if (x->rss != y->rss)
		return x->rss > y->rss ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

void
memory_sum_finish(struct memory_sum *s, struct memory_seen *to)
{
	*to = s->seen;
	if (s->count)
		qsort(s->all, s->count, sizeof *s->all, by_rss);
	for (size_t i = 0; i < s->count; i++) {
		if (i < MEMORY_LARGEST) {
			to->largest[to->largest_count++] = s->all[i];
			continue;
		}
		to->others++;
		to->others_rss += s->all[i].rss;
		to->others_size += s->all[i].size;
	}
	free(s->all);
	free(s);
}

#define FITS_NS UINT64_C(30000000000)

bool
memory_seen_fits(const struct memory_seen *s, const struct profile_totals *t)
{
	return t->now_ns <= s->totals.now_ns ||
	    t->now_ns - s->totals.now_ns <= FITS_NS;
}

/* ---- parts ------------------------------------------------------------- */

static void put(struct memory_parts *m, enum memory_part_kind kind,
    double bytes, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void
put(struct memory_parts *m, enum memory_part_kind kind, double bytes,
    const char *fmt, ...)
{
	static const char *const labels[PART_COUNT] = {
		[PART_LIVE] = "live objects",
		[PART_FREE] = "free objects",
		[PART_PAGES] = "free pages",
		[PART_WASTE] = "lost in slabs",
		[PART_OWN] = "own data",
		[PART_ANON] = "other memory",
		[PART_STACKS] = "thread stacks",
		[PART_CODE] = "code",
		[PART_FILES] = "files",
		[PART_SHARED] = "shared memory",
		[PART_REST] = "the rest",
	};
	struct memory_part *p = &m->part[m->count++];
	va_list ap;

	p->kind = kind;
	p->bytes = bytes;
	p->label = labels[kind];
	va_start(ap, fmt);
	vsnprintf(p->what, sizeof p->what, fmt, ap);
	va_end(ap);
	m->sum += bytes;
}

static const char *
how(const struct profile_totals *t, const struct memory_live *live)
{
	return live->exact ? "counted exactly"
	    : t->lg_sample ? "an estimate"
			   : "from every allocation";
}

#define FREE_WHAT  "in thread caches and slabs, ready to be used again"
#define PAGES_WHAT "not yet given back to the system"

/* ---- with a look at the mappings --------------------------------------- */

/* As much of `want` as `*left` has. */
static double
take(double *left, double want)
{
	double got = fmin(*left, want);

	*left -= got;
	return got;
}

/* "...; 3.1 MiB more is not resident" */
static void
put_some(struct memory_parts *m, enum memory_part_kind kind, double got,
    double all, const char *what)
{
	if (all - got < 4096)
		put(m, kind, got, "%s", what);
	else
		put(m, kind, got, "%s; %s more not resident", what,
		    fmt_bytes(all - got, FMT_ZERO).s);
}

static void
put_heap(struct memory_parts *m, const struct memory_seen *s,
    const struct memory_live *live, double heap)
{
	const struct profile_totals *t = &s->totals;
	double cached = (double)t->cached_bytes, dirty = (double)t->dirty_bytes;
	double got, pages, objects;
	char what[64];

	got = take(&heap, live->bytes);
	pages = take(&heap, dirty);
	objects = take(&heap, cached);
	m->away = live->bytes - got;
	snprintf(what, sizeof what, "usable sizes, %s", how(t, live));
	put_some(m, PART_LIVE, got, live->bytes, what);
	put_some(m, PART_FREE, objects, cached, FREE_WHAT);
	put_some(m, PART_PAGES, pages, dirty, PAGES_WHAT);
	put(m, PART_WASTE, heap, "between objects and at the ends of slabs");
}

static void
put_seen(struct memory_parts *m, const struct memory_live *live,
    const struct memory_seen *s)
{
	const struct profile_totals *t = &s->totals;
	double anon = (double)s->kind[MEMORY_ANON];
	double heap = (double)s->kind[MEMORY_HEAP];
	double own = (double)s->kind[MEMORY_OWN];

	/* Whose it is is not known: as much as the allocator says. */
	if (!s->heap_known) {
		heap += take(&anon,
		    live->bytes + (double)t->cached_bytes +
			(double)t->dirty_bytes);
		own += take(&anon, (double)t->meta_bytes);
	}
	put_heap(m, s, live, heap);
	put(m, PART_OWN, own,
	    "of the allocator and the profiler: its maps, records, the table");
	put(m, PART_ANON, anon,
	    "mapped by the program, or of other allocators");
	put(m, PART_STACKS, (double)s->kind[MEMORY_STACK],
	    "of %u thread%s, as deep as they ever were", s->stacks,
	    s->stacks == 1 ? "" : "s");
	put(m, PART_CODE, (double)s->kind[MEMORY_CODE],
	    "programs and libraries, with their variables");
	put(m, PART_FILES, (double)s->kind[MEMORY_FILE],
	    "other mapped ones; what is unchanged can be dropped");
	put(m, PART_SHARED, (double)s->kind[MEMORY_SHARED],
	    "also counted by those it is shared with");
	put(m, PART_REST, (double)s->kind[MEMORY_KERNEL],
	    "the kernel's pages in every process");
}

/* ---- without ----------------------------------------------------------- */

static void
put_rest(struct memory_parts *m, double rss, bool files)
{
	double rest = rss - m->sum;

	if (rest >= 0) {
		put(m, PART_REST, rest,
		    "%sother mappings, stacks, room lost in slabs",
		    files ? "" : "files, ");
		return;
	}
	put(m, PART_REST, rest,
	    "of the above: never touched, given back or swapped out");
	m->part[m->count - 1].label = "not resident";
}

static void
put_told(struct memory_parts *m, const struct profile_totals *t,
    const struct memory_live *live)
{
	double files = (double)t->file_bytes, shared = (double)t->shmem_bytes;

	put(m, PART_LIVE, live->bytes, "usable sizes, %s", how(t, live));
	if (t->mapped_bytes) {
		put(m, PART_FREE, (double)t->cached_bytes, FREE_WHAT);
		put(m, PART_PAGES, (double)t->dirty_bytes, PAGES_WHAT);
		put(m, PART_OWN, (double)t->meta_bytes,
		    "of the allocator and the profiler");
	}
	if (!m->known)
		return;
	if (files + shared > 0)
		put(m, PART_FILES, files, "programs, libraries, mapped files");
	if (shared > 0)
		put(m, PART_SHARED, shared,
		    "also counted by those it is shared with");
	put_rest(m, (double)t->rss_bytes, files + shared > 0);
}

void
memory_parts(struct memory_parts *m, const struct profile_totals *t,
    const struct memory_live *live, const struct memory_seen *seen)
{
	struct memory_live sane = *live;

	/* An estimate may be anything, if its source is damaged. */
	sane.bytes = live->bytes > 0 ? fmin(live->bytes, 9e18) : 0;
	memset(m, 0, sizeof *m);
	if (seen) {
		m->known = true;
		put_seen(m, &sane, seen);
	} else {
		m->known = t->rss_bytes > 0;
		put_told(m, t, &sane);
	}
}

const char *
memory_part_text(enum memory_part_kind k)
{
	static const char *const texts[PART_COUNT] = {
		[PART_LIVE] =
		    "What the program has allocated and not freed, in usable "
		    "sizes. Top, Tree and Flame say who allocated it.",
		[PART_FREE] =
		    "Objects that were freed and wait for the next request of "
		    "their size, in threads' caches and in slabs that are "
		    "partly in use. Much of it means fragmentation.",
		[PART_PAGES] =
		    "Whole pages without an object in them. They go back to "
		    "the system when nobody wanted them for some time "
		    "(dirty_decay_ms).",
		[PART_WASTE] =
		    "Slabs are cut into objects of one size: what does not "
		    "make a whole object is lost. Objects rounded up to their "
		    "size are in live objects.",
		[PART_OWN] =
		    "What watching costs: the allocator's page map and "
		    "records, the profiler's table of stacks, the library "
		    "itself.",
		[PART_ANON] =
		    "Private memory that is not of this allocator: mapped by "
		    "the program itself, by another malloc, by a compiler at "
		    "run time. No profile of it can be had here.",
		[PART_STACKS] =
		    "Stacks of threads, as deep as they ever were: what was "
		    "used once stays resident. Told by the guard below each.",
		[PART_CODE] =
		    "Programs and libraries: code, constants, variables. Most "
		    "of it is shared with other processes that use the same "
		    "files.",
		[PART_FILES] =
		    "Other files the program has mapped. What was not changed "
		    "can be dropped by the system at any time.",
		[PART_SHARED] =
		    "Memory shared with other processes, and files in memory. "
		    "Each process that has touched it counts it.",
		[PART_REST] = "What none of the other parts accounts for.",
	};

	return texts[k];
}
