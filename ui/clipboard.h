/*
 * Text on its way to the clipboard of whoever sits at the terminal: the
 * control sequence OSC 52, as xterm defined it and most terminals take it.
 *
 * In tmux it comes twice: for tmux, which takes it if its set-clipboard is
 * on, and wrapped for the terminal around it, which tmux passes on if it is
 * allowed to.  Whether a terminal takes it cannot be known.
 */
#ifndef UI_CLIPBOARD_H
#define UI_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

#define CLIPBOARD_MAX 74994 /* bytes: 100,000 in base64, xterm's limit */

/* The bytes for the terminal.  0, or -1 and a sentence if it is too much. */
int clipboard_put(
    const char *text, size_t len, bool tmux, struct buf *out, struct err *e);

#endif
