/*
 * A small table as a process would leave it: one module, stack, thread and
 * cell, 3000 bytes allocated of which 1000 are freed; of the two samples that
 * live, one is told of, a birth of 100 bytes at tick 50.
 */
#ifndef TEST_TABLE_FIXTURE_H
#define TEST_TABLE_FIXTURE_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prof/table.h"

/* Two chunks: the head, and one for everything else. */
struct table {
	unsigned char chunk[2][TABLE_CHUNK];
};

#define AT(place)  (TABLE_CHUNK + (place))
#define MODULES_AT 4096
#define STACKS_AT  65536
#define CELLS_AT   131072
#define SLOTS_AT   262144
#define FRAMES_AT  300000
#define STRINGS_AT 400000
#define BIRTHS_AT  500000
#define RECORDS_AT 524288

static inline struct table *
make_table(void)
{
	struct table *t = calloc(1, sizeof *t);
	struct table_head *h = (struct table_head *)(void *)t->chunk[0];
	unsigned char *c = t->chunk[1];
	struct table_module m = { .start = 0x1000,
		.end = 0x9000,
		.bias = 0x1000,
		.path = AT(STRINGS_AT),
		.path_len = 6 };
	struct table_stack s = { .frames = AT(FRAMES_AT), .count = 2 };
	struct table_slot slot = {
		.tid = 9, .state = SLOT_LIVE, .name_len = 4, .name = "main"
	};
	struct table_cell cell = { .stack = 1, .slot = 1 };
	struct table_births births = { .start_ns = 1000,
		.count = 3,
		.untold = 1,
		.dir = { AT(RECORDS_AT) } };
	struct table_birth birth = { birth_word(1, 0, 0), 50, 100, 0 };
	uint64_t frames[2] = { (uint64_t)1 << 48 | 0x10,
		(uint64_t)1 << 48 | 0x20 };

	h->magic = TABLE_MAGIC;
	h->version = FORMAT_VERSION;
	h->chunks = 2;
	h->hello.magic = FORMAT_MAGIC;
	h->hello.version = FORMAT_VERSION;
	h->hello.pid = 77;
	h->hello.image_len = 6;
	h->image = AT(STRINGS_AT);
	h->modules = h->stacks = 1;
	h->cells = 1;
	h->slots = 2;
	h->lg_sample = 16;
	h->active = 1;
	h->module_dir[0] = AT(MODULES_AT);
	h->stack_dir[0] = AT(STACKS_AT);
	h->cell_dir[0] = AT(CELLS_AT);
	h->births = AT(BIRTHS_AT);
	h->slot_dir[0] = AT(SLOTS_AT);
	cell.alloc_objects = 3;
	cell.alloc_bytes = 300;
	cell.alloc_est_objects = 30 << EST_OBJECT_SHIFT;
	cell.alloc_est_bytes = 3000 << EST_BYTE_SHIFT;
	cell.freed_objects = 1;
	cell.freed_est_objects = 10 << EST_OBJECT_SHIFT;
	cell.freed_est_bytes = 1000 << EST_BYTE_SHIFT;
	memcpy(c + STRINGS_AT, "/bin/x", 6);
	memcpy(c + MODULES_AT, &m, sizeof m);
	memcpy(c + STACKS_AT, &s, sizeof s);
	memcpy(c + FRAMES_AT, frames, sizeof frames);
	memcpy(c + SLOTS_AT + sizeof slot, &slot, sizeof slot);
	memcpy(c + CELLS_AT, &cell, sizeof cell);
	memcpy(c + BIRTHS_AT, &births, sizeof births);
	memcpy(c + RECORDS_AT + 2 * sizeof birth, &birth, sizeof birth);
	return t;
}

static inline int
table_file(const struct table *t, size_t size)
{
	int fd = memfd_create("table", MFD_CLOEXEC);

	assert_int_equal(write(fd, t, size), size);
	return fd;
}

#endif
