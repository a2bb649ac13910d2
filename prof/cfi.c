#include "cfi.h"

#include <string.h>

#include "readmem.h"

/* Pointer encodings of .eh_frame (LSB, "DWARF Extensions"). */
#define ENC_OMIT    0xff
#define ENC_FORMAT  0x0f
#define ENC_BASE    0x70
#define ENC_PCREL   0x10
#define ENC_DATAREL 0x30
#define ENC_TABLE   0x3b /* of the search table: sdata4, relative to it */

/* DW_CFA_remember_state nests this deep at most; compilers do 1. */
#define REMEMBER_MAX 3

/* Instructions of one FDE, at most: a bound on time, far above what the
 * longest functions have (a few thousand). */
#define PROGRAM_MAX 200000

/* A pointer in one of the encodings; an indirect one can't be a location and
 * is refused. */
static uint64_t
encoded(struct cfi_src *s, uint64_t *p, uint8_t enc)
{
	uint64_t here = *p;
	uint64_t v;

	switch (enc & ENC_FORMAT) {
	case 0x00:
	case 0x04:
	case 0x0c: v = cfi_uint(s, p, 8); break;
	case 0x01: v = cfi_uleb(s, p); break;
	case 0x02: v = cfi_uint(s, p, 2); break;
	case 0x03: v = cfi_uint(s, p, 4); break;
	case 0x09: v = (uint64_t)cfi_sleb(s, p); break;
	case 0x0a: v = (uint64_t)cfi_sint(s, p, 2); break;
	case 0x0b: v = (uint64_t)cfi_sint(s, p, 4); break;
	default: s->bad = true; return 0;
	}
	switch (enc & ~ENC_FORMAT) {
	case 0: return v;
	case ENC_PCREL: return v + here;
	case ENC_DATAREL: return v + s->hdr;
	default: s->bad = true; return 0;
	}
}

/* What is needed of a CIE and of an FDE. */
struct cie {
	uint64_t program, end;
	uint64_t code_align;
	int64_t data_align;
	uint8_t enc;
	bool augmented; /* FDEs have augmentation data */
	bool signal;
};

struct fde {
	uint64_t program, end;
	uint64_t begin;
	struct cie cie;
};

/*
 * Where copies are made, a system call is what costs: ask for several places
 * of the search table at once, until the rest fits in one copy.
 */
static void
narrow(
    struct cfi_src *s, uint64_t table, int64_t want, uint64_t *lo, uint64_t *hi)
{
	uint32_t word[READMEM_WORDS];

	while (*hi - *lo > sizeof s->copy[0].bytes / 8) {
		uint64_t step = (*hi - *lo) / (READMEM_WORDS + 1);
		uint64_t first = *lo + step;
		unsigned i = 0;

		if (!readmem_words(
			word, table + 8 * first, 8 * step, READMEM_WORDS)) {
			s->bad = true;
			return;
		}
		while (i < READMEM_WORDS && (int32_t)word[i] <= want)
			i++;
		if (i < READMEM_WORDS)
			*hi = first + i * step;
		if (i > 0)
			*lo = first + (i - 1) * step;
	}
	cfi_at(s, table + 8 * *lo, 8);
}

/* The FDE that may hold `pc`: the last one in the table not above it. */
static bool
search(struct cfi_src *s, uint64_t pc, uint64_t *fde)
{
	uint64_t p = s->hdr;
	uint64_t head = cfi_uint(s, &p, 4);
	uint8_t count_enc = (uint8_t)(head >> 16);
	uint64_t count, lo, hi, table;
	int64_t want = (int64_t)(pc - s->hdr);

	if (s->bad || (head & 0xff) != 1 || head >> 24 != ENC_TABLE ||
	    count_enc == ENC_OMIT)
		return false;
	encoded(s, &p, (uint8_t)(head >> 8));
	count = encoded(s, &p, count_enc);
	table = p;
	if (s->bad || table >= s->hi || count == 0 ||
	    count > (s->hi - table) / 8)
		return false;
	lo = 0;
	hi = count;
	if (s->checked)
		narrow(s, table, want, &lo, &hi);
	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2;

		p = table + 8 * mid;
		if (cfi_sint(s, &p, 4) <= want)
			lo = mid;
		else
			hi = mid;
		if (s->bad)
			return false;
	}
	p = table + 8 * lo;
	if (cfi_sint(s, &p, 4) > want)
		return false;
	*fde = s->hdr + (uint64_t)cfi_sint(s, &p, 4);
	return !s->bad;
}

