#include "io/heapwords.h"

#include <string.h>

#include "io/heapdata.h"

const char *
heapwords_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

bool
heapwords_starts(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

bool
heapwords_number(const char **s, double *v)
{
	const char *p = heapwords_blanks(*s);
	bool minus = *p == '-';
	uint64_t u = 0;

	p += minus;
	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		unsigned digit = (unsigned)(*p - '0');

		if (u > (UINT64_MAX - digit) / 10)
			return false;
		u = u * 10 + digit;
	}
	*v = minus ? -(double)u : (double)u;
	*s = p;
	return true;
}

bool
heapwords_expect(const char **s, char c)
{
	const char *p = heapwords_blanks(*s);

	if (*p != c)
		return false;
	*s = p + 1;
	return true;
}

bool
heapwords_counts(const char **s, struct heap_row *row)
{
	const char *p = *s;

	if (!heapwords_number(&p, &row->live_objects) ||
	    !heapwords_expect(&p, ':') ||
	    !heapwords_number(&p, &row->live_bytes) ||
	    !heapwords_expect(&p, '[') ||
	    !heapwords_number(&p, &row->alloc_objects) ||
	    !heapwords_expect(&p, ':') ||
	    !heapwords_number(&p, &row->alloc_bytes) ||
	    !heapwords_expect(&p, ']'))
		return false;
	*s = p;
	return true;
}

static unsigned
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

/* Most of a file is such numbers. */
bool
heapwords_address(const char **s, uint64_t *a)
{
	const char *p = *s, *first;
	uint64_t v = 0;
	unsigned digit;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	for (first = p; (digit = hex_digit(*p)) < 16; p++) {
		if (v >> 60)
			return false;
		v = v << 4 | digit;
	}
	if (p == first || (*p != 0 && *p != ' ' && *p != '\t'))
		return false;
	*a = v;
	*s = p;
	return true;
}
