#include "options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "quantity.h"
#include "spelling.h"
#include "words.h"

#define SECOND       UINT64_C(1000000000)
#define INTERVAL_MIN (SECOND / 100)
#define INTERVAL_MAX (SECOND * 86400)
#define SAMPLE_MAX   (UINT64_C(1) << 47) /* prof/conf.h: lg_sample <= 47 */
#define DEPTH_MAX    4096                /* prof/format.h: FRAMES_MAX */
#define COUNT_MAX    1000000000u

struct parse {
	struct options *o;
	struct err *e;
	char **rest; /* what is left to read; NULL-terminated */
	bool done;   /* nothing more is an option */
	bool grouping_given;
	struct words w; /* what was no option, from the front of argv */
};

enum arg {
	ARG_NONE,
	ARG_VALUE,
	ARG_NUMBER,  /* optional, and only a number */
	ARG_PERHAPS, /* optional, and nothing that begins with - */
};

struct option {
	const char *name; /* with `-`; NULL: only the letter */
	char letter;      /* 0: only the name */
	enum arg arg;
	const char *accepts; /* what a value looks like */
	int (*set)(struct parse *p, const struct option *d, const char *value);
	int number; /* for set */
};

/* The option as it is typed, for sentences; `text` holds it. */
static const char *
label(const struct option *d, char text[32])
{
	if (d->name)
		snprintf(text, 32, "--%s", d->name);
	else
		snprintf(text, 32, "-%c", d->letter);
	return text;
}

static int
refuse(struct parse *p, const struct option *d, const char *value)
{
	char name[32];

	return err_set(
	    p->e, "%s takes %s, not '%s'", label(d, name), d->accepts, value);
}

static int
set_mode(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->o->mode = (enum mode)d->number;
	p->done = true;
	return 0;
}

static int
set_report(struct parse *p, const struct option *d, const char *value)
{
	enum report_kind kind = (enum report_kind)d->number;
	uint64_t rows;

	if (p->o->report && p->o->report != kind)
		return err_set(p->e,
		    "--%s and --%s are two reports; give one of them",
		    p->w.report_name, d->name);
	p->o->report = kind;
	p->w.report_name = d->name;
	if (d->arg != ARG_NUMBER)
		return 0;
	p->o->rows = OPTIONS_TOP_ROWS;
	if (!value)
		return 0;
	if (quantity_whole(value, 1, COUNT_MAX, &rows) < 0)
		return refuse(p, d, value);
	p->o->rows = (uint32_t)rows;
	return 0;
}

static int
set_metric(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->w.shown_name = d->name;
	p->o->metric = (enum metric)d->number;
	return 0;
}

static int
set_grouping(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->w.shown_name = d->name;
	p->o->grouping = (enum grouping)d->number;
	p->grouping_given = true;
	return 0;
}

static int
set_show_bytes(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->w.shown_name = d->name;
	p->o->show_bytes = true;
	return 0;
}

static int
set_sum(struct parse *p, const struct option *d, const char *value)
{
	(void)d, (void)value;
	p->o->sum = true;
	return 0;
}

static int
set_batch(struct parse *p, const struct option *d, const char *value)
{
	(void)d, (void)value;
	p->o->batch = true;
	return 0;
}

static int
set_exact(struct parse *p, const struct option *d, const char *value)
{
	(void)d, (void)value;
	p->o->exact = true;
	return 0;
}

static int
set_snapshots(struct parse *p, const struct option *d, const char *value)
{
	if (quantity_whole(value, 1, COUNT_MAX, &p->o->snapshots) < 0)
		return refuse(p, d, value);
	return 0;
}

static int
set_interval(struct parse *p, const struct option *d, const char *value)
{
	uint64_t ns;

	if (quantity_duration(value, &ns) < 0 || ns < INTERVAL_MIN ||
	    ns > INTERVAL_MAX)
		return refuse(p, d, value);
	p->o->interval_ns = ns;
	p->w.interval_given = true;
	return 0;
}

/* To the nearest power of two, by ratio. */
static uint64_t
round_to_power(uint64_t n)
{
	return UINT64_C(1) << lround(log2((double)n));
}

static int
set_sample(struct parse *p, const struct option *d, const char *value)
{
	uint64_t bytes;

	if (quantity_size(value, &bytes) < 0 || bytes < 1 || bytes > SAMPLE_MAX)
		return refuse(p, d, value);
	p->o->sample_bytes = round_to_power(bytes);
	p->o->sample_rounded = p->o->sample_bytes != bytes;
	return 0;
}

