#include "screen_plain.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/report.h"
#include "screen.h"
#include "screen_plain_rows.h"
#include "ui/app_keys.h"
#include "ui/command.h"

#define PAGE     10 /* rows that are told at once */
#define OUTPUT   20 /* last lines of what the program printed */
#define LINE     4096
#define GREET_NS UINT64_C(400000000)

struct plain {
	int fd;         /* the terminal */
	struct buf out; /* what is said before it is written */
	char line[LINE];
	size_t len;
	bool listening;
	bool greeted;
	loop_timer patience; /* with one that is about to tell who it is */
	size_t next;         /* the row that `more` begins with */
	enum app_connection told;
	char end[APP_TEXT]; /* what was told of it */
};

/* As it is spoken.  Names come from anywhere: no control character gets
 * through. */
static void
flush(struct plain *p)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < p->out.len; i++) {
		unsigned char c = (unsigned char)p->out.data[i];

		if (p->out.len - i > 3 &&
		    memcmp(p->out.data + i, "+/-", 3) == 0) {
			buf_puts(&b, "give or take ");
			i += 2;
		} else if ((c < 0x20 && c != '\n') || c == 0x7f)
			buf_putc(&b, '?');
		else
			buf_putc(&b, (char)c);
	}
	if (b.len)
		buf_write(&b, STDOUT_FILENO, "stdout", NULL);
	buf_fini(&b);
	buf_clear(&p->out);
}

/* ---- what is told ------------------------------------------------------------ */

static void
tell_rows(struct screen *s, size_t count)
{
	struct plain *p = s->plain;
	size_t n;

	screen_report(s);
	n = plain_row_count(&s->app);
	if (s->app.view == CONTEXT_TREE || s->app.view == CONTEXT_FLAME ||
	    s->app.view == CONTEXT_MEMORY)
		return; /* told in one piece */
	if (p->next >= n) {
		buf_puts(
		    &p->out, n ? "That is all.\n" : "There are no rows.\n");
		return;
	}
	p->next = plain_rows(&s->app, p->next, count, &p->out);
	if (p->next < n)
		buf_printf(&p->out,
		    "%zu of %zu told; more for the next, a number to open "
		    "one.\n",
		    p->next, n);
}

static void
tell_view(struct screen *s)
{
	screen_report(s);
	s->plain->next = 0;
	/* of moments the last ones matter */
	if (s->app.view == CONTEXT_SNAPSHOTS && s->app.point_count > PAGE)
		s->plain->next = s->app.point_count - PAGE;
	plain_head(&s->app, &s->plain->out);
	tell_rows(s, PAGE);
}

static void
tell_formats(struct screen *s)
{
	const struct app *a = &s->app;

	buf_puts(&s->plain->out, "Type export, a format, and a file:\n");
	for (size_t i = 0; i < a->format_count; i++) {
		if (app_format_offered(a, i))
			buf_printf(&s->plain->out, "%s: %s.\n",
			    a->formats[i].name, a->formats[i].what);
	}
}

/* The commands that only listeners have. */
static const struct {
	const char *word, *help;
} own[] = {
	{ "more", "the next rows; so does an empty line" },
	{ "again", "the view anew, as it is now" },
	{ "3", "row 3 with its stack; so does open 3" },
	{ "status", "how the process is" },
	{ "output", "the last lines the program printed" },
	{ "pause", "hold what is shown; again to go on" },
	{ "older", "the snapshot before; newer: the one after" },
	{ "process", "the next process" },
	{ "terminate", "end the program" },
};

static void
tell_help(struct screen *s)
{
	struct buf *b = &s->plain->out;
	struct help_line l;

	buf_puts(b, "Commands; words may be cut short:\n");
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		buf_printf(b, "%s: %s.\n", own[i].word, own[i].help);
	for (unsigned i = 0; command_help(i, &l); i++)
		buf_printf(b, "%s: %s.\n", l.keys, l.text);
}

static void
tell_output(struct screen *s)
{
	const struct scroll *o = &s->app.output;
	size_t n = scroll_count(o), i = n > OUTPUT ? n - OUTPUT : 0;

	if (n == 0)
		buf_puts(&s->plain->out, "It has printed nothing here.\n");
	for (; i < n; i++)
		buf_printf(&s->plain->out, "%s\n", scroll_line(o, i));
}

/* A question of the app's, or a name that it wants. */
static void
tell_question(struct screen *s)
{
	struct app *a = &s->app;
	struct buf *b = &s->plain->out;

	switch (a->over) {
	case OVER_QUIT:
		buf_printf(b,
		    "%s is still running: type terminate, leave or stay.\n",
		    a->target.name);
		break;
	case OVER_EXISTS:
		buf_printf(b,
		    "%s exists: type overwrite, another name, or stay.\n",
		    a->wanted.file);
		break;
	case OVER_PROMPT:
		buf_printf(b,
		    "Which file? An empty line is %s, stay is none.\n",
		    a->prompts[a->prompt].text);
		break;
	case OVER_EXPORT:
		tell_formats(s);
		a->over = OVER_NONE;
		break;
	case OVER_HELP:
		tell_help(s);
		a->over = OVER_NONE;
		break;
	case OVER_NONE: break;
	}
}

