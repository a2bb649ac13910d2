#include "screen_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "dumps.h"
#include "io/launch.h"
#include "io/symbols.h"
#include "model/history.h"
#include "model/profile.h"
#include "options.h"
#include "output.h"
#include "screen.h"
#include "screen_tell.h"

struct files {
	struct screen screen;
	struct loaded data;
	struct loop *loop;
	struct symbols *symbols;
	snap_id told; /* the moment whose file the status names */
	int quit;
};

/* ---- what the screen is told --------------------------------------------- */

static void
put_target(struct files *f)
{
	const struct profile_facts *facts = profile_facts(f->data.profile);
	const struct profile_totals *now = profile_totals(f->data.profile);
	const char *program = f->data.program ? f->data.program : facts->image;
	struct app_target t = { .active = true };
	struct app_event e = { .kind = APP_TARGET, .target = &t };

	if (!program || !*program)
		program = f->data.name;
	tell_command(
	    &t, facts->command && *facts->command ? facts->command : program);
	snprintf(t.exe, sizeof t.exe, "%s", program);
	t.pid = facts->pid;
	t.start_ns = facts->image_ns;
	t.untimed = f->data.untimed;
	if (now)
		t.lg_sample = now->lg_sample;
	screen_send(&f->screen, &e);
}

/* The file of the moment that is shown. */
static void
put_status(struct files *f, snap_id shown)
{
	const char *file = loaded_file(&f->data, shown);
	struct app_status s = { .connection = APP_FILE };
	struct app_event e = { .kind = APP_STATUS, .status = &s };

	f->told = shown;
	snprintf(s.what, sizeof s.what, "%s", *file ? file : f->data.name);
	screen_send(&f->screen, &e);
}

static void
on_update(void *arg)
{
	struct files *f = arg;
	const struct history *h = profile_history(f->data.profile);
	snap_id shown = f->screen.app.query.at;

	if (!shown && history_count(h))
		shown = history_at(h, history_count(h) - 1)->id;
	if (shown != f->told)
		put_status(f, shown);
}

/* What was to be said of the files: on the screen and, later, on stderr. */
static void
tell_notes(const struct files *f)
{
	const char *line = buf_str(&f->data.notes);

	while (*line) {
		int len = (int)strcspn(line, "\n");

		if (len)
			say("%.*s", len, line);
		line += len + (line[len] == '\n');
	}
}

static void
set_marks(struct files *f)
{
	const struct history *h = profile_history(f->data.profile);
	size_t n = history_count(h);
	const struct snapshot *first, *last;

	if (n < 2)
		return;
	first = history_at(h, 0);
	last = history_at(h, n - 1);
	app_set_mark(&f->screen.app, 0, first->id, first->totals.now_ns);
	app_set_mark(&f->screen.app, 1, last->id, last->totals.now_ns);
}

/* ---- what it asks -------------------------------------------------------- */

static void
on_request(void *arg, const struct request *r)
{
	struct files *f = arg;

	if (r->kind == REQUEST_QUIT || r->kind == REQUEST_TERMINATE)
		loop_stop(f->loop);
	else if (r->kind == REQUEST_PROCESS)
		screen_say(&f->screen, false, "there is no other process");
	else
		screen_say(&f->screen, false,
		    "this is a file: there is no process to ask");
}

static void
on_leave(void *arg, int sig)
{
	struct files *f = arg;

	f->quit = sig;
	loop_stop(f->loop);
}

static void
on_names(void *arg)
{
	struct files *f = arg;

	if (f->screen.term)
		screen_named(&f->screen);
}

static const struct screen_owner owner = {
	.request = on_request,
	.leave = on_leave,
	.updated = on_update,
};

/* ---- the whole ----------------------------------------------------------- */

static int
show(struct files *f, const struct options *o, struct err *e)
{
	if (screen_open(&f->screen, o, f->loop, &owner, f, e) < 0)
		return -1;
	screen_show(&f->screen, f->data.profile);
	f->told = 0; /* a new profile begins without a status */
	put_target(f);
	set_marks(f);
	screen_changed(&f->screen);
	tell_notes(f);
	symbols_add(f->symbols, f->data.profile, 0, f->data.program);
	symbols_ask(f->symbols);
	if (loop_run(f->loop, e) < 0)
		say("%s", e->msg);
	screen_close(&f->screen);
	return 0;
}

int
screen_files(const struct options *o)
{
	struct symbols_options symbols = { .changed = on_names };
	struct files *f = xcalloc(1, sizeof *f);
	struct err e;
	int status, quit;

	if (screen_check(o, &e) < 0 || dumps_load(o, &f->data, &e) < 0) {
		say("%s", e.msg);
		free(f);
		return 1;
	}
	symbols.arg = f;
	f->loop = loop_new();
	f->symbols = symbols_new(f->loop, &symbols);
	status = f->data.failed;
	if (show(f, o, &e) < 0) {
		say("%s", e.msg);
		status = 1;
	}
	symbols_free(f->symbols);
	loaded_free(&f->data);
	loop_free(f->loop);
	quit = f->quit;
	free(f);
	launch_die_alike(quit);
	return status;
}
