/* Flame: the shape. */
#ifndef UI_VIEW_FLAME_H
#define UI_VIEW_FLAME_H

struct view;

/* Its part of the state of the screen. */
struct flame_view {
	int top; /* first level seen */
};

extern const struct view view_flame;

#endif
