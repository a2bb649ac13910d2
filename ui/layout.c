#include "ui/layout.h"

#include <string.h>

/* Rows of the detail below the list, with the blank one under it. */
static const struct {
	int tall, medium; /* from 28 rows; from 24 */
} detail_rows[CONTEXT_COUNT] = {
	[CONTEXT_TOP] = { 5, 3 },
	[CONTEXT_GROWTH] = { 6, 2 },
	[CONTEXT_TREE] = { 4, 3 },
	[CONTEXT_FLAME] = { 4, 3 },
	[CONTEXT_SNAPSHOTS] = { 3, 2 },
	[CONTEXT_THREADS] = { 5, 3 },
	[CONTEXT_MEMORY] = { 5, 3 },
	[CONTEXT_DETAIL] = { 0, 0 },
	[CONTEXT_OUTPUT] = { 0, 0 },
	[CONTEXT_OVER] = { 0, 0 },
};

static bool
beside(const struct layout *l, int height, enum context view)
{
	return l->words == WORDS_LONGEST && height >= 16 &&
	    view != CONTEXT_DETAIL && view != CONTEXT_OUTPUT &&
	    view != CONTEXT_SNAPSHOTS && view != CONTEXT_FLAME;
}

static int
detail_height(int height, enum context view)
{
	int medium = detail_rows[view].medium;

	if (height >= 28)
		return detail_rows[view].tall;
	if (height >= 24)
		return medium;
	return height >= 22 && medium > 0 ? 2 : 0;
}

static int
timeline_height(int height, enum context view)
{
	if (view == CONTEXT_SNAPSHOTS)
		return height >= 28 ? 6 : height >= 22 ? 4 : 2;
	return height >= 40 ? 2 : 1;
}

/* The next `h` rows of the whole width. */
static struct rect
take(int *y, int width, int h)
{
	struct rect r = { 0, *y, width, h };

	*y += h;
	return r;
}

static enum layout_words
words_of(int width)
{
	return width >= 140 ? WORDS_LONGEST
	    : width >= 92   ? WORDS_LONG
	    : width >= 72   ? WORDS_SHORT
			    : WORDS_LEAST;
}

/* The detail goes to the right of the list, from the column titles down. */
static void
put_beside(struct layout *l, int width)
{
	int list = width * 64 / 100 > 100 ? width * 64 / 100 : 100;
	int h = l->head.h + l->body.h;

	l->split = (struct rect){ list, l->head.y, 1, h };
	l->detail = (struct rect){ list + 1, l->head.y, width - list - 1, h };
	l->head.w = l->body.w = list;
}

void
layout_build(struct layout *l, int width, int height, enum context view)
{
	int y = 0, end = height, below;

	memset(l, 0, sizeof *l);
	if (width < 1 || height < 1)
		return;
	l->words = words_of(width);
	l->title = take(&y, width, 1);
	if (width < 20 || height < 4)
		return;
	l->style = height < 10 ? LAYOUT_ROWS
	    : height < 16      ? LAYOUT_SHORT
			       : LAYOUT_NORMAL;
	if (l->style == LAYOUT_ROWS) {
		l->body = take(&y, width, end - y);
		return;
	}
	end--;
	l->hints = (struct rect){ 0, end, width, 1 };
	if (l->style == LAYOUT_NORMAL) {
		l->figures = take(&y, width, 1);
		l->timeline = take(&y, width, timeline_height(height, view));
		l->ruler = take(&y, width, 1);
	}
	l->tabs = take(&y, width, 1);
	l->head = take(&y, width, view == CONTEXT_DETAIL ? 0 : 1);
	below = beside(l, height, view) ? 0 : detail_height(height, view);
	if (below > 0) {
		end -= below + 1;
		l->rule = (struct rect){ 0, end, width, 1 };
		l->detail = (struct rect){ 0, end + 1, width, below };
	}
	l->body = take(&y, width, end - y);
	if (beside(l, height, view))
		put_beside(l, width);
}

struct rect
layout_popup(int width, int height, int w, int h)
{
	struct rect r = { 0, 0, w < width ? w : width,
		h < height ? h : height };

	r.x = (width - r.w) / 2;
	r.y = (height - r.h + 1) / 2;
	return r;
}
