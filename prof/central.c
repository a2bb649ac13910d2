#include "central.h"

#include <string.h>

#include "check.h"
#include "entry.h"
#include "lock.h"
#include "meta.h"
#include "pagemap.h"
#include "record.h"
#include "span.h"
#include "strict.h"
#include "thread.h"

/* An empty slab of so many objects may be kept.  Pages of larger objects are
 * better lent to other classes. */
#define KEEP_LEAST 4u

struct centre {
	struct lock lock;
	uint32_t shelved;   /* objects on the shelf */
	void **shelf;       /* sc_info[].shelf pointers, NULL until used */
	struct span *roomy; /* slabs with room */
	struct span *all;   /* sampled slabs, through newer and older */
	size_t out;         /* objects out of slabs */
	uint32_t slabs;     /* how many there are */
	uint32_t kept;      /* of them with nothing out */
} __attribute__((aligned(64)));

static struct centre plain[SC_COUNT + 1];
/* [0] is of the sampled large blocks: only `all` is used. */
static struct centre marked[SC_COUNT + 1];

static void
roomy_insert(struct centre *c, struct span *s)
{
	s->prev = NULL;
	s->next = c->roomy;
	if (s->next != NULL)
		s->next->prev = s;
	c->roomy = s;
}

static void
roomy_remove(struct centre *c, struct span *s)
{
	*(s->prev ? &s->prev->next : &c->roomy) = s->next;
	if (s->next != NULL)
		s->next->prev = s->prev;
}

static void
all_insert(struct centre *c, struct span *s)
{
	s->older = NULL;
	s->newer = c->all;
	if (s->newer != NULL)
		s->newer->older = s;
	c->all = s;
}

static void
all_remove(struct centre *c, struct span *s)
{
	*(s->older ? &s->older->newer : &c->all) = s->newer;
	if (s->newer != NULL)
		s->newer->older = s->older;
}

static size_t
records_bytes(const struct span *s)
{
	return s->count * (sizeof(struct record) + 1);
}

/* Records, and behind them the marks of what is out. */
static bool
add_records(struct span *s)
{
	s->records = meta_alloc(records_bytes(s));
	if (s->records == NULL)
		return false;
	s->live = (uint8_t *)(s->records + s->count);
	return true;
}

/* A sampled span that is on no list any more. */
static void
drop_sampled(struct span *s)
{
	meta_free(s->records, records_bytes(s));
	s->records = NULL;
	s->live = NULL;
	span_free(s);
}

static struct span *
slab_new(struct centre *c, unsigned class, bool sampled)
{
	const struct sc_info *info = &sc_info[class];
	struct span *s = span_new(info->pages, PAGE_BYTES, class, sampled);
	if (s == NULL)
		return NULL;
	s->count = s->free = info->objects;
	if (sampled) {
		if (!add_records(s)) {
			span_free(s);
			return NULL;
		}
		all_insert(c, s);
	}
	for (unsigned i = 0; i < SC_OBJECTS / 64; i++) {
		unsigned left = s->count > i * 64 ? s->count - i * 64u : 0;
		s->bits[i] =
		    left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
	}
	roomy_insert(c, s);
	c->slabs++;
	c->kept++;
	return s;
}

static unsigned
slab_get(struct span *s, size_t size, void **out, unsigned n)
{
	unsigned got = 0;
	for (unsigned w = 0; got < n && w * 64 < s->count; w++) {
		uint64_t bits = s->bits[w];
		for (; bits != 0 && got < n; bits &= bits - 1) {
			unsigned i = w * 64 + (unsigned)__builtin_ctzl(bits);
			out[got++] = (void *)(s->start + i * size);
		}
		s->bits[w] = bits;
	}
	s->free = (uint16_t)(s->free - got);
	return got;
}

/* The caller holds the centre's lock. */
static unsigned
slabs_get(
    struct centre *c, unsigned class, bool sampled, void **out, unsigned n)
{
	unsigned got = 0;
	while (got < n) {
		struct span *s = c->roomy;
		if (s == NULL)
			s = slab_new(c, class, sampled);
		if (s == NULL)
			break;
		if (s->free == s->count)
			c->kept--;
		unsigned more =
		    slab_get(s, sc_info[class].size, out + got, n - got);
		/* None: a thread that is no more was changing it when this
		 * process was forked behind our back. */
		if (more == 0)
			s->free = 0;
		got += more;
		if (s->free == 0)
			roomy_remove(c, s);
	}
	c->out += got;
	for (unsigned i = 0; strict.fill_new && i < got; i++)
		strict_new(out[i], sc_info[class].size, false);
	return got;
}

/* Mark an object as not out; the span if it is empty now and is to go.  The
 * caller holds the centre's lock. */
