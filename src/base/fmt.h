/*
 * How numbers look: every number a user sees goes through here.
 *
 * Results are small strings by value: fmt_bytes(x, 0).s.  Rounding is half
 * away from zero.  With FMT_COLUMN a number is padded on the left to the width
 * of its column (FMT_W_*), in terminal columns.  Zero is a middle dot
 * (FMT_ASCII: '-') where the kind says so.  The decimal point is always '.'.
 */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include <stdint.h>

struct fmt {
	char s[48];
};

enum fmt_flag {
	FMT_COLUMN = 1, /* pad to the kind's width, units under each other */
	FMT_ASCII = 2,
	FMT_ZERO = 4, /* write zero as a number, not as a dot */
};

enum fmt_width {
	FMT_W_BYTES = 9,
	FMT_W_CHANGE = 10,
	FMT_W_RATE = 12,
	FMT_W_PERCENT = 5,
	FMT_W_COUNT = 5,
};

/* "118.4 MiB", "512 B" (column: "  512 B  "); the unit changes at 999.5. */
struct fmt fmt_bytes(double bytes, unsigned flags);
/* The same, always with a sign: "+21.5 MiB". */
struct fmt fmt_change(double bytes, unsigned flags);
/* "+78.9 KiB/s". */
struct fmt fmt_rate(double bytes_per_s, unsigned flags);
/* part of whole: "28.7", "100.0", "<0.1"; blank when whole is 0. */
struct fmt fmt_percent(double part, double whole, unsigned flags);
/* "9999", "12.3k", "312k", "1.18M". */
struct fmt fmt_count(double n, unsigned flags);
/* The same, always with a sign. */
struct fmt fmt_count_change(double n, unsigned flags);
/* Since the start: "0:04", "12:41", "3:07:15". */
struct fmt fmt_clock(uint64_t ns);
/* "450ms", "39s", "4m39s", "3h 7m", "2d 3h". */
struct fmt fmt_duration(uint64_t ns);
/* "1/512 KiB", or "exact" for 0. */
struct fmt fmt_sampling(uint32_t lg_sample);
/* A half width relative to its value: "±6.6%" ("+/-6.6%"), at most two
 * digits, "±>999%" beyond; "exact" if it is 0. */
struct fmt fmt_error(double half_width, double value, unsigned flags);

/* A plain decimal, e.g. fmt_fixed(2.25, 1) is "2.3"; all its digits are those
 * of the number up to 10^30, at most nine decimals. */
struct fmt fmt_fixed(double v, int decimals);
/* Nearest integer, half away from zero, without exponent. */
struct fmt fmt_int(double v);

#endif
