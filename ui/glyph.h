/*
 * Glyphs by name, in Unicode and in ASCII.
 *
 * All Unicode ones are one column wide; of the ASCII ones some are longer
 * (they stand in texts, never in a grid of fixed places): PLUS_MINUS and the
 * names of keys.  Strings are constant.
 */
#ifndef UI_GLYPH_H
#define UI_GLYPH_H

#include <stdbool.h>

#define GLYPHS(X)                     \
	X(SELECT, "▌", ">")           \
	X(BAR_LEFT_HALF, "▐", "#")    \
	X(AXIS, "│", "|")             \
	X(RULE, "─", "-")             \
	X(RULE_HEAVY, "━", "=")       \
	X(TREE_TEE, "├─", "|-")       \
	X(TREE_LAST, "└─", "+-")      \
	X(TREE_PASS, "│ ", "| ")      \
	X(FOLDED, "▸", "+")           \
	X(OPEN, "▾", "-")             \
	X(CHAIN, "›", ">")            \
	X(CALLED_BY, "←", "<")        \
	X(CALLS, "→", ">")            \
	X(BELOW, "↓", "v")            \
	X(FLAME_EDGE, "▏", "|")       \
	X(FLAME_FILL, "─", "-")       \
	X(FLAME_REST, "▒", ":")       \
	X(DESCENDING, "▼", "v")       \
	X(ASCENDING, "▲", "^")        \
	X(CUT, "…", "~")              \
	X(MORE, "…", "..")            \
	X(DASH, "–", "-")             \
	X(ZERO, "·", "-")             \
	X(DOT, "·", "-")              \
	X(GAP, "⋮", ":")              \
	X(REST, "░", ".")             \
	X(AT_MOST, "≤", "<=")         \
	X(STATE_LIVE, "●", "*")       \
	X(STATE_WAITING, "○", "o")    \
	X(STATE_PAUSED, "‖", "=")     \
	X(STATE_AT, "◆", "@")         \
	X(STATE_LATE, "◌", "?")       \
	X(STATE_ENDED, "■", "#")      \
	X(STATE_KILLED, "✕", "x")     \
	X(STATE_FILE, "▸", ">")       \
	X(SOURCE_HIT, "▸", ">")       \
	X(BOX_TOP_LEFT, "┌", "+")     \
	X(BOX_TOP_RIGHT, "┐", "+")    \
	X(BOX_BOTTOM_LEFT, "└", "+")  \
	X(BOX_BOTTOM_RIGHT, "┘", "+") \
	X(BOX_SIDE, "│", "|")         \
	X(BOX_LINE, "─", "-")         \
	X(PLUS_MINUS, "±", "+/-")     \
	X(KEY_ENTER, "↵", "Enter")    \
	X(KEY_BACKSPACE, "⌫", "BS")   \
	X(KEY_LEFT, "←", "Lf")        \
	X(KEY_RIGHT, "→", "Rt")       \
	X(KEY_UP, "↑", "Up")          \
	X(KEY_DOWN, "↓", "Dn")

enum glyph {
#define X(name, unicode, ascii) GLYPH_##name,
	GLYPHS(X)
#undef X
	GLYPH_COUNT
};

const char *glyph(enum glyph g, bool ascii);

/* A cell of a bar, filled from the left, in eighths: 0 is a blank, 8 full.
 * ASCII knows '.' (1 to 3) and '#'. */
const char *glyph_bar(int eighths, bool ascii);
/* The same filled from below. */
const char *glyph_spark(int eighths, bool ascii);

#endif
