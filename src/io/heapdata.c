#include "io/heapdata.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "io/heapfigures.h"
#include "io/heapmaps.h"
#include "io/heapsymbols.h"
#include "io/heapwords.h"
#include "model/frames.h"
#include "model/profile.h"

#define FRAMES_KEPT 4096
#define FRAMES_MAX  (UINT64_C(1) << 28) /* in all stacks */
#define ROWS_MAX    (UINT32_MAX / 2)
#define LOOK_BACK   16 /* rows of a stack that a new one may be added to */

void
heapdata_fini(struct heapdata *d)
{
	free(d->places);
	free(d->frames);
	free(d->rows);
	free(d->stacks);
	map_fini(&d->place_of);
	map_fini(&d->stack_of);
	map_fini(&d->text_of);
	free(d->texts);
	arena_fini(&d->text);
	free(d->spots);
	memset(d, 0, sizeof *d);
}

void
heapdata_again(struct heapdata *d)
{
	d->again = true;
	d->rule = HEAP_EXACT;
	d->addresses = HEAP_RETURNS_BUT_LEAF;
	d->R = 1;
	d->depth = 0;
	d->row_count = 0;
	for (size_t i = 0; i < d->stack_count; i++)
		d->stacks[i].first_row = d->stacks[i].last_row = 0;
}

static uint32_t
place_of(struct heapdata *d, uint64_t address)
{
	uint32_t *at = map_put(&d->place_of, address);

	if (*at == MAP_NONE) {
		*at = (uint32_t)d->place_count;
		VEC_ROOM(d->places, d->place_cap, d->place_count + 1);
		d->places[d->place_count++] = address;
	}
	return *at;
}

/* Of the frames behind `first`, which are no stack yet. */
static bool
add_frame(struct heapdata *d, size_t first, uint64_t address)
{
	bool leaf = d->frame_count == first;

	if (d->frame_count >= FRAMES_MAX || d->frame_count - first >= 1u << 20)
		return false;
	if (d->addresses == HEAP_RETURNS ||
	    (d->addresses == HEAP_RETURNS_BUT_LEAF && !leaf))
		address -= address > 0;
	VEC_ROOM(d->frames, d->frame_cap, d->frame_count + 1);
	d->frames[d->frame_count++] = place_of(d, address);
	return true;
}

static bool
same_stack(const struct heapdata *d, uint32_t stack, size_t first)
{
	const struct heap_stack *s = &d->stacks[stack];

	return s->count == d->frame_count - first &&
	    memcmp(d->frames + s->first, d->frames + first,
		s->count * sizeof *d->frames) == 0;
}

/* The frames behind `first` are a stack now, if they are not one already. */
static uint32_t
intern(struct heapdata *d, size_t first)
{
	uint64_t key = d->frame_count - first;
	uint32_t *at;

	for (size_t i = first; i < d->frame_count; i++)
		key = map_mix(key ^ d->frames[i]);
	for (;; key = map_mix(key)) {
		at = map_put(&d->stack_of, key);
		if (*at == MAP_NONE)
			break;
		if (same_stack(d, *at, first)) {
			d->frame_count = first;
			return *at + 1;
		}
	}
	*at = (uint32_t)d->stack_count;
	VEC_ROOM(d->stacks, d->stack_cap, d->stack_count + 1);
	d->stacks[d->stack_count++] = (struct heap_stack){ .first = first,
		.count = (uint32_t)(d->frame_count - first) & INT32_MAX };
	return (uint32_t)d->stack_count;
}

/* A line that was read before. */
struct heap_text {
	const char *text;
	uint32_t len, stack; /* as heapdata_stack says */
	enum heap_addresses addresses;
};

#define TEXT_MAX (16u << 20) /* bytes of lines that are kept */

static uint64_t
hash_text(const char *s, size_t len)
{
	uint64_t h = len, word = 0;

	for (; len >= sizeof word; s += sizeof word, len -= sizeof word) {
		memcpy(&word, s, sizeof word);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, s, len);
	return map_mix(h ^ word);
}

/* The stack of the same line, 0 if there was none; *key is where it may be
 * kept. */
static uint32_t
find_text(const struct heapdata *d, const char *s, size_t len, uint64_t *key)
{
	*key = hash_text(s, len);
	for (;; *key = map_mix(*key)) {
		uint32_t at = map_find(&d->text_of, *key);
		const struct heap_text *t;

		if (at == MAP_NONE)
			return 0;
		t = &d->texts[at];
		if (t->len == len && t->addresses == d->addresses &&
		    memcmp(t->text, s, len) == 0)
			return t->stack;
	}
}

