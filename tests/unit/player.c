#include "player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "looks.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/memory.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"
#include "prof/format.h"
#include "screen_formats.h"
#include "ui/frame.h"
#include "ui/timeline.h"

/* ---- the recording ---------------------------------------------------------- */

/* Of a file, plain or gzipped; a NUL after it. */
static struct buf
read_file(const char *path)
{
	struct buf b = BUF_INIT;
	char part[8192];
	gzFile f = gzopen(path, "rb");
	int n;

	if (!f)
		fail_msg("cannot read %s", path);
	while ((n = gzread(f, part, sizeof part)) > 0)
		buf_put(&b, part, (size_t)n);
	if (n < 0)
		fail_msg("cannot read %s", path);
	gzclose(f);
	buf_puts(&b, "");
	return b;
}

/* The next field of a line, up to a tab or the end. */
static char *
field(char **at)
{
	char *s = *at;
	size_t n = strcspn(s, "\t");

	*at = s[n] ? s + n + 1 : s + n;
	s[n] = '\0';
	return s;
}

static void
read_names(struct player_run *run, const char *path)
{
	struct buf b = read_file(path);
	size_t lines = 0;

	for (size_t i = 0; i < b.len; i++)
		lines += b.data[i] == '\n';
	run->names = xcalloc(lines + 1, sizeof *run->names);
	run->text = b.data;
	for (char *line = run->text; *line;) {
		struct player_name *n = &run->names[run->name_count++];
		char *next = strchr(line, '\n');

		if (!next)
			fail_msg("%s: a line without an end", path);
		*next++ = '\0';
		n->module = field(&line);
		n->offset = strtoull(field(&line), NULL, 16);
		n->function = field(&line);
		n->file = field(&line);
		n->line = (uint32_t)strtoul(field(&line), NULL, 10);
		line = next;
	}
}

void
player_run_open(
    struct player_run *run, const char *recording, const char *names)
{
	struct buf b = read_file(recording);

	memset(run, 0, sizeof *run);
	run->data = (unsigned char *)b.data;
	run->len = b.len;
	read_names(run, names);
}

void
player_run_close(struct player_run *run)
{
	free(run->data);
	free(run->names);
	free(run->text);
}

/* ---- names --------------------------------------------------------------------- */

/* The names of a place, the innermost first; how many there are. */
static unsigned
find_names(const struct player *p, const char *module, uint64_t offset,
    struct frame_name *to, unsigned max)
{
	unsigned count = 0;

	for (size_t i = 0; i < p->run->name_count && count < max; i++) {
		const struct player_name *n = &p->run->names[i];

		if (n->offset == offset && strcmp(n->module, module) == 0 &&
		    n->function[0])
			to[count++] = (struct frame_name){ n->function, n->file,
				n->line };
	}
	return count;
}

/* What the script lets be known of a place. */
static void
name_place(const struct player *p, frame_id id)
{
	struct frames *f = profile_frames(p->profile);
	uint32_t m = frames_module(f, id);
	const struct module *module =
	    modules_find(profile_modules(p->profile), m);
	uint32_t percent = (uint32_t)strtoul(p->names, NULL, 10);
	struct frame_name names[8];
	unsigned n = 0;

	/* some here and some there */
	if (percent > 0 && id * 37 % 100 >= percent) {
		frames_set_asked(f, id);
		return;
	}
	if (module && !(m == 1 && strcmp(p->names, "libraries") == 0))
		n = find_names(p, module->path, frames_offset(f, id), names, 8);
	frames_set_names(f, id, names, n);
}

static void
name_places(struct player *p, bool again)
{
	struct frames *f = profile_frames(p->profile);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		if (again || frames_state(f, id) == FRAME_UNKNOWN)
			name_place(p, id);
	}
}

/* ---- the session's part ----------------------------------------------------------- */

static void
pin(struct player *p)
{
	snap_id pins[3];

	app_pins(&p->app, pins);
	for (int i = 0; i < 3; i++) {
		if (p->pins[i])
			profile_pin(p->profile, p->pins[i], 0);
	}
	for (int i = 0; i < 3; i++) {
		if (pins[i])
			profile_pin(p->profile, pins[i], 1);
		p->pins[i] = pins[i];
	}
}

static void
report(struct player *p)
{
	const struct profile *profile = p->profile;
	struct report *old = p->report;
	struct app_point *points;
	struct app_event e = { .kind = APP_REPORT };

	p->report = report_build(&profile, 1, &p->app.ask);
	e.report = p->report;
	e.point_count = timeline_points(profile_history(p->profile), &points);
	e.points = points;
	e.kept_bytes = history_bytes(profile_history(p->profile));
	app_event(&p->app, &e);
	free(points);
	report_free(old);
}

