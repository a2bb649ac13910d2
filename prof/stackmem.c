#include "stackmem.h"

#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "meta.h"
#include "pagemap.h"
#include "readmem.h"
#include "thread.h"
#include "unwind.h"

extern void *__libc_stack_end;

/* In stack_lo: the range was found by asking for its pages and may grow. */
#define ASKED UINT64_C(1)

/* No farther down than this from the top, where nothing says how large a
 * stack is. */
#define REACH_THREAD UINT64_C(0x4000000)
#define REACH_FIRST  UINT64_C(0x40000000)

static struct {
	uint64_t first_thread; /* its thread pointer; a fork keeps it */
	uint64_t reach;        /* of the first thread's stack */
} self;

static uint64_t
thread_pointer(void)
{
	uint64_t tp;

#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#elif defined(__aarch64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(tp));
#endif
	return tp;
}

void
stackmem_init(void)
{
	struct rlimit limit;

	self.first_thread = thread_pointer();
	self.reach = REACH_FIRST;
	if (getrlimit(RLIMIT_STACK, &limit) == 0 &&
	    limit.rlim_cur < REACH_FIRST)
		self.reach = limit.rlim_cur + READMEM_PAGE;
}

/*
 * The home stack of a thread that was not seen to start.  If the kernel can't
 * be asked, that of the first thread is believed to reach down to the stack
 * pointer: it leaves the address space that the stack may grow into, as the
 * limit was at exec, to the stack alone (mmap_base() in its arch/x86/mm).
 */
static void
ask_home(struct stackmem *m, struct thread *t, uint64_t sp)
{
	uint64_t tp = thread_pointer();
	bool first = tp == self.first_thread;
	uint64_t hi = first ? (uintptr_t)__libc_stack_end : tp;
	uint64_t reach = first ? self.reach : REACH_THREAD;
	uint64_t lo;

	hi &= ~UINT64_C(7);
	lo = (hi + READMEM_PAGE - 1) & ~(READMEM_PAGE - 1);
	if (t && t->stack_hi == hi)
		lo = t->stack_lo & ~ASKED;
	if (sp < lo && hi - sp <= reach) {
		uint64_t page = sp & ~(READMEM_PAGE - 1);

		if (readmem_works())
			lo = readmem_down(lo, page);
		else if (first)
			lo = page;
	}
	if (t) {
		t->stack_hi = hi;
		t->stack_lo = lo | ASKED;
	}
	if (lo < hi) {
		m->home_lo = lo;
		m->home_hi = hi;
	}
}

void
stackmem_start(struct stackmem *m, struct thread *t, uint64_t sp)
{
	uintptr_t lo, hi;

	memset(m, 0, sizeof *m);
	m->t = t;
	m->from = sp;
	m->window = t ? t->window : NULL;
	if (t && t->stack_hi != 0 && !(t->stack_lo & ASKED)) {
		m->home_lo = t->stack_lo;
		m->home_hi = t->stack_hi & ~UINT64_C(7);
	} else {
		ask_home(m, t, sp);
	}
	if (stackmem_top(m, sp) != 0)
		return;
	if (!pagemap_block((const void *)(uintptr_t)sp, &lo, &hi)) {
		/* The page we are running on is there. */
		lo = sp & ~(READMEM_PAGE - 1);
		hi = lo + READMEM_PAGE;
	}
	m->block_lo = lo;
	m->block_hi = hi & ~UINT64_C(7);
}

uint64_t
stackmem_home_top(const struct thread *t, uint64_t sp)
{
	uint64_t lo = t->stack_lo & ~ASKED, hi = t->stack_hi & ~UINT64_C(7);

	return t->stack_hi != 0 && sp - lo < hi - lo ? hi : 0;
}

/* Copy a window that holds `addr`, from the frame's begin on if that is near:
 * a frame's words are not read in ascending order. */
static bool
fill(struct stackmem *m, uint64_t addr)
{
	uint64_t start = addr;

	if (addr - m->from < STACKMEM_WINDOW / 2)
		start = m->from;
	m->len = (uint32_t)readmem_some(m->window, start, STACKMEM_WINDOW);
	m->at = start;
	return m->len >= 8 && addr - start <= m->len - 8;
}

static bool
inside(uint64_t addr, uint64_t lo, uint64_t hi)
{
	return addr >= lo && hi - lo >= 8 && addr - lo <= hi - lo - 8;
}

bool
stackmem_read(struct stackmem *m, uint64_t addr, uint64_t *value)
{
	const uint8_t *from;

	if (inside(addr, m->home_lo, m->home_hi) ||
	    inside(addr, m->block_lo, m->block_hi)) {
		from = (const uint8_t *)(uintptr_t)addr;
	} else {
		if (!m->window && m->t) {
			m->window = meta_alloc(STACKMEM_WINDOW);
			m->t->window = m->window;
		}
		if (!m->window)
			return readmem(value, addr, sizeof *value);
		if (!(m->len >= 8 && addr - m->at <= m->len - 8) &&
		    !fill(m, addr))
			return false;
		from = m->window + (addr - m->at);
	}
	memcpy(value, from, sizeof *value);
	return true;
}
