#include "screen_tell.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/path.h"
#include "io/keeper.h"
#include "io/procfs.h"
#include "io/symbols.h"
#include "model/modules.h"
#include "model/profile.h"
#include "options.h"
#include "screen_watch.h"
#include "start.h"
#include "target.h"

static void
copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
}

/* Why the executable has no names, and what to do. */
static const char *
names_hint(const struct watch *w, const struct profile *p)
{
	const struct modules *all = profile_modules(p);
	const char *image = profile_facts(p)->image;

	for (uint32_t id = 1; image && id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (m && *m->path && strcmp(m->path, image) == 0)
			return symbols_note(w->s->symbols, p, id);
	}
	return "";
}

void
tell_command(struct app_target *a, const char *command)
{
	size_t first = strcspn(command, " ");
	char word[APP_TEXT];

	snprintf(word, sizeof word, "%.*s", (int)first, command);
	snprintf(a->command, sizeof a->command, "%s%s", path_base(word),
	    command + first);
	snprintf(a->name, sizeof a->name, "%.*s", (int)sizeof a->name - 1,
	    path_base(word));
}

static void
put_profile(const struct watch *w, const struct target *t, struct app_target *a)
{
	const struct profile_facts *f = profile_facts(t->profile);
	const struct profile_totals *now = profile_totals(t->profile);

	a->start_ns = f->image_ns;
	if (f->image && *f->image)
		copy(a->exe, sizeof a->exe, f->image);
	tell_command(a, t->command);
	if (now) {
		a->lg_sample = now->lg_sample;
		a->active = now->active != 0;
	}
	copy(a->names_hint, sizeof a->names_hint, names_hint(w, t->profile));
}

/* Of a program that has said nothing yet.  How it is sampled is known of one
 * that we started; else it is what the library does by itself. */
static void
put_unknown(const struct watch *w, struct app_target *a)
{
	const struct options *o = w->s->o;

	a->start_ns = w->started_ns;
	tell_command(a, *w->command ? w->command : w->name);
	a->lg_sample = w->launched ? START_LG_WATCHED : START_LG_EXEC;
	if (o->exact)
		a->lg_sample = 0;
	else if (o->sample_bytes)
		a->lg_sample = (unsigned)__builtin_ctzll(o->sample_bytes);
}

static void
put_terminal(const struct watch *w, struct app_target *a)
{
	const char *file = w->s->o->target_output;

	a->has_terminal = w->pty & (1u << 1 | 1u << 2);
	a->takes_input = (w->pty & 1u) != 0;
	if (file)
		copy(a->output_file, sizeof a->output_file, file);
}

void
tell_target(const struct watch *w, struct app_target *a)
{
	const struct target *t = w->shown;
	struct procfs_memory m;
	unsigned shown, count = watch_count(w, &shown);

	memset(a, 0, sizeof *a);
	a->pid = (uint32_t)(t ? t->pid : w->s->root);
	a->active = true;
	if (t)
		put_profile(w, t, a);
	else
		put_unknown(w, a);
	if (!(t && t->ended) && procfs_memory((pid_t)a->pid, &m) == 0) {
		a->rss_bytes = m.rss_bytes;
		/* one of them is our helper */
		a->threads = m.threads - (t && t->channel && m.threads > 1);
	}
	/* What is wanted and not answered yet is shown as it will be. */
	if (!t && w->rate_wanted)
		a->lg_sample = w->lg_sample;
	if (!t && w->active_wanted)
		a->active = w->active;
	a->interval_ns = w->interval_ns;
	a->ours = w->launched;
	a->running = w->launched && !w->ended;
	if (w->launched && strcmp(path_base(w->name), a->name) != 0)
		copy(a->launched, sizeof a->launched, path_base(w->name));
	a->recording = w->record != NULL;
	if (count > 1) {
		a->shown = shown;
		a->processes = count;
	}
	put_terminal(w, a);
}

/* ---- how it fares ------------------------------------------------------- */

/* "SIGSEGV" or "exited 0"; the sentence has the name before it. */
static void
put_end(const struct watch *w, const char *name, struct app_status *s)
{
	char end[64] = "ended";
	const char *signal;

	if (w->status >= 0)
		start_describe_end(w->status, end, sizeof end);
	snprintf(s->sentence, sizeof s->sentence, "%.100s %s", name, end);
	if (w->status < 0 || !WIFSIGNALED(w->status)) {
		s->connection = APP_ENDED;
		copy(s->what, sizeof s->what, end);
		return;
	}
	signal = sigabbrev_np(WTERMSIG(w->status));
	s->connection = APP_KILLED;
	snprintf(s->what, sizeof s->what, "SIG%s", signal ? signal : "?");
}

static void
put_last_line(const struct watch *w, struct app_status *s)
{
	const struct scroll *text = &w->screen.app.output;

	for (size_t i = scroll_count(text); i-- > 0;) {
		const char *line = scroll_line(text, i);

		if (line[strspn(line, " ")] == '\0')
			continue;
		copy(s->last_line, sizeof s->last_line, line);
		return;
	}
}

static void
put_target_end(
    const struct watch *w, const struct target *t, struct app_status *s)
{
	const struct profile_totals *now = profile_totals(t->profile);
	const char *image = w->screen.app.target.name;

	put_last_line(w, s);
	if (t->pid == w->s->root && w->ended && !t->replaced) {
		s->ns = w->ended_ns;
		put_end(w, image, s);
		return;
	}
	s->connection = APP_ENDED;
	s->ns = now ? now->now_ns : 0;
	copy(s->what, sizeof s->what, target_fate(t));
	snprintf(s->sentence, sizeof s->sentence, "%.100s (process %ld) %s",
	    image, (long)t->pid, target_fate(t));
}

void
tell_status(const struct watch *w, struct app_status *s)
{
	const struct target *t = w->shown;
	uint64_t now = loop_clock_ns();

	memset(s, 0, sizeof *s);
	s->connection = APP_WAITING;
	if (t && t->ended) {
		put_target_end(w, t, s);
	} else if (t && t->late) {
		s->connection = APP_LATE;
		s->ns = now - t->heard_ns;
		s->ns -= s->ns % UINT64_C(1000000000);
	} else if (t) {
		s->connection = APP_LIVE;
	} else if (w->ended) {
		s->ns = w->ended_ns;
		put_last_line(w, s);
		put_end(w, path_base(w->name), s);
	} else {
		copy(s->sentence, sizeof s->sentence, w->waiting);
	}
}
