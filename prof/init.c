#include "init.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "cells.h"
#include "conf.h"
#include "control.h"
#include "creds.h"
#include "dump.h"
#include "entry.h"
#include "facts.h"
#include "finish.h"
#include "lock.h"
#include "mirror.h"
#include "os.h"
#include "pool.h"
#include "rate.h"
#include "reset.h"
#include "sample.h"
#include "stacktab.h"
#include "statsprint.h"
#include "strict.h"
#include "tablewrite.h"
#include "thread.h"
#include "trigger.h"
#include "unwind.h"

#define NS_PER_TICK 10000000u

/* How far into struct pthread its thread id is looked for: 0x2d0 in glibc
 * 2.36 on x86-64. */
#define TID_SEARCH 2048

extern char **environ;

static struct {
	bool done;
	uint32_t pid;
	uint32_t tid_offset; /* 0: not found */
	uint64_t start_ns;
	uint64_t forked_ns; /* 0: not made by fork */
	uint32_t *wiped;    /* 1, and 0 in a child that has not noticed */
} init;

bool
init_done(void)
{
	return init.done;
}

uint32_t
init_pid(void)
{
	return init.pid;
}

uint32_t
init_ticks(void)
{
	return (uint32_t)((os_now_coarse() - init.start_ns) / NS_PER_TICK);
}

uint64_t
init_ticks_start_ns(void)
{
	return init.start_ns;
}

uint64_t
init_start_ns(void)
{
	return init.forked_ns ? init.forked_ns : init.start_ns;
}

uint64_t
init_entropy(void)
{
	uint64_t x = init.start_ns;
	const void *p = (const void *)getauxval(AT_RANDOM);

	if (p)
		memcpy(&x, p, sizeof x);
	return x ^ (uint64_t)init.pid << 32;
}

bool
init_conf(void)
{
	if (conf.read)
		return true;
	if (!environ)
		return false;
	conf_read();
	trigger_configure();
	rate_set((struct rate){ (uint8_t)conf.lg_sample, conf.prof_active });
	conf.read = true;
	return true;
}

void
init_early(void)
{
	if (init.start_ns == 0) {
		init.start_ns = os_now_coarse();
		/* nobody but libc's threads yet, see control_start() */
		lock_private = true;
	}
	init_conf();
}

#if defined __x86_64__ || defined __aarch64__
static void
find_tid(void)
{
	const char *tp = __builtin_thread_pointer();
	uint32_t tid = os_gettid(), word;

	for (uint32_t i = 16; i < TID_SEARCH; i += 4) {
		memcpy(&word, tp + i, sizeof word);
		if (word == tid) {
			init.tid_offset = i;
			return;
		}
	}
}
#endif

uint32_t
init_own_tid(void)
{
	const char *tp = __builtin_thread_pointer();
	uint32_t tid = 0;

	if (init.tid_offset)
		memcpy(&tid, tp + init.tid_offset, sizeof tid);
	else if (!control_is_silent())
		tid = os_gettid();
	return tid;
}

static void
before_fork(void)
{
	table_settle();
	alloc_fork_prepare();
}

/* The child's one thread: nothing of the parent's helper is here, and its
 * table is only to be read. */
static void
become_child(void)
{
	if (init.wiped)
		*init.wiped = 1;
	/* 0, where a filter may forbid to ask: no helper wants to know */
	init.pid = control_is_silent() ? 0 : (uint32_t)os_syscall(SYS_getpid);
	init.forked_ns = os_now_coarse();
	control_forked();
	creds_forked();
	trigger_forked();
	dump_forked();
	reset_forked();
	pool_forked();
	mirror_forked();
	table_forked();
	stacktab_forked();
	cells_forked();
}

static void
in_child(void)
{
	alloc_fork_child();
	become_child();
}

void
init_check_fork(void)
{
	if (init.wiped && __atomic_load_n(init.wiped, __ATOMIC_RELAXED) == 0)
		become_child();
}

/* The library is initialized first of all (-z initfirst), so that what other
 * libraries allocate in their constructors is seen.  libc has not set environ
 * by then; constructors are handed the environment, as in its own manner. */
__attribute__((constructor)) static void
start(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)argv;
	if (!environ)
		environ = envp;
	init.pid = (uint32_t)os_syscall(SYS_getpid);
	init_early();
	pthread_atfork(before_fork, alloc_fork_parent, in_child);
	entry_resolve_next();
	init.wiped = os_wiped_word();
	if (init.wiped)
		*init.wiped = 1;
	find_tid();
	init_conf();
	strict_start();
	if (conf.prof) {
		unwind_init();
		facts_start();
		if (conf.unwind == UNWIND_FP)
			unwind_use_fp(true);
		if (conf.unwind == UNWIND_CHECK)
			unwind_check_load();
		dump_start();
		trigger_start();
	}
	init.done = true;
}

__attribute__((destructor)) static void
stop(void)
{
	bool failed = false;

	if (!init.done)
		return;
	if (conf.prof) {
		init_check_fork();
		failed = finish();
	}
	if (conf.stats_print)
		stats_print(NULL, NULL, conf.stats_print_opts);
	if (failed)
		exit(1); /* goes on where this exit() is: streams are flushed */
}
