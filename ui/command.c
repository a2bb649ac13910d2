#include "ui/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/utf8.h"

static const struct {
	const char *word, *args, *help;
} table[] = {
#define X(name, word, args, help) [COMMAND_##name] = { word, args, help },
	COMMANDS(X)
#undef X
};

/* ---- what follows the word ----------------------------------------------- */

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

bool
command_clock(const char *s, uint64_t *ns)
{
	uint64_t sum = 0;
	int parts = 0;

	for (;;) {
		char *end;
		unsigned long n;

		if (*s < '0' || *s > '9')
			return false;
		n = strtoul(s, &end, 10);
		if (n > 1000000 || (parts > 0 && n > 59) || parts > 2)
			return false;
		sum = sum * 60 + n;
		parts++;
		if (*end == '\0')
			break;
		if (*end != ':')
			return false;
		s = end + 1;
	}
	*ns = sum * UINT64_C(1000000000);
	return true;
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
	r->kind = REQUEST_RATE;
	r->lg_sample = (uint32_t)nearbyint(log2(size));
	return 0;
}

static int
parse_active(const char *arg, struct request *r, struct err *e)
{
	r->kind = REQUEST_ACTIVE;
	r->on = strcmp(arg, "on") == 0;
	if (!r->on && strcmp(arg, "off") != 0)
		return err_set(e, "active wants on or off");
	return 0;
}

static int
parse_interval(const char *arg, struct request *r, struct err *e)
{
	double ns = number(arg, times);

	if (!(ns >= 1e7) || ns > 86400e9)
		return err_set(
		    e, "interval wants a time from 10ms to 24h, such as 500ms");
	r->kind = REQUEST_INTERVAL;
	r->ns = (uint64_t)ns;
	return 0;
}

static int
parse_arg(struct command *c, struct err *e)
{
	struct request *r = &c->request;

	switch ((int)c->id) {
	case COMMAND_SAMPLE: return parse_rate(c->arg, r, e);
	case COMMAND_ACTIVE: return parse_active(c->arg, r, e);
	case COMMAND_INTERVAL: return parse_interval(c->arg, r, e);
	case COMMAND_RECORD:
	case COMMAND_SET:
		r->kind = c->id == COMMAND_SET ? REQUEST_SET : REQUEST_RECORD;
		snprintf(r->file, sizeof r->file, "%s", c->arg);
		break;
	default: break;
	}
	if (c->id == COMMAND_SET && !strpbrk(c->arg, "= "))
		return err_set(e, "set wants NAME=VALUE, such as theme=light");
	if (*c->arg && !*table[c->id].args)
		return err_set(e, "%.*s: nothing may follow this",
		    (int)utf8_head(c->arg, 30), c->arg);
	return 0;
}

/* ---- the word -------------------------------------------------------------- */

static bool
begins(unsigned id, const char *word, size_t len)
{
	return strncmp(table[id].word, word, len) == 0;
}

/* The one command that begins with the word, or COMMAND_NONE. */
static enum command_id
find(const char *word, size_t len)
{
	enum command_id found = COMMAND_NONE;

	for (unsigned i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
		if (!begins(i, word, len))
			continue;
		if (table[i].word[len] == '\0')
			return i;
		found = found ? COMMAND_COUNT : (enum command_id)i;
	}
	return found == COMMAND_COUNT ? COMMAND_NONE : found;
}

static const char *
skip_colon(const char *text)
{
	return text + strspn(text, " :");
}

int
command_parse(const char *text, struct command *c, struct err *e)
{
	size_t len, n;

	*c = (struct command){ .id = COMMAND_NONE };
	text = skip_colon(text);
	len = strcspn(text, " =");
	if (len == 0)
		return 0;
	c->id = find(text, len);
	if (!c->id)
		return err_set(e, "%.*s: no such command; :help has them all",
		    (int)(len < utf8_head(text, 14) ? len
						    : utf8_head(text, 14)),
		    text);
	text += len;
	text += strspn(text, " =");
	snprintf(c->arg, sizeof c->arg, "%s", text);
	for (n = strlen(c->arg); n > 0 && c->arg[n - 1] == ' '; n--)
		c->arg[n - 1] = '\0';
	return parse_arg(c, e);
}

