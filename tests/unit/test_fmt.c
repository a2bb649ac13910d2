/* needs: src/base/fmt.c src/base/utf8.c src/base/buf.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/fmt.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static void
bytes(void **state)
{
	static const struct {
		double v;
		const char *plain, *column;
	} t[] = {
		{ 0, "·", "        ·" },
		{ 0.4, "·", "        ·" },
		{ 0.5, "1 B", "    1 B  " },
		{ 512, "512 B", "  512 B  " },
		{ 999.4, "999 B", "  999 B  " },
		/* 999.5 / 1024 = 0.976 */
		{ 999.5, "1.0 KiB", "  1.0 KiB" },
		{ 614.4 * KIB, "614.4 KiB", "614.4 KiB" },
		{ 118.4 * MIB, "118.4 MiB", "118.4 MiB" },
		{ 999.4 * MIB, "999.4 MiB", "999.4 MiB" },
		{ 999.5 * MIB, "1.0 GiB", "  1.0 GiB" },
		{ GIB, "1.0 GiB", "  1.0 GiB" },
		{ 0.25 * 10 * KIB, "2.5 KiB", "  2.5 KiB" },
		{ 2.25 * KIB, "2.3 KiB", "  2.3 KiB" }, /* half away */
		{ -3.2 * MIB, "-3.2 MiB", " -3.2 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		assert_string_equal(fmt_bytes(t[i].v, 0).s, t[i].plain);
		assert_string_equal(
		    fmt_bytes(t[i].v, FMT_COLUMN).s, t[i].column);
	}
	assert_string_equal(fmt_bytes(0, FMT_ASCII).s, "-");
	assert_string_equal(fmt_bytes(0, FMT_ZERO).s, "0 B");
	assert_string_equal(fmt_bytes(INFINITY, 0).s, "inf EiB");
}

static void
changes(void **state)
{
	(void)state;
	assert_string_equal(fmt_change(21.5 * MIB, 0).s, "+21.5 MiB");
	assert_string_equal(fmt_change(21.5 * MIB, FMT_COLUMN).s, " +21.5 MiB");
	assert_string_equal(fmt_change(-3.2 * MIB, 0).s, "-3.2 MiB");
	assert_string_equal(fmt_change(-0.4, 0).s, "·");
	assert_string_equal(fmt_rate(78.9 * KIB, 0).s, "+78.9 KiB/s");
	assert_string_equal(fmt_count_change(57000, 0).s, "+57.0k");
	assert_string_equal(fmt_count_change(-3, FMT_COLUMN).s, "    -3");
}

static void
percents(void **state)
{
	(void)state;
	assert_string_equal(fmt_percent(28.7, 100, 0).s, "28.7");
	assert_string_equal(fmt_percent(1, 1, FMT_COLUMN).s, "100.0");
	assert_string_equal(fmt_percent(1, 10000, 0).s, "<0.1");
	assert_string_equal(fmt_percent(0, 5, FMT_COLUMN).s, "    ·");
	assert_string_equal(fmt_percent(1, 0, 0).s, "");
	assert_string_equal(fmt_percent(-1, 4, 0).s, "-25.0");
}

