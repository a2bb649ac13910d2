#include "ui/export_menu.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/app_keys.h"
#include "ui/glyph.h"
#include "ui/popup.h"

#define MOST 40 /* formats that are listed */

/* ---- what there is --------------------------------------------------------- */

bool
app_format_offered(const struct app *a, size_t format)
{
	const struct app_format *f = &a->formats[format];

	return !(f->process && app_is_file(a)) &&
	    !(f->series && a->point_count < 2);
}

/* Those offered, in `list`; how many. */
static int
offered(const struct app *a, size_t list[MOST])
{
	int n = 0;

	for (size_t i = 0; i < a->format_count && n < MOST; i++) {
		if (app_format_offered(a, i))
			list[n++] = i;
	}
	return n;
}

void
app_file_name(const struct app *a, size_t format, char *s, size_t n)
{
	struct fmt clock = app_clock(a, app_shown_ns(a));
	const char *ending = a->formats[format].ending;
	char digits[sizeof clock.s];
	size_t to = 0;

	for (const char *c = clock.s; *c; c++) {
		if (*c != ':')
			digits[to++] = *c;
	}
	digits[to] = '\0';
	if (a->target.pid)
		snprintf(
		    s, n, "heaptop-%u-%s.%s", a->target.pid, digits, ending);
	else
		snprintf(s, n, "heaptop-%s.%s", digits, ending);
}

/* ---- choosing -------------------------------------------------------------- */

void
export_menu_choose(
    struct app *a, size_t format, const char *file, struct request *r)
{
	struct request wanted = { .kind = REQUEST_EXPORT, .format = format };
	char name[APP_TEXT];

	a->over = OVER_NONE;
	if (!app_format_offered(a, format)) {
		app_say(a, false,
		    a->formats[format].process
			? "there is no process to record"
			: "that takes two snapshots and more");
		return;
	}
	if (a->formats[format].process)
		wanted.kind = REQUEST_RECORD;
	snprintf(wanted.file, sizeof wanted.file, "%s", file);
	a->wanted = wanted;
	if (*file) {
		*r = wanted;
		return;
	}
	if (wanted.kind == REQUEST_RECORD) {
		app_open_prompt(a, PROMPT_RECORD);
		return;
	}
	app_file_name(a, format, name, sizeof name);
	app_open_prompt(a, PROMPT_EXPORT);
	prompt_set(&a->prompts[PROMPT_EXPORT], name);
}

static void
move(struct app *a, enum action action, int n)
{
	int to = a->over_selected;

	switch ((int)action) {
	case ACTION_UP: to = (to + n - 1) % n; break;
	case ACTION_DOWN: to = (to + 1) % n; break;
	case ACTION_PAGE_UP: to -= 8; break;
	case ACTION_PAGE_DOWN: to += 8; break;
	case ACTION_HALF_UP: to -= 4; break;
	case ACTION_HALF_DOWN: to += 4; break;
	case ACTION_FIRST: to = 0; break;
	case ACTION_LAST: to = n - 1; break;
	default: break;
	}
	a->over_selected = to < 0 ? 0 : to >= n ? n - 1 : to;
}

void
export_menu_key(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);
	size_t list[MOST];
	int n = offered(a, list);

	if (k.code == K_WHEEL_UP || k.code == K_WHEEL_DOWN)
		action = k.code == K_WHEEL_UP ? ACTION_UP : ACTION_DOWN;
	for (int i = 0; i < n; i++) {
		if (key_is_text(k) &&
		    k.code == (unsigned char)a->formats[list[i]].key) {
			export_menu_choose(a, list[i], "", r);
			return;
		}
	}
	if (action == ACTION_BACK || action == ACTION_QUIT ||
	    k.code == K_CLICK || n == 0)
		a->over = OVER_NONE;
	else if (k.code == K_ENTER && a->over_selected < n)
		export_menu_choose(a, list[a->over_selected], "", r);
	else
		move(a, action, n);
}

