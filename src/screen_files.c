#include "screen_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "dumps.h"
#include "io/launch.h"
#include "io/symbols.h"
#include "merge.h"
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
	struct loading *more; /* the rest of a series, or NULL */
	loop_timer reading;
	uint64_t told_ns; /* when it was said how far that is */
	size_t noted;     /* of the notes, how much was said */
};

/* Files are read for so long before keys are looked after again, and how far
 * it is said so often. */
#define READ_NS UINT64_C(15000000)
#define TELL_NS UINT64_C(100000000)

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
	t.files = f->data.files;
	t.file_count = f->data.count;
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
	if (f->more)
		s.read = dumps_progress(f->more, &s.to_read);
	f->told_ns = loop_clock_ns();
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
tell_notes(struct files *f)
{
	const char *line = buf_str(&f->data.notes) + f->noted;

	f->noted = f->data.notes.len;
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

/* ---- the rest of a series ------------------------------------------------ */

/* Another profile has more of it: show that from now on. */
static bool
take_more(struct files *f)
{
	struct loaded old;
	bool goes_on = dumps_take(f->more, &old);

	if (!goes_on) {
		dumps_end(f->more);
		f->more = NULL;
	}
	merge_names(f->data.profile, old.profile);
	symbols_remove(f->symbols, old.profile);
	symbols_add(f->symbols, f->data.profile, 0, f->data.program);
	f->screen.app.target.files = f->data.files;
	f->screen.app.target.file_count = f->data.count;
	screen_more(&f->screen, f->data.profile);
	loaded_free(&old);
	put_target(f);
	put_status(f, f->screen.app.query.at);
	screen_changed(&f->screen);
	symbols_ask(f->symbols);
	return goes_on;
}

static void
tell_unread(struct files *f)
{
	size_t n = f->data.unread;

	if (n == 1)
		screen_say(&f->screen, true, "%s", f->data.first.msg);
	else if (n > 1)
		screen_say(&f->screen, true,
		    "%zu of %zu dumps could not be read", n, n + f->data.count);
}

static void
on_reading(void *arg)
{
	struct files *f = arg;
	uint64_t until = loop_clock_ns() + READ_NS;
	bool goes_on = true, more = true;

	while (more && loop_clock_ns() < until)
		more = dumps_read_on(f->more);
	if (!more)
		goes_on = take_more(f);
	tell_notes(f);
	if (!goes_on) {
		tell_unread(f);
		return;
	}
	if (loop_clock_ns() - f->told_ns >= TELL_NS)
		put_status(f, f->told);
	f->reading = loop_after(f->loop, 1, on_reading, f);
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

	if (screen_is_open(&f->screen))
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
	if (f->more)
		f->reading = loop_after(f->loop, 1, on_reading, f);
	if (loop_run(f->loop, e) < 0)
		say("%s", e->msg);
	loop_cancel(f->loop, f->reading);
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

	if (screen_check(o, &e) < 0 ||
	    dumps_begin(o, &f->data, &f->more, &e) < 0) {
		say("%s", e.msg);
		free(f);
		return 1;
	}
	symbols.arg = f;
	f->loop = loop_new();
	f->symbols = symbols_new(f->loop, &symbols);
	status = show(f, o, &e) < 0;
	if (status)
		say("%s", e.msg);
	status = status || f->data.failed;
	dumps_end(f->more);
	symbols_free(f->symbols);
	loaded_free(&f->data);
	loop_free(f->loop);
	quit = f->quit;
	free(f);
	launch_die_alike(quit);
	return status;
}
