/*
 * What is typed behind ':': the table of commands, and a line of text read
 * by it.
 *
 * Help, completion and the reading come from the table; heaptop(1) is
 * checked against it.  Words may be cut short as long as it is clear what is
 * meant; '=' may stand between the word and what follows.  Those whose help
 * is "" share the line above.
 */
#ifndef UI_COMMAND_H
#define UI_COMMAND_H

#include "ui/app.h"

/* name, word, what follows, help */
/* clang-format off */
#define COMMANDS(X)                                                           \
	X(TOP, "top", "", "the view of that name")                                   \
	X(GROWTH, "growth", "", "")                                           \
	X(TREE, "tree", "", "")                                               \
	X(FLAME, "flame", "", "")                                             \
	X(SNAPSHOTS, "snapshots", "", "")                                     \
	X(THREADS, "threads", "", "")                                         \
	X(MEMORY, "memory", "", "")                                           \
	X(AT, "at", "TIME|live", "look at that moment")                       \
	X(MARK, "mark", "a|b [TIME|off]", "set a mark, or none")              \
	X(FILTER, "filter", "[TEXT]", "what matches; alone: all")             \
	X(KEEP, "keep", "[TEXT]", "the same, kept; !TEXT hides")              \
	X(METRIC, "metric", "NAME", "live bytes, live objects, ...")          \
	X(GROUP, "group", "NAME", "stack, function, line, ...")               \
	X(SAMPLE, "sample", "SIZE|exact", "one in about so many bytes")       \
	X(ACTIVE, "active", "on|off", "sampling on or off")                   \
	X(INTERVAL, "interval", "TIME", "between snapshots")                  \
	X(SNAPSHOT, "snapshot", "", "take one now")                           \
	X(EXPORT, "export", "[FORMAT [FILE]]", "write what is shown")         \
	X(RECORD, "record", "[FILE]", "write a recording; alone: end it")     \
	X(EDIT, "edit", "", "the source in your editor")                      \
	X(COPY, "copy", "", "copy the stack")                                 \
	X(SET, "set", "NAME=VALUE", "theme, glyphs, color, mouse, key")       \
	X(HELP, "help", "", "these lines")                                    \
	X(QUIT, "quit", "", "leave")
/* clang-format on */

enum command_id {
	COMMAND_NONE,
#define X(name, word, args, help) COMMAND_##name,
	COMMANDS(X)
#undef X
	COMMAND_COUNT
};

struct err;

struct command {
	enum command_id id;       /* COMMAND_NONE: an empty line */
	char arg[PROMPT_MAX + 1]; /* what follows the word, without blanks
				   * around it */
	struct request request;   /* of those that are no more than one */
};

/* 0, or -1 with a sentence. */
int command_parse(const char *text, struct command *c, struct err *e);

/* Lines for the help, counted from 0: "sample SIZE|exact"; false behind the
 * last. */
bool command_help(unsigned i, struct help_line *l);

/* What the line may become, for the eye: words that begin like this, or how
 * to go on behind a whole one. */
void command_hint(const char *text, char *hint, size_t size);
/* The line as far as it is clear how it goes on; `text` has room for
 * PROMPT_MAX bytes.  The words of some commands are the app's. */
void command_complete(const struct app *a, char *text);

/* A moment since the start: "8:02", "1:02:03"; or a bare number, as
 * seconds.  False: it is none. */
bool command_clock(const char *s, uint64_t *ns);

/* Do what the line says; what is the session's to do comes out. */
void app_command(struct app *a, const char *text, struct request *r);

#endif
