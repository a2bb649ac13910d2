#include "stacktab.h"

#include <string.h>

#include "index.h"
#include "meta.h"
#include "modinfo.h"
#include "os.h"
#include "tablewrite.h"
#include "unwind.h"

/* Modules as met, for the translation of addresses; append-only. */
struct known_module {
	uint64_t start, end, bias;
	uint64_t
	    epoch; /* of a closeable one: when it was last seen to be there */
	uint32_t id;
	bool closeable;
};

#define KNOWN_SEG  128u /* of 48 bytes: whole pages or nearly */
#define KNOWN_SEGS 32u  /* later modules are looked up each time */

static struct {
	struct index index;
	uint32_t known; /* modules, raised after the entry is whole */
	struct known_module *seg[KNOWN_SEGS];
} tab;

/* In place of the epoch: of stacks whose modules all stay. */
#define FOR_GOOD UINT64_MAX

static struct index_key
stack_key(struct stack_hash h, unsigned n, uint64_t epoch)
{
	uint64_t a = h.a ^ UINT64_C(0x9e3779b97f4a7c15) * n, b = h.b;

	a += UINT64_C(0xd1342543de82ef95) * epoch;
	b += UINT64_C(0xaf251af3b0f025b5) * epoch;
	a ^= a >> 32;
	a *= UINT64_C(0xd6e8feb86659fd93);
	a ^= a >> 32;
	b ^= b >> 28;
	return (struct index_key){ a, (uint32_t)(b ^ b >> 32) };
}

/* Below a module, or below none, 0. */
static struct stack_hash
hash_of(const uint64_t *pcs, unsigned n, uint32_t module)
{
	struct stack_hash h = stack_hash_start();

	if (module)
		stack_hash_add(&h, module);
	for (unsigned i = n; i-- > 0;)
		stack_hash_add(&h, pcs[i]);
	return h;
}

static uint32_t
find(struct stack_hash h, unsigned n, uint64_t epoch)
{
	uint32_t id = index_find(&tab.index, stack_key(h, n, FOR_GOOD));

	return id ? id : index_find(&tab.index, stack_key(h, n, epoch));
}

uint32_t
stacktab_find(struct stack_hash h, unsigned n)
{
	return find(h, n, unwind_epoch());
}

/* Place `size` bytes as entry `index` of a segmented array; NULL if full.
 * Under the lock. */
static void *
array_entry(
    uint32_t *dir, uint32_t segs, uint32_t seg, size_t size, uint32_t index)
{
	uint32_t s = index / seg;
	void *at;
	uint32_t off;

	if (s >= segs)
		return NULL;
	if (dir[s] == 0) {
		off = table_append(seg * size, &at);
		if (off == 0)
			return NULL;
		__atomic_store_n(&dir[s], off, __ATOMIC_RELEASE);
	}
	return (char *)table_ptr(dir[s]) + index % seg * size;
}

static bool
same_module(const struct table_module *m, uint64_t start, uint64_t end,
    const uint8_t *build_id, unsigned build_id_len, const char *path,
    unsigned path_len)
{
	return m->start == start && m->end == end &&
	    m->build_id_len == build_id_len && m->path_len == path_len &&
	    memcmp(m->build_id, build_id, build_id_len) == 0 &&
	    (path_len == 0 || memcmp(table_ptr(m->path), path, path_len) == 0);
}

static struct table_head *
locked_head(void)
{
	return table_ptr(0);
}

/* Under the lock. */
static uint32_t
module_find(uint64_t start, uint64_t end, const uint8_t *build_id,
    unsigned build_id_len, const char *path, unsigned path_len)
{
	struct table_head *h = locked_head();

	for (uint32_t i = h->modules; i > 0; i--) {
		const struct table_module *m = array_entry(
		    h->module_dir, MODULE_SEGS, MODULE_SEG, sizeof *m, i - 1);

		if (same_module(
			m, start, end, build_id, build_id_len, path, path_len))
			return i;
	}
	return 0;
}

/* Under the lock. */
static uint32_t
module_add(const struct table_module *in, const char *path)
{
	struct table_head *h = locked_head();
	struct table_module *m;
	void *at = NULL;
	uint32_t off = 0;

	if (h->modules >= MODULE_SEG * MODULE_SEGS - 1)
		return 0;
	if (in->path_len > 0 && (off = table_append(in->path_len, &at)) == 0)
		return 0;
	m = array_entry(
	    h->module_dir, MODULE_SEGS, MODULE_SEG, sizeof *m, h->modules);
	if (!m)
		return 0;
	*m = *in;
	m->path = off;
	if (off)
		memcpy(at, path, in->path_len);
	__atomic_store_n(&h->modules, h->modules + 1, __ATOMIC_RELEASE);
	return h->modules;
}

uint32_t
stacktab_module(uint64_t start, uint64_t end, uint64_t bias,
    const uint8_t *build_id, unsigned build_id_len, const char *path,
    unsigned path_len)
{
	struct table_module m = { .start = start, .end = end, .bias = bias };
	uint32_t id;

	if (build_id_len > BUILD_ID_MAX)
		build_id_len = BUILD_ID_MAX;
	m.path_len = (uint16_t)path_len;
	m.build_id_len = (uint8_t)build_id_len;
	memcpy(m.build_id, build_id, build_id_len);
	table_lock();
	id = module_find(start, end, build_id, build_id_len, path, path_len);
	if (id == 0)
		id = module_add(&m, path);
	table_unlock();
	return id;
}