static void send(struct player *p, const struct app_event *e);

static void
answer_source(struct player *p)
{
	struct app_event e = { .kind = APP_SOURCE };
	char path[2 * APP_TEXT], why[APP_TEXT];
	struct buf b = BUF_INIT;

	if (!app_wants_source(&p->app, &e.source_file, &e.source_line))
		return;
	snprintf(path, sizeof path, "%s/%s", p->sources, e.source_file);
	if (p->sources[0] && access(path, R_OK) == 0) {
		b = read_file(path);
		e.text = b.data;
		e.first_line = 1;
	} else {
		snprintf(why, sizeof why,
		    "%s is not here; set HEAPTOP_SOURCE_PATH", e.source_file);
		e.why = why;
	}
	send(p, &e);
	buf_fini(&b);
}

static void
send(struct player *p, const struct app_event *event)
{
	struct app_event e = *event;

	e.now_ns = p->now_ns;
	app_event(&p->app, &e);
	if (p->app.dirty & APP_DIRTY_PINS)
		pin(p);
	if (dumpread_snapshots(p->reader) == 0)
		p->app.dirty = 0;
	else if (app_wants_report(&p->app))
		report(p);
	if (e.kind != APP_SOURCE)
		answer_source(p);
}

static void
send_kind(struct player *p, enum app_event_kind kind)
{
	struct app_event e = { .kind = kind };

	e.target = &p->script.target;
	e.width = p->script.width;
	e.height = p->script.height;
	send(p, &e);
}

static void
send_status(struct player *p)
{
	struct app_status s = p->script.status;
	struct app_event e = { .kind = APP_STATUS, .status = &s };

	if (s.connection == APP_ENDED || s.connection == APP_KILLED)
		s.ns += p->script.target.start_ns;
	send(p, &e);
}

static void
send_message(struct player *p)
{
	struct app_event e = { .kind = APP_MESSAGE,
		.text = p->script.value,
		.bad = p->script.bad };

	send(p, &e);
}

static void
find_path(const struct player *p, const char *s, char path[APP_TEXT])
{
	bool data = strncmp(s, "DATA", 4) == 0;

	snprintf(path, APP_TEXT, "%s%s", data ? p->data : "", data ? s + 4 : s);
}

/* In chunks as a pipe might give them. */
static void
send_output(struct player *p)
{
	char path[APP_TEXT];
	struct buf b;

	find_path(p, p->script.value, path);
	b = read_file(path);
	for (size_t at = 0; at < b.len; at += 100) {
		struct app_event e = { .kind = APP_OUTPUT,
			.data = b.data + at,
			.len = b.len - at < 100 ? b.len - at : 100 };

		send(p, &e);
	}
	buf_fini(&b);
}

/* A look of this moment. */
static void
send_memory(struct player *p)
{
	const struct profile_totals *t = profile_totals(p->profile);
	struct memory_seen seen;
	struct app_event e = { .kind = APP_MEMORY, .memory = &seen };
	char path[APP_TEXT];
	struct buf b;

	find_path(p, p->script.value, path);
	b = read_file(path);
	looks_read(buf_str(&b), &seen);
	seen.ns = p->now_ns;
	if (t)
		seen.totals = *t;
	send(p, &e);
	buf_fini(&b);
}

/* Let the dump begin or go on by one frame; false at the end. */
static bool
feed_frame(struct player *p)
{
	const struct player_run *r = p->run;
	struct frame_head h;
	struct err e;

	if (r->len - p->at < sizeof h)
		return false;
	memcpy(&h, r->data + p->at, sizeof h);
	if (dumpread_feed(p->reader, r->data + p->at, sizeof h + h.size, &e) <
	    0)
		fail_msg("%s", e.msg);
	p->at += sizeof h + h.size;
	return true;
}

/* One snapshot; false if there is none any more. */
static bool
snapshot(struct player *p)
{
	unsigned before = dumpread_snapshots(p->reader);

	while (dumpread_snapshots(p->reader) == before) {
		if (!feed_frame(p))
			return false;
	}
	p->now_ns = profile_totals(p->profile)->now_ns;
	return true;
}

static void
snapshots(struct player *p, int count, uint64_t until_ns)
{
	for (int i = 0; i < count; i++) {
		if (!snapshot(p))
			fail_msg("%s:%d: the recording has no more",
			    p->script.name, p->script.line);
		if (until_ns &&
		    p->now_ns >= until_ns + p->script.target.start_ns)
			break;
	}
	profile_put_process(p->profile, p->script.target.rss_bytes, 0, 0, 0);
	name_places(p, false);
	send_kind(p, APP_DATA);
}

