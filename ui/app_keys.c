#include "ui/app_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "model/report.h"
#include "ui/console.h"
#include "ui/detail.h"
#include "ui/filter.h"
#include "ui/tabs.h"
#include "ui/timeline.h"
#include "ui/view.h"

/* ---- what is measured ------------------------------------------------------ */

void
app_group(struct app *a, enum grouping grouping)
{
	a->query.grouping = grouping;
	/* Keys of other rows mean nothing here. */
	memset(&a->rows, 0, sizeof a->rows);
	a->all = 0;
	a->all_max = a->all_cum = 0;
}

static void
next_group(struct app *a)
{
	static const enum grouping order[] = { GROUP_STACKS, GROUP_FUNCTIONS,
		GROUP_LINES, GROUP_FILES, GROUP_MODULES, GROUP_THREADS };
	size_t n = sizeof order / sizeof order[0], i = 0;

	while (i < n && order[i] != a->query.grouping)
		i++;
	app_group(a, order[(i + 1) % n]);
}

static bool
act_measure(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_METRIC:
		a->query.metric =
		    (enum metric)((a->query.metric + 1) % METRIC_COUNT);
		a->all_max = a->all_cum = 0;
		break;
	case ACTION_GROUP: next_group(a); break;
	case ACTION_REVERSE: a->query.reverse = !a->query.reverse; break;
	case ACTION_PLUMBING:
		a->query.cut =
		    a->query.cut == CUT_NOTHING ? CUT_WRAPPERS : CUT_NOTHING;
		a->frame = a->frame_top = 0;
		break;
	default: return false;
	}
	app_query_changed(a);
	return true;
}

/* ---- the rest --------------------------------------------------------------- */

static bool
act_view(struct app *a, enum action action)
{
	if (action < ACTION_VIEW_TOP || action > ACTION_VIEW_MEMORY)
		return false;
	app_show_view(
	    a, (enum context)(action - ACTION_VIEW_TOP + CONTEXT_TOP));
	return true;
}

static void
go_back(struct app *a)
{
	if (a->detail_full) {
		a->detail_full = false;
		app_lay_out(a);
	} else if (a->detail_keys)
		a->detail_keys = false;
	else if (*a->filter)
		app_set_filter(a, "");
	else if (a->query.thread != a->asked.thread) {
		a->query.thread = a->asked.thread;
		app_query_changed(a);
	} else if (a->at)
		app_look_away(a);
}

void
app_quit(struct app *a, struct request *r)
{
	/* A question nobody can read is not asked. */
	if (a->target.running && a->layout.style != LAYOUT_TINY)
		app_open(a, OVER_QUIT);
	else
		r->kind = REQUEST_QUIT;
}

/* The program's end is asked about even where leaving is not. */
static void
ask_terminate(struct app *a)
{
	if (a->target.running)
		app_open(a, OVER_QUIT);
	else
		app_say(a, false, "there is no program of ours to end");
}

bool
app_source_place(const struct app *a, struct place *p)
{
	const struct report_row *row = app_selected(a);
	size_t i = a->detail_full || a->detail_keys ? a->frame : 0;

	if (!row || row->count == 0)
		return false;
	*p = report_place(
	    a->report, row->places[i < row->count ? i : row->count - 1]);
	return true;
}

/* Without a line there is nothing to open. */
static void
edit(struct app *a, struct request *r)
{
	struct place p;

	if (!app_source_place(a, &p))
		app_say(a, false, "nothing is selected");
	else if (!p.file || !*p.file || p.line == 0)
		app_say(a, false, "no line is known of %.*s: build it with -g",
		    (int)utf8_head(p.function, 30), p.function);
	else
		r->kind = REQUEST_EDIT;
}

bool
app_output_act(struct app *a, enum action action, struct request *r)
{
	switch ((int)action) {
	case ACTION_SNAPSHOT:
		if (!app_offers(a, action))
			app_say(a, false, "there is no process to ask");
		else
			r->kind = REQUEST_PULL;
		break;
	case ACTION_EXPORT:
		if (a->report)
			app_open(a, OVER_EXPORT);
		else
			app_say(a, false, "there is nothing to export");
		break;
	case ACTION_RECORD:
		if (app_is_file(a))
			app_say(a, false, "there is no process to record");
		else if (a->target.recording)
			r->kind = REQUEST_RECORD;
		else
			app_open_prompt(a, PROMPT_RECORD);
		break;
	case ACTION_PRINT:
		if (app_selected(a))
			r->kind = REQUEST_PRINT;
		break;
	case ACTION_EDIT: edit(a, r); break;
	case ACTION_COPY:
		if (app_selected(a))
			r->kind = REQUEST_COPY;
		else
			app_say(a, false, "nothing is selected");
		break;
	case ACTION_TERMINATE: ask_terminate(a); break;
	case ACTION_OUTPUT: console_toggle(a); break;
	case ACTION_COMMAND: app_open_prompt(a, PROMPT_COMMAND); break;
	case ACTION_PROCESS:
		if (app_offers(a, action))
			r->kind = REQUEST_PROCESS;
		else
			app_say(a, false, "there is no other process");
		break;
	case ACTION_REDRAW: r->kind = REQUEST_REDRAW; break;
	case ACTION_SUSPEND: r->kind = REQUEST_SUSPEND; break;
	case ACTION_HELP: app_open(a, OVER_HELP); break;
	case ACTION_QUIT: app_quit(a, r); break;
	default: return false;
	}
	return true;
}

