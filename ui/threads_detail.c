#include "ui/threads_detail.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/threads.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/detail_parts.h"
#include "ui/glyph.h"
#include "ui/rule.h"

#define STACKS_X  46 /* where the stacks begin below the list */
#define STACKS_W  20 /* with less room for them there are none */
#define SIDE_HEAD 8  /* rows above the stacks at the side */

struct pane {
	const struct app *a;
	const struct report_row *row;
	const struct thread_facts *t;
	struct grid *g;
	struct rect r;
};

static unsigned
flags_of(const struct grid *g)
{
	return FMT_ZERO | (g->ascii ? FMT_ASCII : 0);
}

static void
put_line(const struct pane *p, int y, enum role role, struct buf *b)
{
	if (y < p->r.y + p->r.h && b->len)
		grid_put_cut(p->g, p->r.x, y, p->r.w, role, buf_str(b));
	buf_clear(b);
}

/* ---- sentences --------------------------------------------------------- */

static const char *
verb(const struct pane *p)
{
	return metric_is_live(p->a->report->query.metric) ? " live, "
							  : " allocated, ";
}

/* "tid 41240, ended" */
static void
put_identity(const struct pane *p, struct buf *b)
{
	const struct profile *of = p->a->report->profiles[0];
	uint16_t slot = (uint16_t)p->row->key;
	uint32_t tid = profile_thread_tid(of, slot);

	if (slot == 0) {
		buf_puts(b, "several threads as one");
		return;
	}
	if (tid)
		buf_printf(b, "tid %u, ", tid);
	if (profile_thread_ended(of, slot))
		buf_puts(b, "ended");
	else
		buf_puts(b, app_ended(p->a) ? "there to the end" : "alive");
}

static const char *
since(const struct pane *p)
{
	return p->a->mark[0].id    ? "since A"
	    : p->a->target.untimed ? "since the start"
				   : "since 0:00";
}

/* "22.5 MiB allocated, 1.0 MiB freed since A" */
static void
put_churn(const struct pane *p, struct buf *b)
{
	buf_printf(b, "%s allocated, %s freed %s",
	    fmt_bytes(p->t->new_bytes, flags_of(p->g)).s,
	    fmt_bytes(p->t->freed_bytes, flags_of(p->g)).s, since(p));
}

/* "18.4 GiB in all, first seen 0:04"; what a mark leaves unsaid. */
static void
put_all(const struct pane *p, struct buf *b)
{
	size_t n;

	if (p->a->mark[0].id)
		buf_printf(b, "%s allocated in all, ",
		    fmt_bytes(p->t->alloc_bytes, flags_of(p->g)).s);
	n = b->len;
	if (p->t->first_ns && !p->a->target.untimed)
		buf_printf(
		    b, "first seen %s", app_clock(p->a, p->t->first_ns).s);
	parts_comma(b, n);
}

/* Why there is such a row, what has become of the thread, or what a key
 * does. */
static void
put_remark(const struct pane *p, struct buf *b)
{
	const struct profile *of = p->a->report->profiles[0];
	uint16_t slot = (uint16_t)p->row->key;

	if (slot == 0)
		buf_puts(
		    b, "ended ones that left nothing, and any beyond 1023");
	else if (p->a->query.thread == slot)
		buf_printf(b, "%s or esc: all threads in all views again",
		    glyph(GLYPH_KEY_ENTER, p->g->ascii));
	else if (profile_thread_ended(of, slot) && p->row->f.bytes > 0)
		buf_puts(b, "it has ended; this is what it left");
	else
		buf_printf(b, "%s shows only this thread in all views",
		    glyph(GLYPH_KEY_ENTER, p->g->ascii));
}

/* ---- stacks ------------------------------------------------------------ */

static void
draw_stack(const struct pane *p, size_t i, int y)
{
	const struct report *r = p->a->report;
	const struct thread_stack *s = &p->t->heaviest[i];
	const struct report_stack *stack = &r->stacks[s->stack];
	unsigned flags = FMT_COLUMN | (p->g->ascii ? FMT_ASCII : 0);
	int x = p->r.x;

	columns_draw_value(p->g, x, y, FMT_W_BYTES, r, &s->f);
	x += FMT_W_BYTES + 1;
	if (p->r.w >= 40) {
		grid_put(p->g, x, y, ROLE_TEXT,
		    fmt_percent(s->f.value, p->row->f.value, flags).s);
		x += FMT_W_PERCENT + 1;
	}
	columns_draw_stack(p->g, x + 1, y, p->r.x + p->r.w - x - 1, r,
	    stack->places, stack->count);
}

/* How many were drawn. */
static int
draw_stacks(const struct pane *p)
{
	int n = 0;

	for (; n < p->r.h && (size_t)n < p->t->heaviest_count; n++)
		draw_stack(p, (size_t)n, p->r.y + n);
	if (n == 0 && p->r.h > 0)
		grid_put_cut(p->g, p->r.x, p->r.y, p->r.w, ROLE_DIM,
		    "nothing that it allocated lives");
	return n;
}

/* "heaviest decode_batch 118.4 MiB, lru_cache_grow 64.0 MiB" */
static void
put_stacks(const struct pane *p, struct buf *b)
{
	const struct report *r = p->a->report;
	bool bytes = metric_is_bytes(r->query.metric);

	for (size_t i = 0; i < p->t->heaviest_count && b->len < 400; i++) {
		const struct thread_stack *s = &p->t->heaviest[i];
		const struct report_stack *stack = &r->stacks[s->stack];

		if (stack->count == 0)
			continue;
		buf_puts(b, b->len ? ", " : "heaviest: ");
		name_fit(b, report_place(r, stack->places[0]).function, 30,
		    p->g->ascii);
		buf_printf(b, " %s",
		    bytes ? fmt_bytes(s->f.value, flags_of(p->g)).s
			  : fmt_count(s->f.value, flags_of(p->g)).s);
	}
}

