#include "screen_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/keeper.h"
#include "io/listen.h"
#include "options.h"
#include "output.h"
#include "screen.h"
#include "screen_watch.h"
#include "session.h"
#include "start.h"
#include "target.h"

/* A program that has just ended may have children that are about to call. */
#define SETTLE_NS UINT64_C(200000000)

struct program {
	struct watch w;
	struct session s;
	struct keeper *keeper;
};

/* ---- what the keeper says ----------------------------------------------- */

static void
on_output(void *arg, struct keeper *k, const char *data, size_t len)
{
	struct program *p = arg;
	struct app_event e = { .kind = APP_OUTPUT, .data = data, .len = len };

	(void)k;
	screen_send(&p->w.screen, &e);
}

static void
on_status(void *arg, struct keeper *k, int status)
{
	struct program *p = arg;

	(void)k;
	if (WIFEXITED(status) || WIFSIGNALED(status))
		watch_ended(&p->w, status);
}

static void
on_losses(void *arg, struct keeper *k)
{
	struct program *p = arg;
	const struct keeper_losses *l = keeper_losses(k);

	if (l->log_error)
		screen_say(&p->w.screen, true, "%s is not written any more: %s",
		    p->s.o->target_output, strerror(l->log_error));
	else if (l->log)
		screen_say(&p->w.screen, true,
		    "the reader of %s is too slow; %llu bytes are missing "
		    "there",
		    p->s.o->target_output, (unsigned long long)l->log);
	else if (l->input)
		screen_say(&p->w.screen, true,
		    "the program does not read what is typed");
}

static void
on_gone(void *arg, struct keeper *k, const char *why)
{
	struct program *p = arg;

	keeper_free(k);
	p->keeper = p->w.keeper = NULL;
	say("%s", why);
}

static const struct keeper_events events = {
	.on_output = on_output,
	.on_status = on_status,
	.on_losses = on_losses,
	.on_gone = on_gone,
};

/* ---- start -------------------------------------------------------------- */

/* The program's terminal is like ours, before ours is made raw. */
static void
look_at_terminal(
    struct keeper_options *k, struct termios *modes, struct winsize *size)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (tcgetattr(fd, modes) == 0)
		k->termios = modes;
	if (ioctl(fd, TIOCGWINSZ, size) == 0)
		k->size = size;
	close(fd);
}

/* A pipe on our stdin is the program's now, not ours: its writer is to see
 * when the program closes it. */
static void
let_go_of_input(unsigned pty)
{
	int fd = pty & 1u ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	dup2(fd, STDIN_FILENO);
	close(fd);
}

static int
start(struct program *p, struct start *st, struct err *e)
{
	struct keeper_options k = { .launch = &st->launch,
		.pty = keeper_terminals(),
		.log = p->s.o->target_output };
	struct termios modes;
	struct winsize size;
	int status;

	start_prepare(st, p->s.o, START_LG_WATCHED, listen_path(p->s.listener));
	st->launch.signals = &p->s.signals;
	st->launch.rundir = &p->s.dir;
	look_at_terminal(&k, &modes, &size);
	status = keeper_start(p->s.loop, &k, &events, p, &p->keeper, e);
	if (status)
		return status;
	let_go_of_input(k.pty);
	p->s.root = keeper_pid(p->keeper);
	p->w.keeper = p->keeper;
	p->w.pty = k.pty;
	p->w.launched = true;
	p->w.name = p->s.o->program[0];
	return 0;
}

/* ---- end ---------------------------------------------------------------- */

static int
leave(const struct program *p)
{
	const struct watch *w = &p->w;

	if (!w->ended) {
		say("%s (process %ld) goes on running; heaptop -p %ld watches "
		    "it again",
		    w->name, (long)p->s.root, (long)p->s.root);
		launch_die_alike(w->quit);
		return w->quit ? 128 + w->quit : 0;
	}
	if (w->status < 0)
		return LAUNCH_FAILED; /* why was said */
	launch_die_alike(w->status);
	return launch_status(w->status);
}

static int
watch_program(struct program *p)
{
	struct err e;

	if (watch_open(&p->w, &p->s, &e) < 0) {
		say("%s", e.msg);
		return -1;
	}
	watch_run(&p->w);
	watch_close(&p->w);
	return 0;
}

/* The exit status. */
static int
run(struct program *p, struct start *st)
{
	struct err e;
	int status = LAUNCH_FAILED;

	if (session_listen(&p->s, &e) == 0)
		status = start(p, st, &e);
	if (status) {
		start_say_failed(st, status, &e);
		return status;
	}
	if (watch_program(p) < 0)
		p->w.quit = 0;
	keeper_free(p->keeper);
	return 0;
}

int
screen_run(const struct options *o, const struct sigstate *signals)
{
	struct program *p;
	struct start st;
	struct err e;
	int status = start_check(&st, o, true);

	if (status)
		return status;
	p = xcalloc(1, sizeof *p);
	if (screen_check(o, &e) < 0 ||
	    session_open(&p->s, o, signals, STDERR_FILENO, &e) < 0) {
		say("%s", e.msg);
		free(p);
		return LAUNCH_FAILED;
	}
	status = run(p, &st);
	start_fini(&st);
	session_close(&p->s);
	if (status == 0)
		status = leave(p);
	free(p);
	return status;
}
