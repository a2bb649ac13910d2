/*
 * The one table of what can be done: action, keys, group and text of the
 * help, views where it holds.  Dispatch, the line of hints and the help come
 * from it, and heaptop-config(5) is checked against it.
 *
 * Where is a mask of contexts; a key means at most one thing in a context.
 * The first key of an action is the one that hints show.  Keys that move do
 * nothing else anywhere, so that one who moves blindly harms nothing.
 *
 * The keys of the table are those at first; a struct keymap holds others for
 * some actions.  Where one is taken NULL stands for the table.
 */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/grid.h"
#include "ui/key.h"

struct err;

/* Where keys arrive: the views in the order of their numbers, then what
 * lies over them. */
enum context {
	CONTEXT_TOP,
	CONTEXT_GROWTH,
	CONTEXT_TREE,
	CONTEXT_FLAME,
	CONTEXT_SNAPSHOTS,
	CONTEXT_THREADS,
	CONTEXT_MEMORY,
	CONTEXT_DETAIL, /* the full-screen detail */
	CONTEXT_OUTPUT, /* what the target printed */
	CONTEXT_OVER,   /* help and other pop-ups */
	CONTEXT_COUNT
};

enum key_group {
	GROUP_KEYS_VIEWS,
	GROUP_KEYS_MOVE,
	GROUP_KEYS_TIME,
	GROUP_KEYS_MEASURE,
	GROUP_KEYS_FIND,
	GROUP_KEYS_OUTPUT,
	GROUP_KEYS_COUNT
};

#define IN(c)      (1u << CONTEXT_##c)
#define IN_ALL     ((1u << CONTEXT_COUNT) - 1)
#define IN_SCREENS (IN_ALL & ~IN(OVER))
#define IN_MOMENTS (IN_SCREENS & ~IN(OUTPUT))
#define IN_VIEWS   (IN_MOMENTS & ~IN(DETAIL))
#define IN_ROWS    (IN(TOP) | IN(GROWTH) | IN(THREADS))
#define IN_SHAPES  (IN(TREE) | IN(FLAME))
#define IN_FOLDS   (IN(TREE) | IN(SNAPSHOTS))
#define IN_FIGURES (IN_ROWS | IN_SHAPES)

/* name, keys, where, group of the help, its text; "" leaves it out there */
/* clang-format off */
#define ACTIONS(X)                                                            \
	X(VIEW_TOP, "1", IN_SCREENS, VIEWS, "top: who holds memory")          \
	X(VIEW_GROWTH, "2", IN_SCREENS, VIEWS, "growth: what changed")        \
	X(VIEW_TREE, "3 F5", IN_SCREENS, VIEWS, "tree: where in the program")    \
	X(VIEW_FLAME, "4", IN_SCREENS, VIEWS, "flame: the shape")             \
	X(VIEW_SNAPSHOTS, "5", IN_SCREENS, VIEWS, "snapshots: over time")     \
	X(VIEW_THREADS, "6", IN_SCREENS, VIEWS, "threads: who allocates")     \
	X(VIEW_MEMORY, "7", IN_SCREENS, VIEWS, "memory: what RSS is")         \
	X(PANE, "Tab", IN_VIEWS, VIEWS, "list or detail pane")                \
	X(ENTER, "Enter", IN_SCREENS, VIEWS, "open, zoom")                    \
	X(BACK, "Esc", IN_ALL, VIEWS, "go back")                              \
	X(UP, "Up k", IN_ALL, MOVE, "row")                                    \
	X(DOWN, "Down j", IN_ALL, MOVE, "")                                   \
	X(PAGE_UP, "PgUp C-b", IN_ALL, MOVE, "page")                          \
	X(PAGE_DOWN, "PgDn C-f", IN_ALL, MOVE, "")                            \
	X(HALF_UP, "C-u", IN_ALL, MOVE, "half a page")                        \
	X(HALF_DOWN, "C-d", IN_ALL, MOVE, "")                                 \
	X(FIRST, "Home", IN_ALL, MOVE, "first, last")                         \
	X(LAST, "End G", IN_ALL, MOVE, "")                                    \
	X(LEFT, "Left h", IN_SCREENS, MOVE, "fold, unfold; sideways")         \
	X(RIGHT, "Right l", IN_SCREENS, MOVE, "")                             \
	X(UNFOLD_ALL, "+", IN_FOLDS, MOVE, "unfold, fold all below")          \
	X(FOLD_ALL, "-", IN_FOLDS, MOVE, "")                                  \
	X(ROOT, "z", IN_SHAPES, MOVE, "root here, up")                        \
	X(ROOT_UP, "Backspace", IN_SHAPES, MOVE, "")                          \
	X(MARK_A, "a", IN_VIEWS, TIME, "set mark A, mark B")                  \
	X(MARK_B, "b", IN_VIEWS, TIME, "")                                    \
	X(MARKS_SWAP, "x", IN_VIEWS, TIME, "swap the marks")                  \
	X(OLDER, "[", IN_MOMENTS, TIME, "older, newer snapshot")              \
	X(NEWER, "]", IN_MOMENTS, TIME, "")                                   \
	X(OLDER_TEN, "{", IN_MOMENTS, TIME, "ten older, newer")               \
	X(NEWER_TEN, "}", IN_MOMENTS, TIME, "")                               \
	X(FOLLOW, "F", IN_SCREENS, TIME, "follow live")                       \
	X(PAUSE, "space", IN_MOMENTS, TIME, "pause, resume the screen")       \
	X(SNAPSHOT, "d", IN_SCREENS, TIME, "take a snapshot now")             \
	X(METRIC, "m", IN_FIGURES, MEASURE, "live bytes, live objects, ...")  \
	X(GROUP, "g", IN_ROWS, MEASURE, "stack, function, line, ...")         \
	X(SORT, "s F6", IN_ROWS, MEASURE, "sort column, reverse")             \
	X(REVERSE, "S", IN_ROWS, MEASURE, "")                                 \
	X(REVERSE_GROWTH, "r", IN(GROWTH), MEASURE, "")                       \
	X(INVERT, "i", IN_SHAPES, MEASURE, "callers or callees first")        \
	X(CHAINS, "c", IN(TREE), MEASURE, "chains in one row")                \
	X(BY_CHANGE, "D", IN_FIGURES, MEASURE, "change or age; colours")      \
	X(PLUMBING, "p", IN_FIGURES | IN(DETAIL), MEASURE,                    \
	    "show allocator frames")                                          \
	X(UNCHANGED, "u", IN(GROWTH), MEASURE, "show unchanged rows")         \
	X(FILTER, "/ F3", IN_FIGURES | IN(OUTPUT), FIND,                      \
	    "filter by text; find")                                           \
	X(FILTER_KEEP, "\\ F4", IN_FIGURES, FIND, "filter that is kept")      \
	X(ROW_ONLY, "*", IN_FIGURES, FIND, "only what is in this row")        \
	X(ROW_HIDE, "!", IN_FIGURES, FIND, "hide what is in this row")        \
	X(NEXT, "n", IN_FIGURES | IN(OUTPUT), FIND, "next, previous match")   \
	X(PREVIOUS, "N", IN_FIGURES | IN(OUTPUT), FIND, "")                   \
	X(TO_TREE, "t", IN_ROWS | IN(FLAME) | IN(DETAIL), FIND,               \
	    "show in tree, in flame")                                         \
	X(TO_FLAME, "f", IN_ROWS | IN(TREE) | IN(DETAIL), FIND, "")           \
	X(EDIT, "v", IN_FIGURES | IN(DETAIL), OUTPUT,                         \
	    "the source in your editor")                                      \
	X(COPY, "Y", IN_FIGURES | IN(DETAIL), OUTPUT,                         \
	    "copy the stack")                                                 \
	X(EXPORT, "e", IN_VIEWS, OUTPUT, "export what is shown")              \
	X(RECORD, "w", IN_VIEWS, OUTPUT, "write a recording")                 \
	X(OUTPUT, "o", IN_SCREENS, OUTPUT, "what the target printed")         \
	X(TYPE, "i", IN(OUTPUT), OUTPUT, "keys to the target, C-] back")      \
	X(SAVE, "s", IN(OUTPUT), OUTPUT, "save what it printed")              \
	X(PROCESS, "P", IN_SCREENS, OUTPUT, "next process")                   \
	X(COMMAND, ":", IN_SCREENS, OUTPUT, "commands, see below")            \
	X(PRINT, "y", IN(DETAIL), OUTPUT, "print the stack on exit")          \
	X(REDRAW, "C-l", IN_ALL, OUTPUT, "redraw, suspend")                   \
	X(SUSPEND, "C-z", IN_ALL, OUTPUT, "")                                 \
	X(HELP, "? F1", IN_ALL, OUTPUT, "this help")                          \
	X(TERMINATE, "F9", IN_SCREENS, OUTPUT, "end the program, on a yes")   \
	X(QUIT, "q C-c F10", IN_ALL, OUTPUT, "quit")
