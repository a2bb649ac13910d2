/*
 * A flame graph as one SVG file that needs nothing else: an icicle, callers
 * above callees, the heaviest on the left.  A browser zooms and searches in
 * it; elsewhere it is a picture with names in its boxes and figures in their
 * titles.
 *
 * A box is as wide as what its stacks weigh, signs left out: of a difference
 * it is what came and what went, its title says what that makes together.
 * Compared with something, colours say what grew and what shrank, else what
 * a box is part of: the program, a library, the system.
 *
 * Boxes that are too narrow are left out, those of one parent shown as one
 * box if they make one together, and all of them said at the foot.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/escape.h"
#include "export/export.h"
#include "export/flamegraph_layout.h"
#include "export/flamegraph_script.h"
#include "export/label.h"
#include "model/profile.h"
#include "model/report.h"

#define WIDTH        1200
#define PAD          10
#define ROW          17
#define LETTER       7.3 /* width of one, at 12 px */
#define HEAD         28  /* above the notes */
#define LINE         15  /* of small letters */
#define NOTE_COLUMNS 170
#define NAME_COLUMNS 400 /* of a title */
#define THIN         1.5
#define GREY         "#d9d9d9"

struct flame {
	const struct report *r;
	const struct export_options *o;
	struct flamegraph_layout layout;
	double *edges; /* [depth]: where the next box there begins */
	size_t edge_cap;
	double top; /* of the root */
	size_t left_out;
	double left_out_weight;
	const char *program; /* file name of the executable, "" if not known */
	struct buf *b;
};

/* ---- what is written in a box and in its title ---- */

static struct fmt
figure(const struct flame *f, double value)
{
	const struct query *q = &f->r->query;

	if (!metric_is_bytes(q->metric))
		return q->difference ? fmt_count_change(value, FMT_ZERO)
				     : fmt_count(value, FMT_ZERO);
	if (f->o->show_bytes)
		return fmt_int(value);
	return q->difference ? fmt_change(value, FMT_ZERO)
			     : fmt_bytes(value, FMT_ZERO);
}

/* "12.3 MiB (4.5%)", of all that is drawn. */
static void
put_figure(struct flame *f, const char *what, double value)
{
	double whole = f->layout.weight[0];

	buf_printf(f->b, "%s %s", what, figure(f, value).s);
	if (whole > 0)
		buf_printf(f->b, " (%s)", label_percent(value, whole).s);
}

static void
put_count(struct flame *f, double n)
{
	buf_printf(f->b, "%s object%s", fmt_int(n).s,
	    fabs(n) >= 0.5 && fabs(n) < 1.5 ? "" : "s");
}

static void
put_figures(struct flame *f, const struct tree_node *n)
{
	put_figure(f, "\ncum", n->cum.value);
	put_figure(f, ", flat", n->self.value);
	buf_puts(f->b, "\n");
	if (metric_is_bytes(f->r->query.metric))
		put_count(f, n->cum.objects);
	else
		buf_printf(f->b, "%s", fmt_bytes(n->cum.bytes, FMT_ZERO).s);
	if (label_compares(f->r) && !f->r->query.difference)
		buf_printf(f->b, "\nwas %s", figure(f, n->cum.base).s);
}

static void
put_title(struct flame *f, const struct tree_node *n, const char *name,
    const struct place *p)
{
	struct buf fit = BUF_INIT;

	escape_fit(&fit, name, NAME_COLUMNS);
	buf_puts(f->b, "<title>");
	escape_xml(f->b, buf_str(&fit));
	put_figures(f, n);
	buf_clear(&fit);
	if (p)
		label_more(&fit, f->r, p->function, NAME_COLUMNS);
	if (fit.len) {
		buf_putc(f->b, '\n');
		escape_xml(f->b, buf_str(&fit));
	}
	if (p && *p->module) {
		buf_puts(f->b, "\nin ");
		escape_xml(f->b, p->module);
	}
	buf_puts(f->b, "</title>");
	buf_fini(&fit);
}

