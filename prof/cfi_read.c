/* How tables are read: directly, or from copies made by the kernel. */
#include "cfi.h"

#include <stddef.h>
#include <string.h>

#include "readmem.h"

void
cfi_src_init(
    struct cfi_src *s, uint64_t hdr, uint64_t lo, uint64_t hi, bool checked)
{
	s->hdr = hdr;
	s->lo = lo;
	s->hi = hi;
	s->checked = checked;
	s->bad = false;
	s->turn = 0;
	s->copy[0].at = s->copy[1].at = 0;
	s->copy[0].len = s->copy[1].len = 0;
}

/* `n` bytes at `addr`, which is inside the bounds, in one of two copies that
 * are made as needed. */
static const uint8_t *
copied(struct cfi_src *s, uint64_t addr, unsigned n)
{
	uint64_t room = s->hi - addr;
	unsigned i;

	for (i = 0; i < 2; i++)
		if (addr - s->copy[i].at < s->copy[i].len &&
		    s->copy[i].len - (addr - s->copy[i].at) >= n)
			return s->copy[i].bytes + (addr - s->copy[i].at);
	i = s->turn;
	s->turn ^= 1;
	if (room > sizeof s->copy[i].bytes)
		room = sizeof s->copy[i].bytes;
	s->copy[i].at = addr;
	s->copy[i].len =
	    (uint32_t)readmem_some(s->copy[i].bytes, addr, (size_t)room);
	if (s->copy[i].len >= n)
		return s->copy[i].bytes;
	s->bad = true;
	return NULL;
}

const uint8_t *
cfi_at(struct cfi_src *s, uint64_t addr, unsigned n)
{
	if (s->bad || addr < s->lo || addr >= s->hi || s->hi - addr < n) {
		s->bad = true;
		return NULL;
	}
	if (!s->checked)
		return (const uint8_t *)(uintptr_t)addr;
	return copied(s, addr, n);
}

uint64_t
cfi_uint(struct cfi_src *s, uint64_t *p, unsigned n)
{
	const uint8_t *at = cfi_at(s, *p, n);
	uint64_t v = 0;

	if (!at)
		return 0;
	*p += n;
	switch (n) {
	case 1: return *at;
	case 2: memcpy(&v, at, 2); return v;
	case 4: memcpy(&v, at, 4); return v;
	default: memcpy(&v, at, 8); return v;
	}
}

int64_t
cfi_sint(struct cfi_src *s, uint64_t *p, unsigned n)
{
	uint64_t v = cfi_uint(s, p, n);
	unsigned unused = 64 - 8 * n;

	return (int64_t)(v << unused) >> unused;
}

uint64_t
cfi_uleb(struct cfi_src *s, uint64_t *p)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint64_t b;

	do {
		b = cfi_uint(s, p, 1);
		if (shift < 64)
			v |= (b & 0x7f) << shift;
		shift += 7;
	} while ((b & 0x80) && !s->bad);
	return v;
}

int64_t
cfi_sleb(struct cfi_src *s, uint64_t *p)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint64_t b;

	do {
		b = cfi_uint(s, p, 1);
		if (shift < 64)
			v |= (b & 0x7f) << shift;
		shift += 7;
	} while ((b & 0x80) && !s->bad);
	if (shift < 64 && (b & 0x40))
		v |= ~UINT64_C(0) << shift;
	return (int64_t)v;
}
