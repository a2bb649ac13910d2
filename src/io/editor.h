/*
 * The user's editor, at a line of a file, on the terminal.
 *
 * VISUAL, else EDITOR, else vi; it may have arguments, as shells split them.
 * Most take `+LINE FILE`; some are known that want it in other words.  Its
 * environment has nothing of libheaptop.so, its signals are the default ones,
 * and 0, 1 and 2 are the terminal.  It stays in heaptop's process group, so
 * that C-z in it stops both.
 */
#ifndef IO_EDITOR_H
#define IO_EDITOR_H

#include <stdint.h>
#include <sys/types.h>

struct buf;
struct err;

struct editor {
	pid_t pid;
	char name[64]; /* its first word */
};

/* The words behind the editor's own, each ended by a zero byte: "+214",
 * "src/decode.c". */
void editor_words(
    const char *editor, const char *file, uint32_t line, struct buf *words);

/* 0, or -1 and a sentence. */
int editor_start(
    struct editor *ed, const char *file, uint32_t line, int tty, struct err *e);
/* Without waiting: 0 while it runs; 1 when it has ended well; -1 and a
 * sentence when it has not. */
int editor_ended(struct editor *ed, struct err *e);

#endif
