#include "words.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"

/* Would a person take this for the name of a dump? */
static bool
looks_like_dump(const char *word)
{
	const char *heap;

	if (word[0] == '-')
		return false;
	if (strpbrk(word, "*?["))
		return true;
	for (heap = word; (heap = strstr(heap, ".heap")); heap += 5) {
		const char *rest = heap + 5;

		if (*rest == '.')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (*rest == '\0' || strcmp(heap + 5, ".gz") == 0)
			return heap > word;
	}
	return false;
}

static int
check_missing(const struct words *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const char *word = w->list[i];

		if (!looks_like_dump(word) ||
		    w->kind(word, w->user) != WORD_MISSING)
			continue;
		return err_set(w->e,
		    "no file '%s'; to run a program with that as an argument "
		    "put -- before the program",
		    word);
	}
	return 0;
}

/* Are all words from `from` on dumps, or named like one (then why they are
 * none is for the reader to say), and is there one? */
static bool
all_meant(const struct words *w, size_t from)
{
	for (size_t i = from; i < w->count; i++)
		if (w->kind(w->list[i], w->user) != WORD_DUMP &&
		    !looks_like_dump(w->list[i]))
			return false;
	return from < w->count;
}

/* Are all words from `from` on dumps, and is there one? */
static bool
all_dumps(const struct words *w, size_t from)
{
	for (size_t i = from; i < w->count; i++)
		if (w->kind(w->list[i], w->user) != WORD_DUMP)
			return false;
	return from < w->count;
}

static void
take_dumps(struct options *o, const struct words *w, size_t from)
{
	o->mode = MODE_DUMPS;
	o->binary = from ? w->list[0] : NULL;
	o->dumps = w->list + from;
	o->dump_count = w->count - from;
}

/* The option that says that dumps are meant, unless `--` stands there; or
 * NULL. */
static const char *
asks_dumps(const struct options *o)
{
	return o->report_name ? o->report_name : o->sum ? "sum" : NULL;
}

/* "http://host/pprof/heap", "host:1234". */
static bool
is_remote(const char *word)
{
	const char *colon = strchr(word, ':');

	return colon && colon > word &&
	    (strncmp(colon, "://", 3) == 0 ||
		strspn(colon + 1, "0123456789") > 0);
}

/* Dumps were meant, and something in the words is none. */
static int
no_dump(const struct options *o, const struct words *w)
{
	const char *asks = asks_dumps(o);
	size_t i = w->count > 1;
	const char *is;

	while (i < w->count && w->kind(w->list[i], w->user) == WORD_DUMP)
		i++;
	if (i == w->count)
		i = 0;
	is = w->kind(w->list[i], w->user) == WORD_MISSING ? "no file"
							  : "no dump";
	if (asks && is_remote(w->list[i]) &&
	    w->kind(w->list[i], w->user) == WORD_MISSING)
		return err_set(w->e,
		    "'%s' is no file, and heaptop fetches none; get it with "
		    "curl, or watch a process of this machine with -p",
		    w->list[i]);
	if (!asks)
		return err_set(w->e,
		    "'%s' is a saved dump and '%s' is %s; give only dumps",
		    w->list[0], w->list[i], is);
	return err_set(w->e,
	    "--%s reports on dumps, and '%s' is %s; to run a program and "
	    "report at its end put -- before it",
	    asks, w->list[i], is);
}

static int
program_or_dumps(struct options *o, const struct words *w)
{
	if (w->dashes) {
		o->mode = MODE_LAUNCH;
		o->program = w->list;
		return 0;
	}
	if (check_missing(w) < 0)
		return -1;
	if (all_meant(w, 0))
		take_dumps(o, w, 0);
	else if (all_dumps(w, 1) || (asks_dumps(o) && all_meant(w, 1)))
		take_dumps(o, w, 1);
	else if (asks_dumps(o) || w->kind(w->list[0], w->user) == WORD_DUMP)
		return no_dump(o, w);
	else {
		o->mode = MODE_LAUNCH;
		o->program = w->list;
	}
	return 0;
}

/* What a command of heaptop's own wants behind it. */
static int
command_wants(const struct words *w, const char *what)
{
	return err_set(w->e,
	    "%s wants %s; heaptop --help shows how it is called", w->command,
	    what);
}

static int
command_mode(struct options *o, const struct words *w)
{
	bool none = w->count == 0;
	size_t room = 0;

	o->mode = w->command_mode;
	o->words = w->list;
	o->word_count = w->count;
	if (o->mode == MODE_EXEC) {
		o->program = w->list;
		return none ? command_wants(w, "a program") : 0;
	}
	if (o->mode == MODE_CTL) {
		if (none)
			return command_wants(w, "a name such as prof.active");
		if (strcmp(w->list[0], "--help") == 0 ||
		    strcmp(w->list[0], "-h") == 0)
			o->mode = MODE_HELP;
		return 0;
	}
	if (o->mode == MODE_CHECK) {
		if (none)
			return command_wants(w, "a program or a process id");
		room = 1;
	}
	if (w->count <= room)
		return 0;
	return err_set(w->e, "%s; '%s' has no place there",
	    room ? "check looks at one program" : "ps lists all it can",
	    w->list[room]);
}

static int
find_mode(struct options *o, const struct words *w)
{
	bool attach = o->mode == MODE_ATTACH;

	if (attach && w->command)
		return err_set(w->e,
		    w->command_mode == MODE_EXEC
			? "exec starts a program, -p watches one; give one "
			  "of them"
			: "%s is a command of its own; leave -p away",
		    w->command);
	if (attach && w->count)
		return err_set(w->e,
		    "-p%s%s watches that process; '%s' has no place there",
		    o->target ? " " : "", o->target ? o->target : "",
		    w->list[0]);
	if (attach)
		return 0;
	if (w->command)
		return command_mode(o, w);
	if (!w->count)
		return err_set(w->e,
		    "a program, a dump or -p PID is wanted; heaptop --help "
		    "shows how it is called");
	return program_or_dumps(o, w);
}

