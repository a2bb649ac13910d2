#include "ui/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/modules.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/glyph.h"
#include "ui/rule.h"

#define ID_BYTES 5 /* of a build-id are enough to tell it by */

bool
notice_waiting(const struct app *a)
{
	return !a->report ||
	    (a->report->group_count == 0 && !app_filtered(a) &&
		(!a->report->have_totals || a->report->totals.samples == 0));
}

int
notice_words(
    struct grid *g, struct rect r, int y, enum role role, const char *s)
{
	while (*s && y < r.y + r.h) {
		size_t n = utf8_head(s, r.w), cut = n;
		char part[1024];

		if (n == 0)
			break;
		if (s[n]) {
			while (cut > 0 && s[cut] != ' ')
				cut--;
			n = cut > 0 ? cut : n;
		}
		snprintf(part, sizeof part, "%.*s", (int)n, s);
		grid_put(g, r.x, y++, role, part);
		s += n;
		s += strspn(s, " ");
	}
	return y;
}

/* ---- the end, and no names ---------------------------------------------------- */

static struct rect
region(const struct app *a)
{
	struct rect r = a->layout.detail;

	if (a->layout.split.w == 0)
		return (struct rect){ r.x + 1, r.y, r.w - 2, r.h };
	return (struct rect){ r.x + 1, r.y + 2, r.w - 2, r.h - 2 };
}

static void
draw_title(const struct app *a, struct grid *g, enum role role, const char *s)
{
	struct rect r = a->layout.detail;

	if (a->layout.split.w == 0)
		rule_draw(g, a->layout.rule, s, NULL, NULL);
	else
		grid_put_cut(g, r.x + 1, r.y, r.w - 2, role, s);
}

static void
draw_ended(const struct app *a, struct grid *g)
{
	struct rect r = region(a);
	char text[APP_TEXT + 64];
	int y = r.y;

	if (*a->status.sentence)
		snprintf(text, sizeof text, "%s", a->status.sentence);
	else
		snprintf(text, sizeof text, "%s: %s", a->target.name,
		    a->status.what);
	draw_title(a, g, ROLE_TITLE, text);
	if (!a->report)
		return;
	snprintf(text, sizeof text,
	    "Everything up to %s is still here to read.%s",
	    app_clock(a, app_shown_ns(a)).s,
	    *a->status.last_line ? " Last line it printed:" : "");
	y = notice_words(g, r, y, ROLE_TEXT, text);
	if (*a->status.last_line && y < r.y + r.h)
		grid_put_cut(
		    g, r.x + 2, y, r.w - 2, ROLE_DIM, a->status.last_line);
}

/* "build-id 5f0c11be9a…, looked in ..." of the executable. */
static void
build_id(const struct app *a, bool ascii, struct buf *b)
{
	const struct profile_facts *f = profile_facts(a->report->profiles[0]);

	if (f->build_id_len == 0)
		return;
	buf_puts(b, "build-id ");
	for (size_t i = 0; i < f->build_id_len && i < ID_BYTES; i++)
		buf_printf(b, "%02x", f->build_id[i]);
	if (f->build_id_len > ID_BYTES)
		buf_puts(b, glyph(GLYPH_CUT, ascii));
	buf_puts(b, ", looked in /usr/lib/debug and beside the program");
}

static void
draw_names(const struct app *a, struct grid *g)
{
	struct rect r = region(a);
	struct buf b = BUF_INIT;
	int y = r.y;

	buf_printf(&b, "%s has no symbols", a->target.name);
	draw_title(a, g, ROLE_TITLE, buf_str(&b));
	y = notice_words(g, r, y, ROLE_TEXT,
	    "Addresses are shown instead; stacks and sizes are right. To get "
	    "names:");
	r.x += 2;
	r.w -= 2;
	buf_clear(&b);
	if (*a->target.names_hint)
		buf_puts(&b, a->target.names_hint);
	else
		buf_printf(
		    &b, "build with -g, or install %s-dbgsym", a->target.name);
	y = notice_words(g, r, y, ROLE_TEXT, buf_str(&b));
	buf_clear(&b);
	build_id(a, g->ascii, &b);
	if (y < r.y + r.h)
		grid_put_cut(g, r.x, y, r.w, ROLE_DIM, buf_str(&b));
	buf_fini(&b);
}

static bool
without_names(enum context view)
{
	return view == CONTEXT_SNAPSHOTS || view == CONTEXT_THREADS ||
	    view == CONTEXT_MEMORY;
}

bool
notice_shown(const struct app *a)
{
	return a->layout.detail.h > 0 && !a->detail_keys &&
	    app_screen(a) == a->view && !notice_waiting(a) &&
	    a->notice != NOTICE_NONE &&
	    !(a->notice == NOTICE_NAMES && without_names(a->view));
}

bool
notice_draw(const struct app *a, struct grid *g)
{
	if (!notice_shown(a))
		return false;
	if (a->notice == NOTICE_ENDED)
		draw_ended(a, g);
	else
		draw_names(a, g);
	return true;
}

