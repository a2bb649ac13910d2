/* The steps of a walk that are not usual; see usual_steps() in unwind.c. */
#include "walk.h"

#include "format.h"
#include "modinfo.h"
#include "readmem.h"
#include "rulecache.h"
#include "unwind.h"

/* A frame pointer is believed if it is at most this far up the stack. */
#define GUESS_REACH UINT64_C(0x40000)

/* Bytes between the end of a stack and the stack pointer of _start. */
#define FIRST_FRAME 64

/* Code caches of JIT compilers keep within this distance. */
#define JIT_REACH UINT64_C(0x10000000)

/*
 * Nobody calls from before the first instruction of a function: a return
 * address that points there was laid on a new stack by hand, as makecontext
 * does with glibc's __start_context, and is the outermost frame.
 */
static bool
put_by_hand(struct cfi_src *s, uint64_t pc, bool exact)
{
	return !exact && !s->bad && cfi_starts(s, pc + 1);
}

/*
 * A rule that is not in the table: from the module's tables, and kept.  A
 * miss costs as much as fifty hits, so it is apart.  The epoch of the key was
 * read before the module is looked up: if the module is closed meanwhile, the
 * rule is kept in an epoch that is over.
 */
static __attribute__((noinline)) uint64_t
cold_rule(uint64_t pc, bool exact, uint64_t epoch, bool *in_module)
{
	uint64_t key = rulecache_key(pc, epoch);
	uint64_t rule = rulecache_find_old(pc, key);
	struct modinfo_tables m;
	struct cfi_src s;
	struct cfi_row row;

	*in_module = true;
	if (rule != 0)
		return rule;
	if (!walk_tables(pc, &m)) {
		*in_module = false; /* not kept: a dlopen may come */
		return RULE_NOCFI;
	}
	if (m.closeable && !readmem_works())
		return RULE_REFUSED;
	rule = RULE_NOCFI;
	if (m.eh_frame_hdr != 0) {
		cfi_src_init(&s, m.eh_frame_hdr, m.start, m.end, m.closeable);
		if (cfi_row(&s, pc, &row))
			rule = cfi_rule(&s, &row);
		else if (put_by_hand(&s, pc, exact))
			rule = RULE_END;
		if (s.bad && m.closeable)
			return RULE_REFUSED;
	}
	rulecache_put(pc, m.closeable ? key : pc, rule);
	return rule;
}

uint64_t
walk_rule(uint64_t pc, bool exact, uint64_t epoch)
{
	bool in_module;

	return cold_rule(pc, exact, epoch, &in_module);
}

/* Does a call instruction end at `ra`?  (Intel SDM vol. 2, CALL: E8 rel32,
 * and FF /2 with each length of ModRM operand, 41 FF with r8-r15.) */
static bool
follows_call(uint64_t ra)
{
	uint8_t b[8];
	unsigned len;

	if (!readmem(b + 1, ra - 7, 7))
		return false;
	if (b[3] == 0xe8)
		return true;
	for (len = 2; len <= 7; len++) {
		uint8_t op = b[8 - len], modrm = b[9 - len];
		uint8_t mod = modrm >> 6, rm = modrm & 7;
		unsigned want = 2;

		if (op != 0xff || (modrm >> 3 & 7) != 2)
			continue;
		if (mod != 3 && rm == 4)
			want++;
		if (mod == 1)
			want++;
		if (mod == 2 || (mod == 0 && rm == 5))
			want += 4;
		if (want == len)
			return true;
	}
	return false;
}

/*
 * Code without tables: believe in a frame pointer if what it points at looks
 * like a frame.  The three ways to be a return address are what compilers of
 * JIT code and assembly leave on a stack; asking for a call instruction
 * alone would cut HotSpot's interpreter, which pushes return addresses.
 */
static bool
guess(struct walk *w, bool in_module)
{
	uint64_t fp = w->bp, ra, up;
	uint64_t top = stackmem_top(&w->mem, w->sp);

	if (fp < w->sp || fp % 8 != 0 || fp - w->sp > GUESS_REACH)
		return false;
	if (!stackmem_read(&w->mem, fp, &up) ||
	    !stackmem_read(&w->mem, fp + 8, &ra))
		return false;
	if (top == 0)
		top = w->sp + GUESS_REACH;
	if (ra >= w->sp && ra < top)
		return false;
	if (modinfo_key(ra) == 0 &&
	    (in_module || ra - w->pc + JIT_REACH > 2 * JIT_REACH) &&
	    !follows_call(ra))
		return false;
	w->pc = ra;
	w->bp = up;
	w->sp = fp + 16;
	w->exact = false;
	w->flags |= STACK_GUESSED;
	return true;
}

/*
 * The psABI has the program's first frame set rbp to 0; a _start linked from
 * a crt1.o without tables is known by that, at the end of its stack.
 */
static enum step
no_cfi_step(struct walk *w, bool in_module)
{
	if (guess(w, in_module))
		return STEP_ON;
	if (w->bp == 0 && w->mem.home_hi - w->sp <= FIRST_FRAME)
		return STEP_END;
	return STEP_CUT;
}