/* An option given that says what to print, as it is typed, or NULL. */
static const char *
printing(const struct options *o, const struct words *w, char text[32])
{
	const char *name = o->report ? o->report_name : w->shown_name;

	if (!name && w->interval_given)
		name = "interval";
	if (!name && o->seconds_ns)
		name = "seconds";
	if (!name && o->sum)
		name = "sum";
	if (!name)
		name = w->limit_name;
	if (!name)
		name = o->base_name;
	if (name) {
		snprintf(text, 32, "--%s", name);
		return text;
	}
	return o->batch ? "-b" : o->snapshots ? "-n" : NULL;
}

/* What a command of heaptop's own has no use for. */
static int
check_command(const struct options *o, const struct words *w)
{
	char text[32];
	const char *name = printing(o, w, text);

	if (!name && o->mode == MODE_EXEC && o->output)
		name = "-o";
	if (!name && o->target_output)
		name = "--target-output";
	if (!name)
		return 0;
	if (o->mode == MODE_EXEC)
		return err_set(w->e,
		    "exec becomes the program and prints nothing; leave %s "
		    "away, or leave exec away",
		    name);
	return err_set(
	    w->e, "%s has no use for %s; leave it away", w->command, name);
}

/* An option given that says how a program is started, or NULL. */
static const char *
starting(const struct options *o)
{
	return o->sample_bytes ? "-s"
	    : o->exact         ? "--exact"
	    : o->max_depth     ? "--max-depth"
	    : o->conf          ? "--conf"
	    : o->target_output ? "--target-output"
			       : NULL;
}

/* What only a report can do. */
static int
check_report(const struct options *o, const struct words *w)
{
	if (w->limit_name && !o->report)
		return err_set(w->e,
		    "--%s leaves small things out of a report; give --text or "
		    "another report with it",
		    w->limit_name);
	if (o->base && !o->report)
		return err_set(w->e,
		    "--%s is what a report is compared with; give --text or "
		    "another report with it",
		    o->base_name);
	if (o->base && o->report == REPORT_GROWTH)
		return err_set(w->e,
		    "--growth compares the dumps given with each other; give "
		    "that of --%s as the first of them",
		    o->base_name);
	if (o->mode == MODE_ATTACH && o->report == REPORT_GROWTH &&
	    !o->seconds_ns)
		return err_set(w->e,
		    "--growth needs some time to look at; give --seconds=30 "
		    "or so with -p");
	if (o->base && o->seconds_ns)
		return err_set(w->e,
		    "--seconds compares with now and --%s with a file; give "
		    "one of them",
		    o->base_name);
	if (o->base || o->seconds_ns)
		return 0;
	if (o->growth.text)
		return err_set(w->e,
		    "--fail-growth is about a difference; give --base=DUMP, "
		    "or -p PID with --seconds, with it");
	if (o->query.drop_negative)
		return err_set(w->e,
		    "--drop_negative is about a difference; give --base=DUMP, "
		    "or -p PID with --seconds, with it");
	return 0;
}

static int
check_sizes(const struct options *o, const struct words *w)
{
	if (o->query.max_size && o->query.min_size >= o->query.max_size)
		return err_set(w->e,
		    "no object is as large as --min-size and smaller than "
		    "--max-size; make the second the larger one");
	return 0;
}

/* Options that need a mode other than the one found. */
static int
check_mode(const struct options *o, const struct words *w)
{
	bool starts = o->mode == MODE_LAUNCH || o->mode == MODE_EXEC;

	if (!starts && starting(o))
		return err_set(w->e, "%s is for a program that heaptop starts",
		    starting(o));
	if (w->command)
		return check_command(o, w);
	if (o->seconds_ns && (o->mode != MODE_ATTACH || !o->report))
		return err_set(w->e,
		    "--seconds is for a report on a running process; give -p "
		    "PID and --text or another report with it");
	if (o->seconds_ns && (o->batch || o->snapshots))
		return err_set(w->e,
		    "--seconds is one report and %s asks for snapshots; give "
		    "one of them",
		    o->batch ? "-b" : "-n");
	if (o->mode == MODE_ATTACH && !o->target && (o->report || o->batch))
		return err_set(w->e,
		    "-p wants a value with %s%s: a process id or a program's "
		    "name",
		    o->report ? "--" : "", o->report ? o->report_name : "-b");
	return check_sizes(o, w) < 0 ? -1 : check_report(o, w);
}

static int
check_pairs(const struct options *o, const struct words *w)
{
	if (o->exact && o->sample_bytes)
		return err_set(w->e,
		    "--exact records everything and -s a sample; give one of "
		    "them");
	if (o->report && (o->batch || o->snapshots) &&
	    (o->report == REPORT_GATES || o->mode == MODE_DUMPS))
		return err_set(w->e,
		    "--%s is one report and %s asks for snapshots; give one "
		    "of them",
		    o->report_name, o->batch ? "-b" : "-n");
	if (o->sum && !o->report && !w->command &&
	    (o->mode != MODE_DUMPS || o->batch || o->snapshots))
		return err_set(w->e,
		    "--sum adds up a report's processes or dumps; give --text "
		    "or another report with it");
	return check_mode(o, w);
}

int
words_mode(struct options *o, const struct words *w)
{
	if (find_mode(o, w) < 0)
		return -1;
	if (o->mode == MODE_HELP)
		return 0;
	return check_pairs(o, w);
}
