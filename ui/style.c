#include "ui/style.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* So that the table can say BOLD and 0 alike. */
#define STYLE_0 0
#define M(attr)                                    \
	{                                          \
		STYLE_NONE, STYLE_NONE, ATTR(attr) \
	}
#define L(fg, bg, a)                            \
	{                                       \
		STYLE_##fg, STYLE_##bg, ATTR(a) \
	}
#define D(fg, bg, a)            \
	{                       \
		fg, bg, ATTR(a) \
	}
#define ATTR(a) STYLE_##a

struct look {
	char letter;
	struct style mono, sixteen, wide[THEME_COUNT];
};

static const struct look looks[] = {
#define X(name, letter, mono, sixteen, dark, light) \
	[ROLE_##name] = { letter, mono, sixteen, { dark, light } },
	ROLES(X)
#undef X
};

struct style
style_of(enum role role, enum depth depth, enum theme theme)
{
	assert(role < ROLE_COUNT && theme < THEME_COUNT);
	switch (depth) {
	case DEPTH_16: return looks[role].sixteen;
	case DEPTH_256: return looks[role].wide[theme];
	case DEPTH_MONO:
	case DEPTH_COUNT: break;
	}
	return looks[role].mono;
}

char
role_letter(unsigned role)
{
	return role < ROLE_COUNT ? looks[role].letter : '?';
}

static bool
is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

static enum depth
depth_of(int colours)
{
	return colours >= 256 ? DEPTH_256
	    : colours >= 8    ? DEPTH_16
			      : DEPTH_MONO;
}

int
style_depth(enum depth *depth, const char *wanted, const char *no_color,
    int colours, struct err *e)
{
	bool quiet = no_color && *no_color;

	if (is(wanted, "never"))
		*depth = DEPTH_MONO;
	else if (is(wanted, "16"))
		*depth = colours >= 8 ? DEPTH_16 : DEPTH_MONO;
	else if (is(wanted, "256"))
		*depth = depth_of(colours);
	else if (wanted && !is(wanted, "auto"))
		return err_set(
		    e, "--color is auto, never, 16 or 256, not \"%s\"", wanted);
	else if (quiet)
		*depth = DEPTH_MONO;
	else
		*depth = depth_of(colours);
	return 0;
}

int
style_theme(
    enum theme *theme, const char *wanted, const char *colorfgbg, struct err *e)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	char *end;
	long bg;

	*theme = THEME_DARK;
	if (is(wanted, "light"))
		*theme = THEME_LIGHT;
	if (is(wanted, "light") || is(wanted, "dark"))
		return 0;
	if (wanted && !is(wanted, "auto"))
		return err_set(
		    e, "--theme is auto, dark or light, not \"%s\"", wanted);
	if (!last)
		return 0;
	/* 7 is light grey, 9 to 15 are the bright ones; 8 is dark grey. */
	bg = strtol(last + 1, &end, 10);
	if (end != last + 1 && (bg == 7 || (bg >= 9 && bg <= 15)))
		*theme = THEME_LIGHT;
	return 0;
}
