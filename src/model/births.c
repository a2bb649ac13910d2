#include "model/births.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "model/history.h"

#define LEAST_KEPT 64u
#define NOBODY     0u /* others are index + 1 */

struct births {
	struct birth *all;
	size_t count, cap;
	uint32_t *of_number; /* [number]: index + 1, or NOBODY */
	size_t number_cap;   /* numbers that may be somebody's are below */
	uint32_t kept;       /* how many may be kept */
	uint32_t full_at;    /* with so many the dead are looked through */
	uint32_t commits;    /* the next snapshot is this + 1 */
	uint64_t start_ns;
	bool told, is_short;
	uint32_t known_from; /* of snapshots before this not all are known */
	uint8_t *put; /* [number]: told again by a whole dump; else NULL */
	size_t put_cap;
};

struct births *
births_new(void)
{
	struct births *b = xcalloc(1, sizeof *b);

	births_set_kept(b, BIRTHS_KEPT);
	return b;
}

void
births_free(struct births *b)
{
	if (!b)
		return;
	free(b->all);
	free(b->of_number);
	free(b->put);
	free(b);
}

void
births_set_kept(struct births *b, uint32_t kept)
{
	b->kept = kept > LEAST_KEPT ? kept : LEAST_KEPT;
	b->full_at = b->kept / 4;
}

/* ---- sizes and weights ------------------------------------------------------ */

#define IN_PAGES (UINT32_C(1) << 31)

/* Sizes from 2 GiB on are kept in pages. */
static uint32_t
pack(uint64_t size)
{
	if (size < IN_PAGES)
		return (uint32_t)size;
	size >>= 12;
	return IN_PAGES | (size < IN_PAGES ? (uint32_t)size : IN_PAGES - 1);
}

uint64_t
birth_size(const struct birth *b)
{
	return b->size & IN_PAGES ? (uint64_t)(b->size - IN_PAGES) << 12
				  : b->size;
}

double
birth_weight(const struct birth *b)
{
	double p = 1;

	if (b->lg_sample)
		p = -expm1(-ldexp((double)birth_size(b), -(int)b->lg_sample));
	return ldexp(1 / p, 3 * b->thin);
}

/* ---- being told ------------------------------------------------------------- */

void
births_begin(struct births *b, uint64_t start_ns, uint64_t untold, bool whole)
{
	if (!b->told) {
		b->told = true;
		b->start_ns = start_ns;
		b->known_from = b->commits + 1;
	}
	b->is_short |= untold > 0;
	free(b->put);
	b->put = NULL;
	b->put_cap = 0;
	if (!whole || b->count == 0)
		return;
	b->put_cap = b->number_cap;
	b->put = xcalloc(b->put_cap + 1, 1);
}

static void
die(struct births *b, uint32_t number)
{
	uint32_t *at = &b->of_number[number];

	if (*at != NOBODY)
		b->all[*at - 1].died = b->commits + 1;
	*at = NOBODY;
}

static bool
same(const struct birth *a, const struct birth *b)
{
	return a->cell == b->cell && a->birth == b->birth &&
	    a->size == b->size && a->lg_sample == b->lg_sample &&
	    a->thin == b->thin;
}

static void
room_for_number(struct births *b, uint32_t number)
{
	size_t old = b->number_cap;

	VEC_ROOM(b->of_number, b->number_cap, (size_t)number + 1);
	for (size_t i = old; i < b->number_cap; i++)
		b->of_number[i] = NOBODY;
}

static bool
can_be(const struct birth_told *t)
{
	return t->number < BIRTHS_NUMBERS && t->cell < BIRTHS_CELLS &&
	    t->size > 0 && t->lg_sample <= 63 && t->lg_thin <= 9 &&
	    t->lg_thin % 3 == 0;
}

bool
births_put(struct births *b, const struct birth_told *t)
{
	struct birth new = { .cell = t->cell & (BIRTHS_CELLS - 1),
		.birth = t->birth,
		.size = pack(t->size),
		.lg_sample = t->lg_sample & 63u,
		.thin = t->lg_thin / 3u & 3u,
		.born = b->commits + 1 };
	uint32_t *at;

	if (!can_be(t))
		return false;
	room_for_number(b, t->number);
	if (t->number < b->put_cap)
		b->put[t->number] = 1;
	at = &b->of_number[t->number];
	if (*at != NOBODY && same(&b->all[*at - 1], &new))
		return true;
	die(b, t->number);
	if (b->count >= b->kept) {
		b->is_short = true;
		return true;
	}
	VEC_ROOM(b->all, b->cap, b->count + 1);
	b->all[b->count++] = new;
	*at = (uint32_t)b->count;
	return true;
}

