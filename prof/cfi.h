/*
 * From a program counter to the rule that leads to the caller's frame.
 *
 * Reads the binary search table .eh_frame_hdr, the FDE and CIE it leads to
 * in .eh_frame, and runs their call frame instructions up to the program
 * counter (DWARF 5 section 6.4; the Linux Standard Base's chapters on
 * .eh_frame and .eh_frame_hdr for what differs).  The result is a row: how
 * the canonical frame address (CFA, the stack pointer before the call) and
 * the caller's registers are found.  Nearly all rows fit in a rule, a value
 * of 64 bits; what doesn't is left to cfi_step(), which evaluates any row.
 *
 * Registers have DWARF's numbers for x86-64.  Tables are input that may be
 * wrong: reads stay inside the module's mapping, loops are bounded, and a
 * malformed table gives "no row".  Nothing here allocates, locks or keeps
 * state.
 */
#ifndef PROF_CFI_H
#define PROF_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum cfi_reg {
	CFI_RBX = 3,
	CFI_RBP = 6,
	CFI_RSP = 7,
	CFI_R12 = 12,
	CFI_RA = 16,
	CFI_REGS = 17,
};

/* Where tables are read.  With `checked` every read is a copy made by the
 * kernel (readmem.h): for modules that may be unloaded meanwhile. */
struct cfi_src {
	uint64_t hdr;    /* address of .eh_frame_hdr */
	uint64_t lo, hi; /* reads stay inside [lo, hi) */
	bool checked;
	bool bad;     /* a read was refused or left the bounds; sticky */
	uint8_t turn; /* the copy to be replaced next */
	struct {
		uint64_t at;
		uint32_t len;
		uint8_t bytes[128];
	} copy[2]; /* a CIE and an FDE are read by turns */
};

void cfi_src_init(
    struct cfi_src *s, uint64_t hdr, uint64_t lo, uint64_t hi, bool checked);

enum cfi_how {
	CFI_SAME = 0,   /* not changed */
	CFI_UNDEF,      /* not known */
	CFI_OFFSET,     /* saved at CFA + value */
	CFI_VAL_OFFSET, /* is CFA + value */
	CFI_REGISTER,   /* in the register `value` */
	CFI_EXPR,       /* saved at the result of an expression */
	CFI_VAL_EXPR,   /* is the result of an expression */
};

/* An expression is named by the distance of its length field from `hdr`. */
struct cfi_row {
	uint8_t how[CFI_REGS]; /* enum cfi_how */
	uint8_t cfa_how;       /* CFI_REGISTER: cfa_reg + cfa, CFI_VAL_EXPR */
	uint8_t cfa_reg;
	bool signal; /* the frame of a signal handler's return */
	int32_t cfa;
	int32_t value[CFI_REGS];
};

/* The row at `pc`; false if there is none (or the tables are bad: s->bad). */
bool cfi_row(struct cfi_src *s, uint64_t pc, struct cfi_row *row);

/* Does a function begin exactly at `pc`? */
bool cfi_starts(struct cfi_src *s, uint64_t pc);

/*
 * A rule: kind in bits 0-3, how to find the caller's rbp in bits 4-5, a
 * signed CFA offset in bits 6-31, a signed rbp offset in bits 32-63.  The
 * return address is at CFA - 8.  Never 0.
 */
enum rule_kind {
	RULE_NONE = 0,
	RULE_RSP,       /* CFA = rsp + offset */
	RULE_RBP,       /* CFA = rbp + offset */
	RULE_RBP_DEREF, /* CFA = *(rbp + offset): realigned frames */
	RULE_RSP_DEREF, /* CFA = *(rsp + offset) */
	RULE_PLT,       /* CFA = rsp + 8, + 8 if pc % 16 >= offset */
	RULE_SIGNAL,    /* the kernel's signal frame lies at rsp */
	RULE_END,       /* the outermost frame */
	RULE_NOCFI,     /* code of a module that has no row here */
	RULE_COMPLEX,   /* needs cfi_step() */
	RULE_REFUSED,   /* tables that may not be read now; never kept */
};

enum rule_rbp {
	RULE_RBP_SAME = 0,
	RULE_RBP_AT_CFA, /* at CFA + offset */
	RULE_RBP_AT_RBP, /* at rbp + offset */
	RULE_RBP_LOST,   /* not known */
};

static inline enum rule_kind
rule_kind(uint64_t rule)
{
	return (enum rule_kind)(rule & 15);
}

static inline enum rule_rbp
rule_rbp(uint64_t rule)
{
	return (enum rule_rbp)(rule >> 4 & 3);
}

static inline int64_t
rule_cfa(uint64_t rule)
{
	return (int32_t)(uint32_t)rule >> 6;
}

static inline int64_t
rule_rbp_offset(uint64_t rule)
{
	return (int64_t)rule >> 32;
}

/* The row as a rule; RULE_COMPLEX if it doesn't fit. */
uint64_t cfi_rule(struct cfi_src *s, const struct cfi_row *row);

/* Offsets in the frame that Linux builds on x86-64 for a signal handler,
 * from the ucontext on (asm/sigcontext.h). */
#define SIGFRAME_RBP 120
#define SIGFRAME_RSP 160
#define SIGFRAME_RIP 168

/* Registers of a frame; bit r of `known`: reg[r] is. */
struct cfi_regs {
	uint64_t reg[CFI_REGS];
	uint32_t known;
};

/* Reads 8 bytes of the target's stack. */
struct cfi_stack {
	bool (*read)(void *arg, uint64_t addr, uint64_t *value);
	void *arg;
};

enum cfi_result {
	CFI_STEPPED, /* regs are those of the caller */
	CFI_END,     /* the outermost frame */
	CFI_STUCK,   /* something needed is not known or can't be read */
};

/* From one frame to its caller by any row.  At most 200 operations an
 * expression. */
enum cfi_result cfi_step(struct cfi_src *s, const struct cfi_row *row,
    struct cfi_regs *regs, const struct cfi_stack *stack);

/* For cfi*.c: `n` readable bytes at `addr`, n <= 8; NULL and s->bad if there
 * are not. */
const uint8_t *cfi_at(struct cfi_src *s, uint64_t addr, unsigned n);

/* For cfi*.c: read at *p and move on; 0 once s->bad. */
uint64_t cfi_uint(struct cfi_src *s, uint64_t *p, unsigned bytes);
int64_t cfi_sint(struct cfi_src *s, uint64_t *p, unsigned bytes);
uint64_t cfi_uleb(struct cfi_src *s, uint64_t *p);
int64_t cfi_sleb(struct cfi_src *s, uint64_t *p);

#endif
