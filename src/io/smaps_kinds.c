/* Whose each piece of a mapping is, and of what kind. */
#include <string.h>

#include "io/smaps.h"
#include "model/memory.h"

struct kinds {
	const struct smaps *s;
	const struct smaps_owned *owned[2]; /* heap, own */
	smaps_pages_fn *pages;
	void *arg;
	struct memory_sum *to;
	size_t run_end; /* entries before it are of the file at hand */
	bool run_exec;  /* which is mapped executable somewhere */
};

/* ---- names ------------------------------------------------------------- */

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool
is_library(const char *name)
{
	const char *base = strrchr(name, '/');

	return base && begins(base, "/libheaptop");
}

static bool
is_shm(const char *name)
{
	static const char *const heads[] = { "/dev/shm/", "/memfd:", "/SYSV",
		"/dev/zero", "/anon_hugepage", "[anon_shmem" };

	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
		if (begins(name, heads[i]))
			return true;
	return false;
}

/* The mappings of one file follow each other, with what the loader left
 * between them: the file is code if one is executable. */
static void
find_run(struct kinds *k, size_t i)
{
	const struct smaps *s = k->s;
	const char *name = smaps_name(s, &s->entries[i]);

	if (i < k->run_end)
		return;
	k->run_exec = false;
	for (; i < s->count; i++) {
		const char *other = smaps_name(s, &s->entries[i]);

		if (strcmp(other, name) != 0 && (*other || s->entries[i].read))
			break;
		k->run_exec |= s->entries[i].exec && *other;
	}
	k->run_end = i;
}

static enum memory_kind
kind_of_named(struct kinds *k, size_t i)
{
	const struct smaps_entry *e = &k->s->entries[i];
	const char *name = smaps_name(k->s, e);

	if (is_library(name) || (e->shared && begins(name, "/memfd:heaptop")))
		return MEMORY_OWN;
	if (is_shm(name))
		return MEMORY_SHARED;
	if (*name != '/') {
		if (begins(name, "[stack"))
			return MEMORY_STACK;
		if (begins(name, "[heap]") || begins(name, "[anon"))
			return MEMORY_ANON;
		if (*name == '[')
			return MEMORY_KERNEL;
		/* a device or a pipe file system's: "anon_inode:..." */
		return e->inode ? MEMORY_FILE : MEMORY_ANON;
	}
	find_run(k, i);
	return k->run_exec ? MEMORY_CODE : MEMORY_FILE;
}

/* ---- memory without a name --------------------------------------------- */

static bool
is_guard(const struct smaps *s, size_t i)
{
	const struct smaps_entry *e = &s->entries[i];

	return !e->read && !e->write && !e->exec && !e->shared &&
	    !*smaps_name(s, e) && e->end - e->start <= SMAPS_GUARD;
}

/* The file that is mapped first is the program itself. */
static bool
is_program(const struct smaps *s, const struct smaps_entry *e)
{
	return strcmp(smaps_name(s, e), smaps_name(s, &s->entries[0])) == 0;
}

/* What begins at the start of entry i is what the entry before says. */
static enum memory_kind
kind_of_first(struct kinds *k, size_t i, const char **name)
{
	const struct smaps *s = k->s;
	const struct smaps_entry *e = &s->entries[i], *before = e - 1;

	if (e->shared)
		return MEMORY_SHARED;
	if (i == 0 || before->end != e->start || !e->write)
		return MEMORY_ANON;
	if (is_guard(s, i - 1))
		return MEMORY_STACK;
	/* Variables that are zero at first: no part of the file. */
	if (before->write && !before->shared && !e->exec &&
	    *smaps_name(s, before) == '/') {
		enum memory_kind kind = kind_of_named(k, i - 1);

		if (kind == MEMORY_OWN ||
		    (kind == MEMORY_CODE &&
			(e->end - e->start <= SMAPS_ZEROS ||
			    is_program(s, before)))) {
			*name = smaps_name(s, before);
			return kind;
		}
	}
	return MEMORY_ANON;
}

/* ---- parts of a mapping ------------------------------------------------ */