static void
put_number(struct buf *b, const char *name, double v, int decimals)
{
	struct fmt s = fmt_fixed(v, decimals);
	size_t n = strlen(s.s);

	while (strchr(s.s, '.') && (s.s[n - 1] == '0' || s.s[n - 1] == '.')) {
		bool point = s.s[n - 1] == '.';

		s.s[--n] = '\0';
		if (point)
			break;
	}
	buf_printf(b, " %s=\"%s\"", name, s.s);
}

/* Thin ones have no room for an edge. */
static void
put_group(struct flame *f, double weight, bool is_rest)
{
	bool thin = weight * f->layout.scale < THIN;

	buf_puts(f->b,
	    is_rest && thin ? "<g class=\"rest thin\">"
		: is_rest   ? "<g class=\"rest\">"
		: thin      ? "<g class=\"thin\">"
			    : "<g>");
}

static void
put_box(struct flame *f, double x, double weight, uint32_t depth,
    const char *fill, const char *name)
{
	double y = f->top + ROW * (double)depth,
	       width = weight * f->layout.scale;
	int columns = (int)((width - 6) / LETTER);
	struct buf fit = BUF_INIT;

	buf_puts(f->b, "<rect");
	put_number(f->b, "x", PAD + x * f->layout.scale, 4);
	put_number(f->b, "y", y, 0);
	put_number(f->b, "width", width, 4);
	buf_printf(f->b, " height=\"%d\" fill=\"%s\"/>", ROW - 1, fill);
	if (columns >= 3) {
		escape_fit(&fit, name, columns);
		buf_puts(f->b, "<text");
		put_number(f->b, "x", PAD + x * f->layout.scale + 3, 1);
		put_number(f->b, "y", y + 12, 0);
		buf_putc(f->b, '>');
		escape_xml(f->b, buf_str(&fit));
		buf_puts(f->b, "</text>");
	}
	buf_puts(f->b, "</g>\n");
	buf_fini(&fit);
}

/* ---- colours ---- */

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

enum part {
	PART_PROGRAM,
	PART_LIBRARY,
	PART_SYSTEM,
	PART_COUNT
};

static enum part
part_of(const struct flame *f, const struct place *p)
{
	static const char *const system[] = { "libc.", "libc-", "ld-", "ld.",
		"ld64.", "libpthread", "libm.", "libdl.", "librt.", "libstdc++",
		"libgcc_s", "[", "?" };

	if (!*p->module)
		return PART_SYSTEM;
	if (!strcmp(p->module, f->program))
		return PART_PROGRAM;
	for (size_t i = 0; i < sizeof system / sizeof *system; i++)
		if (begins(p->module, system[i]))
			return PART_SYSTEM;
	return PART_LIBRARY;
}

/* By name, so that the same function has the same colour everywhere. */
static const char *
part_colour(enum part part, const char *name)
{
	static const char *const colours[PART_COUNT][4] = {
		{ "#f9c784", "#f6b96b", "#fad49b", "#f5c26b" },
		{ "#9fd3c7", "#8cc8ba", "#b3ddd3", "#94cfd0" },
		{ "#dcdcdc", "#d0d0d0", "#e4e4e4", "#d6d6d6" },
	};
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return colours[part][(h >> 16) % 4];
}

static struct fmt
fill_of(
    const struct flame *f, uint32_t n, const struct place *p, const char *name)
{
	const struct figures *cum = &f->r->tree[n].cum;
	struct fmt c;

	if (!label_compares(f->r)) {
		snprintf(c.s, sizeof c.s, "%s",
		    p ? part_colour(part_of(f, p), name) : GREY);
		return c;
	}
	if (f->r->query.difference)
		return label_shade(f->layout.weight[n] > 0
			? cum->value / f->layout.weight[n]
			: 0);
	return label_shade(label_growth(f->r, cum));
}

/* ---- the boxes ---- */

static void
put_rest(
    struct flame *f, double x, uint32_t depth, const struct flame_children *c)
{
	struct buf name = BUF_INIT;