/* ---- the script ------------------------------------------------------------------ */

static void
draw(struct player *p, enum script_step step)
{
	struct grid g;

	grid_init(&g, p->app.width, p->app.height);
	script_fit(&p->script, &g);
	ui_render(&p->app, &g);
	if (step == SCRIPT_SCREEN)
		script_show(&p->script, &g);
	else if (step == SCRIPT_ROLES)
		script_show_roles(&p->script, &g);
	else
		script_show_both(&p->script, &g);
	grid_fini(&g);
}

static void
send_exists(struct player *p)
{
	struct request r = { .kind = REQUEST_EXPORT };
	struct app_event e = { .kind = APP_EXISTS, .request = &r };

	snprintf(r.file, sizeof r.file, "%s", p->script.value);
	send(p, &e);
}

static void
draw_every(struct player *p)
{
	struct script *s = &p->script;
	int width = s->width, height = s->height;

	for (int i = 0; i < SCRIPT_SIZES; i++) {
		s->width = script_sizes[i].width;
		s->height = script_sizes[i].height;
		send_kind(p, APP_RESIZE);
		draw(p, SCRIPT_EVERY);
	}
	s->width = width;
	s->height = height;
	send_kind(p, APP_RESIZE);
}

static void
step(struct player *p, enum script_step step, struct key key, int count)
{
	struct app_event e = { .kind = APP_KEY, .key = key };
	const char *value = p->script.value;

	switch (step) {
	case SCRIPT_END: break;
	case SCRIPT_KEY: send(p, &e); break;
	case SCRIPT_RESIZE: send_kind(p, APP_RESIZE); break;
	case SCRIPT_WAIT: snapshots(p, count, 0); break;
	case SCRIPT_UNTIL: snapshots(p, INT32_MAX, p->script.ns); break;
	case SCRIPT_NOW:
		p->now_ns = p->script.target.start_ns + p->script.ns;
		send_kind(p, APP_DATA);
		break;
	case SCRIPT_SCREEN:
	case SCRIPT_ROLES: draw(p, step); break;
	case SCRIPT_EVERY: draw_every(p); break;
	case SCRIPT_TARGET: send_kind(p, APP_TARGET); break;
	case SCRIPT_STATUS: send_status(p); break;
	case SCRIPT_MESSAGE: send_message(p); break;
	case SCRIPT_EXISTS: send_exists(p); break;
	case SCRIPT_OUTPUT: send_output(p); break;
	case SCRIPT_MEMORY: send_memory(p); break;
	case SCRIPT_SOURCE: find_path(p, value, p->sources); break;
	case SCRIPT_NAMES:
		snprintf(p->names, sizeof p->names, "%s", value);
		name_places(p, true);
		send_kind(p, APP_DATA);
		break;
	case SCRIPT_LIKE: snprintf(p->like, sizeof p->like, "%s", value); break;
	}
}

void
player_open(struct player *p, const struct player_run *run, const char *data,
    bool ascii)
{
	memset(p, 0, sizeof *p);
	p->run = run;
	p->data = data;
	p->profile = profile_new();
	p->reader = dumpread_new(p->profile, "the recording");
	/* Who it is is said before the first snapshot comes. */
	if (!feed_frame(p))
		fail_msg("an empty recording");
	p->script.ascii = ascii;
	p->script.target.start_ns = profile_facts(p->profile)->image_ns;
	app_init(&p->app, NULL, 80, 24);
	p->app.formats = screen_formats(&p->app.format_count);
}

void
player_play(struct player *p, const char *script)
{
	struct script before = p->script, *s = &p->script;
	struct key key = { 0 };
	struct err e;
	int count = 0, r;

	if (script_open(s, script, &e) < 0)
		fail_msg("%s", e.msg);
	s->ascii = before.ascii;
	s->target = before.target;
	s->status = before.status;
	while ((r = script_next(s, &key, &count, &e)) > 0)
		step(p, (enum script_step)r, key, count);
	if (r < 0)
		fail_msg("%s", e.msg);
	buf_put(&p->out, s->out.data, s->out.len);
	buf_put(&p->letters, s->letters.data, s->letters.len);
	before = *s;
	script_fini(s);
	s->ascii = before.ascii;
	s->target = before.target;
	s->status = before.status;
}

void
player_close(struct player *p)
{
	app_fini(&p->app);
	report_free(p->report);
	dumpread_free(p->reader);
	profile_free(p->profile);
	buf_fini(&p->out);
	buf_fini(&p->letters);
}
