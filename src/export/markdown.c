/* A report for a team: what happened, whom to suspect and what to check, how
 * it was measured, the figures, and how to have them again.  No addresses:
 * they mean nothing elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/growth.h"
#include "export/markdown_case.h"
#include "export/markdown_text.h"
#include "export/markdown_tree.h"
#include "export/stats_words.h"
#include "model/modules.h"
#include "model/name.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/trend.h"

#define NS_PER_S       UINT64_C(1000000000)
#define NAME_COLUMNS   60
#define PATH_COLUMNS   48
#define CALLERS        3 /* named with a stack */
#define CALLER_COLUMNS 30
#define ROWS           20
#define MODULES_MAX    30

static const char *
or_empty(const char *s)
{
	return s ? s : "";
}

/* ---- what happened ------------------------------------------------------- */

static void
put_summary(const struct markdown_case *c, struct buf *b)
{
	const struct report *r = c->rows;
	const struct figures *f = &r->local;
	double half = c->compared ? figures_change_error(f) : figures_error(f);
	double v = c->compared ? figures_change(f) : f->value;

	if (c->compared && c->trends && c->trends->all.error > half)
		half = c->trends->all.error;
	if (!c->compared) {
		buf_printf(b, "\n%s: **%s**", metric_label(r->query.metric),
		    stats_amount(r, c->o, v).s);
	} else {
		buf_printf(b, "\nDelta: **");
		stats_put_delta(b, r, c->o, f->base, f->value);
		buf_printf(b, "**, %s", metric_label(r->query.metric));
		buf_printf(b, " from %s", stats_amount(r, c->o, f->base).s);
		buf_printf(b, " to %s", stats_amount(r, c->o, f->value).s);
	}
	if (half > 0)
		buf_printf(b, ", %s%s (95 %% interval)",
		    c->o->show_bytes ? "± " : "", stats_error(c->o, half, v).s);
	buf_puts(b, ".\n");
	if (c->compared && v <= half && v >= -half)
		buf_puts(
		    b, "\nThat is within the error: nothing is claimed.\n");
}

/* ---- how it was measured ------------------------------------------------- */

static void
put_moment(struct buf *b, const struct profile *p, uint64_t now_ns)
{
	const struct profile_facts *f = profile_facts(p);
	time_t s;
	struct tm tm;
	char text[64];

	if (!f->wall_ns || now_ns < f->image_ns) {
		buf_puts(b, "time not known");
		return;
	}
	s = (time_t)((f->wall_ns + (now_ns - f->image_ns)) / NS_PER_S);
	if (gmtime_r(&s, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm))
		buf_puts(b, text);
}

static void
put_fact(struct buf *b, const char *label, const char *value)
{
	if (!value || !*value)
		return;
	buf_printf(b, "| %s | ", label);
	markdown_code(b, value);
	buf_puts(b, " |\n");
}

/* The moments compared, and the dumps they are from. */
static void
put_period(const struct markdown_case *c, struct buf *b)
{
	const struct report *r = c->rows;
	const struct export_origin *from = c->o->origin;
	const struct profile *base = r->query.base_profile;
	const struct profile_totals *t = base ? profile_totals(base) : NULL;

	if (c->compared) {
		buf_puts(b, "| From | ");
		if (c->o->untimed)
			buf_puts(b, "time not known");
		else if (base)
			put_moment(b, base, t ? t->now_ns : 0);
		else
			put_moment(b, r->profiles[0], r->base_ns);
		if (from && from->from) {
			buf_puts(b, ", ");
			markdown_code(b, from->from);
		}
		buf_puts(b, " |\n");
	}
	buf_printf(b, "| %s | ", c->compared ? "To" : "At");
	if (c->o->untimed)
		buf_puts(b, "time not known");
	else
		put_moment(b, r->profiles[0], r->now_ns);
	if (from && from->to) {
		buf_puts(b, ", ");
		markdown_code(b, from->to);
	}
	buf_puts(b, " |\n");
	if (c->compared && !base && !c->o->untimed && r->now_ns > r->base_ns)
		buf_printf(b, "| Period | %s |\n",
		    fmt_duration(r->now_ns - r->base_ns).s);
}

