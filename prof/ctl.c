#include "ctl.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "rate.h"
#include "say.h"

static int
failed(char *out, size_t cap, int error, const char *why)
{
	strncpy(out, why, cap - 1);
	return error;
}

static bool
is(const char *p, size_t len, const char *s)
{
	return len == strlen(s) && memcmp(p, s, len) == 0;
}

static int
active(const char *value, size_t len, char *out, size_t cap)
{
	struct rate r = rate_now();

	if (len > 0) {
		if (!is(value, len, "true") && !is(value, len, "false"))
			return failed(
			    out, cap, EINVAL, "prof.active is true or false");
		r.active = is(value, len, "true");
		rate_set(r);
	}
	strncpy(out, r.active ? "true" : "false", cap - 1);
	return 0;
}

static int
lg_sample(const char *value, size_t len, char *out, size_t cap)
{
	struct rate r = rate_now();
	struct say_number num;
	unsigned n = 0;

	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9' || n > RATE_LG_MAX)
			return failed(out, cap, EINVAL,
			    "prof.lg_sample is a number from 0 to 47");
		n = n * 10 + (unsigned)(value[i] - '0');
	}
	if (n > RATE_LG_MAX)
		return failed(out, cap, EINVAL,
		    "prof.lg_sample is a number from 0 to 47");
	if (len > 0) {
		r.lg = (uint8_t)n;
		rate_set(r);
	}
	strncpy(out, say_number(&num, r.lg), cap - 1);
	return 0;
}

int
ctl_do(const char *name, size_t name_len, const char *value, size_t value_len,
    char *out, size_t cap)
{
	memset(out, 0, cap);
	if (is(name, name_len, "prof.active"))
		return active(value, value_len, out, cap);
	if (is(name, name_len, "prof.lg_sample"))
		return lg_sample(value, value_len, out, cap);
	return failed(out, cap, ENOENT, "there is no such name");
}
