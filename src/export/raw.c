/*
 * A symbolized profile, as jeprof's and pprof's --raw: the names of all
 * addresses, then a dump; it can be read where the program is not.
 *
 * The dump is gperftools' text, the only one that jeprof and google-pprof
 * both read behind symbols, and stands right behind the "---", since the
 * latter knows no title of a heap's section.  Its figures are the estimates
 * themselves, so that every reader finds our totals: "@ heapprofile" if all
 * was counted, else "@ unsampled/R" with R the mean distance of samples, which
 * readers take for figures that they must not scale.  The leaf is written as
 * an address inside the call, the others as return addresses, since readers
 * take one off all but the first.
 *
 * Stacks are whole: what was cut from their ends or hidden is written too,
 * and always what is there now, since the format has no negative figures.
 * Where two processes have other code at one address, or a file told only the
 * name of a place, an address is made up.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "export/amounts.h"
#include "export/carry.h"
#include "export/export.h"
#include "export/maps.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"

/* Of places that have no address of their own, or share it. */
#define MADE_FIRST   UINT64_C(0x600000000000)
#define MADE_STEP    16
#define ADDRESS_LAST (UINT64_C(1) << 47)

struct spot {
	uint32_t profile;
	frame_id frame;
	uint64_t address;
};

struct raw {
	const struct report *r;
	const struct amounts *a;
	struct buf *b;
	struct map at; /* address -> spot */
	struct spot *spots;
	size_t count, cap;
	uint32_t **spot_of; /* [profile][frame] -> spot + 1 */
	uint64_t made;      /* addresses that are made up */
	struct carry carries[METRIC_COUNT];
};

/* ---- addresses ---- */

static const struct module *
module_of(const struct raw *w, const struct spot *s)
{
	const struct profile *p = w->r->profiles[s->profile];

	return modules_find(profile_modules(p),
	    frames_module(profile_frames_const(p), s->frame));
}

static bool
same_build(const struct module *a, const struct module *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a->path, b->path) == 0 && a->bias == b->bias &&
	    a->build_id_len == b->build_id_len &&
	    memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
}

static uint32_t
add_spot(struct raw *w, uint32_t profile, frame_id frame)
{
	const struct frames *f = profile_frames_const(w->r->profiles[profile]);
	struct spot s = { .profile = profile, .frame = frame };
	const struct module *m = module_of(w, &s);
	uint32_t *at;

	s.address = frames_offset(f, frame) + (m ? m->bias : 0);
	at = s.address < ADDRESS_LAST ? map_put(&w->at, s.address) : NULL;
	if (at && *at != MAP_NONE &&
	    same_build(m, module_of(w, &w->spots[*at])))
		return *at;
	while (!at || *at != MAP_NONE) {
		s.address = MADE_FIRST + w->made++ * MADE_STEP;
		at = map_put(&w->at, s.address);
	}
	*at = (uint32_t)w->count;
	VEC_ROOM(w->spots, w->cap, w->count + 1);
	w->spots[w->count++] = s;
	return *at;
}

static uint64_t
address_of(struct raw *w, uint32_t profile, frame_id frame)
{
	uint32_t *spot = &w->spot_of[profile][frame];

	if (*spot == 0)
		*spot = add_spot(w, profile, frame) + 1;
	return w->spots[*spot - 1].address;
}

static const struct stack *
frames_of(const struct raw *w, const struct report_stack *s)
{
	return stacks_at(profile_stacks(w->r->profiles[s->profile]), s->id);
}

static void
find_addresses(struct raw *w)
{
	w->spot_of = xcalloc(w->r->profile_count, sizeof *w->spot_of);
	for (size_t k = 0; k < w->r->profile_count; k++)
		w->spot_of[k] =
		    xcalloc((size_t)frames_count(
				profile_frames_const(w->r->profiles[k])) +
			    1,
			sizeof **w->spot_of);
	for (size_t i = 0; i < w->r->stack_count; i++) {
		const struct report_stack *s = &w->r->stacks[i];
		const struct stack *frames = frames_of(w, s);

		for (uint32_t j = 0; j < frames->count; j++)
			address_of(w, s->profile, frames->frames[j]);
	}
}

