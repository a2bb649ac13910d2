#include "export/pprof_wire.h"

#include "base/buf.h"

enum wire_kind {
	WIRE_VARINT = 0,
	WIRE_BYTES = 2,
};

void
wire_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(0x80 | (v & 0x7f)));
	buf_putc(b, (char)v);
}

static void
put_key(struct buf *b, unsigned field, enum wire_kind kind)
{
	wire_varint(b, field << 3 | kind);
}

void
wire_number(struct buf *b, unsigned field, uint64_t v)
{
	if (v == 0)
		return;
	put_key(b, field, WIRE_VARINT);
	wire_varint(b, v);
}

void
wire_bytes(struct buf *b, unsigned field, const void *p, size_t n)
{
	put_key(b, field, WIRE_BYTES);
	wire_varint(b, n);
	buf_put(b, p, n);
}

void
wire_message(struct buf *b, unsigned field, struct buf *from)
{
	wire_bytes(b, field, buf_str(from), from->len);
	buf_clear(from);
}

#define BLOCK_MAX 65535u
#define CRC_POLY  UINT32_C(0xedb88320) /* RFC 1952, section 8 */
#define NO_SYSTEM 255                  /* where the file was made */

static uint32_t
crc32_of(const unsigned char *p, size_t n)
{
	uint32_t table[256], crc = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int k = 0; k < 8; k++)
			table[i] = table[i] & 1 ? table[i] >> 1 ^ CRC_POLY
						: table[i] >> 1;
	}
	for (size_t i = 0; i < n; i++)
		crc = table[(crc ^ p[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static void
put_little(struct buf *b, uint64_t v, int bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		buf_putc(b, (char)(v & 0xff));
}

void
wire_gzip(struct buf *b, const void *data, size_t n)
{
	/* no flags, no time: the same report gives the same bytes */
	const unsigned char head[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0,
		NO_SYSTEM };
	const unsigned char *p = data;
	size_t left = n, len;

	buf_put(b, head, sizeof head);
	do {
		len = left < BLOCK_MAX ? left : BLOCK_MAX;
		left -= len;
		buf_putc(b, left == 0); /* the last block; stored */
		put_little(b, len, 2);
		put_little(b, ~(uint64_t)len, 2);
		buf_put(b, p, len);
		p += len;
	} while (left > 0);
	put_little(b, crc32_of(data, n), 4);
	put_little(b, n, 4);
}
