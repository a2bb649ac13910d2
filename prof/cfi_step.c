/* What is made of a row: a rule where it fits, else a step by evaluation. */
#include "cfi.h"

#include <stddef.h>

/* Bounds of one expression: a PLT's takes 8 operations. */
#define EXPR_OPS   200
#define EXPR_STACK 16

#define OP_DEREF 0x06
#define OP_BREG0 0x70

/*
 * Is the expression at `where` exactly `breg<reg> n`, with OP_DEREF behind
 * it if `deref`?  Then *n is set.
 */
static bool
is_breg(struct cfi_src *s, int32_t where, unsigned reg, bool deref, int64_t *n)
{
	uint64_t p = s->hdr + (uint64_t)(int64_t)where;
	uint64_t len = cfi_uleb(s, &p);
	uint64_t end = p + len;

	if (len < 2 || len > 12 || cfi_uint(s, &p, 1) != OP_BREG0 + reg)
		return false;
	*n = cfi_sleb(s, &p);
	if (deref && cfi_uint(s, &p, 1) != OP_DEREF)
		return false;
	return !s->bad && p == end;
}

/*
 * binutils describes a PLT section with one FDE and the expression
 * rsp + 8 + (((rip & 15) >= K) << 3); K is 9, 10 or 11 by the kind of PLT.
 */
static bool
is_plt(struct cfi_src *s, int32_t where, int64_t *k)
{
	static const uint8_t plt[11] = { 0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a,
		0x30, 0x2a, 0x33, 0x24, 0x22 };
	uint64_t p = s->hdr + (uint64_t)(int64_t)where;
	unsigned i;

	if (cfi_uleb(s, &p) != sizeof plt)
		return false;
	for (i = 0; i < sizeof plt; i++) {
		uint64_t b = cfi_uint(s, &p, 1);

		if (i == 6 && b >= 0x30 && b <= 0x3f)
			*k = (int64_t)(b - 0x30);
		else if (b != plt[i])
			return false;
	}
	return !s->bad;
}

/* glibc's __restore_rt describes the kernel's frame by expressions. */
static bool
is_sigframe(struct cfi_src *s, const struct cfi_row *row)
{
	int64_t n;

	return row->cfa_how == CFI_VAL_EXPR &&
	    is_breg(s, row->cfa, CFI_RSP, true, &n) && n == SIGFRAME_RSP &&
	    row->how[CFI_RA] == CFI_EXPR &&
	    is_breg(s, row->value[CFI_RA], CFI_RSP, false, &n) &&
	    n == SIGFRAME_RIP && row->how[CFI_RBP] == CFI_EXPR &&
	    is_breg(s, row->value[CFI_RBP], CFI_RSP, false, &n) &&
	    n == SIGFRAME_RBP;
}

static uint64_t
pack(enum rule_kind kind, enum rule_rbp mode, int64_t cfa, int64_t rbp)
{
	if (cfa >= INT64_C(1) << 25 || cfa < -(INT64_C(1) << 25) ||
	    rbp != (int32_t)rbp)
		return RULE_COMPLEX;
	return (uint64_t)kind | (uint64_t)mode << 4 |
	    ((uint64_t)cfa << 6 & UINT64_C(0xffffffc0)) | (uint64_t)rbp << 32;
}

static enum rule_kind
cfa_kind(struct cfi_src *s, const struct cfi_row *row, int64_t *offset)
{
	*offset = row->cfa;
	if (row->cfa_how == CFI_REGISTER) {
		if (row->cfa_reg == CFI_RSP)
			return RULE_RSP;
		return row->cfa_reg == CFI_RBP ? RULE_RBP : RULE_COMPLEX;
	}
	if (is_breg(s, row->cfa, CFI_RBP, true, offset))
		return RULE_RBP_DEREF;
	if (is_breg(s, row->cfa, CFI_RSP, true, offset))
		return RULE_RSP_DEREF;
	return is_plt(s, row->cfa, offset) ? RULE_PLT : RULE_COMPLEX;
}

uint64_t
cfi_rule(struct cfi_src *s, const struct cfi_row *row)
{
	enum rule_kind kind;
	enum rule_rbp mode;
	int64_t cfa, rbp = 0;

	if (row->how[CFI_RA] == CFI_UNDEF)
		return RULE_END;
	if (row->signal)
		return is_sigframe(s, row) ? RULE_SIGNAL : RULE_COMPLEX;
	if (row->how[CFI_RA] != CFI_OFFSET || row->value[CFI_RA] != -8 ||
	    row->how[CFI_RSP] != CFI_SAME)
		return RULE_COMPLEX;
	kind = cfa_kind(s, row, &cfa);
	switch (row->how[CFI_RBP]) {
	case CFI_SAME: mode = RULE_RBP_SAME; break;
	case CFI_UNDEF: mode = RULE_RBP_LOST; break;
	case CFI_OFFSET:
		mode = RULE_RBP_AT_CFA;
		rbp = row->value[CFI_RBP];
		break;
	case CFI_EXPR:
		mode = RULE_RBP_AT_RBP;
		if (is_breg(s, row->value[CFI_RBP], CFI_RBP, false, &rbp))
			break;
		return RULE_COMPLEX;
	default: return RULE_COMPLEX;
	}
	if (kind == RULE_COMPLEX || s->bad)
		return RULE_COMPLEX;
	return pack(kind, mode, cfa, rbp);
}

