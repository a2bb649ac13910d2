#include "io/smaps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define LINE_MAX 8192 /* a path has at most 4096 bytes, escapes come on top */

const char *
smaps_name(const struct smaps *s, const struct smaps_entry *e)
{
	return s->names.data + e->name;
}

/* ---- a line ------------------------------------------------------------ */

/* A hexadecimal number that ends in `end`; false: it is not one. */
static bool
hex(const char **p, char end, uint64_t *v)
{
	const char *s = *p;

	*v = 0;
	for (; isxdigit((unsigned char)*s); s++) {
		if (*v >> 60)
			return false;
		*v = *v << 4 |
		    (uint64_t)(*s <= '9' ? *s - '0' : (*s | 0x20) - 'a' + 10);
	}
	if (s == *p || *s != end)
		return false;
	*p = s + 1;
	return true;
}

static const char *
skip_word(const char *p)
{
	p += strcspn(p, " ");
	return p + strspn(p, " ");
}

/* "start-end rwxp offset dev inode   name" */
static bool
parse_head(const char *p, struct smaps_entry *e, const char **name)
{
	uint64_t offset;

	if (!hex(&p, '-', &e->start) || !hex(&p, ' ', &e->end) ||
	    e->end <= e->start || strcspn(p, " ") != 4)
		return false;
	e->read = p[0] == 'r';
	e->write = p[1] == 'w';
	e->exec = p[2] == 'x';
	e->shared = p[3] == 's';
	p = skip_word(p);
	if (!hex(&p, ' ', &offset))
		return false;
	p = skip_word(p); /* device */
	if (!isdigit((unsigned char)*p))
		return false;
	e->inode = strtoull(p, NULL, 10);
	*name = skip_word(p);
	return true;
}

/* The kernel writes these bytes of a name as \ooo; nothing else. */
static void
put_name(struct buf *b, const char *s)
{
	for (; *s; s++) {
		if (strncmp(s, "\\012", 4) == 0) {
			buf_putc(b, '\n');
			s += 3;
		} else {
			buf_putc(b, *s);
		}
	}
	buf_put(b, "", 1);
}

static void
begin(struct smaps *s, const struct smaps_entry *e, const char *name)
{
	struct smaps_entry *to;
	bool ascending =
	    s->count == 0 || s->entries[s->count - 1].end <= e->start;

	/* what is no map of a process is left out */
	s->open = ascending && s->count < SMAPS_MOST;
	if (!s->open)
		return;
	VEC_ROOM(s->entries, s->cap, s->count + 1);
	to = &s->entries[s->count++];
	*to = *e;
	to->name = s->names.len;
	put_name(&s->names, name);
}

/* "Rss:   123 kB" */
static void
take_field(struct smaps_entry *e, const char *line)
{
	const char *colon = strchr(line, ':');
	size_t len = colon ? (size_t)(colon - line) : 0;
	const struct {
		const char *key;
		uint64_t *to;
	} fields[] = {
		{ "Rss", &e->rss },
		{ "Pss", &e->pss },
		{ "Shared_Dirty", &e->dirty },
		{ "Private_Dirty", &e->dirty },
		{ "Swap", &e->swap },
	};

	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		uint64_t kb;

		if (strlen(fields[i].key) != len ||
		    strncmp(fields[i].key, line, len) != 0)
			continue;
		kb = strtoull(colon + 1, NULL, 10);
		/* no more than there is: sums of them cannot run over */
		if (kb > (e->end - e->start - *fields[i].to) >> 10)
			kb = (e->end - e->start - *fields[i].to) >> 10;
		*fields[i].to += kb << 10;
	}
}

static void
take_line(struct smaps *s)
{
	const char *line = buf_str(&s->line), *name;
	struct smaps_entry e = { 0 };

	if (isupper((unsigned char)*line)) {
		if (s->open)
			take_field(&s->entries[s->count - 1], line);
	} else if (parse_head(line, &e, &name)) {
		begin(s, &e, name);
	} else {
		s->open = false;
	}
}

void
smaps_feed(struct smaps *s, const char *text, size_t len)
{
	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len, room;

		room = LINE_MAX - s->line.len;
		buf_put(&s->line, text, n < room ? n : room);
		if (!end)
			return;
		take_line(s);
		buf_clear(&s->line);
		text += n + 1;
		len -= n + 1;
	}
}

void
smaps_end(struct smaps *s)
{
	if (s->line.len)
		take_line(s);
	buf_clear(&s->line);
}

void
smaps_fini(struct smaps *s)
{
	free(s->entries);
	buf_fini(&s->names);
	buf_fini(&s->line);
	memset(s, 0, sizeof *s);
}
