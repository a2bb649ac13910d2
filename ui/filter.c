#include "ui/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/query.h"

static bool
has_capital(const char *s)
{
	for (; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			return true;
	}
	return false;
}

static void
put_char(struct buf *b, char c, bool exact)
{
	if (!exact && c >= 'a' && c <= 'z')
		buf_printf(b, "[%c%c]", c, toupper((unsigned char)c));
	else if (strchr("\\.[]{}()*+?^$|", c))
		buf_printf(b, "\\%c", c);
	else
		buf_putc(b, c);
}

/* Whether the alternative ends behind *s. */
static bool
at_end(const char *s)
{
	return s[1] == '\0' || s[1] == '|';
}

static void
translate(struct buf *b, const char *s, bool exact)
{
	bool first = true;

	for (; *s; s++) {
		if (*s == '\\' && s[1] == '|')
			put_char(b, *++s, exact);
		else if (*s == '|') {
			buf_putc(b, '|');
			first = true;
			continue;
		} else if ((*s == '^' && first && !at_end(s)) ||
		    (*s == '$' && !first && at_end(s)))
			buf_putc(b, *s);
		else
			put_char(b, *s, exact);
		first = false;
	}
}

/* Without alternatives that are empty: they would match everything. */
static void
without_empty(char *to, const char *s)
{
	char *begin = to;

	for (; *s; s++) {
		if (*s == '|' &&
		    (to == begin ||
			(to[-1] == '|' && !(to - begin > 1 && to[-2] == '\\'))))
			continue;
		if (*s == '\\' && s[1] == '|')
			*to++ = *s++;
		*to++ = *s;
	}
	while (
	    to > begin && to[-1] == '|' && !(to - begin > 1 && to[-2] == '\\'))
		to--;
	*to = '\0';
}

struct pattern *
filter_pattern(const char *text, struct err *e)
{
	struct buf b = BUF_INIT;
	struct pattern *p;
	char clean[512];

	if (strlen(text) >= sizeof clean) {
		err_set(e, "the filter is too long");
		return NULL;
	}
	without_empty(clean, text);
	if (!*clean) {
		err_set(e, "the filter is empty");
		return NULL;
	}
	translate(&b, clean, has_capital(clean));
	p = pattern_new(buf_str(&b), e);
	buf_fini(&b);
	return p;
}

bool
filter_add_name(char *text, size_t size, const char *name)
{
	struct buf b = BUF_INIT;
	bool fits;

	buf_putc(&b, '^');
	for (; *name; name++) {
		if (*name == '|')
			buf_putc(&b, '\\');
		buf_putc(&b, *name);
	}
	buf_putc(&b, '$');
	if (strstr(text, buf_str(&b))) {
		buf_fini(&b);
		return true;
	}
	fits = strlen(text) + 1 + b.len < size;
	if (fits)
		snprintf(text + strlen(text), size - strlen(text), "%s%s",
		    *text ? "|" : "", buf_str(&b));
	buf_fini(&b);
	return fits;
}
