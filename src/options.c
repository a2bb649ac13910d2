#include "options.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "options_table.h"
#include "spelling.h"

#define SECOND UINT64_C(1000000000)

const char *
option_label(const struct option *d, char text[32])
{
	if (d->name)
		snprintf(text, 32, "--%s", d->name);
	else
		snprintf(text, 32, "-%c", d->letter);
	return text;
}

int
option_refuse(struct parse *p, const struct option *d, const char *value)
{
	char name[32];

	return err_set(p->e, "%s takes %s, not '%s'", option_label(d, name),
	    d->accepts, value);
}

/* Does `name` begin with `typed`, where `_` is `-`? */
static bool
begins(const char *name, const char *typed, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = typed[i] == '_' ? '-' : typed[i];

		if (name[i] == '\0' || name[i] != c)
			return false;
	}
	return true;
}

/* How many options of a table begin like this; `found` is one of them, the
 * one of just this name if there is one. */
static int
find_in(const struct option *table, size_t count, const char *typed, size_t len,
    const struct option **found)
{
	int matches = 0;

	for (size_t i = 0; i < count; i++) {
		const struct option *d = &table[i];

		if (!d->name || !begins(d->name, typed, len))
			continue;
		*found = d;
		if (strlen(d->name) == len)
			return 1;
		matches++;
	}
	return matches;
}

/* The option of just this name, or NULL. */
static const struct option *
find_whole(const char *typed, size_t len)
{
	const struct option *d = NULL;

	if (find_in(options_table, options_count, typed, len, &d) == 1 &&
	    strlen(d->name) == len)
		return d;
	if (find_in(options_jeprof, options_jeprof_count, typed, len, &d) ==
		1 &&
	    strlen(d->name) == len)
		return d;
	return NULL;
}

static int
ambiguous(struct parse *p, const char *typed, size_t len)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < options_count; i++)
		if (options_table[i].name &&
		    begins(options_table[i].name, typed, len))
			buf_printf(&names, "%s--%s", names.len ? ", " : "",
			    options_table[i].name);
	err_set(p->e, "--%.*s may be one of %s; type more of it", (int)len,
	    typed, buf_str(&names));
	buf_fini(&names);
	return -1;
}

/* The name that was probably meant, or NULL: a letter or two may be wrong,
 * but not most of the word. */
static const char *
nearest(const char *typed, size_t len)
{
	const char *name = NULL;
	unsigned best = len < 5 ? 2 : 3;

	for (size_t i = 0; i < options_count; i++) {
		const struct option *d = &options_table[i];
		unsigned far =
		    d->name ? spelling_distance(typed, len, d->name) : best;

		if (far < best && far < len) {
			best = far;
			name = d->name;
		}
	}
	return name;
}

/* The flag that `typed` says no to, as "nocum" or "no-cum"; or NULL. */
static const struct option *
denied(const char *typed, size_t len)
{
	const struct option *d;
	size_t no = 2;

	if (len < 3 || strncmp(typed, "no", 2) != 0)
		return NULL;
	no += typed[no] == '-' || typed[no] == '_';
	d = find_whole(typed + no, len - no);
	return d && d->arg == ARG_NONE ? d : NULL;
}

static int
unknown(struct parse *p, const char *typed, size_t len)
{
	const char *near = nearest(typed, len);
	const struct option *no = denied(typed, len);

	if (no)
		return err_set(p->e,
		    "--%.*s is what there is without --%s; leave both away",
		    (int)len, typed, no->name);
	if (near)
		return err_set(p->e,
		    "there is no option --%.*s (--%s?); heaptop --help "
		    "lists all",
		    (int)len, typed, near);
	return err_set(p->e,
	    "there is no option --%.*s; heaptop --help lists all", (int)len,
	    typed);
}

/* The long option typed, or NULL with the reason in p->e. */
static const struct option *
find_long(struct parse *p, const char *typed, size_t len)
{
	const struct option *d = find_whole(typed, len);
	int matches;

	if (d)
		return d;
	matches = find_in(options_table, options_count, typed, len, &d);
	if (matches == 0)
		matches = find_in(
		    options_jeprof, options_jeprof_count, typed, len, &d);
	if (matches == 1)
		return d;
	if (matches > 1 && len > 0)
		ambiguous(p, typed, len);
	else
		unknown(p, typed, len);
	return NULL;
}

static bool
is_number(const char *word)
{
	return word && *word && word[strspn(word, "0123456789")] == '\0';
}

/* The value of `d`: `given` if not NULL, else from the next word. */
static int
apply(struct parse *p, const struct option *d, const char *given)
{
	char name[32];

	if (d->arg == ARG_NONE && given)
		return err_set(p->e, "%s takes no value, not '%s'",
		    option_label(d, name), given);
	if (d->arg == ARG_VALUE && !given) {
		if (!*p->rest)
			return err_set(p->e, "%s wants a value: %s",
			    option_label(d, name), d->accepts);
		given = *p->rest++;
	}
	if (d->arg == ARG_NUMBER && !given && is_number(*p->rest))
		given = *p->rest++;
	if (d->arg == ARG_PERHAPS && !given && *p->rest && **p->rest != '-')
		given = *p->rest++;
	/* of several the last one counts, so that an alias can be overruled */
	return d->set(p, d, given);
}