static struct span *
slab_put(struct centre *c, struct span *s, uint32_t i)
{
	s->bits[i / 64] |= UINT64_C(1) << i % 64;
	c->out--;
	if (s->free++ == 0)
		roomy_insert(c, s);
	if (s->free < s->count)
		return NULL;
	if (c->kept == 0 && s->count >= KEEP_LEAST) {
		c->kept = 1;
		return NULL;
	}
	roomy_remove(c, s);
	c->slabs--;
	if (s->sampled)
		all_remove(c, s);
	return s;
}

/* The slab that `p` is an object of and is out of, and which object it is;
 * NULL if it is none.  The caller holds the centre's lock. */
static struct span *
slab_of(void *p, unsigned class, unsigned code, uint32_t *index)
{
	uint64_t e = pagemap_get((uintptr_t)p);
	if (pagemap_code(e) != code)
		return NULL;
	struct span *s = pagemap_span(e);
	if (s->class != class)
		return NULL;
	size_t offset = (uintptr_t)p - s->start;
	uint32_t i = sc_index(&sc_info[class], offset);
	if (i >= s->count || i * (size_t)sc_info[class].size != offset ||
	    (s->bits[i / 64] >> i % 64 & 1) != 0)
		return NULL;
	*index = i;
	return s;
}

/* The first n objects of a bin have been given back.  The caller holds the
 * lock. */
static void
forget(struct bin *b, unsigned n)
{
	b->count = (uint16_t)(b->count - n);
	memmove(b->slots, b->slots + n, b->count * sizeof *b->slots);
}

/* Gives objects back to their slabs under the lock, which it releases; `from`
 * is the bin that they are the first of, or NULL. */
static void
slabs_put(struct centre *c, unsigned class, bool sampled, void **p, unsigned n,
    struct bin *from)
{
	struct span *gone = NULL;
	void *wrong = NULL;
	for (unsigned k = 0; k < n; k++) {
		uint32_t i;
		struct span *s =
		    slab_of(p[k], class, sampled ? PAGE_SAMPLED : class, &i);
		if (s == NULL) {
			wrong = p[k];
			continue;
		}
		strict_freed(p[k], sc_info[class].size);
		s = slab_put(c, s, i);
		if (s != NULL) {
			s->next = gone;
			gone = s;
		}
	}
	if (from != NULL)
		forget(from, n);
	lock_release(&c->lock);
	while (gone != NULL) {
		struct span *s = gone;
		gone = s->next;
		if (sampled)
			drop_sampled(s);
		else
			span_free(s);
	}
	if (wrong != NULL)
		entry_invalid_free(wrong, strict.uncached);
}

unsigned
central_get(unsigned class, void **out, unsigned n)
{
	struct centre *c = &plain[class];
	thread_reap_dead();
	lock_acquire(&c->lock);
	if (c->shelved > 0) {
		if (n > c->shelved)
			n = c->shelved;
		c->shelved -= n;
		memcpy(out, c->shelf + c->shelved, n * sizeof *out);
	} else {
		n = slabs_get(c, class, false, out, n);
	}
	lock_release(&c->lock);
	return n;
}

/* The caller holds the lock. */
static bool
shelve(struct centre *c, unsigned class, void **p, unsigned n)
{
	unsigned room = sc_info[class].shelf;
	if (n > room - c->shelved)
		return false;
	if (c->shelf == NULL) {
		c->shelf = meta_alloc(room * sizeof *c->shelf);
		if (c->shelf == NULL)
			return false;
	}
	memcpy(c->shelf + c->shelved, p, n * sizeof *p);
	c->shelved += n;
	return true;
}

static void
put(unsigned class, void **p, unsigned n, struct bin *from)
{
	struct centre *c = &plain[class];
	lock_acquire(&c->lock);
	if (strict.uncached || !shelve(c, class, p, n)) {
		slabs_put(c, class, false, p, n, from);
		return;
	}
	if (from != NULL)
		forget(from, n);
	lock_release(&c->lock);
}

void
central_put(unsigned class, void **p, unsigned n)
{
	put(class, p, n, NULL);
}

void
central_put_from(unsigned class, struct bin *b, unsigned n)
{
	put(class, b->slots, n, b);
}

unsigned
central_sampled_get(unsigned class, void **out, unsigned n)
{
	struct centre *c = &marked[class];
	lock_acquire(&c->lock);
	n = slabs_get(c, class, true, out, n);
	lock_release(&c->lock);
	return n;
}

void
central_sampled_put_from(unsigned class, struct bin *b, unsigned n)
{
	struct centre *c = &marked[class];
	lock_acquire(&c->lock);
	slabs_put(c, class, true, b->slots, n, b);
}

