/*
 * The user's settings for the screen: `$XDG_CONFIG_HOME/heaptop/config`, or
 * `~/.config/heaptop/config`; see heaptop-config(5).
 *
 * Nothing in the file keeps heaptop from starting: what is wrong in a line is
 * a sentence that names file and line, and the rest counts.  A file that is
 * no regular one, is larger than SETTINGS_MAX, belongs to somebody else or may
 * be written by everybody is not read, which is said.  No file is no reason
 * for words.
 *
 * A line is `NAME = VALUE`, `key ACTION = KEY KEY...`, empty or a comment
 * from '#'.  Which actions and keys there are is for the screen to know:
 * lines about keys are kept as they are.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SETTINGS_MAX (64u << 10)

struct err;

struct setting_key {
	char action[32];
	char keys[96];
	unsigned line; /* of the file */
};

struct settings {
	const char *theme, *color; /* as the options have them; NULL: unset */
	bool ascii, no_mouse;
	uint64_t interval_ns; /* 0: unset */
	struct setting_key *keys;
	size_t key_count, key_cap;
	char *path;       /* of the file; NULL: none */
	struct buf notes; /* sentences, each a line */
};

/* Of this process's environment.  To be freed in any case. */
void settings_read(struct settings *s);
void settings_fini(struct settings *s);

/* One file, for tests; nothing happens if there is none. */
void settings_read_file(struct settings *s, const char *path);

/* One line of it.  0, also for an empty line, or -1 and a sentence. */
int settings_line(
    struct settings *s, const char *text, unsigned line, struct err *e);

#endif
