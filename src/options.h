/*
 * The command line as a value: argv in, struct options out.
 *
 * Pure: nothing is opened, started or printed; whether a word is a dump is
 * asked of the caller.  Names take `-` or `_`, values follow `=` or a blank,
 * unambiguous abbreviations will do; an optional value is taken from the next
 * word only if that is a number, a process's only if it does not begin with
 * `-`.  A whole name may have one `-`.  Options end at the first word that is
 * none, except behind a dump and where --sum says that dumps are meant, and
 * at `ctl`, which reads its words itself.  Which of a program and dumps is
 * meant is told by content; `--` in front always means a program.
 *
 * Strings are borrowed from argv, which must outlive the options; patterns
 * are compiled, and the options' own.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/query.h"

struct buf;
struct err;
struct pattern;
struct profile;
struct settings;

enum mode {
	MODE_LAUNCH,
	MODE_ATTACH,
	MODE_DUMPS,
	MODE_EXEC,
	MODE_PS,
	MODE_CTL,
	MODE_CHECK,
	MODE_HELP,
	MODE_VERSION,
};

enum report_kind {
	REPORT_NONE, /* the live modes: snapshots */
	REPORT_TEXT,
	REPORT_TOP,
	REPORT_TREE,
	REPORT_COLLAPSED,
	REPORT_DOT,
	REPORT_SVG,
	REPORT_PDF,
	REPORT_PS,
	REPORT_PNG,
	REPORT_GIF,
	REPORT_FLAMEGRAPH,
	REPORT_CALLGRIND,
	REPORT_RAW,
	REPORT_PPROF,
	REPORT_SPEEDSCOPE,
	REPORT_JSON,
	REPORT_CSV,
	REPORT_HEAP,
	REPORT_GROWTH,
	REPORT_SIZES,
	REPORT_STATS,
	REPORT_MEMORY,
	REPORT_LIST,
	REPORT_MARKDOWN,
	REPORT_GATES, /* none: only --fail-above or --fail-growth */
	REPORT_COUNT
};

/* What a word of the command line is. */
enum word_kind {
	WORD_MISSING, /* no file of that name */
	WORD_DUMP,    /* a file that is a saved dump */
	WORD_OTHER,   /* a file of another kind */
};

#define OPTIONS_TOP_ROWS 10 /* rows of --top without a number */

/* What is selected, on screens and in reports; see options_query. */
struct query_options {
	struct pattern *focus, *ignore, *show, *hide; /* NULL: not given */
	const char *thread; /* an id as typed, or "*": each; NULL: all */
	uint64_t min_size, max_size; /* of an average object; 0: any */
	bool cum, invert, drop_negative;
};

/* Limits of graphs and tables; below 0: not given. */
struct limit_options {
	int64_t node_count, max_degree;
	double node_fraction, edge_fraction;
};

/* --fail-above, --fail-growth. */
struct gate_options {
	const char *text;      /* as typed; NULL: no such gate */
	uint64_t limit;        /* bytes */
	struct pattern *where; /* in a frame's name; NULL: everything */
};

struct options {
	enum mode mode;
	char *line; /* all of it, for a shell to do it again */
	enum report_kind report;
	const char *report_name; /* as typed; NULL: none */
	uint32_t rows;           /* of REPORT_TOP */
	struct pattern *list;    /* of REPORT_LIST */
	enum metric metric;
	enum grouping grouping;
	const char *pool; /* of the program; NULL: what malloc handed out */
	bool show_bytes;  /* plain numbers, not rounded */
	bool sum;         /* add up all dumps, or all processes of the run */
	bool interactive; /* the screen and nothing else will do */

	struct query_options query;
	struct limit_options limits;
	const char *lib_prefix; /* as in io/symbols.h, or NULL */
	const char *base;       /* file that a report is compared with */
	const char *base_name;  /* "base", "diff-base": how that was typed */
	struct gate_options above, growth;

	bool batch;           /* -b */
	uint64_t snapshots;   /* -n, 0: no limit */
	uint64_t interval_ns; /* 1 s unless given */
	bool interval_given;

	uint64_t sample_bytes; /* -s, a power of two; 0: not given */
	bool sample_rounded;   /* what was typed was none */
	bool exact;
	uint32_t max_depth; /* 0: not given */
	const char *conf;   /* --conf, or NULL */

	/* How a screen looks; without one they mean nothing. */
	const char *color; /* auto, never, 16 or 256; NULL: auto */
	const char *theme; /* auto, dark or light; NULL: auto */
	bool ascii, no_mouse;
	bool plain; /* lines of text instead, for screen readers */
	const struct settings *settings; /* of the user, below them; or NULL */

	const char *output;        /* -o, or NULL */
	const char *target_output; /* MODE_LAUNCH: the program's, or NULL */
	const char *target;  /* MODE_ATTACH: pid or name; NULL: to be asked */
	uint64_t seconds_ns; /* MODE_ATTACH, a report of so long; 0: of now */

	char **program;     /* launch, exec: argv of the program */
	const char *binary; /* MODE_DUMPS: PROGRAM before them, or NULL */
	char **dumps;       /* MODE_DUMPS */
	size_t dump_count;
	char **words; /* MODE_CTL: all behind it; MODE_CHECK: the one */
	size_t word_count;
};

/*
 * Fill `o` from argv[1..]; argv's words may be put into another order.
 * `kind` says what a word is, with `user` passed on.  0; -1 for bad usage
 * with the sentence in `e`: exit status 2, and nothing may be started.
 */
int options_parse(struct options *o, int argc, char **argv,
    enum word_kind (*kind)(const char *word, void *user), void *user,
    struct err *e);
void options_fini(struct options *o); /* after options_parse, in any case */

/* The options' question, for screens and reports; base, cutting and trees are
 * for the caller to say.  Patterns are borrowed from `o`.  The thread is
 * looked for in `p` by its id there: -1 with a sentence if there is none such.
 * Where `p` is NULL no thread is chosen. */
int options_query(const struct options *o, const struct profile *p,
    struct query *q, struct err *e);

/* --sum of dumps alone: on the screen they are gone through, without one
 * this makes it --text. */
void options_default_report(struct options *o);

/* The text of --help. */
void options_help(struct buf *b);

#endif
