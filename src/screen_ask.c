#include "screen_ask.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/fmt.h"
#include "io/historyfile.h"
#include "io/keeper.h"
#include "model/profile.h"
#include "record.h"
#include "screen_watch.h"
#include "target.h"

/* A program gets this long to end when it was told to. */
#define END_NS UINT64_C(3000000000)

/* ---- sampling ----------------------------------------------------------- */

/* The next value that the target is to be told of, or NULL. */
static const char *
due(const struct watch *w, const struct target *t, char value[16])
{
	const struct profile_totals *now =
	    t->profile ? profile_totals(t->profile) : NULL;

	if (t->ended || !t->channel || !now)
		return NULL;
	if (w->rate_wanted && !t->rate_refused &&
	    now->lg_sample != w->lg_sample) {
		snprintf(value, 16, "%u", w->lg_sample);
		return "prof.lg_sample";
	}
	if (w->active_wanted && (now->active != 0) != w->active) {
		snprintf(value, 16, "%s", w->active ? "true" : "false");
		return "prof.active";
	}
	return NULL;
}

void
ask_due(struct watch *w, struct target *t)
{
	char value[16];
	const char *name = due(w, t, value);
	struct err e;

	if (name && session_ctl(w->s, t, name, value, &e) == 0)
		t->asked = name;
}

void
ask_answered(struct session *s, struct target *t, int error, const char *text)
{
	struct watch *w = s->user;

	if (error) {
		/* Asking again would get the same answer. */
		t->rate_refused = true;
		screen_say(
		    &w->screen, true, "process %ld: %s", (long)t->pid, text);
		return;
	}
	if (t != w->shown || !t->asked)
		return;
	if (strcmp(t->asked, "prof.active") == 0)
		screen_say(&w->screen, false, "sampling is %s",
		    w->active ? "on" : "off");
	else
		screen_say(&w->screen, false, "sampling %s from now on",
		    fmt_sampling(w->lg_sample).s);
	t->asked = NULL;
	session_pull(s);
}

static void
want(struct watch *w)
{
	for (struct target *t = w->s->targets; t; t = t->next) {
		t->rate_refused = false;
		ask_due(w, t);
	}
	if (!w->shown)
		screen_say(&w->screen, false,
		    "kept for when the program allocates: sampling %s%s",
		    fmt_sampling(w->rate_wanted
			    ? w->lg_sample
			    : w->screen.app.target.lg_sample)
			.s,
		    w->active_wanted && !w->active ? ", off" : "");
	watch_tell(w);
}

/* ---- recording ---------------------------------------------------------- */

void
ask_record_end(struct watch *w)
{
	uint64_t dumps;
	struct err e;

	if (!w->record)
		return;
	dumps = record_dumps(w->record);
	if (record_stop(w->record, &e) < 0)
		screen_say(&w->screen, true, "%s", e.msg);
	else
		screen_say(&w->screen, false, "wrote %s, %llu snapshot%s",
		    w->record_name, (unsigned long long)dumps,
		    dumps == 1 ? "" : "s");
	w->record = NULL;
	w->recorded = NULL;
}

/* Of one that has ended: what was seen of it. */
static void
write_history(struct watch *w, const char *file)
{
	struct err e;
	size_t n;

	if (historyfile_write(w->shown->profile, file, &n, &e) < 0)
		screen_say(&w->screen, true, "%s", e.msg);
	else
		screen_say(&w->screen, false, "wrote %s, %zu snapshot%s", file,
		    n, n == 1 ? "" : "s");
}

static void
record(struct watch *w, const char *file)
{
	struct err e;

	ask_record_end(w);
	if (!*file) {
		watch_tell(w);
		return;
	}
	if (!w->shown) {
		screen_say(&w->screen, true, "there is nothing to record yet");
		return;
	}
	if (w->shown->ended) {
		write_history(w, file);
		return;
	}
	w->record = record_start(w->shown, file, &e);
	if (!w->record) {
		screen_say(&w->screen, true, "%s", e.msg);
		return;
	}
	w->recorded = w->shown;
	snprintf(w->record_name, sizeof w->record_name, "%s", file);
	screen_say(&w->screen, false, "recording to %s; w ends it", file);
	watch_tell(w);
}

/* ---- leaving ------------------------------------------------------------ */

static void
leave(struct watch *w)
{
	w->done = true;
	loop_stop(w->s->loop);
}

static void
on_not_ended(void *arg)
{
	struct watch *w = arg;

	w->end_wait = 0;
	if (watch_lives(w))
		screen_say(&w->screen, true,
		    "it has not ended on SIGTERM yet; q and t again kill it");
}

/* To the program and its process group; what has left that is told alone. */
static void
end_program(struct watch *w)
{
	int sig = w->ending++ ? SIGKILL : SIGTERM;

	if (w->keeper && !w->ended)
		keeper_signal(w->keeper, sig);
	else if (w->shown && !w->shown->ended)
		kill(w->shown->pid, sig);
	else
		leave(w);
	loop_cancel(w->s->loop, w->end_wait);
	w->end_wait = loop_after(w->s->loop, END_NS, on_not_ended, w);
	screen_say(&w->screen, false, "told it to end");
}

/* ---- all of them -------------------------------------------------------- */

static void
type(struct watch *w, const struct request *r)
{
	if (!w->keeper || w->ended)
		screen_say(&w->screen, false, "nobody reads that any more");
	else if (!keeper_write(w->keeper, r->bytes, r->byte_count))
		screen_say(&w->screen, true,
		    "the program does not read what is typed");
}

static void
interval(struct watch *w, uint64_t ns)
{
	watch_every(w, ns);
	watch_tell(w);
	screen_say(
	    &w->screen, false, "a snapshot every %s", fmt_duration(ns).s);
}

void
ask_serve(void *arg, const struct request *r)
{
	struct watch *w = arg;

	switch ((int)r->kind) {
	case REQUEST_QUIT: leave(w); break;
	case REQUEST_TERMINATE: end_program(w); break;
	case REQUEST_PULL: session_pull(w->s); break;
	case REQUEST_INTERVAL: interval(w, r->ns); break;
	case REQUEST_RATE:
		w->rate_wanted = true;
		w->lg_sample = r->lg_sample;
		want(w);
		break;
	case REQUEST_ACTIVE:
		w->active_wanted = true;
		w->active = r->on;
		want(w);
		break;
	case REQUEST_RECORD: record(w, r->file); break;
	case REQUEST_TYPE: type(w, r); break;
	case REQUEST_PROCESS: watch_next(w); break;
	default: break;
	}
}
