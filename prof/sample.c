#include "sample.h"

#include "cells.h"
#include "central.h"
#include "conf.h"
#include "dump.h"
#include "init.h"
#include "lock.h"
#include "maths.h"
#include "memo.h"
#include "meta.h"
#include "mirror.h"
#include "os.h"
#include "rate.h"
#include "record.h"
#include "reset.h"
#include "span.h"
#include "stackmem.h"
#include "stacktab.h"
#include "tablewrite.h"
#include "thread.h"
#include "trigger.h"
#include "unwind.h"
#include "weigh.h"
#include "wrap.h"

/* While sampling is off a countdown still expires now and then, so that a
 * thread notices when it is switched on again. */
#define OFF_BYTES (INT64_C(1) << 20)
/* With profiling off for good it never does. */
#define NEVER_BYTES (INT64_C(1) << 60)

/* A thread that samples so often is worth the two pages of a memo. */
#define MEMO_AFTER 16

/* splitmix64: Steele, Lea and Flood 2014. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Bytes to the next sample, exponential with mean 2^lg, whole bytes: an
 * object of z bytes crosses floor(x) exactly if x < z. */
static int64_t
draw_distance(struct thread *t, unsigned lg)
{
	/* uniform in (0, 1], 53 bits */
	double u = (double)((next_random(&t->rng) >> 11) + 1) * 0x1p-53;

	return (int64_t)(maths_neg_log(u) * (double)(UINT64_C(1) << lg));
}

/* Start counting down anew. */
static void
draw(struct thread *t)
{
	struct rate now = rate_now();
	bool fresh = trigger_opening && conf.prof;
	int64_t n;

	if (conf.read && !t->settled) {
		t->off = !conf.thread_active;
		t->settled = true;
	}
	if (!conf.read || fresh)
		n = 0;
	else if (!conf.prof)
		n = NEVER_BYTES;
	else if (!now.active || t->off)
		n = OFF_BYTES;
	else if (now.lg == 0)
		n = 0;
	else
		n = draw_distance(t, now.lg);
	t->rate = fresh             ? RATE_FRESH
	    : now.active && !t->off ? now.lg
				    : RATE_OFF;
	t->drawn += n - t->countdown;
	t->countdown = n;
}

void
sample_thread_start(struct thread *t)
{
	static uint64_t threads;
	uint64_t n = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);

	/* different in each thread, and the same in each run of the same
	 * seed if the threads start in the same order */
	wrap_stack_bounds(&t->stack_lo, &t->stack_hi);
	t->rng = (conf.seed ? conf.seed : init_entropy()) +
	    n * UINT64_C(0xd1342543de82ef95);
	draw(t);
}

void
sample_redraw(struct thread *t)
{
	draw(t);
}

/* No dump for it: the thread may be in any state. */
static void
count_rest(struct thread *t)
{
	t->inside++;
	trigger_count(t);
	t->inside--;
}

void
sample_thread_end(struct thread *t)
{
	void *scratch = t->scratch, *window = t->window;
	struct memo *memo = t->memo;

	init_check_fork();
	if (trigger_counting)
		count_rest(t);
	cells_thread_end(t);
	mirror_thread_end(t);
	/* no longer there when they are given back: after a fork in between
	 * the child ends this thread too */
	t->scratch = t->window = NULL;
	t->memo = NULL;
	meta_free(scratch, 2 * conf.bt_max * sizeof(uint64_t));
	meta_free(window, STACKMEM_WINDOW);
	memo_free(memo);
}

/* Room for the addresses of a stack and for its frames. */
static uint64_t *
scratch(struct thread *t)
{
	if (!t->scratch)
		t->scratch = meta_alloc(2 * conf.bt_max * sizeof(uint64_t));
	else if (!t->memo && ++t->taken % MEMO_AFTER == 0)
		t->memo = memo_new(conf.bt_max);
	return t->scratch;
}

static void
count_flags(unsigned flags)
{
	if (flags & STACK_CUT_DEPTH)
		table_lost(CUT_DEPTH);
	if (flags & STACK_CUT_UNWIND)
		table_lost(CUT_UNWIND);
	if (flags & STACK_GUESSED)
		table_lost(GUESSED);
}

/* Our wrapper of pthread_create starts threads, but is no part of the
 * program. */
static unsigned
drop_own(uint64_t *pcs, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++)
		if (!unwind_is_own((uintptr_t)pcs[i]))
			pcs[kept++] = pcs[i];
	return kept;
}

/* The stack of whoever called malloc, or a pool, by the way that does for any;
 * 0 and a counted loss if it cannot be recorded. */
