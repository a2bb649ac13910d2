#include "io/heapfit.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/elfpeek.h"

#define PAGE 4096u

bool
heapfit_read(const char *path, struct elfpeek *peek)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    elfpeek_headers(fd, peek) == 0 && peek->segments > 0;
	close(fd);
	return ok;
}

static uint64_t
page_down(uint64_t a)
{
	return a & ~(uint64_t)(PAGE - 1);
}

static uint64_t
page_up(uint64_t a)
{
	return page_down(a + PAGE - 1);
}

/* The addresses in the file are those mapped less this.  A debug file keeps
 * addresses, but its offsets mean nothing. */
static bool
bias_of(
    const struct heapfit_mapped *f, const struct elfpeek *peek, uint64_t *bias)
{
	uint64_t vaddr;

	if (f->first_offset == 0 && f->start != f->code) {
		*bias = f->start - page_down(peek->segment[0].vaddr);
		return true;
	}
	if (!elfpeek_address(peek, f->code_offset, &vaddr))
		return false;
	*bias = f->code - vaddr;
	return true;
}

/* The file's segments begin and end where the code does, first to last: who
 * has no more than where a module lies writes it as one mapping. */
static bool
same_whole(
    const struct heapfit_mapped *f, const struct elfpeek *peek, uint64_t bias)
{
	uint64_t lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < peek->segments; i++) {
		uint64_t begin = peek->segment[i].vaddr;
		uint64_t end = begin + peek->segment[i].memory_size;

		lo = begin < lo ? begin : lo;
		hi = end > hi ? end : hi;
	}
	return page_down(lo) + bias == f->code &&
	    page_up(hi) + bias == page_up(f->code_end);
}

/* A segment begins and ends where the code does, or all together. */
static bool
same_layout(
    const struct heapfit_mapped *f, const struct elfpeek *peek, uint64_t bias)
{
	for (size_t i = 0; i < peek->segments; i++) {
		uint64_t lo = peek->segment[i].vaddr;
		uint64_t hi = page_up(lo + peek->segment[i].memory_size) + bias;

		lo = page_down(lo) + bias;
		if (lo == f->code && hi == f->code_end)
			return true;
	}
	return same_whole(f, peek, bias);
}

#define CALL_MAX   7 /* bytes of a call instruction */
#define CALLS_SURE 8 /* so many at once are no accident */

/* How long the call is whose opcode is 0xff; 0 if it is none. */
static unsigned
indirect_length(const uint8_t *p)
{
	unsigned mod = p[1] >> 6, rm = p[1] & 7;
	unsigned sib = mod != 3 && rm == 4;

	if (p[0] != 0xff || (p[1] >> 3 & 7) != 2)
		return 0;
	if (mod == 1)
		return 3 + sib;
	if (mod == 2 || (mod == 0 && rm == 5))
		return 6 + sib;
	if (sib && (p[2] & 7) == 5)
		return 7;
	return 2 + sib;
}

/* Do these bytes end in a call? */
static bool
ends_in_call(const uint8_t b[CALL_MAX])
{
	if (b[CALL_MAX - 5] == 0xe8)
		return true;
	for (unsigned len = 2; len <= CALL_MAX; len++)
		if (indirect_length(b + CALL_MAX - len) == len)
			return true;
	return false;
}

/* The bytes in front of an address of the file's; false if it has none. */
static bool
read_before(
    int fd, const struct elfpeek *peek, uint64_t vaddr, uint8_t out[CALL_MAX])
{
	uint64_t from = vaddr - CALL_MAX;

	for (size_t i = 0; i < peek->segments; i++) {
		uint64_t in = from - peek->segment[i].vaddr;

		if (from < peek->segment[i].vaddr ||
		    in >= peek->segment[i].file_size)
			continue;
		return pread(fd, out, CALL_MAX,
			   (off_t)(peek->segment[i].offset + in)) == CALL_MAX;
	}
	return false;
}

/* How many of the places are calls, and of how many the file has the code. */
static size_t
count_calls(const char *path, const struct elfpeek *peek, uint64_t bias,
    const uint64_t *places, size_t n, size_t *seen)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t calls = 0;
	uint8_t b[CALL_MAX];

	*seen = 0;
	for (size_t i = 0; i < n && fd >= 0; i++) {
		bool call = false, is_there = false;

		/* a leaf may be the return address itself */
		for (uint64_t k = 0; k < 2 && !call; k++) {
			if (!read_before(fd, peek, places[i] + 1 - k - bias, b))
				continue;
			is_there = true;
			call = ends_in_call(b);
		}
		*seen += is_there;
		calls += call;
	}
	if (fd >= 0)
		close(fd);
	return calls;
}

/* Some of the text may have been mapped anew, on huge pages, so that the
 * layout is another one: then there must be calls. */
enum heapfit
heapfit(const struct heapfit_mapped *f, const char *path,
    const struct elfpeek *peek, const uint64_t *places, size_t n,
    uint64_t *bias)
{
	size_t seen = 0, calls = 0;

	if (!f->has_code || !bias_of(f, peek, bias))
		return FIT_OTHER;
	if (f->build_id_len > 0 && peek->build_id_len > 0)
		return f->build_id_len == peek->build_id_len &&
			memcmp(f->build_id, peek->build_id, f->build_id_len) ==
			    0
		    ? FIT_SAME
		    : FIT_OTHER;
	if (peek->machine == EM_X86_64)
		calls = count_calls(path, peek, *bias, places, n, &seen);
	if (calls < seen - seen / 4)
		return FIT_OTHER;
	return same_layout(f, peek, *bias) || calls >= CALLS_SURE ? FIT_SAME
								  : FIT_OTHER;
}
