/* What each option does to the options. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "options.h"
#include "options_table.h"
#include "quantity.h"

#define SECOND       UINT64_C(1000000000)
#define INTERVAL_MIN (SECOND / 100)
#define INTERVAL_MAX (SECOND * 86400)
#define SAMPLE_MAX   (UINT64_C(1) << 47) /* prof/conf.h: lg_sample <= 47 */
#define DEPTH_MAX    4096                /* prof/format.h: FRAMES_MAX */
#define COUNT_MAX    1000000000u

/* Where in the options the value of `d` goes. */
static void *
field(struct parse *p, const struct option *d)
{
	return (char *)p->o + d->number;
}

int
set_flag(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	*(bool *)field(p, d) = true;
	return 0;
}

int
set_nothing(struct parse *p, const struct option *d, const char *value)
{
	return value && !*value ? option_refuse(p, d, value) : 0;
}

int
set_refused(struct parse *p, const struct option *d, const char *value)
{
	char name[32];

	(void)value;
	return err_set(p->e, "%s %s", option_label(d, name), d->accepts);
}

int
set_shown_flag(struct parse *p, const struct option *d, const char *value)
{
	p->w.shown_name = d->name;
	return set_flag(p, d, value);
}

int
set_text(struct parse *p, const struct option *d, const char *value)
{
	if (!*value)
		return option_refuse(p, d, value);
	*(const char **)field(p, d) = value;
	return 0;
}

/* NULL with a sentence in p->e.  A star in front is the mark of who means
 * file names. */
static struct pattern *
compile(struct parse *p, const struct option *d, const char *text)
{
	struct pattern *made = NULL;
	struct err why;
	char name[32];

	option_label(d, name);
	if (!*text)
		option_refuse(p, d, text);
	else if (*text == '*')
		err_set(p->e,
		    "%s takes a regular expression, in which .* is anything, "
		    "not *: write '.%s'",
		    name, text);
	else if (!(made = pattern_new(text, &why)))
		err_set(p->e, "%s: %s", name, why.msg);
	return made;
}

int
set_pattern(struct parse *p, const struct option *d, const char *value)
{
	struct pattern **to = field(p, d), *made = compile(p, d, value);

	if (!made)
		return -1;
	p->w.shown_name = d->name;
	pattern_free(*to);
	*to = made;
	return 0;
}

int
set_size(struct parse *p, const struct option *d, const char *value)
{
	uint64_t bytes;

	if (quantity_size(value, &bytes) < 0 || bytes < 1)
		return option_refuse(p, d, value);
	p->w.shown_name = d->name;
	*(uint64_t *)field(p, d) = bytes;
	return 0;
}

int
set_count(struct parse *p, const struct option *d, const char *value)
{
	uint64_t n;

	if (quantity_whole(value, 0, COUNT_MAX, &n) < 0)
		return option_refuse(p, d, value);
	p->w.limit_name = d->name;
	*(int64_t *)field(p, d) = (int64_t)n;
	return 0;
}

int
set_fraction(struct parse *p, const struct option *d, const char *value)
{
	double part;

	if (quantity_fraction(value, &part) < 0)
		return option_refuse(p, d, value);
	p->w.limit_name = d->name;
	*(double *)field(p, d) = part;
	return 0;
}

/* "SIZE" or "SIZE,REGEX". */
int
set_gate(struct parse *p, const struct option *d, const char *value)
{
	struct gate_options *g = field(p, d), made = { .text = value };
	size_t len = strcspn(value, ",");
	char size[64];

	if (len >= sizeof size)
		return option_refuse(p, d, value);
	memcpy(size, value, len);
	size[len] = '\0';
	if (quantity_size(size, &made.limit) < 0)
		return option_refuse(p, d, value);
	if (value[len]) {
		made.where = compile(p, d, value + len + 1);
		if (!made.where)
			return -1;
	}
	pattern_free(g->where);
	*g = made;
	return 0;
}

/* "7", "t7" as dumps have it, or jeprof's "*". */
int
set_thread(struct parse *p, const struct option *d, const char *value)
{
	const char *id = value + (*value == 't');
	uint64_t n;

	if (strcmp(value, "*") != 0 &&
	    quantity_whole(id, 0, UINT32_MAX, &n) < 0)
		return option_refuse(p, d, value);
	p->w.shown_name = d->name;
	p->o->query.thread = id;
	return 0;
}

