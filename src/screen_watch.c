#include "screen_watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "io/channel.h"
#include "io/dumpread.h"
#include "io/keeper.h"
#include "io/procfs.h"
#include "io/symbols.h"
#include "model/profile.h"
#include "options.h"
#include "output.h"
#include "screen_ask.h"
#include "screen_tell.h"
#include "start.h"
#include "target.h"

#define SECOND_NS UINT64_C(1000000000)
#define NAMES_NS  UINT64_C(200000000)
#define EAGER_NS  UINT64_C(30000000)

/* ---- what is told ------------------------------------------------------ */

void
watch_tell(struct watch *w)
{
	struct app_event e = { .now_ns = loop_clock_ns() };
	struct app_target target;
	struct app_status status;

	tell_target(w, &target);
	e.kind = APP_TARGET;
	e.target = &target;
	if (memcmp(&target, &w->screen.app.target, sizeof target) != 0)
		screen_send(&w->screen, &e);
	tell_status(w, &status);
	e.kind = APP_STATUS;
	e.status = &status;
	if (memcmp(&status, &w->screen.app.status, sizeof status) != 0)
		screen_send(&w->screen, &e);
}

/* ---- which one is shown ------------------------------------------------- */

/* Is there anything of it to be seen? */
static bool
visible(const struct target *t)
{
	return t->profile && target_samples(t) > 0;
}

unsigned
watch_count(const struct watch *w, unsigned *shown)
{
	unsigned n = 0;

	*shown = 0;
	for (const struct target *t = w->s->targets; t; t = t->next) {
		if (t != w->shown && (!visible(t) || t->replaced))
			continue;
		n++;
		if (t == w->shown)
			*shown = n;
	}
	return n;
}

/* Largest among those that live, or of all. */
static struct target *
largest(const struct watch *w, bool living)
{
	struct target *best = NULL;

	for (struct target *t = w->s->targets; t; t = t->next) {
		if (!visible(t) || t->replaced || (living && t->ended))
			continue;
		if (!best || target_live(t) > target_live(best))
			best = t;
	}
	return best;
}

/* Who should be shown now. */
static struct target *
choose(const struct watch *w)
{
	struct target *now = w->shown, *other = largest(w, true), *next;

	if (!now)
		return other ? other : largest(w, false);
	if (now->replaced) {
		next = session_find(w->s, now->pid);
		if (next && next != now && visible(next))
			return next;
	}
	/* When all have ended the one that was worth the most is left. */
	if (!other && now->ended)
		other = largest(w, false);
	if (w->chosen || !other || other == now)
		return now;
	if (now->ended && other->ended)
		return target_live(other) > 2 * target_live(now) ? other : now;
	if (now->ended && target_live(other) >= target_live(now) / 2)
		return other;
	return target_live(other) > 2 * target_live(now) ? other : now;
}

static void
show(struct watch *w, struct target *t)
{
	if (t == w->shown)
		return;
	w->shown = w->s->kept = t;
	w->look_due_ns = 0;
	w->look_asked = false;
	screen_show(&w->screen, t ? t->profile : NULL);
	watch_tell(w);
	screen_changed(&w->screen);
}

void
watch_next(struct watch *w)
{
	struct target *t = w->shown, *first = w->s->targets;

	if (!t)
		return;
	do
		t = t->next ? t->next : first;
	while (t != w->shown && (!visible(t) || t->replaced));
	if (t == w->shown) {
		screen_say(&w->screen, false, "there is no other process");
		return;
	}
	w->chosen = true;
	show(w, t);
}

/* ---- what the session says ---------------------------------------------- */

static void
put_memory(const struct target *t)
{
	struct procfs_memory m;

	if (!t->ended && procfs_memory(t->pid, &m) == 0)
		profile_put_process(t->profile, m.rss_bytes, m.virtual_bytes,
		    m.swap_bytes, m.major_faults);
}

