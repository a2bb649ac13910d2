/* needs: src/io/heapfit.c src/io/heapmapline.c src/io/elfpeek.c
 * src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/elfpeek.h"
#include "io/heapfit.h"
#include "io/heapmapline.h"

#define PLACES 9

static char self[PATH_MAX];
static struct heapfit_mapped at; /* where this program is mapped */
static struct elfpeek peek;      /* and its file */
static uint64_t places[PLACES];

/* A place inside the call. */
static __attribute__((noinline)) uint64_t
place(void)
{
	__asm__ volatile(""); /* each call is one of its own */
	return (uint64_t)(uintptr_t)__builtin_return_address(0) - 1;
}

static void
take_mapping(const struct heapmapline *m)
{
	if (at.start == 0) {
		at.start = m->start;
		at.first_offset = m->offset;
	}
	if (!m->exec || at.has_code)
		return;
	at.has_code = true;
	at.code = m->start;
	at.code_end = m->end;
	at.code_offset = m->offset;
}

static int
set_up(void **state)
{
	FILE *f = fopen("/proc/self/maps", "r");
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char line[PATH_MAX + 128];
	struct heapmapline m;

	(void)state;
	self[n] = 0;
	while (fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		assert_true(heapmapline_parse(line, &m));
		if (strcmp(m.path, self) == 0)
			take_mapping(&m);
	}
	fclose(f);
	places[0] = place();
	places[1] = place();
	places[2] = place();
	places[3] = place();
	places[4] = place();
	places[5] = place();
	places[6] = place();
	places[7] = place();
	places[8] = place();
	return !heapfit_read(self, &peek);
}

static enum heapfit
fit(const struct heapfit_mapped *a, const uint64_t *p, size_t n, uint64_t *bias)
{
	return heapfit(a, self, &peek, p, n, bias);
}

static void
test_same(void **state)
{
	uint64_t bias = 0;

	(void)state;
	assert_int_equal(fit(&at, places, PLACES, &bias), FIT_SAME);
	assert_true(bias == at.start - peek.segment[0].vaddr);
	assert_int_equal(fit(&at, NULL, 0, &bias), FIT_SAME);
}

/* The same layout, but where calls should be there are none. */
static void
test_calls(void **state)
{
	uint64_t moved[PLACES], bias;

	(void)state;
	if (peek.machine != 62) /* x86-64 */
		skip();
	for (size_t i = 0; i < PLACES; i++)
		moved[i] = places[i] - 2; /* inside the instruction */
	assert_int_equal(fit(&at, moved, PLACES, &bias), FIT_OTHER);
	/* one or two of them may be odd: a signal's frame, say */
	moved[0] = places[0] - 2;
	for (size_t i = 1; i < PLACES; i++)
		moved[i] = places[i];
	assert_int_equal(fit(&at, moved, PLACES, &bias), FIT_SAME);
}

/* Another layout is another build, unless calls tell that it is not. */
static void
test_layout(void **state)
{
	struct heapfit_mapped other = at;
	uint64_t bias;

	(void)state;
	other.code_end += 4096;
	assert_int_equal(fit(&other, places, 0, &bias), FIT_OTHER);
	assert_int_equal(fit(&other, places, 3, &bias), FIT_OTHER);
	if (peek.machine == 62)
		assert_int_equal(fit(&other, places, PLACES, &bias), FIT_SAME);
	other = at;
	other.has_code = false;
	assert_int_equal(fit(&other, places, PLACES, &bias), FIT_OTHER);
}

/* A module as one mapping from its first segment to the end of its last, as
 * --heap writes it. */
static void
test_one_line(void **state)
{
	struct heapfit_mapped whole = at;
	uint64_t bias, end = 0;

	(void)state;
	for (size_t i = 0; i < peek.segments; i++) {
		uint64_t e =
		    peek.segment[i].vaddr + peek.segment[i].memory_size;

		end = e > end ? e : end;
	}
	whole.code = whole.start;
	whole.code_offset = whole.first_offset = 0;
	whole.code_end = at.start - peek.segment[0].vaddr + end;
	assert_int_equal(fit(&whole, places, 0, &bias), FIT_SAME);
	assert_true(bias == at.start - peek.segment[0].vaddr);
	assert_int_equal(fit(&whole, places, PLACES, &bias), FIT_SAME);
	whole.code_end += 2 * 4096;
	assert_int_equal(fit(&whole, places, 0, &bias), FIT_OTHER);
}

/* Where the dump has a build-id, that decides. */
static void
test_build_id(void **state)
{
	struct heapfit_mapped other = at;
	uint64_t bias;

	(void)state;
	if (peek.build_id_len == 0)
		skip();
	memcpy(other.build_id, peek.build_id, peek.build_id_len);
	other.build_id_len = peek.build_id_len;
	assert_int_equal(fit(&other, places, 0, &bias), FIT_SAME);
	other.build_id[0] ^= 1;
	assert_int_equal(fit(&other, places, PLACES, &bias), FIT_OTHER);
}

static void
test_lines(void **state)
{
	struct heapmapline m;
	char *path;

	(void)state;
	assert_true(heapmapline_parse(
	    "1000-2000 r-xp 00000300 08:01 12      /a b\\012c", &m));
	assert_true(m.start == 0x1000 && m.end == 0x2000 && m.exec);
	assert_true(m.offset == 0x300);
	path = heapmapline_path(m.path);
	assert_string_equal(path, "/a b\nc");
	free(path);
	assert_true(heapmapline_parse("  1000-2000: /a/b.so", &m));
	assert_true(m.exec && m.offset == 0);
	assert_string_equal(m.path, "/a/b.so");
	assert_true(heapmapline_parse("1-2 rw-p 0 0:0 0", &m));
	assert_string_equal(m.path, "");
	assert_false(heapmapline_parse("2000-1000 r-xp 0 0:0 0", &m));
	assert_false(heapmapline_parse("1000-2000 r-x 0 0:0 0", &m));
	assert_false(heapmapline_parse("1000 2000", &m));
	assert_false(heapmapline_parse("", &m));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_build_id),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
