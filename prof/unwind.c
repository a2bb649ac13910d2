#include "unwind.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "cfi.h"
#include "format.h"
#include "modinfo.h"
#include "readmem.h"
#include "rulecache.h"
#include "stackmem.h"
#include "thread.h"
#include "unwind_check.h"
#include "unwind_compare.h"

struct unwind_ranges unwind_ranges;

static struct {
	_Atomic uint64_t epoch;
	_Atomic bool fp;    /* frame pointers only */
	bool no_find;       /* there is no _dl_find_object */
	struct modinfo_tables own;
} self;

/* Own frames at the leaf end are not counted, so not bounded by `max`. */
#define OWN_MAX 64

/* A frame pointer is believed if it is at most this far up the stack. */
#define GUESS_REACH UINT64_C(0x40000)

/* Bytes between the end of a stack and the stack pointer of _start. */
#define FIRST_FRAME 64

/* Code caches of JIT compilers keep within this distance. */
#define JIT_REACH UINT64_C(0x10000000)

/* A walk under way. */
struct walk {
	uint64_t pc, sp, bp;
	bool exact; /* pc is the next instruction, not a return address */
	bool full;  /* the list is */
	uint64_t epoch;
	unsigned flags; /* STACK_* */
	struct stackmem mem;

	uint64_t *pcs;
	unsigned n, max;
	unsigned own; /* frames of our own still to be skipped, at most */
};

enum step {
	STEP_ON,
	STEP_END,  /* the outermost frame */
	STEP_CUT,  /* can't go on */
	STEP_FULL, /* only the evaluator can go on */
};

/* Our own module when the dynamic linker can't be asked. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static void
init_ranges(void)
{
	struct modinfo_tables ldso;
	uint64_t base = getauxval(AT_BASE);

	modinfo_of_image((uintptr_t)__ehdr_start, &self.own);
	unwind_ranges.own_lo = self.own.start;
	unwind_ranges.own_hi = self.own.end;

	/* AT_BASE is 0 when ld.so was run as a program; then it is where the
	 * look-up function itself lies. */
	if (!modinfo_of_image(base, &ldso) && !modinfo_ldso(&ldso))
		return;
	unwind_ranges.ldso_lo = ldso.start;
	unwind_ranges.ldso_hi = ldso.end;
}

void
unwind_init(void)
{
	self.no_find = !modinfo_init();
	self.fp = self.fp || self.no_find;
	init_ranges();
	readmem_init();
	stackmem_init();
}

void
unwind_use_fp(bool on)
{
	self.fp = on || self.no_find;
}

bool
unwind_uses_fp(void)
{
	return self.fp;
}

void
unwind_no_syscalls(void)
{
	readmem_stop();
}

void
unwind_linkmap_freed(void)
{
	atomic_fetch_add_explicit(&self.epoch, 1, memory_order_release);
}

uint64_t
unwind_epoch(void)
{
	return atomic_load_explicit(&self.epoch, memory_order_acquire);
}

/* Tables of the code at `pc`, found without the dynamic linker for our own:
 * its frames must be crossed in frame-pointer mode too. */
static bool
tables_of(uint64_t pc, struct modinfo_tables *m)
{
	if (unwind_is_own(pc)) {
		*m = self.own;
		return true;
	}
	return modinfo_tables(pc, m);
}

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
	if (!tables_of(pc, &m)) {
		*in_module = false; /* not kept: a dlopen may come */
		return RULE_NOCFI;
	}
	if (m.closeable && !readmem_works())
		return RULE_REFUSED;
	rule = RULE_NOCFI;
	if (m.eh_frame_hdr != 0) {
		cfi_src_init(
		    &s, m.eh_frame_hdr, m.start, m.end, m.closeable);
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
	case RULE_PLT:
		*cfa = w->sp + (w->pc % 16 >= off ? 16 : 8);
		return true;
	default: return false;
	}
}

/* Any step: what the loop in walk() does for the usual ones, with every
 * read checked. */