static void
put_sampling(const struct markdown_case *c, struct buf *b)
{
	const struct report *r = c->rows;
	const struct profile_totals *t = &r->totals;

	buf_printf(b, "| Sampling | %s%s, %s samples in this report |\n",
	    t->lg_sample ? "interval " : "", fmt_sampling(t->lg_sample).s,
	    fmt_count((double)r->local.samples, FMT_ZERO).s);
}

static void
put_hex(struct buf *b, const uint8_t *id, size_t n)
{
	if (n)
		buf_putc(b, '`');
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%02x", id[i]);
	buf_puts(b, n ? "`" : "not known");
}

static const struct module *
same_path(const struct profile *p, const char *path)
{
	const struct modules *all = profile_modules(p);

	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);

		if (m && strcmp(m->path, path) == 0)
			return m;
	}
	return NULL;
}

/* Of the program: dumps have it with the files that were mapped. */
static void
put_program_id(const struct markdown_case *c, struct buf *b)
{
	const struct profile *p = c->rows->profiles[0];
	const struct profile_facts *f = profile_facts(p);
	const struct module *m = same_path(p, f->image);

	if (f->build_id_len || !m)
		put_hex(b, f->build_id, f->build_id_len);
	else
		put_hex(b, m->build_id, m->build_id_len);
}

static void
put_thread(const struct report *r, struct buf *b)
{
	uint16_t slot = (uint16_t)r->query.thread;
	const char *name = profile_thread_name(r->profiles[0], slot);
	char number[16];

	snprintf(number, sizeof number, "%u", slot);
	put_fact(b, "Only thread", *name ? name : number);
}

static void
put_filters(const struct markdown_case *c, struct buf *b)
{
	const struct query *q = &c->rows->query;
	const struct {
		const char *label;
		const struct pattern *p;
	} all[] = { { "Only stacks with", q->focus },
		{ "Without stacks with", q->ignore },
		{ "Only frames", q->show }, { "Without frames", q->hide } };

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (all[i].p)
			put_fact(b, all[i].label, all[i].p->text);
	}
	if (q->thread >= 0)
		put_thread(c->rows, b);
	if (q->min_size > 0)
		buf_printf(b, "| Objects from | %s on average |\n",
		    fmt_bytes(q->min_size, 0).s);
	if (q->max_size > 0)
		buf_printf(b, "| Objects below | %s on average |\n",
		    fmt_bytes(q->max_size, 0).s);
}

static void
put_unseen(const struct markdown_case *c, struct buf *b)
{
	struct buf hint = BUF_INIT;
	const char *remarks =
	    c->o->origin ? or_empty(c->o->origin->remarks) : "";

	buf_puts(b, "\nNot seen: ");
	markdown_text(
	    b, *c->asked->notes ? c->asked->notes : "nothing that is known of");
	buf_puts(b, ".\n");
	stats_put_hint(&hint, c->rows);
	if (hint.len) {
		buf_putc(b, '\n');
		markdown_text(b, buf_str(&hint));
		buf_puts(b, ".\n");
	}
	while (*remarks) {
		size_t len = strcspn(remarks, "\n");
		char *line = xstrndup(remarks, len);

		buf_putc(b, '\n');
		markdown_text(b, line);
		buf_puts(b, ".\n");
		free(line);
		remarks += len + (remarks[len] == '\n');
	}
	buf_fini(&hint);
}

static void
put_how(const struct markdown_case *c, struct buf *b)
{
	const struct profile_facts *f = profile_facts(c->rows->profiles[0]);
	const struct export_origin *from = c->o->origin;

	buf_puts(b, "\n## How it was measured\n\n| | |\n| --- | --- |\n");
	put_fact(b, "Program", *f->image ? f->image : c->o->program);
	put_fact(b, "Started as", f->command);
	if (f->pid && c->rows->profile_count == 1)
		buf_printf(b, "| Process | %u |\n", f->pid);
	buf_puts(b, "| Build-id | ");
	put_program_id(c, b);
	buf_puts(b, " |\n");
	put_period(c, b);
	put_sampling(c, b);
	put_filters(c, b);
	if (from) {
		put_fact(b, "System", from->system);
		put_fact(b, "Sampled by", from->sampled);
		put_fact(b, "heaptop", from->version);
		put_fact(b, "This report", from->command);
	}
	put_unseen(c, b);
}

