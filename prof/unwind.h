/*
 * Where a call came from: the return addresses of the calling thread's stack.
 *
 * A walk finds the module of a program counter (_dl_find_object), in its
 * .eh_frame the rule that leads to the caller's frame (cfi.h), and steps.
 * Rules are 64-bit values kept in one process-wide table (rulecache.h), so a
 * frame met before costs a few nanoseconds.  Code without such tables (JIT
 * compilers, assembly) is crossed by a guess from the frame pointer; a stack
 * with such a frame says so.
 *
 * What a capture may do in a stranger's process: it takes no lock, allocates
 * nothing through malloc, calls no libc function but _dl_find_object, keeps
 * errno, may run in a signal handler and in a forked child, and its time is
 * bounded (`max` frames).  Memory is read directly only in the home stack of
 * the thread, in a live block of our own allocator that holds the real stack
 * pointer, and in tables of modules that are never unloaded; everything else
 * goes through the kernel (readmem.h), which answers a bad address with an
 * error instead of a fault.  Stack use is about 2 KiB at most.
 *
 * Epochs: a module loaded by dlopen may be closed and another one appear at
 * its addresses.  Its link_map is a block that ld.so took from our calloc
 * (unwind_is_ldso of the return address) and gives back when it has unmapped
 * the module; the allocator tells that by unwind_linkmap_freed(), and rules
 * of closeable modules hold in one epoch only.
 */
#ifndef PROF_UNWIND_H
#define PROF_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Once, at the start, outside malloc and before any capture. */
void unwind_init(void);

/*
 * The stack of the caller: up to `max` return addresses, leaf first, into
 * `pcs`; returns how many.  Frames of this library at the leaf end are left
 * out and not counted, so the first is the caller of malloc.  `*flags` gets
 * STACK_* of format.h.  `t` may be NULL; of it stack_lo, stack_hi and window
 * are used (and set, where they were not known).
 */
unsigned unwind_capture(
    struct thread *t, uint64_t *pcs, unsigned max, unsigned *flags);

struct memo;

/*
 * The same by means of the thread's memo (memo.h), for stacks that are as
 * usual: true, and the whole stack, without a flag, is in the memo.  False:
 * it takes unwind_capture().
 */
bool unwind_again(struct thread *t, struct memo *m, bool *same);

/* Follow frame pointers only (`prof_unwind:fp`).  Once unwind_init() has
 * found no _dl_find_object (glibc < 2.35) this stays on. */
void unwind_use_fp(bool on);
bool unwind_uses_fp(void);

/* A system call filter is about to be set, or was set before the start (then
 * it is called before the first capture): from now on no process_vm_readv.
 * Foreign stacks are cut, tables of closeable modules are not read. */
void unwind_no_syscalls(void);

/* A block that ld.so took from calloc was freed: starts a new epoch. */
void unwind_linkmap_freed(void);

/* The current epoch; part of a stack's identity. */
uint64_t unwind_epoch(void);

/* Address ranges found by unwind_init(); read-only afterwards. */
struct unwind_ranges {
	uintptr_t ldso_lo, ldso_hi; /* the dynamic linker */
	uintptr_t own_lo, own_hi;   /* this library */
};
extern struct unwind_ranges unwind_ranges;

/* Is this return address inside the dynamic linker? */
static inline bool
unwind_is_ldso(uintptr_t ra)
{
	return ra - unwind_ranges.ldso_lo <
	    unwind_ranges.ldso_hi - unwind_ranges.ldso_lo;
}

/* Is it inside this library? */
static inline bool
unwind_is_own(uintptr_t ra)
{
	return ra - unwind_ranges.own_lo <
	    unwind_ranges.own_hi - unwind_ranges.own_lo;
}

/*
 * `prof_unwind:check`: load libheaptop-check.so from this library's
 * directory; from then on every capture is compared with libunwind's walk
 * from the same registers.  Call it from the constructor: it uses dlopen.
 * Returns false if the module could not be loaded.
 */
bool unwind_check_load(void);

/* At exit: say on fd 2 how many stacks were compared and how many differ;
 * nothing if checking was never on. */
void unwind_check_report(void);

#endif
