/* Which moment is looked at, and what it is compared with. */
#include "ui/app_keys.h"

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

size_t
app_point_at(const struct app *a, uint64_t ns)
{
	size_t i = a->point_count;

	while (i > 0 && a->points[i - 1].ns > ns)
		i--;
	return i > 0 ? i - 1 : a->point_count;
}

/* The newest snapshot from now on; a mark B is forgotten. */
void
app_follow(struct app *a)
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
		app_follow(a);
		return;
	}
	a->paused = false;
	a->at = a->points[point].id;
	a->at_ns = a->points[point].ns;
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

/* One who has looked at another moment comes back to mark B, if there is
 * one. */
void
app_look_away(struct app *a)
{
	if (a->paused || a->mark[1].id == 0 || a->at == a->mark[1].id) {
		app_follow(a);
		return;
	}
	a->at = 0;
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

void
app_mark_point(struct app *a, int which, size_t point)
{
	struct app_mark *m = &a->mark[which];

	if (point >= a->point_count)
		return;
	if (m->id == a->points[point].id)
		*m = (struct app_mark){ 0, 0 };
	else
		*m = (struct app_mark){ a->points[point].id,
			a->points[point].ns };
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

static void
set_mark(struct app *a, int which)
{
	size_t at = shown_point(a);

	if (at == a->point_count)
		app_say(a, false, "there is no snapshot to mark");
	else
		app_mark_point(a, which, at);
}

/* From the older to the newer; the newest of all is no moment, it goes on. */
void
app_compare(struct app *a, size_t from, size_t to)
{
	size_t last = a->point_count - 1;

	if (from >= a->point_count || to >= a->point_count)
		return;
	if (from > to) {
		size_t swap = from;

		from = to;
		to = swap;
	}
	a->paused = false;
	a->at = 0;
	a->mark[0] =
	    (struct app_mark){ a->points[from].id, a->points[from].ns };
	a->mark[1] = (struct app_mark){ 0, 0 };
	if (to < last || app_is_file(a))
		a->mark[1] =
		    (struct app_mark){ a->points[to].id, a->points[to].ns };
	a->dirty |= APP_DIRTY_PINS;
	app_query_changed(a);
}

/* The id of the newest of them that is not newer. */
static snap_id
id_at(const struct app_point *p, size_t n, uint64_t ns)
{
	while (n > 1 && p[n - 1].ns > ns)
		n--;
	return n ? p[n - 1].id : 0;
}

void
app_renumber(struct app *a, const struct app_point *points, size_t n)
{
	if (a->at)
		a->at = id_at(points, n, a->at_ns);
	for (int i = 0; i < 2; i++) {
		if (a->mark[i].id)
			a->mark[i].id = id_at(points, n, a->mark[i].ns);
	}
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
	case ACTION_FOLLOW: app_follow(a); break;
	case ACTION_PAUSE: pause_screen(a); break;
	default: return false;
	}
	return true;
}