static int
set_depth(struct parse *p, const struct option *d, const char *value)
{
	uint64_t n;

	if (quantity_whole(value, 1, DEPTH_MAX, &n) < 0)
		return refuse(p, d, value);
	p->o->max_depth = (uint32_t)n;
	return 0;
}

/* "name:value", separated by commas, perhaps with blanks behind those; what
 * names there are, and for what values, libheaptop.so knows. */
static bool
is_conf(const char *s)
{
	do {
		size_t name;

		s += *s == ',';
		s += strspn(s, " ");
		name = strspn(s, "abcdefghijklmnopqrstuvwxyz_0123456789");
		if (name == 0 || s[name] != ':')
			return false;
		s += strcspn(s, ",");
	} while (*s);
	return true;
}

static int
set_conf(struct parse *p, const struct option *d, const char *value)
{
	if (!is_conf(value))
		return refuse(p, d, value);
	p->o->conf = value;
	return 0;
}

static int
set_output(struct parse *p, const struct option *d, const char *value)
{
	if (!*value)
		return refuse(p, d, value);
	p->o->output = value;
	return 0;
}

static int
set_target_output(struct parse *p, const struct option *d, const char *value)
{
	if (!*value)
		return refuse(p, d, value);
	p->o->target_output = value;
	return 0;
}

static int
set_seconds(struct parse *p, const struct option *d, const char *value)
{
	uint64_t ns;

	if (quantity_duration(value, &ns) < 0 || ns < INTERVAL_MIN ||
	    ns > INTERVAL_MAX)
		return refuse(p, d, value);
	p->o->seconds_ns = ns;
	return 0;
}

static int
set_color(struct parse *p, const struct option *d, const char *value)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "never") != 0 &&
	    strcmp(value, "16") != 0 && strcmp(value, "256") != 0)
		return refuse(p, d, value);
	p->o->color = value;
	return 0;
}

static int
set_theme(struct parse *p, const struct option *d, const char *value)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "dark") != 0 &&
	    strcmp(value, "light") != 0)
		return refuse(p, d, value);
	p->o->theme = value;
	return 0;
}

static int
set_ascii(struct parse *p, const struct option *d, const char *value)
{
	(void)d, (void)value;
	p->o->ascii = true;
	return 0;
}

static int
set_no_mouse(struct parse *p, const struct option *d, const char *value)
{
	(void)d, (void)value;
	p->o->no_mouse = true;
	return 0;
}

static int
set_target(struct parse *p, const struct option *d, const char *value)
{
	if (value && !*value)
		return refuse(p, d, value);
	p->o->target = value;
	p->o->mode = MODE_ATTACH;
	return 0;
}

#define A_COUNT    "a whole number from 1 to 1000000000"
#define A_DURATION "a duration from 10ms to 24h such as 100ms, 30s, 5m or 12h"
#define A_SIZE     "a size from 1 to 128T such as 4K, 64K or 1M"
#define A_DEPTH    "a number of frames from 1 to 4096"
#define A_CONF     "options such as prof_bt_max:64,narenas:2"
#define A_FILE     "the name of a file"
#define A_TARGET   "a process id or a program's name"
#define A_COLOR    "auto, never, 16 or 256"
#define A_THEME    "auto, dark or light"

