#include "base/fmt.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* From here on a double is a whole number, and beyond what uint64_t holds. */
#define HUGE_FROM 9223372036854775808.0

/* A number with decimals, its sign left out. */
struct decimal {
	uint64_t whole, part; /* part: of 10^decimals */
};

static bool
is_nothing(double v)
{
	return fabs(v) < 0.5;
}

/* Rounded half away from zero, exactly; 0 <= a < HUGE_FROM.  A double holds
 * decimal fractions only nearly: one that is the nearest to a half counts as
 * that half, so 0.15 is rounded as it is written. */
static struct decimal
rounded(double a, int decimals)
{
	struct decimal d = { (uint64_t)a, 0 };
	uint64_t unit = 1;
	long double rest, slack = 0;

	for (int i = 0; i < decimals; i++)
		unit *= 10;
	rest = (long double)(a - (double)d.whole) * (long double)unit;
	if (decimals > 0)
		slack = (long double)a * (long double)unit * 0x1p-53L;
	d.part = (uint64_t)rest;
	if (rest - (long double)d.part >= 0.5L - (slack < 0.25L ? slack : 0))
		d.part++;
	if (d.part >= unit) {
		d.whole++;
		d.part -= unit;
	}
	return d;
}

/* At least `least` digits, and a NUL behind them; returns where that is. */
static char *
digits(char *to, uint64_t n, int least)
{
	char text[20];
	int i = 0;

	for (; n > 0 || i < least; n /= 10)
		text[i++] = (char)('0' + n % 10);
	while (i > 0)
		*to++ = text[--i];
	*to = 0;
	return to;
}

static struct fmt
plain(double v, int decimals)
{
	struct fmt f;
	struct decimal d;
	double a = fabs(v);
	char *end;

	if (!isfinite(v)) {
		snprintf(f.s, sizeof f.s, "%s", isnan(v) ? "nan" : "inf");
	} else if (a > 1e30) {
		snprintf(f.s, sizeof f.s, "%.3g", a);
	} else if (a >= HUGE_FROM) {
		snprintf(f.s, sizeof f.s, "%.0f%s%.*s", a,
		    decimals > 0 ? "." : "", decimals, "000000000");
	} else {
		d = rounded(a, decimals);
		end = digits(f.s, d.whole, 1);
		if (decimals > 0) {
			*end++ = '.';
			digits(end, d.part, decimals);
		}
	}
	return f;
}

static struct fmt
padded(struct fmt f, int width)
{
	struct fmt r;
	int pad = width - utf8_width(f.s);

	snprintf(r.s, sizeof r.s, "%*s%.40s", pad > 0 ? pad : 0, "", f.s);
	return r;
}

static struct fmt
finish(struct fmt f, int width, unsigned flags)
{
	return flags & FMT_COLUMN ? padded(f, width) : f;
}

static struct fmt
zero(int width, unsigned flags)
{
	struct fmt f;

	snprintf(f.s, sizeof f.s, "%s", flags & FMT_ASCII ? "-" : "·");
	return finish(f, width, flags);
}

/* The number with its unit; "B  " is padded so that units line up. */
static struct fmt
with_unit(const char *sign, double bytes, const char *after, unsigned flags)
{
	static const char units[][4] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB",
		"EiB" };
	struct fmt r;
	double v = fabs(bytes);
	size_t u = 0;

	while (v >= 999.5 && u + 1 < sizeof units / sizeof units[0]) {
		v /= 1024;
		u++;
	}
	snprintf(r.s, sizeof r.s, "%s%.24s %.3s%.2s%s", sign, plain(v, u > 0).s,
	    units[u], after, u == 0 && flags & FMT_COLUMN ? "  " : "");
	return r;
}

struct fmt
fmt_bytes(double bytes, unsigned flags)
{
	if (is_nothing(bytes) && !(flags & FMT_ZERO))
		return zero(FMT_W_BYTES, flags);
	return finish(with_unit(bytes <= -0.5 ? "-" : "", bytes, "", flags),
	    FMT_W_BYTES, flags);
}

static struct fmt
signed_bytes(double v, const char *after, int width, unsigned flags)
{
	if (is_nothing(v) && !(flags & FMT_ZERO))
		return zero(width, flags);
	return finish(
	    with_unit(v < 0 ? "-" : "+", v, after, flags), width, flags);
}

struct fmt
fmt_change(double bytes, unsigned flags)
{
	return signed_bytes(bytes, "", FMT_W_CHANGE, flags);
}

struct fmt
fmt_rate(double bytes_per_s, unsigned flags)
{
	return signed_bytes(bytes_per_s, "/s", FMT_W_RATE, flags);
}

