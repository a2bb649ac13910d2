/*
 * Annotated source, near jeprof's --list: for each function that matches,
 * what its lines allocate and what is allocated below them, beside the text.
 *
 * Where a function begins and ends is not known to a profile: from its first
 * to its last line with a figure is shown, and some around them.  An inlined
 * function is one of its own.  A stack counts once on each line and once in
 * each function that it passes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/vec.h"
#include "export/export.h"
#include "export/label.h"
#include "export/stats_words.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/query.h"
#include "model/report.h"

#define CONTEXT   5   /* lines shown around those with figures */
#define GAP       40  /* lines without figures that are left out */
#define LINES_MAX 100 /* asked for at once */

/* What one stack adds to one line; later the sums. */
struct entry {
	const char *function, *file;
	uint32_t line;
	uint32_t stack;
	double flat, cum;
};

struct list {
	const struct report *r;
	const struct export_options *o;
	struct entry *entries;
	size_t count, cap;
	struct buf *b;
};

static int
compare_strings(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int
same_function(const struct entry *a, const struct entry *b)
{
	int by = compare_strings(a->function, b->function);

	return by ? by : compare_strings(a->file, b->file);
}

static int
compare(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;
	int by = same_function(a, b);

	if (by)
		return by;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

/* ---- which lines, and what is on them ------------------------------------ */

/* Places whose function matches: [place]. */
static bool *
match(const struct report *r, const struct pattern *p)
{
	bool *hits = xcalloc(r->place_count + 1, sizeof *hits);
	const char *last = NULL;
	bool hit = false;

	for (uint32_t i = 0; i < r->place_count; i++) {
		const char *name = report_place(r, i).function;

		if (name != last)
			hit = pattern_matches(p, name);
		last = name;
		hits[i] = hit;
	}
	return hits;
}

static void
add_stack(struct list *l, uint32_t stack, const bool *hits)
{
	const struct report_stack *s = &l->r->stacks[stack];

	for (uint32_t i = 0; i < s->count; i++) {
		struct place p;

		if (!hits[s->places[i]])
			continue;
		p = report_place(l->r, s->places[i]);
		VEC_ROOM(l->entries, l->cap, l->count + 1);
		l->entries[l->count++] = (struct entry){ .function = p.function,
			.file = p.file,
			.line = p.line,
			.stack = stack,
			.flat = i == 0 ? s->f.value : 0,
			.cum = s->f.value };
	}
}

/* The end of a run of entries of one function. */
static size_t
end_of(const struct list *l, size_t from)
{
	size_t end = from + 1;

	while (end < l->count &&
	    same_function(&l->entries[from], &l->entries[end]) == 0)
		end++;
	return end;
}

/* Entries of the same line become one; a stack counts there once.  Returns
 * the new end. */
static size_t
sum_lines(struct entry *e, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		bool again = i > 0 && e[i].line == e[i - 1].line &&
		    e[i].stack == e[i - 1].stack;
		struct entry one = e[i];

		if (again)
			one.cum = 0;
		if (to > 0 && e[to - 1].line == one.line) {
			e[to - 1].flat += one.flat;
			e[to - 1].cum += one.cum;
			continue;
		}
		e[to++] = one;
	}
	return to;
}

/* The whole function: each stack once. */
static struct entry
sum_function(const struct report *r, const struct entry *e, size_t n)
{
	struct entry all = e[0];
	bool *seen = xcalloc(r->stack_count, sizeof *seen);

	all.flat = all.cum = 0;
	for (size_t i = 0; i < n; i++) {
		all.flat += e[i].flat;
		if (!seen[e[i].stack])
			all.cum += e[i].cum;
		seen[e[i].stack] = true;
	}
	free(seen);
	return all;
}

/* ---- what is printed ----------------------------------------------------- */

static struct fmt
figure(const struct list *l, double v)
{
	if (v == 0)
		return (struct fmt){ "." };
	return label_figure(l->r, l->o, v);
}

static void
put_line(const struct list *l, const struct entry *e, uint32_t line,
    const char *text, size_t len)
{
	bool here = e && e->line == line;

	buf_printf(l->b, "%6s %6s %4u: ", figure(l, here ? e->flat : 0).s,
	    figure(l, here ? e->cum : 0).s, line);
	while (len > 0 && text[len - 1] == '\r')
		len--;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		buf_putc(
		    l->b, (c < 32 && c != '\t') || c == 127 ? '?' : (char)c);
	}
	buf_putc(l->b, '\n');
}

