#include "io/heapfile.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "io/heapdata.h"
#include "io/heapmaps.h"
#include "io/heapname.h"
#include "io/infile.h"
#include "model/profile.h"

#define NOTES_MAX     5   /* sentences about one file; then a count */
#define JUNK_MAX      200 /* lines before the header */
#define ADDRESSES_MAX (UINT64_C(1) << 28)
#define ROWS_MAX      (UINT64_C(1) << 27)

struct reader {
	struct infile *in;
	const char *path;
	struct profile *profile;
	struct heapdata data;
	struct heapmaps *maps;
	struct buf *notes;
	unsigned note_count;
	bool in_maps;
	bool in_stack;   /* an @ line was read and is of use */
	bool skip_stack; /* it was not: neither are its rows */
	bool negative;
	bool partial; /* something was left out */
	uint64_t stack_line;
	bool ours;
	struct profile_totals totals;
};

static void
note(struct reader *r, uint64_t line, const char *text)
{
	if (r->notes == NULL || ++r->note_count > NOTES_MAX)
		return;
	buf_printf(r->notes, "%s, line %llu: %s\n", r->path,
	    (unsigned long long)line, text);
}

/* Something of the file is not in the profile. */
static void __attribute__((format(printf, 3, 4)))
lost(struct reader *r, uint64_t line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	r->partial = true;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	note(r, line, text);
}

static const char *
blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* A decimal number, perhaps negative; false if there is none, or if it is
 * beyond 2^64. */
static bool
number(struct reader *r, const char **s, double *v)
{
	const char *p = blanks(*s);
	bool minus = *p == '-';
	unsigned long long u;
	char *end;

	p += minus;
	if (*p < '0' || *p > '9')
		return false;
	errno = 0;
	u = strtoull(p, &end, 10);
	if (errno != 0)
		return false;
	if (minus && u > 0 && !r->negative) {
		r->negative = true;
		note(r, infile_line_number(r->in),
		    "negative figures, which are taken as they are");
	}
	*v = minus ? -(double)u : (double)u;
	*s = end;
	return true;
}

static bool
expect(const char **s, char c)
{
	const char *p = blanks(*s);

	if (*p != c)
		return false;
	*s = p + 1;
	return true;
}

/* "objects: bytes [objects: bytes]" */
static bool
counts(struct reader *r, const char **s, struct heap_row *row)
{
	return number(r, s, &row->live_objects) && expect(s, ':') &&
	    number(r, s, &row->live_bytes) && expect(s, '[') &&
	    number(r, s, &row->alloc_objects) && expect(s, ':') &&
	    number(r, s, &row->alloc_bytes) && expect(s, ']');
}

/* "t12:" or "t*:" */
static bool
row_name(const char **s, uint32_t *uid)
{
	const char *p = blanks(*s);
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
	return expect(s, ':');
}

/* A row before the first stack: the process, or a thread with its name. */
static void
take_thread(struct reader *r, uint32_t uid, const char *name)
{
	char text[64];

	name = blanks(name);
	if (uid >= 65535 || (name[0] == 0 && uid > 0))
		return;
	/* Slot 0 without a name would be «other threads». */
	snprintf(text, sizeof text, "%s", name[0] != 0 ? name : "thread 0");
	if (r->ours && uid == 0 && name[0] == 0)
		return;
	profile_put_thread(r->profile, (uint16_t)uid, 0, 0, text);
}

static void
take_row(struct reader *r, const char *s, uint64_t line)
{
	struct heapdata *d = &r->data;
	struct heap_row row = { 0 };

	if (r->skip_stack)
		return;
	if (!row_name(&s, &row.uid)) {
		lost(r, line, "this is no line of a heap dump");
		return;
	}
	if (!counts(r, &s, &row)) {
		lost(r, line,
		    "the figures cannot be read or are beyond 2^64; %s",
		    r->in_stack ? "the stack is left out"
				: "the line is left out");
		if (r->in_stack) {
			d->row_count = d->stacks[--d->stack_count].first_row;
			d->address_count = d->stacks[d->stack_count].first;
			r->in_stack = false;
			r->skip_stack = true;
		}
		return;
	}
	if (!r->in_stack) {
		take_thread(r, row.uid, s);
		return;
	}
	if ((row.live_objects == 0 && row.live_bytes != 0) ||
	    (row.alloc_objects == 0 && row.alloc_bytes != 0))
		lost(r, line, "bytes without objects are not counted");
	if (d->row_count >= ROWS_MAX)
		return;
	VEC_ROOM(d->rows, d->row_cap, d->row_count + 1);
	d->rows[d->row_count++] = row;
	d->stacks[d->stack_count - 1].rows++;
}

