#include "os.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef MADV_WIPEONFORK
#	define MADV_WIPEONFORK 18
#endif

static bool
failed(long r)
{
	return (unsigned long)r > -4096ul;
}

static void *
map(void *hint, size_t size)
{
	long r = os_syscall(SYS_mmap, hint, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return failed(r) ? NULL : (void *)r;
}

void *
os_map(size_t size)
{
	return map(NULL, size);
}

void *
os_map_aligned(void *hint, size_t size, size_t align)
{
	char *p = map(hint, size);
	if (p == NULL || ((uintptr_t)p & (align - 1)) == 0)
		return p;
	os_unmap(p, size);
	if (size > SIZE_MAX - align)
		return NULL;
	p = os_map(size + align);
	if (p == NULL)
		return NULL;
	size_t head = -(uintptr_t)p & (align - 1);
	if (head > 0)
		os_unmap(p, head);
	if (head < align)
		os_unmap(p + head + size, align - head);
	return p + head;
}

void
os_unmap(void *p, size_t size)
{
	os_syscall(SYS_munmap, p, size);
}

bool
os_purge(void *p, size_t size)
{
	return !failed(os_syscall(SYS_madvise, p, size, MADV_DONTNEED));
}

bool
os_resize(void *p, size_t old, size_t size)
{
	return !failed(os_syscall(SYS_mremap, p, old, size, 0));
}

int
os_grow(void *p, size_t old, size_t size)
{
	long r = os_syscall(SYS_mremap, p, old, size, 0);
	return failed(r) ? (int)-r : 0;
}

bool
os_move(void *p, size_t old, void *to, size_t size)
{
	return !failed(os_syscall(
	    SYS_mremap, p, old, size, MREMAP_MAYMOVE | MREMAP_FIXED, to));
}

void *
os_map_shared(int fd, size_t size)
{
	long r = os_syscall(
	    SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return failed(r) ? NULL : (void *)r;
}

void *
os_remap_shared(void *p, size_t size)
{
	long r = os_syscall(SYS_mremap, p, 0, size, MREMAP_MAYMOVE);
	return failed(r) ? NULL : (void *)r;
}

void *
os_wiped_word(void)
{
	enum {
		APART = 64, /* bytes from word to word */
		PAGE = 4096
	};
	static char *page;
	static size_t used;
	if (page == NULL) {
		char *p = os_map(PAGE);
		if (p == NULL)
			return NULL;
		if (failed(os_syscall(SYS_madvise, p, PAGE, MADV_WIPEONFORK))) {
			os_unmap(p, PAGE);
			return NULL;
		}
		page = p;
	}
	if (used == PAGE)
		return NULL;
	used += APART;
	return page + used - APART;
}

void
os_futex_wait(void *word, uint32_t seen)
{
	os_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL);
}

void
os_futex_wait_ms(void *word, uint32_t seen, unsigned ms)
{
	struct timespec t = { .tv_sec = ms / 1000,
		.tv_nsec = (long)(ms % 1000) * 1000000 };
	os_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &t);
}

void
os_futex_wake(void *word, int count)
{
	os_syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

uint32_t
os_gettid(void)
{
	return (uint32_t)os_syscall(SYS_gettid);
}

bool
os_thread_exists(uint32_t tid)
{
	return os_syscall(SYS_tkill, tid, 0) != -ESRCH;
}

void
os_write(int fd, const void *p, size_t n)
{
	os_syscall(SYS_write, fd, p, n);
}

uint64_t
os_now_coarse(void)
{
	/* libc's goes through the vDSO and can't fail for this clock. */
	struct timespec t = { 0, 0 };
	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
