/*
 * The options there are, for options.c to read and options_set.c to obey.
 */
#ifndef OPTIONS_TABLE_H
#define OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "words.h"

struct err;
struct options;

/* A command line half read. */
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

struct option;

/* 0, or -1 with a sentence in p->e; `value` is NULL where there is none. */
typedef int option_fn(
    struct parse *p, const struct option *d, const char *value);

struct option {
	const char *name; /* with `-`; NULL: only the letter */
	char letter;      /* 0: only the name */
	enum arg arg;
	const char *accepts; /* what a value looks like; of set_refused: why */
	option_fn *set;
	size_t number; /* for set: what to set, or where in the options */
};

extern const struct option options_table[];
extern const size_t options_count;
/* Those that are in no list and in no other's way. */
extern const struct option options_jeprof[];
extern const size_t options_jeprof_count;

/* The option as it is typed, for sentences; `text` holds it. */
const char *option_label(const struct option *d, char text[32]);
/* -1 with a sentence: it does not take this value. */
int option_refuse(struct parse *p, const struct option *d, const char *value);

/* These put the value where `number` says. */
option_fn set_flag;       /* a bool */
option_fn set_shown_flag; /* a bool, of what is shown */
option_fn set_text;       /* a string that must not be empty */
option_fn set_pattern;    /* a struct pattern * */
option_fn set_size;       /* a uint64_t */
option_fn set_count;      /* an int64_t */
option_fn set_fraction;   /* a double */
option_fn set_gate;       /* a struct gate_options */

option_fn set_mode, set_report, set_list, set_metric, set_grouping;
option_fn set_snapshots, set_interval, set_sample, set_depth, set_conf;
option_fn set_seconds, set_color, set_theme, set_target;
option_fn set_thread, set_base;
option_fn set_nothing; /* there is nothing left for it to do */
option_fn set_refused; /* ours does not; what does instead */

#endif
