#include "ui/rule.h"

#include "base/utf8.h"
#include "ui/glyph.h"

void
rule_draw(struct grid *g, struct rect r, const char *title, const char *more,
    const char *right)
{
	int x = r.x + 1, end = r.x + r.w, room;

	if (r.w <= 0 || r.h <= 0)
		return;
	r.h = 1;
	grid_fill(g, r, ROLE_HAIRLINE, glyph(GLYPH_RULE, g->ascii));
	room = end - 2 - (x + 1);
	if (title && *title && room > 2) {
		grid_put(g, x, r.y, ROLE_TITLE, " ");
		x = grid_put_cut(g, x + 1, r.y, room, ROLE_TITLE, title);
		if (more && *more && end - 3 - (x + 2) > 4) {
			grid_put(g, x, r.y, ROLE_DIM, "  ");
			x = grid_put_cut(
			    g, x + 2, r.y, end - 3 - (x + 2), ROLE_DIM, more);
		}
		x = grid_put(g, x, r.y, ROLE_TITLE, " ");
	}
	if (!right || !*right || end - 2 - x < utf8_width(right) + 3)
		return;
	grid_put_right(g, end - 2, r.y, ROLE_DIM, " ");
	x = grid_put_right(g, end - 3, r.y, ROLE_DIM, right);
	grid_put_right(g, x, r.y, ROLE_DIM, " ");
}
