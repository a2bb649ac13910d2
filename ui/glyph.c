#include "ui/glyph.h"

#include <assert.h>

struct pair {
	const char *unicode, *ascii;
};

static const struct pair table[] = {
#define X(name, unicode, ascii) [GLYPH_##name] = { unicode, ascii },
	GLYPHS(X)
#undef X
};

static const struct pair bars[] = {
	{ " ", " " },
	{ "▏", "." },
	{ "▎", "." },
	{ "▍", "." },
	{ "▌", "#" },
	{ "▋", "#" },
	{ "▊", "#" },
	{ "▉", "#" },
	{ "█", "#" },
};

static const struct pair sparks[] = {
	{ " ", " " },
	{ "▁", "_" },
	{ "▂", "." },
	{ "▃", "-" },
	{ "▄", "=" },
	{ "▅", "+" },
	{ "▆", "*" },
	{ "▇", "#" },
	{ "█", "@" },
};

static const char *
pick(const struct pair *p, bool ascii)
{
	return ascii ? p->ascii : p->unicode;
}

const char *
glyph(enum glyph g, bool ascii)
{
	assert(g < GLYPH_COUNT);
	return pick(&table[g], ascii);
}

const char *
glyph_bar(int eighths, bool ascii)
{
	assert(eighths >= 0 && eighths <= 8);
	return pick(&bars[eighths], ascii);
}

const char *
glyph_spark(int eighths, bool ascii)
{
	assert(eighths >= 0 && eighths <= 8);
	return pick(&sparks[eighths], ascii);
}