struct fmt
fmt_percent(double part, double whole, unsigned flags)
{
	struct fmt f = { "" };
	double p;

	if (whole == 0 || !isfinite(part) || !isfinite(whole))
		return finish(f, FMT_W_PERCENT, flags);
	p = part / whole * 100;
	if (p == 0 && !(flags & FMT_ZERO))
		return zero(FMT_W_PERCENT, flags);
	if (p != 0 && fabs(p) < 0.05)
		snprintf(f.s, sizeof f.s, "%s", p > 0 ? "<0.1" : "-0.0");
	else
		snprintf(f.s, sizeof f.s, "%s%.30s", p < 0 ? "-" : "",
		    plain(p, 1).s);
	return finish(f, FMT_W_PERCENT, flags);
}

/* Three digits and a decimal unit. */
static struct fmt
count(const char *sign, double n)
{
	static const char units[] = " kMGTPE";
	struct fmt f;
	double v = fabs(n);
	size_t u = 0;
	int decimals;

	if (v < 9999.5) {
		snprintf(f.s, sizeof f.s, "%s%.30s", sign, plain(v, 0).s);
		return f;
	}
	while (v >= 999.5 && units[u + 1]) {
		v /= 1000;
		u++;
	}
	decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	snprintf(
	    f.s, sizeof f.s, "%s%.30s%c", sign, plain(v, decimals).s, units[u]);
	return f;
}

struct fmt
fmt_count(double n, unsigned flags)
{
	if (is_nothing(n) && !(flags & FMT_ZERO))
		return zero(FMT_W_COUNT, flags);
	return finish(count(n <= -0.5 ? "-" : "", n), FMT_W_COUNT, flags);
}

struct fmt
fmt_count_change(double n, unsigned flags)
{
	if (is_nothing(n) && !(flags & FMT_ZERO))
		return zero(FMT_W_COUNT + 1, flags);
	return finish(count(n < 0 ? "-" : "+", n), FMT_W_COUNT + 1, flags);
}

#define NS_PER_S 1000000000u

struct fmt
fmt_clock(uint64_t ns)
{
	struct fmt f;
	uint64_t s = ns / NS_PER_S;

	if (s < 3600)
		snprintf(f.s, sizeof f.s, "%u:%02u", (unsigned)(s / 60),
		    (unsigned)(s % 60));
	else
		snprintf(f.s, sizeof f.s, "%llu:%02u:%02u",
		    (unsigned long long)(s / 3600), (unsigned)(s / 60 % 60),
		    (unsigned)(s % 60));
	return f;
}

struct fmt
fmt_duration(uint64_t ns)
{
	static const struct {
		uint64_t s;
		char unit, less;
		uint64_t part;
	} steps[] = {
		{ 86400, 'd', 'h', 3600 },
		{ 3600, 'h', 'm', 60 },
		{ 60, 'm', 's', 1 },
	};
	struct fmt f;
	uint64_t s = ns / NS_PER_S;

	if (s == 0) {
		snprintf(f.s, sizeof f.s, "%ums", (unsigned)(ns / 1000000));
		return f;
	}
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		if (s < steps[i].s)
			continue;
		snprintf(f.s, sizeof f.s, "%llu%c%2llu%c",
		    (unsigned long long)(s / steps[i].s), steps[i].unit,
		    (unsigned long long)(s % steps[i].s / steps[i].part),
		    steps[i].less);
		return f;
	}
	snprintf(f.s, sizeof f.s, "%us", (unsigned)s);
	return f;
}

struct fmt
fmt_sampling(uint32_t lg_sample)
{
	static const char units[][4] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB",
		"EiB" };
	struct fmt f;

	if (lg_sample == 0)
		snprintf(f.s, sizeof f.s, "exact");
	else if (lg_sample < 64)
		snprintf(f.s, sizeof f.s, "1/%u %s", 1u << lg_sample % 10,
		    units[lg_sample / 10]);
	else
		snprintf(f.s, sizeof f.s, "never");
	return f;
}

struct fmt
fmt_error(double half_width, double value, unsigned flags)
{
	const char *sign = flags & FMT_ASCII ? "+/-" : "±";
	struct fmt f;
	double p;

	if (half_width == 0) {
		snprintf(f.s, sizeof f.s, "exact");
		return f;
	}
	p = value == 0 ? HUGE_VAL : fabs(half_width / value) * 100;
	if (p < 0.1)
		snprintf(f.s, sizeof f.s, "%s<0.1%%", sign);
	else if (p < 9.95)
		snprintf(f.s, sizeof f.s, "%s%.20s%%", sign, plain(p, 1).s);
	else if (p <= 999)
		snprintf(f.s, sizeof f.s, "%s%.20s%%", sign, plain(p, 0).s);
	else
		snprintf(f.s, sizeof f.s, "%s>999%%", sign);
	return f;
}

struct fmt
fmt_fixed(double v, int decimals)
{
	struct fmt a = plain(v, decimals), f;

	if (!(v < 0) || !strpbrk(a.s, "123456789i"))
		return a;
	snprintf(f.s, sizeof f.s, "-%.40s", a.s);
	return f;
}

struct fmt
fmt_int(double v)
{
	return fmt_fixed(v, 0);
}