/* ---- nothing yet ------------------------------------------------------------------ */

/* "512 KiB" */
static const char *
distance(const struct fmt *sampling)
{
	const char *slash = strchr(sampling->s, '/');

	return slash ? slash + 1 : sampling->s;
}

/* Nothing will come any more. */
static bool
over(const struct app *a)
{
	return app_ended(a) || app_is_file(a);
}

static int
draw_why(const struct app *a, struct grid *g, struct rect r, int y)
{
	struct fmt rate = fmt_sampling(a->target.lg_sample);
	char text[128];

	if (*a->status.sentence)
		return notice_words(g, r, y, ROLE_TEXT, a->status.sentence);
	if (over(a))
		return notice_words(g, r, y, ROLE_TEXT,
		    app_ended(a) ? "It ended before there was a sample."
				 : "There is no sample in this file.");
	if (!a->target.active)
		return notice_words(g, r, y, ROLE_TEXT,
		    "Sampling is switched off; :active on begins.");
	if (a->target.lg_sample == 0)
		return notice_words(g, r, y, ROLE_TEXT,
		    "Every allocation is looked at, and there was none.");
	snprintf(text, sizeof text,
	    "heaptop looks at one allocation in about every %s allocated.",
	    distance(&rate));
	y = notice_words(g, r, y, ROLE_TEXT, text);
	return notice_words(
	    g, r, y, ROLE_TEXT, "Small programs may have nothing to show yet.");
}

/* Of a program that has ended that may be why. */
static int
draw_last_line(const struct app *a, struct grid *g, struct rect r, int y)
{
	if (!app_ended(a) || !*a->status.last_line || y + 1 >= r.y + r.h)
		return y;
	y = notice_words(g, r, y, ROLE_TEXT, "The last line that it printed:");
	grid_put_cut(g, r.x, y, r.w, ROLE_DIM, a->status.last_line);
	return y + 1;
}

/* How to see more, where asking can help. */
static void
draw_advice(const struct app *a, struct grid *g, struct rect r, int y)
{
	if (y >= r.y + r.h)
		return;
	grid_put(g, r.x + 3, y, ROLE_KEY, "q");
	grid_put_cut(g, r.x + 8, y++, r.w - 8, ROLE_TEXT,
	    over(a) ? "quit" : "quit; the target keeps running");
	if (over(a) || *a->status.sentence || a->target.lg_sample <= 12)
		return;
	y = notice_words(g, r, y + 1, ROLE_TEXT,
	    "To see small programs, sample more often:");
	y++;
	if (y < r.y + r.h && *a->target.command) {
		grid_printf(g, r.x + 3, y, ROLE_TEXT, "heaptop -s 4K -- %.200s",
		    a->target.command);
		y += 2;
	}
	if (y < r.y + r.h) {
		int x = grid_put(g, r.x + 3, y, ROLE_KEY, ":sample 4K");

		grid_put_cut(g, x + 3, y, r.x + r.w - x - 3, ROLE_TEXT,
		    "from now on, here");
	}
}

void
notice_draw_waiting(const struct app *a, struct grid *g)
{
	struct rect b = a->layout.body;
	struct rect r = { b.x + 3, b.y, b.w - 4, b.h };
	int y = b.y + (b.h > 12 ? 1 : 0);

	if (b.h < 1 || r.w < 8)
		return;
	g->cursor_x = r.x;
	g->cursor_y = y;
	y = notice_words(g, r, y, ROLE_TITLE,
	    over(a)                   ? "There is nothing to show."
		: *a->status.sentence ? "Waiting."
				      : "Waiting for the first sample.");
	y = draw_why(a, g, r, y + (b.h > 8 ? 1 : 0));
	y = draw_last_line(a, g, r, y);
	draw_advice(a, g, r, y + 1);
}

/* ---- no output ---------------------------------------------------------------- */

void
notice_draw_silent(const struct app *a, struct grid *g, struct rect r)
{
	const struct app_target *t = &a->target;
	const char *name = *t->name ? t->name : "the program";
	char text[2 * APP_TEXT];
	int y = r.y + (r.h > 6 ? 1 : 0);

	if (app_is_file(a))
		snprintf(text, sizeof text,
		    "What the program printed is not in such a file.");
	else if (t->has_terminal)
		snprintf(text, sizeof text, "%s has printed nothing%s", name,
		    app_ended(a) ? "." : " yet.");
	else if (*t->output_file)
		snprintf(text, sizeof text, "What %s prints is in %s.", name,
		    t->output_file);
	else if (t->ours)
		snprintf(text, sizeof text,
		    "%s prints to its own files or pipes, and not here; "
		    "--target-output=FILE keeps a copy.",
		    name);
	else
		snprintf(text, sizeof text,
		    "%s was not started by heaptop: it prints where it "
		    "always did, and not here.",
		    name);
	notice_words(
	    g, (struct rect){ r.x + 3, r.y, r.w - 4, r.h }, y, ROLE_TEXT, text);
	g->cursor_x = r.x + 3;
	g->cursor_y = y;
}
