#include "sizeclass.h"

#define MIN(a, b)          ((a) < (b) ? (a) : (b))
#define CLAMP(x, low, top) ((x) < (low) ? (low) : (x) > (top) ? (top) : (x))

/* Size of class c: see the header. */
#define SIZE(c)               \
	((c) <= 8 ? 16u * (c) \
		  : (16u << (((c) > 8 ? (c)-9 : 0) / 8)) * (9u + ((c)-9) % 8))

/*
 * Slabs are small where objects are small, so that a process that uses little
 * touches little; at least eight objects to a slab up to 32 KiB, and no more
 * than 9 % unused at the end (nothing from 8 KiB on).
 */
#define SLAB(s)                         \
	((s) <= 512            ? 8192u  \
		: (s) <= 1024  ? 16384u \
		: (s) <= 2048  ? 32768u \
		: (s) <= 8192  ? 65536u \
		: (s) <= 32768 ? (s)*8  \
		: (s) <= 65536 ? (s)*2  \
			       : (s))

#define BATCH(s) CLAMP(65536u / (s), 1u, 64u)

#define ROW_(c, s)                                                   \
	{                                                            \
		.size = (s),                                         \
		.inverse = (uint32_t)(((1ull << 32) + (s)-1) / (s)), \
		.pages = (uint16_t)(SLAB(s) / 8192u),                \
		.objects = (uint16_t)(SLAB(s) / (s)),                \
		.batch = (uint16_t)BATCH(s),                         \
		.first = (uint16_t)CLAMP(16384u / (s), 1u, 8u),      \
		.most = (uint16_t)CLAMP(262144u / (s), 2u, 256u),    \
		.marked = (uint16_t)MIN(8192u / (s), 32u),           \
		.shelf = (uint16_t)((s) > 32768                      \
			? 0                                          \
			: CLAMP(262144u / (s), 4u, 8u * BATCH(s))),  \
	}
#define ROW(c) [(c)] = ROW_(c, SIZE(c))
#define ROWS8(c)                                                              \
	ROW((c) + 1), ROW((c) + 2), ROW((c) + 3), ROW((c) + 4), ROW((c) + 5), \
	    ROW((c) + 6), ROW((c) + 7), ROW((c) + 8)

const struct sc_info sc_info[SC_COUNT + 1] = { ROWS8(0), ROWS8(8), ROWS8(16),
	ROWS8(24), ROWS8(32), ROWS8(40), ROWS8(48), ROWS8(56), ROWS8(64),
	ROWS8(72), ROWS8(80), ROWS8(88) };

_Static_assert(SIZE(SC_COUNT) == SC_MAX, "the last class is the largest");

/* Class of i * 16 bytes, i from 1 to 64. */
#define CLASS(i)                                         \
	((i) <= 16          ? (i) == 0 ? 1 : (i)         \
			 : (i) <= 32 ? 16 + ((i)-15) / 2 \
			    : 24 + ((i)-29) / 4)
#define CLASS8(i)                                                 \
	CLASS(i), CLASS((i) + 1), CLASS((i) + 2), CLASS((i) + 3), \
	    CLASS((i) + 4), CLASS((i) + 5), CLASS((i) + 6), CLASS((i) + 7)

const uint8_t sc_table[SC_TABLE_MAX / 16 + 1] = { CLASS8(0), CLASS8(8),
	CLASS8(16), CLASS8(24), CLASS8(32), CLASS8(40), CLASS8(48), CLASS8(56),
	CLASS(64) };

size_t
sc_usable(size_t size, size_t align)
{
	if (size > PTRDIFF_MAX || align > PTRDIFF_MAX)
		return 0;
	unsigned c = sc_class_aligned(size, align);
	if (c != 0)
		return sc_info[c].size;
	if (size == 0)
		size = 1;
	return (size + PAGE_BYTES - 1) & -PAGE_BYTES;
}