	f->left_out += c->rest_count;
	f->left_out_weight += c->rest;
	if (!flame_shows_rest(&f->layout, c))
		return;
	buf_printf(&name, "(%zu smaller)", c->rest_count);
	put_group(f, c->rest, true);
	buf_printf(f->b, "<title>%s", buf_str(&name));
	put_figure(f, "\ncum", c->rest_value);
	buf_puts(f->b, "</title>");
	put_box(f, x, c->rest, depth, "#eeeeee", buf_str(&name));
	buf_fini(&name);
}

static void
put_node(struct flame *f, uint32_t n, double x)
{
	const struct tree_node *t = &f->r->tree[n];
	struct buf name = BUF_INIT;
	struct place place, *p = NULL;

	if (t->place != TREE_ALL) {
		place = report_place(f->r, t->place);
		p = &place;
	}
	label_node(&name, f->r, t);
	put_group(f, f->layout.weight[n], false);
	put_title(f, t, buf_str(&name), p);
	put_box(f, x, f->layout.weight[n], t->depth,
	    fill_of(f, n, p, buf_str(&name)).s, buf_str(&name));
	buf_fini(&name);
}

static void
put_boxes(struct flame *f)
{
	const struct tree_node *t = f->r->tree;

	buf_puts(f->b, "<g class=\"frames\">\n");
	for (uint32_t n = 0; n < f->r->tree_count;) {
		uint32_t depth = t[n].depth;
		struct flame_children c;
		double x = 0;

		if (n > 0 && !flame_is_wide(&f->layout, f->layout.weight[n])) {
			n = t[n].next;
			continue;
		}
		VEC_ROOM(f->edges, f->edge_cap, (size_t)depth + 1);
		if (n > 0) {
			x = f->edges[depth - 1];
			f->edges[depth - 1] += f->layout.weight[n];
		}
		f->edges[depth] = x;
		put_node(f, n++, x);
		c = flame_children(&f->layout, n - 1);
		put_rest(f, x + c.drawn, depth + 1, &c);
	}
	buf_puts(f->b, "</g>\n");
}

/* ---- head and foot ---- */

static void
put_small(
    struct flame *f, double x, double y, const char *class, const char *text)
{
	buf_printf(f->b, "<text class=\"%s\"", class);
	put_number(f->b, "x", x, 0);
	put_number(f->b, "y", y, 0);
	buf_putc(f->b, '>');
	escape_xml(f->b, text);
	buf_puts(f->b, "</text>\n");
}

/* Text in as many lines as it takes, broken at blanks; only counted unless
 * `put`. */
static size_t
put_lines(struct flame *f, double y, const char *text, bool put)
{
	struct buf line = BUF_INIT;
	size_t lines = 0;

	while (*text) {
		size_t n = utf8_head(text, NOTE_COLUMNS);
		size_t blank = n;

		while (text[n] && blank > 0 && text[blank] != ' ')
			blank--;
		if (blank > 0)
			n = blank;
		if (n == 0)
			n = strlen(text);
		buf_put(&line, text, n);
		if (put)
			put_small(f, PAD, y + (double)lines * LINE, "small",
			    buf_str(&line));
		buf_clear(&line);
		lines++;
		text += n + strspn(text + n, " ");
	}
	buf_fini(&line);
	return lines;
}

static struct fmt
change_of(const struct flame *f, const struct figures *of)
{
	double change = figures_change(of);

	return metric_is_bytes(f->r->query.metric)
	    ? fmt_change(change, FMT_ZERO)
	    : fmt_count_change(change, FMT_ZERO);
}

static void
put_heading(struct flame *f, struct buf *to)
{
	const struct report *r = f->r;

	if (*f->o->program)
		buf_printf(to, "%s: ", f->o->program);
	buf_printf(to, "%s%s %s", r->query.difference ? "change of " : "",
	    metric_label(r->query.metric), figure(f, r->local.value).s);
	if (r->local.value != r->total.value)
		buf_printf(to, " of %s", figure(f, r->total.value).s);
	if (label_compares(r) && !r->query.difference)
		buf_printf(to, " (%s)", change_of(f, &r->local).s);
	if (r->query.invert)
		buf_puts(to, ", sites first");
}