static const struct option options[] = {
	{ "help", 'h', ARG_NONE, NULL, set_mode, MODE_HELP },
	{ "version", 'V', ARG_NONE, NULL, set_mode, MODE_VERSION },
	{ "text", 0, ARG_NONE, NULL, set_report, REPORT_TEXT },
	{ "top", 0, ARG_NUMBER, A_COUNT, set_report, REPORT_TOP },
	{ "tree", 0, ARG_NONE, NULL, set_report, REPORT_TREE },
	{ "collapsed", 0, ARG_NONE, NULL, set_report, REPORT_COLLAPSED },
	{ "dot", 0, ARG_NONE, NULL, set_report, REPORT_DOT },
	{ "heap", 0, ARG_NONE, NULL, set_report, REPORT_HEAP },
	{ "functions", 0, ARG_NONE, NULL, set_grouping, GROUP_FUNCTIONS },
	{ "lines", 0, ARG_NONE, NULL, set_grouping, GROUP_LINES },
	{ "files", 0, ARG_NONE, NULL, set_grouping, GROUP_FILES },
	{ "modules", 0, ARG_NONE, NULL, set_grouping, GROUP_MODULES },
	{ "addresses", 0, ARG_NONE, NULL, set_grouping, GROUP_ADDRESSES },
	{ "stacks", 0, ARG_NONE, NULL, set_grouping, GROUP_STACKS },
	{ "threads", 0, ARG_NONE, NULL, set_grouping, GROUP_THREADS },
	{ "inuse-space", 0, ARG_NONE, NULL, set_metric, METRIC_LIVE_BYTES },
	{ "inuse-objects", 0, ARG_NONE, NULL, set_metric, METRIC_LIVE_OBJECTS },
	{ "alloc-space", 0, ARG_NONE, NULL, set_metric, METRIC_ALLOC_BYTES },
	{ "alloc-objects", 0, ARG_NONE, NULL, set_metric,
	    METRIC_ALLOC_OBJECTS },
	{ "show-bytes", 0, ARG_NONE, NULL, set_show_bytes, 0 },
	{ "sum", 0, ARG_NONE, NULL, set_sum, 0 },
	{ NULL, 'b', ARG_NONE, NULL, set_batch, 0 },
	{ NULL, 'n', ARG_VALUE, A_COUNT, set_snapshots, 0 },
	{ "interval", 0, ARG_VALUE, A_DURATION, set_interval, 0 },
	{ NULL, 's', ARG_VALUE, A_SIZE, set_sample, 0 },
	{ "exact", 0, ARG_NONE, NULL, set_exact, 0 },
	{ "max-depth", 0, ARG_VALUE, A_DEPTH, set_depth, 0 },
	{ "conf", 0, ARG_VALUE, A_CONF, set_conf, 0 },
	{ NULL, 'o', ARG_VALUE, A_FILE, set_output, 0 },
	{ "target-output", 0, ARG_VALUE, A_FILE, set_target_output, 0 },
	{ NULL, 'p', ARG_PERHAPS, A_TARGET, set_target, 0 },
	{ "seconds", 0, ARG_VALUE, A_DURATION, set_seconds, 0 },
	{ "color", 0, ARG_VALUE, A_COLOR, set_color, 0 },
	{ "theme", 0, ARG_VALUE, A_THEME, set_theme, 0 },
	{ "ascii", 0, ARG_NONE, NULL, set_ascii, 0 },
	{ "no-mouse", 0, ARG_NONE, NULL, set_no_mouse, 0 },
};

#define OPTION_COUNT (sizeof options / sizeof *options)

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

static int
ambiguous(struct parse *p, const char *typed, size_t len)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (options[i].name && begins(options[i].name, typed, len))
			buf_printf(&names, "%s--%s", names.len ? ", " : "",
			    options[i].name);
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

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *d = &options[i];
		unsigned far =
		    d->name ? spelling_distance(typed, len, d->name) : best;

		if (far < best && far < len) {
			best = far;
			name = d->name;
		}
	}
	return name;
}

static int
unknown(struct parse *p, const char *typed, size_t len)
{
	const char *near = nearest(typed, len);

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
	const struct option *found = NULL;
	int matches = 0;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *d = &options[i];

		if (!d->name || !begins(d->name, typed, len))
			continue;
		if (strlen(d->name) == len)
			return d;
		found = d;
		matches++;
	}
	if (matches == 1)
		return found;
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
		return err_set(
		    p->e, "%s takes no value, not '%s'", label(d, name), given);
	if (d->arg == ARG_VALUE && !given) {
		if (!*p->rest)
			return err_set(p->e, "%s wants a value: %s",
			    label(d, name), d->accepts);
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
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (options[i].letter && options[i].letter == c)
			return &options[i];
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
	if (word[0] == '-' && word[1])
		return read_letters(p, word + 1);
	if (read_command(p, word))
		return 0;
	p->w.list[p->w.count++] = word;
	/* Behind a dump options go on; behind a program they are its own. */
	if (p->w.command || p->w.kind(word, p->w.user) != WORD_DUMP)
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
	o->metric = METRIC_LIVE_BYTES;
	o->grouping = GROUP_FUNCTIONS;
	o->interval_ns = SECOND;
	if (read_words(&p) < 0)
		return -1;
	/* a snapshot's rows are call stacks */
	if (!p.grouping_given && o->report == REPORT_NONE)
		o->grouping = GROUP_STACKS;
	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return 0;
	return words_mode(o, &p.w);
}
