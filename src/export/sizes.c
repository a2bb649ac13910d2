/* Objects by their size, in the first power of two that holds it.  Where the
 * profile tells of single objects, what a stack has is divided among the
 * classes as they are; where not, as in dumps, it is only known how many and
 * how much each stack has: so it counts as a whole, at its average. */
#include "export/stats_words.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "export/export.h"
#include "model/ages.h"
#include "model/name.h"
#include "model/report.h"

#define CLASSES      66 /* 2^0 to 2^64, and one for sizes not known */
#define UNKNOWN      (CLASSES - 1)
#define SMALLEST     3 /* 8 bytes: smaller ones are one class */
#define SITE_COLUMNS 20

struct size_class {
	struct figures f;
	size_t stacks;
	uint32_t largest; /* the stack that weighs most */
	double weight;
};

struct sizes {
	const struct report *r; /* not of differences; see below */
	const struct export_options *o;
	bool difference;
	struct age_view *ages; /* NULL: of no single object */
	struct size_class classes[CLASSES];
	double whole; /* of what is shown */
	struct buf *b;
};

static unsigned
class_of(const struct figures *f)
{
	double average = fabs(f->bytes / f->objects);
	int exponent;
	double fraction;

	if (f->objects == 0 || !(average > 0) || !isfinite(average))
		return UNKNOWN;
	fraction = frexp(average, &exponent); /* in [0.5, 1) */
	if (fraction == 0.5)
		exponent--;
	if (exponent < SMALLEST)
		return SMALLEST;
	return exponent < UNKNOWN ? (unsigned)exponent : UNKNOWN - 1;
}

static void
add(struct sizes *s, unsigned class, uint32_t stack, const struct figures *f)
{
	struct size_class *c = &s->classes[class];

	figures_add(&c->f, f);
	c->stacks++;
	s->whole += f->value;
	if (c->stacks == 1 || fabs(f->value) > c->weight) {
		c->largest = stack;
		c->weight = fabs(f->value);
	}
}

static double
share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

/* Divide what a stack has as its objects are.  False if none is known. */
static bool
add_objects(struct sizes *s, uint32_t stack)
{
	const struct figures *f = &s->r->stacks[stack].f;
	struct ages_sizes z = ages_sizes(s->ages, AGES_STACK, stack);
	bool bytes = metric_is_bytes(s->r->query.metric);
	double all_bytes = 0, all_objects = 0;

	for (unsigned i = z.first; z.known && i <= z.last; i++) {
		all_bytes += z.size[i].bytes;
		all_objects += z.size[i].objects;
	}
	for (unsigned i = z.first; z.known && i <= z.last; i++) {
		const struct ages_amount *a = &z.size[i];
		double sd =
		    (bytes ? a->bytes_error : a->objects_error) / AGES_Z95;
		struct figures part = {
			.bytes = f->bytes * share(a->bytes, all_bytes),
			.objects = f->objects * share(a->objects, all_objects),
			.var = sd * sd,
			.change_var = sd * sd,
			.samples = a->samples,
		};

		part.value = bytes ? part.bytes : part.objects;
		if (a->samples > 0)
			add(s, i, stack, &part);
	}
	return z.known;
}

static void
add_stack(struct sizes *s, uint32_t i)
{
	struct figures f = s->r->stacks[i].f;
	unsigned class = class_of(&f);
	struct query q = s->r->query;

	if (s->ages && add_objects(s, i))
		return;
	q.difference = s->difference;
	figures_differ(&f, &q);
	if (!figures_empty(&f))
		add(s, class, i, &f);
}

static void
put_site(const struct sizes *s, uint32_t stack, int cols)
{
	const struct report_stack *st = &s->r->stacks[stack];
	struct report_row row = { .places = st->places, .count = st->count };

	stats_put_site(s->b, s->r, &row,
	    cols < SITE_COLUMNS ? SITE_COLUMNS : cols, s->o->ascii);
}