/* ---- panes ------------------------------------------------------------- */

static void
draw_title(const struct pane *p)
{
	struct buf who = BUF_INIT, right = BUF_INIT;

	put_identity(p, &who);
	parts_samples(p->row, p->g->ascii, &right);
	rule_draw(p->g, p->a->layout.rule, p->row->name, buf_str(&who),
	    buf_str(&right));
	buf_fini(&who);
	buf_fini(&right);
}

static void
draw_tall(const struct pane *p)
{
	struct pane left = *p, right = *p;
	struct buf b = BUF_INIT;
	int y = p->r.y;

	left.r.x++;
	left.r.w = STACKS_X - 2;
	right.r.x += STACKS_X;
	right.r.w -= STACKS_X + 1;
	if (right.r.w < STACKS_W)
		left.r.w = p->r.w - 2;
	else
		draw_stacks(&right);
	parts_amount(p->row, p->g->ascii, verb(p), ", ", &b);
	put_line(&left, y, ROLE_TEXT, &b);
	parts_growth(p->a, p->row, p->g->ascii, left.r.w, &b);
	put_line(&left, y + 1, ROLE_TEXT, &b);
	put_churn(p, &b);
	put_line(&left, y + 2, ROLE_TEXT, &b);
	put_all(p, &b);
	put_line(&left, y + 3, ROLE_TEXT, &b);
	put_remark(p, &b);
	put_line(&left, y + 4, ROLE_DIM, &b);
	buf_fini(&b);
}

static void
draw_compact(const struct pane *p)
{
	struct pane in = *p;
	struct buf b = BUF_INIT;

	in.r.x++;
	in.r.w -= 2;
	parts_amount(p->row, p->g->ascii, verb(p), ", ", &b);
	buf_puts(&b, "; ");
	put_churn(p, &b);
	put_line(&in, in.r.y, ROLE_TEXT, &b);
	put_stacks(p, &b);
	put_line(&in, in.r.y + 1, ROLE_DIM, &b);
	buf_fini(&b);
}

static void
labelled(const struct pane *p, int y, const char *label, struct buf *b)
{
	struct pane in = *p;

	if (b->len)
		grid_put(p->g, p->r.x, y, ROLE_DIM, label);
	in.r.x += 9;
	in.r.w -= 9;
	put_line(&in, y, ROLE_TEXT, b);
}

/* The stack that weighs most, frame by frame. */
static void
draw_frames(const struct pane *p)
{
	const struct report *r = p->a->report;
	const struct report_stack *s;
	struct report_row row = { 0 };

	if (p->t->heaviest_count == 0 || p->r.h < 3)
		return;
	s = &r->stacks[p->t->heaviest[0].stack];
	row.places = s->places;
	row.count = s->count;
	grid_put(p->g, p->r.x, p->r.y, ROLE_DIM, "STACK OF THE FIRST");
	for (int i = 1; i < p->r.h; i++)
		parts_frame(p->a, &row, (uint32_t)i - 1, p->g, p->r.x,
		    p->r.y + i, p->r.w);
}

static void
draw_side(const struct pane *whole)
{
	struct pane p = *whole;
	struct buf b = BUF_INIT;
	int y = p.r.y, end = p.r.y + p.r.h;

	buf_puts(&b, p.row->name);
	put_line(&p, y, ROLE_TITLE, &b);
	put_identity(&p, &b);
	put_line(&p, y + 1, ROLE_DIM, &b);
	parts_amount_wide(p.a, p.row, p.g->ascii, &b);
	labelled(&p, y + 3,
	    metric_is_live(p.a->report->query.metric) ? "live" : "alloc", &b);
	parts_change_wide(p.a, p.row, p.g->ascii, &b);
	labelled(&p, y + 4, "change", &b);
	put_churn(&p, &b);
	labelled(&p, y + 5, "churn", &b);
	put_all(&p, &b);
	labelled(&p, y + 6, "before", &b);
	put_remark(&p, &b);
	put_line(&p, y + 7, ROLE_DIM, &b);
	buf_fini(&b);
	p.r.y += SIDE_HEAD + 1;
	p.r.h = end - p.r.y;
	if (p.r.h < 2)
		return;
	grid_put(p.g, p.r.x, p.r.y, ROLE_DIM, "HEAVIEST STACKS");
	p.r.y++;
	p.r.h--;
	y = draw_stacks(&p);
	p.r.y += y + 1;
	p.r.h -= y + 1;
	draw_frames(&p);
}

void
threads_detail_draw(const struct app *a, const struct report_row *row,
    const struct thread_facts *t, struct grid *g)
{
	struct rect r = a->layout.detail, s = a->layout.split;
	struct pane p = { a, row, t, g, r };

	if (s.w > 0)
		grid_fill(g, s, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	if (r.h <= 0)
		return;
	if (s.w > 0) {
		p.r = (struct rect){ r.x + 1, r.y, r.w - 3, r.h };
		draw_side(&p);
		return;
	}
	draw_title(&p);
	if (r.h < 5)
		draw_compact(&p);
	else
		draw_tall(&p);
}