bool
app_row_matches(const struct report *r, const struct report_row *row,
    const struct pattern *p)
{
	if (pattern_matches(p, row->name))
		return true;
	for (uint32_t j = 0; j < row->count; j++) {
		if (pattern_matches(
			p, report_place(r, row->places[j]).function))
			return true;
	}
	return false;
}

/* The next row of which a frame matches what was last looked for. */
static void
find_row(struct app *a, bool forward)
{
	const struct view *v = view_at(a->view);
	struct list *l =
	    a->view == CONTEXT_THREADS ? &a->threads.rows : &a->rows;
	size_t n = a->report ? a->listed_count : 0, i = l->cursor;
	struct err e = { "" };
	struct pattern *p;

	if (!*a->found) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	if (!app_all_rows(a, forward ? ACTION_NEXT : ACTION_PREVIOUS))
		return;
	p = filter_pattern(a->found, &e);
	for (size_t k = 0; p && k < n; k++) {
		i = forward ? (i + 1) % n : (i + n - 1) % n;
		if (!app_row_matches(a->report, app_row(a, i), p))
			continue;
		l->cursor = i;
		l->key = app_row(a, i)->key;
		l->chosen = true;
		v->update(a);
		pattern_free(p);
		return;
	}
	pattern_free(p);
	app_say(a, false, "no row matches %.*s",
	    (int)utf8_head(a->found, APP_SAY_NAME), a->found);
}

/* A row's own function alone, or not at all. */
static void
keep_row(struct app *a, bool hide)
{
	const struct report_row *row = app_selected(a);
	enum grouping g = a->report ? a->report->query.grouping : GROUP_COUNT;

	if (!row)
		return;
	if (g == GROUP_THREADS && keymap_holds(ACTION_GROUP, a->view)) {
		if (hide) {
			app_say(a, false,
			    "a thread cannot be hidden; * shows "
			    "one alone");
			return;
		}
		a->query.thread = (int)row->key;
		app_query_changed(a);
		return;
	}
	if (row->count == 0) {
		app_say(a, false, "this row has no function to filter by");
		return;
	}
	app_keep_name(
	    a, report_place(a->report, row->places[0]).function, hide);
}

static bool
act_find(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_FILTER: app_open_prompt(a, PROMPT_FILTER); break;
	case ACTION_FILTER_KEEP: app_open_prompt(a, PROMPT_KEEP); break;
	case ACTION_ROW_ONLY: keep_row(a, false); break;
	case ACTION_ROW_HIDE: keep_row(a, true); break;
	case ACTION_NEXT: find_row(a, true); break;
	case ACTION_PREVIOUS: find_row(a, false); break;
	default: return false;
	}
	return true;
}

/* One who looks into a row stays with it. */
static void
choose(struct app *a)
{
	if (a->view != CONTEXT_TOP)
		return;
	a->rows.key = app_selected(a)->key;
	a->rows.chosen = true;
}

static void
focus_detail(struct app *a, bool on)
{
	if (on)
		choose(a);
	a->detail_keys = on;
}

static bool
act_pane(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_PANE:
		if (a->layout.detail.h <= 0 || !app_selected(a))
			break;
		focus_detail(a, !a->detail_keys);
		a->notice = NOTICE_NONE;
		break;
	case ACTION_ENTER:
		if (a->detail_full || !app_selected(a))
			break;
		choose(a);
		a->detail_full = true;
		if (!a->detail_keys)
			a->frame = a->frame_top = 0;
		app_lay_out(a);
		break;
	case ACTION_BACK: go_back(a); break;
	default: return false;
	}
	return true;
}

