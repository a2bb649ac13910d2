#include "io/heapsymbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "io/heapwords.h"

#define TEXT_MAX   (UINT32_MAX / 2)
#define DEPTH_MAX  64
#define NO_ADDRESS (UINT64_C(1) << 63) /* no process has code there */
#define SUFFIX_LEN 18                  /* "<0123456789abcdef>" */

struct heapsymbols {
	struct map at;   /* address -> offset in text */
	struct buf text; /* what stood behind each, NUL-terminated */
	uint32_t count;
};

struct heapsymbols *
heapsymbols_new(void)
{
	return xcalloc(1, sizeof(struct heapsymbols));
}

void
heapsymbols_free(struct heapsymbols *s)
{
	if (s == NULL)
		return;
	map_fini(&s->at);
	buf_fini(&s->text);
	free(s);
}

uint32_t
heapsymbols_count(const struct heapsymbols *s)
{
	return s->count;
}

int
heapsymbols_line(struct heapsymbols *s, const char *line)
{
	const char *p = heapwords_blanks(line);
	uint64_t address;
	uint32_t *at;

	if (!heapwords_starts(p, "0x") || !heapwords_address(&p, &address))
		return -1;
	p = heapwords_blanks(p);
	if (s->text.len + strlen(p) >= TEXT_MAX)
		return -1;
	at = map_put(&s->at, address);
	if (*at != MAP_NONE)
		return 0;
	*at = (uint32_t)s->text.len;
	buf_put(&s->text, p, strlen(p) + 1);
	s->count++;
	return 0;
}

/* Where the next "--" is that joins two names and is in neither of them. */
static const char *
joint(const char *s)
{
	static const char op[] = "operator";
	const char *start = s;

	for (; (s = strstr(s, "--")) != NULL; s += 2)
		if ((size_t)(s - start) < sizeof op - 1 ||
		    strncmp(s - (sizeof op - 1), op, sizeof op - 1) != 0)
			return s;
	return NULL;
}

/* jeprof tells apart functions of one name by their address in the file. */
static size_t
without_suffix(const char *s, size_t len)
{
	const char *tail = s + len - SUFFIX_LEN;

	if (len <= SUFFIX_LEN || tail[0] != '<' ||
	    tail[SUFFIX_LEN - 1] != '>' ||
	    strspn(tail + 1, "0123456789abcdef") != SUFFIX_LEN - 2)
		return len;
	return len - SUFFIX_LEN;
}

/* What stands for a function whose name was not found. */
static bool
nameless(const char *s)
{
	return s[0] == 0 || heapwords_starts(s, "??") ||
	    heapwords_starts(s, "0x");
}

uint64_t
heapsymbols_key(const struct heapsymbols *s, uint64_t address)
{
	uint32_t at = map_find(&s->at, address);
	uint64_t h = 1;

	if (at == MAP_NONE || nameless(s->text.data + at))
		return 0;
	for (const char *p = s->text.data + at; *p != 0; p++)
		h = map_mix(h ^ (unsigned char)*p);
	return h | NO_ADDRESS;
}

void
heapsymbols_name(const struct heapsymbols *s, uint64_t address,
    struct frames *f, frame_id id)
{
	struct frame_name names[DEPTH_MAX];
	char *text[DEPTH_MAX];
	uint32_t at = map_find(&s->at, address);
	unsigned n = 0;
	const char *p, *end;

	if (at == MAP_NONE || nameless(s->text.data + at))
		return;
	for (p = s->text.data + at; p != NULL && n < DEPTH_MAX;
	     p = end != NULL ? end + 2 : NULL) {
		size_t len;

		end = joint(p);
		len = end != NULL ? (size_t)(end - p) : strlen(p);
		text[n++] = xstrndup(p, without_suffix(p, len));
	}
	/* Outermost first there, innermost first here. */
	for (unsigned i = 0; i < n; i++)
		names[i] = (struct frame_name){ text[n - 1 - i], "", 0 };
	frames_set_names(f, id, names, n);
	for (unsigned i = 0; i < n; i++)
		free(text[i]);
}
