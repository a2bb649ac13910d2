#include "ui/status.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/columns.h"
#include "ui/command.h"
#include "ui/console.h"
#include "ui/detail.h"
#include "ui/export_menu.h"
#include "ui/flame_parts.h"
#include "ui/glyph.h"
#include "ui/notice.h"
#include "ui/view.h"

/* ---- prompts ------------------------------------------------------------- */

/* "2 of 317 stacks  24.2 MiB  5.9%" */
static void
filter_effect(const struct app *a, const struct grid *g, struct buf *b)
{
	const struct report *r = a->report;
	unsigned flags = FMT_ZERO | (g->ascii ? FMT_ASCII : 0);

	if (!r)
		return;
	buf_printf(b, "%zu", r->group_count);
	if (a->all)
		buf_printf(b, " of %zu", a->all);
	buf_printf(b, " %s  %s", grouping_noun(r->query.grouping, a->all),
	    metric_is_bytes(r->query.metric)
		? fmt_bytes(r->local.value, flags).s
		: fmt_count(r->local.value, flags).s);
	if (r->total.value)
		buf_printf(b, "  %s%%",
		    fmt_percent(r->local.value, r->total.value, flags).s);
}

/* "↵ keep  esc clear"; where it begins. */
static int
draw_keys(struct grid *g, int end, int y, const char *enter, const char *esc)
{
	const char *sign = glyph(GLYPH_KEY_ENTER, g->ascii);
	int x =
	    end - utf8_width(sign) - utf8_width(enter) - 7 - utf8_width(esc);

	if (x < end / 3)
		return end;
	grid_put(g, x, y, ROLE_KEY, sign);
	grid_put(g, x + utf8_width(sign) + 1, y, ROLE_TEXT, enter);
	end = grid_put_right(g, end, y, ROLE_TEXT, esc);
	grid_put_right(g, end - 1, y, ROLE_KEY, "esc");
	return x;
}

#define ROOM 16 /* to type in, beside what is said */

/* What may be typed, as much of it as there is room for; the new end. */
static int
draw_command_hint(const struct app *a, struct grid *g, int x, int end, int y)
{
	const char *text = a->prompts[PROMPT_COMMAND].text;
	int room = end - 3 - x - (*text ? ROOM + utf8_width(text) : 2), w;
	char hint[256];

	command_hint(text, hint, sizeof hint);
	w = utf8_width(hint);
	if (w > room)
		w = room;
	if (w < 8)
		return end;
	grid_put_cut(g, end - 3 - w, y, w, ROLE_DIM, hint);
	return end - 3 - w - 1;
}

static void
draw_prompt(const struct app *a, struct grid *g, struct rect r)
{
	static const struct {
		const char *sign, *enter, *esc;
	} prompts[PROMPT_COUNT] = {
		[PROMPT_FILTER] = { "/", "keep", "clear" },
		[PROMPT_KEEP] = { "\\", "keep", "cancel" },
		[PROMPT_COMMAND] = { ":", "do", "cancel" },
		[PROMPT_RECORD] = { "record to", "begin", "cancel" },
		[PROMPT_SEARCH] = { "/", "find", "clear" },
		[PROMPT_SAVE] = { "save to", "save", "cancel" },
		[PROMPT_EXPORT] = { "write to", "write", "cancel" },
	};
	int x, end;
	struct buf b = BUF_INIT;

	end = draw_keys(
	    g, r.w - 1, r.y, prompts[a->prompt].enter, prompts[a->prompt].esc);
	if (a->prompt == PROMPT_FILTER)
		filter_effect(a, g, &b);
	else if (a->prompt == PROMPT_SEARCH && !a->output_shown)
		flame_find_effect(a, g->ascii, &b);
	else if (a->prompt == PROMPT_KEEP)
		buf_puts(&b, "!text hides, nothing ends it");
	x = grid_put(g, 1, r.y, ROLE_KEY, prompts[a->prompt].sign) + 1;
	if (a->prompt == PROMPT_COMMAND)
		end = draw_command_hint(a, g, x, end, r.y);
	else if (b.len && end - 3 - utf8_width(buf_str(&b)) - x > ROOM)
		end =
		    grid_put_right(g, end - 3, r.y, ROLE_DIM, buf_str(&b)) - 1;
	prompt_draw(&a->prompts[a->prompt], g, x, r.y, end - 1 - x);
	buf_fini(&b);
}

/* ---- questions and messages ---------------------------------------------------- */

/* What may be answered, in as many words as there is room for. */
struct answers {
	int from; /* columns */
	int gap;
	const char *end, *leave, *stay;
};

static int
draw_answer(struct grid *g, int x, int y, const char *key, const char *text)
{
	x = grid_put(g, x, y, ROLE_KEY, key);
	return grid_put(g, x + 1, y, ROLE_TEXT, text);
}

