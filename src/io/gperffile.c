#include "io/gperffile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/heapread.h"
#include "io/heapwords.h"
#include "io/infile.h"

#define V1_DISTANCE   131072.0 /* of files that do not tell */
#define DEPTH         32       /* the tracer looks no deeper */
#define SAMPLED_DEPTH 31
#define HEAD_MAX      200 /* lines before the header */

struct reader {
	struct heapread *r;
	bool off; /* the rate is 0: there should be no rows */
};

static int
bad_rate(const struct heapread *r, struct err *e)
{
	return err_set(e, "%s, line %llu: the sampling rate cannot be read",
	    r->path, (unsigned long long)infile_line_number(r->in));
}

/* The distance behind the slash. */
static int
read_rate(struct reader *k, const char *s, enum heap_rule rule, struct err *e)
{
	struct heapdata *d = &k->r->data;
	double v;

	if (!heapwords_number(&s, &v) || *heapwords_blanks(s) != 0 || v < 0)
		return bad_rate(k->r, e);
	k->off = v == 0;
	if (k->off)
		return 0;
	/* who writes estimates does not say how deep stacks were looked at */
	d->depth = rule == HEAP_UNSAMPLED ? 0 : SAMPLED_DEPTH;
	d->rule = rule;
	d->R = rule == HEAP_V1 ? v / 2 : v;
	if (d->R < 1)
		d->R = 1;
	return 0;
}

static int
read_type(struct reader *k, const char *type, const struct heap_row *all,
    struct err *e)
{
	struct heapdata *d = &k->r->data;
	const char *slash = strchr(type, '/');

	d->rule = HEAP_EXACT;
	d->depth = DEPTH;
	d->addresses = HEAP_RETURNS;
	if (heapwords_starts(type, "heap_v2/") ||
	    heapwords_starts(type, "heapz_v2/"))
		return read_rate(k, slash + 1, HEAP_V2, e);
	if (heapwords_starts(type, "unsampled/"))
		return read_rate(k, slash + 1, HEAP_UNSAMPLED, e);
	if (heapwords_starts(type, "heap/") || heapwords_starts(type, "heapz/"))
		return read_rate(k, slash + 1, HEAP_V1, e);
	if (type[0] == 0 && all->live_objects == all->alloc_objects &&
	    all->live_bytes == all->alloc_bytes) {
		d->rule = HEAP_V1;
		d->R = V1_DISTANCE;
	}
	return 0;
}

static void
take_line(void *arg, const char *s, uint64_t line)
{
	struct reader *k = arg;
	struct heapnotes *n = &k->r->notes;
	struct heap_row row = { 0 };
	uint32_t stack;

	if (s == NULL)
		return;
	s = heapwords_blanks(s);
	if (*s == 0 || *s == '#' || *s == '%')
		return;
	if (!heapwords_counts(&s, &row)) {
		heapnotes_lost(n, line,
		    "the figures cannot be read or are beyond 2^64; the line "
		    "is left out");
		return;
	}
	stack = heapwords_expect(&s, '@') ? heapdata_stack(&k->r->data, s) : 0;
	if (stack == 0) {
		heapnotes_lost(n, line,
		    "an address of the stack cannot be read; it is left out");
		return;
	}
	if (k->off)
		heapnotes_lost(n, line,
		    "the sampling rate is 0: figures are taken as they are");
	k->off = false;
	row.uid = HEAPDATA_ALL;
	heapread_row(k->r, stack, &row, line);
}

int
gperffile_body(struct heapread *r, const char *header, struct err *e)
{
	struct reader k = { .r = r };
	struct heap_row all = { 0 };
	const char *s = header + strlen(GPERFFILE_MARK);

	if (!heapwords_counts(&s, &all))
		return err_set(e,
		    "%s, line %llu: the totals of the heap profile cannot be "
		    "read",
		    r->path, (unsigned long long)infile_line_number(r->in));
	heapwords_expect(&s, '@');
	if (read_type(&k, heapwords_blanks(s), &all, e) < 0)
		return -1;
	return heapread_lines(r, take_line, &k, e);
}

/* "%warn" lines in a row are one text. */
static void
say_warning(struct heapread *r, const struct buf *text)
{
	if (text->len > 0)
		heapnotes_say(
		    &r->notes, 1, "the program says: %s", buf_str(text));
}

static void
add_warning(struct buf *text, const char *line)
{
	line = heapwords_blanks(line + strlen("%warn"));
	if (*line == 0)
		return;
	if (text->len > 0)
		buf_putc(text, ' ');
	buf_puts(text, line);
}

static int
read_header(
    struct heapread *r, const char **line, struct buf *warning, struct err *e)
{
	size_t len;
	int n;

	for (unsigned i = 0; i < HEAD_MAX; i++) {
		n = infile_line(r->in, line, &len, e);
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		if (heapwords_starts(*line, "\xef\xbb\xbf"))
			*line += 3;
		if (heapwords_starts(*line, GPERFFILE_MARK))
			return 0;
		if (heapwords_starts(*line, "%warn"))
			add_warning(warning, *line);
	}
	return err_set(e,
	    "%s is no heap profile of gperftools: no line begins "
	    "with \"heap profile:\"",
	    r->path);
}

int
gperffile_read(
    const struct heapread_from *from, struct profile *p, struct err *e)
{
	struct heapread r;
	struct buf warning = BUF_INIT;
	const char *line;
	int ret = -1;

	if (heapread_init(&r, from, p, e) == 0 &&
	    read_header(&r, &line, &warning, e) == 0) {
		say_warning(&r, &warning);
		if (gperffile_body(&r, line, e) == 0)
			ret = heapread_put(&r, e);
	}
	buf_fini(&warning);
	heapread_fini(&r);
	return ret;
}
