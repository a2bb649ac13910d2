/*
 * heap_v2 text: what jeprof and its kind read.
 *
 * Rows carry the pair that such readers scale back to our figures (see
 * prof/heapv2.h) with the R of the header: the current rate, or less where a
 * row weighs less than one sample at that rate would, as after a change of
 * rate.  The leaf is written as an address inside the call (leaf=call), the
 * others as return addresses, as readers take them.  What the format has no
 * place for stands in "# heaptop KEY=VALUE" lines after the first.
 *
 * Stacks are whole: what was cut from their ends or hidden is written too.
 * Live and accumulated figures are both written whatever was asked for, so
 * the report's own question is asked once more with `freed`.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/maps.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"
#include "prof/heapv2.h"

struct amounts {
	double live_objects, live_bytes, alloc_objects, alloc_bytes;
};

/* The figures of one (stack, thread slot), chained by stack. */
struct row {
	struct amounts a;
	uint32_t stack; /* index in the report */
	uint32_t slot;  /* those of further profiles come after the first's */
	uint32_t next;  /* row + 1, or 0 */
};

struct dump {
	const struct report *r;
	struct buf *b;
	double R;
	struct row *rows;
	size_t count;
	uint32_t *first; /* [stack] -> row + 1, or 0 */
	struct amounts *threads, total;
	uint32_t *slot_base; /* [profile]: its slot 0 */
	size_t slots;
};

static void
add(struct amounts *to, const struct amounts *a)
{
	to->live_objects += a->live_objects;
	to->live_bytes += a->live_bytes;
	to->alloc_objects += a->alloc_objects;
	to->alloc_bytes += a->alloc_bytes;
}

static struct amounts
amounts_of(const struct moments *m, const struct profile_cell *c, uint32_t cell)
{
	struct figures live = figures_cell(m, METRIC_LIVE_BYTES, c, cell);
	struct figures all = figures_cell(m, METRIC_ALLOC_BYTES, c, cell);

	return (
	    struct amounts){ live.objects, live.bytes, all.objects, all.bytes };
}

/* Slots as the cells of each profile use them, one after another. */
static void
number_slots(struct dump *d)
{
	size_t profiles = d->r->profile_count;

	d->slot_base = xcalloc(profiles, sizeof *d->slot_base);
	for (size_t k = 0; k < profiles; k++) {
		const struct profile *p = d->r->profiles[k];
		size_t n, slots = profile_thread_slots(p);
		const struct profile_cell *cells = profile_cells(p, &n);

		for (size_t i = 0; i < n; i++) {
			if (cells[i].slot >= slots)
				slots = (size_t)cells[i].slot + 1;
		}
		d->slot_base[k] = (uint32_t)d->slots;
		d->slots += slots;
		d->count += n;
	}
	d->threads = xcalloc(d->slots, sizeof *d->threads);
	d->rows = xcalloc(d->count, sizeof *d->rows);
	d->first = xcalloc(d->r->stack_count, sizeof *d->first);
	d->count = 0;
}

static void
gather(struct dump *d, size_t k)
{
	const struct profile *p = d->r->profiles[k];
	struct moments m = moments_of(p, &d->r->query);
	size_t n;
	const struct profile_cell *cells = profile_cells(p, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t stack = d->r->stack_index[k][cells[i].stack];
		struct row *row = &d->rows[d->count];

		if (!stack ||
		    (d->r->query.thread >= 0 &&
			cells[i].slot != d->r->query.thread))
			continue;
		row->a = amounts_of(&m, &cells[i], i);
		row->stack = stack - 1;
		row->slot = d->slot_base[k] + cells[i].slot;
		d->count++;
		add(&d->total, &row->a);
		add(&d->threads[row->slot], &row->a);
	}
	if (k + 1 < d->r->profile_count)
		return;
	/* backwards, so that chains keep the order of the cells */
	for (size_t i = d->count; i-- > 0;) {
		d->rows[i].next = d->first[d->rows[i].stack];
		d->first[d->rows[i].stack] = (uint32_t)i + 1;
	}
}

/* No sample at the mean distance R weighs less than R. */
static void
lower(double *R, double objects, double bytes)
{
	while (objects > 0 && bytes > 0 && *R > 1 && bytes < *R)
		*R /= 2;
}

