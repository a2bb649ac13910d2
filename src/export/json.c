/*
 * The whole report as JSON; tests/data/heaptop-report.schema.json says what
 * each member is.
 *
 * Figures are whole numbers of bytes or objects, errors half widths of 95 %
 * intervals.  Addresses, offsets and keys are strings in hexadecimal: JSON's
 * numbers need not hold 64 bits.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/json_text.h"
#include "model/ages.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"

#define VERSION 1

struct json {
	const struct report *r;
	struct buf *b;
	struct age_view *ages;
	bool compared;
};

static const char *const losses[LOSS_COUNT] = {
	[LOSS_TABLE_FULL] = "table_full",
	[LOSS_STARTING] = "starting",
	[LOSS_NESTED] = "nested",
	[LOSS_NOMEM] = "no_memory",
	[LOSS_CUT_DEPTH] = "stacks_cut_by_depth",
	[LOSS_CUT_UNWIND] = "stacks_cut_by_unwinding",
	[LOSS_GUESSED] = "stacks_guessed",
	[LOSS_SHARED_SLOT] = "threads_without_slot",
};

/* ---- members ---- */

static void
put_string(struct json *j, const char *key, const char *s)
{
	buf_printf(j->b, ",\"%s\":", key);
	json_string(j->b, s);
}

static void
put_count(struct json *j, const char *key, uint64_t n)
{
	buf_printf(j->b, ",\"%s\":%" PRIu64, key, n);
}

static void
put_flag(struct json *j, const char *key, bool on)
{
	buf_printf(j->b, ",\"%s\":%s", key, on ? "true" : "false");
}

static void
put_address(struct json *j, const char *key, uint64_t at)
{
	buf_printf(j->b, ",\"%s\":\"0x%" PRIx64 "\"", key, at);
}

static void
put_figures(struct json *j, const char *key, const struct figures *f)
{
	struct buf *b = j->b;

	buf_printf(b, ",\"%s\":{\"value\":", key);
	json_whole(b, f->value);
	buf_puts(b, ",\"error\":");
	json_tenths(b, figures_error(f));
	if (!j->r->query.difference) {
		buf_puts(b, ",\"bytes\":");
		json_whole(b, f->bytes);
		buf_puts(b, ",\"objects\":");
		json_whole(b, f->objects);
	}
	put_count(j, "samples", f->samples);
	if (j->compared) {
		buf_puts(b, ",\"base\":");
		json_whole(b, f->base);
		buf_puts(b, ",\"change\":");
		json_whole(b, figures_change(f));
		buf_puts(b, ",\"change_error\":");
		json_tenths(b, figures_change_error(f));
	}
	buf_putc(b, '}');
}

/* ---- what was asked ---- */

static const char *
metric_option(enum metric m)
{
	switch (m) {
	case METRIC_LIVE_OBJECTS: return "inuse_objects";
	case METRIC_ALLOC_BYTES: return "alloc_space";
	case METRIC_ALLOC_OBJECTS: return "alloc_objects";
	case METRIC_LIVE_BYTES:
	case METRIC_COUNT: break;
	}
	return "inuse_space";
}

static const char *
grouping_option(enum grouping g)
{
	switch (g) {
	case GROUP_STACKS: return "stacks";
	case GROUP_LINES: return "lines";
	case GROUP_FILES: return "files";
	case GROUP_MODULES: return "modules";
	case GROUP_ADDRESSES: return "addresses";
	case GROUP_THREADS: return "threads";
	case GROUP_FUNCTIONS:
	case GROUP_COUNT: break;
	}
	return "functions";
}

static void
put_pattern(struct json *j, const char *key, const struct pattern *p)
{
	if (p)
		put_string(j, key, p->text);
}

static void
put_query(struct json *j)
{
	const struct query *q = &j->r->query;

	buf_printf(
	    j->b, ",\n\"query\":{\"metric\":\"%s\"", metric_option(q->metric));
	put_string(j, "unit", metric_is_bytes(q->metric) ? "bytes" : "objects");
	put_string(j, "grouping", grouping_option(q->grouping));
	put_flag(j, "difference", q->difference);
	if (q->thread >= 0)
		put_count(j, "thread", (uint64_t)q->thread);
	put_pattern(j, "focus", q->focus);
	put_pattern(j, "ignore", q->ignore);
	put_pattern(j, "show", q->show);
	put_pattern(j, "hide", q->hide);
	buf_putc(j->b, '}');
}

/* ---- the processes ---- */

static void
put_module(struct json *j, const struct module *m, const char *before)
{
	buf_printf(j->b, "%s\n  {\"path\":", before);
	json_string(j->b, m->path);
	buf_puts(j->b, ",\"build_id\":");
	json_hex(j->b, m->build_id, m->build_id_len);
	put_address(j, "start", m->start);
	put_address(j, "end", m->end);
	put_address(j, "bias", m->bias);
	buf_putc(j->b, '}');
}

static void
put_modules(struct json *j, const struct modules *all)
{
	const char *comma = "";

	buf_puts(j->b, ",\"modules\":[");
	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (!m)
			continue;
		put_module(j, m, comma);
		comma = ",";
	}
	buf_putc(j->b, ']');
}

static void
put_profile(struct json *j, const struct profile *p)
{
	const struct profile_facts *f = profile_facts(p);

	buf_printf(j->b, "{\"pid\":%u", f->pid);
	put_string(j, "image", f->image);
	put_string(j, "command", f->command);
	buf_puts(j->b, ",\"build_id\":");
	json_hex(j->b, f->build_id, f->build_id_len);
	put_string(j, "source", f->source);
	put_string(j, "rule", f->rule ? f->rule : "");
	put_modules(j, profile_modules(p));
	buf_putc(j->b, '}');
}

