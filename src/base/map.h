/*
 * A hash map from uint64_t to uint32_t.  All zeros is an empty map.  Values
 * may be anything but MAP_NONE.  Hostile keys cannot make it slow on purpose
 * beyond what a well mixed hash allows: keys are mixed with splitmix64's
 * finaliser (Steele, Lea, Flood 2014).
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_slot {
	uint64_t key;
	uint32_t value; /* MAP_NONE: free */
};

struct map {
	struct map_slot *slots;
	size_t cap; /* 0 or a power of two */
	size_t count;
};

void map_fini(struct map *m);
uint32_t map_find(const struct map *m, uint64_t key); /* or MAP_NONE */
/* The place of the key's value; a new key's value is MAP_NONE and must be
 * set at once.  Good until the next map_put. */
uint32_t *map_put(struct map *m, uint64_t key);

/* The mixing function, for keys made of several numbers. */
static inline uint64_t
map_mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

#endif