static void
keep_text(
    struct heapdata *d, const char *s, size_t len, uint64_t key, uint32_t stack)
{
	if (stack == 0 || d->text.total + len > TEXT_MAX)
		return;
	VEC_ROOM(d->texts, d->text_cap, d->text_count + 1);
	d->texts[d->text_count] =
	    (struct heap_text){ arena_strndup(&d->text, s, len), (uint32_t)len,
		    stack, d->addresses };
	*map_put(&d->text_of, key) = (uint32_t)d->text_count++;
}

static uint32_t
read_stack(struct heapdata *d, const char *addresses)
{
	const char *s = addresses;
	size_t first = d->frame_count;
	uint64_t a;

	for (s = heapwords_blanks(s); *s != 0; s = heapwords_blanks(s))
		if (!heapwords_address(&s, &a) || !add_frame(d, first, a)) {
			d->frame_count = first;
			return 0;
		}
	/* jemalloc writes such when it could not unwind */
	if (d->frame_count == first && !add_frame(d, first, 0))
		return 0;
	if (d->stack_count < PROFILE_IDS_MAX)
		return intern(d, first);
	d->frame_count = first;
	return 0;
}

uint32_t
heapdata_stack(struct heapdata *d, const char *addresses)
{
	size_t len;
	uint64_t key;
	uint32_t stack;

	if (!d->again)
		return read_stack(d, addresses);
	len = strlen(addresses);
	stack = find_text(d, addresses, len, &key);
	if (stack == 0) {
		stack = read_stack(d, addresses);
		keep_text(d, addresses, len, key, stack);
	}
	return stack;
}

uint32_t
heapdata_stack_of(struct heapdata *d, const uint64_t *addresses, size_t count)
{
	size_t first = d->frame_count;

	if (d->stack_count >= PROFILE_IDS_MAX)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (!add_frame(d, first, addresses[i])) {
			d->frame_count = first;
			return 0;
		}
	return d->frame_count > first ? intern(d, first) : 0;
}

static void
add_figures(struct heap_row *to, const struct heap_row *row)
{
	to->live_objects += row->live_objects;
	to->live_bytes += row->live_bytes;
	to->alloc_objects += row->alloc_objects;
	to->alloc_bytes += row->alloc_bytes;
}

bool
heapdata_row(struct heapdata *d, uint32_t stack, const struct heap_row *row)
{
	struct heap_stack *s = &d->stacks[stack - 1];
	uint32_t at = s->first_row;

	for (int i = 0; at != 0 && i < LOOK_BACK; i++) {
		if (heapfigures_alike(d, &d->rows[at - 1], row)) {
			add_figures(&d->rows[at - 1], row);
			return true;
		}
		at = d->rows[at - 1].next;
	}
	if (d->row_count >= ROWS_MAX)
		return false;
	VEC_ROOM(d->rows, d->row_cap, d->row_count + 1);
	d->rows[d->row_count++] = *row;
	at = (uint32_t)d->row_count;
	d->rows[at - 1].next = 0;
	if (s->first_row == 0)
		s->first_row = at;
	else
		d->rows[s->last_row - 1].next = at;
	s->last_row = at;
	return true;
}

void
heapdata_drop(struct heapdata *d, uint32_t stack)
{
	d->stacks[stack - 1].first_row = d->stacks[stack - 1].last_row = 0;
}

/* ---- into the profile ---- */

/* Where a place is. */
struct spot {
	struct profile_frame frame;
	bool allocator;  /* inside an allocator's own library */
	bool used;       /* in a stack of the profile */
	bool leaf;       /* is the first frame of a stack of the file */
	bool named;      /* put_names is done with it */
	uint64_t symbol; /* its address in the file's symbols; 0: none */
};

struct putting {
	struct heapdata *d;
	struct profile *profile;
	struct spot *spots; /* those of d */
	struct profile_frame *frames;
	struct heap_row *rows; /* of the stack at hand */
	size_t row_cap;
};

/* The address that the file has a name for: a leaf's may be that of the
 * return address.  0: none. */
static uint64_t
symbol_of(const struct heapdata *d, const struct heapsymbols *names, size_t i)
{
	uint64_t address = d->places[i];

	if (names == NULL)
		return 0;
	if (heapsymbols_key(names, address) != 0)
		return address;
	if (d->addresses == HEAP_RETURNS &&
	    heapsymbols_key(names, address + 1) != 0)
		return address + 1;
	return 0;
}

