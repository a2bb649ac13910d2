#include "model/row_order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Of two positive doubles the larger has the larger bits, of two negative
 * ones the smaller. */
uint64_t
row_weight(double v)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	v += 0.0; /* no -0 */
	memcpy(&bits, &v, sizeof bits);
	return ~(bits & sign ? ~bits : bits | sign);
}

/* ---- the first of many ---------------------------------------------------- */

#define PIECE  16 /* bits of a weight that are looked at in one turn */
#define VALUES (1u << PIECE)

/* The keys still in doubt have weights that begin with `head`, `shift` bits
 * from the right; `before` of the others come before them. */
struct doubt {
	uint64_t head;
	unsigned shift;
	size_t before;
};

static bool
in_doubt(const struct doubt *d, uint64_t weight)
{
	return d->shift == 64 || weight >> d->shift == d->head;
}

/* Look at one more piece: the last key that is wanted begins with it. */
static void
narrow(struct doubt *d, const struct row_key *keys, size_t n, size_t most,
    uint32_t *counts)
{
	unsigned shift = d->shift - PIECE;
	size_t before = d->before;
	uint32_t piece = 0;

	memset(counts, 0, VALUES * sizeof *counts);
	for (size_t i = 0; i < n; i++) {
		if (in_doubt(d, keys[i].weight))
			counts[keys[i].weight >> shift & (VALUES - 1)]++;
	}
	while (before + counts[piece] < most)
		before += counts[piece++];
	d->head = (d->shift == 64 ? 0 : d->head << PIECE) | piece;
	d->shift = shift;
	d->before = before;
}

static size_t
drop_after(const struct doubt *d, struct row_key *keys, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (keys[i].weight >> d->shift <= d->head)
			keys[left++] = keys[i];
	}
	return left;
}

/* Below this sorting costs less than looking. */
#define WORTH 2048

size_t
row_order_select(struct row_key *keys, size_t n, size_t most)
{
	struct doubt d = { .shift = 64 };
	uint32_t *counts;

	if (most == 0)
		return 0;
	if (n < WORTH || most > n / 2)
		return n;
	counts = xreallocarray(NULL, VALUES, sizeof *counts);
	while (d.shift > 0 && n > most && n > WORTH) {
		narrow(&d, keys, n, most, counts);
		n = drop_after(&d, keys, n);
	}
	free(counts);
	return n;
}

/* ---- sorting ---------------------------------------------------------------- */

static uint32_t
digit(const struct row_key *k, unsigned n)
{
	return n < 4 ? k->rank >> n * 8 & 0xff
		     : (uint32_t)(k->weight >> (n - 4) * 8) & 0xff;
}

/* By one digit, of those of the weight after those of the rank; what is equal
 * stays in its order.  False where nothing was to be done. */
static bool
sort_by_digit(
    struct row_key *to, const struct row_key *from, size_t n, unsigned d)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[digit(&from[i], d)]++;
	if (n == 0 || at[digit(&from[0], d)] == n)
		return false;
	for (size_t i = 0; i < 256; i++) {
		size_t here = at[i];

		at[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[digit(&from[i], d)]++] = from[i];
	return true;
}

/* Most digits are the same in all keys, so this takes few rounds. */
void
row_order_sort(struct row_key *keys, size_t n)
{
	struct row_key *room = xreallocarray(NULL, n, sizeof *room);
	struct row_key *from = keys, *to = room;

	for (unsigned d = 0; d < 12; d++) {
		if (sort_by_digit(to, from, n, d)) {
			struct row_key *t = from;

			from = to;
			to = t;
		}
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof *keys);
	free(room);
}
