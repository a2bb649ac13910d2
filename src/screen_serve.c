#include "screen_serve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/editor.h"
#include "io/source.h"
#include "model/report.h"
#include "options.h"
#include "output.h"
#include "screen.h"
#include "screen_export.h"
#include "screen_plain.h"
#include "settings.h"
#include "ui/clipboard.h"
#include "ui/detail.h"

#define EDITOR_NS UINT64_C(50000000) /* how often it is looked for */

/* ---- files ------------------------------------------------------------------ */

/* A file of that name is asked about. */
static bool
exists(struct screen *s, const struct request *r)
{
	struct app_event e = { .kind = APP_EXISTS, .request = r };

	if (r->overwrite || !*r->file || !screen_file_exists(r->file))
		return false;
	screen_send(s, &e);
	return true;
}

static void export(struct screen *s, const struct request *r)
{
	const struct report *report = screen_report(s);
	struct err e;
	int bad = -1;

	if (!report)
		err_set(&e, "there is nothing to export");
	else
		bad =
		    screen_export(report, &s->app, s->o, r, s->grid.ascii, &e);
	screen_say(s, bad != 0, "%s", e.msg);
}

static void
save_output(struct screen *s, const struct request *r)
{
	struct buf text = BUF_INIT;
	struct err e;
	int bad;

	scroll_text(&s->app.output, &text);
	bad = screen_write(r->file, r->overwrite, &text, &e);
	if (bad == 0)
		screen_say(s, false, "wrote %s, %zu lines", r->file,
		    scroll_count(&s->app.output));
	else
		screen_say(s, true, "%s", e.msg);
	buf_fini(&text);
}

/* ---- the stack -------------------------------------------------------------- */

static void
keep_print(struct screen *s)
{
	screen_report(s);
	if (!app_selected(&s->app))
		return;
	detail_text(&s->app, &s->kept);
	buf_putc(&s->kept, '\n');
	screen_say(s, false, "this stack is printed when heaptop ends");
}

static void
copy(struct screen *s)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	const char *tmux = getenv("TMUX");
	size_t lines = 0;
	struct err e;
	int bad;

	screen_report(s);
	detail_text(&s->app, &text);
	for (size_t i = 0; i < text.len; i++)
		lines += text.data[i] == '\n';
	bad = clipboard_put(buf_str(&text), text.len, tmux && *tmux, &out, &e);
	if (bad == 0 && s->term)
		bad = term_send(s->term, &out, &e);
	else if (bad == 0)
		bad = buf_write(&out, STDOUT_FILENO, "the terminal", &e);
	if (bad == 0)
		screen_say(s, false, "copied the stack, %zu line%s", lines,
		    lines == 1 ? "" : "s");
	else
		screen_say(s, true, "%s", e.msg);
	buf_fini(&text);
	buf_fini(&out);
}

/* ---- the editor ------------------------------------------------------------- */

static void
on_editor(void *arg)
{
	struct screen *s = arg;
	struct err e;
	int ended = editor_ended(&s->editor, &e);

	if (ended == 0)
		return;
	loop_cancel(s->loop, s->editor_timer);
	s->editor_timer = 0;
	screen_take_terminal(s);
	if (ended < 0)
		screen_say(s, true, "%s", e.msg);
}

static void
edit(struct screen *s)
{
	char path[SOURCE_PATH];
	struct place p;
	struct err e;
	int tty;

	screen_report(s);
	if (!app_source_place(&s->app, &p) || !p.file || !*p.file)
		return;
	if (!source_find(p.file, path)) {
		screen_say(
		    s, true, "%s is not here; set HEAPTOP_SOURCE_PATH", p.file);
		return;
	}
	tty = s->term ? term_fd(s->term) : plain_terminal(s);
	screen_leave_terminal(s);
	if (editor_start(&s->editor, path, p.line, tty, &e) == 0) {
		s->editor_timer = loop_every(s->loop, EDITOR_NS, on_editor, s);
		return;
	}
	screen_take_terminal(s);
	screen_say(s, true, "%s", e.msg);
}

/* ---- settings --------------------------------------------------------------- */

/* Keys of a file or of a line; what is wrong is said with where it stands. */
static int
bind_keys(struct screen *s, const struct settings *from, struct err *e)
{
	struct err why;
	int bad = 0;

	for (size_t i = 0; i < from->key_count; i++) {
		const struct setting_key *k = &from->keys[i];

		if (keymap_bind(&s->app.keys, k->action, k->keys, &why) == 0)
			continue;
		bad = -1;
		if (from->path)
			say("%s:%u: %s", from->path, k->line, why.msg);
		else
			err_set(e, "%s", why.msg);
	}
	return bad;
}

void
serve_settings(struct screen *s)
{
	const struct settings *from = s->o->settings;
	const char *line;
	struct err e;

	if (!from)
		return;
	bind_keys(s, from, &e);
	line = buf_str(&from->notes);
	while (*line) {
		int len = (int)strcspn(line, "\n");

		say("%.*s", len, line);
		line += len + (line[len] == '\n');
	}
}

static int
change_look(struct screen *s, const struct settings *to, struct err *e)
{
	struct term_options look = { .color = to->color,
		.theme = to->theme,
		.ascii = to->ascii,
		.no_mouse = to->no_mouse };

	if (s->term && term_change(s->term, &look, e) < 0)
		return -1;
	s->look = look;
	return 0;
}

/* One line, as of the file. */
static void
set(struct screen *s, const char *text)
{
	struct settings to = { .color = s->look.color,
		.theme = s->look.theme,
		.ascii = s->look.ascii,
		.no_mouse = s->look.no_mouse };
	struct request r = { .kind = REQUEST_INTERVAL };
	struct err e;
	int bad = settings_line(&to, text, 0, &e);

	if (bad == 0)
		bad = change_look(s, &to, &e);
	if (bad == 0)
		bad = bind_keys(s, &to, &e);
	if (bad < 0)
		screen_say(s, true, "%s", e.msg);
	else if (to.interval_ns) {
		r.ns = to.interval_ns;
		s->owner->request(s->arg, &r);
	} else
		screen_say(s, false,
		    "%s; heaptop-config(5) tells how to keep "
		    "it",
		    text);
	settings_fini(&to);
}

/* ---- all of them ------------------------------------------------------------ */

bool
serve_request(struct screen *s, const struct request *r)
{
	switch ((int)r->kind) {
	case REQUEST_EXPORT:
		if (!exists(s, r))
			export(s, r);
		break;
	case REQUEST_SAVE_OUTPUT:
		if (!exists(s, r))
			save_output(s, r);
		break;
	case REQUEST_RECORD: return exists(s, r);
	case REQUEST_PRINT: keep_print(s); break;
	case REQUEST_COPY: copy(s); break;
	case REQUEST_EDIT: edit(s); break;
	case REQUEST_SET: set(s, r->file); break;
	default: return false;
	}
	return true;
}

void
serve_close(struct screen *s)
{
	if (!s->editor_timer)
		return;
	loop_cancel(s->loop, s->editor_timer);
	s->editor_timer = 0;
	kill(s->editor.pid, SIGTERM);
}
