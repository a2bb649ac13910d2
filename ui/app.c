#include "ui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/vec.h"
#include "model/ages.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/report.h"
#include "ui/app_keys.h"
#include "ui/columns.h"
#include "ui/console.h"
#include "ui/listing.h"
#include "ui/view.h"

/* ---- the question ------------------------------------------------------ */

static snap_id
shown(const struct app *a)
{
	return a->at ? a->at : a->mark[1].id;
}

void
app_query_changed(struct app *a)
{
	const struct view *v = view_at(a->view);

	a->query.focus = a->focus ? a->focus : a->asked.focus;
	a->query.ignore = a->ignore ? a->ignore : a->asked.ignore;
	a->query.at = shown(a);
	a->query.base = a->mark[0].id;
	a->query.since_start = a->mark[0].id == 0;
	a->ask = a->query;
	if (v && v->ask)
		v->ask(a, &a->ask);
	a->dirty |= APP_DIRTY_QUERY;
}

bool
app_wants_report(const struct app *a)
{
	return (a->dirty & (APP_DIRTY_DATA | APP_DIRTY_QUERY)) != 0;
}

bool
app_wants_memory(const struct app *a)
{
	return a->view == CONTEXT_MEMORY && !a->paused && a->at == 0 &&
	    !app_ended(a) && !app_is_file(a);
}

void
app_pins(const struct app *a, snap_id pins[3])
{
	pins[0] = a->at;
	pins[1] = a->mark[0].id;
	pins[2] = a->mark[1].id;
}

/* ---- life -------------------------------------------------------------- */

void
app_init(struct app *a, const struct query *query, int width, int height)
{
	memset(a, 0, sizeof *a);
	query_init(&a->asked);
	a->asked.grouping = GROUP_STACKS;
	if (query)
		a->asked = *query;
	a->query = a->asked;
	a->query.tree = false;
	a->query.difference = false;
	a->query.max_rows = 0;
	a->query.min_fraction = 0;
	a->view = CONTEXT_TOP;
	a->rows_asked = APP_ROWS;
	keymap_init(&a->keys);
	a->target.active = true;
	a->output_hit = SIZE_MAX;
	a->width = width;
	a->height = height;
	app_query_changed(a);
	app_lay_out(a);
}

/* They are not of another report, nor of a profile that went on. */
static void
forget_ages(struct app *a)
{
	ages_free(a->ages);
	a->ages = NULL;
}

/* Every view as it was at first. */
static void
reset_views(struct app *a)
{
	for (int c = CONTEXT_TOP; c <= CONTEXT_MEMORY; c++) {
		const struct view *v = view_at((enum context)c);

		if (v && v->forget)
			v->forget(a);
		if (v && v->reset)
			v->reset(a);
	}
	a->seek.wanted = false;
}

void
app_fini(struct app *a)
{
	reset_views(a);
	forget_ages(a);
	app_fini_query(a);
	free(a->points);
	free(a->fresh);
	free(a->listed);
	scroll_fini(&a->output);
	listing_fini(&a->source);
	memset(a, 0, sizeof *a);
}

void
app_lay_out(struct app *a)
{
	const struct view *v = view_at(a->view);

	layout_build(&a->layout, a->width, a->height, app_screen(a));
	/* The report may be another view's: its own comes before it draws. */
	if (v && !(a->dirty & APP_DIRTY_QUERY))
		v->update(a);
	console_update(a);
	a->dirty |= APP_DIRTY_VIEW;
}

void
app_say(struct app *a, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->message, sizeof a->message, fmt, ap);
	va_end(ap);
	a->message_bad = bad;
	a->dirty |= APP_DIRTY_VIEW;
}

/* What is selected, for the view that follows. */
static bool
where(const struct app *a, struct app_seek *s)
{
	const struct view *v = view_at(a->view);
	const struct report_row *row;
	const struct report_stack *stack;

	if (v && a->report && v->where) {
		if (!v->where(a, s))
			return false;
	} else {
		row = app_selected(a);
		if (!row || row->stack >= a->report->stack_count)
			return false;
		stack = &a->report->stacks[row->stack];
		s->stack = stack->id;
		s->up = row->count ? stack->count - row->count : 0;
	}
	/* One who looks at a frame means that one. */
	if (a->detail_full || a->detail_keys)
		s->up += (uint32_t)a->frame;
	return true;
}

