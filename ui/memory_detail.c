#include "ui/memory_detail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/chart.h"
#include "ui/glyph.h"
#include "ui/memory_rows.h"
#include "ui/rule.h"
#include "ui/timeline.h"

#define TEXT_X     46 /* where sentences begin below the list */
#define GRAPH_ROWS 4
#define GRAPH_COLS 256

struct pane {
	const struct app *a;
	const struct memory_rows *m;
	struct grid *g;
	struct rect r;
};

static unsigned
flags_of(const struct grid *g)
{
	return FMT_ZERO | (g->ascii ? FMT_ASCII : 0);
}

/* ---- words ------------------------------------------------------------- */

static const struct memory_row *
selected(const struct pane *p)
{
	size_t i = p->a->memory.rows.cursor;

	return memory_row_is_thing(p->m, i) ? &p->m->row[i] : NULL;
}

static const struct memory_mapping *
mapping(const struct pane *p, const struct memory_row *row)
{
	return row && row->sort == MEMORY_ROW_MAPPING
	    ? &p->m->seen->largest[row->index]
	    : NULL;
}

static void
put_title(const struct pane *p, int cols, struct buf *b)
{
	const struct memory_row *row = selected(p);
	const struct memory_mapping *it = mapping(p, row);

	if (it)
		memory_mapping_name(it, cols, p->g->ascii, b);
	else if (row && row->sort == MEMORY_ROW_PART)
		buf_puts(b, p->m->parts.part[row->index].label);
	else
		buf_puts(b, "rss");
}

static void
put_mapping(
    const struct pane *p, const struct memory_mapping *it, struct buf *b)
{
	unsigned f = flags_of(p->g);

	if (*it->name)
		buf_printf(b, "%s, ", memory_kind_label(it->kind));
	if (it->pieces > 1)
		buf_printf(b, "%u pieces from %llx on; ", it->pieces,
		    (unsigned long long)it->start);
	else
		buf_printf(b, "%llx to %llx; ", (unsigned long long)it->start,
		    (unsigned long long)it->end);
	buf_printf(b, "%s resident of %s", fmt_bytes((double)it->rss, f).s,
	    fmt_bytes((double)it->size, f).s);
	buf_printf(b, ", %s changed", fmt_bytes((double)it->dirty, f).s);
	if (it->pss != it->rss)
		buf_printf(
		    b, ", its share %s", fmt_bytes((double)it->pss, f).s);
	if (it->swap)
		buf_printf(
		    b, ", %s swapped out", fmt_bytes((double)it->swap, f).s);
}

static void
put_text(const struct pane *p, struct buf *b)
{
	const struct memory_row *row = selected(p);
	const struct memory_mapping *it = mapping(p, row);
	const struct memory_part *part;

	if (it) {
		put_mapping(p, it, b);
		return;
	}
	if (!row || row->sort != MEMORY_ROW_PART) {
		buf_puts(b,
		    "Resident memory: all pages of the process that are in "
		    "memory now. The parts add up to it.");
		return;
	}
	part = &p->m->parts.part[row->index];
	if (part->kind == PART_REST) {
		buf_printf(b, "%s.", part->what);
		return;
	}
	buf_puts(b, memory_part_text(part->kind));
	if (part->kind == PART_LIVE && p->m->parts.away >= 4096)
		buf_printf(b,
		    " %s more is not resident: never touched, or "
		    "swapped out.",
		    fmt_bytes(p->m->parts.away, flags_of(p->g)).s);
}

/* "1.2 GiB, the heap's 512.0 MiB" */
static void
put_virtual(const struct pane *p, struct buf *b)
{
	const struct memory_seen *s = p->m->present ? p->m->seen : NULL;
	const struct profile_totals *t = s ? &s->totals
	    : p->a->report                 ? &p->a->report->totals
					   : NULL;
	uint64_t size = s ? s->size : t ? t->virtual_bytes : 0;

	if (size)
		buf_puts(b, fmt_bytes((double)size, flags_of(p->g)).s);
	if (t && t->mapped_bytes)
		buf_printf(b, "%sthe heap's %s", size ? ", " : "",
		    fmt_bytes((double)t->mapped_bytes, flags_of(p->g)).s);
}

