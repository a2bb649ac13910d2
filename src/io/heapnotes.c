#include "io/heapnotes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"

#define NOTES_MAX 5 /* sentences about one file; then a count */

static void
put(struct heapnotes *n, uint64_t line, const char *fmt, va_list ap)
{
	char text[512];

	if (n->to == NULL || ++n->count > NOTES_MAX)
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	if (line > 0)
		buf_printf(n->to, "%s, line %llu: %s\n", n->path,
		    (unsigned long long)line, text);
	else
		buf_printf(n->to, "%s: %s\n", n->path, text);
}

void
heapnotes_say(struct heapnotes *n, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(n, line, fmt, ap);
	va_end(ap);
}

void
heapnotes_lost(struct heapnotes *n, uint64_t line, const char *fmt, ...)
{
	va_list ap;

	n->partial = true;
	va_start(ap, fmt);
	put(n, line, fmt, ap);
	va_end(ap);
}

void
heapnotes_end(struct heapnotes *n)
{
	if (n->to != NULL && n->count > NOTES_MAX)
		buf_printf(n->to, "%s: %u more %s could not be used\n", n->path,
		    n->count - NOTES_MAX,
		    n->count - NOTES_MAX == 1 ? "line" : "lines");
}
