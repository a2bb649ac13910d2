#include "export/markdown_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "export/export.h"
#include "export/stats_words.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"

#define NAME_COLUMNS  48
#define LINE_COLUMNS  110
#define LEVELS_MAX    20 /* deeper ones are indented no further */
#define SHARE_COLUMNS 7

struct branches {
	const struct report *r;
	const struct export_options *o;
	double least;
	uint32_t *level; /* [node] */
	int column;      /* of the line that is being written; 0: none is */
	struct buf *b;
};

void
markdown_name(struct buf *b, const struct report *r, const struct place *p,
    int cols, const struct export_options *o)
{
	const struct frames *f = profile_frames_const(r->profiles[p->profile]);
	struct buf text = BUF_INIT;

	if (frames_state(f, p->frame) == FRAME_NAMED) {
		name_fit(b, p->function, cols, o->ascii);
		return;
	}
	buf_printf(&text, "(no name%s%s)", *p->module ? " in " : "", p->module);
	utf8_cut_right(b, buf_str(&text), cols, o->ascii ? "~" : "…");
	buf_fini(&text);
}

/* A node that only leads to another one. */
static bool
is_link(const struct report *r, uint32_t n)
{
	const struct tree_node *t = r->tree;

	return n != 0 && n + 1 < t[n].next && t[n + 1].next == t[n].next &&
	    figures_empty(&t[n].self);
}

static void
end_line(struct branches *d)
{
	if (d->column)
		buf_putc(d->b, '\n');
	d->column = 0;
}

static void
begin_line(struct branches *d, const struct figures *f, uint32_t level)
{
	const struct report *r = d->r;
	int cols = stats_columns(r, d->o) + 2;
	uint32_t indent = 2 * (level < LEVELS_MAX ? level : LEVELS_MAX);
	struct fmt v = r->query.difference ? stats_change(r, d->o, f->value)
					   : stats_amount(r, d->o, f->value);

	end_line(d);
	stats_put_right(d->b, v.s, cols);
	stats_put_right(d->b, fmt_percent(f->value, r->local.value, FMT_ZERO).s,
	    SHARE_COLUMNS);
	buf_pad(d->b, ' ', indent + 2);
	d->column = cols + SHARE_COLUMNS + (int)indent + 2;
}

static void
put_name(struct branches *d, uint32_t n)
{
	struct place p = report_place(d->r, d->r->tree[n].place);
	struct buf name = BUF_INIT;
	int width;

	markdown_name(&name, d->r, &p, NAME_COLUMNS, d->o);
	width = utf8_width(buf_str(&name)) + 3;
	if (is_link(d->r, d->r->tree[n].parent)) {
		if (d->column + width > LINE_COLUMNS) {
			end_line(d);
			d->column = stats_columns(d->r, d->o) + 6 +
			    SHARE_COLUMNS + 2 * (int)d->level[n];
			buf_pad(d->b, ' ', (size_t)d->column);
		}
		buf_puts(d->b, d->o->ascii ? " > " : " › ");
	}
	buf_puts(d->b, buf_str(&name));
	d->column += width;
	buf_fini(&name);
}

static void
put_node(struct branches *d, uint32_t n)
{
	const struct tree_node *t = &d->r->tree[n];
	uint32_t parent = t->parent;
	bool link = is_link(d->r, parent);

	if (parent != 0)
		d->level[n] = d->level[parent] + !link;
	if (!link)
		begin_line(d, &t->cum, d->level[n]);
	put_name(d, n);
	if (n + 1 < t->next && fabs(t->self.value) >= d->least &&
	    !figures_empty(&t->self)) {
		begin_line(d, &t->self, d->level[n] + 1);
		buf_puts(d->b, "(itself)");
	}
}

void
markdown_tree(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct branches d = { .r = r,
		.o = o,
		.least = MARKDOWN_TREE_SHARE * fabs(r->local.value),
		.b = b };

	d.level = xcalloc(r->tree_count + 1, sizeof *d.level);
	for (uint32_t n = 1; n < r->tree_count;) {
		if (fabs(r->tree[n].cum.value) < d.least) {
			n = r->tree[n].next;
			continue;
		}
		put_node(&d, n++);
	}
	end_line(&d);
	free(d.level);
}
