/* The call tree as text: figures in columns, chains of only children on one
 * line, branches below the limits summed up. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/export.h"
#include "model/name.h"
#include "model/report.h"

struct drawing {
	const struct report *r;
	const struct export_options *o;
	unsigned flags;
	double least; /* branches that weigh less are summed up */
	bool *more;   /* [level]: another branch follows there */
	size_t more_cap;
	struct buf *b;
};

/* Branches below half a percent of the whole are summed up. */
#define LEAST_SHARE   0.005
#define SHARE_COLUMNS (FMT_W_PERCENT + 2)
#define PLAIN_COLUMNS 14
#define NAME_COLUMNS  48
#define GUIDES_MAX    24

static void
put_right(struct buf *b, const char *s, int width)
{
	int used = utf8_width(s);

	if (used < width)
		buf_pad(b, ' ', (size_t)(width - used));
	buf_puts(b, s);
}

/* Plain numbers are wider. */
static int
value_columns(const struct export_options *o)
{
	return o->show_bytes ? PLAIN_COLUMNS : FMT_W_BYTES;
}

static struct fmt
amount(const struct drawing *d, double v)
{
	if (d->o->show_bytes)
		return fmt_int(v);
	if (metric_is_bytes(d->r->query.metric))
		return fmt_bytes(v, d->flags | FMT_COLUMN);
	return fmt_count(v, d->flags);
}

/* Returns the columns used. */
static int
put_figures(const struct drawing *d, const struct figures *f)
{
	put_right(d->b, amount(d, f->value).s, value_columns(d->o));
	put_right(d->b, fmt_percent(f->value, d->r->total.value, d->flags).s,
	    SHARE_COLUMNS);
	buf_puts(d->b, "  ");
	return value_columns(d->o) + SHARE_COLUMNS + 2;
}

/* The lines that lead to a branch; deep ones are drawn no further right. */
static int
put_guides(const struct drawing *d, size_t level, bool last)
{
	size_t from = level > GUIDES_MAX ? level - GUIDES_MAX : 0;

	for (size_t i = from; i + 1 < level; i++) {
		if (d->o->ascii)
			buf_puts(d->b, d->more[i] ? "| " : "  ");
		else
			buf_puts(d->b, d->more[i] ? "│ " : "  ");
	}
	if (level == 0)
		return 0;
	if (d->o->ascii)
		buf_puts(d->b, last ? "+- " : "|- ");
	else
		buf_puts(d->b, last ? "└─ " : "├─ ");
	return (int)(2 * (level - from - 1) + 3);
}

static const char *
name_of(const struct report *r, const struct tree_node *n)
{
	struct place p;

	if (n->place == TREE_ALL)
		return "all";
	p = report_place(r, n->place);
	if (r->query.grouping == GROUP_MODULES && *p.module)
		return p.module;
	if (r->query.grouping == GROUP_FILES && *p.file)
		return p.file;
	return p.function;
}

/* The only child of a node that allocates nothing itself, or 0. */
static uint32_t
only_child(const struct report *r, uint32_t n)
{
	const struct tree_node *t = r->tree;

	if (n == 0 || n + 1 >= t[n].next || t[n + 1].next != t[n].next ||
	    !figures_empty(&t[n].self))
		return 0;
	return n + 1;
}

/* A node and the chain below it; returns the end of the chain. */
static uint32_t
put_chain(const struct drawing *d, uint32_t n, size_t level, bool last)
{
	const char *arrow = d->o->ascii ? " > " : " › ";
	struct buf line = BUF_INIT;
	int used;
	uint32_t next;

	used = put_figures(d, &d->r->tree[n].cum);
	used += put_guides(d, level, last);
	for (;; n = next) {
		name_fit(&line, name_of(d->r, &d->r->tree[n]), NAME_COLUMNS,
		    d->o->ascii);
		next = only_child(d->r, n);
		if (!next)
			break;
		buf_puts(&line, arrow);
	}
	utf8_cut_right(d->b, buf_str(&line),
	    d->o->width - used > NAME_COLUMNS / 2 ? d->o->width - used
						  : NAME_COLUMNS / 2,
	    d->o->ascii ? "~" : "…");
	buf_putc(d->b, '\n');
	buf_fini(&line);
	return n;
}