/* The machine of one expression. */
struct machine {
	struct cfi_src *s;
	const struct cfi_regs *regs;
	const struct cfi_stack *mem;
	uint64_t stack[EXPR_STACK];
	unsigned depth;
	bool bad;
};

static void
push(struct machine *m, uint64_t v)
{
	if (m->depth == EXPR_STACK)
		m->bad = true;
	else
		m->stack[m->depth++] = v;
}

static uint64_t
pop(struct machine *m)
{
	if (m->depth == 0) {
		m->bad = true;
		return 0;
	}
	return m->stack[--m->depth];
}

static uint64_t
reg_value(struct machine *m, uint64_t reg)
{
	if (reg >= CFI_REGS || !(m->regs->known >> reg & 1)) {
		m->bad = true;
		return 0;
	}
	return m->regs->reg[reg];
}

/* An entry counted from the top, as DW_OP_dup, over and pick want it. */
static void
pick(struct machine *m, uint64_t n)
{
	if (n >= m->depth)
		m->bad = true;
	else
		push(m, m->stack[m->depth - 1 - n]);
}

static void
deref(struct machine *m, uint64_t size)
{
	uint64_t v = 0;

	if (size == 0 || size > 8 || !m->mem->read(m->mem->arg, pop(m), &v)) {
		m->bad = true;
		return;
	}
	push(m, size == 8 ? v : v & ((UINT64_C(1) << 8 * size) - 1));
}

/* Operators of two operands, a below b. */
static uint64_t
binary(struct machine *m, uint8_t op, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case 0x1a: return a & b;
	case 0x1b:
		if (sb == 0 || (sb == -1 && sa == INT64_MIN))
			break;
		return (uint64_t)(sa / sb);
	case 0x1c: return a - b;
	case 0x1d:
		if (b == 0)
			break;
		return a % b;
	case 0x1e: return a * b;
	case 0x21: return a | b;
	case 0x22: return a + b;
	case 0x24: return b < 64 ? a << b : 0;
	case 0x25: return b < 64 ? a >> b : 0;
	case 0x26: return (uint64_t)(sa >> (b < 64 ? b : 63));
	case 0x27: return a ^ b;
	case 0x29: return a == b;
	case 0x2a: return sa >= sb;
	case 0x2b: return sa > sb;
	case 0x2c: return sa <= sb;
	case 0x2d: return sa < sb;
	case 0x2e: return a != b;
	default: break;
	}
	m->bad = true;
	return 0;
}

static void
swap_or_rotate(struct machine *m, uint8_t op)
{
	uint64_t c = pop(m), b = pop(m), a;

	if (op == 0x16) {
		push(m, c);
		push(m, b);
		return;
	}
	a = pop(m);
	push(m, c);
	push(m, a);
	push(m, b);
}

/* Jumps; `end` bounds where they may go (backwards too: EXPR_OPS ends it). */
static void
branch(struct machine *m, uint8_t op, uint64_t *p, uint64_t start, uint64_t end)
{
	int64_t by = cfi_sint(m->s, p, 2);

	if (op == 0x28 && pop(m) == 0)
		return;
	*p += (uint64_t)by;
	if (*p < start || *p > end)
		m->bad = true;
}

/* Operations that push a constant or a register; false if op is another. */
static bool
push_op(struct machine *m, uint8_t op, uint64_t *p)
{
	struct cfi_src *s = m->s;
	uint64_t reg;

	if (op >= 0x30 && op <= 0x4f) {
		push(m, op - 0x30u);
		return true;
	}
	if (op >= 0x50 && op <= 0x6f) {
		push(m, reg_value(m, op - 0x50u));
		return true;
	}
	if (op >= OP_BREG0 && op <= 0x8f) {
		reg = reg_value(m, (uint64_t)op - OP_BREG0);
		push(m, reg + (uint64_t)cfi_sleb(s, p));
		return true;
	}
	switch (op) {
	case 0x03:
	case 0x0e:
	case 0x0f: push(m, cfi_uint(s, p, 8)); return true;
	case 0x08: push(m, cfi_uint(s, p, 1)); return true;
	case 0x09: push(m, (uint64_t)cfi_sint(s, p, 1)); return true;
	case 0x0a: push(m, cfi_uint(s, p, 2)); return true;
	case 0x0b: push(m, (uint64_t)cfi_sint(s, p, 2)); return true;
	case 0x0c: push(m, cfi_uint(s, p, 4)); return true;
	case 0x0d: push(m, (uint64_t)cfi_sint(s, p, 4)); return true;
	case 0x10: push(m, cfi_uleb(s, p)); return true;
	case 0x11: push(m, (uint64_t)cfi_sleb(s, p)); return true;
	case 0x92:
		reg = reg_value(m, cfi_uleb(s, p));
		push(m, reg + (uint64_t)cfi_sleb(s, p));
		return true;
	default: return false;
	}
}