static void
tell_message(struct screen *s)
{
	struct app *a = &s->app;

	if (!*a->message)
		return;
	*a->message = (char)toupper((unsigned char)*a->message);
	buf_printf(&s->plain->out, "%s.\n", a->message);
	a->message[0] = '\0';
}

/* ---- what is asked ------------------------------------------------------------- */

static void
press(struct screen *s, const char *name)
{
	struct app_event e = { .kind = APP_KEY, .now_ns = loop_clock_ns() };
	struct request r;

	if (!key_parse(name, &e.key))
		return;
	r = app_event(&s->app, &e);
	screen_do(s, &r);
}

/* The answer to what tell_question asked. */
static void
answer(struct screen *s, const char *line)
{
	struct app *a = &s->app;
	bool stay = strcmp(line, "stay") == 0;

	if (a->over == OVER_QUIT)
		press(s,
		    stay                                            ? "Esc"
			: *line == 't'                              ? "t"
			: *line == 'l' || strcmp(line, "quit") == 0 ? "Enter"
								    : "x");
	else if (stay)
		press(s, "Esc");
	else if (a->over == OVER_EXISTS && strcmp(line, "overwrite") == 0)
		press(s, "o");
	else {
		if (a->over == OVER_EXISTS)
			press(s, "Enter");
		if (*line)
			prompt_set(&a->prompts[a->prompt], line);
		press(s, "Enter");
	}
}

static void
open_row(struct screen *s, const char *number)
{
	struct app *a = &s->app;
	char *end;
	unsigned long i = strtoul(number, &end, 10);

	screen_report(s);
	if (end == number || *end || i == 0 || i > plain_row_count(a)) {
		buf_printf(&s->plain->out, "There are rows 1 to %zu.\n",
		    plain_row_count(a));
		return;
	}
	plain_row(a, i - 1, &s->plain->out);
	/* for edit and copy */
	if (a->view == CONTEXT_GROWTH || a->view == CONTEXT_THREADS) {
		struct list *l = a->view == CONTEXT_GROWTH ? &a->growth.rows
							   : &a->threads.rows;

		l->cursor = i - 1;
		l->key = plain_row_at(a, i - 1)->key;
		l->chosen = true;
	} else if (a->view == CONTEXT_TOP) {
		a->rows.cursor = i - 1;
		a->rows.key = app_row(a, i - 1)->key;
		a->rows.chosen = true;
	} else if (a->view == CONTEXT_SNAPSHOTS) {
		app_look_at(a, i - 1);
		app_show_view(a, CONTEXT_TOP);
		tell_view(s);
	}
}

/* The words that have an action of their own. */
static bool
act(struct screen *s, const char *line)
{
	static const struct {
		const char *word;
		enum action action;
	} words[] = {
		{ "older", ACTION_OLDER },
		{ "newer", ACTION_NEWER },
		{ "pause", ACTION_PAUSE },
		{ "process", ACTION_PROCESS },
		{ "terminate", ACTION_TERMINATE },
	};
	struct request r = { .kind = REQUEST_NONE };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(line, words[i].word) != 0)
			continue;
		if (!app_act_time(&s->app, words[i].action))
			app_output_act(&s->app, words[i].action, &r);
		screen_do(s, &r);
		return true;
	}
	return false;
}

static bool
is(const char *line, const char *word)
{
	return strcmp(line, word) == 0;
}

static void
command(struct screen *s, const char *line)
{
	struct request r = { .kind = REQUEST_NONE };
	enum context view = s->app.view;
	bool asked = app_wants_report(&s->app);
	struct command c;
	struct err e;

	/* What was new before is no answer to this. */
	if (asked)
		screen_report(s);
	if (!act(s, line)) {
		bool shows = command_parse(line, &c, &e) == 0 &&
		    c.id >= COMMAND_TOP && c.id <= COMMAND_MEMORY;

		app_command(&s->app, line, &r);
		if (shows && s->app.view == view &&
		    s->app.view !=
			(enum context)(c.id - COMMAND_TOP + CONTEXT_TOP))
			app_say(&s->app, false, "there is no such view");
		else if (shows)
			s->app.dirty |= APP_DIRTY_QUERY;
		screen_do(s, &r);
	}
	if (s->app.dirty & APP_DIRTY_QUERY)
		tell_view(s);
}