static void
choose_rate(struct dump *d)
{
	uint32_t lg = d->r->totals.lg_sample;

	d->R = lg < 63 ? (double)(UINT64_C(1) << lg) : 0x1p62;
	for (size_t i = 0; i < d->count; i++) {
		const struct amounts *a = &d->rows[i].a;

		lower(&d->R, a->live_objects, a->live_bytes);
		lower(&d->R, a->alloc_objects, a->alloc_bytes);
	}
}

static void
put_pairs(struct dump *d, const struct amounts *a)
{
	uint64_t n, s, all_n, all_s;

	heapv2_pair(a->live_objects, a->live_bytes, d->R, &n, &s);
	heapv2_pair(a->alloc_objects, a->alloc_bytes, d->R, &all_n, &all_s);
	buf_printf(d->b,
	    ": %" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "]", n, s,
	    all_n, all_s);
}

static void
put_key(struct dump *d, const char *key, uint64_t value)
{
	if (value)
		buf_printf(d->b, "# heaptop %s=%" PRIu64 "\n", key, value);
}

static void
put_who(struct dump *d)
{
	const struct profile_facts *f = profile_facts(d->r->profiles[0]);

	put_key(d, "pid", f->pid);
	if (*f->image)
		buf_printf(d->b, "# heaptop image=%s\n", f->image);
	if (*f->command)
		buf_printf(d->b, "# heaptop command=%s\n", f->command);
	if (d->r->profile_count > 1 || f->image_ns == 0 ||
	    d->r->now_ns < f->image_ns)
		return;
	put_key(d, "start_ns", f->wall_ns);
	put_key(d, "image_ns", f->image_ns);
	put_key(d, "now_ns", d->r->now_ns);
}

static void
put_totals(struct dump *d)
{
	const struct profile_totals *t = &d->r->totals;

	buf_printf(d->b, "# heaptop lg_sample=%u\n", t->lg_sample);
	if (t->exact_ns) {
		put_key(d, "live_bytes", t->live_bytes);
		put_key(d, "live_objects", t->live_objects);
		put_key(d, "alloc_bytes", t->alloc_bytes);
	}
	put_key(d, "rate_changes", t->rate_changes);
	put_key(d, "samples", t->samples);
	put_key(d, "samples_live", t->samples_live);
	put_key(d, "mapped_bytes", t->mapped_bytes);
	put_key(d, "cached_bytes", t->cached_bytes);
	put_key(d, "dirty_bytes", t->dirty_bytes);
	put_key(d, "meta_bytes", t->meta_bytes);
	put_key(d, "rss_bytes", t->rss_bytes);
	put_key(d, "virtual_bytes", t->virtual_bytes);
	put_key(d, "swap_bytes", t->swap_bytes);
	put_key(d, "file_bytes", t->file_bytes);
	put_key(d, "shmem_bytes", t->shmem_bytes);
	put_key(d, "major_faults", t->major_faults);
	put_key(d, "inactive_ns", t->inactive_ns);
}

/* Which build each file was, and how its addresses are to be taken; those of
 * several processes may lie on one another. */
static void
put_modules(struct dump *d)
{
	const struct modules *all = profile_modules(d->r->profiles[0]);

	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (!m || m->end <= m->start || !*m->path ||
		    strchr(m->path, '\n'))
			continue;
		buf_printf(d->b,
		    "# heaptop module=%" PRIx64 "-%" PRIx64 " %" PRIx64 " ",
		    m->start, m->end, m->bias);
		for (size_t i = 0; i < m->build_id_len; i++)
			buf_printf(d->b, "%02x", m->build_id[i]);
		buf_printf(
		    d->b, "%s %s\n", m->build_id_len ? "" : "-", m->path);
	}
}

static void
put_header(struct dump *d)
{
	buf_printf(d->b, "heap_v2/%.0f\n# heaptop leaf=call\n", d->R);
	put_who(d);
	if (d->r->have_totals)
		put_totals(d);
	if (d->r->profile_count == 1)
		put_modules(d);
}

