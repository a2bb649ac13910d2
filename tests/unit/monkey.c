#include "monkey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/view.h"

struct monkey m;

#define PROMISE(what, ...)                                    \
	do {                                                  \
		if (!(what))                                  \
			broken(#what, __LINE__, __VA_ARGS__); \
	} while (0)

/* Which event of which seed, and what the screen was. */
static void __attribute__((format(printf, 3, 4)))
broken(const char *what, int line, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	grid_text(&m.grid, &b);
	print_error("%s\n", buf_str(&b));
	buf_fini(&b);
	fail_msg("line %d: %s is broken: %s (event %d of seed %llu)", line,
	    what, text, m.step, (unsigned long long)m.seed);
}

/* One character and its marks, as wide as it says. */
static void
check_cell(int x, int y)
{
	const struct cell *c = grid_at(&m.grid, x, y);
	size_t len = strnlen(c->text, sizeof c->text), used;

	PROMISE(c->role < ROLE_COUNT, "%d,%d", x, y);
	PROMISE(len < sizeof c->text, "%d,%d", x, y);
	PROMISE(c->width <= 2, "%d,%d", x, y);
	if (c->width == 0) {
		PROMISE(len == 0, "%d,%d", x, y);
		PROMISE(x > 0 && grid_at(&m.grid, x - 1, y)->width == 2,
		    "the left half is missing at %d,%d", x, y);
		return;
	}
	PROMISE(len > 0, "%d,%d", x, y);
	if (c->width == 2)
		PROMISE(x + 1 < m.grid.width &&
			grid_at(&m.grid, x + 1, y)->width == 0,
		    "the right half is missing at %d,%d", x, y);
	if (len == 1 && (unsigned char)c->text[0] < 0x7f) {
		PROMISE(c->text[0] >= ' ', "%d,%d", x, y);
		return;
	}
	PROMISE(!m.ascii, "no ASCII at %d,%d", x, y);
	PROMISE(utf8_width(c->text) == c->width, "%d,%d", x, y);
	for (size_t i = 0; i < len; i += used)
		PROMISE(utf8_decode(c->text + i, len - i, &used) != 0xfffd ||
			used > 1,
		    "no UTF-8 at %d,%d", x, y);
}

void
check_grid(void)
{
	const struct grid *g = &m.grid;

	PROMISE(g->width == m.app.width && g->height == m.app.height, "%dx%d",
	    g->width, g->height);
	PROMISE(g->cursor_x >= -1 && g->cursor_x < g->width, "%d", g->cursor_x);
	PROMISE(
	    g->cursor_y >= -1 && g->cursor_y < g->height, "%d", g->cursor_y);
	PROMISE(!g->cursor_shown || (g->cursor_x >= 0 && g->cursor_y >= 0),
	    "%d,%d", g->cursor_x, g->cursor_y);
	for (int y = 0; y < g->height; y++) {
		for (int x = 0; x < g->width; x++)
			check_cell(x, y);
	}
}

static bool
is_text(const char *s, size_t size)
{
	return memchr(s, '\0', size) != NULL;
}

void
check_request(const struct request *r)
{
	PROMISE(r->kind >= REQUEST_NONE && r->kind <= REQUEST_SET, "%d",
	    (int)r->kind);
	PROMISE(is_text(r->file, sizeof r->file), "%d", (int)r->kind);
	if (r->kind == REQUEST_EXPORT)
		PROMISE(r->format < m.app.format_count, "%zu", r->format);
	if (r->kind == REQUEST_EXPORT || r->kind == REQUEST_SAVE_OUTPUT)
		PROMISE(r->file[0], "no file's name for %d", (int)r->kind);
	if (r->kind == REQUEST_RATE)
		PROMISE(r->lg_sample <= 40, "%u", r->lg_sample);
	if (r->kind == REQUEST_INTERVAL)
		PROMISE(r->ns > 0, "%llu", (unsigned long long)r->ns);
	if (r->kind == REQUEST_TERMINATE)
		PROMISE(m.app.target.running, "there is nothing to end");
	if (r->kind == REQUEST_TYPE)
		PROMISE(r->byte_count > 0 && r->byte_count <= sizeof r->bytes,
		    "%zu", r->byte_count);
}

/* A snapshot that the screen has pinned is there. */
static void
check_moment(snap_id id)
{
	const struct history *h = profile_history(m.profile);
	size_t i;

	if (!id)
		return;
	i = history_index(h, id);
	PROMISE(i < history_count(h) && history_at(h, i)->id == id,
	    "snapshot %u: at %u%s, marks %u %u; pinned %u %u %u", id, m.app.at,
	    m.app.paused ? ", paused" : "", m.app.mark[0].id, m.app.mark[1].id,
	    m.pins[0], m.pins[1], m.pins[2]);
}

void
check_app(void)
{
	const struct app *a = &m.app;

	PROMISE(view_at(a->view), "%d", (int)a->view);
	PROMISE(app_context(a) < CONTEXT_COUNT, "%d", (int)app_context(a));
	PROMISE(is_text(a->message, sizeof a->message), "message");
	PROMISE(is_text(a->filter, sizeof a->filter), "filter");
	PROMISE(a->layout.body.h <= 0 || a->rows.top <= a->rows.cursor,
	    "%zu %zu", a->rows.top, a->rows.cursor);
	PROMISE(a->view != CONTEXT_TOP || a->listed_count == 0 ||
		a->rows.cursor < a->listed_count,
	    "%zu of %zu", a->rows.cursor, a->listed_count);
	check_moment(a->at);
	check_moment(a->mark[0].id);
	check_moment(a->mark[1].id);
}
