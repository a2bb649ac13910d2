/*
 * The encoder over the table of a dead process, and the decoder behind it,
 * when the process has scribbled over its table: it ends with a snapshot or a
 * sentence.
 *
 * The input is a list of changes to a small sound table: a byte that picks a
 * part of it, two bytes of place in there, one of length, then the bytes.  If
 * the first byte is odd the file is also cut there, at the second and third.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "io/afterdeath.h"
#include "io/dumpread.h"
#include "model/profile.h"
#include "prof/table.h"

#define STRINGS_AT (64u << 10)
#define FRAMES_AT  (68u << 10)
#define SLOTS_AT   (72u << 10)
#define MODULES_AT (80u << 10)
#define STACKS_AT  (96u << 10)
#define CELLS_AT   (128u << 10)
#define BIRTHS_AT  (176u << 10)
#define RECORDS_AT (180u << 10)
#define TABLE_SIZE (208u << 10)

_Static_assert(sizeof(struct table_head) <= STRINGS_AT, "no overlap");
_Static_assert(
    CELLS_AT + CELL_SEG * sizeof(struct table_cell) <= BIRTHS_AT, "no overlap");
_Static_assert(
    RECORDS_AT + BIRTH_SEG * sizeof(struct table_birth) <= TABLE_SIZE,
    "no overlap");

static const struct {
	uint32_t at, size;
} parts[] = {
	{ 0, offsetof(struct table_head, module_dir) },
	{ offsetof(struct table_head, module_dir), 16 },
	{ offsetof(struct table_head, slot_dir), 16 },
	{ offsetof(struct table_head, stack_dir), 16 },
	{ offsetof(struct table_head, cell_dir), 16 },
	{ STRINGS_AT, 64 },
	{ FRAMES_AT, 64 },
	{ SLOTS_AT, 3 * sizeof(struct table_slot) },
	{ MODULES_AT, 2 * sizeof(struct table_module) },
	{ STACKS_AT, 4 * sizeof(struct table_stack) },
	{ CELLS_AT, 3 * sizeof(struct table_cell) },
	{ BIRTHS_AT, 16 },
	{ BIRTHS_AT + offsetof(struct table_births, dir), 16 },
	{ RECORDS_AT, 5 * sizeof(struct table_birth) },
	{ offsetof(struct table_head, births), 4 },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
make_head(struct table_head *h)
{
	h->magic = TABLE_MAGIC;
	h->version = FORMAT_VERSION;
	h->chunks = 1;
	h->hello.magic = FORMAT_MAGIC;
	h->hello.version = FORMAT_VERSION;
	h->hello.pid = 77;
	h->hello.image_len = 6;
	h->image = STRINGS_AT;
	h->modules = 1;
	h->stacks = 2;
	h->cells = 2;
	h->slots = 2;
	h->lg_sample = 16;
	h->active = 1;
	h->module_dir[0] = MODULES_AT;
	h->slot_dir[0] = SLOTS_AT;
	h->stack_dir[0] = STACKS_AT;
	h->cell_dir[0] = CELLS_AT;
	h->births = BIRTHS_AT;
}

static void
put_cell(unsigned char *t, uint32_t index, uint32_t stack)
{
	struct table_cell c = { .stack = stack,
		.slot = 1,
		.alloc_objects = 3,
		.alloc_bytes = 300,
		.alloc_est_objects = 30u << EST_OBJECT_SHIFT,
		.alloc_est_bytes = 3000u << EST_BYTE_SHIFT,
		.freed_objects = 1 };

	memcpy(t + CELLS_AT + index * sizeof c, &c, sizeof c);
}

static void
make_table(unsigned char *t)
{
	static const struct table_module m = { .start = 0x1000,
		.end = 0x9000,
		.bias = 0x1000,
		.path = STRINGS_AT,
		.path_len = 6 };
	static const struct table_stack s[2] = { { FRAMES_AT, 2, 0 },
		{ FRAMES_AT + 8, 1, 0 } };
	static const struct table_slot slot = {
		.tid = 9, .state = SLOT_LIVE, .name_len = 4, .name = "main"
	};
	static const uint64_t frames[2] = { (uint64_t)1 << 48 | 0x10,
		(uint64_t)1 << 48 | 0x20 };

	const struct table_births births = {
		.start_ns = 1000, .count = 4, .dir = { RECORDS_AT }
	};
	const struct table_birth birth[4] = { { 0 },
		{ birth_word(1, 16, 0), 5, 300, 1 },
		{ birth_word(2, 16, 3), 6, birth_pack(UINT64_C(5) << 30), 1 } };

	memset(t, 0, TABLE_SIZE);
	make_head((struct table_head *)(void *)t);
	memcpy(t + STRINGS_AT, "/bin/x", 6);
	memcpy(t + MODULES_AT, &m, sizeof m);
	memcpy(t + STACKS_AT, s, sizeof s);
	memcpy(t + FRAMES_AT, frames, sizeof frames);
	memcpy(t + SLOTS_AT + sizeof slot, &slot, sizeof slot);
	put_cell(t, 0, 1);
	put_cell(t, 1, 2);
	memcpy(t + BIRTHS_AT, &births, sizeof births);
	memcpy(t + RECORDS_AT, birth, sizeof birth);
}

/* Make the changes; the size that the file is to have. */
static size_t
scribble(unsigned char *t, const uint8_t *p, size_t left)
{
	size_t size = TABLE_SIZE;

	if (left >= 3 && p[0] % 2)
		size = ((size_t)p[1] << 10 | (size_t)p[2] << 2) % TABLE_SIZE;
	while (left >= 4) {
		size_t part = p[0] / 2 % (sizeof parts / sizeof *parts);
		uint32_t in = (p[1] | (uint32_t)p[2] << 8) % parts[part].size;
		size_t n = p[3] % 9;

		p += 4;
		left -= 4;
		n = n < left ? n : left;
		memcpy(t + parts[part].at + in, p, n);
		p += n;
		left -= n;
	}
	return size;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *t = aligned_alloc(64, TABLE_SIZE);
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "fuzz");
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	size_t keep;
	struct err e;

	make_table(t);
	keep = scribble(t, data, size);
	if (fd >= 0 && write(fd, t, keep) == (ssize_t)keep) {
		(void)afterdeath_read(fd, d, &e);
		/* and again into the same profile */
		(void)afterdeath_read(fd, d, &e);
	}
	if (fd >= 0)
		close(fd);
	dumpread_free(d);
	profile_free(p);
	free(t);
	return 0;
}
