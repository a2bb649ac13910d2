/* needs: src/io/keeperwire.c src/base/buf.c src/base/err.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/keeperwire.h"

static void
test_there_and_back(void **state)
{
	struct keeperwire out = { 0 }, in = { 0 };
	struct keeperwire_message m;
	uint64_t offset = 77, got;
	int32_t sig = 15, n;
	int s[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	keeperwire_put(&out, KEEPERWIRE_SIGNAL, &sig, sizeof sig);
	keeperwire_put2(
	    &out, KEEPERWIRE_OUTPUT, &offset, sizeof offset, "abc", 3);
	keeperwire_put(&out, KEEPERWIRE_INPUT, "", 0);
	/* heads of 8 bytes: 12 + 19 + 8 */
	assert_int_equal(keeperwire_waiting(&out), 39);
	assert_int_equal(keeperwire_send(&out, s[0]), 0);
	assert_int_equal(keeperwire_waiting(&out), 0);

	assert_int_equal(keeperwire_next(&in, &m), 0);
	assert_int_equal(keeperwire_read(&in, s[1]), 1);
	assert_int_equal(keeperwire_read(&in, s[1]), 0);
	assert_int_equal(keeperwire_next(&in, &m), 1);
	assert_int_equal(m.kind, KEEPERWIRE_SIGNAL);
	assert_false(keeperwire_take(&m, &got, sizeof got));
	assert_true(keeperwire_take(&m, &n, sizeof n));
	assert_int_equal(n, 15);
	assert_int_equal(keeperwire_next(&in, &m), 1);
	assert_true(keeperwire_take(&m, &got, sizeof got));
	assert_int_equal(got, 77);
	assert_int_equal(m.size, 3);
	assert_memory_equal(m.data, "abc", 3);
	assert_int_equal(keeperwire_next(&in, &m), 1);
	assert_int_equal(m.size, 0);
	assert_int_equal(keeperwire_next(&in, &m), 0);
	close(s[0]);
	assert_int_equal(keeperwire_read(&in, s[1]), -1);
	keeperwire_put(&out, KEEPERWIRE_INPUT, "x", 1);
	assert_int_equal(keeperwire_send(&out, s[1]), -1);
	close(s[1]);
	keeperwire_fini(&out);
	keeperwire_fini(&in);
}

/* A message in pieces of one byte, and one that is larger than the socket. */
static void
test_pieces(void **state)
{
	struct keeperwire out = { 0 }, in = { 0 };
	struct keeperwire_message m;
	static char big[60000];
	int s[2], r, got = 0;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	keeperwire_put(&out, KEEPERWIRE_INPUT, "hello", 5);
	for (size_t i = 0; i < 13; i++) {
		assert_int_equal(keeperwire_next(&in, &m), 0);
		assert_int_equal(write(s[0], out.buf.data + i, 1), 1);
		assert_int_equal(keeperwire_read(&in, s[1]), 1);
	}
	assert_int_equal(keeperwire_next(&in, &m), 1);
	assert_memory_equal(m.data, "hello", 5);

	keeperwire_fini(&out);
	for (int i = 0; i < 20; i++)
		keeperwire_put(&out, KEEPERWIRE_INPUT, big, sizeof big);
	assert_int_equal(keeperwire_send(&out, s[0]), 1);
	while (got < 20) {
		while ((r = keeperwire_next(&in, &m)) > 0) {
			assert_int_equal(m.size, sizeof big);
			got++;
		}
		assert_int_equal(r, 0);
		assert_true(keeperwire_send(&out, s[0]) >= 0);
		assert_true(keeperwire_read(&in, s[1]) >= 0);
	}
	close(s[0]);
	close(s[1]);
	keeperwire_fini(&out);
	keeperwire_fini(&in);
}

static void
test_nonsense(void **state)
{
	static const struct keeperwire_head bad[] = {
		{ KEEPERWIRE_MAX + 1, KEEPERWIRE_INPUT, 0 },
		{ UINT32_MAX, KEEPERWIRE_OUTPUT, 0 },
		{ 0, 0, 0 },
		{ 0, KEEPERWIRE_LOSSES + 1, 0 },
		{ 0, KEEPERWIRE_INPUT, 1 },
	};
	struct keeperwire_message m;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct keeperwire in = { 0 };

		buf_put(&in.buf, &bad[i], sizeof bad[i]);
		assert_int_equal(keeperwire_next(&in, &m), -1);
		keeperwire_fini(&in);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