/* A stack that got no rows is not one. */
static void
end_stack(struct reader *r, bool say)
{
	struct heapdata *d = &r->data;

	if (r->in_stack && d->stacks[d->stack_count - 1].rows == 0) {
		d->address_count = d->stacks[--d->stack_count].first;
		if (say)
			lost(r, r->stack_line,
			    "the stack has no figures and is left out");
	}
	r->in_stack = false;
	r->skip_stack = false;
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

/* Hexadecimal with or without 0x; false beyond 64 bits.  Most of a file is
 * such numbers. */
static bool
address(const char **s, uint64_t *a)
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

static void
take_stack(struct reader *r, const char *s, uint64_t line)
{
	struct heapdata *d = &r->data;
	size_t first;
	uint64_t a;

	end_stack(r, true);
	first = d->address_count;
	for (s = blanks(s + 1); *s != 0; s = blanks(s)) {
		if (!address(&s, &a) || d->address_count >= ADDRESSES_MAX) {
			lost(r, line,
			    "an address of the stack cannot be read; it is "
			    "left out");
			d->address_count = first;
			r->skip_stack = true;
			return;
		}
		VEC_ROOM(d->addresses, d->address_cap, d->address_count + 1);
		d->addresses[d->address_count++] = a;
	}
	if (d->address_count == first) {
		/* jemalloc writes such when it could not unwind */
		VEC_ROOM(d->addresses, d->address_cap, d->address_count + 1);
		d->addresses[d->address_count++] = 0;
	}
	if (d->stack_count >= PROFILE_IDS_MAX) {
		d->address_count = first;
		r->skip_stack = true;
		return;
	}
	VEC_ROOM(d->stacks, d->stack_cap, d->stack_count + 1);
	d->stacks[d->stack_count++] = (struct heap_stack){ first,
		d->address_count - first, d->row_count, 0 };
	r->in_stack = true;
	r->stack_line = line;
}

/* "# heaptop KEY=VALUE" */
static void
take_extra(struct reader *r, const char *s)
{
	static const char *const losses[LOSS_COUNT] = {
		[LOSS_TABLE_FULL] = "lost_table_full",
		[LOSS_STARTING] = "lost_starting",
		[LOSS_NESTED] = "lost_nested",
		[LOSS_NOMEM] = "lost_nomem",
		[LOSS_CUT_DEPTH] = "cut_depth",
		[LOSS_CUT_UNWIND] = "cut_unwind",
		[LOSS_GUESSED] = "guessed",
		[LOSS_SHARED_SLOT] = "shared_slot",
	};
	const char *value = strchr(s, '=');
	size_t len;
	uint64_t v;

	r->ours = true;
	if (value == NULL)
		return;
	len = (size_t)(value - s);
	v = strtoull(value + 1, NULL, 10);
	for (int i = 0; i < LOSS_COUNT; i++)
		if (strlen(losses[i]) == len && strncmp(losses[i], s, len) == 0)
			r->totals.lost[i] = v;
	if (len == 10 && strncmp(s, "live_bytes", len) == 0)
		r->totals.live_bytes = v;
	if (len == 12 && strncmp(s, "live_objects", len) == 0)
		r->totals.live_objects = v;
	if (len == 11 && strncmp(s, "alloc_bytes", len) == 0)
		r->totals.alloc_bytes = v;
}

static void
take_line(struct reader *r, const char *s, uint64_t line)
{
	const char *p = blanks(s);

	if (strncmp(p, "MAPPED_LIBRARIES:", 17) == 0) {
		end_stack(r, true);
		r->in_maps = true;
	} else if (r->in_maps) {
		if (*p != 0 && heapmaps_line(r->maps, s) < 0)
			lost(r, line, "this is no line of a list of mappings");
	} else if (strncmp(p, "# heaptop ", 10) == 0) {
		take_extra(r, p + 10);
	} else if (*p == '@') {
		take_stack(r, p, line);
	} else if (*p == 't') {
		take_row(r, s, line);
	} else if (*p != 0 && *p != '#' && *p != '%') {
		lost(r, line, "this is no line of a heap dump");
	}
}

/* Find "heap_v2/R"; what stands before it is not ours. */
static int
read_header(struct reader *r, struct err *e)
{
	const char *line;
	size_t len;

	for (unsigned skipped = 0; skipped <= JUNK_MAX; skipped++) {
		int n = infile_line(r->in, &line, &len, e);
		char *end;

		if (n < 0)
			return -1;
		if (n == 0)
			break;
		if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
			line += 3;
		if (strncmp(line, "heap_v2/", 8) != 0)
			continue;
		r->data.R = strtod(line + 8, &end);
		if (end == line + 8 || *blanks(end) != 0 ||
		    end != line + 8 + strspn(line + 8, "0123456789") ||
		    !(r->data.R >= 1 && r->data.R < 1.9e19))
			return err_set(e,
			    "%s, line %u: the sampling rate cannot be read",
			    r->path, skipped + 1);
		if (skipped > 0)
			note(r, skipped + 1,
			    "the heap dump begins only here; what stands "
			    "before is not read");
		return 0;
	}
	return err_set(
	    e, "%s is not a heap dump: no line begins with heap_v2/", r->path);
}

static int
read_lines(struct reader *r, struct err *e)
{
	const char *line;
	struct err why;
	size_t len;
	int n;

	while ((n = infile_line(r->in, &line, &len, &why)) > 0) {
		uint64_t at = infile_line_number(r->in);

		if (!infile_line_whole(r->in)) {
			end_stack(r, false);
			lost(r, at,
			    "the file is cut here; what is whole before it "
			    "is used");
			return 0;
		}
		if (len == INFILE_LINE_MAX) {
			end_stack(r, true);
			r->skip_stack = !r->in_maps;
			lost(r, at, "a line of more than %u bytes is left out",
			    INFILE_LINE_MAX);
			continue;
		}
		take_line(r, line, at);
	}
	end_stack(r, true);
	if (n < 0 && r->data.stack_count == 0)
		return err_set(e, "%s", why.msg);
	if (n < 0)
		lost(r, infile_line_number(r->in), "%s", why.msg);
	else if (!r->in_maps)
		lost(r, infile_line_number(r->in),
		    "the file ends without a list of mappings: it is cut, or "
		    "addresses cannot be named");
	return 0;
}

/* Everything is read: mappings first, they place the stacks. */
static int
put_all(struct reader *r, struct err *e)
{
	struct profile_facts f = { .source = r->path };
	struct profile_totals *t = &r->totals;
	struct stat st;

	if (heapmaps_finish(r->maps, r->profile, e) < 0 ||
	    heapdata_put(&r->data, r->maps, r->profile, &t->samples_live,
		&t->samples, e) < 0)
		return -1;
	f.pid = heapname_pid(r->path);
	f.image = heapmaps_image(r->maps);
	f.command = "";
	if (stat(r->path, &st) == 0 && st.st_mtim.tv_sec > 0)
		f.wall_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
		    (uint64_t)st.st_mtim.tv_nsec;
	/* The clock of the process is not told: its file's time stands in. */
	f.image_ns = f.wall_ns;
	t->now_ns = f.wall_ns;
	if (t->live_bytes > 0)
		t->exact_ns = t->now_ns;
	t->lg_sample = (uint32_t)lround(log2(r->data.R));
	t->active = 1;
	profile_put_facts(r->profile, &f);
	profile_put_totals(r->profile, t);
	profile_commit(r->profile);
	return 0;
}

int
heapfile_read(const char *path, const char *program, const char *lib_prefix,
    struct profile *p, struct buf *notes, struct err *e)
{
	struct reader r = { .path = path, .profile = p, .notes = notes };
	int ret = -1;

	r.in = infile_open(path, e);
	if (r.in == NULL)
		return -1;
	r.maps = heapmaps_new(program, lib_prefix);
	if (read_header(&r, e) == 0 && read_lines(&r, e) == 0 &&
	    put_all(&r, e) == 0)
		ret = r.partial;
	if (notes != NULL && r.note_count > NOTES_MAX)
		buf_printf(notes, "%s: %u more lines could not be used\n", path,
		    r.note_count - NOTES_MAX);
	heapmaps_free(r.maps);
	heapdata_fini(&r.data);
	infile_close(r.in);
	return ret;
}