int
set_base(struct parse *p, const struct option *d, const char *value)
{
	p->o->base_name = d->name;
	return set_text(p, d, value);
}

int
set_mode(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->o->mode = (enum mode)d->number;
	p->done = true;
	return 0;
}

int
set_report(struct parse *p, const struct option *d, const char *value)
{
	enum report_kind kind = (enum report_kind)d->number;
	uint64_t rows;

	if (p->o->report && p->o->report != kind)
		return err_set(p->e,
		    "--%s and --%s are two reports; give one of them",
		    p->o->report_name, d->name);
	p->o->report = kind;
	p->o->report_name = d->name;
	if (d->arg != ARG_NUMBER)
		return 0;
	p->o->rows = OPTIONS_TOP_ROWS;
	if (!value)
		return 0;
	if (quantity_whole(value, 1, COUNT_MAX, &rows) < 0)
		return option_refuse(p, d, value);
	p->o->rows = (uint32_t)rows;
	return 0;
}

int
set_list(struct parse *p, const struct option *d, const char *value)
{
	struct pattern *made = compile(p, d, value);

	if (!made)
		return -1;
	pattern_free(p->o->list);
	p->o->list = made;
	return set_report(p, d, NULL);
}

int
set_metric(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->w.shown_name = d->name;
	p->o->metric = (enum metric)d->number;
	return 0;
}

int
set_grouping(struct parse *p, const struct option *d, const char *value)
{
	(void)value;
	p->w.shown_name = d->name;
	p->o->grouping = (enum grouping)d->number;
	p->grouping_given = true;
	return 0;
}

int
set_snapshots(struct parse *p, const struct option *d, const char *value)
{
	if (quantity_whole(value, 1, COUNT_MAX, &p->o->snapshots) < 0)
		return option_refuse(p, d, value);
	return 0;
}

int
set_interval(struct parse *p, const struct option *d, const char *value)
{
	uint64_t ns;

	if (quantity_duration(value, &ns) < 0 || ns < INTERVAL_MIN ||
	    ns > INTERVAL_MAX)
		return option_refuse(p, d, value);
	p->o->interval_ns = ns;
	p->w.interval_given = p->o->interval_given = true;
	return 0;
}

/* To the nearest power of two, by ratio. */
static uint64_t
round_to_power(uint64_t n)
{
	return UINT64_C(1) << lround(log2((double)n));
}

int
set_sample(struct parse *p, const struct option *d, const char *value)
{
	uint64_t bytes;

	if (quantity_size(value, &bytes) < 0 || bytes < 1 || bytes > SAMPLE_MAX)
		return option_refuse(p, d, value);
	p->o->sample_bytes = round_to_power(bytes);
	p->o->sample_rounded = p->o->sample_bytes != bytes;
	return 0;
}

int
set_depth(struct parse *p, const struct option *d, const char *value)
{
	uint64_t n;

	if (quantity_whole(value, 1, DEPTH_MAX, &n) < 0)
		return option_refuse(p, d, value);
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

int
set_conf(struct parse *p, const struct option *d, const char *value)
{
	if (!is_conf(value))
		return option_refuse(p, d, value);
	p->o->conf = value;
	return 0;
}

int
set_seconds(struct parse *p, const struct option *d, const char *value)
{
	uint64_t ns;

	if (quantity_duration(value, &ns) < 0 || ns < INTERVAL_MIN ||
	    ns > INTERVAL_MAX)
		return option_refuse(p, d, value);
	p->o->seconds_ns = ns;
	return 0;
}

int
set_color(struct parse *p, const struct option *d, const char *value)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "never") != 0 &&
	    strcmp(value, "16") != 0 && strcmp(value, "256") != 0)
		return option_refuse(p, d, value);
	p->o->color = value;
	return 0;
}

int
set_theme(struct parse *p, const struct option *d, const char *value)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "dark") != 0 &&
	    strcmp(value, "light") != 0)
		return option_refuse(p, d, value);
	p->o->theme = value;
	return 0;
}

int
set_target(struct parse *p, const struct option *d, const char *value)
{
	if (value && !*value)
		return option_refuse(p, d, value);
	p->o->target = value;
	p->o->mode = MODE_ATTACH;
	return 0;
}
