#include "io/heapfigures.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile.h"

#define THREAD_NOT_TOLD 65535u

/* What one sampled block of x bytes stands for. */
static double
weight(const struct heapdata *d, double x)
{
	double chance = x / d->R;

	switch (d->rule) {
	case HEAP_UNSAMPLED:
	case HEAP_V2: return 1 / -expm1(-chance);
	case HEAP_V1: return chance < 1 ? 1 / chance : 1;
	case HEAP_EXACT: break;
	}
	return 1;
}

static uint64_t
count_of(double n)
{
	return n <= 0                     ? 0
	    : n >= 18446744073709549568.0 ? UINT64_MAX
					  : (uint64_t)n;
}

/* What a pair of figures says. */
struct pair {
	double objects, bytes, var_objects, var_bytes;
	uint64_t samples, raw_bytes;
};

/* See heapdata.h.  The variance as if all n were of the average size, see
 * prof/sample.h. */
static struct pair
unsample(const struct heapdata *d, double n, double s)
{
	double x, w, left;

	if (d->rule == HEAP_EXACT)
		return (struct pair){ n, s, 0, 0, count_of(n), count_of(s) };
	if (n == 0 || s / n <= 0)
		return (struct pair){ .samples = count_of(n),
			.raw_bytes = count_of(s) };
	x = s / n;
	w = weight(d, x);
	/* where each byte is a sample nothing was left to chance */
	left = d->R <= 1 ? 0 : w - 1;
	if (d->rule == HEAP_UNSAMPLED)
		return (struct pair){ n, s, fabs(n) * left,
			fabs(n) * left * x * x,
			count_of(fmax(round(n / w), n > 0)), count_of(s / w) };
	return (struct pair){ n * w, s * w, fabs(n) * w * left,
		fabs(n) * w * left * x * x, count_of(n), count_of(s) };
}

static void
values_of(
    const struct heapdata *d, const struct heap_row *r, struct cell_values *v)
{
	struct pair live = unsample(d, r->live_objects, r->live_bytes);
	struct pair alloc = unsample(d, r->alloc_objects, r->alloc_bytes);

	*v = (struct cell_values){
		.live_objects = live.objects,
		.live_bytes = live.bytes,
		.live_var_objects = live.var_objects,
		.live_var_bytes = live.var_bytes,
		.live_samples = live.samples,
		.live_raw_bytes = live.raw_bytes,
		.alloc_objects = alloc.objects,
		.alloc_bytes = alloc.bytes,
		.alloc_var_objects = alloc.var_objects,
		.alloc_var_bytes = alloc.var_bytes,
		.alloc_samples = alloc.samples,
		.alloc_raw_bytes = alloc.raw_bytes,
	};
}

static void
add_values(struct cell_values *to, const struct cell_values *v)
{
	to->live_objects += v->live_objects;
	to->live_bytes += v->live_bytes;
	to->alloc_objects += v->alloc_objects;
	to->alloc_bytes += v->alloc_bytes;
	to->live_var_objects += v->live_var_objects;
	to->live_var_bytes += v->live_var_bytes;
	to->alloc_var_objects += v->alloc_var_objects;
	to->alloc_var_bytes += v->alloc_var_bytes;
	to->live_samples += v->live_samples;
	to->alloc_samples += v->alloc_samples;
	to->live_raw_bytes += v->live_raw_bytes;
	to->alloc_raw_bytes += v->alloc_raw_bytes;
}

static void
scale(double *value, double *var, double whole, double sum)
{
	double f = sum != 0 && whole / sum > 0 ? whole / sum : 1;

	*value *= f;
	*var *= f * f;
}

/* Make a thread's figures a part of the whole stack's. */
static void
scale_values(struct cell_values *v, const struct cell_values *whole,
    const struct cell_values *sum)
{
	scale(&v->live_objects, &v->live_var_objects, whole->live_objects,
	    sum->live_objects);
	scale(&v->live_bytes, &v->live_var_bytes, whole->live_bytes,
	    sum->live_bytes);
	scale(&v->alloc_objects, &v->alloc_var_objects, whole->alloc_objects,
	    sum->alloc_objects);
	scale(&v->alloc_bytes, &v->alloc_var_bytes, whole->alloc_bytes,
	    sum->alloc_bytes);
}

static int
compare_rows(const void *a, const void *b)
{
	const struct heap_row *x = a, *y = b;

	return (x->uid > y->uid) - (x->uid < y->uid);
}

void
heapfigures_sort(struct heap_row *rows, size_t n)
{
	if (n > 1)
		qsort(rows, n, sizeof *rows, compare_rows);
}

static uint16_t
slot_of(uint32_t uid)
{
	return uid < THREAD_NOT_TOLD ? (uint16_t)uid : THREAD_NOT_TOLD;
}

/* Is there anything that the threads do not account for? */
static bool
unaccounted(const struct cell_values *whole, const struct cell_values *sum)
{
	return (sum->live_bytes == 0 && whole->live_bytes != 0) ||
	    (sum->alloc_bytes == 0 && whole->alloc_bytes != 0);
}

int
heapfigures_put(const struct heapdata *d, struct profile *p, uint32_t id,
    const struct heap_row *rows, size_t n, struct cell_values *whole,
    struct err *e)
{
	struct cell_values sum = { 0 }, v, one;
	bool told = n > 0 && rows[n - 1].uid == HEAPDATA_ALL;
	size_t threads = n;

	memset(whole, 0, sizeof *whole);
	for (; threads > 0 && rows[threads - 1].uid == HEAPDATA_ALL;
	     threads--) {
		values_of(d, &rows[threads - 1], &v);
		add_values(whole, &v);
	}
	for (size_t i = 0; i < threads; i++) {
		values_of(d, &rows[i], &v);
		add_values(&sum, &v);
	}
	if (!told)
		*whole = sum;
	if (threads == 0 || unaccounted(whole, &sum)) {
		profile_put_thread(
		    p, THREAD_NOT_TOLD, 0, 0, "threads not told apart");
		return profile_put_cell(p, id, THREAD_NOT_TOLD, whole, e);
	}
	for (size_t i = 0; i < threads;) {
		uint16_t slot = slot_of(rows[i].uid);

		memset(&v, 0, sizeof v);
		for (; i < threads && slot_of(rows[i].uid) == slot; i++) {
			values_of(d, &rows[i], &one);
			add_values(&v, &one);
		}
		scale_values(&v, whole, &sum);
		if (profile_put_cell(p, id, slot, &v, e) < 0)
			return -1;
	}
	return 0;
}

static bool
same_average(double n, double s, double m, double t)
{
	return n * t == m * s && (n == 0) == (m == 0);
}

int
heapfigures_alike(const struct heapdata *d, const struct heap_row *a,
    const struct heap_row *b)
{
	if (a->uid != b->uid)
		return 0;
	return d->rule == HEAP_EXACT ||
	    (same_average(a->live_objects, a->live_bytes, b->live_objects,
		 b->live_bytes) &&
		same_average(a->alloc_objects, a->alloc_bytes, b->alloc_objects,
		    b->alloc_bytes));
}