static void
take_line(struct screen *s, const char *line)
{
	if (s->app.over != OVER_NONE)
		answer(s, line);
	else if (!*line || is(line, "more") || is(line, "next"))
		tell_rows(s, PAGE);
	else if (is(line, "again") || is(line, "show")) {
		if (s->app.paused)
			app_act_time(&s->app, ACTION_PAUSE);
		tell_view(s);
	} else if (is(line, "status")) {
		screen_report(s);
		plain_status(&s->app, &s->plain->out);
	} else if (is(line, "output"))
		tell_output(s);
	else if (isdigit((unsigned char)*line))
		open_row(s, line);
	else if (strncmp(line, "open ", 5) == 0)
		open_row(s, line + 5);
	else
		command(s, line);
}

/* ---- lines in -------------------------------------------------------------------- */

/* Without blanks around it and control characters in it. */
static char *
trim(char *line)
{
	size_t len = strlen(line);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] < 0x20)
			line[i] = ' ';
	while (len > 0 && line[len - 1] == ' ')
		line[--len] = '\0';
	return line + strspn(line, " ");
}

static void
take_lines(struct screen *s)
{
	struct plain *p = s->plain;
	char *end;

	while ((end = memchr(p->line, '\n', p->len))) {
		char line[LINE];
		size_t n = (size_t)(end - p->line);

		memcpy(line, p->line, n);
		line[n] = '\0';
		p->len -= n + 1;
		memmove(p->line, end + 1, p->len);
		take_line(s, trim(line));
		if (s->away)
			return;
		tell_message(s);
		tell_question(s);
		flush(p);
	}
}

static void
on_input(void *arg, int fd, unsigned events)
{
	struct screen *s = arg;
	struct plain *p = s->plain;
	ssize_t n;

	(void)events;
	if (p->len == sizeof p->line)
		p->len = 0; /* nobody types such a line */
	n = read(fd, p->line + p->len, sizeof p->line - p->len);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		plain_listen(s, false);
		s->owner->leave(s->arg, 0);
		return;
	}
	p->len += (size_t)n;
	take_lines(s);
}

void
plain_listen(struct screen *s, bool on)
{
	struct plain *p = s->plain;

	if (on && !p->listening)
		loop_watch(s->loop, p->fd, POLLIN, on_input, s);
	else if (!on && p->listening)
		loop_unwatch(s->loop, p->fd);
	p->listening = on;
}

/* ---- beginning, end, and between -------------------------------------------------- */

static void
on_patience(void *arg)
{
	struct screen *s = arg;

	s->plain->patience = 0;
	plain_update(s);
}

int
plain_terminal(const struct screen *s)
{
	return s->plain->fd;
}

int
plain_open(struct screen *s, struct err *e)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "cannot open the terminal");
	s->plain = xcalloc(1, sizeof *s->plain);
	s->plain->fd = fd;
	s->plain->told = APP_WAITING;
	s->plain->patience = loop_after(s->loop, GREET_NS, on_patience, s);
	plain_listen(s, true);
	return 0;
}

void
plain_close(struct screen *s)
{
	if (!s->plain)
		return;
	plain_listen(s, false);
	loop_cancel(s->loop, s->plain->patience);
	close(s->plain->fd);
	flush(s->plain);
	buf_fini(&s->plain->out);
	free(s->plain);
	s->plain = NULL;
}

/* Is it worth a sentence nobody asked for? */
static bool
matters(enum app_connection from, enum app_connection to)
{
	return from != to && to != APP_WAITING &&
	    !(from == APP_WAITING && to == APP_LIVE);
}

/* The first word: who is watched, and how one goes on. */
static void
greet(struct screen *s)
{
	struct plain *p = s->plain;

	p->greeted = true;
	plain_status(&s->app, &p->out);
	if (s->app.status.connection == APP_WAITING)
		buf_puts(&p->out, "Type help for the commands.\n");
	else
		buf_puts(&p->out,
		    "Type top for what holds memory, help for the "
		    "commands.\n");
}

void
plain_update(struct screen *s)
{
	struct plain *p = s->plain;
	enum app_connection now = s->app.status.connection;

	if (s->away || !*s->app.target.name)
		return;
	/* How a program of ours ended is known a moment later. */
	if (now == APP_ENDED && s->app.target.running)
		now = p->told;
	if (!p->greeted) {
		if (now == APP_WAITING && p->patience)
			return;
		greet(s);
	} else if (matters(p->told, now) ||
	    (now == p->told && *p->end &&
		strcmp(p->end, s->app.status.sentence) != 0)) {
		if (now == APP_LIVE && p->told == APP_LATE)
			buf_puts(&p->out, "It answers again.\n");
		else
			plain_status(&s->app, &p->out);
		*p->end = '\0';
		if (now == APP_ENDED || now == APP_KILLED)
			snprintf(p->end, sizeof p->end, "%s",
			    s->app.status.sentence);
	} else if (p->told == APP_WAITING && now == APP_LIVE)
		buf_puts(&p->out, "The first sample is in; type top.\n");
	p->told = now;
	tell_message(s);
	flush(p);
}
