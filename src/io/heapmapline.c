#include "io/heapmapline.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool
hex(const char **s, uint64_t *v)
{
	char *end;

	if (!isxdigit((unsigned char)**s))
		return false;
	*v = strtoull(*s, &end, 16);
	*s = end;
	return true;
}

/* Skip the blanks and then one word. */
static const char *
skip_word(const char *s)
{
	s += strspn(s, " \t");
	return s + strcspn(s, " \t");
}

/* What stands behind the addresses of a line of /proc/PID/maps. */
static bool
parse_rest(const char *s, struct heapmapline *out)
{
	const char *flags = s + strspn(s, " \t");

	if (strcspn(flags, " \t") != 4)
		return false;
	out->exec = flags[2] == 'x';
	s = flags + 4;
	s += strspn(s, " \t");
	if (!hex(&s, &out->offset))
		return false;
	s = skip_word(skip_word(s)); /* device and inode */
	out->path = s + strspn(s, " \t");
	return true;
}

bool
heapmapline_parse(const char *s, struct heapmapline *out)
{
	s += strspn(s, " \t");
	if (!hex(&s, &out->start) || *s++ != '-' || !hex(&s, &out->end) ||
	    out->end < out->start)
		return false;
	if (*s != ':')
		return parse_rest(s, out);
	out->offset = 0;
	out->exec = true;
	s++;
	out->path = s + strspn(s, " \t");
	return true;
}

/* The kernel writes a newline in a path as \012. */
char *
heapmapline_path(const char *s)
{
	char *out = xstrdup(s), *to = out;

	for (; *s != 0; s++) {
		if (strncmp(s, "\\012", 4) == 0) {
			*to++ = '\n';
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
	return out;
}
