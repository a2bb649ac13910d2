#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LONG_BYTES 8192 /* of a sentence before it is cut: a path or two */
#define GAP        "..."
#define REASON     256 /* room kept for the text of errno */

/* Is this byte inside a character of UTF-8? */
static int
is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Half of what there is room for from the front, half from the back. */
static void
put(struct err *e, const char *text, size_t len)
{
	size_t half = (sizeof e->msg - sizeof GAP) / 2, tail = len - half;

	if (len < sizeof e->msg) {
		memcpy(e->msg, text, len + 1);
		return;
	}
	while (half > 0 && is_inside(text[half]))
		half--;
	while (is_inside(text[tail]))
		tail++;
	memcpy(e->msg, text, half);
	memcpy(e->msg + half, GAP, strlen(GAP));
	memcpy(e->msg + half + strlen(GAP), text + tail, len - tail + 1);
}

int
err_vset(struct err *e, const char *fmt, va_list ap)
{
	char text[LONG_BYTES];
	int len;

	if (!e)
		return -1;
	len = vsnprintf(text, sizeof text, fmt, ap);
	if (len < 0)
		len = snprintf(text, sizeof text, "%s", fmt);
	put(e, text, strlen(text));
	return -1;
}

int
err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(e, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_sys(struct err *e, const char *fmt, ...)
{
	char text[LONG_BYTES];
	int code = errno;
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text - REASON, fmt, ap);
	va_end(ap);
	err_set(e, "%s: %s", text, strerror(code));
	errno = code;
	return -1;
}
