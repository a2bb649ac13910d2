#include "run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fmt.h"
#include "finish.h"
#include "io/launch.h"
#include "io/listen.h"
#include "io/precheck.h"
#include "io/procfs.h"
#include "options.h"
#include "session.h"
#include "target.h"

#define SETTLE_NS UINT64_C(2500000000)

/* Rates of DESIGN: 64 KiB where somebody looks on. */
#define LG_WATCHED 16
#define LG_EXEC    19

struct run {
	struct session *s;
	const struct options *o;
	bool watched; /* false: precheck says that it cannot be */
	loop_timer tick;
	bool ended;
	int status; /* of waitpid */
};

/* HEAPTOP_DEFAULTS; filters that we run under as well are no danger. */
static const char *
make_defaults(unsigned lg, struct buf *b)
{
	buf_printf(b, "lg_prof_sample:%u,prof_probe:%u", lg,
	    procfs_harmless_filters());
	return buf_str(b);
}

static void
add_conf(struct buf *b, const char *key, unsigned value)
{
	buf_printf(b, "%s%s:%u", b->len ? "," : "", key, value);
}

/* HEAPTOP_CONF: what the options say, --conf last. */
static void
make_conf(const struct options *o, struct buf *b)
{
	unsigned lg = 0;

	while (o->sample_bytes >> lg > 1)
		lg++;
	if (o->sample_bytes || o->exact)
		add_conf(b, "lg_prof_sample", lg);
	if (o->max_depth)
		add_conf(b, "prof_bt_max", o->max_depth);
	if (o->conf)
		buf_printf(b, "%s%s", b->len ? "," : "", o->conf);
	if (o->sample_rounded)
		say("-s is rounded to a power of two: %s", fmt_sampling(lg).s);
}

/* 0 if it may be started, else the exit status. */
static int
check(const struct options *o, struct precheck *pc)
{
	struct err e;
	char *path = NULL;
	int status = launch_find(o->program[0], &path, &e);

	if (status) {
		say("%s", e.msg);
		return status;
	}
	precheck_file(path, o->program[0], pc);
	free(path);
	if (*pc->sentence)
		say("%s", pc->sentence);
	/* Who asked for a report gets none from an unwatched program: better
	 * to say so before it runs than after. */
	if (pc->verdict == PRECHECK_REFUSE ||
	    (o->report && pc->verdict != PRECHECK_RUN))
		return LAUNCH_FAILED;
	return 0;
}

/* A program of another machine may run by an emulator; if there is none, why
 * not was said. */
static void
say_unstarted(const struct precheck *pc, int status, const struct err *e)
{
	if (pc->kind != PRECHECK_MACHINE || status != LAUNCH_NOT_EXEC)
		say("%s", e->msg);
}

/* ---- events ---- */

static void
on_tick(void *arg)
{
	struct run *r = arg;

	session_round(r->s);
}

static void
on_round(struct session *s)
{
	struct run *r = s->user;

	/* A run's last snapshot is printed when everything has come in. */
	if (r->ended || s->quit || r->o->report || batch_done(s))
		return;
	batch_print(s);
	if (batch_done(s))
		loop_cancel(s->loop, r->tick);
}

static void
on_child(void *arg, int sig)
{
	struct run *r = arg;

	(void)sig;
	if (r->ended || launch_reap(r->s->root, &r->status) != 1)
		return;
	r->ended = true;
	loop_stop(r->s->loop);
}

/* The terminal sends these to the program too, which decides what they
 * mean; after its end they hurry us. */
static void
on_interrupt(void *arg, int sig)
{
	struct run *r = arg;

	if (r->ended)
		r->s->quit = sig;
}

static void
on_quit(void *arg, int sig)
{
	struct run *r = arg;

	r->s->quit = sig;
	loop_stop(r->s->loop);
}

static int
take_signals(struct run *r, struct err *e)
{
	struct loop *l = r->s->loop;

	if (loop_signal(l, SIGCHLD, on_child, r, e) < 0 ||
	    loop_signal(l, SIGINT, on_interrupt, r, e) < 0 ||
	    loop_signal(l, SIGQUIT, on_interrupt, r, e) < 0 ||
	    loop_signal(l, SIGTERM, on_quit, r, e) < 0 ||
	    loop_signal(l, SIGHUP, on_quit, r, e) < 0)
		return -1;
	return 0;
}

/* ---- the run ---- */

