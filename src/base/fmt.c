#include "base/fmt.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* |v| * 10^decimals, rounded half away from zero.  A double holds decimal
 * fractions only nearly; the tiny push lets 0.15 round as it is written. */
static double
scaled(double v, int decimals)
{
	double a = fabs(v);

	for (int i = 0; i < decimals; i++)
		a *= 10;
	return floor(a + 0.5 + a * 1e-15);
}

static struct fmt
plain(double v, int decimals)
{
	struct fmt f;
	double a, unit = 1;

	if (!isfinite(v)) {
		snprintf(f.s, sizeof f.s, "%s", isnan(v) ? "nan" : "inf");
		return f;
	}
	a = scaled(v, decimals);
	for (int i = 0; i < decimals; i++)
		unit *= 10;
	if (a > 1e30)
		snprintf(f.s, sizeof f.s, "%.3g", fabs(v));
	else if (decimals == 0)
		snprintf(f.s, sizeof f.s, "%.0f", a);
	else
		snprintf(f.s, sizeof f.s, "%.0f.%0*.0f", floor(a / unit),
		    decimals, fmod(a, unit));
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
	if (scaled(bytes, 0) == 0 && !(flags & FMT_ZERO))
		return zero(FMT_W_BYTES, flags);
	return finish(with_unit(bytes <= -0.5 ? "-" : "", bytes, "", flags),
	    FMT_W_BYTES, flags);
}

static struct fmt
signed_bytes(double v, const char *after, int width, unsigned flags)
{
	if (scaled(v, 0) == 0 && !(flags & FMT_ZERO))
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

	if (scaled(v, 0) <= 9999) {
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
	if (scaled(n, 0) == 0 && !(flags & FMT_ZERO))
		return zero(FMT_W_COUNT, flags);
	return finish(count(n <= -0.5 ? "-" : "", n), FMT_W_COUNT, flags);
}

struct fmt
fmt_count_change(double n, unsigned flags)
{
	if (scaled(n, 0) == 0 && !(flags & FMT_ZERO))
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
	bool negative = v < 0 && scaled(v, decimals) != 0;

	if (!negative)
		return a;
	snprintf(f.s, sizeof f.s, "-%.40s", a.s);
	return f;
}

struct fmt
fmt_int(double v)
{
	return fmt_fixed(v, 0);
}
