/*
 * View 4: the shape of the call tree, an icicle.
 *
 * The root is on top, callees are below their callers (or callers below
 * callees, inverted), and a bar is as wide as its value.  One bar is
 * selected; a bar can be made the root ("zoom").  Both are known by the
 * names that lead to them, so they survive new figures; what is gone falls
 * back to what is left of the way to it.  The bars themselves are laid out
 * anew with every report and size (flame_layout.h).
 */
#ifndef UI_VIEW_FLAME_H
#define UI_VIEW_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"
#include "ui/flame_layout.h"
#include "ui/prompt.h"

struct age_view;
struct tree;
struct view;

/* Roots one can be inside of one another; of more the oldest is forgotten. */
#define FLAME_ZOOMS 32

/* Several neighbours below one node: paths of the first and the last; of the
 * last 0: to the end of its siblings. */
struct flame_several {
	bool on;
	uint64_t first, last;
};

/* What colours say of a bar, and a sign or figure behind its name. */
enum flame_colours {
	FLAME_BY_MODULE, /* whose code it is */
	/* How it changed since A, if that is more than noise; strong where at
	 * least half of what is there has come since. */
	FLAME_BY_CHANGE,
	/* The median age of its live objects: old from half the time that the
	 * program has run, young below a sixteenth of it. */
	FLAME_BY_AGE,
};

struct flame_zoom {
	size_t depth; /* so much of the trail leads to it */
	struct flame_several several;
};

/* Its part of the state of the screen. */
struct flame_view {
	int top; /* first level seen */
	enum flame_colours colours;
	/* The selected bar: paths of the nodes that lead to it, without the
	 * root; what is behind `depth` was visited before. */
	uint64_t *trail;
	size_t depth, trail_len, trail_cap;
	struct flame_several several; /* below it; `on`: these are selected */
	/* Roots, each inside of the one before; all lie on the trail. */
	struct flame_zoom zooms[FLAME_ZOOMS];
	size_t zoom_count;
	char found[PROMPT_MAX + 1]; /* what was looked for, or "" */

	/* Derived: of the report that is shown, at this size. */
	struct tree *tree; /* NULL: there is nothing */
	uint32_t sought;   /* node to be seen, or TREE_ROOT */
	struct age_view *ages;
	/* [bar] median age in ns + 2, 1: not known, 0: not asked for yet. */
	uint64_t *medians;
	size_t median_cap;
	struct flame_layout bars;
	size_t at;             /* the selected bar, if there are any */
	struct report_row row; /* the same as a row: its heaviest stack */
	bool has_row;
};

extern const struct view view_flame;

#endif
