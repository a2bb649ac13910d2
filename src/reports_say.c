#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "io/symbols.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"
#include "output.h"
#include "reports.h"

#define SENTENCES_MAX 4

void
reports_say_lines(const char *lines)
{
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		if (len)
			say("%.*s", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

static void
put_amount(struct buf *b, const struct report *r, double v)
{
	if (metric_is_bytes(r->query.metric))
		buf_puts(b, fmt_bytes(v, FMT_ZERO).s);
	else
		buf_printf(b, "%s objects", fmt_count(v, FMT_ZERO).s);
}

static int
put_option(struct buf *b, const char *name, const char *value)
{
	if (b->len)
		buf_puts(b, ", ");
	buf_printf(b, "--%s=%s", name, value);
	return 1;
}

/* The filters that are in the query, as they may be typed; how many. */
static int
put_filters(struct buf *b, const struct query *q)
{
	int n = 0;

	if (q->focus)
		n += put_option(b, "focus", q->focus->text);
	if (q->ignore)
		n += put_option(b, "ignore", q->ignore->text);
	if (q->show)
		n += put_option(b, "show", q->show->text);
	if (q->hide)
		n += put_option(b, "hide", q->hide->text);
	if (q->min_size > 0)
		n += put_option(b, "min-size", fmt_int(q->min_size).s);
	if (q->max_size > 0)
		n += put_option(b, "max-size", fmt_int(q->max_size).s);
	return n;
}

bool
reports_say_filtered(const struct report *r)
{
	const struct query *q = &r->query;
	double whole = r->whole.value, left = r->local.value;
	bool sizes = q->min_size > 0 || q->max_size > 0;
	bool nothing = r->stack_count == 0 && whole != 0;
	/* what show and hide take away is not in the table's second line */
	bool hidden = (q->show || q->hide) && left != r->total.value;
	struct buf b = BUF_INIT;
	int n = put_filters(&b, q);

	if (n > 0 &&
	    (nothing || sizes || hidden || fabs(left) < fabs(whole) / 2)) {
		buf_puts(&b, n == 1 ? " leaves " : " leave ");
		if (nothing)
			buf_puts(&b, "nothing");
		else
			put_amount(&b, r, left);
		buf_puts(&b, " of ");
		put_amount(&b, r, whole);
		if (!nothing)
			buf_printf(&b, " (%s%%)",
			    fmt_percent(left, whole, FMT_ZERO).s);
		if (sizes)
			buf_puts(&b,
			    "; the size is that of a stack's average object");
		say("%s", buf_str(&b));
	}
	buf_fini(&b);
	return n > 0 && nothing;
}

void
reports_say_empty(const struct report *r)
{
	const char *what =
	    metric_is_live(r->query.metric) ? "live" : "allocated";

	if (r->query.difference)
		say("the report is empty: nothing has changed");
	else if (r->have_totals && r->totals.lg_sample == 0)
		say("the report is empty: nothing is %s", what);
	else if (r->have_totals)
		say("the report is empty: nothing %s was sampled at %s; a "
		    "small program needs more: lg_prof_sample:16 or 14, or "
		    "-s 4K",
		    what, fmt_sampling(r->totals.lg_sample).s);
	else
		say("the report is empty");
}

/* Marks the modules in which a place has no name. */
static void
mark_nameless(const struct profile *p, unsigned char *marks, uint32_t max)
{
	const struct frames *f = profile_frames_const(p);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		uint32_t module = frames_module(f, id);

		if (module <= max && frames_state(f, id) == FRAME_NAMELESS)
			marks[module] = 1;
	}
}

static int
say_nameless(const struct symbols *s, const struct profile *p, int left)
{
	uint32_t max = modules_max(profile_modules(p));
	unsigned char *marks = xcalloc((size_t)max + 1, 1);

	mark_nameless(p, marks, max);
	for (uint32_t id = 1; id <= max && left > 0; id++) {
		const char *note = marks[id] ? symbols_note(s, p, id) : "";

		if (!*note)
			continue;
		say("%s", note);
		left--;
	}
	free(marks);
	return left;
}

void
reports_say_nameless(
    const struct symbols *s, const struct profile *const *profiles, size_t n)
{
	int left = SENTENCES_MAX;

	for (size_t i = 0; i < n; i++)
		left = say_nameless(s, profiles[i], left);
}