static bool
sampled_large(size_t size, size_t align, struct sampled *out)
{
	size_t pages = (size + PAGE_BYTES - 1) >> PAGE_SHIFT;
	struct span *s = span_new(pages ? pages : 1, align, 0, true);
	if (s == NULL)
		return false;
	if (!add_records(s)) {
		span_free(s);
		return false;
	}
	lock_acquire(&marked[0].lock);
	all_insert(&marked[0], s);
	lock_release(&marked[0].lock);
	out->span = s;
	out->ptr = (void *)s->start;
	out->usable = span_bytes(s);
	return true;
}

static bool
sampled_small(unsigned class, struct sampled *out)
{
	struct thread *t = thread_self();
	void *p = NULL;
	if (t != NULL && sc_info[class].marked > 0)
		p = cache_sampled_pop(&t->cache, class);
	if (p == NULL && central_sampled_get(class, &p, 1) == 0)
		return false;
	out->ptr = p;
	out->span = pagemap_span(pagemap_get((uintptr_t)p));
	out->usable = sc_info[class].size;
	return true;
}

static void
set_index(struct sampled *out)
{
	struct span *s = out->span;
	out->index = s->class == 0
	    ? 0
	    : sc_index(&sc_info[s->class], (uintptr_t)out->ptr - s->start);
	out->record = &s->records[out->index];
}

bool
central_sampled_new(size_t size, size_t align, bool zero, struct sampled *out)
{
	unsigned class = sc_class_aligned(size, align);
	if (class != 0 ? !sampled_small(class, out)
		       : !sampled_large(size, align, out))
		return false;
	set_index(out);
	CHECK(out->record->cell == 0 && !out->span->live[out->index]);
	out->span->live[out->index] = 1;
	if (zero && (class != 0 || !out->span->zero))
		memset(out->ptr, 0, size);
	return true;
}

struct record *
central_sampled_mark(struct span *s)
{
	if (s->sampled)
		return s->records;
	if (!add_records(s))
		return NULL;
	s->live[0] = 1;
	lock_acquire(&marked[0].lock);
	all_insert(&marked[0], s);
	span_mark_sampled(s);
	lock_release(&marked[0].lock);
	return s->records;
}

struct sampled
central_sampled_find(void *p, uint64_t entry)
{
	struct sampled f = { .span = pagemap_span(entry), .ptr = p };
	struct span *s = f.span;
	size_t offset = (uintptr_t)p - s->start;
	f.usable = s->class == 0 ? span_bytes(s) : sc_info[s->class].size;
	set_index(&f);
	if (f.index >= s->count || offset != f.index * f.usable ||
	    !s->live[f.index])
		f.record = NULL;
	return f;
}

void
central_sampled_release(struct sampled *f)
{
	struct span *s = f->span;
	unsigned class = s->class;
	s->live[f->index] = 0;
	if (class == 0) {
		lock_acquire(&marked[0].lock);
		all_remove(&marked[0], s);
		lock_release(&marked[0].lock);
		drop_sampled(s);
		return;
	}
	struct thread *t = thread_self();
	if (t != NULL && sc_info[class].marked > 0 &&
	    cache_sampled_push(&t->cache, class, f->ptr))
		return;
	lock_acquire(&marked[class].lock);
	slabs_put(&marked[class], class, true, &f->ptr, 1, NULL);
}

void
central_sampled_foreach(
    void (*fn)(struct span *, struct record *, uint32_t count, void *arg),
    void *arg)
{
	for (unsigned i = 0; i <= SC_COUNT; i++) {
		struct centre *c = &marked[i];
		lock_acquire(&c->lock);
		for (struct span *s = c->all; s != NULL; s = s->newer)
			fn(s, s->records, s->count, arg);
		lock_release(&c->lock);
	}
}

void
central_tidy(void)
{
	for (unsigned i = 1; i <= SC_COUNT; i++) {
		struct centre *c = &plain[i];
		lock_acquire(&c->lock);
		unsigned n = c->shelved;
		c->shelved = 0;
		slabs_put(c, i, false, c->shelf, n, NULL);
	}
}

void
central_stats(unsigned class, struct central_stats *out)
{
	const struct sc_info *info = &sc_info[class];
	struct centre *c = &plain[class];
	lock_acquire(&c->lock);
	out->out = c->out;
	out->shelved = c->shelved;
	out->idle = (size_t)c->slabs * info->objects - c->out;
	lock_release(&c->lock);
	c = &marked[class];
	lock_acquire(&c->lock);
	out->out += c->out;
	out->idle += (size_t)c->slabs * info->objects - c->out;
	lock_release(&c->lock);
}

void
central_locks(void (*fn)(struct lock *))
{
	for (unsigned i = 1; i <= SC_COUNT; i++)
		fn(&plain[i].lock);
	for (unsigned i = 1; i <= SC_COUNT; i++)
		fn(&marked[i].lock);
	fn(&marked[0].lock);
}
