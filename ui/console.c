#include "ui/console.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "ui/app.h"
#include "ui/app_keys.h"
#include "ui/glyph.h"
#include "ui/notice.h"

#define LEFT_COLS 1 /* before the lines: the mark of the last match */
#define SIDEWAYS  8 /* columns a key scrolls */
#define WHEEL     3

static const char *
program(const struct app *a)
{
	return *a->target.name ? a->target.name : "the program";
}

/* ---- which lines are seen -------------------------------------------------- */

/* Where there is no room for hints the one on how to leave off typing takes
 * the last row. */
static size_t
page(const struct app *a)
{
	int h = a->layout.body.h - (a->typing && a->layout.hints.h <= 0);

	return h > 0 ? (size_t)h : 1;
}

/* Behind the last line, of all there ever were; while keys go to the program
 * the place where it writes next has a row too. */
static size_t
end_of(const struct app *a)
{
	const struct scroll *s = &a->output;

	return s->gone + s->count + (s->last || a->typing);
}

static size_t
last_top(const struct app *a)
{
	size_t end = end_of(a), first = a->output.gone;

	return end - first > page(a) ? end - page(a) : first;
}

static size_t
top(const struct app *a)
{
	size_t last = last_top(a);

	if (!a->output_held || a->output_top > last)
		return last;
	return a->output_top > a->output.gone ? a->output_top : a->output.gone;
}

static int
text_cols(const struct app *a)
{
	int w = a->layout.body.w - LEFT_COLS - 1;

	return w > 1 ? w : 1;
}

/* Columns left of the screen: where one scrolled, or what keeps the cursor of
 * the program in view. */
static int
left(const struct app *a)
{
	int cols = text_cols(a), at = a->output.at;

	if (!a->typing)
		return a->output_left;
	return at >= cols ? at - cols + 1 : 0;
}

static void
follow(struct app *a)
{
	a->output_held = false;
	a->output_hit = SIZE_MAX;
}

/* At its end a list follows again. */
static void
go_to(struct app *a, size_t line)
{
	a->output_top = line;
	a->output_held = true;
	a->output_top = top(a);
	a->output_held = a->output_top < last_top(a);
}

static void
go_up(struct app *a, size_t by)
{
	size_t from = top(a);

	go_to(a, from - a->output.gone > by ? from - by : a->output.gone);
}

/* ---- searching ------------------------------------------------------------------ */

/* The first match in s, in either case unless `what` has a capital. */
static const char *
match(const char *s, const char *what)
{
	bool capital = false;

	for (const char *c = what; *c; c++)
		capital = capital || (*c >= 'A' && *c <= 'Z');
	return capital ? strstr(s, what) : strcasestr(s, what);
}

/* What is looked for: while it is typed, that. */
static const char *
sought(const struct app *a)
{
	if (a->over == OVER_PROMPT && a->prompt == PROMPT_SEARCH)
		return a->prompts[PROMPT_SEARCH].text;
	return a->searched;
}

/* It stays there until one says otherwise. */
static void
show_hit(struct app *a, size_t line)
{
	size_t from = top(a), half = page(a) / 2;

	if (line < from || line - from >= page(a))
		from = line > half ? line - half : 0;
	a->output_hit = line;
	a->output_top = from;
	a->output_held = true;
	a->output_top = top(a);
}

/* From the line at `from` on, it included; all lines once. */
static void
find(struct app *a, size_t from, bool forward)
{
	const struct scroll *s = &a->output;
	size_t n = scroll_count(s), i = from < n ? from : 0;

	if (!*a->searched) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	for (size_t k = 0; k < n; k++) {
		if (match(scroll_line(s, i), a->searched)) {
			show_hit(a, s->gone + i);
			return;
		}
		i = forward ? (i + 1) % n : (i + n - 1) % n;
	}
	app_say(a, false, "no line has %.*s",
	    (int)utf8_head(a->searched, APP_SAY_NAME), a->searched);
}

static void
find_next(struct app *a, bool forward)
{
	size_t n = scroll_count(&a->output), gone = a->output.gone;
	size_t at = top(a) - gone;

	if (n == 0 || a->output_hit == SIZE_MAX || a->output_hit < gone ||
	    a->output_hit >= gone + n)
		find(a, at, forward);
	else {
		at = a->output_hit - gone;
		find(a, forward ? (at + 1) % n : (at + n - 1) % n, forward);
	}
}

void
console_search(struct app *a, const char *text)
{
	snprintf(a->searched, sizeof a->searched, "%s", text);
	a->output_hit = SIZE_MAX;
	if (*text)
		find(a, top(a) - a->output.gone, true);
}

