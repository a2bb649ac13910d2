/* needs: src/base/ src/model/ src/io/smaps.c src/io/smaps_kinds.c */
/* libs: -lm */
#include "io/smaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/memory.h"

/* As a kernel 6.18 writes it, some lines left out. */
static const char python[] =
    "55d8f1e00000-55d8f1e6c000 r--p 00000000 fe:00 247498"
    "                     /usr/bin/python3.11\n"
    "Size:                432 kB\n"
    "KernelPageSize:        4 kB\n"
    "Rss:                 400 kB\n"
    "Pss:                 200 kB\n"
    "Pss_Dirty:             0 kB\n"
    "Shared_Clean:        400 kB\n"
    "Shared_Dirty:          0 kB\n"
    "Private_Dirty:         0 kB\n"
    "Swap:                  0 kB\n"
    "SwapPss:               0 kB\n"
    "VmFlags: rd mr mw me sd \n"
    "55d8f1e6c000-55d8f2000000 r-xp 0006c000 fe:00 247498"
    "                     /usr/bin/python3.11\n"
    "Rss:                1200 kB\n"
    "Pss:                 600 kB\n"
    "Private_Dirty:         8 kB\n"
    "55d8f2000000-55d8f2010000 rw-p 00200000 fe:00 247498"
    "                     /usr/bin/python3.11\n"
    "Rss:                  64 kB\n"
    "Pss:                  64 kB\n"
    "Shared_Dirty:          4 kB\n"
    "Private_Dirty:        56 kB\n"
    "Swap:                  4 kB\n"
    "55d8f2010000-55d8f2050000 rw-p 00000000 00:00 0 \n"
    "Rss:                 100 kB\n"
    "Private_Dirty:       100 kB\n"
    "55d8f3000000-55d8f3021000 rw-p 00000000 00:00 0"
    "                          [heap]\n"
    "Rss:                   8 kB\n"
    "7f0000000000-7f0000001000 ---p 00000000 00:00 0 \n"
    "Rss:                   0 kB\n"
    "7f0000001000-7f0000801000 rw-p 00000000 00:00 0 \n"
    "Rss:                  44 kB\n"
    "7f0001000000-7f0001100000 r--s 00000000 fe:01 12"
    "                         /srv/a file\\012named.dat\n"
    "Rss:                 512 kB\n"
    "7f0002000000-7f0002100000 rw-s 00000000 00:01 77"
    "                         /memfd:heaptop (deleted)\n"
    "Rss:                 256 kB\n"
    "7f0003000000-7f0003100000 rw-s 00000000 00:1b 9"
    "                          /dev/shm/ring\n"
    "Rss:                  96 kB\n"
    "7ffd10000000-7ffd10021000 rw-p 00000000 00:00 0"
    "                          [stack]\n"
    "Rss:                  20 kB\n"
    "7ffd10030000-7ffd10032000 r-xp 00000000 00:00 0"
    "                          [vdso]\n"
    "Rss:                   8 kB\n";

static const struct smaps_owned nothing = { NULL, 0 };

static struct memory_seen
look(const char *text, const struct smaps_owned *heap,
    const struct smaps_owned *own, smaps_pages_fn *pages)
{
	struct memory_sum *sum = memory_sum_new();
	struct memory_seen seen;
	struct smaps s = { 0 };

	smaps_feed(&s, text, strlen(text));
	smaps_end(&s);
	smaps_classify(&s, heap, own, pages, NULL, sum);
	memory_sum_finish(sum, &seen);
	smaps_fini(&s);
	return seen;
}

