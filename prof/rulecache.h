/*
 * Rules by program counter: one lock-free table for the whole process.
 *
 * A rule is a 64-bit value (cfi.h), 0 is none.  An entry is the pair
 * {key ^ mix(rule), rule}, both words written with plain atomic stores: a
 * reader that meets halves of two entries sees a check that does not fit and
 * takes it for a miss.  An entry has two places in one cache line; the newer
 * one drives the older one aside.  Losing an entry is harmless.
 *
 * Keys: the program counter for code that is never unloaded; for code of
 * closeable modules rulecache_key() of it and the epoch (unwind.h), so that
 * such a rule is no longer found once any module was closed.
 *
 * The table lies in bss and grows into it (32 KiB, 128 KiB, 512 KiB) as it
 * fills, so a short-lived process touches few pages.  Any thread, any time,
 * signal handlers included; a forked child keeps it.
 */
#ifndef PROF_RULECACHE_H
#define PROF_RULECACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RULECACHE_MIN_BITS 11
#define RULECACHE_MAX_BITS 15

struct rulecache_entry {
	_Atomic uint64_t check;
	_Atomic uint64_t rule;
};

struct rulecache {
	_Alignas(64) struct rulecache_entry at[1 << RULECACHE_MAX_BITS];
	_Alignas(64) _Atomic uint32_t bits; /* in use; 0 counts as MIN */
	_Atomic uint32_t puts;
};

extern struct rulecache rulecache;

/* Odd multipliers with well mixed bits: 2^64 / golden ratio, and the one of
 * Steele and Vigna's table for 64-bit congruential generators (2021). */
#define RULECACHE_HASH UINT64_C(0x9e3779b97f4a7c15)
#define RULECACHE_MIX  UINT64_C(0xd1342543de82ef95)

static inline uint64_t
rulecache_key(uint64_t pc, uint64_t epoch)
{
	return pc ^ (epoch + 1) * RULECACHE_MIX;
}

static inline unsigned
rulecache_shift(void)
{
	uint32_t bits =
	    atomic_load_explicit(&rulecache.bits, memory_order_relaxed);

	return 64 - (bits ? bits : RULECACHE_MIN_BITS);
}

/* The rule of an entry if the entry is that of `a` or `b`, else 0. */
static inline uint64_t
rulecache_match(const struct rulecache_entry *e, uint64_t a, uint64_t b)
{
	uint64_t rule = atomic_load_explicit(&e->rule, memory_order_relaxed);
	uint64_t key = atomic_load_explicit(&e->check, memory_order_relaxed) ^
	    rule * RULECACHE_MIX;

	return key == a || key == b ? rule : 0;
}

/*
 * The rule at `pc`, or 0.  `key` is rulecache_key() of it, `shift` that of
 * rulecache_shift() (the caller asks once a walk).
 */
static inline uint64_t
rulecache_get(uint64_t pc, uint64_t key, unsigned shift)
{
	size_t i = (size_t)(pc * RULECACHE_HASH >> shift);
	uint64_t rule = rulecache_match(&rulecache.at[i], pc, key);

	if (__builtin_expect(rule != 0, 1))
		return rule;
	return rulecache_match(&rulecache.at[i ^ 1], pc, key);
}

/* Look where `pc` was kept when the table was smaller, and move it. */
uint64_t rulecache_find_old(uint64_t pc, uint64_t key);

/* Keep `rule` for `pc` under `key`, which is `pc` itself or its
 * rulecache_key(). */
void rulecache_put(uint64_t pc, uint64_t key, uint64_t rule);

#endif