static enum step
signal_step(struct walk *w)
{
	uint64_t pc, sp, bp;

	if (!stackmem_read(&w->mem, w->sp + SIGFRAME_RIP, &pc) ||
	    !stackmem_read(&w->mem, w->sp + SIGFRAME_RSP, &sp) ||
	    !stackmem_read(&w->mem, w->sp + SIGFRAME_RBP, &bp))
		return STEP_CUT;
	w->pc = pc;
	w->sp = sp;
	w->bp = bp;
	w->exact = true; /* sp may go anywhere: to another stack */
	return pc == 0 ? STEP_END : STEP_ON;
}

/* The CFA of a rule by which the stack pointer rises. */
static bool
rule_frame(struct walk *w, uint64_t rule, uint64_t *cfa)
{
	uint64_t off = (uint64_t)rule_cfa(rule);

	switch (rule_kind(rule)) {
	case RULE_RSP: *cfa = w->sp + off; return true;
	case RULE_RBP: *cfa = w->bp + off; return true;
	case RULE_RBP_DEREF: return stackmem_read(&w->mem, w->bp + off, cfa);
	case RULE_RSP_DEREF: return stackmem_read(&w->mem, w->sp + off, cfa);
	case RULE_PLT: *cfa = w->sp + (w->pc % 16 >= off ? 16 : 8); return true;
	case RULE_NONE:
	case RULE_SIGNAL:
	case RULE_END:
	case RULE_NOCFI:
	case RULE_COMPLEX:
	case RULE_REFUSED: break;
	}
	return false;
}

enum step
walk_slow(struct walk *w, uint64_t rule)
{
	uint64_t cfa, off, pc, bp = w->bp;
	bool in_module = true;

	w->mem.from = w->sp; /* where a copied window starts */
	if (rule == 0)
		rule = cold_rule(w->exact ? w->pc : w->pc - 1, w->exact,
		    w->epoch, &in_module);
	switch (rule_kind(rule)) {
	case RULE_END: return STEP_END;
	case RULE_REFUSED: return STEP_CUT;
	case RULE_COMPLEX: return STEP_FULL;
	case RULE_SIGNAL: return signal_step(w);
	case RULE_NOCFI: return no_cfi_step(w, in_module);
	case RULE_NONE:
	case RULE_RSP:
	case RULE_RBP:
	case RULE_RBP_DEREF:
	case RULE_RSP_DEREF:
	case RULE_PLT: break;
	}
	/* An interrupted function may have popped everything, the return
	 * address included (libgcc's jump to a landing pad). */
	if (!rule_frame(w, rule, &cfa) || cfa % 8 != 0 || cfa < w->sp ||
	    (cfa == w->sp && !w->exact))
		return STEP_CUT;
	if (!stackmem_read(&w->mem, cfa - 8, &pc))
		return STEP_CUT;
	off = (uint64_t)rule_rbp_offset(rule);
	switch (rule_rbp(rule)) {
	case RULE_RBP_SAME: break;
	case RULE_RBP_LOST: bp = 0; break;
	case RULE_RBP_AT_CFA:
		if (!stackmem_read(&w->mem, cfa + off, &bp))
			return STEP_CUT;
		break;
	case RULE_RBP_AT_RBP:
		if (!stackmem_read(&w->mem, w->bp + off, &bp))
			return STEP_CUT;
		break;
	}
	w->pc = pc;
	w->bp = bp;
	w->sp = cfa;
	w->exact = false;
	return pc == 0 ? STEP_END : STEP_ON;
}

static bool
full_read(void *mem, uint64_t addr, uint64_t *value)
{
	return stackmem_read(mem, addr, value);
}

enum step
walk_full_step(struct walk *w, struct cfi_regs *regs)
{
	struct cfi_stack stack = { full_read, &w->mem };
	uint64_t pc = w->exact ? w->pc : w->pc - 1;
	uint64_t sp = regs->reg[CFI_RSP];
	bool was_exact = w->exact;
	struct modinfo_tables m;
	struct cfi_src s;
	struct cfi_row row;
	enum step step;
	bool in_module = walk_tables(pc, &m);

	w->mem.from = sp;
	w->sp = sp;
	w->bp = regs->known >> CFI_RBP & 1 ? regs->reg[CFI_RBP] : 0;
	if (in_module && m.closeable && !readmem_works())
		return STEP_CUT;
	if (in_module && m.eh_frame_hdr != 0) {
		cfi_src_init(&s, m.eh_frame_hdr, m.start, m.end, m.closeable);
		if (cfi_row(&s, pc, &row)) {
			switch (cfi_step(&s, &row, regs, &stack)) {
			case CFI_END: return STEP_END;
			case CFI_STUCK: return STEP_CUT;
			case CFI_STEPPED: break;
			}
			w->pc = regs->reg[CFI_RA];
			w->exact = row.signal;
			if (row.signal || regs->reg[CFI_RSP] > sp ||
			    (was_exact && regs->reg[CFI_RSP] == sp))
				return STEP_ON;
			return STEP_CUT;
		}
		if (put_by_hand(&s, pc, was_exact))
			return STEP_END;
	}
	step = no_cfi_step(w, in_module);
	if (step != STEP_ON)
		return step;
	regs->reg[CFI_RSP] = w->sp;
	regs->reg[CFI_RBP] = w->bp;
	regs->known = 1u << CFI_RSP | 1u << CFI_RBP;
	return STEP_ON;
}