/* Lines `from` to `to`, among them those of the entries; how many of these
 * there was text for. */
static size_t
put_text(const struct list *l, const struct entry *e, size_t n, uint32_t from,
    uint32_t to)
{
	uint32_t first = e[0].line, last = e[n - 1].line;
	size_t done = 0;

	while (from <= to && l->o->source) {
		uint32_t some = to - from + 1;
		const char *text;

		some = some < LINES_MAX ? some : LINES_MAX;
		text = l->o->source(l->o->source_arg, e->file, from, some);
		for (; text && *text && some > 0; some--, from++) {
			size_t len = strcspn(text, "\n");

			if (from == first)
				buf_puts(l->b, "---\n");
			put_line(
			    l, done < n ? &e[done] : NULL, from, text, len);
			done += done < n && e[done].line == from;
			if (from == last)
				buf_puts(l->b, "---\n");
			text += len + (text[len] == '\n');
		}
		if (some > 0)
			break;
	}
	return done;
}

/* Figures without text. */
static void
put_bare(const struct list *l, const struct entry *e, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_line(l, &e[i], e[i].line, "", 0);
}

/* Lines that are near each other, with those around them. */
static void
put_part(const struct list *l, const struct entry *e, size_t n)
{
	uint32_t first = e[0].line, last = e[n - 1].line;
	uint32_t from = first > CONTEXT ? first - CONTEXT : 1;
	uint32_t to = last < UINT32_MAX - CONTEXT ? last + CONTEXT : last;
	size_t before = l->b->len, done = put_text(l, e, n, from, to);

	if (done == n)
		return;
	if (l->b->len > before)
		buf_printf(l->b,
		    "%s ends before line %u: it is not what the program was "
		    "built of\n",
		    e->file, last);
	else
		buf_printf(l->b,
		    "%s cannot be read here; HEAPTOP_SOURCE_PATH says where "
		    "its source is\n",
		    e->file);
	put_bare(l, e + done, n - done);
}

static void
put_lines(const struct list *l, const struct entry *e, size_t n)
{
	size_t from = 0;

	/* the line of some places may not be known */
	if (n > 0 && e[0].line == 0) {
		buf_printf(l->b, "%6s %6s    ?: (line not known)\n",
		    figure(l, e[0].flat).s, figure(l, e[0].cum).s);
		from = 1;
	}
	for (size_t i = from + 1; i <= n; i++) {
		if (i < n && e[i].line - e[i - 1].line <= GAP)
			continue;
		if (from > 0 && e[from - 1].line)
			buf_puts(l->b, "...\n");
		put_part(l, e + from, i - from);
		from = i;
	}
}

static void
put_function(const struct list *l, struct entry *e, size_t n)
{
	struct entry all = sum_function(l->r, e, n);

	buf_puts(l->b, "ROUTINE ====================== ");
	name_clean(l->b, all.function);
	buf_printf(l->b, " in %s\n", *all.file ? all.file : "??");
	buf_printf(l->b, "%6s %6s Total %s (flat / cumulative)\n",
	    figure(l, all.flat).s, figure(l, all.cum).s,
	    label_unit(l->r, l->o));
	if (!*all.file) {
		buf_puts(l->b,
		    "no source lines are known of it: build with -g, or "
		    "install its debug symbols\n");
		return;
	}
	put_lines(l, e, sum_lines(e, n));
}

void
export_list(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct list l = { .r = r, .o = o, .b = b };
	bool *hits;

	if (!o->list)
		return;
	hits = match(r, o->list);
	for (uint32_t i = 0; i < r->stack_count; i++)
		add_stack(&l, i, hits);
	free(hits);
	if (l.count)
		qsort(l.entries, l.count, sizeof *l.entries, compare);
	buf_printf(b, "Total: %s %s\n", label_figure(r, o, r->total.value).s,
	    label_unit(r, o));
	if (l.count == 0)
		buf_printf(b,
		    "no function with memory of its own or below it matches "
		    "'%s'\n",
		    o->list->text);
	for (size_t i = 0, end; i < l.count; i = end) {
		end = end_of(&l, i);
		put_function(&l, &l.entries[i], end - i);
	}
	stats_put_notes(b, r);
	free(l.entries);
}