bool
births_put_death(struct births *b, uint32_t number)
{
	if (number >= BIRTHS_NUMBERS)
		return false;
	if (number < b->number_cap)
		die(b, number);
	return true;
}

/* ---- forgetting ------------------------------------------------------------- */

/* Whether a snapshot that is retained has it. */
static bool
is_asked_for(const struct birth *x, const struct history *h)
{
	size_t n = history_count(h), i;

	if (x->died == 0)
		return true;
	if (n == 0)
		return false;
	/* the newest that is not newer than the last that has it */
	i = history_index(h, x->died - 1);
	return i < n && history_at(h, i)->id >= x->born;
}

/* Keep those whose mark is set, and lead the numbers to where they are now. */
static void
keep_marked(struct births *b, const uint8_t *keep)
{
	uint32_t *to = xreallocarray(NULL, b->count, sizeof *to);
	size_t n = 0;

	for (size_t i = 0; i < b->count; i++) {
		if (!keep[i])
			continue;
		b->all[n] = b->all[i];
		to[i] = (uint32_t)++n;
	}
	for (size_t i = 0; i < b->number_cap; i++) {
		if (b->of_number[i] != NOBODY)
			b->of_number[i] = to[b->of_number[i] - 1];
	}
	b->count = n;
	free(to);
}

/* The snapshot up to which the dead must be forgotten, so that only `most`
 * remain; 0: they may all stay. */
static uint32_t
forget_up_to(const struct births *b, const uint8_t *keep, size_t most)
{
	/* how many died at each, which is no later than the next one */
	uint32_t *died = xcalloc((size_t)b->commits + 2, sizeof *died);
	size_t n = 0;
	uint32_t last = b->commits + 1;

	for (size_t i = 0; i < b->count; i++) {
		if (keep[i] && b->all[i].died)
			died[b->all[i].died]++;
	}
	for (; last > 0 && n + died[last] <= most; last--)
		n += died[last];
	free(died);
	return last;
}

/* Those who died by then are forgotten: of moments before it not all are
 * known. */
static void
forget_dead(struct births *b, uint8_t *keep, uint32_t last)
{
	for (size_t i = 0; i < b->count; i++) {
		if (b->all[i].died && b->all[i].died <= last)
			keep[i] = 0;
	}
	if (b->known_from < last)
		b->known_from = last;
}

static void
look_through(struct births *b, const struct history *h)
{
	uint8_t *keep = xcalloc(b->count + 1, 1);
	size_t alive = 0, dead = 0, most;
	uint32_t last;

	for (size_t i = 0; i < b->count; i++) {
		keep[i] = is_asked_for(&b->all[i], h);
		alive += b->all[i].died == 0;
		dead += keep[i] && b->all[i].died;
	}
	/* some room is left for those to come */
	most = alive < b->kept / 4 * 3 ? b->kept / 4 * 3 - alive : 0;
	if (dead > most) {
		last = forget_up_to(b, keep, most / 2);
		if (last)
			forget_dead(b, keep, last);
	}
	keep_marked(b, keep);
	free(keep);
	b->full_at = (uint32_t)b->count * 2;
	if (b->full_at < b->kept / 4)
		b->full_at = b->kept / 4;
	if (b->full_at > b->kept / 8 * 7)
		b->full_at = b->kept / 8 * 7;
}

/* Those that a whole dump did not tell of. */
static void
bury(struct births *b)
{
	for (uint32_t i = 0; i < b->put_cap; i++) {
		if (!b->put[i])
			die(b, i);
	}
	free(b->put);
	b->put = NULL;
	b->put_cap = 0;
}

void
births_commit(struct births *b, const struct history *h)
{
	if (b->put)
		bury(b);
	b->commits++;
	if (b->count > b->full_at)
		look_through(b, h);
}

/* ---- being asked ------------------------------------------------------------ */

bool
births_told(const struct births *b)
{
	return b->told;
}

uint32_t
births_now(const struct births *b)
{
	return b->commits;
}

bool
births_known(const struct births *b, uint32_t snapshot)
{
	return b->told && snapshot >= b->known_from;
}

bool
births_short(const struct births *b)
{
	return b->is_short;
}

uint64_t
births_start_ns(const struct births *b)
{
	return b->start_ns;
}

const struct birth *
births_all(const struct births *b, size_t *n)
{
	*n = b->count;
	return b->all;
}

size_t
births_bytes(const struct births *b)
{
	return sizeof *b + b->cap * sizeof *b->all +
	    b->number_cap * sizeof *b->of_number + b->put_cap;
}
