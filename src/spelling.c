#include "spelling.h"

#include <ctype.h>
#include <string.h>

static char
plain(char c)
{
	return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* d[i][j] is the distance of the first i letters from the first j. */
unsigned
spelling_distance(const char *typed, size_t len, const char *name)
{
	unsigned char d[SPELLING_MAX + 1][SPELLING_MAX + 1];
	size_t n = strlen(name);

	if (len > SPELLING_MAX || n > SPELLING_MAX)
		return SPELLING_FAR;
	for (size_t i = 0; i <= len; i++)
		d[i][0] = (unsigned char)i;
	for (size_t j = 0; j <= n; j++)
		d[0][j] = (unsigned char)j;
	for (size_t i = 1; i <= len; i++)
		for (size_t j = 1; j <= n; j++) {
			char a = plain(typed[i - 1]), b = plain(name[j - 1]);
			unsigned v = d[i - 1][j - 1] + (a != b);

			v = least(v, d[i - 1][j] + 1u);
			v = least(v, d[i][j - 1] + 1u);
			if (i > 1 && j > 1 && a == plain(name[j - 2]) &&
			    b == plain(typed[i - 2]))
				v = least(v, d[i - 2][j - 2] + 1u);
			d[i][j] = (unsigned char)v;
		}
	return d[len][n];
}
