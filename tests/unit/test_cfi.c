/* needs: prof/cfi.c prof/cfi_read.c prof/cfi_step.c prof/readmem.c */
/*
 * Tables laid out by hand, as the assembler would for
 *
 *	f: push %rbp; mov %rsp,%rbp; ...; pop %rbp; ret; ...
 *
 * and for a PLT, a realigned frame, a signal frame and an outermost frame.
 */
#include "prof/cfi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prof/readmem.h"

/* Addresses of code, from the begin of the tables; nothing lies there. */
#define F     0x1000u
#define PLT   0x2000u
#define DRAP  0x3000u
#define SIG   0x4000u
#define START 0x5000u
#define SIZE  0x100u

static uint8_t *image;
static uint64_t base;
static unsigned end;

static void
put(unsigned at, uint64_t v, unsigned n)
{
	memcpy(image + at, &v, n);
}

static void
bytes(const uint8_t *p, unsigned n)
{
	memcpy(image + end, p, n);
	end += n;
}

/* A CIE: version 1, "zR" (or "zRS"), code alignment 1, data alignment -8,
 * return address column 16, pcrel|sdata4 pointers; then CFA = rsp + 8, the
 * return address at CFA - 8. */
static unsigned
cie(bool signal)
{
	static const uint8_t plain[] = { 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
		0x0c, 7, 8, 0x90, 1, 0, 0 };
	static const uint8_t sig[] = { 1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1,
		0x1b, 0x0c, 7, 8, 0x90, 1, 0, 0, 0, 0, 0 };
	unsigned at = end;

	put(end, 4 + (signal ? sizeof sig : sizeof plain), 4);
	put(end + 4, 0, 4);
	end += 8;
	if (signal)
		bytes(sig, sizeof sig);
	else
		bytes(plain, sizeof plain);
	return at;
}

static void
fde(unsigned slot, unsigned of, uint32_t code, const uint8_t *p, unsigned n)
{
	unsigned at = end, pad = (3 - n) & 3; /* 13 + n + pad is 4 * k */

	put(12 + 8 * slot, code, 4);
	put(16 + 8 * slot, at, 4);
	put(end, 13 + n + pad, 4);
	put(end + 4, end + 4 - of, 4);
	put(end + 8, code - (end + 8), 4);
	put(end + 12, SIZE, 4);
	put(end + 16, 0, 1);
	end += 17;
	bytes(p, n);
	end += pad;
}

#define FDE(slot, of, code, ...)                              \
	fde(slot, of, code, (const uint8_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint8_t[]){ __VA_ARGS__ }))

