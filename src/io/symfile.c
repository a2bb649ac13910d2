#include "io/symfile.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/gperffile.h"
#include "io/heapfile.h"
#include "io/heapread.h"
#include "io/heapsymbols.h"
#include "io/heapwords.h"
#include "io/infile.h"

#define DEPTH_MAX 4096 /* of a stack of words */

static int
no_dump(const struct heapread *r, struct err *e)
{
	return err_set(
	    e, "%s has symbols but no dump behind them: it is cut", r->path);
}

static bool
is_section(const char *line)
{
	return heapwords_starts(line, "---");
}

/* Names up to the end of their section. */
static int
read_symbols(struct heapread *r, struct err *e)
{
	const char *line;
	size_t len;
	int n;

	while ((n = infile_line(r->in, &line, &len, e)) > 0) {
		if (!infile_line_whole(r->in))
			break;
		if (is_section(line) && !heapwords_starts(line, "--- symbol"))
			return 0;
		if (is_section(line) || line[0] == 0 || line[0] == '%' ||
		    heapwords_starts(line, "binary=") ||
		    heapsymbols_line(r->symbols, line) == 0)
			continue;
		heapnotes_lost(&r->notes, infile_line_number(r->in),
		    "this is no line of a symbol section");
	}
	if (n < 0)
		return -1;
	return err_set(e,
	    "%s is cut: its symbol section does not end, and no dump follows",
	    r->path);
}

/* ---- words ---- */

/* 1; 0 at the end of the file or inside a word; -1 with a sentence. */
static int
read_words(struct heapread *r, uint64_t *out, size_t count, struct err *e)
{
	unsigned char *to = (unsigned char *)out;
	size_t want = count * sizeof *out, got = 0;

	while (got < want) {
		long n = infile_read(r->in, to + got, want - got, e);

		if (n < 0)
			return -1;
		if (n == 0)
			return 0;
		got += (size_t)n;
	}
	return 1;
}

static int
take_words(struct heapread *r, uint64_t value, uint64_t depth, struct err *e)
{
	uint64_t *a = xcalloc((size_t)depth, sizeof *a);
	int n = read_words(r, a, (size_t)depth, e);
	uint32_t stack =
	    n > 0 ? heapdata_stack_of(&r->data, a, (size_t)depth) : 0;
	struct heap_row row = { .uid = HEAPDATA_ALL,
		.live_bytes = (double)value };

	free(a);
	if (stack != 0)
		heapread_row(r, stack, &row, infile_line_number(r->in));
	return n;
}

/* Stacks up to the mark of the end, or that of the file. */
static int
read_stacks(struct heapread *r, struct err *e)
{
	uint64_t head[2];
	int n;

	while ((n = infile_peek(r->in, e)) <= 255) {
		if (n >= 0)
			n = read_words(r, head, 2, e);
		if (n <= 0)
			return n;
		if (head[0] == 0 && head[1] == 1)
			return 1;
		if (head[1] == 0 || head[1] > DEPTH_MAX)
			return err_set(
			    e, "a stack has %" PRIu64 " addresses", head[1]);
		n = take_words(r, head[0], head[1], e);
		if (n <= 0)
			return n;
	}
	return 1;
}

static int
read_binary(struct heapread *r, struct err *e)
{
	uint64_t head[5];
	struct err why;
	int n = read_words(r, head, 5, &why);

	if (n < 0)
		return err_set(e, "%s", why.msg);
	if (n == 0 || head[0] != 0 || head[1] != 3 || head[2] != 0)
		return err_set(e,
		    "%s, line %" PRIu64 ": no heap dump follows the symbols",
		    r->path, infile_line_number(r->in) + 1);
	r->data.rule = HEAP_EXACT;
	r->data.addresses = HEAP_CALLS;
	n = read_stacks(r, &why);
	if (n < 0)
		heapnotes_lost(&r->notes, 0,
		    "the stacks behind its symbols are damaged: %s", why.msg);
	else if (n == 0)
		heapnotes_lost(&r->notes, 0,
		    "it is cut; the stacks that are whole are used");
	heapnotes_say(&r->notes, 0,
	    "the file does not tell what it measures; its values are taken for "
	    "bytes");
	return n < 0 && r->data.stack_count == 0
	    ? err_set(e, "%s: %s", r->path, why.msg)
	    : 0;
}

/* The dump behind the title of its section.  Words begin with a zero byte,
 * which no text does. */
static int
read_dump(struct heapread *r, struct err *e)
{
	const char *line;
	size_t len;
	int n;

	n = infile_peek(r->in, e);
	if (n < 0)
		return -1;
	if (n == 0)
		return read_binary(r, e);
	while ((n = infile_line(r->in, &line, &len, e)) > 0) {
		if (heapwords_starts(line, HEAPFILE_MARK))
			return heapfile_body(r, line, e);
		if (heapwords_starts(line, GPERFFILE_MARK))
			return gperffile_body(r, line, e);
		if (line[0] != '%' && line[0] != 0)
			break;
	}
	if (n < 0)
		return -1;
	if (n == 0)
		return no_dump(r, e);
	return err_set(e,
	    "%s, line %" PRIu64 ": no heap dump follows the "
	    "symbols; profiles of processor time and contention are not read",
	    r->path, infile_line_number(r->in));
}

/* "---" ends the symbols, "--- heap" begins the dump.  google-pprof wants
 * the dump itself there. */
static int
read_title(struct heapread *r, struct err *e)
{
	const char *line;
	size_t len;
	int n;

	if (infile_peek(r->in, e) == 'h')
		return 0;
	while ((n = infile_line(r->in, &line, &len, e)) > 0) {
		if (heapwords_starts(line, "--- "))
			return 0;
		if (line[0] != 0 && line[0] != '%')
			break;
	}
	if (n < 0)
		return -1;
	return no_dump(r, e);
}

int
symfile_read(const struct heapread_from *from, struct profile *p, struct err *e)
{
	struct heapread r;
	int ret = -1;

	if (heapread_init(&r, from, p, e) == 0) {
		r.symbols = heapsymbols_new();
		if (read_symbols(&r, e) == 0 && read_title(&r, e) == 0 &&
		    read_dump(&r, e) == 0)
			ret = heapread_put(&r, e);
	}
	heapread_fini(&r);
	return ret;
}
