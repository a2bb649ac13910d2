#include "quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number with at most one point; `end` is set behind it. */
static int
decimal(const char *text, double *value, const char **end)
{
	size_t digits = strspn(text, "0123456789");
	size_t fraction = 0;
	char *stop;

	if (text[digits] == '.')
		fraction = strspn(text + digits + 1, "0123456789");
	if (digits + fraction == 0 || digits + fraction > 30)
		return -1;
	*value = strtod(text, &stop);
	*end = text + digits + (text[digits] == '.') + fraction;
	return 0;
}

int
quantity_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	const char *end, *unit;
	double v;

	if (decimal(text, &v, &end) < 0)
		return -1;
	unit = *end ? strchr(units, *end & ~0x20) : NULL;
	if (unit) {
		v = ldexp(v, 10 * (int)(unit - units + 1));
		end++;
		if (*end == 'i')
			end++;
	}
	if (*end == 'B')
		end++;
	if (*end || v >= ldexp(1, 62))
		return -1;
	*bytes = (uint64_t)v;
	return 0;
}

int
quantity_duration(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 },
		{ "ms", 1e6 },
		{ "s", 1e9 },
		{ "m", 60e9 },
		{ "h", 3600e9 },
		{ "d", 86400e9 },
	};
	const char *end;
	double v;

	if (decimal(text, &v, &end) < 0)
		return -1;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		if (v * units[i].ns >= 9e18)
			return -1;
		*ns = (uint64_t)(v * units[i].ns);
		return 0;
	}
	return -1;
}

int
quantity_fraction(const char *text, double *part)
{
	const char *end;
	double v;

	if (decimal(text, &v, &end) < 0)
		return -1;
	if (*end == '%') {
		v /= 100;
		end++;
	}
	if (*end || v > 1)
		return -1;
	*part = v;
	return 0;
}

int
quantity_whole(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t v = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || v > max)
			return -1;
		v = v * 10 + (uint64_t)(*text - '0');
	}
	if (v < min || v > max)
		return -1;
	*value = v;
	return 0;
}