/* The first range that ends behind `a`; or count. */
static size_t
range_behind(const struct smaps_owned *o, uint64_t a)
{
	size_t lo = 0, hi = o->count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (o->at[mid].end > a)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Who has the byte at `a`, and up to where at most `*end`. */
static enum memory_kind
owner_at(const struct kinds *k, uint64_t a, uint64_t *end)
{
	static const enum memory_kind kinds[] = { MEMORY_HEAP, MEMORY_OWN };
	enum memory_kind found = MEMORY_ANON;

	for (int i = 0; i < 2; i++) {
		const struct smaps_owned *o = k->owned[i];
		size_t at = range_behind(o, a);
		uint64_t border;

		if (at == o->count)
			continue;
		border = o->at[at].start <= a ? o->at[at].end : o->at[at].start;
		if (border < *end)
			*end = border;
		if (o->at[at].start <= a && found == MEMORY_ANON)
			found = kinds[i];
	}
	return found;
}

/* So much of `whole` as is `part` of `all`. */
static uint64_t
share(uint64_t whole, uint64_t part, uint64_t all)
{
	return all ? (uint64_t)((double)whole * (double)part / (double)all) : 0;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What is left of an entry, of which parts are told one by one. */
struct rest {
	uint64_t size, rss, pss, dirty, swap;
};

/* Part p takes from the rest, and is given a share of what is not known of
 * single pages. */
static void
fill(struct kinds *k, struct memory_piece *p, struct rest *r)
{
	struct smaps_pages pages;
	uint64_t size = p->end - p->start;

	if (size == r->size) {
		p->rss = r->rss;
		p->swap = r->swap;
	} else if (k->pages && k->pages(k->arg, p->start, p->end, &pages)) {
		p->rss = least(pages.present, r->rss);
		p->swap = least(pages.swapped, r->swap);
	} else {
		p->rss = share(r->rss, size, r->size);
		p->swap = share(r->swap, size, r->size);
	}
	p->pss = share(r->pss, p->rss, r->rss);
	p->dirty = share(r->dirty, p->rss, r->rss);
	r->size -= size;
	r->rss -= p->rss;
	r->pss -= p->pss;
	r->dirty -= p->dirty;
	r->swap -= p->swap;
}

/* Pages of all parts are looked up but of one: of the largest, which is what
 * the others leave. */
static void
add_parts(struct kinds *k, size_t i, const char *first_name,
    enum memory_kind first_kind)
{
	const struct smaps_entry *e = &k->s->entries[i];
	struct rest r = { e->end - e->start, e->rss, e->pss, e->dirty,
		e->swap };
	struct memory_piece largest = { 0 };

	for (uint64_t a = e->start, end; a < e->end; a = end) {
		struct memory_piece p = { .start = a, .name = "" };

		end = e->end;
		p.kind = owner_at(k, a, &end);
		p.end = end;
		if (a == e->start && p.kind == MEMORY_ANON) {
			p.kind = first_kind;
			p.name = first_name;
		}
		if (p.end - p.start > largest.end - largest.start) {
			struct memory_piece other = largest;

			largest = p;
			p = other;
		}
		if (p.end == p.start)
			continue;
		fill(k, &p, &r);
		memory_sum_add(k->to, &p);
	}
	fill(k, &largest, &r);
	memory_sum_add(k->to, &largest);
}

static void
add_entry(struct kinds *k, size_t i)
{
	const struct smaps_entry *e = &k->s->entries[i];
	struct memory_piece p = { e->start, e->end, MEMORY_ANON,
		smaps_name(k->s, e), e->rss, e->pss, e->dirty, e->swap };
	const char *name = "";
	enum memory_kind kind;

	if (*p.name) {
		p.kind = kind_of_named(k, i);
		memory_sum_add(k->to, &p);
		return;
	}
	kind = kind_of_first(k, i, &name);
	add_parts(k, i, name, kind);
}

void
smaps_classify(const struct smaps *s, const struct smaps_owned *heap,
    const struct smaps_owned *own, smaps_pages_fn *pages, void *arg,
    struct memory_sum *to)
{
	struct kinds k = { .s = s,
		.owned = { heap, own },
		.pages = pages,
		.arg = arg,
		.to = to };

	for (size_t i = 0; i < s->count; i++)
		add_entry(&k, i);
}