void
app_show_view(struct app *a, enum context view)
{
	const struct view *v = view_at(a->view);
	struct app_seek seek = { .wanted = false };

	if (!view_at(view))
		return;
	if (view != a->view) {
		/* The first row, until one moves: in a list that is another. */
		bool first = a->view == CONTEXT_TOP && !a->rows.chosen;

		seek.wanted =
		    !(first && view == CONTEXT_GROWTH) && where(a, &seek);
		if (v && v->forget)
			v->forget(a);
		a->view = view;
		a->seek = seek;
		app_query_changed(a);
	}
	a->detail_full = a->detail_keys = false;
	console_close(a);
}

/* ---- what others ask ---------------------------------------------------- */

enum context
app_context(const struct app *a)
{
	return a->over != OVER_NONE ? CONTEXT_OVER : app_screen(a);
}

enum context
app_screen(const struct app *a)
{
	return a->output_shown ? CONTEXT_OUTPUT
	    : a->detail_full   ? CONTEXT_DETAIL
			       : a->view;
}

bool
app_offers(const void *app, enum action action)
{
	const struct app *a = app;

	if (action >= ACTION_VIEW_TOP && action <= ACTION_VIEW_MEMORY)
		return view_at((enum context)(
			   action - ACTION_VIEW_TOP + CONTEXT_TOP)) != NULL;
	switch ((int)action) {
	case ACTION_TO_TREE: return view_at(CONTEXT_TREE) != NULL;
	case ACTION_TO_FLAME: return view_at(CONTEXT_FLAME) != NULL;
	case ACTION_PROCESS: return a->target.processes > 1;
	case ACTION_TYPE: return a->target.takes_input && !app_ended(a);
	case ACTION_SNAPSHOT: return !app_ended(a) && !app_is_file(a);
	case ACTION_RECORD:
	case ACTION_OUTPUT:
	case ACTION_SAVE:
		if (app_is_file(a))
			return false;
		break;
	default: break;
	}
	for (int c = CONTEXT_TOP; c < CONTEXT_COUNT; c++) {
		bool there = c > CONTEXT_MEMORY || view_at((enum context)c);

		if (there && keymap_holds(action, (enum context)c))
			return true;
	}
	return false;
}

const struct report_row *
app_selected(const struct app *a)
{
	const struct view *v = view_at(a->view);

	return v && a->report ? v->selected(a) : NULL;
}

const struct report_row *
app_row(const struct app *a, size_t i)
{
	return i < a->listed_count ? &a->report->rows[a->listed[i]] : NULL;
}

static uint64_t
key_at(const void *data, size_t i)
{
	const struct app *a = data;

	return a->report->rows[a->listed[i]].key;
}

struct list_rows
app_rows(const struct app *a, size_t page)
{
	return (struct list_rows){ a->listed_count, page, key_at, a };
}

size_t
app_row_count(const struct app *a)
{
	return a->report ? a->listed_count + a->listed_cut : 0;
}

uint64_t
app_since_start(const struct app *a, uint64_t ns)
{
	return ns > a->target.start_ns ? ns - a->target.start_ns : 0;
}

struct fmt
app_clock(const struct app *a, uint64_t ns)
{
	size_t n = a->point_count;

	if (!a->target.untimed)
		return fmt_clock(app_since_start(a, ns));
	while (n > 1 && a->points[n - 1].ns > ns)
		n--;
	return fmt_int((double)n);
}

uint64_t
app_shown_ns(const struct app *a)
{
	if (a->at)
		return a->at_ns;
	if (a->mark[1].id)
		return a->mark[1].ns;
	if (a->report && a->report->have_totals)
		return a->report->now_ns;
	return a->now_ns;
}

uint64_t
app_compared_ns(const struct app *a)
{
	return a->mark[0].id ? a->mark[0].ns : a->target.start_ns;
}

uint64_t
app_lost(const struct app *a)
{
	const uint64_t *lost;

	if (!a->report)
		return 0;
	lost = a->report->totals.lost;
	return lost[LOSS_TABLE_FULL] + lost[LOSS_STARTING] + lost[LOSS_NESTED] +
	    lost[LOSS_NOMEM];
}

bool
app_is_file(const struct app *a)
{
	return a->status.connection == APP_FILE;
}

bool
app_ended(const struct app *a)
{
	return a->status.connection == APP_ENDED ||
	    a->status.connection == APP_KILLED;
}

/* ---- events ------------------------------------------------------------- */

/* The executable among the modules; 0 if it is not there. */
static uint32_t
own_module(const struct profile *p)
{
	const struct modules *all = profile_modules(p);
	const char *image = profile_facts(p)->image;

	for (uint32_t id = 1; image && id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (m && *m->path && strcmp(m->path, image) == 0)
			return id;
	}
	return 0;
}

/* A notice if places of the program itself were asked for, and none has a
 * name. */
