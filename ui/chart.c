#include "ui/chart.h"

#include <math.h>

#include "ui/glyph.h"

/* value / max in `units`, at least 1 for what is above zero. */
static int
measure(double value, double max, int units)
{
	double n;

	if (!(value > 0) || !(max > 0) || units <= 0)
		return 0;
	n = nearbyint(value * units / max);
	return n < 1 ? 1 : n > units ? units : (int)n;
}

void
chart_bar(struct grid *g, int x, int y, int cols, enum role role, double value,
    double max)
{
	int eighths = measure(value, max, cols * 8);
	int whole = eighths / 8;

	if (g->ascii) {
		whole = value > 0 && max > 0
		    ? (int)fmin(round(value * cols / max), cols)
		    : 0;
		/* '.' is for less than half a cell */
		eighths = whole * 8 + (whole == 0 && eighths > 0 ? 1 : 0);
	}
	for (int i = 0; i < whole; i++)
		grid_put(g, x + i, y, role, glyph_bar(8, g->ascii));
	if (eighths % 8)
		grid_put(
		    g, x + whole, y, role, glyph_bar(eighths % 8, g->ascii));
}

/* There are no eighths that are filled from the right, but a half is. */
static void
bar_leftwards(
    struct grid *g, int end, int y, int cols, double value, double max)
{
	int halves = measure(value, max, cols * (g->ascii ? 1 : 2));
	int whole = g->ascii ? halves : halves / 2;

	for (int i = 1; i <= whole; i++)
		grid_put(g, end - i, y, ROLE_SHRINK, glyph_bar(8, g->ascii));
	if (!g->ascii && halves % 2)
		grid_put(g, end - whole - 1, y, ROLE_SHRINK,
		    glyph(GLYPH_BAR_LEFT_HALF, false));
}

void
chart_diverging(
    struct grid *g, int x, int y, int half, double value, double max)
{
	int axis = x + half;

	grid_put(g, axis, y, ROLE_HAIRLINE, glyph(GLYPH_AXIS, g->ascii));
	if (value > 0)
		chart_bar(g, axis + 1, y, half, ROLE_GROW, value, max);
	else if (value < 0)
		bar_leftwards(g, axis, y, half, -value, max);
}

void
chart_trend(
    struct grid *g, int x, int y, enum role role, const double *values, int n)
{
	double low = HUGE_VAL, high = -HUGE_VAL;

	for (int i = 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	for (int i = 0; i < n; i++) {
		int level = 0;

		if (isnan(values[i]))
			continue;
		if (high > low)
			level = (int)nearbyint(
			    (values[i] - low) / (high - low) * 7);
		grid_put(g, x + i, y, role, glyph_spark(level + 1, g->ascii));
	}
}

void
chart_area(struct grid *g, struct rect r, enum role role, const double *values,
    double max)
{
	for (int i = 0; i < r.w; i++) {
		int eighths = measure(values[i], max, r.h * 8);

		for (int y = r.y + r.h - 1; eighths > 0; y--, eighths -= 8)
			grid_put(g, r.x + i, y, role,
			    glyph_spark(eighths < 8 ? eighths : 8, g->ascii));
	}
}
