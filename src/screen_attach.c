#include "screen_attach.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "connect.h"
#include "io/launch.h"
#include "io/procfs.h"
#include "options.h"
#include "output.h"
#include "pick.h"
#include "screen.h"
#include "screen_watch.h"
#include "session.h"
#include "target.h"

struct attached {
	struct watch w;
	struct session s;
	struct connect connect;
	bool open;         /* the screen is */
	bool failed;       /* before it was */
	char waiting[256]; /* what it would say */
};

static void
on_ready(void *arg)
{
	struct attached *a = arg;

	if (a->open)
		watch_waiting(&a->w, "");
	session_pull(&a->s);
}

static void
on_waiting(void *arg, const char *why)
{
	struct attached *a = arg;

	snprintf(a->waiting, sizeof a->waiting, "%s", why);
	if (a->open)
		watch_waiting(&a->w, why);
}

/* Before the screen it is the answer; on it, what was seen stays. */
static void
on_failed(void *arg, bool gone, const char *why)
{
	struct attached *a = arg;

	if (!a->open || (!gone && !a->w.shown)) {
		a->failed = true;
		say("%s", why);
	} else if (gone && a->w.shown) {
		watch_tell(&a->w);
	} else if (gone) {
		watch_gone(&a->w);
	} else {
		screen_say(&a->w.screen, true, "%s", why);
	}
	if (a->failed && a->open) {
		a->w.done = true;
		loop_stop(a->s.loop);
	}
}

static const struct connect_events events = {
	.ready = on_ready,
	.waiting = on_waiting,
	.failed = on_failed,
};

/* Has another program taken its place?  Then go on with that. */
static void
on_target_gone(void *arg, struct target *t)
{
	struct attached *a = arg;

	if (t == session_find(&a->s, a->s.root) &&
	    !connect_trying(&a->connect) && target_process_lives(t))
		connect_begin(&a->connect, &a->s, &events, a);
}

/* When the process began, by CLOCK_MONOTONIC; now, if that is not known. */
static uint64_t
started(pid_t pid)
{
	uint64_t now = loop_clock_ns(), age;
	struct procfs_stat st;
	struct timespec boot;

	if (procfs_stat(pid, &st) < 0 || clock_gettime(CLOCK_BOOTTIME, &boot))
		return now;
	age = (uint64_t)boot.tv_sec * UINT64_C(1000000000) +
	    (uint64_t)boot.tv_nsec;
	age -= st.start_ticks *
	    (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
	return age < now ? now - age : now;
}

static int
watch_process(struct attached *a, struct err *e)
{
	connect_begin(&a->connect, &a->s, &events, a);
	if (a->failed)
		return 1;
	if (watch_open(&a->w, &a->s, e) < 0) {
		say("%s", e->msg);
		return 1;
	}
	a->open = true;
	a->w.started_ns = started(a->s.root);
	a->w.gone = on_target_gone;
	a->w.gone_arg = a;
	if (*a->waiting)
		watch_waiting(&a->w, a->waiting);
	watch_run(&a->w);
	connect_stop(&a->connect);
	watch_close(&a->w);
	return a->failed;
}

/* 0 and the process, or the exit status after a sentence. */
static int
find(const struct options *o, pid_t *pid)
{
	struct err e;
	int status = 0;

	if (!o->target)
		return pick_process(pid, &status) < 0 ? status : 0;
	if (procfs_find(o->target, pid, &e) == 0)
		return 0;
	say("%s", e.msg);
	return 1;
}

int
screen_attach(const struct options *o, const struct sigstate *signals)
{
	struct attached *a;
	char name[64];
	struct err e;
	pid_t pid;
	int status = find(o, &pid), quit;

	if (status)
		return status;
	a = xcalloc(1, sizeof *a);
	if (screen_check(o, &e) < 0 ||
	    session_open(&a->s, o, signals, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		free(a);
		return 1;
	}
	a->s.root = pid;
	snprintf(name, sizeof name, "process %ld", (long)pid);
	a->w.name = name;
	status = watch_process(a, &e);
	session_close(&a->s);
	quit = a->w.quit;
	free(a);
	launch_die_alike(quit);
	return status;
}