/* ---- help and completion --------------------------------------------------- */

bool
command_help(unsigned i, struct help_line *l)
{
	for (unsigned id = COMMAND_NONE + 1; id < COMMAND_COUNT; id++) {
		unsigned last = id;

		if (!*table[id].help || i-- > 0)
			continue;
		while (last + 1 < COMMAND_COUNT && !*table[last + 1].help)
			last++;
		if (last > id)
			snprintf(l->keys, sizeof l->keys, "%s ... %s",
			    table[id].word, table[last].word);
		else
			snprintf(l->keys, sizeof l->keys, "%s%s%s",
			    table[id].word, *table[id].args ? " " : "",
			    table[id].args);
		l->text = table[id].help;
		return true;
	}
	return false;
}

void
command_hint(const char *text, char *hint, size_t size)
{
	const char *word = skip_colon(text);
	size_t len = strcspn(word, " ="), used = 0;
	enum command_id only = find(word, len);

	*hint = '\0';
	if (len > 0 && only) {
		snprintf(hint, size, "%s %s", table[only].word,
		    *table[only].args ? table[only].args : table[only].help);
		return;
	}
	for (unsigned i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
		if (word[len] || !begins(i, word, len) || used >= size)
			continue;
		used += (size_t)snprintf(hint + used, size - used, "%s%s",
		    used ? " " : "", table[i].word);
	}
}

/* The i-th word that may follow a command; NULL behind the last. */
static const char *
word_behind(const struct app *a, enum command_id id, size_t i)
{
	static const char *const set[] = {
		"theme=", "glyphs=", "color=", "mouse=", "interval=", "key "
	};
	static const char *const mark[] = { "a", "b" };
	static const char *const active[] = { "on", "off" };

	switch ((int)id) {
	case COMMAND_EXPORT:
		return i < a->format_count ? a->formats[i].name : NULL;
	case COMMAND_METRIC:
		return i < METRIC_COUNT ? metric_label((enum metric)i) : NULL;
	case COMMAND_GROUP:
		return i < GROUP_COUNT ? grouping_label((enum grouping)i)
				       : NULL;
	case COMMAND_SET: return i < sizeof set / sizeof *set ? set[i] : NULL;
	case COMMAND_MARK: return i < 2 ? mark[i] : NULL;
	case COMMAND_ACTIVE: return i < 2 ? active[i] : NULL;
	default: return NULL;
	}
}

/* Longest common head of the words that begin so; with a blank behind it if
 * there is only one. */
struct completion {
	char text[PROMPT_MAX + 1];
	int count;
};

static void
offer(struct completion *c, const char *word, const char *typed)
{
	size_t n = 0;

	if (!word || strncmp(word, typed, strlen(typed)) != 0)
		return;
	if (c->count++ == 0) {
		snprintf(c->text, sizeof c->text, "%s", word);
		return;
	}
	while (c->text[n] && c->text[n] == word[n])
		n++;
	c->text[n] = '\0';
}

void
command_complete(const struct app *a, char *text)
{
	char *word = text + (skip_colon(text) - text);
	char *arg = word + strcspn(word, " ="), *from = word;
	struct completion c = { .count = 0 };
	const char *w;

	if (*arg) {
		enum command_id id = find(word, (size_t)(arg - word));

		from = arg + strspn(arg, " =");
		for (size_t i = 0; (w = word_behind(a, id, i)); i++)
			offer(&c, w, from);
	} else {
		for (unsigned i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
			offer(&c, table[i].word, word);
	}
	if (c.count == 0)
		return;
	snprintf(from, (size_t)(text + PROMPT_MAX + 1 - from), "%s%s", c.text,
	    c.count == 1 && c.text[strlen(c.text) - 1] != '=' &&
		    c.text[strlen(c.text) - 1] != ' '
		? " "
		: "");
}
