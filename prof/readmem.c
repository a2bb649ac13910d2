#include "readmem.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include "os.h"

/* Pages asked about, or copied, with one system call. */
#define PAGES_A_CALL 9

static struct {
	_Atomic bool asked; /* `works` is known */
	_Atomic bool works;
	_Atomic bool stopped; /* for good, even before the start */
} self;

/* The pid is asked for each time: a cached one would be wrong in a child of
 * fork or vfork. */
static long
vm_read(const struct iovec *local, const struct iovec *remote, unsigned long n)
{
	long pid = os_syscall(SYS_getpid);

	return os_syscall(SYS_process_vm_readv, pid, local, 1, remote, n, 0);
}

void
readmem_init(void)
{
	uint64_t from = UINT64_C(0x5ca1ab1e), to = 0;
	struct iovec local = { &to, sizeof to };
	struct iovec remote = { &from, sizeof from };

	self.works = !self.stopped &&
	    vm_read(&local, &remote, 1) == (long)sizeof to && to == from;
	if (self.stopped)
		self.works = false; /* meanwhile */
	self.asked = true;
}

void
readmem_stop(void)
{
	self.stopped = true;
	self.works = false;
}

bool
readmem_works(void)
{
	if (!self.asked)
		readmem_init();
	return self.works;
}

/* A copy is whole or not by iovec, so each page gets one of its own. */
size_t
readmem_some(void *dst, uint64_t src, size_t n)
{
	struct iovec local = { dst, n };
	struct iovec remote[PAGES_A_CALL];
	unsigned count = 0;
	uint64_t at = src;
	size_t left = n;
	long got;

	if (!readmem_works() || src + n < src)
		return 0;
	while (left > 0 && count < PAGES_A_CALL) {
		size_t part = (size_t)(READMEM_PAGE - at % READMEM_PAGE);

		if (part > left)
			part = left;
		remote[count].iov_base = (void *)(uintptr_t)at;
		remote[count].iov_len = part;
		count++;
		at += part;
		left -= part;
	}
	local.iov_len = n - left;
	got = vm_read(&local, remote, count);
	return got > 0 ? (size_t)got : 0;
}

bool
readmem(void *dst, uint64_t src, size_t n)
{
	return readmem_some(dst, src, n) == n;
}

bool
readmem_words(uint32_t *dst, uint64_t src, uint64_t step, unsigned count)
{
	struct iovec local = { dst, count * sizeof *dst };
	struct iovec remote[READMEM_WORDS];
	unsigned i;

	if (!self.works || count > READMEM_WORDS)
		return false;
	for (i = 0; i < count; i++) {
		remote[i].iov_base = (void *)(uintptr_t)(src + i * step);
		remote[i].iov_len = sizeof *dst;
	}
	return vm_read(&local, remote, count) == (long)local.iov_len;
}

uint64_t
readmem_down(uint64_t top, uint64_t low)
{
	uint8_t byte[PAGES_A_CALL];
	struct iovec remote[PAGES_A_CALL];

	while (self.works && top > low) {
		struct iovec local = { byte, 0 };
		unsigned count = 0;
		uint64_t at = top;
		long got;

		while (at > low && count < PAGES_A_CALL) {
			at -= READMEM_PAGE;
			remote[count].iov_base = (void *)(uintptr_t)at;
			remote[count].iov_len = 1;
			count++;
		}
		local.iov_len = count;
		got = vm_read(&local, remote, count);
		if (got > 0)
			top -= (uint64_t)got * READMEM_PAGE;
		if (got != (long)count)
			break;
	}
	return top;
}
