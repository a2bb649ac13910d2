#include "conf_words.h"

#include <string.h>

bool
conf_is(struct word w, const char *s)
{
	return w.len == strlen(s) && memcmp(w.p, s, w.len) == 0;
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* C syntax, as jemalloc takes it: decimal, 0x, 0. */
bool
conf_number(struct word w, int64_t min, int64_t max, int64_t *out)
{
	uint64_t n = 0;
	int64_t value;
	unsigned base = 10;
	bool minus = false;
	size_t i = 0;

	if (w.len > 0 && (w.p[0] == '-' || w.p[0] == '+')) {
		minus = w.p[0] == '-';
		i = 1;
	}
	if (w.len > i + 2 && w.p[i] == '0' && (w.p[i + 1] | 32) == 'x') {
		base = 16;
		i += 2;
	} else if (w.len > i + 1 && w.p[i] == '0') {
		base = 8;
		i++;
	}
	if (i == w.len)
		return false;
	for (; i < w.len; i++) {
		unsigned d = (unsigned)digit_of(w.p[i]);

		if (d >= base || n > (uint64_t)INT64_MAX / 16 - d)
			return false;
		n = n * base + d;
	}
	value = minus ? -(int64_t)n : (int64_t)n;
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

bool
conf_boolean(struct word w, bool *out)
{
	if (!conf_is(w, "true") && !conf_is(w, "false"))
		return false;
	*out = conf_is(w, "true");
	return true;
}

bool
conf_u32(struct word w, int64_t min, int64_t max, uint32_t *out)
{
	int64_t n;

	if (!conf_number(w, min, max, &n))
		return false;
	*out = (uint32_t)n;
	return true;
}

bool
conf_text(struct word w, char *out, size_t cap)
{
	if (w.len >= cap)
		return false;
	memcpy(out, w.p, w.len);
	out[w.len] = '\0';
	return true;
}
