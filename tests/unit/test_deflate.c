/* needs: prof/deflate.c */
/* libs: -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "prof/deflate.h"

#define MOST (1u << 20)

static struct deflate d;
static unsigned char in[MOST], packed[2 * MOST], back[MOST + 1];
static size_t packed_len;

static void
sink(void *to, const unsigned char *p, size_t n)
{
	(void)to;
	assert_true(packed_len + n <= sizeof packed);
	memcpy(packed + packed_len, p, n);
	packed_len += n;
}

/* zlib is the reference: it takes the file, its checksum and its length, and
 * gives back what went in. */
static void
check(size_t len, size_t piece)
{
	z_stream z = { 0 };

	packed_len = 0;
	deflate_begin(&d, sink, NULL);
	for (size_t at = 0; at < len; at += piece)
		deflate_bytes(&d, in + at, len - at < piece ? len - at : piece);
	deflate_end(&d);
	assert_int_equal(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	z.next_in = packed;
	z.avail_in = (uInt)packed_len;
	z.next_out = back;
	z.avail_out = sizeof back;
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, len);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	assert_memory_equal(in, back, len);
}

static uint32_t seed = 1;

static uint32_t
random_number(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static void
small(void **state)
{
	(void)state;
	memcpy(in, "abcabcabcabcabc\xff\xff\xff\xff\xff\xff", 21);
	for (size_t n = 0; n <= 21; n++)
		check(n, 1000);
}

static void
noise(void **state)
{
	(void)state;
	for (size_t i = 0; i < MOST; i++)
		in[i] = (unsigned char)random_number();
	check(MOST, 16384);
	check(100000, 7);
}

/* Runs and repeats of every length and at every distance up to the most. */
static void
repeats(void **state)
{
	size_t at = 0;

	(void)state;
	memset(in, 0, 70000);
	check(70000, 70000);
	for (size_t i = 0; i < 40000; i++)
		in[at++] = (unsigned char)random_number();
	while (at < MOST - 600) {
		size_t back_by = 1 + random_number() % 32768;
		size_t n = 3 + random_number() % 300;

		for (size_t i = 0; i < n; i++, at++)
			in[at] = in[at - back_by];
		in[at++] = (unsigned char)random_number();
	}
	check(at, 16384);
	check(at, at);
	check(at, 33333);
}

/* What it is for: a dump of stacks that share most of their frames comes to
 * less than a fifth. */
static void
stacks(void **state)
{
	size_t at = 0;

	(void)state;
	while (at < MOST - 1000) {
		at += (size_t)sprintf((char *)in + at, "@");
		for (int f = 0; f < 20; f++)
			at += (size_t)sprintf((char *)in + at, " 0x55d0c3%06x",
			    f * 4096 + (f < 4 ? random_number() % 64 : 7));
		at += (size_t)sprintf((char *)in + at, "\n  t*: 3: %u [0: 0]\n",
		    random_number() % 100000);
	}
	check(at, 16384);
	assert_true(packed_len * 5 < at);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small),
		cmocka_unit_test(noise),
		cmocka_unit_test(repeats),
		cmocka_unit_test(stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