static void
tell_nameless(struct app *a, const struct profile *p)
{
	const struct frames *f = profile_frames_const(p);
	uint32_t own = own_module(p), known = 0, nameless = 0;

	for (frame_id id = 1; own && id <= frames_count(f); id++) {
		enum frame_state s = frames_state(f, id);

		if (frames_module(f, id) != own)
			continue;
		known += s == FRAME_NAMED;
		nameless += s == FRAME_NAMELESS;
	}
	if (known > 0 || nameless == 0) {
		if (a->notice == NOTICE_NAMES)
			a->notice = NOTICE_NONE;
	} else if (!a->names_told && a->notice == NOTICE_NONE) {
		a->notice = NOTICE_NAMES;
		a->names_told = true;
	}
}

static void
count_names(struct app *a, const struct profile *p)
{
	const struct frames *f = profile_frames_const(p);

	a->names = frames_count(f);
	a->names_known = frames_in(f, FRAME_NAMED);
	a->names_coming = frames_in(f, FRAME_ASKED);
	if (a->names_version == frames_version(f) && a->names_seen == a->names)
		return;
	a->names_version = frames_version(f);
	a->names_seen = a->names;
	tell_nameless(a, p);
}

/* A snapshot that went before it could be pinned: the one before stands for
 * it, as in the report. */
static void
keep_moment(struct app *a, snap_id *id, uint64_t *ns,
    const struct app_point *points, size_t n)
{
	size_t i = n;

	while (i > 1 && points[i - 1].id > *id)
		i--;
	if (*id == 0 || n == 0 || points[i - 1].id == *id)
		return;
	*id = points[i - 1].id;
	*ns = points[i - 1].ns;
	a->query.at = a->ask.at = a->at ? a->at : a->mark[1].id;
	a->query.base = a->ask.base = a->mark[0].id;
	a->dirty |= APP_DIRTY_PINS;
}

static void
raise_peak(struct app *a)
{
	for (size_t i = 0; i < a->point_count; i++) {
		if (a->points[i].live_bytes > a->peak)
			a->peak = a->points[i].live_bytes;
	}
}

void
app_thaw(struct app *a)
{
	struct app_point *old = a->points;
	size_t cap = a->point_cap;

	if (!a->paused || a->fresh_count == 0)
		return;
	a->points = a->fresh;
	a->point_count = a->fresh_count;
	a->point_cap = a->fresh_cap;
	a->fresh = old;
	a->fresh_cap = cap;
	a->fresh_count = 0;
	raise_peak(a);
	/* Its rows are of those that were there. */
	if (a->view == CONTEXT_SNAPSHOTS)
		view_at(a->view)->update(a);
}

static void
take_points(struct app *a, const struct app_event *e)
{
	size_t n = e->point_count;
	struct app_point *to;

	if (a->paused) {
		VEC_ROOM(a->fresh, a->fresh_cap, n);
		a->fresh_count = n;
		to = a->fresh;
	} else {
		VEC_ROOM(a->points, a->point_cap, n);
		a->point_count = n;
		to = a->points;
	}
	if (n)
		memcpy(to, e->points, n * sizeof *to);
	a->kept_bytes = e->kept_bytes;
	keep_moment(a, &a->at, &a->at_ns, to, n);
	for (int i = 0; i < 2; i++)
		keep_moment(a, &a->mark[i].id, &a->mark[i].ns, to, n);
	if (!a->paused)
		raise_peak(a);
}

/* What there is without a filter, to say what one leaves out. */
static void
take_whole(struct app *a)
{
	const struct report *r = a->report;

	if (app_filtered(a) || r->query.grouping != a->query.grouping)
		return;
	a->all = r->group_count;
	a->all_max = r->max_value;
	a->all_cum = 0;
	for (size_t i = 0; i < r->row_count; i++) {
		if (r->rows[i].cum.value > a->all_cum)
			a->all_cum = r->rows[i].cum.value;
	}
}

static void
take_rows(struct app *a)
{
	const struct report *r = a->report;

	a->listed_count = a->listed_cut = 0;
	if (!r)
		return;
	VEC_ROOM(a->listed, a->listed_cap, r->row_count);
	a->listed_count = columns_pick(r, a->listed);
	a->listed_cut = columns_cut(r, a->listed_count);
}

static void
take_report(struct app *a, const struct app_event *e)
{
	const struct view *v = view_at(a->view);

	if (v && v->forget)
		v->forget(a);
	forget_ages(a);
	a->report = e->report;
	if (a->report)
		a->ages = ages_new(a->report);
	app_free_old(a);
	take_points(a, e);
	take_rows(a);
	if (e->report) {
		count_names(a, e->report->profiles[0]);
		take_whole(a);
	}
	a->dirty &= ~(unsigned)(APP_DIRTY_DATA | APP_DIRTY_QUERY);
	a->dirty |= APP_DIRTY_VIEW;
	if (v && v->take && a->report)
		v->take(a);
	if (!app_wants_report(a))
		a->seek.wanted = false;
	if (v)
		v->update(a);
	if (a->listed_cut == 0)
		app_act_pending(a);
}