static __attribute__((noinline)) enum step
slow_step(struct walk *w, uint64_t rule)
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
	default: break;
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

/* Put w->pc on the list; false when the list is full. */
static bool
emit(struct walk *w)
{
	if (w->own > 0) {
		if (unwind_is_own(w->pc)) {
			w->own--;
			return w->own > 0;
		}
		w->own = 0;
	}
	if (w->n == w->max) {
		w->flags |= STACK_CUT_DEPTH;
		return false;
	}
	w->pcs[w->n++] = w->pc;
	return true;
}

/*
 * Step over frames of the usual kind whose words lie in directly readable
 * stack, up to one that isn't; returns its rule, 0 if it is not known.
 * `top` is the end of that stack, or the stack pointer itself where there is
 * none, which makes every comparison fail.  cfa - 8 - sp < top - sp says at
 * once that the CFA lies above the stack pointer and its return address below
 * the top.
 */
static inline uint64_t
usual_steps(struct walk *w, uint64_t mix, unsigned shift)
{
	uint64_t pc = w->pc, sp = w->sp, bp = w->bp;
	uint64_t top = stackmem_top(&w->mem, sp);
	uint64_t rule, cfa, slot, up;
	bool exact = w->exact;

	if (top == 0)
		top = sp;
	for (;;) {
		uint64_t at = exact ? pc : pc - 1;

		rule = rulecache_get(at, at ^ mix, shift);
		if (rule_kind(rule) == RULE_RSP)
			cfa = sp + (uint64_t)rule_cfa(rule);
		else if (rule_kind(rule) == RULE_RBP)
			cfa = bp + (uint64_t)rule_cfa(rule);
		else
			break;
		if (cfa - 8 - sp >= top - sp || cfa % 8 != 0)
			break;
		up = bp;
		if (rule_rbp(rule) == RULE_RBP_AT_CFA) {
			slot = cfa + (uint64_t)rule_rbp_offset(rule);
			if (slot - sp >= top - sp || slot % 8 != 0)
				break;
			up = *(const uint64_t *)(uintptr_t)slot;
		} else if (rule_rbp(rule) != RULE_RBP_SAME) {
			break;
		}
		pc = *(const uint64_t *)(uintptr_t)(cfa - 8);
		sp = cfa;
		bp = up;
		exact = false;
		if (pc == 0)
			break;
		if (w->own == 0 && w->n < w->max) {
			w->pcs[w->n++] = pc;
			continue;
		}
		w->pc = pc;
		if (!emit(w)) {
			w->full = true;
			break;
		}
	}
	w->pc = pc;
	w->sp = sp;
	w->bp = bp;
	w->exact = exact;
	return rule;
}

static enum step
walk(struct walk *w)
{
	unsigned shift = rulecache_shift();
	uint64_t mix = rulecache_key(0, w->epoch);
	enum step step = STEP_ON;

	while (step == STEP_ON && emit(w)) {
		uint64_t rule = usual_steps(w, mix, shift);

		if (w->pc == 0)
			return STEP_END;
		if (w->full)
			return STEP_ON;
		step = slow_step(w, rule);
	}
	return step;
}

/* Frame pointers only: [rbp] and [rbp + 8], upwards, until one is no frame. */
static enum step
walk_fp(struct walk *w)
{
	uint64_t ra, up;

	while (emit(w)) {
		enum step step;

		if (w->own > 0) {
			step = slow_step(w, 0);
			if (step != STEP_ON)
				return step;
			continue;
		}
		if (w->bp == 0)
			return STEP_END;
		if (w->bp < w->sp || w->bp % 8 != 0 ||
		    !stackmem_read(&w->mem, w->bp, &up) ||
		    !stackmem_read(&w->mem, w->bp + 8, &ra))
			return STEP_CUT;
		if (ra == 0)
			return STEP_END;
		w->pc = ra;
		w->sp = w->bp + 16;
		w->bp = up;
	}
	return STEP_ON;
}

