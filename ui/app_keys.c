#include "ui/app_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "model/report.h"
#include "ui/console.h"
#include "ui/detail.h"
#include "ui/filter.h"
#include "ui/view.h"

/* ---- time ---------------------------------------------------------------- */

/* The point that is shown, or the number of points if there is none. */
static size_t
shown_point(const struct app *a)
{
	snap_id id = a->query.at;
	size_t i = a->point_count;

	while (id && i > 0 && a->points[i - 1].id > id)
		i--;
	return i > 0 ? i - 1 : a->point_count;
}

/* The newest snapshot from now on; a mark B is a moment of its own. */
static void
follow(struct app *a)
{
	app_thaw(a);
	a->paused = false;
	a->at = 0;
	a->mark[1] = (struct app_mark){ 0, 0 };
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

void
app_look_at(struct app *a, size_t point)
{
	if (point >= a->point_count)
		return;
	if (point + 1 == a->point_count && a->mark[1].id == 0) {
		follow(a);
		return;
	}
	a->paused = false;
	a->at = a->points[point].id;
	a->at_ns = a->points[point].ns;
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

static void
step(struct app *a, int by)
{
	size_t at, last;

	app_thaw(a);
	if (a->point_count == 0)
		return;
	at = shown_point(a);
	last = a->point_count - 1;
	if (by < 0)
		at = at > (size_t)-by ? at - (size_t)-by : 0;
	else
		at = last - at > (size_t)by ? at + (size_t)by : last;
	app_look_at(a, at);
}

static void
pause_screen(struct app *a)
{
	size_t at = shown_point(a);

	if (a->paused) {
		app_thaw(a);
		a->paused = false;
		a->at = 0;
	} else if (at == a->point_count) {
		app_say(a, false,
		    "there is nothing to hold before the first "
		    "snapshot");
		return;
	} else {
		a->paused = true;
		a->paused_ns = a->now_ns;
		a->at = a->points[at].id;
		a->at_ns = a->points[at].ns;
	}
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

void
app_set_mark(struct app *a, int which, snap_id id, uint64_t ns)
{
	a->mark[which] = (struct app_mark){ id, ns };
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

/* The same again takes the mark away. */
static void
set_mark(struct app *a, int which)
{
	size_t at = shown_point(a);
	struct app_mark *m = &a->mark[which];

	if (at == a->point_count) {
		app_say(a, false, "there is no snapshot to mark");
		return;
	}
	if (m->id == a->points[at].id)
		*m = (struct app_mark){ 0, 0 };
	else
		*m = (struct app_mark){ a->points[at].id, a->points[at].ns };
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

/* B that is not set is the newest snapshot, or the one that is held. */
static void
swap_marks(struct app *a)
{
	struct app_mark b = a->mark[1];
	size_t n = a->point_count;

	if (a->mark[0].id == 0 || n == 0) {
		app_say(a, false, "there is no mark A to swap");
		return;
	}
	if (b.id == 0 && a->paused)
		b = (struct app_mark){ a->at, a->at_ns };
	else if (b.id == 0)
		b = (struct app_mark){ a->points[n - 1].id,
			a->points[n - 1].ns };
	a->mark[1] = a->mark[0];
	a->mark[0] = b;
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

bool
app_act_time(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_MARK_A: set_mark(a, 0); break;
	case ACTION_MARK_B: set_mark(a, 1); break;
	case ACTION_MARKS_SWAP: swap_marks(a); break;
	case ACTION_OLDER: step(a, -1); break;
	case ACTION_NEWER: step(a, 1); break;
	case ACTION_OLDER_TEN: step(a, -10); break;
	case ACTION_NEWER_TEN: step(a, 10); break;
	case ACTION_FOLLOW: follow(a); break;
	case ACTION_PAUSE: pause_screen(a); break;
	default: return false;
	}
	return true;
}

/* ---- what is measured ------------------------------------------------------ */

static void
next_group(struct app *a)
{
	static const enum grouping order[] = { GROUP_STACKS, GROUP_FUNCTIONS,
		GROUP_LINES, GROUP_FILES, GROUP_MODULES, GROUP_THREADS };
	size_t n = sizeof order / sizeof order[0], i = 0;

	while (i < n && order[i] != a->query.grouping)
		i++;
	a->query.grouping = order[(i + 1) % n];
	/* Keys of other rows mean nothing here. */
	memset(&a->rows, 0, sizeof a->rows);
	a->all = 0;
	a->all_max = 0;
}

static bool
act_measure(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_METRIC:
		a->query.metric =
		    (enum metric)((a->query.metric + 1) % METRIC_COUNT);
		a->all_max = 0;
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
	enum context c = (enum context)(action - ACTION_VIEW_TOP + CONTEXT_TOP);

	if (action < ACTION_VIEW_TOP || action > ACTION_VIEW_MEMORY)
		return false;
	if (!view_at(c))
		return true;
	a->view = c;
	a->detail_full = a->detail_keys = false;
	console_close(a);
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
		follow(a);
}

void
app_quit(struct app *a, struct request *r)
{
	/* A question nobody can read is not asked. */
	if (a->target.ours && !app_ended(a) && a->layout.style != LAYOUT_TINY)
		app_open(a, OVER_QUIT);
	else
		r->kind = REQUEST_QUIT;
}

static bool
act_output(struct app *a, enum action action, struct request *r)
{
	switch ((int)action) {
	case ACTION_SNAPSHOT:
		if (app_ended(a) || a->status.connection == APP_FILE)
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
		if (a->target.recording)
			r->kind = REQUEST_RECORD;
		else
			app_open_prompt(a, PROMPT_RECORD);
		break;
	case ACTION_PRINT:
		if (app_selected(a))
			r->kind = REQUEST_PRINT;
		break;
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

/* The next row of which a frame matches what was last looked for. */
static bool
row_matches(const struct report *r, size_t i, const struct pattern *p)
{
	const struct report_row *row = &r->rows[i];

	if (pattern_matches(p, row->name))
		return true;
	for (uint32_t j = 0; j < row->count; j++) {
		if (pattern_matches(
			p, report_place(r, row->places[j]).function))
			return true;
	}
	return false;
}

static void
find_row(struct app *a, bool forward)
{
	const struct view *v = view_at(a->view);
	size_t n = a->report ? a->report->row_count : 0, i = a->rows.cursor;
	struct err e = { "" };
	struct pattern *p;

	if (!*a->found) {
		app_say(a, false, "nothing was looked for: / begins");
		return;
	}
	p = filter_pattern(a->found, &e);
	for (size_t k = 0; p && k < n; k++) {
		i = forward ? (i + 1) % n : (i + n - 1) % n;
		if (!row_matches(a->report, i, p))
			continue;
		a->rows.cursor = i;
		a->rows.key = a->report->rows[i].key;
		a->rows.chosen = true;
		v->update(a);
		pattern_free(p);
		return;
	}
	pattern_free(p);
	app_say(a, false, "no row matches %s", a->found);
}

/* A row's own function alone, or not at all. */
static void
keep_row(struct app *a, bool hide)
{
	const struct report_row *row = app_selected(a);
	enum grouping g = a->report ? a->report->query.grouping : GROUP_COUNT;

	if (!row)
		return;
	if (g == GROUP_THREADS) {
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

static bool
act_pane(struct app *a, enum action action)
{
	switch ((int)action) {
	case ACTION_PANE:
		if (a->layout.detail.h <= 0 || !app_selected(a))
			break;
		a->detail_keys = !a->detail_keys;
		a->notice = NOTICE_NONE;
		break;
	case ACTION_ENTER:
		if (a->detail_full || !app_selected(a))
			break;
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
		act_output(a, action, r);
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
	    act_output(a, action, r) || act_find(a, action))
		return;
	if (action == ACTION_TO_TREE || action == ACTION_TO_FLAME)
		app_say(a, false, "this cannot be shown there");
}

static bool
inside(struct rect r, struct key k)
{
	return k.x >= r.x && k.x < r.x + r.w && k.y >= r.y && k.y < r.y + r.h;
}

/* The moment of a column of the timeline is the newest point up to it. */
static void
click_timeline(struct app *a, int x)
{
	const struct rect *r = &a->layout.timeline;
	int cols = r->w - 2, at = x - r->x - 1;
	uint64_t end;
	size_t i = 0;

	if (a->point_count == 0 || cols < 1 || at < 0 || at >= cols)
		return;
	end = app_since_start(a, a->points[a->point_count - 1].ns);
	end = (uint64_t)((double)end * (at + 1) / cols);
	app_thaw(a);
	while (i + 1 < a->point_count &&
	    app_since_start(a, a->points[i + 1].ns) <= end)
		i++;
	app_look_at(a, i);
}

static void
mouse(struct app *a, struct key k, struct request *r)
{
	const struct view *v = view_at(a->view);
	bool wheel = k.code != K_CLICK;

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
	if (!wheel && inside(a->layout.timeline, k))
		click_timeline(a, k.x);
	else if (inside(a->layout.head, k) || inside(a->layout.body, k)) {
		a->detail_keys = false;
		if (v->mouse(a, k))
			act(a, ACTION_ENTER, r);
	} else if (!wheel && inside(a->layout.detail, k))
		a->detail_keys = app_selected(a) != NULL;
}

void
app_key(struct app *a, struct key k, struct request *r)
{
	if (k.code == K_NONE || k.code == K_RESIZE)
		return;
	a->message[0] = '\0';
	a->dirty |= APP_DIRTY_VIEW;
	if (a->over != OVER_NONE)
		app_over_key(a, k, r);
	else if (a->typing)
		console_type(a, k, r);
	else if (key_is_mouse(k))
		mouse(a, k, r);
	else
		act(a, keymap_action(k, app_context(a)), r);
}