static struct known_module *
known_find(uint64_t pc)
{
	uint32_t n = __atomic_load_n(&tab.known, __ATOMIC_ACQUIRE);

	while (n-- > 0) {
		struct known_module *k = &tab.seg[n / KNOWN_SEG][n % KNOWN_SEG];

		if (pc >= k->start && pc < k->end)
			return k;
	}
	return NULL;
}

static struct known_module *
known_segment(void)
{
	size_t bytes = KNOWN_SEG * sizeof(struct known_module);
	struct known_module *seg = os_map(bytes);

	if (seg)
		meta_note(seg, bytes);
	return seg;
}

/* Remember a module for later look-ups. */
static void
known_add(const struct modinfo *mi, uint32_t id, uint64_t epoch)
{
	uint32_t n;

	table_lock();
	n = tab.known;
	if (n < KNOWN_SEG * KNOWN_SEGS && !tab.seg[n / KNOWN_SEG])
		tab.seg[n / KNOWN_SEG] = known_segment();
	if (n < KNOWN_SEG * KNOWN_SEGS && tab.seg[n / KNOWN_SEG]) {
		struct known_module *k = &tab.seg[n / KNOWN_SEG][n % KNOWN_SEG];

		*k = (struct known_module){ mi->start, mi->end, mi->bias, epoch,
			id, mi->closeable };
		__atomic_store_n(&tab.known, n + 1, __ATOMIC_RELEASE);
	}
	table_unlock();
}

/* A module that can be closed was seen once more: where it is known already,
 * that holds now too. */
static void
known_again(struct known_module *k, const struct modinfo *mi, uint32_t id,
    uint64_t epoch)
{
	if (k && k->id == id && k->start == mi->start && k->bias == mi->bias)
		__atomic_store_n(&k->epoch, epoch, __ATOMIC_RELAXED);
	else
		known_add(mi, id, epoch);
}

/* The frame of a return address, see struct stack_frame in format.h.  `stays`
 * is cleared if the address may become another's. */
static uint64_t
frame_of(uint64_t ra, uint64_t epoch, bool *stays)
{
	uint64_t pc = ra - 1, bias;
	struct known_module *k = known_find(pc);
	struct modinfo mi;
	uint32_t id;

	if (k &&
	    (!k->closeable ||
		__atomic_load_n(&k->epoch, __ATOMIC_RELAXED) == epoch)) {
		*stays &= !k->closeable;
		id = k->id;
		bias = k->bias;
	} else {
		if (!modinfo_find(pc, &mi)) {
			*stays = false;
			return pc & FRAME_OFFSET_MASK;
		}
		*stays &= !mi.closeable;
		id = stacktab_module(mi.start, mi.end, mi.bias, mi.build_id,
		    mi.build_id_len, mi.path, (unsigned)strlen(mi.path));
		bias = mi.bias;
		if (id != 0)
			known_again(k, &mi, id, epoch);
	}
	if (id == 0)
		return pc & FRAME_OFFSET_MASK;
	return (uint64_t)id << FRAME_OFFSET_BITS |
	    ((pc - bias) & FRAME_OFFSET_MASK);
}

/* Under the lock; 0 if full. */
static uint32_t
stack_add(const uint64_t *frames, unsigned n, unsigned flags)
{
	struct table_head *h = locked_head();
	struct table_stack *s;
	void *at;
	uint32_t off = table_append(n * sizeof *frames, &at);

	if (off == 0 || h->stacks >= STACK_SEG * STACK_SEGS)
		return 0;
	s = array_entry(
	    h->stack_dir, STACK_SEGS, STACK_SEG, sizeof *s, h->stacks);
	if (!s)
		return 0;
	memcpy(at, frames, n * sizeof *frames);
	s->frames = off;
	s->count = (uint16_t)n;
	s->flags = (uint16_t)flags;
	__atomic_store_n(&h->stacks, h->stacks + 1, __ATOMIC_RELEASE);
	return h->stacks;
}

static uint32_t
intern(uint32_t module, const uint64_t *pcs, unsigned n, unsigned flags,
    uint64_t *frames)
{
	struct stack_hash h = hash_of(pcs, n, module);
	uint64_t epoch = unwind_epoch();
	uint32_t id = find(h, n, epoch);
	struct index_key key;
	bool stays = true;

	if (id != 0)
		return id;
	for (unsigned i = 0; i < n; i++)
		frames[i] = frame_of(pcs[i], epoch, &stays);
	key = stack_key(h, n, stays ? FOR_GOOD : epoch);
	if (module)
		frames[n++] = (uint64_t)module << FRAME_OFFSET_BITS;
	table_lock();
	id = index_find(&tab.index, key);
	if (id == 0 && index_reserve(&tab.index)) {
		id = stack_add(frames, n, flags);
		if (id != 0)
			index_add(&tab.index, key, id);
	}
	table_unlock();
	return id;
}

uint32_t
stacktab_intern(
    const uint64_t *pcs, unsigned n, unsigned flags, uint64_t *frames)
{
	return intern(0, pcs, n, flags, frames);
}

uint32_t
stacktab_intern_in(uint32_t module, const uint64_t *pcs, unsigned n,
    unsigned flags, uint64_t *frames)
{
	return intern(module, pcs, n, flags, frames);
}

uint32_t
stacktab_copy(const uint64_t *frames, unsigned n, unsigned flags)
{
	uint32_t id;

	table_lock();
	id = stack_add(frames, n, flags);
	table_unlock();
	return id;
}

void
stacktab_forked(void)
{
	/* the arrays were the parent's; a few pages, given up */
	if (tab.index.array || tab.known != 0)
		memset(&tab, 0, sizeof tab);
}
