#include "memo.h"

#include <string.h>

#include "meta.h"
#include "rulecache.h"
#include "unwind.h"
#include "unwind_check.h"
#include "walk.h"

/* Our own frames at the leaf. */
#define OWN 16u
/* Deeper stacks than this are not worth the memory. */
#define DEEPEST 1024u
/* Captures to leave alone after one that was not of the usual kind: so many
 * the first time, then twice as many each time, up to the most. */
#define WAIT_FIRST 4u
#define WAIT_MOST  1024u

static size_t
memo_bytes(uint32_t room)
{
	return sizeof(struct memo) +
	    room * (sizeof(struct memo_frame) + sizeof(struct memo_fresh));
}

struct memo *
memo_new(uint32_t most)
{
	uint32_t room = (most < DEEPEST ? most : DEEPEST) + OWN;
	struct memo *m = meta_alloc(memo_bytes(room));

	if (!m)
		return NULL;
	m->room = room;
	m->most = most;
	m->fresh = (struct memo_fresh *)(void *)(m->at + room);
	m->at[0].sp = UINT64_MAX;
	return m;
}

void
memo_free(struct memo *m)
{
	if (m)
		meta_free(m, memo_bytes(m->room));
}

/* A walk under way. */
struct going {
	uint64_t pc, sp, bp, top;
	uint32_t shared; /* frames of the memo that are still ahead */
	uint32_t fresh;  /* new frames so far */
};

/* Is there room for n more frames, and for the one after them? */
static inline bool
room_for(const struct memo *m, const struct going *g, uint32_t n)
{
	return g->shared + g->fresh + n + 1 < m->room;
}

static inline uint64_t
word_at(uint64_t addr)
{
	return *(const uint64_t *)(uintptr_t)addr;
}

/* By a rule, as usual_steps() of unwind.c; false if the rule is not of that
 * kind.  `f` gets the step. */
static inline bool
rule_step(struct memo *m, struct going *g, uint64_t rule, struct memo_fresh *f)
{
	uint64_t sp = g->sp, room = g->top - sp, cfa, slot;

	f->pc = g->pc;
	f->sp = sp;
	f->bp = g->bp;
	f->slot = 0;
	f->uses = rule_kind(rule) == RULE_RBP;
	if (rule_kind(rule) == RULE_RSP) {
		cfa = sp + (uint64_t)rule_cfa(rule);
	} else if (rule_kind(rule) == RULE_RBP) {
		cfa = g->bp + (uint64_t)rule_cfa(rule);
	} else {
		f->ra = &m->end;
		g->pc = 0;
		return rule_kind(rule) == RULE_END;
	}
	if (cfa - 8 - sp >= room || cfa % 8 != 0)
		return false;
	if (rule_rbp(rule) == RULE_RBP_AT_CFA) {
		slot = cfa + (uint64_t)rule_rbp_offset(rule);
		if (slot - sp >= room || slot % 8 != 0 || slot == cfa - 8)
			return false;
		f->slot = (int32_t)((int64_t)(slot - (cfa - 8)) / 8);
		g->bp = word_at(slot);
	} else if (rule_rbp(rule) != RULE_RBP_SAME) {
		return false;
	}
	f->ra = (const uint64_t *)(uintptr_t)(cfa - 8);
	g->pc = *f->ra;
	g->sp = cfa;
	return true;
}

/* Frames from..to (inner to outer) were arrived at, but what the last of them
 * reads is another word than last time: they are new ones. */
static bool
diverge(struct memo *m, struct going *g, uint32_t from, uint32_t to)
{
	g->shared = to - 1;
	if (!room_for(m, g, from - to + 1))
		return false;
	for (uint32_t i = from; i >= to; i--) {
		const struct memo_frame *old = &m->at[i];
		struct memo_fresh *f = &m->fresh[g->fresh++];

		f->pc = old->pc;
		f->sp = old->sp;
		f->bp = g->bp;
		f->ra = old->ra;
		f->slot = old->slot;
		f->uses = old->uses;
		if (f->slot != 0)
			g->bp = f->ra[f->slot];
		g->pc = *f->ra;
		g->sp = (uint64_t)(uintptr_t)(f->ra + 1);
	}
	return true;
}

