#include "ui/frame.h"

#include <stddef.h>

#include "model/report.h"
#include "ui/app.h"
#include "ui/console.h"
#include "ui/detail.h"
#include "ui/export_menu.h"
#include "ui/header.h"
#include "ui/help.h"
#include "ui/notice.h"
#include "ui/status.h"
#include "ui/tabs.h"
#include "ui/timeline.h"
#include "ui/view.h"
#include "ui/view_flame.h"
#include "ui/view_growth.h"
#include "ui/view_memory.h"
#include "ui/view_snapshots.h"
#include "ui/view_threads.h"
#include "ui/view_top.h"
#include "ui/view_tree.h"

const struct view *
view_at(enum context c)
{
	static const struct view *const views[CONTEXT_COUNT] = {
		[CONTEXT_TOP] = &view_top,
		[CONTEXT_GROWTH] = &view_growth,
		[CONTEXT_TREE] = &view_tree,
		[CONTEXT_FLAME] = &view_flame,
		[CONTEXT_SNAPSHOTS] = &view_snapshots,
		[CONTEXT_THREADS] = &view_threads,
		[CONTEXT_MEMORY] = &view_memory,
	};

	return c < CONTEXT_COUNT ? views[c] : NULL;
}

static void
draw_body(const struct app *a, struct grid *g)
{
	const struct view *v = view_at(a->view);

	if (a->output_shown) {
		console_draw(a, g);
		return;
	}
	if (notice_waiting(a)) {
		notice_draw_waiting(a, g);
		return;
	}
	if (a->detail_full) {
		detail_draw_full(a, g);
		return;
	}
	if (v)
		v->draw(a, g);
	if (!notice_draw(a, g) && !(v && v->detail && v->detail(a, g)))
		detail_draw(a, g);
}

void
ui_render(const struct app *a, struct grid *g)
{
	grid_clear(g);
	if (g->width != a->width || g->height != a->height)
		return;
	header_draw(a, g);
	if (a->layout.style == LAYOUT_TINY)
		return;
	timeline_draw(a, g);
	tabs_draw(a, g);
	draw_body(a, g);
	status_draw(a, g);
	if (a->over == OVER_HELP)
		help_draw(a, g);
	else if (a->over == OVER_EXPORT)
		export_menu_draw(a, g);
}
