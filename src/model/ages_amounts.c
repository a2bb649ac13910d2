#include "model/ages.h"

#include <math.h>

#include "model/ages_int.h"
#include "model/births.h"
#include "model/report.h"

#define SMALLEST  3 /* class of sizes up to 8 bytes */
#define NS_PER_MS UINT64_C(1000000)

/* ---- lifetimes --------------------------------------------------------------- */

struct ages_lives
ages_lives(struct age_view *v, enum ages_of of, uint32_t n)
{
	struct ages_lives l = { 0 };
	uint64_t sum = 0;

	if (v->r->profile_count != 1)
		return l;
	age_view_pick(v, of, n);
	for (size_t i = 0; i < v->picked_count; i++) {
		const uint32_t *life = profile_life(v->p, v->picked[i]);

		for (unsigned k = 0; life && k < PROFILE_LIVES; k++) {
			l.bucket[k] += life[k];
			l.freed += life[k];
		}
	}
	l.known = l.freed > 0;
	for (unsigned k = 0; l.known && k < PROFILE_LIVES; k++) {
		sum += l.bucket[k];
		if (2 * sum >= l.freed) {
			l.median = k;
			break;
		}
	}
	return l;
}

uint64_t
ages_life_from(unsigned bucket)
{
	return bucket == 0 ? 0 : NS_PER_MS << 2 * bucket;
}

uint64_t
ages_life_to(unsigned bucket)
{
	return bucket + 1 >= PROFILE_LIVES ? UINT64_MAX
					   : ages_life_from(bucket + 1);
}

/* ---- amounts ----------------------------------------------------------------- */

/* The errors are variances until it is finished. */
static void
amount_add(struct ages_amount *a, const struct birth *b)
{
	double w = birth_weight(b), z = (double)birth_size(b);

	a->objects += w;
	a->bytes += w * z;
	a->objects_error += w * (w - 1);
	a->bytes_error += z * z * w * (w - 1);
	a->samples++;
}

static void
amount_finish(struct ages_amount *a)
{
	a->objects_error = AGES_Z95 * sqrt(a->objects_error);
	a->bytes_error = AGES_Z95 * sqrt(a->bytes_error);
}

struct ages_generation
ages_generation(struct age_view *v, enum ages_of of, uint32_t n,
    uint64_t from_ns, uint64_t to_ns)
{
	struct ages_generation g = { .known = v->known };
	size_t count;
	const struct birth *all = births_all(v->b, &count);

	if (!v->known)
		return g;
	age_view_pick(v, of, n);
	for (size_t i = 0; i < v->picked_count; i++) {
		uint32_t c = v->picked[i];

		for (uint32_t k = v->births.first[c];
		     k < v->births.first[c + 1]; k++) {
			const struct birth *b = &all[v->births.at[k]];
			uint64_t born = age_view_born_ns(v, b->birth);

			amount_add(&g.all, b);
			if (born > from_ns && born <= to_ns)
				amount_add(&g.born, b);
		}
	}
	g.part = age_view_part(v, g.all.samples);
	amount_finish(&g.all);
	amount_finish(&g.born);
	return g;
}

static unsigned
size_class(uint64_t size)
{
	unsigned c = size > 1 ? 64u - (unsigned)__builtin_clzll(size - 1) : 0;

	return c < SMALLEST ? SMALLEST : c;
}

static void
find_ends(struct ages_sizes *s)
{
	unsigned c;

	for (c = 0; c < AGES_SIZES && s->size[c].samples == 0; c++)
		;
	s->first = s->last = c < AGES_SIZES ? c : 0;
	for (; c < AGES_SIZES; c++) {
		if (s->size[c].samples > 0)
			s->last = c;
		amount_finish(&s->size[c]);
	}
}

struct ages_sizes
ages_sizes(struct age_view *v, enum ages_of of, uint32_t n)
{
	struct ages_sizes s = { .known = false };
	size_t count;
	const struct birth *all = births_all(v->b, &count);
	uint64_t samples = 0;

	if (!v->known)
		return s;
	age_view_pick(v, of, n);
	for (size_t i = 0; i < v->picked_count; i++) {
		uint32_t c = v->picked[i];

		for (uint32_t k = v->births.first[c];
		     k < v->births.first[c + 1]; k++, samples++) {
			const struct birth *b = &all[v->births.at[k]];

			amount_add(&s.size[size_class(birth_size(b))], b);
		}
	}
	s.known = samples > 0;
	s.part = age_view_part(v, samples);
	find_ends(&s);
	return s;
}
