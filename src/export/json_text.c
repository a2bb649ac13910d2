#include "export/json_text.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* One code point as it is, or what stands for a byte that is none. */
static void
put_point(struct buf *b, const char *s, size_t used)
{
	if (used == 1 && (unsigned char)*s >= 0x80)
		buf_puts(b, REPLACEMENT);
	else
		buf_put(b, s, used);
}

void
json_utf8(struct buf *b, const char *s)
{
	size_t len = strlen(s), used;

	for (; len > 0; s += used, len -= used) {
		utf8_decode(s, len, &used);
		put_point(b, s, used);
	}
}

static void
put_escaped(struct buf *b, const char *s, size_t used)
{
	switch (*s) {
	case '"': buf_puts(b, "\\\""); return;
	case '\\': buf_puts(b, "\\\\"); return;
	case '\n': buf_puts(b, "\\n"); return;
	case '\r': buf_puts(b, "\\r"); return;
	case '\t': buf_puts(b, "\\t"); return;
	default: break;
	}
	if ((unsigned char)*s < 0x20 || *s == 0x7f)
		buf_printf(b, "\\u%04x", (unsigned)*s);
	else
		put_point(b, s, used);
}

void
json_string(struct buf *b, const char *s)
{
	size_t len = strlen(s), used;

	buf_putc(b, '"');
	for (; len > 0; s += used, len -= used) {
		utf8_decode(s, len, &used);
		put_escaped(b, s, used);
	}
	buf_putc(b, '"');
}

void
json_whole(struct buf *b, double v)
{
	buf_puts(b, isfinite(v) ? fmt_int(v).s : "null");
}

void
json_tenths(struct buf *b, double v)
{
	buf_puts(b, isfinite(v) ? fmt_fixed(v, 1).s : "null");
}

void
json_hex(struct buf *b, const uint8_t *bytes, size_t n)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%02x", bytes[i]);
	buf_putc(b, '"');
}
