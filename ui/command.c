#include "ui/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/utf8.h"
#include "ui/app.h"

static const struct {
	const char *word;
	enum request_kind kind;
} commands[] = {
	{ "active", REQUEST_ACTIVE },
	{ "interval", REQUEST_INTERVAL },
	{ "quit", REQUEST_QUIT },
	{ "record", REQUEST_RECORD },
	{ "sample", REQUEST_RATE },
	{ "snapshot", REQUEST_PULL },
};

struct unit {
	const char *name;
	double factor;
};

static const struct unit sizes[] = { { "", 1 }, { "b", 1 }, { "k", 0x1p10 },
	{ "kib", 0x1p10 }, { "m", 0x1p20 }, { "mib", 0x1p20 }, { "g", 0x1p30 },
	{ "gib", 0x1p30 }, { NULL, 0 } };
static const struct unit times[] = { { "", 1e9 }, { "ms", 1e6 }, { "s", 1e9 },
	{ "m", 60e9 }, { "h", 3600e9 }, { NULL, 0 } };

/* A number with a unit; below 0 if it is none. */
static double
number(const char *s, const struct unit *units)
{
	char *end;
	double v;

	if (*s < '0' || *s > '9')
		return -1;
	v = strtod(s, &end);
	while (*end == ' ')
		end++;
	for (; units->name; units++) {
		if (strcasecmp(end, units->name) == 0)
			return v * units->factor;
	}
	return -1;
}

static int
parse_rate(const char *arg, struct request *r, struct err *e)
{
	double size = number(arg, sizes);

	if (strcmp(arg, "exact") == 0)
		size = 1;
	if (!(size >= 1) || size > 0x1p40)
		return err_set(e,
		    "sample wants a size from 1 to 1T, such as 64K, or exact");
	r->lg_sample = (uint32_t)nearbyint(log2(size));
	return 0;
}

static int
parse_arg(const char *arg, struct request *r, struct err *e)
{
	double ns;

	switch ((int)r->kind) {
	case REQUEST_RATE: return parse_rate(arg, r, e);
	case REQUEST_ACTIVE:
		r->on = strcmp(arg, "on") == 0;
		if (!r->on && strcmp(arg, "off") != 0)
			return err_set(e, "active wants on or off");
		return 0;
	case REQUEST_INTERVAL:
		ns = number(arg, times);
		if (!(ns >= 1e7) || ns > 86400e9)
			return err_set(e,
			    "interval wants a time from 10ms to 24h, such as "
			    "500ms");
		r->ns = (uint64_t)ns;
		return 0;
	case REQUEST_RECORD:
		snprintf(r->file, sizeof r->file, "%s", arg);
		return 0;
	default:
		if (*arg)
			return err_set(e, "%.*s: nothing may follow this",
			    (int)utf8_head(arg, 30), arg);
		return 0;
	}
}

/* The one command that begins with the word, or -1. */
static int
find(const char *word, size_t len)
{
	int found = -1;

	for (int i = 0; i < (int)(sizeof commands / sizeof commands[0]); i++) {
		if (strncmp(commands[i].word, word, len) != 0)
			continue;
		if (commands[i].word[len] == '\0')
			return i;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

int
command_parse(const char *text, struct request *r, struct err *e)
{
	char line[PROMPT_MAX + 1];
	size_t len;
	char *arg;
	int i;

	*r = (struct request){ .kind = REQUEST_NONE };
	while (*text == ' ' || *text == ':')
		text++;
	snprintf(line, sizeof line, "%s", text);
	for (len = strlen(line); len > 0 && line[len - 1] == ' '; len--)
		line[len - 1] = '\0';
	len = strcspn(line, " =");
	if (len == 0)
		return 0;
	i = find(line, len);
	arg = line + len;
	arg += strspn(arg, " =");
	line[len] = '\0';
	if (i < 0)
		return err_set(e,
		    "%.*s: no such command; : alone shows what there is",
		    (int)utf8_head(line, 14), line);
	r->kind = commands[i].kind;
	return parse_arg(arg, r, e);
}
