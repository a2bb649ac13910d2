/* The detail over the whole screen, and as text. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/frames.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail.h"
#include "ui/detail_ages.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/listing.h"
#include "ui/notice.h"
#include "ui/rule.h"

/* How many functions of the stack are cut at its leaf; 0: not known. */
static unsigned
hidden_frames(const struct report *r, const struct report_row *row)
{
	const struct report_stack *s;
	const struct frames *names;
	const struct stack *all;
	unsigned n = 0;

	if (r->query.grouping != GROUP_STACKS || row->stack >= r->stack_count ||
	    r->query.show || r->query.hide)
		return 0;
	s = &r->stacks[row->stack];
	if (row->count < s->count)
		return 0; /* those at the leaf are not its own */
	all = stacks_at(profile_stacks(r->profiles[s->profile]), s->id);
	names = profile_frames_const(r->profiles[s->profile]);
	for (uint32_t i = 0; i < all->count; i++)
		n += frames_depth(names, all->frames[i]);
	return n > row->count ? n - row->count : 0;
}

/* A name in as many rows as it needs; the row behind it. */
static int
put_name(struct grid *g, struct rect r, const char *s)
{
	for (; *s && r.h > 0; r.y++, r.h--) {
		char part[1024];
		size_t n = utf8_head(s, r.w - 2);

		if (n == 0)
			break;
		if (n >= sizeof part)
			n = utf8_head(s, 255);
		snprintf(part, sizeof part, "%.*s", (int)n, s);
		grid_put(g, 1, r.y, ROLE_TEXT, part);
		s += n;
	}
	return r.y;
}

/* The full name of the selected frame and where it is in memory. */
static int
draw_full_name(const struct place *p, struct grid *g, struct rect r)
{
	struct buf b = BUF_INIT;

	if (r.h < 2)
		return r.y;
	parts_place(p, &b);
	rule_draw(
	    g, r, p->inlined ? "Inlined frame" : "Frame", NULL, buf_str(&b));
	r.y = put_name(
	    g, (struct rect){ r.x, r.y + 1, r.w, r.h - 2 }, p->function);
	buf_clear(&b);
	buf_printf(&b, "%s  at 0x%llx",
	    p->module && *p->module ? p->module : "?",
	    (unsigned long long)p->address);
	grid_put_cut(g, 1, r.y, r.w - 2, ROLE_DIM, buf_str(&b));
	buf_fini(&b);
	return r.y + 1;
}

/* "src/decode.c" of "/build/ingestd-2.3/src/decode.c" */
static const char *
short_path(const char *file)
{
	const char *s = file + strlen(file);
	int left = 2;

	while (s > file && left > 0)
		left -= *--s == '/';
	return *s == '/' ? s + 1 : s;
}

/* The source of the selected frame; above it its whole name, if the stack
 * did not show it.  The row behind it. */
static int
draw_source(
    const struct app *a, const struct place *p, struct grid *g, struct rect r)
{
	const char *title = short_path(p->file);
	bool same = strcmp(title, p->file) == 0;
	int end = r.y + r.h;

	rule_draw(g, r, title, NULL, same ? NULL : p->file);
	r.y++;
	if (parts_shortened(p, r.w - 2, g->ascii))
		r.y = put_name(g, (struct rect){ r.x, r.y, r.w, (r.h - 1) / 2 },
		    p->function);
	r = (struct rect){ 1, r.y, r.w - 2, end - r.y };
	if (r.h > 0)
		listing_draw(a, p->file, p->line, (r.h + 1) / 2, g, r);
	return a->source.text ? end : r.y + 2; /* else it is a sentence */
}

/* The first row behind it that is free. */
static int
draw_below(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	struct place p;

	if (row->count == 0 || r.h < 3)
		return r.y;
	if (detail_source(a, &p))
		return draw_source(a, &p, g, r);
	p = report_place(a->report, row->places[parts_selected(a, row)]);
	return draw_full_name(&p, g, r);
}

static void
put_row_name(const struct app *a, const struct report_row *row, struct grid *g,
    int y, int w)
{
	struct buf b = BUF_INIT;

	name_fit(&b, parts_name(a, row), w > 1 ? w : 1, g->ascii);
	grid_put(g, 1, y, ROLE_TITLE, buf_str(&b));
	buf_fini(&b);
}

static void
full_head(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	struct buf b = BUF_INIT;
	int x = r.w + 1;
	size_t n;

	parts_samples(row, g->ascii, &b);
	if (r.w - utf8_width(buf_str(&b)) > 14)
		x = grid_put_right(g, r.w - 1, r.y + 1, ROLE_DIM, buf_str(&b));
	put_row_name(a, row, g, r.y + 1, x - 3);
	buf_clear(&b);
	parts_amount(row, g->ascii,
	    metric_is_live(a->report->query.metric) ? " live   "
						    : " allocated   ",
	    "   ", &b);
	buf_puts(&b, "   ");
	parts_change(a, row, g->ascii, &b);
	buf_puts(&b, "   ");
	n = b.len;
	parts_rate(a, row, false, &b);
	if (b.len > n)
		buf_puts(&b, "   ");
	parts_first(a, row, &b);
	grid_put_cut(g, 1, r.y + 2, r.w - 2, ROLE_TEXT, buf_str(&b));
	buf_fini(&b);
}

/* "oldest live 12m37s, median 3m12s...", what of those born since A lives, how
 * long others lived: in the rows above the stack. */