/* Looking costs the process, too: between two looks lies as much time as
 * a hundred of them take, and this. */
#define LOOKS_APART 100
#define LOOKS_NS    UINT64_C(900000000)

static bool
look_due(const struct watch *w)
{
	return w->shown && !w->shown->ended &&
	    loop_clock_ns() >= w->look_due_ns &&
	    app_wants_memory(&w->screen.app);
}

static void
look(struct watch *w)
{
	struct app_event e = { .kind = APP_MEMORY };
	uint64_t before = loop_clock_ns(), cost;
	struct err why;

	if (!look_due(w))
		return;
	w->look_asked = false;
	if (target_look(w->shown, &why) < 0) {
		w->look_due_ns = UINT64_MAX; /* it will be the same again */
		screen_say(&w->screen, true, "%s", why.msg);
		return;
	}
	cost = loop_clock_ns() - before;
	w->look_due_ns = before +
	    (cost * LOOKS_APART > LOOKS_NS ? cost * LOOKS_APART : LOOKS_NS);
	e.memory = profile_seen(w->shown->profile);
	screen_send(&w->screen, &e);
}

/* One wants to see it now: at a snapshot of its own, so that both are of one
 * moment, or at once if there is none to be had. */
static void
on_updated(void *arg)
{
	struct watch *w = arg;

	if (!look_due(w) || w->look_asked)
		return;
	w->look_asked = true;
	if (w->shown->late || !w->shown->channel)
		look(w);
	else
		session_pull(w->s);
}

static void
on_snapshot(struct session *s, struct target *t)
{
	struct watch *w = s->user;

	put_memory(t);
	if (t == w->shown)
		look(w);
	symbols_ask(s->symbols);
	ask_due(w, t);
	show(w, choose(w));
	if (t != w->shown)
		return;
	/* A screen that is held wants to know, too: its report borrows the
	 * profile, and its clock goes on. */
	screen_changed(&w->screen);
	watch_tell(w);
}

static void
on_target_gone(struct session *s, struct target *t)
{
	struct watch *w = s->user;

	if (w->recorded == t)
		ask_record_end(w);
	symbols_ask(s->symbols);
	show(w, choose(w));
	if (t == w->shown)
		screen_changed(&w->screen);
	watch_tell(w);
	/* Of the program itself the keeper tells, with its status. */
	if (w->ending && !watch_lives(w) && (!w->keeper || w->ended)) {
		w->done = true;
		loop_stop(s->loop);
	}
	if (w->gone)
		w->gone(w->gone_arg, t);
}

static void
show_names(void *arg)
{
	struct watch *w = arg;

	w->names_due = 0;
	w->names_ns = loop_clock_ns();
	if (w->shown)
		screen_named(&w->screen);
	watch_tell(w);
}

/* Each name makes the report anew: they are shown some at a time. */
static void
on_names(struct session *s)
{
	struct watch *w = s->user;

	if (w->names_due)
		return;
	if (loop_clock_ns() - w->names_ns >= NAMES_NS)
		show_names(w);
	else
		w->names_due = loop_after(s->loop, NAMES_NS, show_names, w);
}

static void
on_tick(void *arg)
{
	struct watch *w = arg;

	session_pull(w->s);
	if (w->shown && w->shown->late)
		watch_tell(w);
}

/* Until there is something to see nobody wants to wait for the next tick. */
static void
on_eager(void *arg)
{
	struct watch *w = arg;

	if (w->shown || w->ended) {
		loop_cancel(w->s->loop, w->eager);
		w->eager = 0;
		return;
	}
	session_pull(w->s);
}

/* Of a program whose keeper was killed nobody tells that it has ended. */
static bool
ended_untold(const struct watch *w)
{
	struct procfs_stat now;

	return w->launched && !w->keeper && !w->ended &&
	    (procfs_stat(w->s->root, &now) < 0 || now.state == 'Z');
}