static int
read_long(struct parse *p, const char *typed)
{
	size_t len = strcspn(typed, "=");
	const struct option *d = find_long(p, typed, len);

	if (!d)
		return -1;
	return apply(p, d, typed[len] ? typed + len + 1 : NULL);
}

static const struct option *
find_letter(char c)
{
	for (size_t i = 0; i < options_count; i++)
		if (options_table[i].letter && options_table[i].letter == c)
			return &options_table[i];
	return NULL;
}

/* "-b", "-n3", "-n=3", "-bn 3". */
static int
read_letters(struct parse *p, const char *s)
{
	while (*s) {
		const struct option *d = find_letter(*s++);

		/* a letter beyond ASCII is more than one byte */
		if (!d)
			return err_set(p->e,
			    "there is no option -%.*s; heaptop --help lists "
			    "all",
			    s[-1] & 0x80 ? 4 : 1, s - 1);
		if (d->arg == ARG_VALUE || d->arg == ARG_PERHAPS) {
			if (*s == '=')
				s++;
			return apply(p, d, *s || s[-1] == '=' ? s : NULL);
		}
		if (*s == '=')
			return apply(p, d, s + 1);
		if (d->set(p, d, NULL) < 0)
			return -1;
	}
	return 0;
}

/* heaptop's own commands are told by their name, in front. */
static bool
read_command(struct parse *p, const char *word)
{
	static const struct {
		const char *name;
		enum mode mode;
	} commands[] = {
		{ "exec", MODE_EXEC },
		{ "ps", MODE_PS },
		{ "ctl", MODE_CTL },
		{ "check", MODE_CHECK },
	};

	if (p->w.command || p->w.count)
		return false;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strcmp(word, commands[i].name) != 0)
			continue;
		p->w.command = commands[i].name;
		p->w.command_mode = commands[i].mode;
		/* its -r and -w are no options of ours */
		p->done = commands[i].mode == MODE_CTL;
		return true;
	}
	return false;
}

static int
read_word(struct parse *p, char *word)
{
	if (strcmp(word, "--") == 0) {
		p->w.dashes = p->w.count == 0;
		p->done = true;
		return 0;
	}
	if (word[0] == '-' && word[1] == '-')
		return read_long(p, word + 2);
	/* as jeprof and others take them: -text */
	if (word[0] == '-' && find_whole(word + 1, strcspn(word + 1, "=")))
		return read_long(p, word + 1);
	if (word[0] == '-' && word[1])
		return read_letters(p, word + 1);
	if (read_command(p, word))
		return 0;
	p->w.list[p->w.count++] = word;
	/* Behind a dump options go on; behind a program they are its own, but
	 * with --sum it is not to be run. */
	if (p->w.command ||
	    (!p->o->sum && p->w.kind(word, p->w.user) != WORD_DUMP))
		p->done = true;
	return 0;
}

static int
read_words(struct parse *p)
{
	while (*p->rest && !p->done)
		if (read_word(p, *p->rest++) < 0)
			return -1;
	if (p->o->mode == MODE_HELP || p->o->mode == MODE_VERSION)
		return 0;
	while (*p->rest)
		p->w.list[p->w.count++] = *p->rest++;
	p->w.list[p->w.count] = NULL;
	return 0;
}

/* Before the words are put into another order. */
static char *
line_of(int argc, char **argv)
{
	struct buf b = BUF_INIT;
	char *line;

	buf_puts(&b, "heaptop");
	for (int i = 1; i < argc; i++) {
		buf_putc(&b, ' ');
		buf_put_word(&b, argv[i]);
	}
	line = xstrdup(buf_str(&b));
	buf_fini(&b);
	return line;
}

int
options_parse(struct options *o, int argc, char **argv,
    enum word_kind (*kind)(const char *word, void *user), void *user,
    struct err *e)
{
	struct parse p = {
		.o = o,
		.e = e,
		.rest = argv + (argc > 0),
		.w = {
			.list = argv + (argc > 0),
			.kind = kind,
			.user = user,
			.e = e,
		},
	};

	memset(o, 0, sizeof *o);
	o->line = line_of(argc, argv);
	o->metric = METRIC_LIVE_BYTES;
	o->grouping = GROUP_FUNCTIONS;
	o->interval_ns = SECOND;
	o->limits = (struct limit_options){ -1, -1, -1, -1 };
	if (read_words(&p) < 0)
		return -1;
	/* gates alone make a run as little live as a report would */
	if (o->report == REPORT_NONE && (o->above.text || o->growth.text)) {
		o->report = REPORT_GATES;
		o->report_name = o->above.text ? "fail-above" : "fail-growth";
	}
	/* a snapshot's rows are call stacks; jeprof's are functions */
	if (!p.grouping_given && o->report == REPORT_NONE && !o->sum)
		o->grouping = GROUP_STACKS;
	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return 0;
	return words_mode(o, &p.w);
}

void
options_default_report(struct options *o)
{
	if (o->mode != MODE_DUMPS || o->report || !o->sum)
		return;
	o->report = REPORT_TEXT;
	o->report_name = "text";
}
