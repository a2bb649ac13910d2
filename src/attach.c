#include "attach.h"

#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/err.h"
#include "connect.h"
#include "finish.h"
#include "io/launch.h"
#include "io/procfs.h"
#include "model/history.h"
#include "model/profile.h"
#include "options.h"
#include "pick.h"
#include "session.h"
#include "target.h"

/* A report waits this long for a process that cannot be talked to yet. */
#define PATIENCE_NS UINT64_C(10000000000)

struct attach {
	struct session *s;
	const struct options *o;
	bool once; /* one report, and no snapshots */
	struct connect connect;
	loop_timer tick, patience;
	loop_timer later; /* --seconds: the second snapshot */
	bool said_waiting;
	bool reached; /* a snapshot has come */
	bool failed;  /* the reason was said */
	int status;   /* what became of the report, see reports.h */
};

static void
give_up(struct attach *a, const char *why)
{
	say("%s", why);
	a->failed = !a->reached;
	loop_stop(a->s->loop);
}

static void
on_ready(void *arg)
{
	struct attach *a = arg;

	session_round(a->s);
}

static void
on_waiting(void *arg, const char *why)
{
	struct attach *a = arg;

	if (!a->said_waiting)
		say("%s; waiting for it", why);
	a->said_waiting = true;
}

/* That it has ended is no news once it was seen. */
static void
on_failed(void *arg, bool gone, const char *why)
{
	struct attach *a = arg;

	if (a->reached && gone)
		loop_stop(a->s->loop);
	else
		give_up(a, why);
}

static const struct connect_events events = {
	.ready = on_ready,
	.waiting = on_waiting,
	.failed = on_failed,
};

static void
on_patience(void *arg)
{
	struct attach *a = arg;

	if (connect_trying(&a->connect))
		give_up(a, "there is still nothing to report; try later");
}

static void
begin(struct attach *a)
{
	if (a->once && !a->patience)
		a->patience =
		    loop_after(a->s->loop, PATIENCE_NS, on_patience, a);
	connect_begin(&a->connect, a->s, &events, a);
}

static void
on_tick(void *arg)
{
	struct attach *a = arg;
	bool between = a->o->report == REPORT_GROWTH;

	if (!connect_trying(&a->connect) && (!a->later || between))
		session_round(a->s);
}

static void
on_later(void *arg)
{
	struct attach *a = arg;

	a->later = 0;
	session_round(a->s);
}

/* One snapshot, or one now and one later with what has changed between. */
static void
report_round(struct attach *a, struct target *t)
{
	const struct history *h = profile_history(t->profile);
	size_t n = history_count(h);

	if (!a->o->seconds_ns || (a->s->base && !a->later) || t->ended) {
		loop_stop(a->s->loop);
		return;
	}
	if (a->later || n == 0)
		return;
	a->s->base = history_at(h, n - 1)->id;
	profile_pin(t->profile, a->s->base, 1);
	a->later = loop_after(a->s->loop, a->o->seconds_ns, on_later, a);
}

static void
on_round(struct session *s)
{
	struct attach *a = s->user;
	struct target *t = session_find(s, s->root);

	if (!t || s->quit)
		return;
	a->reached = a->reached || target_samples(t) > 0;
	if (a->once) {
		report_round(a, t);
		return;
	}
	if (!batch_done(s))
		batch_print(s);
	if (batch_done(s))
		loop_stop(s->loop);
}

/* It has ended, or another program has taken its place. */
static void
on_target_gone(struct session *s, struct target *t)
{
	struct attach *a = s->user;

	if (t != session_find(s, s->root) || connect_trying(&a->connect))
		return;
	if (a->once || !target_process_lives(t)) {
		loop_stop(s->loop);
		return;
	}
	begin(a);
}

static void
on_signal(void *arg, int sig)
{
	struct attach *a = arg;

	a->s->quit = sig;
	loop_stop(a->s->loop);
}

static int
take_signals(struct attach *a, struct err *e)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (loop_signal(a->s->loop, signals[i], on_signal, a, e) < 0)
			return -1;
	return 0;
}

static void
print_end(struct attach *a)
{
	struct session *s = a->s;

	if (s->quit || a->failed || batch_done(s))
		return;
	if (a->o->report) {
		if (finish_any(s))
			a->status = finish_report(s);
		else
			say("process %ld has no samples yet", (long)s->root);
		return;
	}
	batch_print(s);
}

static void
watch(struct attach *a)
{
	struct err e;

	a->tick = loop_every(a->s->loop, a->o->interval_ns, on_tick, a);
	begin(a);
	if (!a->failed && loop_run(a->s->loop, &e) < 0)
		say("%s", e.msg);
	loop_cancel(a->s->loop, a->tick);
	loop_cancel(a->s->loop, a->later);
	loop_cancel(a->s->loop, a->patience);
	connect_stop(&a->connect);
}

int
attach_process(const struct options *o, const struct sigstate *signals)
{
	struct session s;
	struct attach a = {
		.s = &s, .o = o, .once = o->report && !batch_wanted(o)
	};
	struct err e;
	pid_t pid;
	int status;

	if (!o->target && pick_process(&pid, &status) < 0)
		return status;
	if ((o->target && procfs_find(o->target, &pid, &e) < 0) ||
	    session_open(&s, o, signals, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		return 1;
	}
	s.root = pid;
	s.user = &a;
	s.round_done = on_round;
	s.target_gone = on_target_gone;
	if (take_signals(&a, &e) < 0) {
		say("%s", e.msg);
		session_close(&s);
		return 1;
	}
	watch(&a);
	print_end(&a);
	session_close(&s);
	launch_die_alike(s.quit);
	if (a.failed || s.out.failed || !a.reached)
		return 1;
	return a.status;
}
