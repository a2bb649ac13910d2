#include "io/heapdata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/heapmaps.h"
#include "model/profile.h"

#define FRAMES_KEPT     4096
#define JEMALLOC_DEPTH  128 /* as deep as it looks: the rest is cut */
#define THREAD_NOT_TOLD 65535u

void
heapdata_fini(struct heapdata *d)
{
	free(d->addresses);
	free(d->rows);
	free(d->stacks);
	memset(d, 0, sizeof *d);
}

/* One pair of figures unsampled, see heapfile.h. */
static void
unsample(double n, double s, double R, double *objects, double *bytes,
    double *var_objects, double *var_bytes)
{
	double x, w;

	*objects = *bytes = *var_objects = *var_bytes = 0;
	if (n == 0 || s / n <= 0)
		return;
	x = s / n;
	w = 1 / -expm1(-x / R);
	*objects = n * w;
	*bytes = s * w;
	*var_objects = fabs(n) * w * (w - 1);
	*var_bytes = *var_objects * x * x;
}

static uint64_t
count_of(double n)
{
	return n <= 0                     ? 0
	    : n >= 18446744073709549568.0 ? UINT64_MAX
					  : (uint64_t)n;
}

static void
values_of(const struct heap_row *r, double R, struct cell_values *v)
{
	memset(v, 0, sizeof *v);
	unsample(r->live_objects, r->live_bytes, R, &v->live_objects,
	    &v->live_bytes, &v->live_var_objects, &v->live_var_bytes);
	unsample(r->alloc_objects, r->alloc_bytes, R, &v->alloc_objects,
	    &v->alloc_bytes, &v->alloc_var_objects, &v->alloc_var_bytes);
	v->live_samples = count_of(r->live_objects);
	v->alloc_samples = count_of(r->alloc_objects);
	v->live_raw_bytes = count_of(r->live_bytes);
	v->alloc_raw_bytes = count_of(r->alloc_bytes);
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

/* Rows of one stack by thread, t* last. */
static int
compare_rows(const void *a, const void *b)
{
	const struct heap_row *x = a, *y = b;

	return (x->uid > y->uid) - (x->uid < y->uid);
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

/* The cells of one stack; `rows` are sorted. */
static int
put_cells(const struct heapdata *d, struct profile *p, uint32_t id,
    const struct heap_row *rows, size_t n, struct cell_values *whole,
    struct err *e)
{
	struct cell_values sum = { 0 }, v, one;
	bool told = n > 0 && rows[n - 1].uid == HEAPDATA_ALL;
	size_t threads = n;

	memset(whole, 0, sizeof *whole);
	for (; threads > 0 && rows[threads - 1].uid == HEAPDATA_ALL;
	     threads--) {
		values_of(&rows[threads - 1], d->R, &v);
		add_values(whole, &v);
	}
	for (size_t i = 0; i < threads; i++) {
		values_of(&rows[i], d->R, &v);
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
			values_of(&rows[i], d->R, &one);
			add_values(&v, &one);
		}
		scale_values(&v, whole, &sum);
		if (profile_put_cell(p, id, slot, &v, e) < 0)
			return -1;
	}
	return 0;
}

/* Addresses behind the first are return addresses. */
static size_t
frames_of(const struct heapdata *d, const struct heapmaps *m,
    const struct heap_stack *s, struct profile_frame *out, unsigned *flags)
{
	const uint64_t *a = &d->addresses[s->first];
	size_t i = 0, n = 0;

	*flags = s->count == JEMALLOC_DEPTH ? PROFILE_STACK_CUT_DEPTH : 0;
	/* Leave out what is inside the allocator, but not everything. */
	while (i + 1 < s->count && heapmaps_frame(m, a[i] - (i > 0), &out[0]))
		i++;
	for (; i < s->count && n < FRAMES_KEPT; i++)
		heapmaps_frame(m, a[i] - (i > 0), &out[n++]);
	if (i < s->count)
		*flags |= PROFILE_STACK_CUT_DEPTH;
	return n;
}

int
heapdata_put(const struct heapdata *d, const struct heapmaps *m,
    struct profile *p, uint64_t *live, uint64_t *alloc, struct err *e)
{
	struct profile_frame *frames = xcalloc(FRAMES_KEPT, sizeof *frames);
	struct cell_values whole;
	int r = 0;

	for (size_t i = 0; i < d->stack_count; i++) {
		const struct heap_stack *s = &d->stacks[i];
		uint32_t id = (uint32_t)i + 1;
		unsigned flags;
		size_t n = frames_of(d, m, s, frames, &flags);

		qsort(d->rows + s->first_row, s->rows, sizeof *d->rows,
		    compare_rows);
		r = profile_put_stack(p, id, flags, frames, n, e);
		if (r == 0)
			r = put_cells(d, p, id, d->rows + s->first_row, s->rows,
			    &whole, e);
		if (r < 0)
			break;
		*live += whole.live_samples;
		*alloc += whole.alloc_samples;
	}
	free(frames);
	return r;
}
