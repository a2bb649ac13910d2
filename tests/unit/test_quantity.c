/* needs: src/quantity.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "quantity.h"

#define S UINT64_C(1000000000)

static void
test_sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "64K", 65536 },
		{ "64k", 65536 },
		{ "64KiB", 65536 },
		{ "1.5M", 1572864 }, /* 1.5 * 1048576 */
		{ "500M", 524288000 },
		{ "2GB", 2147483648 },
		{ "1T", 1099511627776 },
		{ "512B", 512 },
	};
	static const char *const wrong[] = { "", "K", "-1", "1X", "1KK",
		"1.2.3", "64 K", "0x10", "1e3", "99999999T",
		"1111111111111111111111111111111111", "inf", "nan" };
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(quantity_size(rows[i].text, &v), 0);
		assert_int_equal(v, rows[i].bytes);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (quantity_size(wrong[i], &v) == 0)
			fail_msg("'%s' was taken for a size", wrong[i]);
}

static void
test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{ "100ms", S / 10 },
		{ "30s", 30 * S },
		{ "30", 30 * S },
		{ "0.5", S / 2 },
		{ "5m", 300 * S },
		{ "12h", 43200 * S },
		{ "1d", 86400 * S },
	};
	static const char *const wrong[] = { "", "ms", "5x", "5 s", "-5", "5S",
		"1h30m", "99999999999d" };
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(quantity_duration(rows[i].text, &v), 0);
		assert_int_equal(v, rows[i].ns);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (quantity_duration(wrong[i], &v) == 0)
			fail_msg("'%s' was taken for a duration", wrong[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