/* The length field of a CIE or FDE; its contents end at *end.  The 64-bit
 * form does not occur in .eh_frame and is refused. */
static bool
entry_bounds(struct cfi_src *s, uint64_t *p, uint64_t *end)
{
	uint64_t len = cfi_uint(s, p, 4);

	if (s->bad || len < 4 || len >= 0xfffffff0 || len > s->hi - *p)
		return false;
	*end = *p + len;
	return true;
}

/* Letters of the augmentation string up to its end; *aug_data follows. */
static bool
augmentation(struct cfi_src *s, uint64_t letters, uint64_t p, struct cie *cie)
{
	uint64_t c;

	while ((c = cfi_uint(s, &letters, 1)) != 0 && !s->bad) {
		switch (c) {
		case 'z': break;
		case 'R': cie->enc = (uint8_t)cfi_uint(s, &p, 1); break;
		case 'L': cfi_uint(s, &p, 1); break;
		case 'P': {
			uint8_t enc = (uint8_t)cfi_uint(s, &p, 1);

			/* Only its size matters, so any base will do. */
			encoded(s, &p, enc & ENC_FORMAT);
			break;
		}
		case 'S': cie->signal = true; break;
		case 'B': break; /* aarch64: the B key */
		default: return false;
		}
	}
	return !s->bad;
}

static bool
read_cie(struct cfi_src *s, uint64_t p, struct cie *cie)
{
	uint64_t version, letters, size;

	memset(cie, 0, sizeof *cie);
	if (!entry_bounds(s, &p, &cie->end) || cfi_uint(s, &p, 4) != 0)
		return false;
	version = cfi_uint(s, &p, 1);
	if (version != 1 && version != 3)
		return false;
	letters = p;
	while (cfi_uint(s, &p, 1) != 0 && !s->bad && p < cie->end)
		continue;
	cie->code_align = cfi_uleb(s, &p);
	cie->data_align = cfi_sleb(s, &p);
	if ((version == 1 ? cfi_uint(s, &p, 1) : cfi_uleb(s, &p)) != CFI_RA)
		return false;
	cie->program = p;
	if (p == letters + 1 || s->bad)
		return !s->bad;
	size = letters;
	cie->augmented = cfi_uint(s, &size, 1) == 'z';
	if (cie->augmented) {
		size = cfi_uleb(s, &p);
		cie->program = p + size;
		if (s->bad || size > cie->end - p)
			return false;
		return augmentation(s, letters, p, cie);
	}
	size = letters;
	return cfi_uint(s, &size, 1) == 0;
}

static bool
read_fde(struct cfi_src *s, uint64_t p, uint64_t pc, struct fde *fde)
{
	uint64_t field, back, size, range;

	if (!entry_bounds(s, &p, &fde->end))
		return false;
	field = p;
	back = cfi_uint(s, &p, 4);
	if (back == 0 || s->bad || !read_cie(s, field - back, &fde->cie))
		return false;
	fde->begin = encoded(s, &p, fde->cie.enc);
	range = encoded(s, &p, fde->cie.enc & ENC_FORMAT);
	if (s->bad || pc - fde->begin >= range)
		return false;
	if (fde->cie.augmented) {
		size = cfi_uleb(s, &p);
		if (s->bad || p > fde->end || size > fde->end - p)
			return false;
		p += size;
	}
	fde->program = p;
	return !s->bad;
}

/* The run of a program: the CIE's, then the FDE's. */
struct run {
	struct cfi_src *s;
	const struct cie *cie;
	struct cfi_row *row;
	struct cfi_row initial;
	struct cfi_row kept[REMEMBER_MAX];
	unsigned depth;
	uint64_t loc, pc;
	uint64_t p;
};

