#include "io/heapfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/domain.h"
#include "io/heapdata.h"
#include "io/heapkeys.h"
#include "io/heapread.h"
#include "io/heapwords.h"
#include "io/infile.h"
#include "model/profile.h"

#define JUNK_MAX 200 /* lines before the header */

struct reader {
	struct heapread *r;
	uint32_t stack; /* that rows are of; 0: none yet */
	bool skip;      /* rows belong to a stack that is left out */
	bool empty;     /* the stack has no row yet */
	uint64_t stack_line;
	bool ours;
	bool in_pool, wanted; /* stacks of pools come, of the one that... */
	bool found;           /* ...was chosen */
};

/* "t12:" or "t*:" */
static bool
row_name(const char **s, uint32_t *uid)
{
	const char *p = heapwords_blanks(*s);
	unsigned long long u;
	char *end;

	if (*p++ != 't')
		return false;
	if (*p == '*') {
		*uid = HEAPDATA_ALL;
		end = (char *)(uintptr_t)(p + 1);
	} else {
		if (*p < '0' || *p > '9')
			return false;
		errno = 0;
		u = strtoull(p, &end, 10);
		*uid = errno != 0 || u >= HEAPDATA_ALL ? HEAPDATA_ALL - 1
						       : (uint32_t)u;
	}
	*s = end;
	return heapwords_expect(s, ':');
}

/* A row before the first stack: the process, or a thread with its name. */
static void
take_thread(struct reader *k, uint32_t uid, const char *name)
{
	char text[64];

	name = heapwords_blanks(name);
	if (uid >= 65535 || (name[0] == 0 && uid > 0))
		return;
	/* Slot 0 without a name would be «other threads». */
	snprintf(text, sizeof text, "%s", name[0] != 0 ? name : "thread 0");
	if (k->ours && uid == 0 && name[0] == 0)
		return;
	profile_put_thread(k->r->profile, (uint16_t)uid, 0, 0, text);
}

static void
bad_figures(struct reader *k, uint64_t line)
{
	heapnotes_lost(&k->r->notes, line,
	    "the figures cannot be read or are beyond 2^64; the %s is left out",
	    k->stack ? "stack" : "line");
	if (k->stack == 0)
		return;
	heapdata_drop(&k->r->data, k->stack);
	k->stack = 0;
	k->skip = true;
}

static void
take_row(struct reader *k, const char *s, uint64_t line)
{
	struct heap_row row = { 0 };

	if (k->skip)
		return;
	if (!row_name(&s, &row.uid)) {
		heapnotes_lost(
		    &k->r->notes, line, "this is no line of a heap dump");
		return;
	}
	if (!heapwords_counts(&s, &row)) {
		bad_figures(k, line);
		return;
	}
	if (k->stack == 0) {
		take_thread(k, row.uid, s);
		return;
	}
	k->empty = false;
	heapread_row(k->r, k->stack, &row, line);
}

/* A stack that got no rows is not one. */
static void
end_stack(struct reader *k, bool say)
{
	if (k->stack != 0 && k->empty && say)
		heapnotes_lost(&k->r->notes, k->stack_line,
		    "the stack has no figures and is left out");
	k->stack = 0;
	k->skip = false;
}

static void
take_stack(struct reader *k, const char *s, uint64_t line)
{
	end_stack(k, true);
	k->stack = heapdata_stack(&k->r->data, s + 1);
	k->stack_line = line;
	k->empty = true;
	k->skip = k->stack == 0;
	if (k->skip)
		heapnotes_lost(&k->r->notes, line,
		    "an address of the stack cannot be read; it is left out");
}

/* Of a pool the next stack is. */
static void
begin_pool(struct reader *k, const char *name)
{
	end_stack(k, true);
	k->skip = true;
	k->in_pool = true;
	k->wanted = domain_pool() && strcmp(name, domain_pool()) == 0;
	k->found |= k->wanted;
}

/* A line of such a stack, without its mark. */
static void
take_pool(struct reader *k, const char *s, uint64_t line)
{
	if (!k->wanted)
		return;
	if (*s == '@')
		take_stack(k, s, line);
	else
		take_row(k, s, line);
}

