/* needs: src/io/afterdeath.c src/io/domain.c src/io/dumpread.c src/io/loop.c
 * prof/encode.c prof/tableread.c src/io/heapfile.c src/io/heapkeys.c
 * src/io/heapdata.c
 * src/io/heapmaps.c src/io/heapname.c src/io/infile.c src/io/elfpeek.c
 * src/io/ranges.c src/io/symcand.c src/model/profile.c src/model/births.c
 * src/model/frames.c
 * src/model/modules.c src/model/stacks.c src/model/history.c
 * src/model/history_log.c src/model/plumbing.c src/model/name.c
 * src/base/arena.c src/base/buf.c src/base/err.c src/base/map.c src/base/mem.c
 * src/base/strtab.c src/base/utf8.c src/io/gperffile.c src/io/symfile.c
 * src/io/pproffile.c src/io/pprofdata.c src/io/textfile.c src/io/heapread.c
 * src/io/heapfigures.c src/io/heapsymbols.c src/io/heapwords.c
 * src/io/heapnotes.c src/io/heapfit.c src/io/heapmapline.c
 * src/io/progress.c */
/* libs: -lz */
/*
 * What the fuzzers began with, and what they found, through the readers once
 * more: nothing may come of it that a sanitizer sees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Each fuzzer has one function of the same name. */
#define LLVMFuzzerTestOneInput fuzz_dumpread
#include "tests/fuzz/fuzz_dumpread.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_heapfile
#include "tests/fuzz/fuzz_heapfile.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_gperf
#include "tests/fuzz/fuzz_gperf.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_pprof
#include "tests/fuzz/fuzz_pprof.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_symfile
#include "tests/fuzz/fuzz_symfile.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_textfile
#include "tests/fuzz/fuzz_textfile.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_table
#include "tests/fuzz/fuzz_table.c"
#undef LLVMFuzzerTestOneInput

#define INPUT_MAX (64u << 10)

typedef int fuzzer(const uint8_t *data, size_t size);

/* The file's bytes in a block of just their size, so that reading beyond
 * them is seen. */
static uint8_t *
load(const char *path, size_t *size)
{
	uint8_t *all = malloc(INPUT_MAX), *exact;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	*size = fread(all, 1, INPUT_MAX, f);
	assert_true(*size < INPUT_MAX);
	fclose(f);
	exact = malloc(*size + (*size == 0));
	memcpy(exact, all, *size);
	free(all);
	return exact;
}

/* The input as it is, every head of it, and with each byte another. */
static void
run(fuzzer *fuzz, uint8_t *data, size_t size, size_t step)
{
	fuzz(data, size);
	for (size_t n = 0; n < size; n += step) {
		uint8_t *head = malloc(n + (n == 0)), was = data[n];

		memcpy(head, data, n);
		fuzz(head, n);
		free(head);
		data[n] = (uint8_t)(was ^ 0x80);
		fuzz(data, size);
		data[n] = 0xff;
		fuzz(data, size);
		data[n] = was;
	}
}

/* How many files there were. */
static unsigned
run_all(fuzzer *fuzz, const char *dir, size_t step)
{
	const struct dirent *d;
	DIR *list = opendir(dir);
	unsigned n = 0;

	assert_non_null(list);
	while ((d = readdir(list))) {
		char path[512];
		size_t size;
		uint8_t *data;

		if (d->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, d->d_name);
		data = load(path, &size);
		run(fuzz, data, size, step);
		free(data);
		n++;
	}
	closedir(list);
	return n;
}

static void
test_dumpread(void **state)
{
	(void)state;
	assert_true(
	    run_all(fuzz_dumpread, "tests/fuzz/corpus/dumpread", 1) > 3);
}

static void
test_heapfile(void **state)
{
	(void)state;
	assert_true(
	    run_all(fuzz_heapfile, "tests/fuzz/corpus/heapfile", 1) > 3);
}

static void
test_gperf(void **state)
{
	(void)state;
	assert_true(run_all(fuzz_gperf, "tests/fuzz/corpus/gperf", 1) > 3);
}

static void
test_pprof(void **state)
{
	(void)state;
	assert_true(run_all(fuzz_pprof, "tests/fuzz/corpus/pprof", 1) > 3);
}

static void
test_symfile(void **state)
{
	(void)state;
	assert_true(run_all(fuzz_symfile, "tests/fuzz/corpus/symfile", 1) > 3);
}

static void
test_textfile(void **state)
{
	(void)state;
	assert_true(
	    run_all(fuzz_textfile, "tests/fuzz/corpus/textfile", 1) > 3);
}

static void
test_table(void **state)
{
	(void)state;
	assert_true(run_all(fuzz_table, "tests/fuzz/corpus/table", 3) > 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dumpread),
		cmocka_unit_test(test_heapfile),
		cmocka_unit_test(test_gperf),
		cmocka_unit_test(test_pprof),
		cmocka_unit_test(test_symfile),
		cmocka_unit_test(test_textfile),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