static void
operation(struct machine *m, uint64_t *p, uint64_t start, uint64_t end)
{
	uint8_t op = (uint8_t)cfi_uint(m->s, p, 1);
	uint64_t b;

	if (push_op(m, op, p))
		return;
	switch (op) {
	case OP_DEREF: deref(m, 8); break;
	case 0x94: deref(m, cfi_uint(m->s, p, 1)); break;
	case 0x12: pick(m, 0); break;
	case 0x13: pop(m); break;
	case 0x14: pick(m, 1); break;
	case 0x15: pick(m, cfi_uint(m->s, p, 1)); break;
	case 0x16:
	case 0x17: swap_or_rotate(m, op); break;
	case 0x19:
		b = pop(m);
		push(m, (int64_t)b < 0 ? -b : b);
		break;
	case 0x1f: push(m, -pop(m)); break;
	case 0x20: push(m, ~pop(m)); break;
	case 0x23: push(m, pop(m) + cfi_uleb(m->s, p)); break;
	case 0x28:
	case 0x2f: branch(m, op, p, start, end); break;
	case 0x96: break; /* nop */
	default:
		b = pop(m);
		push(m, binary(m, op, pop(m), b));
		break;
	}
}

static bool
evaluate(struct cfi_src *s, int32_t where, const struct cfi_regs *regs,
    const struct cfi_stack *mem, const uint64_t *first, uint64_t *result)
{
	struct machine m = { .s = s, .regs = regs, .mem = mem };
	uint64_t p = s->hdr + (uint64_t)(int64_t)where;
	uint64_t len = cfi_uleb(s, &p);
	uint64_t start = p, end = p + len;
	unsigned ops = 0;

	if (s->bad || len > s->hi - p)
		return false;
	if (first)
		push(&m, *first);
	while (p < end && !m.bad && !s->bad && ops++ < EXPR_OPS)
		operation(&m, &p, start, end);
	if (p != end || m.bad || s->bad || m.depth == 0)
		return false;
	*result = m.stack[m.depth - 1];
	return true;
}

/* The caller's register `r`; false if it can't be known. */
static bool
caller_reg(struct cfi_src *s, const struct cfi_row *row, unsigned r,
    const struct cfi_regs *regs, uint64_t cfa, const struct cfi_stack *mem,
    uint64_t *v)
{
	int32_t value = row->value[r];
	uint64_t addr;

	switch (row->how[r]) {
	case CFI_SAME: *v = regs->reg[r]; return regs->known >> r & 1;
	case CFI_OFFSET:
		return mem->read(mem->arg, cfa + (uint64_t)(int64_t)value, v);
	case CFI_VAL_OFFSET: *v = cfa + (uint64_t)(int64_t)value; return true;
	case CFI_REGISTER:
		if (value < 0 || value >= CFI_REGS)
			return false;
		*v = regs->reg[value];
		return regs->known >> value & 1;
	case CFI_EXPR:
		return evaluate(s, value, regs, mem, &cfa, &addr) &&
		    mem->read(mem->arg, addr, v);
	case CFI_VAL_EXPR: return evaluate(s, value, regs, mem, &cfa, v);
	default: return false;
	}
}

/* The psABI's callee-saved registers; others are lost in a call unless the
 * row says where they are. */
#define CALLEE_SAVED (1u << CFI_RBX | 1u << CFI_RBP | 0xfu << CFI_R12)

enum cfi_result
cfi_step(struct cfi_src *s, const struct cfi_row *row, struct cfi_regs *regs,
    const struct cfi_stack *mem)
{
	struct cfi_regs up = { .known = 0 };
	uint64_t cfa;
	unsigned r;

	if (row->how[CFI_RA] == CFI_UNDEF)
		return CFI_END;
	if (row->how[CFI_RA] == CFI_SAME)
		return CFI_STUCK;
	if (row->cfa_how == CFI_VAL_EXPR) {
		if (!evaluate(s, row->cfa, regs, mem, NULL, &cfa))
			return CFI_STUCK;
	} else {
		if (!(regs->known >> row->cfa_reg & 1))
			return CFI_STUCK;
		cfa = regs->reg[row->cfa_reg] + (uint64_t)(int64_t)row->cfa;
	}
	for (r = 0; r < CFI_REGS; r++) {
		if (row->how[r] == CFI_SAME && !(CALLEE_SAVED >> r & 1))
			continue;
		if (caller_reg(s, row, r, regs, cfa, mem, &up.reg[r]))
			up.known |= 1u << r;
	}
	if (row->how[CFI_RSP] == CFI_SAME) {
		up.reg[CFI_RSP] = cfa;
		up.known |= 1u << CFI_RSP;
	}
	if (!(up.known >> CFI_RA & 1) || !(up.known >> CFI_RSP & 1))
		return CFI_STUCK;
	*regs = up;
	return up.reg[CFI_RA] == 0 ? CFI_END : CFI_STEPPED;
}
