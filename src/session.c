#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "formats.h"
#include "io/channel.h"
#include "io/listen.h"
#include "io/procfs.h"
#include "io/symbols.h"
#include "model/profile.h"
#include "options.h"
#include "target.h"

#define ENDED_MAX 256 /* ended images whose profiles are kept */

/* ---- targets ---- */

struct target *
session_find(const struct session *s, pid_t pid)
{
	struct target *found = NULL;

	for (struct target *t = s->targets; t; t = t->next)
		if (t->pid == pid && (!found || t->image_ns >= found->image_ns))
			found = t;
	return found;
}

static struct target *
find_channel(const struct session *s, const struct channel *c)
{
	for (struct target *t = s->targets; t; t = t->next)
		if (t->channel == c)
			return t;
	return NULL;
}

static struct target *
find_image(const struct session *s, pid_t pid, uint64_t image_ns)
{
	for (struct target *t = s->targets; t; t = t->next)
		if (t->pid == pid && t->image_ns == image_ns)
			return t;
	return NULL;
}

static void
end_target(struct session *s, struct target *t, const char *end)
{
	if (t->ended)
		return;
	target_end(t, end);
	symbols_dead(s->symbols, t->profile);
	if (s->target_gone)
		s->target_gone(s, t);
}

void
session_died(struct session *s, pid_t pid, const char *end)
{
	for (struct target *t = s->targets; t; t = t->next)
		if (t->pid == pid)
			end_target(s, t, end);
}

void
session_forget(struct session *s, struct target *t)
{
	if (!t->profile)
		return;
	symbols_remove(s->symbols, t->profile);
	target_forget(t);
}

/* A run of very many processes keeps the profiles of the last ones only,
 * unless they are to be added up. */
static void
forget_old(struct session *s)
{
	size_t ended = 0;

	for (struct target *t = s->targets; t; t = t->next)
		ended += t->ended && t->profile;
	for (struct target *t = s->targets; t; t = t->next) {
		if (ended <= ENDED_MAX || s->o->sum)
			return;
		if (!t->ended || !t->profile || t->pid == s->root ||
		    t == s->kept)
			continue;
		session_forget(s, t);
		ended--;
	}
}

static struct target *
add_target(struct session *s, pid_t pid, const struct profile_facts *f)
{
	struct target *t, **end = &s->targets;

	/* The same process with another image: it has called exec. */
	for (t = s->targets; t; t = t->next)
		if (t->pid == pid) {
			end_target(s, t, "became another program");
			t->replaced = true;
		}
	forget_old(s);
	while (*end)
		end = &(*end)->next;
	*end = t = target_new(pid, f);
	symbols_add(s->symbols, t->profile, pid, NULL);
	return t;
}

/* ---- rounds ---- */

static void
end_round(struct session *s)
{
	loop_cancel(s->loop, s->patience);
	s->patience = 0;
	s->round = false;
	if (s->round_done)
		s->round_done(s);
}

/* The round is over when nobody is still being pulled. */
static void
check_round(struct session *s)
{
	if (!s->round || s->starting)
		return;
	for (struct target *t = s->targets; t; t = t->next)
		if (t->channel && channel_state(t->channel) == CHANNEL_PULLING)
			return;
	end_round(s);
}

static void
out_of_patience(void *arg)
{
	end_round(arg);
}

/* There is a new snapshot. */
static void
told(struct session *s, struct target *t)
{
	t->late = false;
	t->heard_ns = loop_clock_ns();
	if (s->snapshot)
		s->snapshot(s, t);
}

static void
ask(struct session *s, struct target *t)
{
	if (t->ended)
		return;
	if (t->channel) {
		if (channel_state(t->channel) == CHANNEL_READY)
			channel_pull(t->channel, NULL);
		return;
	}
	/* Without a connection nobody tells that the process has gone. */
	if (!target_process_lives(t))
		end_target(s, t, "");
	else if (target_read_table(t, NULL) == 0)
		told(s, t);
}