/* ---- evidence ------------------------------------------------------------ */

static void
put_name(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	enum grouping by = c->rows->query.grouping;
	struct place p = report_place(c->rows, row->places[0]);
	struct buf text = BUF_INIT;

	if (by == GROUP_THREADS || by == GROUP_FILES || by == GROUP_MODULES)
		name_fit(&text, row->name, NAME_COLUMNS, c->o->ascii);
	else
		markdown_name(&text, c->rows, &p, NAME_COLUMNS, c->o);
	markdown_code(b, buf_str(&text));
	for (uint32_t i = 1;
	     by == GROUP_STACKS && i < row->count && i <= CALLERS; i++) {
		p = report_place(c->rows, row->places[i]);
		buf_clear(&text);
		markdown_name(&text, c->rows, &p, CALLER_COLUMNS, c->o);
		buf_puts(b, " ← ");
		markdown_code(b, buf_str(&text));
	}
	buf_puts(b, " | ");
	buf_clear(&text);
	if (*row->file) {
		name_fit_path(&text, row->file, PATH_COLUMNS, c->o->ascii);
		if (row->line)
			buf_printf(&text, ":%u", row->line);
		markdown_code(b, buf_str(&text));
	}
	buf_fini(&text);
}

static void
put_row(
    const struct markdown_case *c, const struct report_row *row, struct buf *b)
{
	const struct trend *t = markdown_trend(c, row);
	const struct report *r = c->rows;
	double v = markdown_value(c, row);

	if (c->compared)
		buf_printf(b, "| %s", stats_change(r, c->o, v).s);
	else
		buf_printf(b, "| %s", stats_amount(r, c->o, v).s);
	buf_printf(b, " | %s", stats_error(c->o, markdown_error(c, row), v).s);
	if (c->compared)
		buf_printf(b, " | %s", stats_amount(r, c->o, row->f.value).s);
	buf_printf(b, " | %s | %s", fmt_count(row->f.objects, FMT_ZERO).s,
	    fmt_count((double)row->f.samples, FMT_ZERO).s);
	if (c->trends) {
		buf_printf(b, " | %u of %zu ", t->grew, c->trends->steps);
		growth_put_spark(b, c->trends, t, c->o->ascii);
	}
	buf_puts(b, " | ");
	put_name(c, row, b);
	buf_puts(b, " |\n");
}

static void
put_titles(const struct markdown_case *c, struct buf *b)
{
	buf_printf(b, "\n| %s | ±%s | objects | samples |%s %s | where |\n",
	    c->compared ? "change" : "value", c->compared ? " | now" : "",
	    c->trends ? " grew in |" : "",
	    grouping_label(c->rows->query.grouping));
	buf_printf(b, "| ---: | ---: |%s ---: | ---: |%s --- | --- |\n",
	    c->compared ? " ---: |" : "", c->trends ? " --- |" : "");
}

static void
put_evidence(const struct markdown_case *c, struct buf *b)
{
	const struct report *r = c->rows;
	size_t shown = 0, left = 0;
	double rest = 0;

	buf_puts(b, "\n## Evidence\n");
	put_titles(c, b);
	for (size_t i = 0; i < r->row_count; i++) {
		const struct report_row *row = &r->rows[i];
		double v = markdown_value(c, row);

		if (v == 0)
			continue;
		if (shown < ROWS) {
			put_row(c, row, b);
			shown++;
			continue;
		}
		left++;
		rest += v;
	}
	if (left)
		buf_printf(b, "\n%zu more %s, together %s.\n", left,
		    grouping_noun(r->query.grouping, left),
		    c->compared ? stats_change(r, c->o, rest).s
				: stats_amount(r, c->o, rest).s);
}

