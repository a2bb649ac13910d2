#include "ctl.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "conf.h"
#include "dumpfile.h"
#include "facts.h"
#include "names.h"
#include "rate.h"
#include "say.h"
#include "tablewrite.h"

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

static int
dump(const char *value, size_t len, char *out, size_t cap)
{
	char path[PATH_BYTES];
	int error;

	if (len == 0 || value[0] != '/')
		return failed(out, cap, EINVAL,
		    "prof.dump wants the absolute path of a file to write");
	if (len >= sizeof path)
		return failed(out, cap, ENAMETOOLONG, "the path is too long");
	memcpy(path, value, len);
	path[len] = '\0';
	names_refresh();
	facts_totals();
	error = dumpfile_write(path);
	if (error != 0)
		return failed(out, cap, error, "the dump could not be written");
	strncpy(out, path, cap - 1);
	return 0;
}

/* What is only read: the options as they were understood, and figures. */
static int
read_only(const char *name, size_t len, char *out, size_t cap)
{
	struct say_number num;
	const char *text = NULL;

	if (is(name, len, "opt.prof"))
		text = conf.prof ? "true" : "false";
	else if (is(name, len, "opt.prof_active"))
		text = conf.prof_active ? "true" : "false";
	else if (is(name, len, "opt.prof_final"))
		text = conf.prof_final ? "true" : "false";
	else if (is(name, len, "opt.prof_prefix"))
		text = conf.prefix;
	else if (is(name, len, "opt.lg_prof_sample"))
		text = say_number(&num, conf.lg_sample);
	else if (is(name, len, "opt.prof_bt_max"))
		text = say_number(&num, conf.bt_max);
	else if (is(name, len, "stats.allocated") && table_head()) {
		facts_totals();
		text = say_number(&num, table_head()->exact.live_bytes);
	}
	if (!text)
		return failed(out, cap, ENOENT, "there is no such name");
	strncpy(out, text, cap - 1);
	return 0;
}

int
ctl_do(const char *name, size_t name_len, const char *value, size_t value_len,
    char *out, size_t cap)
{
	int error;

	memset(out, 0, cap);
	if (is(name, name_len, "prof.active"))
		return active(value, value_len, out, cap);
	if (is(name, name_len, "prof.lg_sample"))
		return lg_sample(value, value_len, out, cap);
	if (is(name, name_len, "prof.dump"))
		return dump(value, value_len, out, cap);
	error = read_only(name, name_len, out, cap);
	if (error == 0 && value_len > 0)
		return failed(out, cap, EPERM, "it can only be read");
	return error;
}