static void
is_read(void **state)
{
	const struct smaps_entry *e;
	struct smaps s = { 0 };

	(void)state;
	/* in pieces, as read(2) may give it */
	for (size_t i = 0; i < sizeof python - 1; i += 7)
		smaps_feed(&s, python + i,
		    sizeof python - 1 - i < 7 ? sizeof python - 1 - i : 7);
	smaps_end(&s);
	assert_int_equal(s.count, 12);
	e = &s.entries[2];
	assert_int_equal(e->start, UINT64_C(0x55d8f2000000));
	assert_int_equal(e->end, UINT64_C(0x55d8f2010000));
	assert_int_equal(e->inode, 247498);
	assert_true(e->read && e->write && !e->exec && !e->shared);
	assert_string_equal(smaps_name(&s, e), "/usr/bin/python3.11");
	assert_int_equal(e->rss, 64 << 10);
	assert_int_equal(e->dirty, 60 << 10);
	assert_int_equal(e->swap, 4 << 10);
	assert_string_equal(smaps_name(&s, &s.entries[3]), "");
	assert_string_equal(
	    smaps_name(&s, &s.entries[7]), "/srv/a file\nnamed.dat");
	smaps_fini(&s);
}

/* KiB: code 400 + 1200 + 64 and the 100 behind it; the stacks 44 and 20. */
static void
kinds_by_name(void **state)
{
	struct memory_seen m = look(python, &nothing, &nothing, NULL);

	(void)state;
	assert_int_equal(m.kind[MEMORY_CODE], 1764 << 10);
	assert_int_equal(m.kind[MEMORY_ANON], 8 << 10);
	assert_int_equal(m.kind[MEMORY_STACK], 64 << 10);
	assert_int_equal(m.stacks, 2);
	assert_int_equal(m.kind[MEMORY_FILE], 512 << 10);
	assert_int_equal(m.kind[MEMORY_OWN], 256 << 10);
	assert_int_equal(m.kind[MEMORY_SHARED], 96 << 10);
	assert_int_equal(m.kind[MEMORY_KERNEL], 8 << 10);
	assert_int_equal(m.kind[MEMORY_HEAP], 0);
	/* and all of them are what there is */
	assert_int_equal(m.rss, (1764 + 8 + 64 + 512 + 256 + 96 + 8) << 10);
	assert_int_equal(m.pss, 864 << 10);
	/* a file's pieces are one, with its variables */
	assert_string_equal(m.largest[0].name, "/usr/bin/python3.11");
	assert_int_equal(m.largest[0].pieces, 4);
	assert_int_equal(m.largest[0].rss, 1764 << 10);
	assert_int_equal(m.largest[0].dirty, (8 + 60 + 100) << 10);
}

/* Four pages of ten of the part below the heap are there, of which one is
 * swapped out; nobody asks about the largest part. */
static bool
some_pages(void *arg, uint64_t start, uint64_t end, struct smaps_pages *out)
{
	(void)arg;
	assert_int_equal(start, 0x10000);
	assert_int_equal(end, 0x1a000);
	*out = (struct smaps_pages){ 0x3000, 0x1000 };
	return true;
}

/* One mapping of three owners: own data, the heap, the program. */
static void
one_mapping_of_several(void **state)
{
	static const char text[] = "10000-200000 rw-p 00000000 00:00 0 \n"
				   "Rss:   1000 kB\n"
				   "Private_Dirty: 500 kB\n"
				   "Swap:   100 kB\n";
	struct smaps_range heap[] = { { 0x1a000, 0x200000 } };
	struct smaps_owned heaps = { heap, 1 };
	struct memory_seen m = look(text, &heaps, &nothing, some_pages);

	(void)state;
	assert_int_equal(m.kind[MEMORY_ANON], 0x3000);
	assert_int_equal(m.kind[MEMORY_HEAP], (1000 << 10) - 0x3000);
	assert_int_equal(m.rss, 1000 << 10);
	assert_int_equal(m.swap, 100 << 10);
	assert_int_equal(m.dirty, 500 << 10);
}

/* Where pages cannot be read they are shared out by size: 0x100000 bytes in
 * quarters, 1000 KiB of them resident. */