static void
put_losses(struct dump *d)
{
	static const char *const keys[LOSS_COUNT] = {
		[LOSS_TABLE_FULL] = "lost_table_full",
		[LOSS_STARTING] = "lost_starting",
		[LOSS_NESTED] = "lost_nested",
		[LOSS_NOMEM] = "lost_nomem",
		[LOSS_CUT_DEPTH] = "cut_depth",
		[LOSS_CUT_UNWIND] = "cut_unwind",
		[LOSS_GUESSED] = "guessed",
		[LOSS_SHARED_SLOT] = "shared_slot",
	};

	for (int i = 0; i < LOSS_COUNT; i++) {
		if (d->r->totals.lost[i])
			buf_printf(d->b, "# heaptop %s=%" PRIu64 "\n", keys[i],
			    d->r->totals.lost[i]);
	}
}

static void
put_threads(struct dump *d)
{
	size_t k = 0;

	buf_puts(d->b, "  t*");
	put_pairs(d, &d->total);
	buf_putc(d->b, '\n');
	for (uint32_t i = 0; i < d->slots; i++) {
		const struct amounts *a = &d->threads[i];
		const char *name;

		while (k + 1 < d->r->profile_count && d->slot_base[k + 1] <= i)
			k++;
		name = profile_thread_name(
		    d->r->profiles[k], (uint16_t)(i - d->slot_base[k]));
		if (a->live_objects == 0 && a->alloc_objects == 0 && !*name)
			continue;
		buf_printf(d->b, "  t%u", i);
		put_pairs(d, a);
		buf_printf(d->b, "%s%s\n", *name ? " " : "", name);
	}
}

static void
put_address(struct dump *d, const struct profile *p, frame_id id, bool leaf)
{
	const struct frames *f = profile_frames_const(p);
	const struct module *m =
	    modules_find(profile_modules(p), frames_module(f, id));
	uint64_t at = frames_offset(f, id) + (m ? m->bias : 0);

	buf_printf(d->b, " 0x%" PRIx64, leaf ? at : at + 1);
}

static void
put_stack(struct dump *d, uint32_t stack)
{
	const struct report_stack *s = &d->r->stacks[stack];
	const struct profile *p = d->r->profiles[s->profile];
	const struct stack *frames = stacks_at(profile_stacks(p), s->id);
	struct amounts sum = { 0 };

	for (uint32_t i = d->first[stack]; i; i = d->rows[i - 1].next)
		add(&sum, &d->rows[i - 1].a);
	if (sum.live_objects == 0 && sum.alloc_objects == 0)
		return;
	buf_putc(d->b, '@');
	for (uint32_t i = 0; i < frames->count; i++)
		put_address(d, p, frames->frames[i], i == 0);
	buf_puts(d->b, "\n  t*");
	put_pairs(d, &sum);
	buf_putc(d->b, '\n');
	for (uint32_t i = d->first[stack]; i; i = d->rows[i - 1].next) {
		const struct row *row = &d->rows[i - 1];

		if (row->a.live_objects == 0 && row->a.alloc_objects == 0)
			continue;
		buf_printf(d->b, "  t%u", row->slot);
		put_pairs(d, &row->a);
		buf_putc(d->b, '\n');
	}
}

static void
dump(struct dump *d)
{
	const struct report *r = d->r;

	number_slots(d);
	for (size_t k = 0; k < r->profile_count; k++)
		gather(d, k);
	choose_rate(d);
	put_header(d);
	put_losses(d);
	put_threads(d);
	for (uint32_t i = 0; i < r->stack_count; i++)
		put_stack(d, i);
	buf_puts(d->b, "\nMAPPED_LIBRARIES:\n");
	for (size_t k = 0; k < r->profile_count; k++)
		maps_put(d->b, profile_modules(r->profiles[k]));
	free(d->rows);
	free(d->first);
	free(d->threads);
	free(d->slot_base);
}

void
export_heap(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct query q = r->query;
	struct report *all;
	struct dump d = { .b = b };

	(void)o;
	q.freed = true;
	q.tree = false;
	q.grouping = GROUP_STACKS;
	q.max_rows = 1;
	all = report_build(r->profiles, r->profile_count, &q);
	d.r = all;
	dump(&d);
	report_free(all);
}
