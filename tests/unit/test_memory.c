/* needs: src/base/ src/model/ src/export/label.c src/export/escape.c
 * src/export/stats_words.c src/export/memory.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "export/export.h"
#include "model/memory.h"
#include "model/report.h"
#include "profile_fixture.h"

static void
expect(struct profile *p, const struct export_options *o, const char *want)
{
	const struct profile *list[1] = { p };
	struct buf b = BUF_INIT;
	struct query q;
	struct report *r;

	query_init(&q);
	r = report_build(list, 1, &q);
	export_memory(r, o, &b);
	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	report_free(r);
}

static struct profile *
process(uint64_t rss)
{
	struct profile *p = fixture_profile();
	struct profile_totals t = {
		.now_ns = UINT64_C(6000000000),
		.exact_ns = 1,
		.live_bytes = 40000,
		.mapped_bytes = 65536,
		.cached_bytes = 5000,
		.dirty_bytes = 10000,
		.meta_bytes = 5000,
		.active = 1,
	};

	profile_put_totals(p, &t);
	profile_put_process(p, rss, 1000000, 0, 0);
	profile_commit(p);
	return p;
}

/* 40000 + 5000 + 10000 + 5000 = 60000 of 100000; files 25000; so 15000 are
 * left.  A bar of 30 columns: 12, 1.5, 3, 1.5, 7.5, 0, 4.5. */
static void
parts(void **state)
{
	struct export_resident resident = { .anon_bytes = 75000,
		.file_bytes = 25000 };
	struct profile *p = process(100000);
	struct export_options o;

	(void)state;
	export_options_init(&o);
	o.show_bytes = true;
	o.ascii = true;
	o.resident = &resident;
	expect(p, &o,
	    "live objects               40000    40.0  ############            "
	    "        usable sizes, counted exactly\n"
	    "free objects                5000     5.0  ##                      "
	    "        in thread caches and slabs, ready to be used again\n"
	    "free pages                 10000    10.0  ###                     "
	    "        not yet given back to the system\n"
	    "own data                    5000     5.0  ##                      "
	    "        of the allocator and the profiler\n"
	    "files                      25000    25.0  ########                "
	    "        programs, libraries, mapped files\n"
	    "the rest                   15000    15.0  #####                   "
	    "        other mappings, stacks, room lost in slabs\n"
	    "rss                       100000   100.0  "
	    "##############################  resident memory: the sum\n"
	    "virtual                  1000000  address space of the process\n"
	    "mapped                     65536  address space the allocator "
	    "holds\n");
	profile_free(p);
}

/* More is counted than is resident: 60000 - 50000. */
static void
untouched(void **state)
{
	struct profile *p = process(50000);
	struct export_options o;

	(void)state;
	export_options_init(&o);
	o.ascii = true;
	expect(p, &o,
	    "live objects            39.1 KiB    80.0  "
	    "########################        usable sizes, counted exactly\n"
	    "free objects             4.9 KiB    10.0  ###                     "
	    "        in thread caches and slabs, ready to be used again\n"
	    "free pages               9.8 KiB    20.0  ######                  "
	    "        not yet given back to the system\n"
	    "own data                 4.9 KiB    10.0  ###                     "
	    "        of the allocator and the profiler\n"
	    "not resident            -9.8 KiB   -20.0                          "
	    "        of the above: never touched, given back or swapped out\n"
	    "rss                     48.8 KiB   100.0  "
	    "##############################  resident memory: the sum\n"
	    "virtual                976.6 KiB  address space of the process\n"
	    "mapped                  64.0 KiB  address space the allocator "
	    "holds\n"
	    "not known: how much of the rest are files and shared memory\n");
	profile_free(p);
}

/* A look at its mappings: heap 58000 of which 40000 live, 10000 free pages,
 * 5000 free objects; 100000 in all. */
static void
looked_at(void **state)
{
	struct memory_sum *sum = memory_sum_new();
	struct profile *p = process(90000);
	struct memory_seen seen;
	struct export_options o;

	(void)state;
	memory_sum_add(sum,
	    &(struct memory_piece){ .start = 0x1000,
		.end = 0x11000,
		.kind = MEMORY_HEAP,
		.name = "",
		.rss = 58000,
		.pss = 58000,
		.dirty = 57000 });
	memory_sum_add(sum,
	    &(struct memory_piece){ .start = 0x20000,
		.end = 0x2a000,
		.kind = MEMORY_CODE,
		.name = "/bin/app",
		.rss = 42000,
		.pss = 21000,
		.swap = 500 });
	memory_sum_finish(sum, &seen);
	seen.ns = 1;
	seen.heap_known = true;
	seen.minor_faults = 12;
	seen.totals = *profile_totals(p);
	profile_put_seen(p, &seen);
	export_options_init(&o);
	o.show_bytes = true;
	o.ascii = true;
	expect(p, &o,
	    "live objects               40000    40.0  ############            "
	    "        usable sizes, counted exactly\n"
	    "free objects                5000     5.0  ##                      "
	    "        in thread caches and slabs, ready to be used again\n"
	    "free pages                 10000    10.0  ###                     "
	    "        not yet given back to the system\n"
	    "lost in slabs               3000     3.0  #                       "
	    "        between objects and at the ends of slabs\n"
	    "own data                       0     0.0                          "
	    "        of the allocator and the profiler: its maps, records, the "
	    "table\n"
	    "other memory                   0     0.0                          "
	    "        mapped by the program, or of other allocators\n"
	    "thread stacks                  0     0.0                          "
	    "        of 0 threads, as deep as they ever were\n"
	    "code                       42000    42.0  #############           "
	    "        programs and libraries, with their variables\n"
	    "files                          0     0.0                          "
	    "        other mapped ones; what is unchanged can be dropped\n"
	    "shared memory                  0     0.0                          "
	    "        also counted by those it is shared with\n"
	    "the rest                       0     0.0                          "
	    "        the kernel's pages in every process\n"
	    "rss                       100000   100.0  "
	    "##############################  resident memory: the sum\n"
	    "swapped out besides: 500 B\n"
	    "virtual                  1000000  address space of the process\n"
	    "mapped                     65536  address space the allocator "
	    "holds\n"
	    "pss                        79000  rss, with what is shared "
	    "divided among those who share it\n"
	    "faults                        12  and 0 that read from a disk\n"
	    "\n"
	    "           rss          size         dirty          swap  mapping"
	    "\n"
	    "         58000         65536         57000             0  page "
	    "heap\n"
	    "         42000         40960             0           500  "
	    "/bin/app\n");
	profile_free(p);
}

/* A file that tells neither. */
static void
unknown(void **state)
{
	struct profile *p = fixture_profile();
	struct export_options o;

	(void)state;
	export_options_init(&o);
	expect(p, &o,
	    "live objects             1.0 KiB  usable sizes, an estimate\n"
	    "known so far             1.0 KiB  the sum\n"
	    "not known: resident memory (rss), so what else the process holds; "
	    "heaptop -p PID --memory tells it of a process that runs\n"
	    "not known: what the allocator keeps free, and its own data\n"
	    "sampled 1/4 KiB\n"
	    "only 10 samples: figures are rough; lg_prof_sample:0 (--exact) "
	    "counts everything\n");
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts),
		cmocka_unit_test(untouched),
		cmocka_unit_test(looked_at),
		cmocka_unit_test(unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