/* ---- keys --------------------------------------------------------------------------- */

void
console_toggle(struct app *a)
{
	if (a->output_shown) {
		console_close(a);
		return;
	}
	a->output_shown = true;
	a->output_hit = SIZE_MAX;
	app_lay_out(a);
}

void
console_close(struct app *a)
{
	a->output_shown = a->typing = a->output_held = false;
	a->output_left = 0;
	app_lay_out(a);
}

static void
begin_typing(struct app *a)
{
	const char *name = program(a);

	if (!a->target.takes_input)
		app_say(a, false, "%.*s does not read from a terminal of ours",
		    (int)utf8_head(name, 20), name);
	else if (app_ended(a))
		app_say(a, false, "%.*s has ended",
		    (int)utf8_head(name, APP_SAY_NAME), name);
	else {
		a->typing = true;
		a->output_left = 0;
		follow(a);
	}
}

void
console_type(struct app *a, struct key k, struct request *r)
{
	if (k.code == ']' && k.mods == KEY_MOD_CTRL) {
		a->typing = false;
		return;
	}
	if (key_is_mouse(k))
		return;
	r->byte_count = key_bytes(k, r->bytes, sizeof r->bytes);
	if (r->byte_count > 0)
		r->kind = REQUEST_TYPE;
}

bool
console_act(struct app *a, enum action action)
{
	size_t step = page(a) > 2 ? page(a) - 1 : 1;

	switch ((int)action) {
	case ACTION_UP: go_up(a, 1); break;
	case ACTION_DOWN: go_to(a, top(a) + 1); break;
	case ACTION_PAGE_UP: go_up(a, step); break;
	case ACTION_PAGE_DOWN: go_to(a, top(a) + step); break;
	case ACTION_FIRST: go_to(a, 0); break;
	case ACTION_LAST:
	case ACTION_FOLLOW: follow(a); break;
	case ACTION_LEFT:
		a->output_left -=
		    a->output_left > SIDEWAYS ? SIDEWAYS : a->output_left;
		break;
	case ACTION_RIGHT:
		if (a->output_left < SCROLL_COLS - SIDEWAYS)
			a->output_left += SIDEWAYS;
		break;
	case ACTION_FILTER: app_open_prompt(a, PROMPT_SEARCH); break;
	case ACTION_NEXT: find_next(a, true); break;
	case ACTION_PREVIOUS: find_next(a, false); break;
	case ACTION_SAVE:
		if (scroll_count(&a->output) == 0)
			app_say(a, false, "there is nothing to save");
		else
			app_open_prompt(a, PROMPT_SAVE);
		break;
	case ACTION_TYPE:
	case ACTION_ENTER: begin_typing(a); break;
	case ACTION_BACK: console_close(a); break;
	default: return false;
	}
	return true;
}

void
console_mouse(struct app *a, struct key k)
{
	if (k.code == K_WHEEL_UP)
		go_up(a, WHEEL);
	else if (k.code == K_WHEEL_DOWN)
		go_to(a, top(a) + WHEEL);
}

/* ---- events --------------------------------------------------------------------------- */

void
console_take(struct app *a, const struct app_event *e)
{
	if (e->lost)
		scroll_gap(&a->output);
	scroll_put(&a->output, e->data, e->len);
	if (a->output_shown)
		a->dirty |= APP_DIRTY_VIEW;
}

void
console_update(struct app *a)
{
	a->output_top = top(a);
	if (app_ended(a))
		a->typing = false;
}

/* ---- drawing ---------------------------------------------------------------------------- */

/* "output of ingestd   1204 lines   312 older are gone" */
static void
draw_title(const struct app *a, struct grid *g, struct rect r)
{
	const struct scroll *s = &a->output;
	size_t n = scroll_count(s);
	struct buf b = BUF_INIT;
	int x;

	x = grid_put(g, r.x + 1, r.y, ROLE_TEXT, "output of ");
	x = grid_put_cut(g, x, r.y, r.w - 1 - x, ROLE_TITLE, program(a));
	if (n > 0)
		buf_printf(&b, "   %zu line%s", n, n == 1 ? "" : "s");
	if (s->gone > 0)
		buf_printf(&b, "   %zu older gone", s->gone);
	if (*a->target.output_file && a->target.has_terminal)
		buf_printf(&b, "   all of it is in %s", a->target.output_file);
	if (r.w - 1 > x)
		x = grid_put_cut(g, x, r.y, r.w - 1 - x, ROLE_DIM, buf_str(&b));
	if (s->lost && r.w - 1 - x > 18)
		grid_put(g, x, r.y, ROLE_WARN, "   some is missing");
	buf_fini(&b);
}