static void
shared_out_by_size(void **state)
{
	static const char text[] = "100000-200000 rw-p 00000000 00:00 0 \n"
				   "Rss:   1000 kB\n";
	struct smaps_range heap[] = { { 0x140000, 0x180000 } };
	struct smaps_range own[] = { { 0x0, 0x1000 }, { 0x180000, 0x300000 } };
	struct smaps_owned heaps = { heap, 1 }, owns = { own, 2 };
	struct memory_seen m = look(text, &heaps, &owns, NULL);

	(void)state;
	assert_int_equal(m.kind[MEMORY_ANON], 250 << 10);
	assert_int_equal(m.kind[MEMORY_HEAP], 250 << 10);
	assert_int_equal(m.kind[MEMORY_OWN], 500 << 10);
}

/* Above a guard begins a stack, though the heap is joined to its end. */
static void
stack_below_the_heap(void **state)
{
	static const char text[] =
	    "10000-11000 ---p 00000000 00:00 0 \nRss: 0 kB\n"
	    "11000-31000 rw-p 00000000 00:00 0 \nRss: 64 kB\n";
	struct smaps_range heap[] = { { 0x21000, 0x31000 } };
	struct smaps_owned heaps = { heap, 1 };
	struct memory_seen m = look(text, &heaps, &nothing, NULL);

	(void)state;
	assert_int_equal(m.kind[MEMORY_STACK], 32 << 10);
	assert_int_equal(m.kind[MEMORY_HEAP], 32 << 10);
}

/* What is no map is left out, and its lines with it. */
static void
hostile(void **state)
{
	static const char text[] =
	    "Rss: 7 kB\n"
	    "2000-1000 rw-p 00000000 00:00 0 \nRss: 1 kB\n" /* backwards */
	    "1000-3000 rw-p 00000000 00:00 0 \nRss: 999999999999 kB\n"
	    "2000-4000 rw-p 00000000 00:00 0 \nRss: 4 kB\n" /* overlaps */
	    "zz-4000 rw-p 0 0 0\n"
	    "10000000000000000-20000000000000000 rw-p 0 0:0 0 \n"
	    "5000-6000\n"
	    "5000-6000 rw\n"
	    "5000-6000 rw-p 0 0:0 x\n"
	    "5000-6000 rw-p 0 0:0 0 /end";
	struct memory_seen m = look(text, &nothing, &nothing, NULL);
	struct smaps s = { 0 };
	char *line;

	(void)state;
	/* no more is resident than there is */
	assert_int_equal(m.rss, 0x2000);
	assert_int_equal(m.size, 0x3000);
	assert_string_equal(m.largest[1].name, "/end");
	line = malloc(100000);
	assert_non_null(line);
	memset(line, 'a', 100000);
	memcpy(line, "1000-2000 rw-p 0 0:0 1 /", 24);
	smaps_feed(&s, line, 100000);
	smaps_feed(&s, "\n3000-4000 rw-p 0 0:0 1 /b\n", 27);
	smaps_end(&s);
	assert_int_equal(s.count, 2);
	assert_true(strlen(smaps_name(&s, &s.entries[0])) < 10000);
	free(line);
	smaps_fini(&s);
}

/* Bytes of the text are changed at random; whatever comes of it, sums hold. */
static void
bent(void **state)
{
	struct smaps_range heap[] = { { UINT64_C(0x7f0000005000),
	    UINT64_C(0x7f0001050000) } };
	struct smaps_owned heaps = { heap, 1 };
	char text[sizeof python];
	uint64_t random = 1;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct memory_seen m;
		uint64_t sum = 0;

		memcpy(text, python, sizeof text);
		for (int i = 0; i < 1 + round % 8; i++) {
			random = random * UINT64_C(6364136223846793005) + 1;
			text[(random >> 33) % (sizeof text - 1)] =
			    (char)(1 + (random >> 20) % 126);
		}
		m = look(text, &heaps, &nothing, NULL);
		for (int k = 0; k < MEMORY_KINDS; k++)
			sum += m.kind[k];
		assert_int_equal(sum, m.rss);
		assert_true(m.rss <= m.size);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_read),
		cmocka_unit_test(kinds_by_name),
		cmocka_unit_test(one_mapping_of_several),
		cmocka_unit_test(shared_out_by_size),
		cmocka_unit_test(stack_below_the_heap),
		cmocka_unit_test(hostile),
		cmocka_unit_test(bent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
