/*
 * Roles: what a cell means; and how that looks on a terminal.
 *
 * Code that draws names roles, never colours.  A role has a letter (for tests
 * that compare screens) and a look for each depth and theme.  Colours are
 * numbers of the terminal's palette; the default background is the
 * terminal's own.  No meaning stands on colour alone: where a look is plain,
 * a sign or the place says the same.
 *
 * Contrasts of the 256-colour tables are at least 4.5 (WCAG 2.1) on xterm's
 * palette, against colour 234 (dark) and 231 (light); rules may be fainter.
 */
#ifndef UI_STYLE_H
#define UI_STYLE_H

#include <stdbool.h>
#include <stdint.h>

struct err;

#define STYLE_NONE (-1) /* the terminal's own colour */

enum style_attr {
	STYLE_BOLD = 1,
	STYLE_DIM = 2,
	STYLE_UNDERLINE = 4,
	STYLE_REVERSE = 8,
};

struct style {
	int16_t fg, bg;
	uint16_t attrs;
};

/* Colours of the 16; BRIGHT_BLACK needs 16, the rest 8. */
enum style_colour {
	STYLE_BLACK,
	STYLE_RED,
	STYLE_GREEN,
	STYLE_YELLOW,
	STYLE_BLUE,
	STYLE_MAGENTA,
	STYLE_CYAN,
	STYLE_WHITE,
	STYLE_BRIGHT_BLACK,
};

/* name, letter, mono, 16 colours, 256 dark, 256 light; a look is
 * L(foreground, background, attributes). */