static void
draw_quit(const struct app *a, struct grid *g, struct rect r)
{
	static const struct answers all[] = {
		{ 50, 3, "terminate", "leave it running", "stay" },
		{ 36, 2, "terminate", "leave", "stay" },
		{ 0, 1, "end", "leave", "" },
	};
	const char *enter = glyph(GLYPH_KEY_ENTER, g->ascii);
	const char *name =
	    *a->target.launched ? a->target.launched : a->target.name;
	const struct answers *s = all;
	int x = 1, keys = 39 + utf8_width(enter);

	while (s->from > r.w)
		s++;
	if (r.w > keys + 24) {
		x = grid_put_cut(g, x, r.y, r.w - keys - 20, ROLE_TITLE, name);
		x = grid_put(g, x, r.y, ROLE_TEXT, " is still running.") + 3;
	}
	g->cursor_x = x;
	g->cursor_y = r.y;
	x = draw_answer(g, x, r.y, "t", s->end) + s->gap;
	x = draw_answer(g, x, r.y, enter, s->leave) + s->gap;
	if (x + 3 <= r.w)
		draw_answer(g, x, r.y, "esc", s->stay);
}

static void
draw_message(const struct app *a, struct grid *g, struct rect r)
{
	grid_put_cut(g, 1, r.y, r.w - 2,
	    a->message_bad ? ROLE_ERROR : ROLE_TEXT, a->message);
}

/* ---- hints and position ---------------------------------------------------------- */

static void
position(const struct app *a, bool ascii, struct buf *b)
{
	const struct view *v = view_at(a->view);
	bool nameless = notice_shown(a) && a->notice == NOTICE_NAMES;

	if (a->names_coming > 0 || (nameless && a->names > 0))
		buf_printf(b, "symbols %u%%",
		    (unsigned)(100.0 * a->names_known / a->names));
	if (nameless && app_screen(a) == a->view)
		return;
	if (b->len > 0)
		buf_puts(b, "   ");
	if (a->output_shown)
		console_position(a, ascii, b);
	else if (a->detail_full || a->detail_keys)
		detail_position(a, b);
	else if (v)
		v->position(a, ascii, b);
}

/* What is worth doing in some state, instead of what the view has. */
struct few {
	enum action action;
	const char *text;
};

static const struct few while_waiting[] = {
	{ ACTION_SNAPSHOT, "dump now" },
	{ ACTION_OUTPUT, "target output" },
	{ ACTION_HELP, "help" },
	{ ACTION_QUIT, "quit" },
};
static const struct few after_the_end[] = {
	{ ACTION_ENTER, "open" },
	{ ACTION_OUTPUT, "target output" },
	{ ACTION_RECORD, "write recording" },
	{ ACTION_EXPORT, "export" },
	{ ACTION_HELP, "help" },
};
static const struct few without_names[] = {
	{ ACTION_ENTER, "open" },
	{ ACTION_FILTER, "filter" },
	{ ACTION_HELP, "help" },
	{ ACTION_QUIT, "quit" },
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void
draw_few(const struct app *a, struct grid *g, int y, int end,
    const struct few *few, size_t n)
{
	int x = 1;

	for (size_t i = 0; i < n; i++) {
		struct key_label sign;
		struct key k;

		if (!app_offers(a, few[i].action) ||
		    !keymap_key(&a->keys, few[i].action, 0, &k))
			continue;
		sign = keymap_sign(k, g->ascii);
		if (x + utf8_width(sign.s) + 1 + utf8_width(few[i].text) > end)
			continue;
		x = grid_put(g, x, y, ROLE_KEY, sign.s);
		x = grid_put(g, x + 1, y, ROLE_TEXT, few[i].text) + 2;
	}
}

static void
draw_hints(const struct app *a, struct grid *g, int y, int end)
{
	struct keymap_offer o = { app_offers, a, &a->keys };
	bool list = app_screen(a) == a->view;

	if (list && notice_waiting(a))
		draw_few(a, g, y, end, while_waiting, COUNT(while_waiting));
	else if (list && notice_shown(a) && a->notice == NOTICE_ENDED)
		draw_few(a, g, y, end, after_the_end, COUNT(after_the_end));
	else if (list && notice_shown(a) && a->notice == NOTICE_NAMES)
		draw_few(a, g, y, end, without_names, COUNT(without_names));
	else
		keymap_hints(g, 1, end, y, app_screen(a), &o);
}

void
status_draw(const struct app *a, struct grid *g)
{
	struct rect r = a->layout.hints;
	struct buf b = BUF_INIT;
	int end = r.w - 1;

	if (a->over == OVER_PROMPT || a->over == OVER_QUIT ||
	    a->over == OVER_EXISTS || *a->message) {
		/* These are wanted even where there is no room for hints. */
		if (r.h <= 0)
			r = (struct rect){ 0, a->height - 1, a->width, 1 };
		grid_fill(g, r, ROLE_TEXT, " ");
		if (a->over == OVER_PROMPT)
			draw_prompt(a, g, r);
		else if (a->over == OVER_QUIT)
			draw_quit(a, g, r);
		else if (a->over == OVER_EXISTS)
			export_menu_draw_exists(a, g, r);
		else
			draw_message(a, g, r);
		return;
	}
	if (console_draw_hints(a, g) || r.h <= 0)
		return;
	position(a, g->ascii, &b);
	if (b.len && end - utf8_width(buf_str(&b)) > 10)
		end = grid_put_right(g, end, r.y, ROLE_DIM, buf_str(&b)) - 2;
	draw_hints(a, g, r.y, end);
	buf_fini(&b);
}
