#include "control.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "conf.h"
#include "format.h"
#include "helper.h"
#include "init.h"
#include "lock.h"
#include "meta.h"
#include "os.h"
#include "rendezvous.h"
#include "tablewrite.h"

/* The helper's stack, and above it what stands in for thread-local storage:
 * zeros that a stray read of a TLS variable meets, then the thread control
 * block.  Pages never touched are never there. */
#define STACK_BYTES (128u << 10)
#define TLS_BYTES   (256u << 10)
#define TCB_BYTES   4096u
#define BLOCK_BYTES (STACK_BYTES + TLS_BYTES + TCB_BYTES)

#define HANDED_WAIT_MS 2000
#define ASK_WAIT_MS    500

/* All signals, in the kernel's width. */
static const uint64_t all_signals = ~UINT64_C(0);

static struct {
	_Atomic uint32_t
	    tid; /* of the helper; the kernel clears it at its end */
	_Atomic uint32_t handed; /* 1: it has introduced itself, or given up */
	_Atomic uint32_t asked;  /* enum control_ask, cleared when done */
	bool wanted;             /* it was stopped and is to be made again */
	bool silent;             /* it ended for good */
	char *block;             /* stack and TLS stand-in, used again */
} control;

struct control_creds control_creds;

static int
helper_main(void *arg)
{
	(void)arg;
	helper_run();
	return 0;
}

/* A thread control block: on x86-64 its first word and the third point to
 * itself (ABI, and what glibc reads). */
static void *
make_tcb(char *block)
{
	void **tcb = (void **)(void *)(block + STACK_BYTES + TLS_BYTES);

	tcb[0] = tcb;
	tcb[2] = tcb;
	return tcb;
}

bool
control_vforked(void)
{
	return (uint32_t)os_syscall(SYS_getpid) != init_pid();
}

/* Where the helper lives. */
static void
make_block(void)
{
	control.block = os_map(BLOCK_BYTES);
	if (control.block)
		meta_note(control.block, BLOCK_BYTES);
}

bool
control_start(void)
{
	int flags = CLONE_VM | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
	    CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |
	    CLONE_CHILD_CLEARTID;
	int saved = errno, tid;
	uint64_t old = 0;

	if (!conf.thread || control.silent || atomic_load(&control.tid) != 0)
		return false;
	if (control_vforked())
		return false;
	if (!control.block)
		make_block();
	if (!control.block)
		return false;
	atomic_store(&control.handed, 0);
	atomic_store(&control.asked, 0);
	/* libc does not count the helper among the threads */
	lock_private = false;
	os_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all_signals, &old, 8);
	tid = clone(helper_main, control.block + STACK_BYTES, flags, NULL,
	    &control.tid, make_tcb(control.block), &control.tid);
	os_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
	errno = saved;
	return tid > 0;
}

/* Wait while *word == seen, at most ms; true if it changed. */
static bool
wait_change(_Atomic uint32_t *word, uint32_t seen, int ms)
{
	uint64_t end = os_now_coarse() + (uint64_t)ms * 1000000u;

	while (atomic_load(word) == seen) {
		if (os_now_coarse() >= end)
			return false;
		os_futex_wait_ms(word, seen, 20);
	}
	return true;
}

void
control_wait_handed(void)
{
	if (control_lives())
		wait_change(&control.handed, 0, HANDED_WAIT_MS);
}

bool
control_lives(void)
{
	return atomic_load(&control.tid) != 0;
}

void
control_handed(void)
{
	atomic_store(&control.handed, 1);
	os_futex_wake(&control.handed, 1 << 30);
}

uint32_t
control_asked(void)
{
	return atomic_load(&control.asked);
}

void
control_did(uint32_t what)
{
	atomic_fetch_and(&control.asked, ~what);
	os_futex_wake(&control.asked, 1 << 30);
}

/* The helper is a thread of this process until the kernel says it is gone. */
static void
wait_gone(uint32_t tid)
{
	uint64_t end = os_now_coarse() + UINT64_C(1000000) * ASK_WAIT_MS;

	wait_change(&control.tid, tid, ASK_WAIT_MS);
	while (os_syscall(SYS_tgkill, init_pid(), tid, 0) == 0 &&
	    os_now_coarse() < end)
		os_syscall(SYS_sched_yield);
}

void
control_wake(void)
{
	uint32_t tid = atomic_load(&control.tid);

	if (tid != 0 && !control.silent)
		os_syscall(SYS_tgkill, init_pid(), tid, CONTROL_WAKE_SIGNAL);
}

bool
control_paused(void)
{
	return control.wanted;
}

void
control_request(enum control_ask what)
{
	uint32_t tid = atomic_load(&control.tid), asked;

	if (tid == 0 || control_vforked())
		return;
	control_wait_handed();
	asked =
	    atomic_fetch_or(&control.asked, (uint32_t)what) | (uint32_t)what;
	os_syscall(SYS_tgkill, init_pid(), tid, CONTROL_WAKE_SIGNAL);
	wait_change(&control.asked, asked, ASK_WAIT_MS);
	if (what == ASK_CREDS)
		return;
	wait_gone(tid);
	control.wanted = what == ASK_STOP;
}

void
control_resume(void)
{
	if (!control.wanted)
		return;
	control.wanted = false;
	control_start();
}

void
control_silence(void)
{
	struct table_head *h;

	if (!conf.prof || !init_done() || control.silent)
		return;
	init_check_fork();
	if (control_vforked())
		return;
	if (table_open())
		control_wait_handed();
	h = table_head();
	if (h)
		h->hello.flags |= HELLO_SILENT;
	control_request(ASK_SILENCE);
	control.silent = true;
}

bool
control_is_silent(void)
{
	return control.silent;
}

void
control_forked(void)
{
	atomic_store(&control.tid, 0);
	atomic_store(&control.handed, 0);
	atomic_store(&control.asked, 0);
	control.wanted = false;
	rendezvous_forked();
	/* the block is a copy of the parent helper's stack: used again as it
	 * is, since the helper reads nothing it has not written */
}