static void
take_target(struct app *a, const struct app_target *t)
{
	a->target = *t;
	a->typing = a->typing && t->takes_input;
	/* There is nothing to ask any more. */
	if (a->over == OVER_QUIT && !t->running)
		a->over = OVER_NONE;
	a->dirty |= APP_DIRTY_VIEW;
}

static void
take_status(struct app *a, const struct app_status *s)
{
	bool ended = app_ended(a);

	a->status = *s;
	if (app_ended(a))
		a->typing = false;
	if (app_ended(a) && !ended)
		a->notice = NOTICE_ENDED;
	else if (!app_ended(a) && ended && a->notice == NOTICE_ENDED)
		a->notice = NOTICE_NONE;
	a->dirty |= APP_DIRTY_VIEW;
}

/* One that comes late would be of another moment than the rest. */
static void
take_memory(struct app *a, const struct app_event *e)
{
	if (!a->paused)
		a->memory.seen = *e->memory;
	if (a->view == CONTEXT_MEMORY)
		app_lay_out(a);
}

/* Another process: what was known of the one before is forgotten; what was
 * asked, and how it is looked at, stays, and so does the output: it is that
 * of all of them. */
static void
forget(struct app *a)
{
	reset_views(a);
	forget_ages(a);
	a->report = NULL;
	a->listed_count = a->listed_cut = 0;
	a->rows_asked = APP_ROWS;
	a->pending = ACTION_NONE;
	app_free_old(a);
	a->point_count = a->fresh_count = 0;
	a->peak = 0;
	a->all = 0;
	a->all_max = a->all_cum = 0;
	a->names = a->names_known = a->names_coming = 0;
	a->names_version = 0;
	a->names_seen = 0;
	a->names_told = false;
	a->notice = NOTICE_NONE;
	a->paused = false;
	a->at = 0;
	memset(a->mark, 0, sizeof a->mark);
	memset(&a->rows, 0, sizeof a->rows);
	a->frame = a->frame_top = 0;
	a->detail_full = a->detail_keys = false;
	a->query.thread = a->asked.thread;
	memset(&a->status, 0, sizeof a->status);
	if (a->over == OVER_EXPORT || a->over == OVER_EXISTS)
		a->over = OVER_NONE;
	listing_fini(&a->source);
	a->dirty |= APP_DIRTY_PINS | APP_DIRTY_DATA;
	app_query_changed(a);
	app_lay_out(a);
}

/* The process is the same, and so is what is looked at. */
static void
take_more(struct app *a, const struct app_event *e)
{
	const struct view *v = view_at(a->view);
	bool paused = a->paused;

	if (v && v->forget)
		v->forget(a);
	forget_ages(a);
	a->report = NULL;
	a->listed_count = 0;
	app_renumber(a, e->points, e->point_count);
	/* Those that are held would be of other snapshots. */
	a->paused = false;
	a->fresh_count = 0;
	take_points(a, e);
	a->paused = paused;
	app_lay_out(a);
	a->dirty |= APP_DIRTY_DATA;
}

struct request
app_event(struct app *a, const struct app_event *e)
{
	struct request r = { .kind = REQUEST_NONE };

	if (e->now_ns > a->now_ns)
		a->now_ns = e->now_ns;
	switch (e->kind) {
	case APP_KEY: app_key(a, e->key, &r); break;
	case APP_RESIZE:
		a->width = e->width;
		a->height = e->height;
		a->dirty |= APP_DIRTY_SIZE;
		app_lay_out(a);
		break;
	case APP_DATA:
		forget_ages(a);
		a->dirty |= APP_DIRTY_DATA;
		break;
	case APP_REPORT: take_report(a, e); break;
	case APP_TARGET: take_target(a, e->target); break;
	case APP_STATUS: take_status(a, e->status); break;
	case APP_MESSAGE: app_say(a, e->bad, "%s", e->text); break;
	case APP_OUTPUT: console_take(a, e); break;
	case APP_OTHER: forget(a); break;
	case APP_MORE: take_more(a, e); break;
	case APP_SOURCE: listing_take(a, e); break;
	case APP_MEMORY: take_memory(a, e); break;
	case APP_EXISTS:
		a->wanted = *e->request;
		app_open(a, OVER_EXISTS);
		a->dirty |= APP_DIRTY_VIEW;
		break;
	}
	return r;
}