/* Is this a frame of the last walk, and is all the rest as it was? */
static inline bool
arrived(struct memo *m, struct going *g, bool *bad)
{
	const struct memo_frame *at = m->at, *f = at + g->shared, *from;

	while (f->sp < g->sp)
		f--;
	g->shared = (uint32_t)(f - at);
	if (f->sp != g->sp || f->pc != g->pc || (f->needs && f->bp != g->bp))
		return false;
	for (from = f; f > at; f--)
		if (*f->ra != f[-1].pc || *f->up != f[-1].bp)
			break;
	if (f == at)
		return true;
	*bad = !diverge(m, g, (uint32_t)(from - at), (uint32_t)(f - at));
	return false;
}

/* Put the new frames beside those that are shared. */
static void
join(struct memo *m, const struct going *g)
{
	struct memo_frame *f = &m->at[g->shared];
	struct stack_hash hash = f->hash;
	unsigned kept = f->kept;
	bool needs = f->needs;

	for (uint32_t i = g->fresh; i-- > 0;) {
		const struct memo_fresh *new = &m->fresh[i];
		const uint64_t *bp = &f->bp;

		f++;
		f->pc = new->pc;
		f->sp = new->sp;
		f->bp = new->bp;
		f->ra = new->ra;
		f->slot = new->slot;
		f->uses = new->uses;
		f->up = new->slot != 0 && needs ? new->ra + new->slot : bp;
		needs = new->uses || (new->slot == 0 && needs);
		f->needs = needs;
		if (!unwind_is_own((uintptr_t) new->pc)) {
			stack_hash_add(&hash, new->pc);
			kept++;
		}
		f->hash = hash;
		f->kept = (uint16_t)kept;
	}
	m->n = g->shared + g->fresh;
}

static void
not_usual(struct memo *m)
{
	m->waits = m->waits == 0 ? WAIT_FIRST : 2 * m->waits;
	if (m->waits > WAIT_MOST)
		m->waits = WAIT_MOST;
	m->wait = m->waits;
}

/* Walk to the outermost frame; false if that is not possible here. */
static bool
go(struct memo *m, struct going *g, uint64_t epoch)
{
	unsigned shift = rulecache_shift();
	uint64_t mix = rulecache_key(0, epoch), at = g->pc;
	struct memo_fresh self;
	bool first = true, bad = false;

	for (;; first = false) {
		struct memo_fresh *f = &self;
		uint64_t rule;

		if (!first && arrived(m, g, &bad))
			return true;
		if (bad || !room_for(m, g, 1))
			break;
		/* it may be another one now */
		if (!first)
			at = g->pc - 1;
		rule = rulecache_get(at, at ^ mix, shift);
		if (rule == 0)
			rule = walk_rule(at, first, epoch);
		/* we, whose program counter is not a return address */
		if (!first)
			f = &m->fresh[g->fresh++];
		if (!rule_step(m, g, rule, f))
			break;
		if (g->pc == 0) {
			g->shared = 0;
			return true;
		}
	}
	not_usual(m);
	return false;
}

enum memo_result
memo_walk(
    struct memo *m, const struct unwind_regs *r, uint64_t top, uint64_t epoch)
{
	struct going g = { r->pc, r->sp, r->bp, top, m->n, 0 };

	if (m->wait > 0) {
		m->wait--;
		return MEMO_NONE;
	}
	if (m->epoch != epoch) {
		m->epoch = epoch;
		g.shared = 0;
		m->n = 0;
	}
	if (m->n == 0)
		m->at[0].hash = stack_hash_start();
	if (!go(m, &g, epoch)) {
		m->n = g.shared;
		m->cell = 0;
		return MEMO_NONE;
	}
	if (g.fresh == 0 && g.shared == m->n && m->cell != 0)
		return MEMO_SAME;
	m->cell = 0;
	join(m, &g);
	if (m->at[m->n].kept == 0 || m->at[m->n].kept > m->most) {
		not_usual(m);
		m->n = 0;
		return MEMO_NONE;
	}
	m->waits = 0;
	return MEMO_OTHER;
}

unsigned
memo_pcs(const struct memo *m, uint64_t *pcs, bool all)
{
	uint32_t i = m->n;
	unsigned n = 0;

	while (i > 0 && unwind_is_own((uintptr_t)m->at[i].pc))
		i--;
	for (; i > 0; i--)
		if (all || !unwind_is_own((uintptr_t)m->at[i].pc))
			pcs[n++] = m->at[i].pc;
	return n;
}