static int
setup(void **state)
{
	unsigned plain, sig;

	(void)state;
	image = calloc(1, 1024);
	base = (uint64_t)(uintptr_t)image;
	put(0, 0x3b031b01, 4); /* version 1, pcrel sdata4, udata4, table */
	put(4, 12 + 5 * 8 - 4, 4);
	put(8, 5, 4);
	end = 12 + 5 * 8;
	plain = cie(false);
	sig = cie(true);
	/* +1: CFA = rsp + 16, rbp at CFA - 16; +4: CFA = rbp + 16; +0x24,
	 * remembered: CFA = rsp + 8, rbp as it was; +0x25: as before. */
	FDE(0, plain, F, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x02, 0x20,
	    0x0a, 0x0c, 7, 8, 0xc6, 0x41, 0x0b);
	/* rsp + 16; +6: rsp + 24; +16: the expression, with K = 11. */
	FDE(1, plain, PLT, 0x0e, 16, 0x46, 0x0e, 24, 0x4a, 0x0f, 11, 0x77, 8,
	    0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
	/* CFA = *(rbp - 8), rbp at rbp + 0 */
	FDE(2, plain, DRAP, 0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0);
	/* CFA = *(rsp + 160), rip at rsp + 168, rbp at rsp + 120 */
	FDE(3, sig, SIG, 0x0f, 4, 0x77, 0xa0, 1, 0x06, 0x10, 16, 3, 0x77, 0xa8,
	    1, 0x10, 6, 3, 0x77, 0xf8, 0);
	/* the return address is undefined */
	FDE(4, plain, START, 0x07, 16);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(image);
	return 0;
}

static uint64_t
rule_at(uint32_t code, bool checked)
{
	struct cfi_src s;
	struct cfi_row row;

	cfi_src_init(&s, base, base, base + end, checked);
	return cfi_row(&s, base + code, &row) ? cfi_rule(&s, &row) : 0;
}

static void
check(uint32_t code, enum rule_kind kind, int cfa, enum rule_rbp mode, int rbp)
{
	int checked;

	for (checked = 0; checked < 2; checked++) {
		uint64_t rule = rule_at(code, checked);

		assert_int_equal(rule_kind(rule), kind);
		assert_int_equal(rule_cfa(rule), cfa);
		assert_int_equal(rule_rbp(rule), mode);
		assert_int_equal(rule_rbp_offset(rule), rbp);
	}
}

static void
test_rows(void **state)
{
	(void)state;
	check(F, RULE_RSP, 8, RULE_RBP_SAME, 0);
	check(F + 1, RULE_RSP, 16, RULE_RBP_AT_CFA, -16);
	check(F + 3, RULE_RSP, 16, RULE_RBP_AT_CFA, -16);
	check(F + 4, RULE_RBP, 16, RULE_RBP_AT_CFA, -16);
	check(F + 0x23, RULE_RBP, 16, RULE_RBP_AT_CFA, -16);
	check(F + 0x24, RULE_RSP, 8, RULE_RBP_SAME, 0);
	check(F + 0x25, RULE_RBP, 16, RULE_RBP_AT_CFA, -16);
	check(F + SIZE - 1, RULE_RBP, 16, RULE_RBP_AT_CFA, -16);
	check(PLT + 6, RULE_RSP, 24, RULE_RBP_SAME, 0);
	check(PLT + 0x20, RULE_PLT, 11, RULE_RBP_SAME, 0);
	check(DRAP, RULE_RBP_DEREF, -8, RULE_RBP_AT_RBP, 0);
	check(SIG, RULE_SIGNAL, 0, RULE_RBP_SAME, 0);
	check(START, RULE_END, 0, RULE_RBP_SAME, 0);
}

static void
test_no_row(void **state)
{
	struct cfi_src s;

	(void)state;
	assert_int_equal(rule_at(F - 1, false), 0);
	assert_int_equal(rule_at(F + SIZE, false), 0);
	assert_int_equal(rule_at(START + SIZE, true), 0);
	cfi_src_init(&s, base, base, base + end, false);
	assert_true(cfi_starts(&s, base + PLT));
	assert_false(cfi_starts(&s, base + PLT + 1));
}

/* A stack for the evaluator: the word at address a is 3 * a. */
static bool
thrice(void *arg, uint64_t addr, uint64_t *v)
{
	(void)arg;
	*v = 3 * addr;
	return addr < 0x100000;
}

static void
step(uint32_t code, struct cfi_regs *regs, enum cfi_result result)
{
	struct cfi_stack stack = { thrice, NULL };
	struct cfi_src s;
	struct cfi_row row;

	cfi_src_init(&s, base, base, base + end, false);
	assert_true(cfi_row(&s, base + code, &row));
	assert_int_equal(cfi_step(&s, &row, regs, &stack), result);
}

static void
test_steps(void **state)
{
	struct cfi_regs r = { .known = 1u << CFI_RSP | 1u << CFI_RBP |
		    1u << CFI_RA | 1u << CFI_RBX };

	(void)state;
	/* CFA = 0x200 + 16; the return address is 3 * (CFA - 8). */
	r.reg[CFI_RSP] = 0x100;
	r.reg[CFI_RBP] = 0x200;
	r.reg[CFI_RBX] = 42;
	step(F + 4, &r, CFI_STEPPED);
	assert_int_equal(r.reg[CFI_RSP], 0x210);
	assert_int_equal(r.reg[CFI_RA], 3 * 0x208);
	assert_int_equal(r.reg[CFI_RBP], 3 * 0x200);
	assert_int_equal(r.reg[CFI_RBX], 42);
	/* rip % 16 is 11: one word more is on the stack. */
	r.reg[CFI_RSP] = 0x100;
	r.reg[CFI_RA] = 0x2b;
	step(PLT + 0x20, &r, CFI_STEPPED);
	assert_int_equal(r.reg[CFI_RSP], 0x110);
	r.reg[CFI_RSP] = 0x100;
	r.reg[CFI_RA] = 0x2a;
	step(PLT + 0x20, &r, CFI_STEPPED);
	assert_int_equal(r.reg[CFI_RSP], 0x108);
	/* CFA = 3 * (0x200 - 8) */
	r.reg[CFI_RBP] = 0x200;
	step(DRAP, &r, CFI_STEPPED);
	assert_int_equal(r.reg[CFI_RSP], 3 * 0x1f8);
	assert_int_equal(r.reg[CFI_RBP], 3 * 0x200);
	r.reg[CFI_RSP] = 0x400;
	step(SIG, &r, CFI_STEPPED);
	assert_int_equal(r.reg[CFI_RSP], 3 * 0x4a0);
	assert_int_equal(r.reg[CFI_RA], 3 * 0x4a8);
	step(START, &r, CFI_END);
	/* An unreadable stack, and an unknown register. */
	r.reg[CFI_RSP] = 0x200000;
	step(F, &r, CFI_STUCK);
	r.known &= ~(1u << CFI_RBP);
	r.reg[CFI_RSP] = 0x100;
	step(F + 4, &r, CFI_STUCK);
}

/* Tables with any byte wrong, or cut anywhere: no read outside of them. */
static void
test_hostile(void **state)
{
	static const uint32_t codes[] = { F + 0x25, PLT + 0x20, DRAP, SIG,
		START };
	struct cfi_stack stack = { thrice, NULL };
	uint8_t *whole = malloc(end), *copy = malloc(end);
	uint64_t seed = 1;
	unsigned round;

	(void)state;
	memcpy(whole, image, end);
	for (round = 0; round < 60000; round++) {
		struct cfi_regs r = { .known = ~0u };
		struct cfi_src s;
		struct cfi_row row;
		uint64_t at = (uint64_t)(uintptr_t)copy;
		unsigned n = 1 + round % 3, size = end;

		memcpy(copy, whole, end);
		while (n-- > 0) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			copy[(seed >> 33) % end] = (uint8_t)(seed >> 25);
		}
		if (round % 5 == 0)
			size = (unsigned)((seed >> 20) % end);
		cfi_src_init(&s, at, at, at + size, false);
		if (!cfi_row(&s, at + codes[round % 5], &row))
			continue;
		cfi_rule(&s, &row);
		cfi_step(&s, &row, &r, &stack);
	}
	free(copy);
	free(whole);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_no_row),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_hostile),
	};

	readmem_init();
	return cmocka_run_group_tests(tests, setup, teardown);
}
