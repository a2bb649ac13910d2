/*
 * Figures: what cells say about one metric at one moment, compared with
 * another.  They add up: over threads, stacks, profiles.
 *
 * History keeps whole numbers, the present has fractions.  So the difference
 * is taken between whole numbers and `base` is put that far from `value`:
 * what did not change has a change of exactly 0.
 */
#ifndef MODEL_FIGURES_H
#define MODEL_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/query.h"

struct profile;
struct profile_cell;

struct figures {
	double value;          /* in the query's metric */
	double base;           /* the same at the compared moment */
	double bytes, objects; /* live or allocated, as the metric says */
	double var;            /* of value */
	double change_var; /* of value - base: what came or went, at least */
	uint64_t samples;
};

/* Which moments of a profile are looked at. */
struct moments {
	const struct history *history;
	snap_id at;   /* 0: the present */
	snap_id base; /* 0: nothing, all zeros */
};

/* The moments a query means in this profile. */
struct moments moments_of(const struct profile *p, const struct query *q);

/* One cell; `cell` is its number. */
struct figures figures_cell(const struct moments *m, enum metric metric,
    const struct profile_cell *c, uint32_t cell);

/* The same for many cells: figures_cells says of each what figures_cell does.
 * Good until history or the cells change, or other moments are asked for. */
struct figures_view {
	enum metric metric;
	bool now; /* the present is looked at */
	bool compared;
	struct history_columns at, base;
};
struct figures_view figures_view(const struct moments *m, enum metric metric);
/* Of n cells from `first` on; cells[0] is that one, `to` has room for n. */
void figures_cells(const struct figures_view *v,
    const struct profile_cell *cells, uint32_t first, uint32_t n,
    struct figures *to);

/* What was, as the other side of a comparison. */
struct figures figures_of_base(const struct figures *f, const struct query *q);

/* What a query with `difference` makes of it: the change is the value.  With
 * `drop_negative` what shrank has not changed, be it a difference or not. */
void figures_differ(struct figures *f, const struct query *q);

static inline void
figures_add(struct figures *to, const struct figures *f)
{
	to->value += f->value;
	to->base += f->base;
	to->bytes += f->bytes;
	to->objects += f->objects;
	to->var += f->var;
	to->change_var += f->change_var;
	to->samples += f->samples;
}
void figures_sub(struct figures *from, const struct figures *f);
/* Nothing to show: no value, no base, no samples. */
static inline bool
figures_empty(const struct figures *f)
{
	return f->value == 0 && f->base == 0 && f->samples == 0;
}
static inline double
figures_change(const struct figures *f)
{
	return f->value - f->base;
}
/* Half width of the 95 % interval: 1.96 standard deviations. */
double figures_error(const struct figures *f);
double figures_change_error(const struct figures *f);

#endif
