#include "words.h"

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

/* Dumps were meant, and something in the words is none. */
static int
no_dump(const struct words *w)
{
	size_t i = w->count > 1;
	const char *is;

	while (i < w->count && w->kind(w->list[i], w->user) == WORD_DUMP)
		i++;
	if (i == w->count)
		i = 0;
	is = w->kind(w->list[i], w->user) == WORD_MISSING ? "no file"
							  : "no dump";
	if (!w->report_name)
		return err_set(w->e,
		    "'%s' is a saved dump and '%s' is %s; give only dumps",
		    w->list[0], w->list[i], is);
	return err_set(w->e,
	    "--%s reports on dumps, and '%s' is %s; to run a program and "
	    "report at its end put -- before it",
	    w->report_name, w->list[i], is);
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
	else if (all_dumps(w, 1) || (w->report_name && all_meant(w, 1)))
		take_dumps(o, w, 1);
	else if (w->report_name || w->kind(w->list[0], w->user) == WORD_DUMP)
		return no_dump(w);
	else {
		o->mode = MODE_LAUNCH;
		o->program = w->list;
	}
	return 0;
}

static int
find_mode(struct options *o, const struct words *w)
{
	if (o->target && w->command)
		return err_set(w->e,
		    "exec starts a program, -p watches one; give one of them");
	if (o->target && w->count)
		return err_set(w->e,
		    "-p %s watches that process; '%s' has no place there",
		    o->target, w->list[0]);
	if (o->target)
		return 0;
	if (!w->count)
		return err_set(w->e,
		    "%s; heaptop --help shows how it is called",
		    w->command ? "exec wants a program"
			       : "a program, a dump or -p PID is wanted");
	if (w->command) {
		o->mode = MODE_EXEC;
		o->program = w->list;
		return 0;
	}
	return program_or_dumps(o, w);
}

/* Options that need a mode other than the one found. */
static int
check_mode(const struct options *o, const struct words *w)
{
	bool starts = o->mode == MODE_LAUNCH || o->mode == MODE_EXEC;
	const char *name = o->report ? w->report_name : w->shown_name;

	if (!starts && (o->sample_bytes || o->exact || o->max_depth || o->conf))
		return err_set(w->e, "%s is for a program that heaptop starts",
		    o->sample_bytes    ? "-s"
			: o->exact     ? "--exact"
			: o->max_depth ? "--max-depth"
				       : "--conf");
	if (o->mode == MODE_EXEC &&
	    (o->report || o->batch || o->snapshots || o->output ||
		w->interval_given || w->shown_name))
		return err_set(w->e,
		    "exec becomes the program and prints nothing; leave %s%s "
		    "away, or leave exec away",
		    name ? "--" : "",
		    name               ? name
			: o->batch     ? "-b"
			: o->snapshots ? "-n"
			: o->output    ? "-o"
				       : "--interval");
	return 0;
}

static int
check_pairs(const struct options *o, const struct words *w)
{
	if (o->exact && o->sample_bytes)
		return err_set(w->e,
		    "--exact records everything and -s a sample; give one of "
		    "them");
	if (o->report && (o->batch || o->snapshots))
		return err_set(w->e,
		    "--%s is one report and %s asks for snapshots; give one "
		    "of them",
		    w->report_name, o->batch ? "-b" : "-n");
	if (o->sum && !o->report)
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
	return check_pairs(o, w);
}