static void
put_swap(const struct pane *p, struct buf *b)
{
	const struct memory_seen *s = p->m->present ? p->m->seen : NULL;
	const struct report *r = p->a->report;
	uint64_t swap = s ? s->swap : r ? r->totals.swap_bytes : 0;

	if (!s && !(r && r->totals.rss_bytes))
		return;
	if (swap)
		buf_printf(b, "%s swapped out",
		    fmt_bytes((double)swap, flags_of(p->g)).s);
	else
		buf_puts(b, "nothing is swapped out");
}

static void
put_faults(const struct pane *p, struct buf *b)
{
	const struct memory_seen *s = p->m->present ? p->m->seen : NULL;
	const struct report *r = p->a->report;

	if (s)
		buf_printf(b, "%s, and %s that read from a disk",
		    fmt_count((double)s->minor_faults, FMT_ZERO).s,
		    fmt_count((double)s->major_faults, FMT_ZERO).s);
	else if (r && r->totals.rss_bytes)
		buf_printf(b, "%s that read from a disk",
		    fmt_count((double)r->totals.major_faults, FMT_ZERO).s);
}

/* "412.0 MiB changed; pss 520.1 MiB" */
static void
put_dirty(const struct pane *p, struct buf *b)
{
	const struct memory_seen *s = p->m->present ? p->m->seen : NULL;

	if (!s)
		return;
	buf_printf(
	    b, "%s changed", fmt_bytes((double)s->dirty, flags_of(p->g)).s);
	if (s->pss)
		buf_printf(
		    b, ", pss %s", fmt_bytes((double)s->pss, flags_of(p->g)).s);
}

/* ---- lines ------------------------------------------------------------- */

/* Words in lines of r; how many lines that were. */
static int
draw_wrapped(struct grid *g, struct rect r, enum role role, const char *s)
{
	int y = 0;

	while (*s && y < r.h && r.w > 0) {
		size_t end = 0, n = 0;
		char line[256];

		/* as many words as fit, at least one */
		while (s[n] && n < sizeof line - 1) {
			size_t word = n + strcspn(s + n, " ");

			if (word >= sizeof line || (int)word > r.w)
				break;
			end = word;
			n = word + strspn(s + word, " ");
		}
		if (end == 0 || (y == r.h - 1 && s[n])) {
			grid_put_cut(g, r.x, r.y + y, r.w, role, s);
			return y + 1;
		}
		snprintf(line, sizeof line, "%.*s", (int)end, s);
		grid_put(g, r.x, r.y + y++, role, line);
		s += n;
	}
	return y;
}

static void
labelled(const struct pane *p, int *y, const char *label, struct buf *b)
{
	if (b->len && *y < p->r.y + p->r.h) {
		grid_put(p->g, p->r.x, *y, ROLE_DIM, label);
		grid_put_cut(
		    p->g, p->r.x + 9, *y, p->r.w - 9, ROLE_TEXT, buf_str(b));
		(*y)++;
	}
	buf_clear(b);
}

/* The process as a whole; the line behind it. */
static int
draw_facts(const struct pane *p)
{
	struct buf b = BUF_INIT;
	int y = p->r.y;

	put_virtual(p, &b);
	labelled(p, &y, "virtual", &b);
	put_dirty(p, &b);
	labelled(p, &y, "dirty", &b);
	put_swap(p, &b);
	labelled(p, &y, "swap", &b);
	put_faults(p, &b);
	labelled(p, &y, "faults", &b);
	buf_fini(&b);
	return y;
}

/* ---- panes ------------------------------------------------------------- */

static void
draw_tall(const struct pane *whole)
{
	struct pane p = *whole;
	struct buf text = BUF_INIT;
	struct rect right = { p.r.x + TEXT_X, p.r.y, p.r.w - TEXT_X - 1,
		p.r.h };

	p.r.x++;
	p.r.w = right.w < 16 ? p.r.w - 2 : TEXT_X - 2;
	draw_facts(&p);
	put_text(&p, &text);
	if (right.w >= 16)
		draw_wrapped(p.g, right, ROLE_TEXT, buf_str(&text));
	buf_fini(&text);
}