static void
take_line(void *arg, const char *s, uint64_t line)
{
	struct reader *k = arg;
	const char *p;

	if (s == NULL) { /* it was too long: perhaps a stack's */
		end_stack(k, true);
		k->skip = true;
		return;
	}
	p = heapwords_blanks(s);
	if (heapwords_starts(p, HEAPKEYS_MARK "pool=")) {
		begin_pool(k, p + strlen(HEAPKEYS_MARK "pool="));
	} else if (k->in_pool && p[0] == '#' && p[1] == ' ' &&
	    !heapwords_starts(p, HEAPKEYS_MARK)) {
		take_pool(k, p + 2, line);
	} else if (heapwords_starts(p, HEAPKEYS_MARK)) {
		k->ours = true;
		heapkeys_take(k->r, p + strlen(HEAPKEYS_MARK), line);
	} else if (*p == '@') {
		k->in_pool = false;
		if (!domain_pool())
			take_stack(k, p, line);
		k->skip |= domain_pool() != NULL;
	} else if (*p == 't') {
		take_row(k, s, line);
	} else if (*p != 0 && *p != '#' && *p != '%') {
		heapnotes_lost(
		    &k->r->notes, line, "this is no line of a heap dump");
	}
}

/* What was counted exactly is malloc's. */
static void
take_away_exact(struct reader *k)
{
	struct profile_totals *t = &k->r->totals;

	t->live_bytes = t->live_objects = t->alloc_bytes = 0;
	if (!k->found)
		heapnotes_say(&k->r->notes, 0,
		    "it has no objects of a pool called %s", domain_pool());
}

int
heapfile_body(struct heapread *r, const char *header, struct err *e)
{
	struct reader k = { .r = r };
	char *end;
	int ret;

	header += strlen(HEAPFILE_MARK);
	r->data.rule = HEAP_V2;
	r->data.depth = 128; /* as deep as jemalloc looks */
	r->data.R = strtod(header, &end);
	if (end == header || *heapwords_blanks(end) != 0 ||
	    end != header + strspn(header, "0123456789") ||
	    !(r->data.R >= 1 && r->data.R < 1.9e19))
		return err_set(e,
		    "%s, line %llu: the sampling rate cannot be read", r->path,
		    (unsigned long long)infile_line_number(r->in));
	ret = heapread_lines(r, take_line, &k, e);
	end_stack(&k, r->whole);
	if (domain_pool())
		take_away_exact(&k);
	return ret;
}

/* Find "heap_v2/R"; what stands before it is not ours, but for warnings. */
static int
read_header(struct heapread *r, const char **line, struct err *e)
{
	bool junk = false;
	size_t len;

	for (unsigned i = 0; i <= JUNK_MAX; i++) {
		int n = infile_line(r->in, line, &len, e);

		if (n < 0)
			return -1;
		if (n == 0)
			break;
		if (strncmp(*line, "\xef\xbb\xbf", 3) == 0)
			*line += 3;
		if (heapwords_starts(*line, HEAPFILE_MARK)) {
			if (junk)
				heapnotes_say(&r->notes, i + 1,
				    "the heap dump begins only here; what "
				    "stands before is not read");
			return 0;
		}
		if (heapwords_starts(*line, "%warn "))
			heapnotes_say(&r->notes, i + 1, "%.300s", *line + 6);
		else if (**line != '%')
			junk = true;
	}
	return err_set(
	    e, "%s is not a heap dump: no line begins with heap_v2/", r->path);
}

static int
read_file(const struct heapread_from *from, struct profile *p, struct err *e)
{
	struct heapread r;
	const char *line;
	int ret = -1;

	if (heapread_init(&r, from, p, e) == 0 &&
	    read_header(&r, &line, e) == 0 && heapfile_body(&r, line, e) == 0)
		ret = heapread_put(&r, e);
	heapread_fini(&r);
	return ret;
}

int
heapfile_read(
    const struct heapread_from *from, struct profile *p, struct err *e)
{
	size_t said = from->notes != NULL ? from->notes->len : 0;
	int ret = read_file(from, p, e);

	if (ret != HEAPREAD_OTHER)
		return ret;
	heapread_kept_fini(from->kept);
	if (from->notes != NULL)
		buf_cut(from->notes, said);
	return read_file(from, p, e);
}