static void
act(struct app *a, enum action action, struct request *r)
{
	const struct view *v = view_at(a->view);
	bool detail = a->detail_full || a->detail_keys;

	if (a->output_shown) {
		if (console_act(a, action) || act_view(a, action))
			return;
		app_output_act(a, action, r);
		return;
	}
	if (detail && detail_act(a, action))
		return;
	/* The view has the first word: Enter may zoom there. */
	if (!a->detail_full && v && !(detail && action == ACTION_BACK) &&
	    v->act(a, action))
		return;
	if (act_view(a, action) || act_pane(a, action) ||
	    app_act_time(a, action) || act_measure(a, action) ||
	    app_output_act(a, action, r) || act_find(a, action))
		return;
	if (action == ACTION_TO_TREE && app_offers(a, action))
		app_show_view(a, CONTEXT_TREE);
	else if (action == ACTION_TO_FLAME && app_offers(a, action))
		app_show_view(a, CONTEXT_FLAME);
	else
		return;
	a->seek.exact = true;
}

/* Half a page is so many rows. */
static void
act_key(struct app *a, enum action action, struct request *r)
{
	int rows = (a->layout.body.h + 1) / 2;

	if (action != ACTION_HALF_UP && action != ACTION_HALF_DOWN) {
		act(a, action, r);
		return;
	}
	for (int i = 0; i < rows; i++)
		act(a, action == ACTION_HALF_UP ? ACTION_UP : ACTION_DOWN, r);
}

void
app_more_rows(struct app *a, size_t rows)
{
	if (rows <= a->rows_asked)
		return;
	a->rows_asked = rows;
	app_query_changed(a);
}

bool
app_all_rows(struct app *a, enum action action)
{
	if (a->listed_cut == 0)
		return true;
	a->pending = action;
	app_more_rows(a, SIZE_MAX);
	return false;
}

void
app_act_pending(struct app *a)
{
	struct request none = { .kind = REQUEST_NONE };
	enum action action = a->pending;

	a->pending = ACTION_NONE;
	if (action != ACTION_NONE)
		act(a, action, &none);
}

static bool
inside(struct rect r, struct key k)
{
	return k.x >= r.x && k.x < r.x + r.w && k.y >= r.y && k.y < r.y + r.h;
}

/* A click on the timeline looks at that moment; drawing over it, or the right
 * button at another moment, compares the two. */
static void
mouse_timeline(struct app *a, struct key k)
{
	size_t at, from;

	app_thaw(a);
	at = timeline_point_at(a, k.x);
	if (at >= a->point_count)
		return;
	if (k.code == K_CLICK) {
		a->pressed_ns = a->points[at].ns;
		app_look_at(a, at);
		return;
	}
	from = k.code == K_DRAG ? app_point_at(a, a->pressed_ns)
				: app_point_at(a, app_shown_ns(a));
	if (from != at && from < a->point_count)
		app_compare(a, from, at);
}

static void
mouse(struct app *a, struct key k, struct request *r)
{
	const struct view *v = view_at(a->view);
	bool wheel = k.code == K_WHEEL_UP || k.code == K_WHEEL_DOWN;
	bool graph = inside(a->layout.timeline, k);

	if (k.code != K_DRAG)
		a->pressed_ns = 0;
	if (k.code == K_DRAG || k.code == K_RIGHT_CLICK) {
		if ((graph && k.code != K_DRAG) || (a->pressed_ns && graph))
			mouse_timeline(a, k);
		return;
	}
	if (!wheel && inside(a->layout.tabs, k)) {
		app_show_view(a, tabs_at(a, k.x));
		return;
	}
	if (a->output_shown) {
		console_mouse(a, k);
		return;
	}
	if (a->detail_full || !v) {
		if (wheel)
			detail_act(
			    a, k.code == K_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
		return;
	}
	if (!wheel && graph)
		mouse_timeline(a, k);
	else if (inside(a->layout.head, k) || inside(a->layout.body, k)) {
		a->detail_keys = false;
		if (v->mouse(a, k))
			act(a, ACTION_ENTER, r);
	} else if (!wheel && inside(a->layout.detail, k) && !v->detail)
		focus_detail(a, app_selected(a) != NULL);
}

/* Where nothing can be read nothing is done but what one does blindly. */
static void
key_unseen(struct app *a, struct key k, struct request *r)
{
	enum action action = keymap_action(&a->keys, k, CONTEXT_OVER);

	if (action == ACTION_QUIT || action == ACTION_REDRAW ||
	    action == ACTION_SUSPEND)
		app_output_act(a, action, r);
}

void
app_key(struct app *a, struct key k, struct request *r)
{
	if (k.code == K_NONE || k.code == K_RESIZE)
		return;
	a->message[0] = '\0';
	a->dirty |= APP_DIRTY_VIEW;
	if (a->layout.style == LAYOUT_TINY)
		key_unseen(a, k, r);
	else if (a->over != OVER_NONE)
		app_over_key(a, k, r);
	else if (a->typing)
		console_type(a, k, r);
	else if (key_is_mouse(k))
		mouse(a, k, r);
	else
		act_key(a, keymap_action(&a->keys, k, app_context(a)), r);
}