/* clang-format on */

enum action {
	ACTION_NONE,
#define X(name, keys, where, group, help) ACTION_##name,
	ACTIONS(X)
#undef X
	ACTION_COUNT
};

#define KEYMAP_KEYS 6 /* of an action */

struct keymap {
	struct key keys[ACTION_COUNT][KEYMAP_KEYS];
	uint8_t count[ACTION_COUNT];
	bool own[ACTION_COUNT]; /* set by keymap_bind */
};

void keymap_init(struct keymap *m); /* as in the table */
/* The keys of an action become those named in `keys`, with blanks between.
 * They are taken from other actions that have them by the table.  Not from
 * those bound likewise, nor the last one from those that lead out.  0, or -1
 * with the sentence, and nothing is changed. */
int keymap_bind(
    struct keymap *m, const char *action, const char *keys, struct err *e);

/* What a key does there, or ACTION_NONE. */
enum action keymap_action(
    const struct keymap *m, struct key k, enum context where);
/* Whether an action can be done there. */
bool keymap_holds(enum action a, enum context where);
bool keymap_moves(enum action a); /* it moves, and nothing else */
/* The i-th key of an action; false behind the last. */
bool keymap_key(
    const struct keymap *m, enum action a, unsigned i, struct key *k);
/* An action's name, as settings have it: "view-top". */
struct key_label keymap_name(enum action a);
/* A key as people read it: a sign ("↵") or a name. */
struct key_label keymap_sign(struct key k, bool ascii);

/* What is not offered is left out of hints and help: keys of views that do
 * not exist, for instance.  NULL offers all. */
struct keymap_offer {
	bool (*offers)(const void *data, enum action a);
	const void *data;
	const struct keymap *keys; /* NULL: the table's */
};

/* Draw what works there into row `y` from column x on, before column `end`:
 * best first, "? help" always, from the right the others give way.  The
 * wording depends on the width of the grid.  Returns the column behind. */
int keymap_hints(struct grid *g, int x, int end, int y, enum context where,
    const struct keymap_offer *o);

/* Lines of the help for one group: actions without a text of their own share
 * the line above them.  `i` counts lines from 0; false behind the last. */
struct help_line {
	char keys[48];
	const char *text;
};
bool keymap_help(enum key_group group, unsigned i, bool ascii,
    const struct keymap_offer *o, struct help_line *l);
const char *keymap_group_title(enum key_group group); /* "VIEWS" */

#endif