/* ---- names ---- */

/* "--" stands between two names and so in none, but for an operator: a blank
 * between the two keeps it whole everywhere. */
static void
put_name(struct buf *b, const char *name)
{
	for (; *name; name++) {
		buf_putc(b, *name);
		if (name[0] == '-' && name[1] == '-')
			buf_putc(b, ' ');
	}
}

static void
put_symbol(struct raw *w, const struct spot *s)
{
	const struct frames *f =
	    profile_frames_const(w->r->profiles[s->profile]);

	buf_printf(w->b, "0x%016" PRIx64 " ", s->address);
	for (unsigned i = frames_depth(f, s->frame); i-- > 0;) {
		put_name(w->b, frames_name(f, s->frame, i).function);
		if (i > 0)
			buf_puts(w->b, "--");
	}
	buf_putc(w->b, '\n');
}

static void
put_symbols(struct raw *w, const char *program)
{
	const char *image = profile_facts(w->r->profiles[0])->image;

	buf_puts(w->b, "--- symbol\nbinary=");
	for (const char *s = *image ? image : program; *s; s++)
		buf_putc(w->b, (unsigned char)*s < ' ' ? '?' : *s);
	buf_putc(w->b, '\n');
	for (size_t i = 0; i < w->count; i++)
		put_symbol(w, &w->spots[i]);
	buf_puts(w->b, "---\n");
}

/* ---- the dump ---- */

static void
put_figures(struct raw *w, const double of[METRIC_COUNT])
{
	buf_printf(w->b, "%s: %s [", fmt_int(of[METRIC_LIVE_OBJECTS]).s,
	    fmt_int(of[METRIC_LIVE_BYTES]).s);
	buf_printf(w->b, "%s: %s] @ ", fmt_int(of[METRIC_ALLOC_OBJECTS]).s,
	    fmt_int(of[METRIC_ALLOC_BYTES]).s);
}

static void
put_stack(struct raw *w, size_t stack)
{
	const struct report_stack *s = &w->r->stacks[stack];
	const struct stack *frames = frames_of(w, s);
	double of[METRIC_COUNT];
	bool any = false;

	for (int m = 0; m < METRIC_COUNT; m++) {
		of[m] = carry_next(&w->carries[m], w->a->of[m][stack]);
		any |= of[m] != 0;
	}
	if (!any)
		return;
	put_figures(w, of);
	for (uint32_t i = 0; i < frames->count; i++)
		buf_printf(w->b, "%s0x%" PRIx64, i ? " " : "",
		    address_of(w, s->profile, frames->frames[i]) + (i > 0));
	buf_putc(w->b, '\n');
}

static void
put_dump(struct raw *w)
{
	uint32_t lg = w->r->totals.lg_sample;

	buf_puts(w->b, "heap profile: ");
	put_figures(w, w->a->total);
	if (lg || w->r->totals.rate_changes)
		buf_printf(w->b, "unsampled/%" PRIu64 "\n",
		    UINT64_C(1) << (lg < 63 ? lg : 63));
	else
		buf_puts(w->b, "heapprofile\n");
	for (size_t i = 0; i < w->r->stack_count; i++)
		put_stack(w, i);
	buf_puts(w->b, "\nMAPPED_LIBRARIES:\n");
	for (size_t k = 0; k < w->r->profile_count; k++)
		maps_put(w->b, profile_modules(w->r->profiles[k]));
}

void
export_raw(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct amounts a;
	struct raw w = { .a = &a, .b = b };

	amounts_take(&a, r, false);
	w.r = a.r;
	find_addresses(&w);
	put_symbols(&w, o->program);
	put_dump(&w);
	for (size_t k = 0; k < w.r->profile_count; k++)
		free(w.spot_of[k]);
	free(w.spot_of);
	free(w.spots);
	map_fini(&w.at);
	amounts_fini(&a);
}