/* Before a first sample only /proc tells anything. */
static void
on_second(void *arg)
{
	struct watch *w = arg;

	if (ended_untold(w))
		watch_gone(w);
	if (!w->shown && !w->ended)
		screen_changed(&w->screen); /* how long it runs */
	/* One that is about to end may look as if it had become another. */
	if (!w->shown || w->shown->late || w->shown->ended)
		watch_tell(w);
}

void
watch_every(struct watch *w, uint64_t interval_ns)
{
	loop_cancel(w->s->loop, w->tick);
	w->interval_ns = interval_ns;
	w->tick = loop_every(w->s->loop, interval_ns, on_tick, w);
}

/* ---- what the screen says ----------------------------------------------- */

static void
on_leave(void *arg, int sig)
{
	struct watch *w = arg;

	w->quit = sig;
	w->done = true;
	loop_stop(w->s->loop);
}

static void
on_resized(void *arg, const struct winsize *size)
{
	struct watch *w = arg;

	if (w->keeper)
		keeper_resize(w->keeper, size);
}

static bool
on_busy(void *arg)
{
	const struct watch *w = arg;
	const struct target *t = w->shown;

	return t && t->reader && dumpread_busy(t->reader);
}

static const struct screen_owner owner = {
	.request = ask_serve,
	.leave = on_leave,
	.resized = on_resized,
	.busy = on_busy,
	.updated = on_updated,
};

/* ---- beginning and end -------------------------------------------------- */

int
watch_open(struct watch *w, struct session *s, struct err *e)
{
	if (screen_open(&w->screen, s->o, s->loop, &owner, w, e) < 0)
		return -1;
	w->s = s;
	w->started_ns = loop_clock_ns();
	procfs_command(s->root, w->command, sizeof w->command);
	/* One that has ended already has but a name, in brackets: its own
	 * will do. */
	if (w->launched && *w->command == '[')
		*w->command = '\0';
	s->user = w;
	s->snapshot = on_snapshot;
	s->target_gone = on_target_gone;
	s->names = on_names;
	s->answered = ask_answered;
	watch_every(w, s->o->interval_ns);
	w->second = loop_every(s->loop, SECOND_NS, on_second, w);
	w->eager = loop_every(s->loop, EAGER_NS, on_eager, w);
	watch_tell(w);
	return 0;
}

void
watch_run(struct watch *w)
{
	struct err e;

	while (!w->done)
		if (loop_run(w->s->loop, &e) < 0) {
			say("%s", e.msg);
			return;
		}
}

void
watch_close(struct watch *w)
{
	ask_record_end(w);
	loop_cancel(w->s->loop, w->tick);
	loop_cancel(w->s->loop, w->second);
	loop_cancel(w->s->loop, w->eager);
	loop_cancel(w->s->loop, w->names_due);
	loop_cancel(w->s->loop, w->end_wait);
	screen_close(&w->screen);
	w->s->snapshot = NULL;
	w->s->target_gone = NULL;
	w->s->names = NULL;
	w->s->answered = NULL;
	w->s->kept = NULL;
}

void
watch_ended(struct watch *w, int status)
{
	char end[64];

	w->ended = true;
	w->status = status;
	w->ended_ns = loop_clock_ns();
	start_describe_end(status, end, sizeof end);
	session_died(w->s, w->s->root, end);
	show(w, choose(w));
	watch_tell(w);
	if (w->ending) {
		w->done = true;
		loop_stop(w->s->loop);
	}
}

void
watch_gone(struct watch *w)
{
	w->ended = true;
	w->status = -1;
	w->ended_ns = loop_clock_ns();
	watch_tell(w);
	if (w->ending) {
		w->done = true;
		loop_stop(w->s->loop);
	}
}

void
watch_waiting(struct watch *w, const char *sentence)
{
	snprintf(w->waiting, sizeof w->waiting, "%s", sentence);
	watch_tell(w);
}

bool
watch_lives(const struct watch *w)
{
	return w->shown ? !w->shown->ended : !w->ended;
}