/* Rules for registers beyond those we know (vector registers) are read and
 * dropped. */
static void
set(struct run *r, uint64_t reg, enum cfi_how how, int64_t value)
{
	if (value != (int32_t)value)
		r->s->bad = true;
	if (reg >= CFI_REGS)
		return;
	r->row->how[reg] = (uint8_t)how;
	r->row->value[reg] = (int32_t)value;
}

static void
set_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	if (reg >= CFI_REGS || offset != (int32_t)offset) {
		r->s->bad = true;
		return;
	}
	r->row->cfa_how = CFI_REGISTER;
	r->row->cfa_reg = (uint8_t)reg;
	r->row->cfa = (int32_t)offset;
}

/* Where the expression at the cursor lies; moves behind it. */
static int64_t
expression(struct run *r)
{
	int64_t where = (int64_t)(r->p - r->s->hdr);
	uint64_t len = cfi_uleb(r->s, &r->p);

	if (r->s->bad || len > r->s->hi - r->p)
		r->s->bad = true;
	else
		r->p += len;
	return where;
}

static int64_t
factored(const struct run *r, uint64_t n)
{
	return (int64_t)(n * (uint64_t)r->cie->data_align);
}

static void
remember(struct run *r)
{
	if (r->depth == REMEMBER_MAX)
		r->s->bad = true;
	else
		r->kept[r->depth++] = *r->row;
}

static void
restore_state(struct run *r)
{
	bool signal = r->row->signal;

	if (r->depth == 0) {
		r->s->bad = true;
		return;
	}
	*r->row = r->kept[--r->depth];
	r->row->signal = signal;
}

static void
restore(struct run *r, uint64_t reg)
{
	if (reg >= CFI_REGS)
		return;
	r->row->how[reg] = r->initial.how[reg];
	r->row->value[reg] = r->initial.value[reg];
}

/* DW_CFA_* whose register is in the operands. */
static void
register_op(struct run *r, uint8_t op)
{
	struct cfi_src *s = r->s;
	uint64_t reg = cfi_uleb(s, &r->p);

	switch (op) {
	case 0x05: /* offset_extended */
		set(r, reg, CFI_OFFSET, factored(r, cfi_uleb(s, &r->p)));
		break;
	case 0x06: restore(r, reg); break;
	case 0x07: set(r, reg, CFI_UNDEF, 0); break;
	case 0x08: set(r, reg, CFI_SAME, 0); break;
	case 0x09: /* register */
		set(r, reg, CFI_REGISTER, (int64_t)cfi_uleb(s, &r->p));
		break;
	case 0x10: set(r, reg, CFI_EXPR, expression(r)); break;
	case 0x11: /* offset_extended_sf */
		set(r, reg, CFI_OFFSET,
		    factored(r, (uint64_t)cfi_sleb(s, &r->p)));
		break;
	case 0x14: /* val_offset */
		set(r, reg, CFI_VAL_OFFSET, factored(r, cfi_uleb(s, &r->p)));
		break;
	case 0x15: /* val_offset_sf */
		set(r, reg, CFI_VAL_OFFSET,
		    factored(r, (uint64_t)cfi_sleb(s, &r->p)));
		break;
	case 0x16: set(r, reg, CFI_VAL_EXPR, expression(r)); break;
	case 0x2f: /* GNU_negative_offset_extended */
		set(r, reg, CFI_OFFSET,
		    factored(r, -(uint64_t)cfi_uleb(s, &r->p)));
		break;
	default: s->bad = true; break;
	}
}