void
session_round(struct session *s)
{
	if (s->round)
		return;
	s->round = s->starting = true;
	s->patience = loop_after(
	    s->loop, CHANNEL_PATIENCE_NS + 200000000, out_of_patience, s);
	for (struct target *t = s->targets; t; t = t->next)
		ask(s, t);
	s->starting = false;
	check_round(s);
}

void
session_pull(struct session *s)
{
	for (struct target *t = s->targets; t; t = t->next)
		ask(s, t);
}

int
session_ctl(struct session *s, struct target *t, const char *name,
    const char *value, struct err *e)
{
	(void)s;
	if (!t->channel)
		return err_set(e,
		    "process %ld cannot be told anything: it has %s",
		    (long)t->pid,
		    t->ended ? "ended" : "no helper thread any more");
	return channel_ctl(t->channel, name, value, e);
}

void
session_settle(struct session *s, uint64_t limit_ns)
{
	uint64_t end = loop_clock_ns() + limit_ns;
	struct err e;
	bool busy;
	int ran;

	/* What is on its way may still be in the kernel's queues: accept and
	 * read first, so that the round reaches everybody. */
	while (loop_once(s->loop, 0, &e) > 0 && loop_clock_ns() < end)
		;
	session_round(s);
	do {
		busy = s->round || s->caller_count > 0;
		ran = loop_once(s->loop, busy ? 20 : 0, &e);
	} while (ran >= 0 && (ran > 0 || busy) && loop_clock_ns() < end);
}

/* ---- what helpers say ---- */

static void
drop_caller(struct session *s, const struct channel *c)
{
	for (size_t i = 0; i < s->caller_count; i++)
		if (s->callers[i] == c) {
			s->callers[i] = s->callers[--s->caller_count];
			return;
		}
}

static struct dumpread *
on_hello(void *arg, struct channel *c, const struct profile_facts *f)
{
	struct session *s = arg;
	pid_t pid = channel_pid(c);
	struct target *t = find_image(s, pid, f->image_ns);

	drop_caller(s, c);
	if (!t) {
		t = add_target(s, pid, f);
		t->channel = c;
	} else if (t->profile) {
		/* The helper was made again, or we come back to it. */
		target_resume(t, c);
	} else {
		channel_free(c);
		return NULL;
	}
	return t->reader;
}

static void
on_snapshot(void *arg, struct channel *c)
{
	struct session *s = arg;
	struct target *t = find_channel(s, c);

	if (t)
		told(s, t);
	check_round(s);
}

static void
on_silent(void *arg, struct channel *c, bool silent)
{
	struct session *s = arg;
	struct target *t = find_channel(s, c);

	if (t)
		t->late = silent;
	else if (silent)
		say("process %ld does not answer: it is stopped, or busy",
		    (long)channel_pid(c));
	check_round(s);
}

static void
on_ctl(void *arg, struct channel *c, int error, const char *text)
{
	struct session *s = arg;
	struct target *t = find_channel(s, c);

	if (t && s->answered)
		s->answered(s, t, error, text);
}

/* The connection is over, the image may go on. */
static void
disconnect(struct target *t)
{
	if (t->table < 0)
		t->table = channel_take_table(t->channel);
	channel_free(t->channel);
	t->channel = NULL;
}

static void
on_gone(void *arg, struct channel *c, enum channel_end end, const char *why)
{
	struct session *s = arg;
	struct target *t = find_channel(s, c);
	struct procfs_stat now;

	if (!t) {
		/* It never said who it is; if it just died, that is all. */
		drop_caller(s, c);
		if (end != CHANNEL_CLOSED &&
		    procfs_stat(channel_pid(c), &now) == 0 &&
		    now.state != 'Z') {
			if (s->listener)
				say("%s", why);
			else
				err_set(&s->refused, "%s", why);
		}
		channel_free(c);
		check_round(s);
		return;
	}
	switch (end) {
	case CHANNEL_SECCOMP:
	case CHANNEL_SLOW:
		say("%s", why);
		disconnect(t);
		break;
	case CHANNEL_REMADE: disconnect(t); break;
	case CHANNEL_CLOSED: end_target(s, t, ""); break;
	case CHANNEL_DAMAGED:
	case CHANNEL_REFUSED:
		say("%s", why);
		end_target(s, t, "not understood");
		break;
	}
	check_round(s);
}