static void
draw_compact(const struct pane *p)
{
	struct rect r = { p->r.x + 1, p->r.y, p->r.w - 2, p->r.h };
	struct buf b = BUF_INIT, text = BUF_INIT;

	put_virtual(p, &b);
	if (b.len) {
		buf_puts(&text, "virtual ");
		buf_puts(&text, buf_str(&b));
		buf_puts(&text, "; ");
	}
	buf_clear(&b);
	put_swap(p, &b);
	buf_puts(&text, buf_str(&b));
	buf_clear(&b);
	buf_puts(&b, buf_str(&text));
	buf_clear(&text);
	/* The blank row above the keys stays. */
	r.h = p->r.h > 2 ? p->r.h - 1 : p->r.h;
	grid_put_cut(p->g, r.x, r.y, r.w, ROLE_TEXT, buf_str(&b));
	put_text(p, &text);
	r.y++;
	r.h--;
	draw_wrapped(p->g, r, ROLE_DIM, buf_str(&text));
	buf_fini(&text);
	buf_fini(&b);
}

/* RSS over the whole run, as long as it is known. */
static void
draw_graph(const struct pane *p)
{
	const struct app *a = p->a;
	uint64_t to = app_since_start(a, app_shown_ns(a));
	double values[GRAPH_COLS], max = 0;
	struct rect r = { p->r.x, p->r.y + 1, p->r.w, GRAPH_ROWS };
	size_t at = 0;

	if (p->r.h < GRAPH_ROWS + 2 || r.w > GRAPH_COLS || to == 0)
		return;
	for (int i = 0; i < r.w; i++) {
		uint64_t end = (uint64_t)((double)to * (i + 1) / r.w);

		while (at + 1 < a->point_count &&
		    app_since_start(a, a->points[at + 1].ns) <= end)
			at++;
		values[i] = at < a->point_count &&
			app_since_start(a, a->points[at].ns) <= end &&
			a->points[at].rss_bytes
		    ? (double)a->points[at].rss_bytes
		    : (double)NAN;
		max = fmax(max, values[i]);
	}
	if (max <= 0)
		return;
	grid_printf(p->g, p->r.x, p->r.y, ROLE_DIM, "RSS  up to %s",
	    fmt_bytes(max, flags_of(p->g)).s);
	chart_area(p->g, r, ROLE_BAR, values, max);
	timeline_ruler(a, p->g, (struct rect){ r.x, r.y + r.h, r.w, 1 }, to);
}

static void
draw_side(const struct pane *whole)
{
	struct pane p = *whole;
	struct buf b = BUF_INIT;
	int end = p.r.y + p.r.h;

	put_title(&p, p.r.w, &b);
	grid_put_cut(p.g, p.r.x, p.r.y, p.r.w, ROLE_TITLE, buf_str(&b));
	buf_clear(&b);
	put_text(&p, &b);
	p.r.y += 2;
	p.r.h = 6 < end - p.r.y ? 6 : end - p.r.y;
	draw_wrapped(p.g, p.r, ROLE_TEXT, buf_str(&b));
	buf_fini(&b);
	p.r.y += 7;
	p.r.h = end - p.r.y;
	if (p.r.h < 5)
		return;
	grid_put(p.g, p.r.x, p.r.y, ROLE_DIM, "PROCESS");
	p.r.y++;
	p.r.h--;
	p.r.y = draw_facts(&p) + 1;
	p.r.h = end - p.r.y;
	draw_graph(&p);
}

void
memory_detail_draw(
    const struct app *a, const struct memory_rows *m, struct grid *g)
{
	struct rect r = a->layout.detail, s = a->layout.split;
	struct pane p = { a, m, g, r };
	struct buf title = BUF_INIT, when = BUF_INIT;

	if (s.w > 0)
		grid_fill(g, s, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	if (r.h <= 0)
		return;
	if (s.w > 0) {
		p.r = (struct rect){ r.x + 1, r.y, r.w - 3, r.h };
		draw_side(&p);
		return;
	}
	put_title(&p, a->layout.rule.w / 2, &title);
	if (m->present && !a->target.untimed)
		buf_printf(&when, "looked at %s", app_clock(a, m->seen->ns).s);
	rule_draw(g, a->layout.rule, buf_str(&title), NULL, buf_str(&when));
	buf_fini(&title);
	buf_fini(&when);
	if (r.h < 5)
		draw_compact(&p);
	else
		draw_tall(&p);
}
