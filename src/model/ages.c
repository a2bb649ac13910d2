#include "model/ages.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/ages_int.h"
#include "model/births.h"
#include "model/figures.h"
#include "model/history.h"
#include "model/report.h"

/* ---- being made ------------------------------------------------------------- */

struct age_view *
ages_new(const struct report *r)
{
	struct age_view *v = xcalloc(1, sizeof *v);
	struct moments m = moments_of(r->profiles[0], &r->query);
	size_t n;

	v->r = r;
	v->p = r->profiles[0];
	v->b = profile_births(v->p);
	v->snapshot = m.at ? m.at : births_now(v->b);
	v->now_ns = r->now_ns;
	births_all(v->b, &n);
	v->known =
	    r->profile_count == 1 && n > 0 && births_known(v->b, v->snapshot);
	return v;
}

static void
sorted_fini(struct sorted *s)
{
	free(s->first);
	free(s->at);
}

void
ages_free(struct age_view *v)
{
	if (!v)
		return;
	sorted_fini(&v->births);
	sorted_fini(&v->of_stack);
	sorted_fini(&v->of_group);
	free(v->samples);
	free(v->lists);
	map_fini(&v->list_of);
	free(v->picked);
	free(v->weights);
	map_fini(&v->kept);
	free(v->answers);
	free(v);
}

bool
ages_known(const struct age_view *v)
{
	return v->known;
}

/* Sort n things by where[i], below `places`; NOWHERE: it is left out. */
#define NOWHERE UINT32_MAX

static struct sorted
sort_by(const uint32_t *where, size_t n, size_t places)
{
	struct sorted s = { xcalloc(places + 2, sizeof *s.first), NULL };
	size_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (where[i] < places)
			s.first[where[i] + 2]++;
	}
	for (size_t i = 2; i < places + 2; i++) {
		sum += s.first[i];
		s.first[i] = (uint32_t)sum;
	}
	s.at = xreallocarray(NULL, sum + 1, sizeof *s.at);
	for (size_t i = 0; i < n; i++) {
		if (where[i] < places)
			s.at[s.first[where[i] + 1]++] = (uint32_t)i;
	}
	return s;
}

static void
sort_births(struct age_view *v)
{
	size_t n;
	const struct birth *all = births_all(v->b, &n);
	uint32_t *where = xreallocarray(NULL, n + 1, sizeof *where);

	for (size_t i = 0; i < n; i++)
		where[i] = v->known && birth_lives(&all[i], v->snapshot)
		    ? all[i].cell
		    : NOWHERE;
	v->births = sort_by(where, n, v->cell_count);
	free(where);
}

static void
sort_cells(struct age_view *v)
{
	const struct report *r = v->r;
	const struct profile_owner *of = profile_owners(v->p);
	uint32_t *where = xreallocarray(NULL, v->cell_count + 1, sizeof *where);

	for (size_t i = 0; i < v->cell_count; i++) {
		uint32_t stack = r->stack_index[0][of[i].stack];

		where[i] = NOWHERE;
		if (stack &&
		    (r->query.thread < 0 || of[i].slot == r->query.thread))
			where[i] = stack - 1;
	}
	v->of_stack = sort_by(where, v->cell_count, r->stack_count);
	free(where);
}

static void
sort_stacks(struct age_view *v)
{
	const struct report *r = v->r;
	uint32_t *where =
	    xreallocarray(NULL, r->stack_count + 1, sizeof *where);

	for (size_t i = 0; i < r->stack_count; i++)
		where[i] = r->places[r->stacks[i].places[0]].group;
	v->of_group = sort_by(where, r->stack_count, r->place_groups);
	free(where);
}

static void
read_samples(struct age_view *v)
{
	struct moments m = moments_of(v->p, &v->r->query);
	struct history_columns c = { .count = 0 };

	if (m.at)
		c = history_columns(
		    m.history, m.at, 1u << HISTORY_LIVE_SAMPLES);
	v->samples = xcalloc(v->cell_count + 1, sizeof *v->samples);
	for (size_t i = 0; i < v->cell_count; i++) {
		if (!m.at)
			v->samples[i] = v->cells[i].v.live_samples;
		else if (i < c.count)
			v->samples[i] =
			    (uint64_t)c.field[HISTORY_LIVE_SAMPLES][i];
	}
}