/* Outside all mappings a name tells more than an address. */
static void
locate(struct putting *g, const struct heapmaps *m,
    const struct heapsymbols *names)
{
	struct heapdata *d = g->d;

	VEC_ROOM(d->spots, d->spot_cap, d->place_count);
	g->spots = d->spots;
	for (; d->spot_count < d->place_count; d->spot_count++) {
		size_t i = d->spot_count;
		struct spot *at = &g->spots[i];

		*at = (struct spot){ 0 };
		at->allocator = heapmaps_frame(m, g->d->places[i], &at->frame);
		at->symbol = symbol_of(g->d, names, i);
		if (at->frame.module == 0 && at->symbol != 0)
			at->frame.offset = heapsymbols_key(names, at->symbol);
	}
}

static size_t
frames_of(struct putting *g, const struct heap_stack *s, unsigned *flags)
{
	const uint32_t *places = &g->d->frames[s->first];
	size_t i = 0, n = 0;

	g->spots[places[0]].leaf = true;
	*flags = g->d->depth > 0 && s->count == g->d->depth
	    ? PROFILE_STACK_CUT_DEPTH
	    : 0;
	/* Leave out what is inside the allocator, but not everything. */
	while (i + 1 < s->count && g->spots[places[i]].allocator)
		i++;
	for (; i < s->count && n < FRAMES_KEPT; i++) {
		struct spot *at = &g->spots[places[i]];

		at->used = true;
		g->frames[n++] = at->frame;
	}
	if (i < s->count)
		*flags |= PROFILE_STACK_CUT_DEPTH;
	return n;
}

static size_t
rows_of(struct putting *g, const struct heap_stack *s)
{
	size_t n = 0;

	for (uint32_t at = s->first_row; at != 0;
	     at = g->d->rows[at - 1].next) {
		VEC_ROOM(g->rows, g->row_cap, n + 1);
		g->rows[n++] = g->d->rows[at - 1];
	}
	heapfigures_sort(g->rows, n);
	return n;
}

static int
put_stacks(struct putting *g, uint64_t *live, uint64_t *alloc, struct err *e)
{
	struct cell_values whole;

	for (size_t i = 0; i < g->d->stack_count; i++) {
		struct heap_stack *s = &g->d->stacks[i];
		uint32_t id = (uint32_t)i + 1;
		size_t rows = rows_of(g, s), n;
		unsigned flags;

		if (rows == 0)
			continue;
		n = s->put ? 0 : frames_of(g, s, &flags);
		if (!s->put &&
		    profile_put_stack(g->profile, id, flags, g->frames, n, e) <
			0)
			return -1;
		s->put = 1;
		if (heapfigures_put(
			g->d, g->profile, id, g->rows, rows, &whole, e) < 0)
			return -1;
		*live += whole.live_samples;
		*alloc += whole.alloc_samples;
	}
	return 0;
}

/* The file's own names; and nobody shall name places of another build. */
static void
put_names(
    struct putting *g, struct heapmaps *m, const struct heapsymbols *names)
{
	struct frames *f = profile_frames(g->profile);

	for (size_t i = 0; i < g->d->place_count; i++) {
		struct spot *at = &g->spots[i];
		frame_id id;

		if (!at->used || at->named)
			continue;
		at->named = true;
		id = frames_add(f, at->frame.module, at->frame.offset);
		/* jeprof, too, has this one as the file has it */
		if (at->leaf && g->d->addresses == HEAP_RETURNS)
			frames_set_behind(f, id);
		if (at->symbol != 0)
			heapsymbols_name(names, at->symbol, f, id);
		if (!heapmaps_used(m, &at->frame))
			frames_set_names(f, id, NULL, 0);
	}
}

int
heapdata_put(struct heapdata *d, struct heapmaps *m,
    const struct heapsymbols *names, struct profile *p, uint64_t *live,
    uint64_t *alloc, struct err *e)
{
	struct putting g = { .d = d, .profile = p };
	int r;

	g.frames = xcalloc(FRAMES_KEPT, sizeof *g.frames);
	locate(&g, m, names);
	r = put_stacks(&g, live, alloc, e);
	if (r == 0)
		put_names(&g, m, names);
	free(g.frames);
	free(g.rows);
	return r;
}
