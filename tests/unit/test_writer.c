/* needs: prof/writer.c prof/deflate.c prof/say.c prof/os.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "prof/writer.h"

static void
text_and_numbers(void **state)
{
	int fd = memfd_create("test", 0);
	char buf[200] = "";
	struct writer w;

	(void)state;
	writer_init(&w, fd, NULL);
	writer_text(&w, "a ");
	writer_bytes(&w, "bcd", 2);
	writer_text(&w, " ");
	writer_number(&w, UINT64_MAX);
	writer_text(&w, " ");
	writer_hex(&w, 0);
	writer_text(&w, " ");
	writer_hex(&w, UINT64_C(0x7fff12ab0000));
	writer_text(&w, " ");
	writer_hex(&w, UINT64_MAX);
	assert_int_equal(writer_flush(&w), 0);
	assert_true(pread(fd, buf, sizeof buf - 1, 0) > 0);
	assert_string_equal(buf,
	    "a bc 18446744073709551615 0x0 0x7fff12ab0000 "
	    "0xffffffffffffffff");
	close(fd);
}

/* Longer than the buffer, in pieces of all sizes, through a pipe that takes
 * some of it at a time. */
static void
everything_comes_out(void **state)
{
	size_t size = 100000, at = 0;
	unsigned char *out = malloc(size), *back = malloc(size + 1);
	int fd = memfd_create("test", 0);
	struct writer w;

	(void)state;
	for (size_t i = 0; i < size; i++)
		out[i] = (unsigned char)(i * 31 + i / 256);
	writer_init(&w, fd, NULL);
	for (size_t n = 1; at < size; n = n * 3 + 1) {
		if (n > size - at)
			n = size - at;
		writer_bytes(&w, (char *)out + at, n);
		at += n;
	}
	assert_int_equal(writer_flush(&w), 0);
	assert_int_equal(pread(fd, back, size + 1, 0), size);
	assert_memory_equal(out, back, size);
	close(fd);
	free(out);
	free(back);
}

static void
the_first_error_stays(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	char block[5000] = { 0 };
	struct writer w;

	(void)state;
	writer_init(&w, -1, NULL);
	writer_text(&w, "x");
	assert_int_equal(writer_flush(&w), EBADF);
	assert_int_equal(writer_flush(&w), EBADF);
	if (fd < 0)
		return;
	writer_init(&w, fd, NULL);
	for (int i = 0; i < 20; i++)
		writer_bytes(&w, block, sizeof block);
	assert_int_equal(writer_flush(&w), ENOSPC);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_and_numbers),
		cmocka_unit_test(everything_comes_out),
		cmocka_unit_test(the_first_error_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