/* At the first question. */
static void
sort(struct age_view *v)
{
	if (v->sorted)
		return;
	v->sorted = true;
	v->cells = profile_cells(v->p, &v->cell_count);
	sort_births(v);
	sort_cells(v);
	sort_stacks(v);
	read_samples(v);
}

/* ---- what is meant ----------------------------------------------------------- */

uint32_t
ages_list(struct age_view *v, const uint32_t *stacks, size_t n)
{
	uint64_t hash = n;
	uint32_t *at;

	for (size_t i = 0; i < n; i++)
		hash = map_mix(hash ^ stacks[i]);
	at = map_put(&v->list_of, hash);
	if (*at != MAP_NONE)
		return *at;
	*at = (uint32_t)v->list_count;
	VEC_ROOM(v->lists, v->list_cap, v->list_count + 1);
	v->lists[v->list_count] = (struct list){ stacks, n };
	return (uint32_t)v->list_count++;
}

uint32_t
ages_row_id(const struct age_view *v, const struct report_row *row)
{
	const struct report *r = v->r;

	if (r->query.grouping == GROUP_THREADS)
		return (uint32_t)row->key;
	if (r->query.grouping == GROUP_STACKS)
		return row->stack;
	return r->places[row->places[0]].group;
}

static void
pick(struct age_view *v, uint32_t cell)
{
	VEC_ROOM(v->picked, v->picked_cap, v->picked_count + 1);
	v->picked[v->picked_count++] = cell;
}

static void
pick_stack(struct age_view *v, uint32_t stack)
{
	const struct sorted *s = &v->of_stack;

	if (stack >= v->r->stack_count)
		return;
	for (uint32_t i = s->first[stack]; i < s->first[stack + 1]; i++)
		pick(v, s->at[i]);
}

static void
pick_group(struct age_view *v, uint32_t group)
{
	const struct sorted *s = &v->of_group;

	if (group >= v->r->place_groups)
		return;
	for (uint32_t i = s->first[group]; i < s->first[group + 1]; i++)
		pick_stack(v, s->at[i]);
}

static void
pick_slot(struct age_view *v, uint32_t slot)
{
	const struct sorted *s = &v->of_stack;

	for (uint32_t i = 0; i < s->first[v->r->stack_count]; i++) {
		if (v->cells[s->at[i]].slot == slot)
			pick(v, s->at[i]);
	}
}

static void
pick_row(struct age_view *v, uint32_t id)
{
	switch (v->r->query.grouping) {
	case GROUP_THREADS: pick_slot(v, id); break;
	case GROUP_STACKS: pick_stack(v, id); break;
	case GROUP_FUNCTIONS:
	case GROUP_LINES:
	case GROUP_FILES:
	case GROUP_MODULES:
	case GROUP_ADDRESSES:
	case GROUP_COUNT: pick_group(v, id); break;
	}
}

/* Into v->picked. */
void
age_view_pick(struct age_view *v, enum ages_of of, uint32_t n)
{
	const struct report *r = v->r;

	sort(v);
	v->picked_count = 0;
	switch (of) {
	case AGES_ALL:
		for (uint32_t i = 0; i < r->stack_count; i++)
			pick_stack(v, i);
		break;
	case AGES_ROW:
		if (r->rows && n < r->row_count)
			pick_row(v, ages_row_id(v, &r->rows[n]));
		break;
	case AGES_ROW_ID: pick_row(v, n); break;
	case AGES_STACK: pick_stack(v, n); break;
	case AGES_LIST:
		for (size_t i = 0; n < v->list_count && i < v->lists[n].count;
		     i++)
			pick_stack(v, v->lists[n].stacks[i]);
		break;
	}
}