/* clang-format off */
#define ROLES(X)                                                              \
	X(TEXT, '.', M(0), L(NONE, NONE, 0), D(-1, -1, 0), D(-1, -1, 0))      \
	X(DIM, 'd', M(DIM), L(BRIGHT_BLACK, NONE, 0),                         \
	    D(245, -1, 0), D(243, -1, 0))                                     \
	X(HAIRLINE, 'h', M(DIM), L(BRIGHT_BLACK, NONE, 0),                    \
	    D(239, -1, 0), D(250, -1, 0))                                     \
	X(TITLE, 't', M(BOLD), L(NONE, NONE, BOLD),                           \
	    D(-1, -1, BOLD), D(-1, -1, BOLD))                                 \
	X(VALUE, 'v', M(BOLD), L(NONE, NONE, BOLD),                           \
	    D(-1, -1, BOLD), D(-1, -1, BOLD))                                 \
	X(TAB_ON, 'T', M(REVERSE), L(NONE, NONE, REVERSE),                    \
	    D(255, 24, 0), D(16, 153, 0))                                     \
	X(SELECT, 'S', M(REVERSE), L(WHITE, BLUE, 0),                         \
	    D(255, 24, 0), D(16, 153, 0))                                     \
	X(SELECT_IDLE, 's', M(UNDERLINE), L(NONE, NONE, UNDERLINE),           \
	    D(252, 236, 0), D(16, 254, 0))                                    \
	X(BAR, 'b', M(0), L(CYAN, NONE, 0), D(67, -1, 0), D(25, -1, 0))       \
	X(BAR_AB, 'B', M(BOLD), L(CYAN, NONE, BOLD),                          \
	    D(110, -1, 0), D(25, -1, BOLD))                                   \
	X(GROW, '+', M(BOLD), L(YELLOW, NONE, 0),                             \
	    D(173, -1, 0), D(130, -1, 0))                                     \
	X(SHRINK, '-', M(0), L(GREEN, NONE, 0),                               \
	    D(108, -1, 0), D(28, -1, 0))                                      \
	X(MARK_A, '1', M(BOLD), L(CYAN, NONE, BOLD),                          \
	    D(110, -1, 0), D(25, -1, 0))                                      \
	X(MARK_B, '2', M(BOLD), L(MAGENTA, NONE, BOLD),                       \
	    D(180, -1, 0), D(130, -1, 0))                                     \
	X(KEY, 'k', M(BOLD), L(NONE, NONE, BOLD),                             \
	    D(110, -1, 0), D(25, -1, 0))                                      \
	X(MATCH, 'm', M(UNDERLINE), L(YELLOW, NONE, UNDERLINE),               \
	    D(222, -1, 0), D(130, -1, UNDERLINE))                             \
	X(WARN, 'w', M(BOLD), L(YELLOW, NONE, BOLD),                          \
	    D(179, -1, 0), D(130, -1, BOLD))                                  \
	X(ERROR, 'e', M(BOLD | STYLE_REVERSE), L(RED, NONE, BOLD),            \
	    D(167, -1, 0), D(124, -1, 0))                                     \
	X(OK, 'o', M(0), L(GREEN, NONE, 0), D(108, -1, 0), D(28, -1, 0))      \
	X(SITE, 'n', M(BOLD), L(NONE, NONE, BOLD),                            \
	    D(-1, -1, BOLD), D(-1, -1, BOLD))                                 \
	X(SOURCE_HIT, 'H', M(REVERSE), L(NONE, NONE, BOLD),                   \
	    D(255, 236, 0), D(16, 254, 0))                                    \
	X(FLAME_APP, 'A', M(0), L(WHITE, BLUE, 0),                            \
	    D(255, 24, 0), D(16, 153, 0))                                     \
	X(FLAME_APP2, 'a', M(0), L(WHITE, BLUE, 0),                           \
	    D(255, 23, 0), D(16, 152, 0))                                     \
	X(FLAME_LIB, 'L', M(0), L(WHITE, CYAN, 0),                            \
	    D(255, 60, 0), D(16, 189, 0))                                     \
	X(FLAME_SYS, 'y', M(DIM), L(BLACK, WHITE, 0),                         \
	    D(255, 240, 0), D(16, 188, 0))                                    \
	X(FLAME_SEL, 'F', M(REVERSE), L(NONE, NONE, REVERSE),                 \
	    D(16, 110, 0), D(255, 25, 0))                                     \
	X(FLAME_GROW, 'G', M(BOLD), L(WHITE, RED, 0),                         \
	    D(255, 88, 0), D(16, 217, 0))                                     \
	X(FLAME_GROW2, 'g', M(BOLD), L(WHITE, RED, 0),                        \
	    D(255, 95, 0), D(16, 224, 0))                                     \
	X(FLAME_SAME, '=', M(0), L(NONE, NONE, 0),                            \
	    D(255, 240, 0), D(16, 254, 0))                                    \
	X(FLAME_SHRINK, '_', M(DIM), L(WHITE, GREEN, 0),                      \
	    D(255, 22, 0), D(16, 151, 0))                                     \
	X(FLAME_OLD, 'O', M(BOLD), L(WHITE, MAGENTA, 0),                      \
	    D(255, 90, 0), D(16, 176, 0))                                     \
	X(FLAME_MIDDLE, 'M', M(0), L(WHITE, BLUE, 0),                         \
	    D(255, 60, 0), D(16, 189, 0))                                     \
	X(FLAME_YOUNG, 'Y', M(DIM), L(NONE, NONE, 0),                         \
	    D(255, 240, 0), D(16, 254, 0))
/* clang-format on */

enum role {
#define X(name, letter, mono, sixteen, dark, light) ROLE_##name,
	ROLES(X)
#undef X
	ROLE_COUNT
};

enum depth {
	DEPTH_MONO,
	DEPTH_16,
	DEPTH_256,
	DEPTH_COUNT
};

enum theme {
	THEME_DARK,
	THEME_LIGHT,
	THEME_COUNT
};

struct style style_of(enum role role, enum depth depth, enum theme theme);
char role_letter(unsigned role);

/*
 * Which depth to use.  `wanted` is the --color option: "auto" or NULL,
 * "never", "16", "256"; -1 and a sentence if it is none of these.  With auto:
 * mono if `no_color` (the variable NO_COLOR) is set and not empty, else what
 * the terminal has, `colours` of them.  Never more than it has.
 */
int style_depth(enum depth *depth, const char *wanted, const char *no_color,
    int colours, struct err *e);

/* `wanted` is --theme: "dark", "light", "auto" or NULL; else `colorfgbg`
 * (COLORFGBG, "15;0": the last number is the background); else dark. */
int style_theme(enum theme *theme, const char *wanted, const char *colorfgbg,
    struct err *e);

#endif
