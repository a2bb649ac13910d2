#include "model/report_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "model/frames.h"
#include "model/report.h"
#include "model/row_order.h"

/* A name, or what the texts of all nameless places of a module begin with. */
struct entry {
	const char *name;
	uint32_t id; /* index of the place; of a head, behind those */
};

struct ranking {
	const struct frames *const *frames;
	const struct report_place *places;
	const uint32_t *which;
	uint32_t n;
	uint32_t *ranks;
	struct entry *entries;
	size_t count, cap;
	/* Nameless places, those of a head together. */
	struct row_key *keys;
	struct strtab *heads; /* the head's number is its id - 1 */
	uint32_t *begin;      /* [head], and one more */
	size_t begin_cap;
	const char *module; /* as looked up last, and its head's number */
	uint32_t head;
};

static const struct report_place *
place_of(const struct ranking *r, uint32_t i)
{
	return &r->places[r->which[i]];
}

static bool
is_named(const struct ranking *r, uint32_t i)
{
	const struct report_place *p = place_of(r, i);

	return frames_state(r->frames[p->profile], p->frame) == FRAME_NAMED;
}

static struct frame_text
text_of(const struct ranking *r, uint32_t i)
{
	const struct report_place *p = place_of(r, i);

	return frames_text(r->frames[p->profile], p->frame);
}

static uint32_t
head_of(struct ranking *r, const char *module)
{
	struct buf b = BUF_INIT;

	if (module == r->module)
		return r->head;
	buf_printf(&b, "%s%s0x", module, *module ? "+" : "");
	r->module = module;
	r->head = strtab_addn(r->heads, b.data, b.len) - 1;
	buf_fini(&b);
	return r->head;
}

static void
add_entry(struct ranking *r, const char *name, uint32_t id)
{
	VEC_ROOM(r->entries, r->cap, r->count + 1);
	r->entries[r->count++] = (struct entry){ name, id };
}

static uint32_t
head_count(const struct ranking *r)
{
	return strtab_count(r->heads) - 1;
}

/* How many nameless places each head has, in begin[head + 2]. */
static void
look(struct ranking *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct report_place *p = place_of(r, i);
		size_t head, old = r->begin_cap;

		if (is_named(r, i)) {
			add_entry(r,
			    frames_name(
				r->frames[p->profile], p->frame, p->level)
				.function,
			    i);
			continue;
		}
		head = head_of(r, text_of(r, i).module);
		VEC_ROOM(r->begin, r->begin_cap, head + 3);
		for (size_t k = old; k < r->begin_cap; k++)
			r->begin[k] = 0;
		r->begin[head + 2]++;
	}
	for (uint32_t h = 0; h < head_count(r); h++)
		add_entry(r, strtab_at(r->heads, h + 1), r->n + h);
}

/* Digits from the left, as strings are compared; of two that begin alike the
 * shorter is first. */
static struct row_key
key_of(uint64_t offset, uint32_t id)
{
	uint32_t digits = 1;

	while (digits < 16 && offset >> 4 * digits)
		digits++;
	return (struct row_key){ offset << (64 - 4 * digits), digits, id };
}

/* Into their places by counting, which begin[head + 1] counts up. */
static void
sort_nameless(struct ranking *r)
{
	uint32_t heads = head_count(r), sum = 0;

	if (heads == 0)
		return;
	for (uint32_t h = 0; h <= heads; h++)
		sum = r->begin[h + 1] += sum;
	r->keys = xreallocarray(NULL, sum, sizeof *r->keys);
	for (uint32_t i = 0; i < r->n; i++) {
		struct frame_text t;

		if (is_named(r, i))
			continue;
		t = text_of(r, i);
		r->keys[r->begin[head_of(r, t.module) + 1]++] =
		    key_of(t.offset, i);
	}
	for (uint32_t h = 0; h < heads; h++)
		row_order_sort(
		    r->keys + r->begin[h], r->begin[h + 1] - r->begin[h]);
}

/* Returns the next rank. */
static uint32_t
rank_head(struct ranking *r, uint32_t head, uint32_t next)
{
	uint32_t rank = next;

	for (uint32_t i = r->begin[head]; i < r->begin[head + 1]; i++) {
		const struct row_key *k = &r->keys[i];

		if (i > r->begin[head] &&
		    (k->weight != k[-1].weight || k->rank != k[-1].rank))
			rank = next;
		r->ranks[k->id] = rank;
		next++;
	}
	return next;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(
	    ((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void
rank(struct ranking *r)
{
	const struct entry *e = r->entries;
	uint32_t next = 0, last = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (e[i].id >= r->n) {
			next = rank_head(r, e[i].id - r->n, next);
			continue;
		}
		if (i == 0 || e[i - 1].id >= r->n ||
		    by_name(&e[i - 1], &e[i]) != 0)
			last = next;
		r->ranks[e[i].id] = last;
		next++;
	}
}

uint32_t *
ranks_new(const struct frames *const *frames, const struct report_place *places,
    const uint32_t *which, uint32_t n)
{
	struct ranking r = {
		.frames = frames, .places = places, .which = which, .n = n
	};

	r.ranks = xreallocarray(NULL, n, sizeof *r.ranks);
	r.heads = strtab_new();
	look(&r);
	sort_nameless(&r);
	if (r.count)
		qsort(r.entries, r.count, sizeof *r.entries, by_name);
	rank(&r);
	strtab_free(r.heads);
	free(r.entries);
	free(r.keys);
	free(r.begin);
	return r.ranks;
}
