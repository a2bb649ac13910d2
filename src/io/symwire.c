#include "io/symwire.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

void
symwire_put_u32(struct buf *b, uint32_t v)
{
	buf_put(b, &v, sizeof v);
}

void
symwire_put_string(struct buf *b, const char *text)
{
	uint32_t len = text != NULL ? (uint32_t)strlen(text) : 0;

	symwire_put_u32(b, len);
	if (len > 0)
		buf_put(b, text, len);
}

size_t
symwire_begin(struct buf *b, enum symwire_kind kind)
{
	struct symwire_head h = { 0, (uint16_t)kind, 0 };

	buf_put(b, &h, sizeof h);
	return b->len;
}

void
symwire_end(struct buf *b, size_t start)
{
	struct symwire_head h;

	memcpy(&h, b->data + start - sizeof h, sizeof h);
	h.size = (uint32_t)(b->len - start);
	memcpy(b->data + start - sizeof h, &h, sizeof h);
}

bool
symwire_take(const char **p, const char *end, void *to, size_t size)
{
	if ((size_t)(end - *p) < size)
		return false;
	memcpy(to, *p, size);
	*p += size;
	return true;
}

char *
symwire_take_string(const char **p, const char *end)
{
	uint32_t len;
	char *text;

	if (!symwire_take(p, end, &len, sizeof len) || (size_t)(end - *p) < len)
		return NULL;
	text = xstrndup(*p, len);
	*p += len;
	return text;
}
