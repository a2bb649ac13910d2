#include "say.h"

#include <stdarg.h>
#include <string.h>

#include "os.h"

#define LINE_BYTES 500

void
say(const char *first, ...)
{
	char line[LINE_BYTES] = "heaptop: ";
	size_t len = strlen(line);
	va_list ap;

	va_start(ap, first);
	for (const char *s = first; s; s = va_arg(ap, const char *)) {
		size_t n = strlen(s);

		if (n > sizeof line - 1 - len)
			n = sizeof line - 1 - len;
		memcpy(line + len, s, n);
		len += n;
	}
	va_end(ap);
	line[len++] = '\n';
	os_write(2, line, len);
}

const char *
say_number(struct say_number *b, uint64_t n)
{
	char *p = b->text + sizeof b->text - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return p;
}
