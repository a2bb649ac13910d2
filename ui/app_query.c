/* What is asked: filters, and the patterns they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app_keys.h"
#include "ui/filter.h"

static void
retire(struct app *a, struct pattern *p)
{
	if (!p)
		return;
	VEC_ROOM(a->old, a->old_cap, a->old_count + 1);
	a->old[a->old_count++] = p;
}

void
app_free_old(struct app *a)
{
	while (a->old_count > 0)
		pattern_free(a->old[--a->old_count]);
}

static void
set_pattern(struct app *a, struct pattern **p, const char *text)
{
	struct err e = { "" };

	retire(a, *p);
	*p = NULL;
	if (!*text)
		return;
	*p = filter_pattern(text, &e);
	if (!*p)
		app_say(a, true, "%s", e.msg);
}

/* The passing filter stands in for the kept one of its kind while it is
 * there. */
static void
set_patterns(struct app *a)
{
	const char *only = a->only, *hidden = a->hidden;

	if (*a->filter == '!')
		hidden = a->filter[1] ? a->filter + 1 : hidden;
	else if (*a->filter)
		only = a->filter;
	set_pattern(a, &a->focus, only);
	set_pattern(a, &a->ignore, hidden);
	app_query_changed(a);
}

void
app_set_filter(struct app *a, const char *text)
{
	snprintf(a->filter, sizeof a->filter, "%s", text);
	if (*text && *text != '!')
		snprintf(a->found, sizeof a->found, "%s", text);
	set_patterns(a);
}

void
app_set_kept(struct app *a, const char *text)
{
	if (*text == '!')
		snprintf(a->hidden, sizeof a->hidden, "%s", text + 1);
	else
		snprintf(a->only, sizeof a->only, "%s", text);
	if (!*text)
		a->hidden[0] = '\0';
	set_patterns(a);
}

int
app_keep_name(struct app *a, const char *function, bool hide)
{
	char one[PROMPT_MAX + 1] = "";
	char *text = hide ? a->hidden : one;

	if (!filter_add_name(text, PROMPT_MAX + 1, function)) {
		app_say(a, true, "the filter would be too long");
		return -1;
	}
	if (!hide)
		snprintf(a->only, sizeof a->only, "%s", one);
	set_patterns(a);
	return 0;
}

bool
app_filtered(const struct app *a)
{
	return a->query.focus || a->query.ignore || a->query.show ||
	    a->query.hide || a->query.thread >= 0;
}

/* Threads of a pool often have one name. */
static bool
name_is_shared(const struct profile *p, uint16_t slot, const char *name)
{
	uint32_t n = profile_thread_slots(p);

	for (uint32_t i = 0; i < n && i <= UINT16_MAX; i++)
		if (i != slot &&
		    strcmp(profile_thread_name(p, (uint16_t)i), name) == 0)
			return true;
	return false;
}

static void
put_thread(const struct app *a, struct buf *b)
{
	uint16_t slot = (uint16_t)a->query.thread;
	const struct profile *p = a->report ? a->report->profiles[0] : NULL;
	const char *name = p ? profile_thread_name(p, slot) : "";
	uint32_t tid = p ? profile_thread_tid(p, slot) : 0;

	if (slot == 0 && !*name) {
		buf_puts(b, " other threads");
		return;
	}
	buf_printf(b, " thread%s%s", *name ? " " : "", name);
	if (!*name || name_is_shared(p, slot, name))
		buf_printf(b, " %u", tid ? tid : slot);
}

void
app_filter_text(const struct app *a, char *text, size_t size)
{
	struct buf b = BUF_INIT;
	bool turned = *a->filter == '!';
	/* Whether the passing one stands in for that. */
	bool for_only = *a->filter && !turned;
	bool for_hidden = turned && a->filter[1];

	if (*a->filter)
		buf_printf(&b, " /%s", a->filter);
	if (*a->only && !for_only)
		buf_printf(&b, " \\%s", a->only);
	else if (a->asked.focus && !for_only)
		buf_printf(&b, " --focus=%s", a->asked.focus->text);
	if (*a->hidden && !for_hidden)
		buf_printf(&b, " \\!%s", a->hidden);
	else if (a->asked.ignore && !for_hidden)
		buf_printf(&b, " --ignore=%s", a->asked.ignore->text);
	if (a->asked.show)
		buf_printf(&b, " --show=%s", a->asked.show->text);
	if (a->asked.hide)
		buf_printf(&b, " --hide=%s", a->asked.hide->text);
	if (a->query.thread >= 0)
		put_thread(a, &b);
	snprintf(text, size, "%s", b.len ? buf_str(&b) + 1 : "");
	buf_fini(&b);
}

void
app_fini_query(struct app *a)
{
	retire(a, a->focus);
	retire(a, a->ignore);
	app_free_old(a);
	free(a->old);
}
