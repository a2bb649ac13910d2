/*
 * The kernel, without libc in between.
 *
 * System calls are made directly, so that errno stays as it is and nothing
 * here needs thread-local storage: threads made by a bare clone() may call
 * every function of this file.  Only os.c makes memory system calls.
 *
 * Sizes are bytes and multiples of the kernel's page.  Mappings are private,
 * anonymous, readable, writable and zero.
 */
#ifndef PROF_OS_H
#define PROF_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For a large array of zeros most of which is seldom used: away from the small
 * variables, which then share a few pages (the library is linked with
 * --sort-section=alignment).  A process that starts or forks pays for each
 * page it touches. */
#define BIG_BSS __attribute__((aligned(4096)))

/* One system call; the kernel's answer, -errno if it failed. */
static inline long
os_syscall6(long n, long a, long b, long c, long d, long e, long f)
{
#if defined __x86_64__
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long r;
	__asm__ volatile(
	    "syscall"
	    : "=a"(r)
	    : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	    : "rcx", "r11", "memory");
	return r;
#elif defined __aarch64__
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#	error "heaptop knows the system calls of x86-64 and aarch64 only"
#endif
}

/* os_syscall(number, up to six arguments): the missing ones are 0. */
#define os_syscall(...) OS_SYSCALL_PAD_(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define OS_SYSCALL_PAD_(n, a, b, c, d, e, f, ...)                          \
	os_syscall6((long)(n), (long)(a), (long)(b), (long)(c), (long)(d), \
	    (long)(e), (long)(f))

/* A new mapping; NULL if there is none. */
void *os_map(size_t size);
/* The same at a multiple of `align`, a power of two, near `hint` if that is
 * free. */
void *os_map_aligned(void *hint, size_t size, size_t align);
void os_unmap(void *p, size_t size);
/* Give the pages back; they read as zero afterwards.  False if refused. */
bool os_purge(void *p, size_t size);
/* Resize a mapping where it is; false if there is no room. */
bool os_resize(void *p, size_t old, size_t size);
/* Make a mapping larger where it is; 0, or an errno value: ENOMEM if there is
 * no room, others if it could not be moved either. */
int os_grow(void *p, size_t old, size_t size);
/* Move a mapping's pages over the mapping at `to`; false if refused. */
bool os_move(void *p, size_t old, void *to, size_t size);
/* A shared mapping of a file; NULL if refused. */
void *os_map_shared(int fd, size_t size);
/* Another mapping of the pages that a shared mapping at `p` shows, and of
 * those behind them in its file; NULL if refused. */
void *os_remap_shared(void *p, size_t size);
/* A word that a fork child finds zeroed, 0 as yet; NULL if the kernel can't.
 * At the start, by one thread at a time; for a few words, which share a page. */
void *os_wiped_word(void);

void os_futex_wait(void *word, uint32_t seen);
void os_futex_wait_ms(void *word, uint32_t seen, unsigned ms);
void os_futex_wake(void *word, int count);
uint32_t os_gettid(void);
/* Whether a thread of that id exists anywhere. */
bool os_thread_exists(uint32_t tid);
void os_write(int fd, const void *p, size_t n);
/* Nanoseconds of CLOCK_MONOTONIC, a few milliseconds coarse. */
uint64_t os_now_coarse(void);

#endif