static void
put_profiles(struct json *j)
{
	buf_puts(j->b, ",\n\"profiles\":[");
	for (size_t k = 0; k < j->r->profile_count; k++) {
		buf_puts(j->b, k ? ",\n" : "\n");
		put_profile(j, j->r->profiles[k]);
	}
	buf_puts(j->b, "]");
	if (j->r->query.base_profile) {
		buf_puts(j->b, ",\n\"base_profile\":");
		put_profile(j, j->r->query.base_profile);
	}
}

static void
put_losses(struct json *j)
{
	const char *comma = "";

	buf_puts(j->b, ",\"lost\":{");
	for (int i = 0; i < LOSS_COUNT; i++) {
		buf_printf(j->b, "%s\"%s\":%" PRIu64, comma, losses[i],
		    j->r->totals.lost[i]);
		comma = ",";
	}
	buf_putc(j->b, '}');
}

/* The process as a whole; null before it told of itself.  What was counted,
 * not estimated, is there if it was. */
static void
put_process(struct json *j)
{
	const struct profile_totals *t = &j->r->totals;

	if (!j->r->have_totals) {
		buf_puts(j->b, ",\n\"process\":null");
		return;
	}
	buf_printf(j->b, ",\n\"process\":{\"lg_sample\":%u", t->lg_sample);
	put_count(j, "rate_changes", t->rate_changes);
	put_count(j, "now_ns", t->now_ns);
	put_count(j, "samples", t->samples);
	if (t->exact_ns) {
		put_count(j, "live_bytes", t->live_bytes);
		put_count(j, "live_objects", t->live_objects);
		put_count(j, "alloc_bytes", t->alloc_bytes);
	}
	if (t->rss_bytes)
		put_count(j, "rss_bytes", t->rss_bytes);
	put_count(j, "inactive_ns", t->inactive_ns);
	put_losses(j);
	buf_putc(j->b, '}');
}

/* ---- rows ---- */

static void
put_frame(struct json *j, uint32_t place)
{
	struct place p = report_place(j->r, place);
	const struct frames *f =
	    profile_frames_const(j->r->profiles[p.profile]);

	buf_puts(j->b, "\n  {\"function\":");
	json_string(j->b, p.function);
	put_string(j, "file", p.file);
	put_count(j, "line", p.line);
	put_string(j, "module", p.module);
	put_address(j, "offset", frames_offset(f, p.frame));
	put_flag(j, "inlined", p.inlined);
	buf_putc(j->b, '}');
}

static void
put_stack(struct json *j, const struct report_row *row)
{
	buf_puts(j->b, ",\"stack\":[");
	for (uint32_t i = 0; i < row->count; i++) {
		if (i)
			buf_putc(j->b, ',');
		put_frame(j, row->places[i]);
	}
	buf_putc(j->b, ']');
}

/* Of what lives and was allocated right there, and of what was freed; where
 * that is known. */
static void
put_ages(struct json *j, enum ages_of of, uint32_t n)
{
	struct ages a = ages_at(j->ages, of, n);
	struct ages_lives l = ages_lives(j->ages, of, n);

	if (a.known) {
		buf_printf(
		    j->b, ",\"ages\":{\"oldest_ns\":%" PRIu64, a.oldest_ns);
		put_count(j, "median_ns", a.median_ns);
		put_count(j, "youngest_ns", a.youngest_ns);
		buf_puts(j->b, ",\"objects\":");
		json_whole(j->b, a.objects);
		put_count(j, "samples", a.samples);
		put_flag(j, "exact", a.exact);
		put_flag(j, "part", a.part);
		buf_putc(j->b, '}');
	}
	if (!l.known)
		return;
	buf_puts(j->b, ",\"lifetimes\":[");
	for (unsigned i = 0; i < PROFILE_LIVES; i++)
		buf_printf(j->b, "%s%" PRIu64, i ? "," : "", l.bucket[i]);
	buf_putc(j->b, ']');
}

static void
put_row(struct json *j, const struct report_row *row)
{
	buf_printf(j->b, "\n {\"key\":\"%016" PRIx64 "\",\"name\":", row->key);
	json_string(j->b, row->name);
	put_string(j, "file", row->file);
	put_count(j, "line", row->line);
	put_figures(j, "flat", &row->f);
	put_figures(j, "cum", &row->cum);
	put_count(j, "stacks", row->stacks);
	put_ages(j, AGES_ROW_ID, ages_row_id(j->ages, row));
	put_stack(j, row);
	buf_putc(j->b, '}');
}

static void
put_rows(struct json *j)
{
	struct report_rows rows = { .report = j->r };
	const struct report_row *row;
	const char *comma = "";

	buf_puts(j->b, ",\n\"rows\":[");
	while ((row = report_rows_next(&rows)) != NULL) {
		buf_puts(j->b, comma);
		put_row(j, row);
		buf_offer(j->b);
		comma = ",";
	}
	buf_puts(j->b, "]");
	put_count(j, "rows_left_out", j->r->remainder_count);
	put_figures(j, "left_out", &j->r->remainder);
}

void
export_json(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct json j = { .r = r, .b = b, .ages = ages_new(r) };

	(void)o;
	j.compared = !r->query.difference &&
	    (r->have_before || r->query.base_profile != NULL);
	buf_printf(b, "{\"format\":\"heaptop-report\",\"version\":%d", VERSION);
	put_string(&j, "notes", r->notes);
	put_query(&j);
	put_process(&j);
	put_profiles(&j);
	put_figures(&j, "total", &r->total);
	put_figures(&j, "local", &r->local);
	put_ages(&j, AGES_ALL, 0);
	put_rows(&j);
	buf_puts(b, "}\n");
	ages_free(j.ages);
}