/* ---- drawing --------------------------------------------------------------- */

static void
what_is_shown(const struct app *a, bool ascii, char *s, size_t size)
{
	const char *dot = glyph(GLYPH_DOT, ascii);
	size_t n;

	n = (size_t)snprintf(s, size, "%s %s by %s %s ",
	    metric_label(a->query.metric), dot,
	    grouping_label(a->query.grouping), dot);
	if (n >= size)
		return;
	if (a->mark[0].id)
		n += (size_t)snprintf(s + n, size - n, "A %s %s ",
		    app_clock(a, a->mark[0].ns).s, glyph(GLYPH_CALLS, ascii));
	snprintf(s + n, size - n, "%s%s", a->mark[0].id ? "B " : "at ",
	    app_clock(a, app_shown_ns(a)).s);
}

void
export_menu_draw(const struct app *a, struct grid *g)
{
	char text[MOST + 1][96], keys[MOST][2];
	struct popup_line lines[MOST + 2];
	struct popup p = { "Export what is shown", lines, 0, a->over_selected,
		0, 0 };
	size_t list[MOST];
	int n = offered(a, list);

	for (int i = 0; i < n; i++) {
		const struct app_format *f = &a->formats[list[i]];

		keys[i][0] = f->key;
		keys[i][1] = '\0';
		snprintf(text[i], sizeof text[i], "%-10s  %s", f->name,
		    f->what ? f->what : "");
		lines[i] = (struct popup_line){ keys[i], text[i] };
	}
	p.count = n;
	/* What must be seen are the choices. */
	if (popup_page(g, n + 2) == n + 2) {
		lines[n] = (struct popup_line){ NULL, NULL };
		what_is_shown(a, g->ascii, text[n], sizeof text[n]);
		lines[n + 1] = (struct popup_line){ NULL, text[n] };
		p.count = n + 2;
	}
	popup_draw(&p, g);
}

/* ---- the file is there ----------------------------------------------------- */

/* The prompt that asks for the name again. */
static enum app_prompt
prompt_of(enum request_kind kind)
{
	return kind == REQUEST_EXPORT ? PROMPT_EXPORT
	    : kind == REQUEST_RECORD  ? PROMPT_RECORD
				      : PROMPT_SAVE;
}

void
export_menu_key_exists(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);
	enum app_prompt again = prompt_of(a->wanted.kind);

	if (key_is_text(k) && (k.code == 'o' || k.code == 'O')) {
		a->over = OVER_NONE;
		*r = a->wanted;
		r->overwrite = true;
	} else if (k.code == K_ENTER) {
		app_open_prompt(a, again);
		prompt_set(&a->prompts[again], a->wanted.file);
	} else if (action == ACTION_BACK || action == ACTION_QUIT)
		a->over = OVER_NONE;
}

static int
answer(struct grid *g, int x, int y, const char *key, const char *text)
{
	x = grid_put(g, x, y, ROLE_KEY, key);
	return grid_put(g, x + 1, y, ROLE_TEXT, text);
}

void
export_menu_draw_exists(const struct app *a, struct grid *g, struct rect r)
{
	const char *enter = glyph(GLYPH_KEY_ENTER, g->ascii);
	int keys = 31 + utf8_width(enter), x = 1;
	int gap = r.w > keys + 24 ? 3 : r.w > 46 ? 2 : 1;

	if (r.w > keys + 18) {
		x = grid_put_cut(
		    g, x, r.y, r.w - keys - 14, ROLE_TITLE, a->wanted.file);
		x = grid_put(g, x, r.y, ROLE_TEXT, " exists") + gap;
	}
	g->cursor_x = x;
	g->cursor_y = r.y;
	x = answer(g, x, r.y, "o", "overwrite") + gap;
	x = answer(g, x, r.y, enter, "other name") + gap;
	if (x + 3 <= r.w)
		answer(g, x, r.y, "esc", r.w - x > 11 ? "cancel" : "");
}