/* A line that is no node: what a node allocates itself, or small branches. */
static void
put_note(const struct drawing *d, const struct figures *f, size_t level,
    bool last, const char *what)
{
	put_figures(d, f);
	put_guides(d, level, last);
	buf_puts(d->b, what);
	buf_putc(d->b, '\n');
}

/* Children of n that are drawn on their own; the others add up in *rest. */
static size_t
large_children(
    const struct drawing *d, uint32_t n, struct figures *rest, size_t *small)
{
	const struct tree_node *t = d->r->tree;
	size_t large = 0;

	*small = 0;
	*rest = (struct figures){ 0 };
	for (uint32_t c = n + 1; c < t[n].next; c = t[c].next) {
		if (fabs(t[c].cum.value) >= d->least) {
			large++;
			continue;
		}
		++*small;
		figures_add(rest, &t[c].cum);
	}
	return large;
}

/* Where the drawing is: at a child of `node`. */
struct step {
	uint32_t next; /* next child, or the end */
	uint32_t node;
	size_t left; /* large children still to come */
	size_t small;
	struct figures rest;
};

static void
enter(const struct drawing *d, struct step *s, uint32_t n, size_t level)
{
	const struct tree_node *t = d->r->tree;
	bool self;

	s->node = n;
	s->next = n + 1;
	s->left = large_children(d, n, &s->rest, &s->small);
	self = !figures_empty(&t[n].self) && n + 1 < t[n].next;
	if (self)
		put_note(d, &t[n].self, level + 1,
		    s->left == 0 && s->small == 0, "(self)");
}

static void
leave(const struct drawing *d, const struct step *s, size_t level)
{
	struct buf text = BUF_INIT;

	if (s->small == 0)
		return;
	buf_printf(&text, "%s %zu smaller branch%s", d->o->ascii ? ".." : "…",
	    s->small, s->small == 1 ? "" : "es");
	put_note(d, &s->rest, level + 1, true, buf_str(&text));
	buf_fini(&text);
}

/* Without recursion: stacks can be thousands of frames deep. */
static void
draw(struct drawing *d)
{
	const struct tree_node *t = d->r->tree;
	struct step *steps = NULL;
	size_t cap = 0, level = 0;

	VEC_ROOM(steps, cap, 1);
	enter(d, &steps[0], put_chain(d, 0, 0, true), 0);
	for (;;) {
		struct step *s = &steps[level];
		uint32_t c;
		bool last;

		while (s->next < t[s->node].next &&
		    fabs(t[s->next].cum.value) < d->least)
			s->next = t[s->next].next;
		if (s->next >= t[s->node].next) {
			leave(d, s, level);
			if (level-- == 0)
				break;
			continue;
		}
		c = s->next;
		s->next = t[c].next;
		last = --s->left == 0 && s->small == 0;
		VEC_ROOM(d->more, d->more_cap, level + 1);
		d->more[level] = !last;
		c = put_chain(d, c, level + 1, last);
		level++;
		VEC_ROOM(steps, cap, level + 1);
		enter(d, &steps[level], c, level);
	}
	free(steps);
}

void
export_tree(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct drawing d = { .r = r,
		.o = o,
		.flags = o->ascii ? FMT_ASCII : 0,
		.least = LEAST_SHARE * fabs(r->local.value),
		.b = b };

	if (*r->notes)
		buf_printf(b, "%s\n", r->notes);
	put_right(b, metric_is_live(r->query.metric) ? "LIVE" : "ALLOC",
	    value_columns(o));
	put_right(b, "%", SHARE_COLUMNS);
	buf_printf(b, "  CALL TREE, %s\n",
	    r->query.invert ? "sites first" : "callers first");
	if (r->tree)
		draw(&d);
	free(d.more);
}
