#include "unwind.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "format.h"
#include "memo.h"
#include "modinfo.h"
#include "readmem.h"
#include "rulecache.h"
#include "stackmem.h"
#include "thread.h"
#include "unwind_check.h"
#include "unwind_compare.h"
#include "walk.h"

struct unwind_ranges unwind_ranges;

static struct {
	_Atomic uint64_t epoch;
	_Atomic bool fp; /* frame pointers only */
	bool no_find;    /* no tables can be found: always so */
	struct modinfo_tables own;
} self;

/* Own frames at the leaf end are not counted, so not bounded by `max`. */
#define OWN_MAX 64

/*
 * Rules are for x86-64; on aarch64 frame pointers are all there is, our own
 * are kept, and the high bits of a return address may be its signature.
 */
#if defined(__x86_64__)
#	define OWN_BY_TABLES true
#	define RA_BITS       ~UINT64_C(0)
#else
#	define OWN_BY_TABLES false
#	define RA_BITS       UINT64_C(0x0000ffffffffffff)
#endif

/* Our own module when the dynamic linker can't be asked. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* Of libheaptop.a: our code alone, inside the program's; the names are the
 * linker's, the section's is the makefile's. */
extern const char __start_heaptop_text[]
    __attribute__((weak, visibility("hidden")));
extern const char __stop_heaptop_text[]
    __attribute__((weak, visibility("hidden")));

static void
init_ranges(void)
{
	struct modinfo_tables ldso;
	uint64_t base = getauxval(AT_BASE);

	modinfo_of_image((uintptr_t)__ehdr_start, &self.own);
	unwind_ranges.own_lo = self.own.start;
	unwind_ranges.own_hi = self.own.end;
	if (__start_heaptop_text != NULL) {
		unwind_ranges.own_lo = (uintptr_t)__start_heaptop_text;
		unwind_ranges.own_hi = (uintptr_t)__stop_heaptop_text;
	}

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
	self.no_find = !modinfo_init() || !OWN_BY_TABLES;
	self.fp = self.fp || self.no_find;
	init_ranges();
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
	atomic_fetch_add_explicit(&self.epoch, 1, memory_order_acq_rel);
}

uint64_t
unwind_epoch(void)
{
	return atomic_load_explicit(&self.epoch, memory_order_acquire);
}

/* Tables of the code at `pc`, found without the dynamic linker for our own:
 * its frames must be crossed in frame-pointer mode too. */
bool
walk_tables(uint64_t pc, struct modinfo_tables *m)
{
	if (unwind_is_own(pc)) {
		*m = self.own;
		return true;
	}
	return modinfo_tables(pc, m);
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
		step = walk_slow(w, rule);
	}
	return step;
}

/* Frame pointers only: [rbp] and [rbp + 8], upwards, until one is no frame. */
static enum step
walk_fp(struct walk *w)
{
	uint64_t ra, up;

	while (emit(w)) {
		if (w->own > 0 && OWN_BY_TABLES) {
			enum step step = walk_slow(w, 0);

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
		ra &= RA_BITS;
		if (ra == 0)
			return STEP_END;
		w->pc = ra;
		w->sp = w->bp + 16;
		w->bp = up;
	}
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
		step = walk_full_step(w, &regs);
	return step;
}

static void
walk_start(
    struct walk *w, const struct unwind_regs *r, uint64_t *pcs, unsigned max)
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
	stackmem_start(&w.mem, t, (uintptr_t)&w); /* surely on our stack */
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

/* One block, so that all registers belong to one place. */
static inline __attribute__((always_inline)) void
registers(struct unwind_regs *r)
{
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
			 : "=m"(r->pc), "=m"(r->sp), "=m"(r->bp), "=m"(r->bx),
			 "=m"(r->r12), "=m"(r->r13), "=m"(r->r14), "=m"(r->r15)
			 :
			 : "rax");
#elif defined(__aarch64__)
	*r = (struct unwind_regs){ 0 };
	__asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29"
			 : "=&r"(r->pc), "=&r"(r->sp), "=&r"(r->bp));
#endif
}

unsigned
unwind_capture(struct thread *t, uint64_t *pcs, unsigned max, unsigned *flags)
{
	struct unwind_regs r;

	registers(&r);
	return unwind_from(t, &r, pcs, max, flags);
}

/* The memo's stack, which was walked from `r`. */
static __attribute__((noinline)) void
compare(struct thread *t, const struct memo *m, const struct unwind_regs *r)
{
	uint64_t *pcs = t->scratch;
	unsigned n = memo_pcs(m, pcs, true);

	unwind_compare(r, pcs, n, n + 1);
}

bool
unwind_again(struct thread *t, struct memo *m, bool *same)
{
	struct unwind_regs r;
	enum memo_result how;
	uint64_t top;

	if (self.fp)
		return false;
	registers(&r);
	top = stackmem_home_top(t, r.sp);
	if (top == 0)
		return false;
	how = memo_walk(m, &r, top, unwind_epoch());
	if (how != MEMO_NONE && unwind_comparing())
		compare(t, m, &r);
	*same = how == MEMO_SAME;
	return how != MEMO_NONE;
}