static __attribute__((noinline)) uint32_t
capture_any(struct thread *t, uint64_t *pcs, uint32_t module)
{
	unsigned n, flags = 0;
	uint32_t id;

	n = unwind_capture(t, pcs, conf.bt_max - (module != 0), &flags);
	n = drop_own(pcs, n);
	if (n == 0) {
		pcs[0] = 1; /* no address: shown as an unknown caller */
		n = 1;
		flags |= STACK_CUT_UNWIND;
	}
	if (flags)
		count_flags(flags);
	if (module)
		id = stacktab_intern_in(
		    module, pcs, n, flags | STACK_POOL, pcs + conf.bt_max);
	else
		id = stacktab_intern(pcs, n, flags, pcs + conf.bt_max);
	if (id == 0)
		table_lost(LOST_TABLE_FULL);
	return id;
}

/* The stack that is in the memo. */
static uint32_t
remembered(const struct memo *m, uint64_t *pcs)
{
	uint32_t id = stacktab_find(m->at[m->n].hash, m->at[m->n].kept);
	unsigned n;

	if (id != 0)
		return id;
	n = memo_pcs(m, pcs, false);
	id = stacktab_intern(pcs, n, 0, pcs + conf.bt_max);
	if (id == 0)
		table_lost(LOST_TABLE_FULL);
	return id;
}

static void
count(struct thread *t, struct record *r, uint32_t cell, size_t usable,
    unsigned lg)
{
	struct weighed w;

	weigh(usable, lg, &w);
	r->birth = init_ticks();
	r->lg_sample = (uint8_t)lg;
	r->flags = 0;
	r->size = usable;
	r->number = mirror_born(t, cell, usable, lg, r->birth);
	cells_alloc(cell, &w);
	mirror_tell_born(r->number);
	__atomic_store_n(&r->cell,
	    (uint32_t)table_generation() << RECORD_CELL_BITS | cell,
	    __ATOMIC_RELEASE);
}

/* The cell of a stack for this thread; 0 and a counted loss if there is
 * none. */
static uint32_t
cell_of(struct thread *t, uint32_t stack)
{
	uint32_t cell = cells_get(t, stack);

	if (cell == 0)
		table_lost(LOST_TABLE_FULL);
	return cell;
}

/* The memo is of this stack: where that is counted. */
static uint32_t
place_remembered(struct thread *t, bool same)
{
	struct memo *m = t->memo;
	uint32_t stack;

	if (same && m->cell != 0 && m->generation == table_generation() &&
	    t->slot != 0)
		return m->cell;
	stack = remembered(m, t->scratch);
	if (stack == 0)
		return 0;
	m->cell = cell_of(t, stack);
	m->generation = table_generation();
	return m->cell;
}

/* The cell for a sample taken here and now; 0 if it cannot be recorded. */
static uint32_t
place(struct thread *t)
{
	uint64_t *pcs = scratch(t);
	uint32_t stack;
	bool same;

	if (!table_open()) {
		table_lost(LOST_STARTING);
		return 0;
	}
	mirror_expect(t);
	if (!pcs) {
		table_lost(LOST_NOMEM);
		return 0;
	}
	if (t->memo && unwind_again(t, t->memo, &same))
		return place_remembered(t, same);
	stack = capture_any(t, pcs, 0);
	return stack == 0 ? 0 : cell_of(t, stack);
}

static void *
take(struct thread *t, size_t size, size_t align, bool zero, unsigned lg)
{
	struct sampled s;
	uint32_t cell = place(t);

	if (cell == 0)
		return NULL;
	if (!central_sampled_new(size, align, zero, &s)) {
		table_lost(LOST_NOMEM);
		return NULL;
	}
	count(t, s.record, cell, s.usable, lg);
	return s.ptr;
}

/* Before our constructor has run nothing can be recorded. */
static bool
not_yet(struct thread *t)
{
	if (init_conf() && conf.prof) {
		draw(t);
		if (t->rate != RATE_OFF && t->rate != RATE_FRESH)
			table_lost(LOST_STARTING);
	} else {
		draw(t);
	}
	return false;
}

/* Open the table before its time, so that there is a helper; the allocation
 * that came here is then drawn for like any other.  True if it is due. */
static bool
due_afresh(struct thread *t, size_t usable)
{
	if (!t->inside && trigger_claim_opening()) {
		t->inside++;
		table_open();
		t->inside--;
	}
	draw(t);
	if (t->rate == RATE_FRESH || t->rate == RATE_OFF)
		return false;
	/* it has been counted already */
	t->drawn -= (int64_t)usable;
	t->countdown -= (int64_t)usable;
	return t->countdown < 0;
}

/* prof.reset was asked for from outside. */
static void
reset_for_others(struct thread *t)
{
	t->inside++;
	if (reset_claim())
		dump_reset(-1);
	t->inside--;
}