static bool
full_read(void *mem, uint64_t addr, uint64_t *value)
{
	return stackmem_read(mem, addr, value);
}

/* One frame with all registers. */
static __attribute__((noinline)) enum step
full_step(struct walk *w, struct cfi_regs *regs)
{
	struct cfi_stack stack = { full_read, &w->mem };
	uint64_t pc = w->exact ? w->pc : w->pc - 1;
	uint64_t sp = regs->reg[CFI_RSP];
	bool was_exact = w->exact;
	struct modinfo_tables m;
	struct cfi_src s;
	struct cfi_row row;
	enum step step;
	bool in_module = tables_of(pc, &m);

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

/* All over again, with the evaluator: the frame that needs it may need a
 * register which only a walk of all registers knows. */
static __attribute__((noinline)) enum step
walk_full(struct walk *w, const struct unwind_regs *start)
{
	struct cfi_regs regs = { .known = 1u << CFI_RBX | 1u << CFI_RBP |
		    1u << CFI_RSP | 0xfu << CFI_R12 };
	enum step step = STEP_ON;

	regs.reg[CFI_RBX] = start->bx;
	regs.reg[CFI_RBP] = start->bp;
	regs.reg[CFI_RSP] = start->sp;
	regs.reg[CFI_R12] = start->r12;
	regs.reg[CFI_R12 + 1] = start->r13;
	regs.reg[CFI_R12 + 2] = start->r14;
	regs.reg[CFI_R12 + 3] = start->r15;
	while (step == STEP_ON && emit(w))
		step = full_step(w, &regs);
	return step;
}

static void
walk_start(struct walk *w, const struct unwind_regs *r, uint64_t *pcs,
    unsigned max)
{
	w->pc = r->pc;
	w->sp = r->sp;
	w->bp = r->bp;
	w->exact = true;
	w->full = false;
	w->flags = 0;
	w->pcs = pcs;
	w->n = 0;
	w->max = max;
	w->own = OWN_MAX;
}

unsigned
unwind_from(struct thread *t, const struct unwind_regs *r, uint64_t *pcs,
    unsigned max, unsigned *flags)
{
	struct walk w;
	enum step step;

	w.epoch = unwind_epoch();
	stackmem_start(&w.mem, t, r->sp);
	walk_start(&w, r, pcs, max);
	if (self.fp) {
		step = walk_fp(&w);
	} else {
		step = walk(&w);
		if (step == STEP_FULL) {
			walk_start(&w, r, pcs, max);
			step = walk_full(&w, r);
		}
	}
	if (step == STEP_CUT || step == STEP_FULL)
		w.flags |= STACK_CUT_UNWIND;
	*flags = w.flags;
	if (unwind_comparing())
		unwind_compare(r, pcs, w.n, max);
	return w.n;
}

unsigned
unwind_capture(
    struct thread *t, uint64_t *pcs, unsigned max, unsigned *flags)
{
	struct unwind_regs r;

	/* One block, so that all registers belong to one place. */
#if defined(__x86_64__)
	__asm__ volatile("lea 0(%%rip), %%rax\n\t"
	                 "mov %%rax, %0\n\t"
	                 "mov %%rsp, %1\n\t"
	                 "mov %%rbp, %2\n\t"
	                 "mov %%rbx, %3\n\t"
	                 "mov %%r12, %4\n\t"
	                 "mov %%r13, %5\n\t"
	                 "mov %%r14, %6\n\t"
	                 "mov %%r15, %7"
	                 : "=m"(r.pc), "=m"(r.sp), "=m"(r.bp), "=m"(r.bx),
	                   "=m"(r.r12), "=m"(r.r13), "=m"(r.r14), "=m"(r.r15)
	                 :
	                 : "rax");
#elif defined(__aarch64__)
	r = (struct unwind_regs){ 0 };
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29"
	                 : "=&r"(r.pc), "=&r"(r.sp), "=&r"(r.bp));
#endif
	return unwind_from(t, &r, pcs, max, flags);
}
