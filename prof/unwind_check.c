/* The whole of libheaptop-check.so; linked with libunwind. */
#define UNW_LOCAL_ONLY
#include "unwind_check.h"

#include <libunwind.h>
#include <string.h>

/* A context as if a signal had stopped the thread at these registers.  What
 * a call may change is left 0. */
static void
context(const struct unwind_regs *r, unw_context_t *uc)
{
	memset(uc, 0, sizeof *uc);
#if defined(__x86_64__)
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)r->pc;
	uc->uc_mcontext.gregs[REG_RSP] = (greg_t)r->sp;
	uc->uc_mcontext.gregs[REG_RBP] = (greg_t)r->bp;
	uc->uc_mcontext.gregs[REG_RBX] = (greg_t)r->bx;
	uc->uc_mcontext.gregs[REG_R12] = (greg_t)r->r12;
	uc->uc_mcontext.gregs[REG_R13] = (greg_t)r->r13;
	uc->uc_mcontext.gregs[REG_R14] = (greg_t)r->r14;
	uc->uc_mcontext.gregs[REG_R15] = (greg_t)r->r15;
#else
	(void)r;
#endif
}

/* libunwind's caches outlive a dlclose; without them it is slow and right. */
unsigned __attribute__((visibility("default")))
heaptop_check_walk(const void *start_regs, uint64_t *pcs, unsigned max)
{
	static unw_context_t uc;
	static unw_cursor_t cursor;
	unsigned n = 0;
	unw_word_t ip;

	unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE);
	context(start_regs, &uc);
	if (unw_init_local2(&cursor, &uc, UNW_INIT_SIGNAL_FRAME) < 0)
		return 0;
	while (n < max) {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) < 0 || ip == 0)
			break;
		pcs[n++] = ip;
		if (unw_step(&cursor) <= 0)
			break;
	}
	return n;
}