/* The countdown expired: start anew, and say whether to sample. */
static bool
due(struct thread *t, size_t usable, unsigned *lg)
{
	*lg = t->rate;
	if (!init_done())
		return not_yet(t);
	if (*lg == RATE_FRESH) {
		if (!due_afresh(t, usable))
			return false;
		*lg = t->rate;
	}
	if (trigger_counting)
		trigger_count(t);
	if (reset_wanted && !t->inside)
		reset_for_others(t);
	draw(t);
	if (*lg == RATE_OFF || !rate_now().active || t->off)
		return false;
	if (t->inside) {
		table_lost(LOST_NESTED);
		return false;
	}
	return true;
}

void *
sample_alloc(
    struct thread *t, size_t size, size_t usable, size_t align, bool zero)
{
	unsigned lg;
	void *p;

	if (!due(t, usable, &lg))
		return NULL;
	t->inside++;
	init_check_fork();
	p = take(t, size, align, zero, lg);
	t->inside--;
	return p;
}

/* Take away what the record's allocation added.  Its cell has been cleared:
 * it is ours. */
static void
uncount(uint32_t tagged, const struct record *r)
{
	uint32_t birth = r->birth, now, number = r->number;
	uint32_t cell = tagged & RECORD_CELL_MASK;
	struct weighed w;
	bool told;

	/* in the table of a parent; but not one that has just been taken over
	 * into ours, which is not ready yet */
	if (tagged >> RECORD_CELL_BITS != table_generation() || !table_chunk[0])
		return;
	mirror_expect_death(number);
	now = init_ticks();
	weigh(r->size, r->lg_sample, &w);
	told = mirror_died(number, cell);
	cells_free(cell, &w, now > birth ? now - birth : 0);
	if (told)
		mirror_give(thread_self(), number);
}

void
sample_free(struct record *r)
{
	uint32_t tagged = r->cell;

	/* two threads may free it, wrongly; the helper only reads */
	if (&__libc_single_threaded != NULL && __libc_single_threaded)
		__atomic_store_n(&r->cell, 0, __ATOMIC_RELEASE);
	else
		tagged = __atomic_exchange_n(&r->cell, 0, __ATOMIC_ACQ_REL);
	if (tagged == 0)
		return;
	init_check_fork();
	uncount(tagged, r);
}

void
sample_resized(struct thread *t, struct span *s, size_t usable)
{
	struct record *r;
	uint32_t cell;
	unsigned lg;

	if (s->sampled)
		sample_free(s->records);
	t->countdown -= (int64_t)usable;
	if (t->countdown >= 0 || !due(t, usable, &lg))
		return;
	t->inside++;
	init_check_fork();
	cell = place(t);
	r = cell ? central_sampled_mark(s) : NULL;
	if (r)
		count(t, r, cell, usable, lg);
	else if (cell)
		table_lost(LOST_NOMEM);
	t->inside--;
}

static void
pool_draw(struct thread *t)
{
	struct rate now = rate_now();

	t->pool_drawn = true;
	t->pool_rate = now.active && !t->off ? now.lg : RATE_OFF;
	t->pool_left = t->pool_rate == RATE_OFF ? OFF_BYTES
	    : now.lg == 0                       ? 0
						: draw_distance(t, now.lg);
}

bool
sample_pool_due(struct thread *t, size_t size)
{
	if (!conf.prof || conf.bt_max < 2 || !init_done() || t->inside)
		return false;
	if (!t->pool_drawn)
		pool_draw(t);
	t->pool_left -=
	    size < (size_t)NEVER_BYTES ? (int64_t)size : NEVER_BYTES;
	if (t->pool_left >= 0)
		return false;
	if (t->pool_rate != RATE_OFF && rate_now().active && !t->off)
		return true;
	pool_draw(t);
	return false;
}

bool
sample_pool(struct thread *t, uint32_t module, size_t size, struct record *out)
{
	unsigned lg = t->pool_rate;
	uint64_t *pcs = scratch(t);
	uint32_t stack, cell = 0;

	pool_draw(t);
	if (!pcs) {
		table_lost(LOST_NOMEM);
		return false;
	}
	stack = capture_any(t, pcs, module);
	if (stack)
		cell = cell_of(t, stack);
	if (cell)
		count(t, out, cell, size, lg);
	return cell != 0;
}

void
sample_drop(struct record *r)
{
	uint32_t tagged = __atomic_exchange_n(&r->cell, 0, __ATOMIC_ACQ_REL);
	uint32_t cell = tagged & RECORD_CELL_MASK, number = r->number;
	struct weighed w;
	bool told;

	if (tagged == 0 || tagged >> RECORD_CELL_BITS != table_generation())
		return;
	weigh(r->size, r->lg_sample, &w);
	told = mirror_died(number, cell);
	cells_drop(cell, &w);
	if (told)
		mirror_give(thread_self(), number);
}
