/*
 * A key: what a person pressed, and its name.
 *
 * `code` is a Unicode code point for keys that write something, or one of
 * enum key_code above all code points.  Control with a letter is the small
 * letter with KEY_MOD_CTRL, never a control character; Enter, Tab, Escape
 * and Backspace are codes of their own.  Shift is only told for keys that
 * write nothing.  A mouse event is a key too and carries where it was.
 *
 * Names are what the script and the manual use: "q", "space", "C-c", "M-b",
 * "Enter", "F1", "PgUp", "C-Left", "S-Tab"; "Click 3,4" for the mouse.
 */
#ifndef UI_KEY_H
#define UI_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_CODES(X)               \
	X(ENTER, "Enter")          \
	X(TAB, "Tab")              \
	X(ESC, "Esc")              \
	X(BACKSPACE, "Backspace")  \
	X(DELETE, "Delete")        \
	X(INSERT, "Insert")        \
	X(UP, "Up")                \
	X(DOWN, "Down")            \
	X(LEFT, "Left")            \
	X(RIGHT, "Right")          \
	X(HOME, "Home")            \
	X(END, "End")              \
	X(PAGE_UP, "PgUp")         \
	X(PAGE_DOWN, "PgDn")       \
	X(CLICK, "Click")          \
	X(RIGHT_CLICK, "RightClick") \
	X(DRAG, "Drag")            \
	X(WHEEL_UP, "WheelUp")     \
	X(WHEEL_DOWN, "WheelDown") \
	X(RESIZE, "Resize")

/* Not KEY_*, which curses takes for itself. */
enum key_code {
	K_NONE = 0x110000, /* no key: nothing came in time */
#define X(name, text) K_##name,
	KEY_CODES(X)
#undef X
	K_F0, /* F1 is K_F0 + 1, up to F24 */
	K_F24 = K_F0 + 24
};

enum key_mod {
	KEY_MOD_CTRL = 1,
	KEY_MOD_ALT = 2,
	KEY_MOD_SHIFT = 4,
};

struct key {
	uint32_t code;
	uint8_t mods;
	int16_t x, y; /* of a mouse event, in cells; else 0 */
};

struct key_label {
	char s[24];
};

struct key_label key_label(struct key k);
/* False if s names no key. */
bool key_parse(const char *s, struct key *k);
bool key_equal(struct key a, struct key b); /* minds no position */
bool key_is_mouse(struct key k);
/* Whether it writes a character, as in a prompt; and that as UTF-8. */
bool key_is_text(struct key k);
struct key_label key_utf8(struct key k);
/* What a terminal (xterm) sends for it: up to `size` bytes; 0: nothing. */
size_t key_bytes(struct key k, char *to, size_t size);
/* The key of a sequence, which begins behind its escape: "[1~", "OH",
 * "[1;5C"; K_NONE if none is known by it. */
struct key key_sent(const char *s);

#endif
