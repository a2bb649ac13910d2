#include "export/escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/name.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Not allowed in XML, or turns the text around it. */
static bool
unwanted(uint32_t cp)
{
	return cp == 0xFFFD || cp == 0xFFFE || cp == 0xFFFF || cp == 0x200E ||
	    cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
	    (cp >= 0x2066 && cp <= 0x2069);
}

static bool
is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

static void
put_control(struct buf *b, uint32_t cp, const char *backslash)
{
	buf_puts(b, backslash);
	if (cp == '\n')
		buf_putc(b, 'n');
	else if (cp == '\t')
		buf_putc(b, 't');
	else
		buf_printf(b, "x%02x", (unsigned)cp);
}

/* How a character is spelled, or NULL: as it is. */
typedef const char *spell_fn(const char *s);

static void
escape(struct buf *b, const char *s, spell_fn *spell, const char *backslash)
{
	size_t left = strlen(s), used;

	for (; left > 0; s += used, left -= used) {
		uint32_t cp = utf8_decode(s, left, &used);
		const char *other = spell(s);

		if (is_control(cp))
			put_control(b, cp, backslash);
		else if (unwanted(cp))
			buf_puts(b, REPLACEMENT);
		else if (other)
			buf_puts(b, other);
		else
			buf_put(b, s, used);
	}
}

static const char *
spell_xml(const char *s)
{
	switch (*s) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Graphviz knows entities; an ampersand that can't begin one is left alone. */
static const char *
spell_dot(const char *s)
{
	switch (*s) {
	case '"': return "\\\"";
	case '\\': return "\\\\";
	case '&': return s[1] == '#' || is_letter(s[1]) ? "&amp;" : NULL;
	default: return NULL;
	}
}

void
escape_xml(struct buf *b, const char *s)
{
	escape(b, s, spell_xml, "\\");
}

void
escape_dot(struct buf *b, const char *s)
{
	escape(b, s, spell_dot, "\\\\");
}

static void
escape_lines(struct buf *b, const char *s, spell_fn *spell,
    const char *backslash, const char *newline)
{
	struct buf line = BUF_INIT;

	for (;;) {
		size_t n = strcspn(s, "\n");

		buf_put(&line, s, n);
		escape(b, buf_str(&line), spell, backslash);
		buf_clear(&line);
		if (!s[n])
			break;
		buf_puts(b, newline);
		s += n + 1;
	}
	buf_fini(&line);
}

void
escape_xml_lines(struct buf *b, const char *s)
{
	escape_lines(b, s, spell_xml, "\\", "\n");
}

void
escape_dot_lines(struct buf *b, const char *s)
{
	escape_lines(b, s, spell_dot, "\\\\", "\\n");
}

void
escape_fit(struct buf *b, const char *name, int cols)
{
	static const char mark[] = " (inline)"; /* of labels: no parameters */
	size_t len = strlen(name), tail = sizeof mark - 1;
	struct buf bare = BUF_INIT;

	if (utf8_width(name) <= cols) {
		buf_puts(b, name);
		return;
	}
	if (len <= tail || strcmp(name + len - tail, mark) != 0 ||
	    cols < 2 * (int)tail)
		tail = 0;
	buf_put(&bare, name, len - tail);
	name_fit(b, buf_str(&bare), cols - (int)tail, false);
	buf_puts(b, name + len - tail);
	buf_fini(&bare);
}
