/* One frame of a stack in columns: function, place, module. */
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/name.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail_parts.h"

static void
put_path(struct grid *g, int x, int y, int w, const char *s)
{
	struct buf b = BUF_INIT;

	if (w > 0)
		name_fit_path(&b, s, w, g->ascii);
	grid_put(g, x, y, ROLE_DIM, buf_str(&b));
	buf_fini(&b);
}

/* Columns of a frame's function, place and module. */
struct frame_cols {
	int function, place, module;
};

static struct frame_cols
frame_cols(int w)
{
	struct frame_cols c = { 0,
		w >= 50       ? 22
		    : w >= 34 ? 16
			      : 0,
		w >= 50 ? 10 : 0 };

	/* Two shapes: three columns, or the module where there is no line. */
	if (w >= 54 && w < 60) {
		c.module = 0;
		c.place = w - 32;
	} else if (w >= 60) {
		c.module = w / 5;
		c.place = w * 2 / 5;
	}
	c.function =
	    w - 3 - (c.place ? c.place + 1 : 0) - (c.module ? c.module + 1 : 0);
	return c;
}

/* Where no place is known, and the module has a column of its own, the name
 * has that of the place too, and a long module what the name leaves of it. */
static struct frame_cols
cols_of(const struct place *p, int w)
{
	struct frame_cols c = frame_cols(w);
	int more, left;

	if (!c.module || !c.place || (p->file && *p->file))
		return c;
	left = c.function + c.place + 1 - utf8_width(p->function);
	more = (p->module ? utf8_width(p->module) : 0) - c.module;
	if (more > left)
		more = left;
	if (more > c.place)
		more = c.place;
	if (more < 0)
		more = 0;
	c.function += c.place + 1 - more;
	c.module += more;
	c.place = 0;
	return c;
}

bool
parts_shortened(const struct place *p, int w, bool ascii)
{
	struct buf b = BUF_INIT;
	bool shorter;

	name_fit(&b, p->function, cols_of(p, w).function, ascii);
	shorter = strcmp(buf_str(&b), p->function) != 0;
	buf_fini(&b);
	return shorter;
}

bool
parts_frame(const struct app *a, const struct report_row *row, uint32_t frame,
    struct grid *g, int x, int y, int w)
{
	struct frame_cols c;
	struct buf name = BUF_INIT, at = BUF_INIT;
	struct place p;

	if (frame >= row->count)
		return false;
	p = report_place(a->report, row->places[frame]);
	c = cols_of(&p, w);
	x = grid_printf(g, x, y, ROLE_DIM, "#%u ", frame);
	c.function -= frame > 9 ? frame > 99 ? 2 : 1 : 0;
	if (c.function > 0)
		name_fit(&name, p.function, c.function, g->ascii);
	grid_put(g, x, y, frame == 0 ? ROLE_SITE : ROLE_TEXT, buf_str(&name));
	x += c.function + 1;
	parts_place(&p, &at);
	if (at.len == 0 && c.module == 0 && p.module)
		buf_puts(&at, p.module);
	if (c.place)
		put_path(g, x, y, c.place, buf_str(&at));
	if (c.module && p.module)
		put_path(
		    g, x + (c.place ? c.place + 1 : 0), y, c.module, p.module);
	buf_fini(&name);
	buf_fini(&at);
	return true;
}