static void
put_head(struct flame *f, double height)
{
	struct buf heading = BUF_INIT, how = BUF_INIT;
	size_t notes = put_lines(f, 0, f->r->notes, false);

	put_heading(f, &heading);
	buf_printf(&how, "Each box is a function, under it %s; as wide as %s.",
	    f->r->query.invert ? "who called it" : "what it called",
	    f->r->query.difference ? "what came and went" : "its share");
	buf_printf(f->b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\""
	    " viewBox=\"0 0 %d %d\">\n<title>",
	    WIDTH, (int)height);
	escape_xml(f->b, buf_str(&heading));
	buf_puts(f->b, "</title>\n<style>\n");
	buf_puts(f->b, flamegraph_style);
	buf_puts(f->b, "</style>\n");
	put_small(f, PAD, 20, "head", buf_str(&heading));
	put_lines(f, HEAD + LINE - 3, f->r->notes, true);
	put_small(f, PAD, HEAD + (double)(notes + 1) * LINE - 2, "small detail",
	    buf_str(&how));
	buf_fini(&how);
	buf_fini(&heading);
}

static void
put_key(
    struct flame *f, double *x, double y, const char *colour, const char *text)
{
	buf_puts(f->b, "<rect");
	put_number(f->b, "x", *x, 0);
	put_number(f->b, "y", y - 9, 0);
	buf_printf(f->b, " width=\"10\" height=\"10\" fill=\"%s\"/>\n", colour);
	put_small(f, *x + 14, y, "small", text);
	*x += 14 + 6.7 * ((double)strlen(text) + 3);
}

static void
put_foot(struct flame *f, double y)
{
	struct buf text = BUF_INIT;
	double x = PAD;

	if (label_compares(f->r)) {
		put_key(f, &x, y, label_shade(1).s, "grew");
		put_key(f, &x, y, label_shade(0).s, "the same");
		put_key(f, &x, y, label_shade(-1).s, "shrank");
	} else {
		put_key(f, &x, y, part_colour(PART_PROGRAM, ""), "program");
		put_key(f, &x, y, part_colour(PART_LIBRARY, ""), "libraries");
		put_key(f, &x, y, part_colour(PART_SYSTEM, ""),
		    "system, not known");
	}
	if (f->left_out && f->layout.weight[0] > 0) {
		double share = f->left_out_weight / f->layout.weight[0] * 100;

		buf_printf(&text,
		    "%zu box%s narrower than %s%% left out, with all below "
		    "%s; together %s%%",
		    f->left_out, f->left_out == 1 ? "" : "es",
		    fmt_fixed(100 * f->layout.least / (WIDTH - 2 * PAD), 3).s,
		    f->left_out == 1 ? "it" : "them",
		    share < 0.1 ? "<0.1" : fmt_fixed(share, 1).s);
		if (share >= 10)
			buf_puts(&text, "; --focus=NAME shows them");
		put_small(f, x, y, "small", buf_str(&text));
	}
	buf_fini(&text);
}

static void
draw(struct flame *f)
{
	double bottom;

	flamegraph_layout_init(&f->layout, f->r, WIDTH - 2 * PAD);
	f->top =
	    HEAD + LINE * (double)(put_lines(f, 0, f->r->notes, false) + 1) + 6;
	bottom = f->top + ROW * (double)f->layout.rows;
	put_head(f, bottom + 26);
	put_boxes(f);
	put_foot(f, bottom + 16);
	buf_puts(f->b, "<script><![CDATA[\n");
	buf_puts(f->b, flamegraph_script);
	buf_puts(f->b, "]]></script>\n</svg>\n");
	flamegraph_layout_fini(&f->layout);
	free(f->edges);
}

void
export_flamegraph(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct flame f = { .r = r, .o = o, .b = b };

	f.program = path_base(profile_facts(r->profiles[0])->image);
	if (!*f.program)
		f.program = path_base(o->program);
	if (r->tree)
		draw(&f);
}