static const struct channel_events events = {
	.on_hello = on_hello,
	.on_snapshot = on_snapshot,
	.on_silent = on_silent,
	.on_ctl = on_ctl,
	.on_gone = on_gone,
};

static void
add_caller(struct session *s, struct channel *c)
{
	VEC_ROOM(s->callers, s->caller_cap, s->caller_count + 1);
	s->callers[s->caller_count++] = c;
}

static void
on_call(void *arg, int fd, pid_t pid)
{
	struct session *s = arg;
	struct channel *c = channel_open(s->loop, fd, pid, &events, s);

	if (c)
		add_caller(s, c);
}

int
session_listen(struct session *s, struct err *e)
{
	s->listener = listen_open(s->loop, &s->dir, on_call, s, e);
	return s->listener ? 0 : -1;
}

int
session_attach(struct session *s, pid_t pid, bool *again, struct err *e)
{
	struct channel *c;

	c = channel_attach(s->loop, pid, &events, s, again, e);
	if (!c)
		return -1;
	add_caller(s, c);
	return 0;
}

/* ---- names ---- */

/* The symbol process is bounded by itself; a signal ends the waiting. */
#define NAMES_LIMIT_NS UINT64_C(120000000000)

void
session_names(struct session *s, int timeout_ms)
{
	uint64_t end = loop_clock_ns() + NAMES_LIMIT_NS;
	struct err e;

	if (timeout_ms >= 0) {
		symbols_finish(s->symbols, timeout_ms);
		return;
	}
	while (!s->quit && symbols_finish(s->symbols, 100) == 1 &&
	    loop_clock_ns() < end)
		if (loop_once(s->loop, 0, &e) < 0)
			return;
}

static void
on_names(void *arg)
{
	struct session *s = arg;

	if (s->names)
		s->names(s);
}

/* ---- the whole ---- */

/* Of documents that come one after the other only the last one is kept. */
static int
open_output(struct session *s, int fd, struct err *e)
{
	const struct options *o = s->o;

	if (o->output && batch_wanted(o) && formats_is_document(o->report))
		return output_open_whole(&s->out, o->output, e);
	return output_open(&s->out, o->output, fd, e);
}

int
session_open(struct session *s, const struct options *o,
    const struct sigstate *signals, int output_fd, struct err *e)
{
	struct symbols_options symbols = {
		.lib_prefix = o->lib_prefix, .changed = on_names, .arg = s
	};

	memset(s, 0, sizeof *s);
	s->o = o;
	s->signals = *signals;
	s->dir.fd = -1;
	s->out.fd = -1;
	if (open_output(s, output_fd, e) < 0)
		return -1;
	if (rundir_open(&s->dir, e) < 0) {
		output_close(&s->out);
		return -1;
	}
	s->loop = loop_new();
	s->symbols = symbols_new(s->loop, &symbols);
	return 0;
}

void
session_close(struct session *s)
{
	struct target *t, *next;

	s->target_gone = NULL;
	s->round_done = NULL;
	s->snapshot = NULL;
	s->names = NULL;
	s->answered = NULL;
	listen_close(s->listener);
	symbols_free(s->symbols);
	for (size_t i = 0; i < s->caller_count; i++)
		channel_free(s->callers[i]);
	free(s->callers);
	for (t = s->targets; t; t = next) {
		next = t->next;
		target_free(t);
	}
	output_close(&s->out);
	loop_free(s->loop);
	rundir_close(&s->dir);
}
