/*
 * Reads of this process's own memory that cannot fault.
 *
 * The kernel copies (process_vm_readv on ourselves) and answers a bad
 * address with an error.  Needs no ptrace right, as the address space is our
 * own, but a system call filter may refuse it: then nothing can be read and
 * every function says so.  No lock, no allocation, errno untouched; safe in
 * signal handlers, in forked children and after vfork.
 */
#ifndef PROF_READMEM_H
#define PROF_READMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Try whether it works; readmem_works() does it the first time. */
void readmem_init(void);

/* Never make the system call again. */
void readmem_stop(void);

/* Can anything be read? */
bool readmem_works(void);

/* Copy up to `n` bytes (at most 32 KiB) from address `src`; returns how many
 * could be read, from the start, in whole pages; 0 if none. */
size_t readmem_some(void *dst, uint64_t src, size_t n);

/* All of it or nothing. */
bool readmem(void *dst, uint64_t src, size_t n);

/* Copy the 4-byte words at `src`, `src` + step, ... with one system call;
 * at most READMEM_WORDS; all of them or nothing. */
#define READMEM_WORDS 9u
bool readmem_words(uint32_t *dst, uint64_t src, uint64_t step, unsigned count);

/*
 * Are the pages below `top` readable down to the one that holds `low`?
 * Returns the lowest address of the readable ones, counted without a gap
 * from `top` downwards; `top` is a page boundary.
 */
uint64_t readmem_down(uint64_t top, uint64_t low);

/* The page size that reads are split at; larger pages do no harm. */
#define READMEM_PAGE UINT64_C(4096)

#endif
