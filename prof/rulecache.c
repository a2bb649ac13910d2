#include "rulecache.h"

#include "os.h"

struct rulecache rulecache BIG_BSS;

static void
store(struct rulecache_entry *e, uint64_t check, uint64_t rule)
{
	atomic_store_explicit(&e->check, check, memory_order_relaxed);
	atomic_store_explicit(&e->rule, rule, memory_order_relaxed);
}

/*
 * Grow when as many rules came as a half of the table holds.  Two threads
 * may both grow it: the later store is the same or a step behind, which only
 * costs misses.
 */
static void
grow(unsigned bits)
{
	uint32_t puts =
	    atomic_fetch_add_explicit(&rulecache.puts, 1, memory_order_relaxed);

	if (bits >= RULECACHE_MAX_BITS || puts < UINT32_C(1) << (bits - 1))
		return;
	atomic_store_explicit(&rulecache.puts, 0, memory_order_relaxed);
	atomic_store_explicit(&rulecache.bits, bits + 2, memory_order_relaxed);
}

void
rulecache_put(uint64_t pc, uint64_t key, uint64_t rule)
{
	unsigned shift = rulecache_shift();
	size_t i = (size_t)(pc * RULECACHE_HASH >> shift);
	struct rulecache_entry *e = &rulecache.at[i];
	uint64_t old = atomic_load_explicit(&e->rule, memory_order_relaxed);

	if (old != 0)
		store(&rulecache.at[i ^ 1],
		    atomic_load_explicit(&e->check, memory_order_relaxed), old);
	store(e, key ^ rule * RULECACHE_MIX, rule);
	grow(64 - shift);
}

uint64_t
rulecache_find_old(uint64_t pc, uint64_t key)
{
	unsigned shift = 64 - RULECACHE_MIN_BITS;
	unsigned now = rulecache_shift();
	uint64_t rule;

	for (; shift > now; shift -= 2) {
		rule = rulecache_get(pc, pc, shift);
		if (rule != 0) {
			rulecache_put(pc, pc, rule);
			return rule;
		}
		rule = rulecache_get(pc, key, shift);
		if (rule != 0) {
			rulecache_put(pc, key, rule);
			return rule;
		}
	}
	return 0;
}