static void
mark_matches(const struct app *a, struct grid *g, int x, int y, const char *s)
{
	const char *what = sought(a), *at = s;
	size_t n = strlen(what);
	char head[512];
	int col = 0;

	while (n > 0 && n < sizeof head && (at = match(s, what))) {
		/* Its columns, measured from where the last one ended. */
		while (s < at) {
			size_t part = (size_t)(at - s) < sizeof head - 1
			    ? (size_t)(at - s)
			    : sizeof head - 1;

			memcpy(head, s, part);
			head[part] = '\0';
			col += utf8_width(head);
			s += part;
		}
		memcpy(head, at, n);
		head[n] = '\0';
		grid_role(g, (struct rect){ x + col, y, utf8_width(head), 1 },
		    ROLE_MATCH);
		col += utf8_width(head);
		s = at + n;
	}
}

static void
draw_gap(struct grid *g, struct rect r)
{
	grid_fill(g, r, ROLE_HAIRLINE, glyph(GLYPH_RULE, g->ascii));
	grid_put_cut(g, r.x + 2, r.y, r.w - 4, ROLE_WARN,
	    " some of the output is missing here ");
}

static void
draw_line(const struct app *a, struct grid *g, struct rect r, size_t i)
{
	const char *s = scroll_line(&a->output, i);
	const char *cut = glyph(GLYPH_CUT, g->ascii);
	struct rect old = grid_clip(g, r);
	int shift = left(a), end;

	if (scroll_is_gap(&a->output, i))
		draw_gap(g, r);
	else {
		end = grid_put(g, r.x - shift, r.y, ROLE_TEXT, s);
		mark_matches(a, g, r.x - shift, r.y, s);
		if (shift > 0 && end > r.x)
			grid_put(g, r.x, r.y, ROLE_DIM, cut);
		if (end > r.x + r.w)
			grid_put(g, r.x + r.w - 1, r.y, ROLE_DIM, cut);
	}
	g->clip = old;
}

/* The cursor: where the program writes next, or on the match, or where the
 * lines begin. */
static void
park(const struct app *a, struct grid *g, struct rect r, size_t first)
{
	size_t row = a->output_hit;

	if (a->typing) {
		row = end_of(a) - 1;
		g->cursor_x = r.x + LEFT_COLS + a->output.at - left(a);
		g->cursor_shown = true;
	} else
		g->cursor_x = r.x;
	if (row < first || row - first >= page(a))
		row = first;
	g->cursor_y = r.y + (int)(row - first);
}

void
console_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.body;
	size_t first = top(a), gone = a->output.gone;
	size_t n = gone + scroll_count(&a->output);

	if (a->layout.head.h > 0)
		draw_title(a, g, a->layout.head);
	if (r.h < 1)
		return;
	if (scroll_count(&a->output) == 0 && !a->typing) {
		notice_draw_silent(a, g, r);
		return;
	}
	for (size_t line = first; line < n && line - first < page(a); line++) {
		struct rect row = { r.x + LEFT_COLS, r.y + (int)(line - first),
			text_cols(a), 1 };

		if (line == a->output_hit)
			grid_put(g, r.x, row.y, ROLE_MATCH,
			    glyph(GLYPH_SELECT, g->ascii));
		draw_line(a, g, row, line - gone);
	}
	park(a, g, r, first);
}

void
console_position(const struct app *a, bool ascii, struct buf *b)
{
	size_t gone = a->output.gone, n = scroll_count(&a->output);
	size_t from = top(a) - gone, to = from + page(a);

	if (n > 0)
		buf_printf(b, "%zu%s%zu of %zu", from + 1,
		    glyph(GLYPH_DASH, ascii), to < n ? to : n, n);
}

bool
console_draw_hints(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.hints;
	int x = 1;

	if (!a->typing)
		return false;
	if (r.h <= 0)
		r = (struct rect){ 0, a->height - 1, a->width, 1 };
	grid_fill(g, r, ROLE_TEXT, " ");
	if (r.w > 36) {
		x = grid_put(g, x, r.y, ROLE_TEXT, "keys go to ");
		x = grid_put_cut(
			g, x, r.y, r.w - x - 12, ROLE_TITLE, a->target.name) +
		    3;
	}
	x = grid_put(g, x, r.y, ROLE_KEY, "C-]");
	grid_put(g, x + 1, r.y, ROLE_TEXT, "back");
	return true;
}