static void
put_tree(const struct markdown_case *c, struct buf *b)
{
	struct buf text = BUF_INIT;

	markdown_tree(c->tree, c->o, &text);
	buf_printf(b,
	    "\n## Call tree\n\nFrom the root down to where it was allocated; "
	    "branches below %.0f %% are left out.\n\n",
	    MARKDOWN_TREE_SHARE * 100);
	markdown_block(b, text.len ? buf_str(&text) : "(nothing)");
	buf_fini(&text);
}

/* ---- builds -------------------------------------------------------------- */

static void
put_module(const struct module *m, const struct profile *base, struct buf *b)
{
	const struct module *was = base ? same_path(base, m->path) : NULL;
	bool same;

	buf_puts(b, "| ");
	markdown_code(b, *m->path ? m->path : m->name);
	buf_puts(b, " | ");
	put_hex(b, m->build_id, m->build_id_len);
	if (base && !was) {
		buf_puts(b, " | not there");
	} else if (base) {
		same = was->build_id_len == m->build_id_len &&
		    memcmp(was->build_id, m->build_id, m->build_id_len) == 0;
		buf_puts(b, " | ");
		if (same)
			buf_puts(b, m->build_id_len ? "the same" : "not known");
		else
			put_hex(b, was->build_id, was->build_id_len);
	}
	buf_puts(b, " |\n");
}

/* The files in which a place of the report is, as they were loaded. */
static void
put_builds(const struct markdown_case *c, struct buf *b)
{
	const struct report *r = c->rows;
	const struct modules *all = profile_modules(r->profiles[0]);
	const struct frames *f = profile_frames_const(r->profiles[0]);
	const struct profile *base = r->query.base_profile;
	uint32_t max = modules_max(all), left = 0, shown = 0;
	bool *used = xcalloc((size_t)max + 1, sizeof *used);

	for (size_t i = 0; i < r->place_count; i++) {
		uint32_t id;

		if (r->places[i].profile != 0)
			continue;
		id = frames_module(f, r->places[i].frame);
		used[id <= max ? id : 0] = true;
	}
	buf_printf(b, "\n## Builds\n\n| file | build-id |%s\n| --- | --- |%s\n",
	    base ? " build-id before |" : "", base ? " --- |" : "");
	for (uint32_t id = 1; id <= max; id++) {
		const struct module *m = modules_find(all, id);

		if (!used[id] || !m)
			continue;
		if (shown++ < MODULES_MAX)
			put_module(m, base, b);
		else
			left++;
	}
	if (left)
		buf_printf(b, "\n%u more files.\n", left);
	free(used);
}

static void
put_again(const struct markdown_case *c, struct buf *b)
{
	const struct export_origin *from = c->o->origin;

	if (!from || (!from->sampled && !from->command))
		return;
	buf_puts(b, "\n## To repeat it\n\n");
	if (from->sampled) {
		buf_puts(b, "Run the program so that it samples:\n\n");
		markdown_block(b, from->sampled);
		buf_putc(b, '\n');
	}
	if (from->command) {
		buf_printf(
		    b, "%s\n\n", c->compared ? "Compare:" : "Make the report:");
		markdown_block(b, from->command);
	}
}

static void
put_title(const struct markdown_case *c, struct buf *b)
{
	const struct profile_facts *f = profile_facts(c->rows->profiles[0]);
	const char *path = *c->o->program ? c->o->program : f->image;
	const char *slash = strrchr(path, '/');

	buf_printf(b, "# Memory of ");
	markdown_code(b, *path ? slash && slash[1] ? slash + 1 : path : "?");
	buf_printf(b, "%s\n", c->compared ? ": what changed" : "");
}

void
export_markdown(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct markdown_case c;

	markdown_case_init(&c, r, o);
	put_title(&c, b);
	put_summary(&c, b);
	markdown_suspects(&c, b);
	put_how(&c, b);
	put_evidence(&c, b);
	put_tree(&c, b);
	put_builds(&c, b);
	put_again(&c, b);
	markdown_case_fini(&c);
}
