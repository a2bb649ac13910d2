/*
 * What the words of a command line that are no options mean: a program, a
 * command of heaptop's own, or dumps; and which options go with that.
 *
 * If every word, or every word behind the first, is a dump by its content,
 * dumps are meant; `--` in front always means a program.  A word that looks
 * like the name of a dump and is no file is an error, never an argument.
 */
#ifndef WORDS_H
#define WORDS_H

#include "options.h"

struct words {
	char **list; /* NULL-terminated; argv's own array */
	size_t count;
	bool dashes;         /* `--` stood before them */
	const char *command; /* `exec`, `ps` ... did; NULL: none */
	enum mode command_mode;
	bool interval_given;
	const char *shown_name; /* of what is to be shown how, or NULL */
	const char *limit_name; /* of what leaves out small things, or NULL */
	enum word_kind (*kind)(const char *word, void *user);
	void *user;
	struct err *e;
};

/* Sets mode, program, binary and dumps of `o`, whose other fields are read.
 * 0, or -1 with a sentence in w->e. */
int words_mode(struct options *o, const struct words *w);

#endif
