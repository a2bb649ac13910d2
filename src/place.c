#include "place.h"

#include <string.h>

struct reader {
	struct place *place;
	bool prof_given, final_given;
};

static bool
is(const char *s, size_t len, const char *what)
{
	return len == strlen(what) && memcmp(s, what, len) == 0;
}

/* true and false; anything else leaves it as it was. */
static bool
set(bool *out, const char *s, size_t len)
{
	if (!is(s, len, "true") && !is(s, len, "false"))
		return false;
	*out = is(s, len, "true");
	return true;
}

static void
read_pair(struct reader *r, const char *s, size_t len)
{
	struct place *p = r->place;
	const char *colon;
	size_t key;

	while (len > 0 && *s == ' ')
		s++, len--;
	while (len > 0 && s[len - 1] == ' ')
		len--;
	colon = len ? memchr(s, ':', len) : NULL;
	if (!colon)
		return;
	key = (size_t)(colon++ - s);
	len -= key + 1;
	if (is(s, key, "prof"))
		r->prof_given =
		    set(&p->prof, colon, len) ? p->prof : r->prof_given;
	else if (is(s, key, "prof_final"))
		r->final_given |= set(&p->final, colon, len);
	else if (is(s, key, "prof_prefix") && len < sizeof p->prefix) {
		memcpy(p->prefix, colon, len);
		p->prefix[len] = '\0';
	}
}

void
place_read(struct place *p, const char *const *sources, size_t n)
{
	struct reader r = { .place = p };

	*p = (struct place){ .prof = true };
	for (size_t i = 0; i < n; i++)
		for (const char *s = sources[i]; s && *s;) {
			size_t len = strcspn(s, ",");

			read_pair(&r, s, len);
			s += len + (s[len] == ',');
		}
	if (r.prof_given && !r.final_given)
		p->final = true;
	if (r.prof_given && !p->prefix[0])
		strcpy(p->prefix, "jeprof");
	if (!p->prof || !p->prefix[0])
		p->final = false;
}