static void
full_ages(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	static const char label[] = "lifetimes: ";
	struct age_subject of = ages_subject(a, row);
	struct buf b = BUF_INIT;
	int y = r.y + 3, x;

	ages_words(&of, r.w - 2, &b);
	x = grid_put_cut(g, 1, y, r.w - 2, ROLE_TEXT, buf_str(&b));
	buf_clear(&b);
	if (parts_head(a) == PARTS_AGES_HEAD) {
		ages_generation_words(a, &of, row, g->ascii, r.w - 4 - x, &b);
		if (utf8_width(buf_str(&b)) <= r.w - 4 - x)
			grid_put(g, x + 3, y, ROLE_TEXT, buf_str(&b));
		x = 1 + (int)sizeof label - 1;
		if (ages_draw_lives(&of, g, x, y + 1, r.w - 1 - x) > x)
			grid_put(g, 1, y + 1, ROLE_TEXT, label);
	}
	buf_fini(&b);
}

/* Whether more was missed than sampling leaves out. */
static bool
missed(const struct report *r)
{
	const struct profile_totals *t = &r->totals;
	bool any = t->inactive_ns || t->rate_changes;

	for (int i = 0; i < LOSS_COUNT; i++)
		any = any || t->lost[i];
	for (size_t i = 0; i < r->profile_count; i++)
		any = any ||
		    profile_facts(r->profiles[i])->flags &
			(PROFILE_OWN_MALLOC | PROFILE_UNWIND_FP |
			    PROFILE_SILENT);
	return any;
}

/* Rows kept for what was not seen; 0: it is said only if there is room. */
static int
notes_rows(const struct app *a, int w)
{
	int long_one = utf8_width(a->report->notes) > w;

	return a->layout.body.h >= 16 && missed(a->report) ? 2 + long_one : 0;
}

/* What was not seen, in the last rows. */
static void
draw_notes(const struct app *a, struct grid *g, struct rect r)
{
	int rows = utf8_width(a->report->notes) > r.w ? 2 : 1;

	if (r.h > rows)
		notice_words(
		    g, r, r.y + r.h - rows, ROLE_DIM, a->report->notes);
}

/* In the last rows of r, if source or a name has room as well; how many. */
static int
draw_sizes(const struct app *a, const struct report_row *row, struct grid *g,
    struct rect r)
{
	struct age_subject of = ages_subject(a, row);
	int rows = AGES_SIZE_ROWS + 1;

	if (r.h < rows + PARTS_FULL_TAIL ||
	    ages_draw_sizes(&of, g,
		(struct rect){ r.x, r.y + r.h - rows + 1, r.w, rows - 1 }) == 0)
		return 0;
	return rows;
}

void
detail_draw_full(const struct app *a, struct grid *g)
{
	const struct report_row *row = app_selected(a);
	struct rect r = a->layout.body;
	size_t top = a->frame_top, rows = parts_page(a);
	int y = r.y + parts_head(a), end, used;
	unsigned hidden;

	if (!row)
		notice_words(g, (struct rect){ 1, r.y, r.w - 2, r.h },
		    r.h > 2 ? r.y + 1 : r.y, ROLE_TEXT,
		    "There is no such row any more.");
	if (!row || r.h < 1)
		return;
	if (parts_head(a) == PARTS_LEAST)
		put_row_name(a, row, g, r.y, r.w - 2);
	else {
		full_head(a, row, g, r);
		full_ages(a, row, g, r);
		rule_draw(
		    g, (struct rect){ 0, y - 1, r.w, 1 }, "Stack", NULL, NULL);
	}
	for (size_t i = 0; i < rows && top + i < row->count; i++, y++) {
		struct rect line = { 0, y, r.w, 1 };

		parts_frame(a, row, (uint32_t)(top + i), g, 1, y, r.w - 2);
		if (top + i != parts_selected(a, row))
			continue;
		grid_put(g, 0, y, ROLE_TEXT, glyph(GLYPH_SELECT, g->ascii));
		parts_mark(g, line);
	}
	hidden = hidden_frames(a->report, row);
	if (hidden && y < r.y + r.h)
		grid_printf(g, 5, y++, ROLE_DIM,
		    "%u allocator and inlined frame%s hidden (p to show)",
		    hidden, hidden == 1 ? "" : "s");
	y++;
	end = r.y + r.h - notes_rows(a, r.w - 2);
	end -= draw_sizes(a, row, g, (struct rect){ 1, y, r.w - 2, end - y });
	used = draw_below(a, row, g, (struct rect){ 0, y, r.w, end - y });
	draw_notes(a, g, (struct rect){ 1, used, r.w - 2, r.y + r.h - used });
}

void
detail_text(const struct app *a, struct buf *b)
{
	const struct report_row *row = app_selected(a);

	if (!row)
		return;
	parts_amount(row, false,
	    metric_is_live(a->report->query.metric) ? " live, "
						    : " allocated, ",
	    ", ", b);
	buf_puts(b, "; ");
	parts_change(a, row, false, b);
	buf_putc(b, '\n');
	for (uint32_t i = 0; i < row->count; i++) {
		struct place p = report_place(a->report, row->places[i]);

		buf_printf(b, "  #%u %s", i, p.function);
		if (p.file && *p.file)
			buf_puts(b, "  ");
		parts_place(&p, b);
		if (p.module && *p.module)
			buf_printf(b, "  (%s)", p.module);
		buf_putc(b, '\n');
	}
}