static void
put_class(const struct sizes *s, unsigned i)
{
	const struct size_class *c = &s->classes[i];
	unsigned flags = FMT_ZERO | (s->o->ascii ? FMT_ASCII : 0);
	int cols = stats_columns(s->r, s->o), used = 9 + cols + 3 + 8 + 9 + 9;
	double half = figures_error(&c->f);
	struct fmt value = s->difference ? stats_change(s->r, s->o, c->f.value)
					 : stats_amount(s->r, s->o, c->f.value);

	stats_put_right(
	    s->b, i == UNKNOWN ? "?" : fmt_bytes(ldexp(1, (int)i), 0).s, 9);
	stats_put_right(s->b, value.s, cols + 3);
	stats_put_right(s->b, fmt_percent(c->f.value, s->whole, flags).s, 8);
	stats_put_right(s->b, stats_error(s->o, half, c->f.value).s, 9);
	if (!s->difference) {
		stats_put_right(s->b, fmt_count(c->f.objects, flags).s, 8);
		used += 8;
	}
	stats_put_right(s->b, fmt_count((double)c->stacks, flags).s, 9);
	buf_puts(s->b, "  ");
	put_site(s, c->largest, s->o->width - used - 2);
	buf_putc(s->b, '\n');
}

static void
put_titles(const struct sizes *s)
{
	int cols = stats_columns(s->r, s->o);
	const char *value =
	    metric_is_live(s->r->query.metric) ? "LIVE" : "ALLOC";

	stats_put_right(s->b, "UP TO", 9);
	stats_put_right(s->b, s->difference ? "CHANGE" : value, cols + 3);
	stats_put_right(s->b, "%", 8);
	stats_put_right(s->b, s->o->ascii ? "+/-" : "±", 9);
	if (!s->difference)
		stats_put_right(s->b, "OBJS", 8);
	stats_put_right(s->b, "STACKS", 9);
	buf_puts(s->b,
	    s->o->ascii ? "  LARGEST: SITE < CALLERS\n"
			: "  LARGEST: SITE ← CALLERS\n");
}

static void
put_how(const struct sizes *s)
{
	struct ages a = { .known = false };

	if (s->ages)
		a = ages_at(s->ages, AGES_ALL, 0);
	if (!a.known) {
		buf_puts(s->b,
		    "\nthe sizes of single objects are not in the profile: each "
		    "stack counts at its average\n");
		return;
	}
	buf_puts(s->b, "\neach object counts at its size");
	if (!a.exact)
		buf_printf(s->b, ", as far as %s samples tell",
		    fmt_count((double)a.samples, FMT_ZERO).s);
	if (a.part)
		buf_puts(s->b, "; some stacks at their average");
	buf_putc(s->b, '\n');
}

static void
put_head(const struct sizes *s)
{
	const struct figures *f = &s->r->local;

	buf_printf(
	    s->b, "%s by size of objects: ", metric_label(s->r->query.metric));
	if (s->difference)
		stats_put_delta(s->b, s->r, s->o, f->base, f->base + s->whole);
	else
		buf_puts(s->b, stats_amount(s->r, s->o, f->value).s);
	if (!s->difference && f->objects > 0) {
		if (metric_is_bytes(s->r->query.metric))
			buf_printf(
			    s->b, " in %s", fmt_count(f->objects, FMT_ZERO).s);
		buf_printf(s->b, " objects, %s on average",
		    fmt_bytes(f->bytes / f->objects, FMT_ZERO).s);
	}
	put_how(s);
}

/* Changes have no average size, so the plain figures are asked for. */
void
export_sizes(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct query q = r->query;
	struct sizes s = { .o = o, .difference = q.difference, .b = b };
	struct report *plain;

	q.difference = false;
	q.freed = true;
	q.tree = false;
	q.grouping = GROUP_STACKS;
	q.max_rows = 1;
	plain = report_build(r->profiles, r->profile_count, &q);
	s.r = plain;
	if (!s.difference && metric_is_live(q.metric))
		s.ages = ages_new(plain);
	for (uint32_t i = 0; i < plain->stack_count; i++)
		add_stack(&s, i);
	put_head(&s);
	stats_put_notes(b, r);
	if (plain->stack_count)
		put_titles(&s);
	for (unsigned i = 0; i < CLASSES; i++) {
		if (s.classes[i].stacks)
			put_class(&s, i);
	}
	ages_free(s.ages);
	report_free(plain);
}
