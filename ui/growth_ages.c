#include "ui/growth_ages.h"

#include <math.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/vec.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/detail_ages.h"
#include "ui/glyph.h"

/* NaN: it is not known. */
static double
age_of(const struct age_subject *s)
{
	uint64_t ns;

	return ages_median(s, &ns) ? (double)ns : (double)NAN;
}

static double
born_of(const struct app *a, const struct age_subject *s)
{
	struct ages_generation g = { .known = false };
	uint64_t from, to;

	if (s->view && ages_born_between(a, &from, &to))
		g = ages_generation(s->view, s->of, s->number, from, to);
	if (!g.known)
		return (double)NAN;
	return metric_is_bytes(a->report->query.metric) ? g.born.bytes
							: g.born.objects;
}

/* What is wanted may be known of one moment and not of another. */
static enum growth_column
column_of(const struct app *a)
{
	uint64_t from, to;

	if (!ages_told(a) ||
	    (a->growth.column == GROWTH_BORN &&
		!ages_born_between(a, &from, &to)))
		return GROWTH_VALUE;
	return a->growth.column;
}

void
growth_find_ages(struct app *a)
{
	struct growth_view *v = &a->growth;
	const struct report *r = a->report;

	v->shown = column_of(a);
	if (v->shown == GROWTH_VALUE)
		return;
	VEC_ROOM(v->also, v->also_cap, r->row_count + 1);
	for (size_t i = 0; i < r->row_count; i++) {
		struct age_subject s = ages_subject(a, &r->rows[i]);

		v->also[i] =
		    v->shown == GROWTH_AGE ? age_of(&s) : born_of(a, &s);
	}
}

void
growth_next_column(struct app *a)
{
	struct growth_view *v = &a->growth;
	uint64_t from, to;

	if (!ages_told(a) && v->column == GROWTH_VALUE) {
		app_say(a, false, "the program tells no ages of objects");
		return;
	}
	switch (v->column) {
	case GROWTH_VALUE: v->column = GROWTH_AGE; break;
	case GROWTH_AGE:
		v->column = ages_born_between(a, &from, &to) ? GROWTH_BORN
							     : GROWTH_VALUE;
		break;
	case GROWTH_BORN: v->column = GROWTH_VALUE; break;
	}
	app_query_changed(a);
}

const char *
growth_column_title(const struct app *a)
{
	return a->growth.shown == GROWTH_AGE ? "AGE" : "SURVIVING";
}

void
growth_draw_age(
    const struct app *a, struct grid *g, int x, int y, int w, uint32_t row)
{
	const struct growth_view *v = &a->growth;
	unsigned flags = FMT_COLUMN | (g->ascii ? FMT_ASCII : 0);
	double is = v->also[row];

	if (isnan(is))
		return;
	if (v->shown == GROWTH_AGE)
		ages_draw(a, (uint64_t)is, g, x, y, w);
	else
		grid_put_right(g, x + w, y, is == 0 ? ROLE_DIM : ROLE_TEXT,
		    metric_is_bytes(a->report->query.metric)
			? fmt_bytes(is, flags).s
			: fmt_count(is, flags).s);
}

void
growth_born_words(const struct app *a, bool ascii, struct buf *b)
{
	struct age_subject all = { a->ages, AGES_ALL, 0 };

	ages_generation_words(a, &all, NULL, ascii,
	    a->layout.words == WORDS_LONGEST ? 40 : 30, b);
}