/* ---- ages ------------------------------------------------------------------- */

uint64_t
age_view_born_ns(const struct age_view *v, uint32_t tick)
{
	return births_start_ns(v->b) + tick * BIRTHS_TICK_NS;
}

static uint64_t
age_ns(const struct age_view *v, uint32_t tick)
{
	uint64_t born = age_view_born_ns(v, tick);

	return born < v->now_ns ? v->now_ns - born : 0;
}

static void
swap(struct weight *a, struct weight *b)
{
	struct weight t = *a;

	*a = *b;
	*b = t;
}

/* The birth up to which at least `half` of the weights were born: Hoare's
 * quickselect (1961), by weight, in three parts. */
static uint32_t
select_birth(struct weight *w, size_t n, double half)
{
	for (;;) {
		uint32_t pivot = w[n / 2].birth;
		size_t less = 0, i = 0, more = n;
		double before = 0, there = 0;

		while (i < more) {
			if (w[i].birth < pivot) {
				before += w[i].objects;
				swap(&w[i++], &w[less++]);
			} else if (w[i].birth > pivot) {
				swap(&w[i], &w[--more]);
			} else {
				there += w[i++].objects;
			}
		}
		if (before >= half && less > 0) {
			n = less;
		} else if (before + there >= half || more == n) {
			return pivot;
		} else {
			half -= before + there;
			w += more;
			n -= more;
		}
	}
}

static void
add_birth(struct age_view *v, struct ages *a, const struct birth *b)
{
	double objects = birth_weight(b);
	uint64_t age = age_ns(v, b->birth);

	if (a->samples == 0 || age > a->oldest_ns)
		a->oldest_ns = age;
	if (a->samples == 0 || age < a->youngest_ns)
		a->youngest_ns = age;
	VEC_ROOM(v->weights, v->weight_cap, (size_t)a->samples + 1);
	v->weights[a->samples++] = (struct weight){ b->birth, objects };
	a->objects += objects;
	a->bytes += objects * (double)birth_size(b);
	a->exact &= objects == 1;
}

/* Of the cells that were picked: births may be missing. */
static uint64_t
live_samples(const struct age_view *v)
{
	uint64_t n = 0;

	for (size_t i = 0; i < v->picked_count; i++)
		n += v->samples[v->picked[i]];
	return n;
}

bool
age_view_part(const struct age_view *v, uint64_t samples)
{
	return births_short(v->b) && samples < live_samples(v);
}

static struct ages
work_out(struct age_view *v)
{
	size_t n;
	const struct birth *all = births_all(v->b, &n);
	struct ages a = { .exact = true };

	for (size_t i = 0; i < v->picked_count; i++) {
		uint32_t c = v->picked[i];

		for (uint32_t k = v->births.first[c];
		     k < v->births.first[c + 1]; k++)
			add_birth(v, &a, &all[v->births.at[k]]);
	}
	if (a.samples == 0)
		return (struct ages){ 0 };
	a.known = true;
	a.part = age_view_part(v, a.samples);
	a.exact &= a.samples >= live_samples(v);
	a.median_ns = age_ns(
	    v, select_birth(v->weights, (size_t)a.samples, a.objects / 2));
	return a;
}

struct ages
ages_at(struct age_view *v, enum ages_of of, uint32_t n)
{
	uint32_t *at;

	if (!v->known)
		return (struct ages){ 0 };
	if (of == AGES_ROW) {
		if (!v->r->rows || n >= v->r->row_count)
			return (struct ages){ 0 };
		of = AGES_ROW_ID;
		n = ages_row_id(v, &v->r->rows[n]);
	}
	at = map_put(&v->kept, (uint64_t)of << 32 | n);
	if (*at == MAP_NONE) {
		*at = (uint32_t)v->answer_count;
		age_view_pick(v, of, n);
		VEC_ROOM(v->answers, v->answer_cap, v->answer_count + 1);
		v->answers[v->answer_count++] = work_out(v);
	}
	return v->answers[*at];
}
