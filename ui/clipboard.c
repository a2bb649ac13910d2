#include "ui/clipboard.h"

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

static void
put_base64(struct buf *b, const char *text, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *s = (const unsigned char *)text;

	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t v = (uint32_t)s[i] << 16;

		if (left > 1)
			v |= (uint32_t)s[i + 1] << 8;
		if (left > 2)
			v |= s[i + 2];
		buf_putc(b, digits[v >> 18]);
		buf_putc(b, digits[v >> 12 & 63]);
		buf_putc(b, left > 1 ? digits[v >> 6 & 63] : '=');
		buf_putc(b, left > 2 ? digits[v & 63] : '=');
	}
}

int
clipboard_put(
    const char *text, size_t len, bool tmux, struct buf *out, struct err *e)
{
	if (len > CLIPBOARD_MAX)
		return err_set(e,
		    "%zu KB are more than terminals take, 74; e writes a file",
		    len / 1000);
	buf_puts(out, "\033]52;c;");
	put_base64(out, text, len);
	buf_puts(out, "\033\\");
	if (!tmux)
		return 0;
	/* escapes are doubled inside */
	buf_puts(out, "\033Ptmux;\033\033]52;c;");
	put_base64(out, text, len);
	buf_puts(out, "\033\033\\\033\\");
	return 0;
}
