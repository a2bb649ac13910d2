#include "deflate.h"

#include <string.h>

#define MATCH_LEAST 4u
#define MATCH_MOST  258u
#define FAR_BYTES   12u

/* Of RFC 1951, 3.2.5: where the codes of lengths and distances begin. */
#define LENGTH_CODES 29
static const uint16_t length_base[LENGTH_CODES] = { 3, 4, 5, 6, 7, 8, 9, 10, 11,
	13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163,
	195, 227, 258 };
#define END_OF_BLOCK 256

static void
flush(struct deflate *d)
{
	d->sink(d->to, d->out, d->nout);
	d->nout = 0;
}

static void
put_byte(struct deflate *d, unsigned byte)
{
	d->out[d->nout++] = (unsigned char)byte;
	if (d->nout == sizeof d->out)
		flush(d);
}

/* n <= 24 bits, the lowest first. */
static void
put_bits(struct deflate *d, uint32_t value, unsigned n)
{
	d->bits |= (uint64_t)value << d->nbits;
	for (d->nbits += n; d->nbits >= 8; d->nbits -= 8) {
		put_byte(d, (unsigned)d->bits & 255);
		d->bits >>= 8;
	}
}

/* Huffman codes go out highest bit first. */
static void
put_code(struct deflate *d, unsigned code, unsigned n)
{
	unsigned back = 0;

	for (unsigned i = 0; i < n; i++)
		back |= (code >> i & 1) << (n - 1 - i);
	put_bits(d, back, n);
}

/* The fixed codes, 3.2.6. */
static void
put_symbol(struct deflate *d, unsigned s)
{
	if (s < 144)
		put_code(d, 0x30 + s, 8);
	else if (s < 256)
		put_code(d, 0x190 + s - 144, 9);
	else if (s < 280)
		put_code(d, s - 256, 7);
	else
		put_code(d, 0xc0 + s - 280, 8);
}

static void
put_length(struct deflate *d, unsigned len)
{
	unsigned i = LENGTH_CODES - 1, extra;

	while (length_base[i] > len)
		i--;
	extra = i < 8 || i == LENGTH_CODES - 1 ? 0 : (i - 4) / 4;
	put_symbol(d, 257 + i);
	put_bits(d, len - length_base[i], extra);
}

/* From 5 on, distances of n bits have two codes, by their second bit. */
static void
put_distance(struct deflate *d, unsigned distance)
{
	unsigned v = distance - 1, extra = 0, code = v;

	if (v >= 4) {
		extra = 30 - (unsigned)__builtin_clz(v);
		code = 2 * extra + (v >> extra);
	}
	put_code(d, code, 5);
	put_bits(d, v & ((1u << extra) - 1), extra);
}

static uint32_t
four(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Multiplicative hashing, Knuth vol. 3, 6.4. */
static uint32_t
near_hash(const unsigned char *p)
{
	return four(p) * 2654435761u >> 18;
}

static uint32_t
far_hash(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	v = v * UINT64_C(0x9e3779b97f4a7c15) ^ four(p + 8);
	return (uint32_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> 50);
}

/* Bytes from `place` (+ 1, 0 is none) on that are as those at d->at. */
static unsigned
match(const struct deflate *d, uint32_t place)
{
	const unsigned char *a, *b = d->window + d->at;
	unsigned n = 0, most = MATCH_MOST;

	if (place == 0 || d->at - (place - 1) > DEFLATE_REACH)
		return 0;
	if (d->end - d->at < most)
		most = (unsigned)(d->end - d->at);
	a = d->window + place - 1;
	while (n < most && a[n] == b[n])
		n++;
	return n;
}

/* The longest match for what begins at d->at, and where it lies; this place
 * is noted for what comes. */
static unsigned
find(struct deflate *d, uint32_t *place)
{
	const unsigned char *p = d->window + d->at;
	size_t left = d->end - d->at;
	uint32_t *table[2] = { NULL, NULL };
	unsigned best = 0;

	if (left >= MATCH_LEAST)
		table[0] = &d->near[near_hash(p)];
	if (left >= FAR_BYTES)
		table[1] = &d->far[far_hash(p)];
	for (int i = 0; i < 2; i++) {
		unsigned n = table[i] ? match(d, *table[i]) : 0;

		if (n > best) {
			best = n;
			*place = *table[i] - 1;
		}
		if (table[i])
			*table[i] = (uint32_t)d->at + 1;
	}
	return best;
}

/* Code what begins at d->at, and go on behind it. */
static void
step(struct deflate *d)
{
	uint32_t place = 0;
	unsigned n = find(d, &place);

	if (n < MATCH_LEAST) {
		put_symbol(d, d->window[d->at++]);
		return;
	}
	put_length(d, n);
	put_distance(d, (unsigned)d->at - place);
	d->at += n;
}

/* Places move down when the window does. */
static void
move_down(uint32_t *table)
{
	for (unsigned i = 0; i < DEFLATE_HASHES; i++)
		table[i] =
		    table[i] > DEFLATE_REACH ? table[i] - DEFLATE_REACH : 0;
}

static void
slide(struct deflate *d)
{
	memmove(d->window, d->window + DEFLATE_REACH, d->end - DEFLATE_REACH);
	d->at -= DEFLATE_REACH;
	d->end -= DEFLATE_REACH;
	move_down(d->near);
	move_down(d->far);
}

static void
sum_up(struct deflate *d, const unsigned char *p, size_t n)
{
	uint32_t crc = d->crc;

	d->total += (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ d->crc_of[crc & 15];
		crc = crc >> 4 ^ d->crc_of[crc & 15];
	}
	d->crc = crc;
}

void
deflate_begin(struct deflate *d,
    void (*sink)(void *to, const unsigned char *p, size_t n), void *to)
{
	static const unsigned char head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0,
		3 };

	memset(d, 0, offsetof(struct deflate, window));
	d->sink = sink;
	d->to = to;
	d->crc = 0xffffffffu;
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t c = i;

		for (int k = 0; k < 4; k++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		d->crc_of[i] = c;
	}
	for (size_t i = 0; i < sizeof head; i++)
		put_byte(d, head[i]);
	put_bits(d, 1, 1); /* the last block */
	put_bits(d, 1, 2); /* fixed codes */
}

void
deflate_bytes(struct deflate *d, const void *from, size_t n)
{
	const unsigned char *p = from;

	sum_up(d, p, n);
	while (n > 0) {
		size_t room = sizeof d->window - d->end;
		size_t m = n < room ? n : room;

		memcpy(d->window + d->end, p, m);
		d->end += m;
		p += m;
		n -= m;
		/* what could still become a longer match waits for more */
		while (d->end - d->at > MATCH_MOST)
			step(d);
		if (d->end == sizeof d->window)
			slide(d);
	}
}

void
deflate_end(struct deflate *d)
{
	while (d->at < d->end)
		step(d);
	put_symbol(d, END_OF_BLOCK);
	if (d->nbits > 0)
		put_bits(d, 0, 8 - d->nbits);
	put_bits(d, (d->crc ^ 0xffffffffu) & 0xffff, 16);
	put_bits(d, (d->crc ^ 0xffffffffu) >> 16, 16);
	put_bits(d, d->total & 0xffff, 16);
	put_bits(d, d->total >> 16, 16);
	flush(d);
}