/* DW_CFA_def_cfa* */
static void
cfa_op(struct run *r, uint8_t op)
{
	struct cfi_src *s = r->s;
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = cfi_uleb(s, &r->p);
		set_cfa(r, reg, (int64_t)cfi_uleb(s, &r->p));
		break;
	case 0x0d: /* def_cfa_register */
		set_cfa(r, cfi_uleb(s, &r->p), r->row->cfa);
		break;
	case 0x0e: /* def_cfa_offset */
		set_cfa(r, r->row->cfa_reg, (int64_t)cfi_uleb(s, &r->p));
		break;
	case 0x0f: { /* def_cfa_expression */
		int64_t where = expression(r);

		r->row->cfa_how = CFI_VAL_EXPR;
		r->row->cfa = (int32_t)where;
		if (where != (int32_t)where)
			s->bad = true;
		break;
	}
	case 0x12: /* def_cfa_sf */
		reg = cfi_uleb(s, &r->p);
		set_cfa(r, reg, factored(r, (uint64_t)cfi_sleb(s, &r->p)));
		break;
	default: /* 0x13 def_cfa_offset_sf */
		set_cfa(r, r->row->cfa_reg,
		    factored(r, (uint64_t)cfi_sleb(s, &r->p)));
		break;
	}
}

/* Move the location; true if that goes beyond pc, so that the row stands. */
static bool
advance(struct run *r, uint64_t delta)
{
	r->loc += delta * r->cie->code_align;
	return r->loc > r->pc;
}

/* One instruction; true when the row for pc is complete. */
static bool
instruction(struct run *r)
{
	struct cfi_src *s = r->s;
	uint8_t op = (uint8_t)cfi_uint(s, &r->p, 1);
	uint64_t low = op & 0x3f;

	switch (op >> 6) {
	case 1: return advance(r, low);
	case 2:
		set(r, low, CFI_OFFSET, factored(r, cfi_uleb(s, &r->p)));
		return false;
	case 3: restore(r, low); return false;
	default: break;
	}
	switch (op) {
	case 0x00: return false;
	case 0x01:
		r->loc = encoded(s, &r->p, r->cie->enc);
		return r->loc > r->pc;
	case 0x02: return advance(r, cfi_uint(s, &r->p, 1));
	case 0x03: return advance(r, cfi_uint(s, &r->p, 2));
	case 0x04: return advance(r, cfi_uint(s, &r->p, 4));
	case 0x0a: remember(r); return false;
	case 0x0b: restore_state(r); return false;
	case 0x0c:
	case 0x0d:
	case 0x0e:
	case 0x0f:
	case 0x12:
	case 0x13: cfa_op(r, op); return false;
	case 0x2e: cfi_uleb(s, &r->p); return false; /* GNU_args_size */
	default: register_op(r, op); return false;
	}
}

static void
program(struct run *r, uint64_t p, uint64_t end)
{
	unsigned left = PROGRAM_MAX;

	r->p = p;
	while (r->p < end && !r->s->bad) {
		if (instruction(r))
			return;
		if (--left == 0)
			r->s->bad = true;
	}
}

/* Apart from cfi_row(), so that its 0.5 KiB of stack is not in use while the
 * tables are searched. */
static __attribute__((noinline)) bool
run_programs(
    struct cfi_src *s, const struct fde *fde, uint64_t pc, struct cfi_row *row)
{
	struct run r;

	memset(row, 0, sizeof *row);
	row->signal = fde->cie.signal;
	r.s = s;
	r.cie = &fde->cie;
	r.row = row;
	r.depth = 0;
	r.loc = fde->begin;
	r.pc = ~UINT64_C(0); /* the CIE's program has no locations */
	program(&r, fde->cie.program, fde->cie.end);
	r.initial = *row;
	r.loc = fde->begin;
	r.pc = pc;
	program(&r, fde->program, fde->end);
	return !s->bad && row->cfa_how != 0;
}

bool
cfi_row(struct cfi_src *s, uint64_t pc, struct cfi_row *row)
{
	struct fde fde;
	uint64_t at;

	return search(s, pc, &at) && read_fde(s, at, pc, &fde) &&
	    run_programs(s, &fde, pc, row);
}

bool
cfi_starts(struct cfi_src *s, uint64_t pc)
{
	struct fde fde;
	uint64_t at;

	return search(s, pc, &at) && read_fde(s, at, pc, &fde) &&
	    fde.begin == pc;
}
