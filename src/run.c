#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
#include "start.h"
#include "target.h"

#define SETTLE_NS UINT64_C(2500000000)

struct run {
	struct session *s;
	const struct options *o;
	struct start start;
	loop_timer tick;
	bool ended;
	int status; /* of waitpid */
	int report; /* what became of the report, see reports.h */
};

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
	if (r->ended || s->quit || batch_done(s) ||
	    (r->o->report && !batch_wanted(r->o)))
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

/* Without a pty the program writes to the file itself. */
static int
open_target_output(struct launch_options *l, const char *path, struct err *e)
{
	int fd;

	if (!path)
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(e, "cannot write %s", path);
	l->out = l->err = fd;
	return 0;
}

static int
start(struct run *r, struct err *e)
{
	struct start *st = &r->start;
	int status;

	start_prepare(st, r->o, START_LG_WATCHED,
	    st->watched ? listen_path(r->s->listener) : NULL);
	st->launch.signals = &r->s->signals;
	st->launch.rundir = &r->s->dir;
	if (open_target_output(&st->launch, r->o->target_output, e) < 0)
		return LAUNCH_FAILED;
	status = launch_start(&st->launch, &r->s->root, e);
	if (st->launch.out >= 0)
		close(st->launch.out);
	return status;
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
	if (!r->start.watched)
		return;
	session_settle(r->s, SETTLE_NS);
	if (!r->ended)
		return;
	start_describe_end(r->status, end, sizeof end);
	finish_root(r->s, end);
}

/* What there is to print at the end. */
static void
print_end(struct run *r)
{
	if (!r->start.watched)
		return;
	if (!finish_any(r->s))
		finish_say_nothing(r->s, r->o->program[0]);
	else if (batch_done(r->s))
		return;
	else if (r->o->report)
		r->report = finish_report(r->s);
	else
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
	if (launch_status(r->status) != 0)
		return launch_status(r->status);
	if (output_failed || r->report == 1)
		return LAUNCH_FAILED;
	return r->report; /* 0, or a gate failed */
}

int
run_program(const struct options *o, const struct sigstate *signals)
{
	struct session s;
	struct run r = { .s = &s, .o = o };
	struct err e;
	/* Who asked for a report gets none from an unwatched program: better
	 * to say so before it runs than after. */
	int status = start_check(&r.start, o, o->report != REPORT_NONE);

	if (status)
		return status;
	if (session_open(&s, o, signals, STDERR_FILENO, &e) < 0) {
		say("%s", e.msg);
		return LAUNCH_FAILED;
	}
	s.user = &r;
	s.round_done = on_round;
	if (take_signals(&r, &e) < 0 ||
	    (r.start.watched && session_listen(&s, &e) < 0))
		status = LAUNCH_FAILED;
	else
		status = start(&r, &e);
	if (status) {
		start_say_failed(&r.start, status, &e);
		start_fini(&r.start);
		session_close(&s);
		return status;
	}
	start_fini(&r.start);
	run_to_end(&r);
	print_end(&r);
	session_close(&s);
	return leave(&r, s.out.failed);
}

int
run_exec(const struct options *o, const struct sigstate *signals)
{
	struct rundir dir = { .fd = -1 };
	struct start st;
	struct err e;
	int status = start_check(&st, o, false);

	if (status)
		return status;
	start_prepare(&st, o, START_LG_EXEC, NULL);
	st.launch.signals = signals;
	/* Only a symbolic link may need it; the program can do without. */
	if (rundir_open(&dir, NULL) == 0)
		st.launch.rundir = &dir;
	status = launch_exec(&st.launch, &e);
	start_say_failed(&st, status, &e);
	start_fini(&st);
	rundir_close(&dir);
	return status;
}
