#include "screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "crash.h"
#include "io/source.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "options.h"
#include "output.h"
#include "screen_formats.h"
#include "screen_plain.h"
#include "screen_serve.h"
#include "settings.h"
#include "ui/frame.h"
#include "ui/timeline.h"

/* Frames are at least so far apart; one that answers a key comes sooner. */
#define FRAME_NS     UINT64_C(50000000)
#define KEY_FRAME_NS UINT64_C(25000000)
#define KEYS_AT_ONCE 256
/* Nothing is made in advance of a report that the next frame may replace. */
#define SETTLED_NS UINT64_C(250000000)

/* Options stand above settings. */
static struct term_options
term_options(const struct options *o)
{
	const struct settings *s = o->settings;
	struct term_options t = { .color = o->color,
		.theme = o->theme,
		.ascii = o->ascii,
		.no_mouse = o->no_mouse };

	if (!s)
		return t;
	t.color = o->color ? o->color : s->color;
	t.theme = o->theme ? o->theme : s->theme;
	t.ascii = o->ascii || s->ascii;
	t.no_mouse = o->no_mouse || s->no_mouse;
	return t;
}

bool
screen_wanted(const struct options *o)
{
	int fd;

	if (o->report || o->batch || o->snapshots || o->output ||
	    !isatty(STDOUT_FILENO))
		return false;
	fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

int
screen_check(const struct options *o, struct err *e)
{
	struct term_options t = term_options(o);

	return o->plain ? 0 : term_check(&t, e);
}

/* ---- the report -------------------------------------------------------- */

static void
send_report(struct screen *s, struct report *r)
{
	struct app_event e = { .kind = APP_REPORT, .report = r };
	struct app_point *points = NULL;
	const struct history *h;

	if (s->profile) {
		h = profile_history(s->profile);
		e.point_count = timeline_points(h, &points);
		e.points = points;
		e.kept_bytes = history_bytes(h);
	}
	app_event(&s->app, &e);
	report_free(s->report);
	s->report = r;
	free(points);
}

/* The newest snapshot that is whole. */
static snap_id
newest(const struct profile *p)
{
	const struct history *h = profile_history(p);
	size_t n = history_count(h);

	return n ? history_at(h, n - 1)->id : 0;
}

static void
build_report(struct screen *s)
{
	struct query q = s->app.ask;

	s->report_halfway = s->owner->busy && s->owner->busy(s->arg);
	/* What is put in at the moment is no snapshot yet: the last one is
	 * in history. */
	if (s->report_halfway && q.at == 0)
		q.at = newest(s->profile);
	s->list[0] = s->profile;
	send_report(s, report_build(s->list, 1, &q));
}

static void
bring_report(struct screen *s)
{
	bool stale =
	    s->report_halfway || (s->owner->busy && s->owner->busy(s->arg));

	if (!s->profile || !profile_totals(s->profile)) {
		if (s->report)
			send_report(s, NULL);
		s->app.dirty &= ~(unsigned)(APP_DIRTY_DATA | APP_DIRTY_QUERY);
		return;
	}
	if (stale || app_wants_report(&s->app))
		build_report(s);
	if (app_wants_report(&s->app))
		build_report(s); /* what is selected lies beyond its rows */
}

const struct report *
screen_report(struct screen *s)
{
	bring_report(s);
	return s->report;
}

/* Snapshots the screen needs are kept, those of before let go. */
static void
move_pins(struct screen *s)
{
	snap_id now[3];

	s->app.dirty &= ~(unsigned)APP_DIRTY_PINS;
	if (!s->profile)
		return;
	app_pins(&s->app, now);
	for (int i = 0; i < 3; i++)
		if (now[i])
			profile_pin(s->profile, now[i], 1);
	for (int i = 0; i < 3; i++) {
		snap_id old = s->pins[i];

		if (old && old != now[0] && old != now[1] && old != now[2])
			profile_pin(s->profile, old, 0);
		s->pins[i] = now[i];
	}
}

/* ---- work in advance --------------------------------------------------- */

static void plan_ahead(struct screen *s, uint64_t delay_ns);

/* What the key that opens Tree wants, and there the one that turns it round:
 * of very many stacks more than a key may take. */
static void
on_ahead(void *arg)
{
	struct screen *s = arg;
	enum context view = s->app.view;
	bool more;

	s->ahead = 0;
	if (!s->report)
		return;
	more = report_prepare(s->report, false);
	if (!more && (view == CONTEXT_TREE || view == CONTEXT_FLAME))
		more = report_prepare(s->report, true);
	if (more)
		plan_ahead(s, 0);
}

static void
plan_ahead(struct screen *s, uint64_t delay_ns)
{
	loop_cancel(s->loop, s->ahead);
	s->ahead = loop_after(s->loop, delay_ns, on_ahead, s);
}

/* ---- frames ------------------------------------------------------------ */

static void
bring_source(struct screen *s)
{
	struct app_event e = { .kind = APP_SOURCE };
	struct source src;

	if (!app_wants_source(&s->app, &e.source_file, &e.source_line))
		return;
	source_read(&src, e.source_file, e.source_line);
	e.text = src.text;
	e.first_line = src.first_line;
	e.why = src.why;
	app_event(&s->app, &e);
	source_fini(&src);
}

static void
draw(struct screen *s)
{
	if (s->app.dirty & APP_DIRTY_PINS)
		move_pins(s);
	if ((s->app.dirty == 0 && !s->fresh) || !s->term || s->away)
		return;
	bring_report(s);
	bring_source(s);
	term_fit(s->term, &s->grid);
	ui_render(&s->app, &s->grid);
	term_blit(s->term, &s->grid);
	s->app.dirty &= APP_DIRTY_PINS; /* set by the report, perhaps */
	s->fresh = s->keyed = false;
	s->drawn_ns = loop_clock_ns();
	if (s->report)
		plan_ahead(s, report_is_first(s->report) ? SETTLED_NS : 0);
}

static void
on_frame(void *arg)
{
	struct screen *s = arg;

	s->frame = 0;
	draw(s);
}

/* Draw now, or as soon as the last frame is old enough. */
static void
update(struct screen *s)
{
	uint64_t now = loop_clock_ns(), due;

	if (s->owner->updated && !s->updating) {
		s->updating = true;
		s->owner->updated(s->arg);
		s->updating = false;
	}
	if (s->plain) {
		draw(s); /* which moves pins, and draws nothing */
		plain_update(s);
		return;
	}
	if (s->app.dirty == 0 && !s->fresh)
		s->keyed = false;
	if ((s->frame && !s->keyed) || (s->app.dirty == 0 && !s->fresh))
		return;
	loop_cancel(s->loop, s->frame);
	s->frame = 0;
	due = s->drawn_ns + (s->keyed ? KEY_FRAME_NS : FRAME_NS);
	if (now >= due)
		draw(s);
	else
		s->frame = loop_after(s->loop, due - now, on_frame, s);
}

void
screen_send(struct screen *s, const struct app_event *e)
{
	app_event(&s->app, e);
	update(s);
}

void
screen_changed(struct screen *s)
{
	struct app_event e = { .kind = APP_DATA, .now_ns = loop_clock_ns() };

	screen_send(s, &e);
}

/* Time has not gone on: how long it is paused is not drawn for a name. */
void
screen_named(struct screen *s)
{
	screen_send(s, &(struct app_event){ .kind = APP_DATA });
}

void
screen_show(struct screen *s, struct profile *p)
{
	struct app_event e = { .kind = APP_OTHER };

	if (s->profile) {
		for (int i = 0; i < 3; i++)
			if (s->pins[i])
				profile_pin(s->profile, s->pins[i], 0);
	}
	memset(s->pins, 0, sizeof s->pins);
	app_event(&s->app, &e);
	report_free(s->report);
	s->report = NULL;
	s->profile = p;
	e.kind = APP_DATA;
	e.now_ns = loop_clock_ns();
	app_event(&s->app, &e);
}

void
screen_more(struct screen *s, struct profile *p)
{
	struct app_event e = { .kind = APP_MORE };
	struct app_point *points;

	memset(s->pins, 0, sizeof s->pins);
	e.point_count = timeline_points(profile_history(p), &points);
	e.points = points;
	e.kept_bytes = history_bytes(profile_history(p));
	app_event(&s->app, &e);
	free(points);
	report_free(s->report);
	s->report = NULL;
	s->profile = p;
}

static void
show_sentence(struct screen *s, bool bad, const char *text)
{
	struct app_event e = { .kind = APP_MESSAGE, .text = text, .bad = bad };

	screen_send(s, &e);
}

void
screen_say(struct screen *s, bool bad, const char *fmt, ...)
{
	struct err text;
	va_list ap;

	va_start(ap, fmt);
	err_vset(&text, fmt, ap);
	va_end(ap);
	show_sentence(s, bad, text.msg);
}

static void
on_say(void *arg, const char *sentence)
{
	struct screen *s = arg;

	if (!s->plain) /* which prints them at once */
		buf_printf(&s->said, "heaptop: %s\n", sentence);
	show_sentence(s, true, sentence);
}

/* ---- the terminal ------------------------------------------------------ */

static void on_terminal(void *arg, int fd, unsigned events);

static void
tell_size(struct screen *s)
{
	struct winsize size;

	if (s->term && s->owner->resized &&
	    ioctl(term_fd(s->term), TIOCGWINSZ, &size) == 0)
		s->owner->resized(s->arg, &size);
}

static void
take_size(struct screen *s)
{
	struct app_event e = { .kind = APP_RESIZE };

	term_resize(s->term);
	e.width = term_width(s->term);
	e.height = term_height(s->term);
	app_event(&s->app, &e);
	tell_size(s);
	update(s);
}

/* C-z stops the whole job, as the terminal would have; where nobody could
 * wake us (an orphaned job) the system drops the signal and we go on. */
static void
suspend(struct screen *s, pid_t who)
{
	sigset_t stop;

	term_suspend(s->term);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	kill(who, SIGTSTP);
	/* it is blocked so far, for the loop; here it comes */
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	term_resume(s->term);
	take_size(s);
}

void
screen_leave_terminal(struct screen *s)
{
	s->away = true;
	if (!s->term) {
		plain_listen(s, false);
		return;
	}
	loop_unwatch(s->loop, term_fd(s->term));
	term_suspend(s->term);
}

void
screen_take_terminal(struct screen *s)
{
	s->away = false;
	if (!s->term) {
		plain_listen(s, true);
		return;
	}
	term_resume(s->term);
	loop_watch(s->loop, term_fd(s->term), POLLIN, on_terminal, s);
	take_size(s);
}

void
screen_do(struct screen *s, const struct request *r)
{
	switch ((int)r->kind) {
	case REQUEST_NONE: return;
	case REQUEST_REDRAW:
		if (s->term)
			term_redraw(s->term);
		break;
	case REQUEST_SUSPEND:
		if (s->term)
			suspend(s, 0);
		break;
	default:
		if (!serve_request(s, r))
			s->owner->request(s->arg, r);
		break;
	}
}

/* ---- what comes in ----------------------------------------------------- */

static void
on_terminal(void *arg, int fd, unsigned events)
{
	struct screen *s = arg;
	struct app_event e = { .kind = APP_KEY };

	(void)fd;
	for (int i = 0; i < KEYS_AT_ONCE; i++) {
		struct request r;

		e.key = term_key(s->term, 0);
		if (e.key.code == K_NONE)
			break;
		e.now_ns = loop_clock_ns();
		s->keyed = true;
		r = app_event(&s->app, &e);
		screen_do(s, &r);
		if (s->away) /* what is typed is another's */
			return;
	}
	if (events & (POLLHUP | POLLERR | POLLNVAL) || term_gone(s->term)) {
		loop_unwatch(s->loop, term_fd(s->term));
		s->owner->leave(s->arg, SIGHUP);
		return;
	}
	update(s);
}

static void
on_resize(void *arg, int sig)
{
	struct screen *s = arg;

	(void)sig;
	if (s->term && !s->away)
		take_size(s);
}

static void
on_stop(void *arg, int sig)
{
	struct screen *s = arg;

	(void)sig;
	if (s->term && !s->away)
		suspend(s, getpid());
	else
		kill(getpid(), SIGSTOP); /* with nothing to put right */
}

/* Somebody stopped us without asking: the terminal is another's by now. */
static void
on_continue(void *arg, int sig)
{
	struct screen *s = arg;

	(void)sig;
	if (!s->term || s->away)
		return;
	term_resume(s->term);
	take_size(s);
}

static void
on_leave(void *arg, int sig)
{
	struct screen *s = arg;

	/* The terminal's own keys are for who has it. */
	if (s->away && (sig == SIGINT || sig == SIGQUIT))
		return;
	s->owner->leave(s->arg, sig);
}

static int
take_signals(struct screen *s, struct err *e)
{
	static const int leave[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
		if (loop_signal(s->loop, leave[i], on_leave, s, e) < 0)
			return -1;
	if (loop_signal(s->loop, SIGWINCH, on_resize, s, e) < 0 ||
	    loop_signal(s->loop, SIGTSTP, on_stop, s, e) < 0 ||
	    loop_signal(s->loop, SIGCONT, on_continue, s, e) < 0)
		return -1;
	return 0;
}

/* ---- beginning and end ------------------------------------------------- */

static void
guard(struct screen *s)
{
	struct term_undo u;
	struct termios modes;

	term_undo(s->term, &u, &modes);
	crash_guard(u.fd, u.text, u.len, &modes);
	mem_on_death(term_restore);
}

/* A terminal drawn on, or one that is only written to. */
static int
open_terminal(struct screen *s, struct err *e)
{
	struct term_options t = term_options(s->o);

	s->look = t;
	if (s->o->plain)
		return plain_open(s, e);
	s->term = term_new(&t, e);
	if (!s->term)
		return -1;
	guard(s);
	return 0;
}

int
screen_open(struct screen *s, const struct options *o, struct loop *l,
    const struct screen_owner *owner, void *arg, struct err *e)
{
	int w = PLAIN_COLS, h = PLAIN_ROWS;
	struct query q;

	memset(s, 0, sizeof *s);
	s->o = o;
	s->loop = l;
	s->owner = owner;
	s->arg = arg;
	s->fresh = true;
	if (open_terminal(s, e) < 0)
		return -1;
	if (s->term) {
		w = term_width(s->term);
		h = term_height(s->term);
		loop_watch(l, term_fd(s->term), POLLIN, on_terminal, s);
	}
	options_query(o, NULL, &q, e); /* no profile yet: cannot fail */
	app_init(&s->app, &q, w, h);
	s->app.formats = screen_formats(&s->app.format_count);
	grid_init(&s->grid, w, h);
	if (take_signals(s, e) < 0) {
		screen_close(s);
		return -1;
	}
	say_to(on_say, s);
	serve_settings(s);
	update(s);
	return 0;
}

bool
screen_is_open(const struct screen *s)
{
	return s->term || s->plain;
}

void
screen_close(struct screen *s)
{
	if (!screen_is_open(s))
		return;
	say_to(NULL, NULL);
	serve_close(s);
	loop_cancel(s->loop, s->frame);
	loop_cancel(s->loop, s->ahead);
	if (s->term) {
		loop_unwatch(s->loop, term_fd(s->term));
		mem_on_death(NULL);
		crash_forget();
		term_free(s->term);
		s->term = NULL;
	}
	plain_close(s);
	app_fini(&s->app);
	report_free(s->report);
	s->report = NULL;
	grid_fini(&s->grid);
	buf_write(&s->kept, STDOUT_FILENO, "stdout", NULL);
	buf_write(&s->said, STDERR_FILENO, "stderr", NULL);
	buf_fini(&s->kept);
	buf_fini(&s->said);
}