static int
start(struct run *r, struct err *e)
{
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct buf conf = BUF_INIT, defaults = BUF_INIT;
	int status;

	l.argv = r->o->program;
	l.signals = &r->s->signals;
	l.rundir = &r->s->dir;
	l.preload = r->watched;
	if (r->watched) {
		make_conf(r->o, &conf);
		l.socket = listen_path(r->s->listener);
		l.defaults = make_defaults(LG_WATCHED, &defaults);
		l.conf = conf.len ? buf_str(&conf) : NULL;
	}
	status = launch_start(&l, &r->s->root, e);
	buf_fini(&conf);
	buf_fini(&defaults);
	return status;
}

/* How a program ended, for its last block. */
static void
describe(int status, char *out, size_t size)
{
	const char *name;

	if (!WIFSIGNALED(status)) {
		snprintf(out, size, "exited %d", WEXITSTATUS(status));
		return;
	}
	name = sigabbrev_np(WTERMSIG(status));
	snprintf(out, size, "was killed by SIG%s%s", name ? name : "?",
	    WCOREDUMP(status) ? " (core dumped)" : "");
}

static void
run_to_end(struct run *r)
{
	char end[64] = "";
	struct err e;

	r->tick = loop_every(r->s->loop, r->o->interval_ns, on_tick, r);
	on_child(r, SIGCHLD); /* its signal may have come before the loop */
	while (!r->ended && !r->s->quit)
		if (loop_run(r->s->loop, &e) < 0) {
			say("%s", e.msg);
			break;
		}
	loop_cancel(r->s->loop, r->tick);
	if (!r->watched)
		return;
	session_settle(r->s, SETTLE_NS);
	if (!r->ended)
		return;
	describe(r->status, end, sizeof end);
	finish_root(r->s, end);
}

/* What there is to print at the end. */
static void
print_end(struct run *r)
{
	if (!r->watched)
		return;
	if (!finish_any(r->s))
		finish_say_nothing(r->s, r->o->program[0]);
	else if (r->o->report)
		finish_report(r->s);
	else if (!batch_done(r->s))
		batch_print(r->s);
}

/* The exit status that says all, and dying where that says more. */
static int
leave(const struct run *r, bool output_failed)
{
	if (!r->ended) {
		say("%s (process %ld) goes on running, unwatched",
		    r->o->program[0], (long)r->s->root);
		launch_die_alike(r->s->quit);
		return r->s->quit ? 128 + r->s->quit : LAUNCH_FAILED;
	}
	launch_die_alike(r->status);
	if (launch_status(r->status) == 0 && output_failed)
		return LAUNCH_FAILED;
	return launch_status(r->status);
}

int
run_program(const struct options *o, const struct sigstate *signals)
{
	struct session s;
	struct run r = { .s = &s, .o = o };
	struct precheck pc;
	struct err e;
	int status = check(o, &pc);

	if (status)
		return status;
	r.watched = pc.verdict == PRECHECK_RUN;
	if (session_open(&s, o, signals, STDERR_FILENO, &e) < 0) {
		say("%s", e.msg);
		return LAUNCH_FAILED;
	}
	s.user = &r;
	s.round_done = on_round;
	if (take_signals(&r, &e) < 0 ||
	    (r.watched && session_listen(&s, &e) < 0))
		status = LAUNCH_FAILED;
	else
		status = start(&r, &e);
	if (status) {
		say_unstarted(&pc, status, &e);
		session_close(&s);
		return status;
	}
	run_to_end(&r);
	print_end(&r);
	session_close(&s);
	return leave(&r, s.out.failed);
}

int
run_exec(const struct options *o, const struct sigstate *signals)
{
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct rundir dir = { .fd = -1 };
	struct buf conf = BUF_INIT, defaults = BUF_INIT;
	struct precheck pc;
	struct err e;
	int status = check(o, &pc);

	if (status)
		return status;
	l.preload = pc.verdict == PRECHECK_RUN;
	/* Only a symbolic link may need it; the program can do without. */
	if (rundir_open(&dir, NULL) == 0)
		l.rundir = &dir;
	l.argv = o->program;
	l.signals = signals;
	if (l.preload) {
		make_conf(o, &conf);
		l.defaults = make_defaults(LG_EXEC, &defaults);
		l.conf = conf.len ? buf_str(&conf) : NULL;
	}
	status = launch_exec(&l, &e);
	say_unstarted(&pc, status, &e);
	buf_fini(&conf);
	buf_fini(&defaults);
	rundir_close(&dir);
	return status;
}
