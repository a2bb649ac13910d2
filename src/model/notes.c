#include "model/notes.h"

#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "model/profile.h"
#include "model/report.h"

static void
add_totals(struct profile_totals *to, const struct profile_totals *t)
{
	if (t->now_ns > to->now_ns)
		to->now_ns = t->now_ns;
	if (t->exact_ns > to->exact_ns)
		to->exact_ns = t->exact_ns;
	to->live_bytes += t->live_bytes;
	to->live_objects += t->live_objects;
	to->alloc_bytes += t->alloc_bytes;
	to->mapped_bytes += t->mapped_bytes;
	to->cached_bytes += t->cached_bytes;
	to->dirty_bytes += t->dirty_bytes;
	to->meta_bytes += t->meta_bytes;
	to->samples += t->samples;
	to->samples_live += t->samples_live;
	to->inactive_ns += t->inactive_ns;
	if (t->lg_sample > to->lg_sample)
		to->lg_sample = t->lg_sample;
	to->rate_changes += t->rate_changes;
	to->active |= t->active;
	for (int i = 0; i < LOSS_COUNT; i++)
		to->lost[i] += t->lost[i];
	to->rss_bytes += t->rss_bytes;
	to->virtual_bytes += t->virtual_bytes;
	to->swap_bytes += t->swap_bytes;
	to->major_faults += t->major_faults;
	to->file_bytes += t->file_bytes;
	to->shmem_bytes += t->shmem_bytes;
}

/* Totals of the moments that the query means. */
static void
sum_totals(struct report *r)
{
	for (size_t k = 0; k < r->profile_count; k++) {
		const struct profile *p = r->profiles[k];
		struct moments m = moments_of(p, &r->query);
		const struct profile_totals *t = profile_totals(p);
		size_t i;

		if (!t)
			continue;
		if (m.at) {
			i = history_index(m.history, m.at);
			t = &history_at(m.history, i)->totals;
		}
		r->several_rates |= t->rate_changes > 0 ||
		    (r->have_totals && t->lg_sample != r->totals.lg_sample);
		add_totals(&r->totals, t);
		r->have_totals = true;
		if (!m.base)
			continue;
		i = history_index(m.history, m.base);
		add_totals(&r->before, &history_at(m.history, i)->totals);
		r->have_before = true;
	}
	r->now_ns = r->totals.now_ns;
	r->base_ns = r->before.now_ns;
}

static void
part(struct buf *b, double n, const char *one, const char *many)
{
	if (n == 0)
		return;
	if (b->len)
		buf_puts(b, "; ");
	buf_printf(b, "%s %s", fmt_count(n, 0).s, n == 1 ? one : many);
}

static void
sentence(struct buf *b, const char *s)
{
	if (b->len)
		buf_puts(b, "; ");
	buf_puts(b, s);
}

static void
say_sampling(const struct report *r, struct buf *b)
{
	const struct profile_totals *t = &r->totals;

	if (!r->have_totals)
		return;
	if (r->several_rates)
		sentence(b, "sampled at several rates");
	else if (t->lg_sample) {
		sentence(b, "sampled ");
		buf_puts(b, fmt_sampling(t->lg_sample).s);
	}
	if (t->inactive_ns) {
		sentence(b, "sampling was off for ");
		buf_puts(b, fmt_duration(t->inactive_ns).s);
	}
}

/* Of files: how their figures became estimates. */
static void
say_rule(const struct report *r, struct buf *b)
{
	const char *rule = profile_facts(r->profiles[0])->rule;

	for (size_t k = 1; k < r->profile_count; k++)
		if (strcmp(rule, profile_facts(r->profiles[k])->rule) != 0)
			rule = "figures estimated by each file's own rule";
	if (*rule)
		sentence(b, rule);
}

static void
say_losses(const struct report *r, struct buf *b)
{
	const uint64_t *lost = r->totals.lost;
	double samples = (double)lost[LOSS_TABLE_FULL] +
	    (double)lost[LOSS_STARTING] + (double)lost[LOSS_NESTED] +
	    (double)lost[LOSS_NOMEM];

	part(b, samples, "sample lost", "samples lost");
	part(b, (double)lost[LOSS_CUT_DEPTH] + (double)lost[LOSS_CUT_UNWIND],
	    "stack cut short", "stacks cut short");
	part(b, (double)lost[LOSS_GUESSED], "stack with a guessed frame",
	    "stacks with a guessed frame");
	part(b, (double)lost[LOSS_SHARED_SLOT],
	    "sample of a thread without a slot",
	    "samples of threads without a slot");
}

/* How many of the places have no name. */
static void
say_names(const struct report *r, struct buf *b)
{
	size_t places = 0, nameless = 0, coming = 0;

	for (size_t k = 0; k < r->profile_count; k++) {
		const struct frames *f = profile_frames_const(r->profiles[k]);

		places += frames_count(f);
		for (frame_id id = 1; id <= frames_count(f); id++) {
			enum frame_state state = frames_state(f, id);

			nameless += state == FRAME_NAMELESS;
			coming += state == FRAME_ASKED;
		}
	}
	if (nameless)
		buf_printf(b, "%s%s of %s places have no name",
		    b->len ? "; " : "", fmt_count((double)nameless, 0).s,
		    fmt_count((double)places, 0).s);
	part(b, (double)coming, "name still to come", "names still to come");
}

void
notes_build(struct report *r)
{
	struct buf b = BUF_INIT;
	unsigned flags = 0;

	sum_totals(r);
	for (size_t k = 0; k < r->profile_count; k++)
		flags |= profile_facts(r->profiles[k])->flags;
	say_sampling(r, &b);
	say_rule(r, &b);
	say_losses(r, &b);
	if (flags & PROFILE_OWN_MALLOC)
		sentence(&b,
		    "the program has a malloc of its own, which is not seen");
	if (flags & PROFILE_UNWIND_FP)
		sentence(&b, "stacks follow frame pointers only");
	if (flags & PROFILE_SILENT)
		sentence(&b, "read from outside: a seccomp filter is set");
	say_names(r, &b);
	r->notes = arena_strndup(&r->arena, buf_str(&b), b.len);
	buf_fini(&b);
}