static void
counts(void **state)
{
	static const struct {
		double v;
		const char *s;
	} t[] = {
		{ 0, "·" },
		{ 9999, "9999" },
		{ 10000, "10.0k" },
		{ 40100, "40.1k" },
		{ 99949, "99.9k" },
		{ 99950, "100k" },
		{ 312000, "312k" },
		{ 999499, "999k" },
		{ 999500, "1.00M" },
		{ 1180000, "1.18M" },
		{ 2.5, "3" },
		{ -42, "-42" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		assert_string_equal(fmt_count(t[i].v, 0).s, t[i].s);
	assert_string_equal(fmt_count(96, FMT_COLUMN).s, "   96");
}

#define S UINT64_C(1000000000)

static void
times(void **state)
{
	(void)state;
	assert_string_equal(fmt_clock(4 * S).s, "0:04");
	assert_string_equal(fmt_clock(761 * S).s, "12:41");
	assert_string_equal(fmt_clock(11235 * S).s, "3:07:15");
	assert_string_equal(fmt_duration(450 * S / 1000).s, "450ms");
	assert_string_equal(fmt_duration(39 * S).s, "39s");
	assert_string_equal(fmt_duration(279 * S).s, "4m39s");
	assert_string_equal(fmt_duration(11220 * S).s, "3h 7m");
	assert_string_equal(fmt_duration(51 * 3600 * S).s, "2d 3h");
}

static void
sampling_and_errors(void **state)
{
	(void)state;
	assert_string_equal(fmt_sampling(19).s, "1/512 KiB");
	assert_string_equal(fmt_sampling(9).s, "1/512 B");
	assert_string_equal(fmt_sampling(20).s, "1/1 MiB");
	assert_string_equal(fmt_sampling(0).s, "exact");
	assert_string_equal(fmt_sampling(999).s, "never");
	assert_string_equal(fmt_error(6.6, 100, 0).s, "±6.6%");
	assert_string_equal(fmt_error(12.6, 100, 0).s, "±13%");
	assert_string_equal(fmt_error(6.6, 100, FMT_ASCII).s, "+/-6.6%");
	assert_string_equal(fmt_error(0, 100, 0).s, "exact");
	assert_string_equal(fmt_error(1, 0, 0).s, "±>999%");
}

/* Half away from zero, as no printf does. */
static void
rounding(void **state)
{
	(void)state;
	assert_string_equal(fmt_fixed(2.25, 1).s, "2.3");
	assert_string_equal(fmt_fixed(-2.25, 1).s, "-2.3");
	assert_string_equal(fmt_fixed(-0.04, 1).s, "0.0");
	assert_string_equal(fmt_fixed(0.15, 1).s, "0.2");
	assert_string_equal(fmt_fixed(9.999, 2).s, "10.00");
	assert_string_equal(fmt_int(2.5).s, "3");
	assert_string_equal(fmt_int(-2.5).s, "-3");
	assert_string_equal(fmt_int(3372352).s, "3372352");
}

/* A double holds whole numbers exactly to 2^53, and beyond it those it can
 * hold at all; all of these it holds. */
static void
large_numbers_keep_their_digits(void **state)
{
	static const struct {
		double v;
		int decimals;
		const char *text;
	} t[] = {
		{ 500000000000001, 0, "500000000000001" },
		{ 999999999999999, 0, "999999999999999" },
		{ 5e15, 0, "5000000000000000" },
		{ 5000000000000001, 0, "5000000000000001" },
		{ 5000000000000001, 1, "5000000000000001.0" },
		/* 2^52 + 1/2 would be one; here halves are the last digit */
		{ 4503599627370495.5, 0, "4503599627370496" },
		{ 4503599627370495.5, 1, "4503599627370495.5" },
		{ 1125899906842623.75, 1, "1125899906842623.8" },
		{ 0x1p53, 0, "9007199254740992" },
		{ 0x1p53 - 1, 0, "9007199254740991" },
		{ 0x1p53 - 1, 6, "9007199254740991.000000" },
		{ 0x1p63 - 1024, 0, "9223372036854774784" },
		{ 0x1p63, 0, "9223372036854775808" },
		{ 0x1p64, 0, "18446744073709551616" },
		{ -0x1p64, 2, "-18446744073709551616.00" },
		{ 0x1p80, 1, "1208925819614629174706176.0" },
		{ 1e31, 0, "1e+31" },
		{ -HUGE_VAL, 1, "-inf" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		assert_string_equal(
		    fmt_fixed(t[i].v, t[i].decimals).s, t[i].text);
	/* 2^53 - 1 bytes are 8.0 PiB less a byte */
	assert_string_equal(fmt_bytes(0x1p53 - 1, 0).s, "8.0 PiB");
}

/* As decimals are written: 1.005 is not a double, and its nearest is less. */
static void
halves_round_as_they_are_written(void **state)
{
	(void)state;
	assert_string_equal(fmt_fixed(1.005, 2).s, "1.01");
	assert_string_equal(fmt_fixed(1.00499, 2).s, "1.00");
	assert_string_equal(fmt_fixed(123456.35, 1).s, "123456.4");
	assert_string_equal(fmt_fixed(0.0000005, 6).s, "0.000001");
	assert_string_equal(fmt_int(0.49999999999999994).s, "0");
	assert_string_equal(fmt_fixed(0.95, 1).s, "1.0");
	assert_string_equal(fmt_fixed(-0.05, 1).s, "-0.1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes),
		cmocka_unit_test(changes),
		cmocka_unit_test(percents),
		cmocka_unit_test(counts),
		cmocka_unit_test(times),
		cmocka_unit_test(sampling_and_errors),
		cmocka_unit_test(rounding),
		cmocka_unit_test(large_numbers_keep_their_digits),
		cmocka_unit_test(halves_round_as_they_are_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
