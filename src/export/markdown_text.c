#include "export/markdown_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

/* Control bytes would end lines; they show as blanks. */
static char
printable(char c)
{
	unsigned char u = (unsigned char)c;

	return u < 32 || u == 127 ? ' ' : c;
}

/* A character that may mean something, as a reference: nowhere does that
 * mean anything but the character itself. */
static void
put_plain(struct buf *b, char c)
{
	c = printable(c);
	if (strchr("\\`*_{}[]<>()#!|~&$@", c) && c)
		buf_printf(b, "&#%d;", c);
	else
		buf_putc(b, c);
}

void
markdown_text(struct buf *b, const char *s)
{
	for (; *s; s++) {
		if (*s == '<' || *s == '>' || *s == '&') {
			put_plain(b, *s);
			continue;
		}
		if (strchr("\\`*_[]|~$", *s))
			buf_putc(b, '\\');
		buf_putc(b, printable(*s));
	}
}

/* Between backticks nothing has a meaning but backticks, and in a table a
 * bar; those are put in another way. */
void
markdown_code(struct buf *b, const char *s)
{
	if (!*s)
		return;
	if (strpbrk(s, "`|\\")) {
		buf_puts(b, "<code>");
		for (; *s; s++)
			put_plain(b, *s);
		buf_puts(b, "</code>");
		return;
	}
	buf_putc(b, '`');
	for (; *s; s++)
		buf_putc(b, printable(*s));
	buf_putc(b, '`');
}

static size_t
longest_run(const char *s)
{
	size_t most = 0, run = 0;

	for (; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most;
}

void
markdown_block(struct buf *b, const char *s)
{
	size_t fence = longest_run(s) + 1, len = strlen(s);

	fence = fence < 3 ? 3 : fence;
	buf_pad(b, '`', fence);
	buf_puts(b, "text\n");
	buf_put(b, s, len);
	if (len && s[len - 1] != '\n')
		buf_putc(b, '\n');
	buf_pad(b, '`', fence);
	buf_putc(b, '\n');
}
