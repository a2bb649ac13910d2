/* The commands of command.h, done. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/utf8.h"
#include "ui/app_keys.h"
#include "ui/command.h"
#include "ui/export_menu.h"
#include "ui/help.h"

/* The newest point up to that moment, or the number of points if there is
 * none; said. */
static size_t
point_at(struct app *a, const char *text)
{
	size_t i = 0, n = a->point_count;
	uint64_t ns;

	if (!command_clock(text, &ns)) {
		app_say(a, true,
		    "a moment is such as 9:15 or 1:02:03, not "
		    "%.*s",
		    (int)utf8_head(text, 16), text);
		return n;
	}
	if (n == 0) {
		app_say(a, false, "there is no snapshot yet");
		return n;
	}
	if (a->target.untimed) {
		ns /= UINT64_C(1000000000);
		return ns == 0 ? 0 : ns > n ? n - 1 : (size_t)ns - 1;
	}
	/* A clock shows whole seconds: the whole of the last one is meant. */
	ns += UINT64_C(999999999);
	while (i + 1 < n && app_since_start(a, a->points[i + 1].ns) <= ns)
		i++;
	return i;
}

static void
look_at(struct app *a, const char *text)
{
	size_t i;

	if (strcmp(text, "live") == 0 || strcmp(text, "end") == 0) {
		app_follow(a);
		return;
	}
	app_thaw(a);
	i = point_at(a, text);
	if (i < a->point_count)
		app_look_at(a, i);
}

/* "a", "b 9:15", "a off" */
static void
mark(struct app *a, const char *text)
{
	const char *when = text + strcspn(text, " ");
	size_t i = a->point_count;
	int which = *text == 'b' || *text == 'B';

	when += strspn(when, " ");
	if (!strchr("abAB", *text) || !*text || (text[1] && text[1] != ' ')) {
		app_say(a, true, "mark wants a or b, and perhaps a moment");
		return;
	}
	if (strcmp(when, "off") == 0) {
		app_set_mark(a, which, 0, 0);
	} else if (*when) {
		i = point_at(a, when);
	} else if (i == 0) {
		app_say(a, false, "there is no snapshot to mark");
	} else {
		while (
		    i > 1 && a->query.at && a->points[i - 1].id > a->query.at)
			i--;
		i--;
	}
	if (i < a->point_count)
		app_set_mark(a, which, a->points[i].id, a->points[i].ns);
}

/* The one name that begins like this; below 0: none or several. */
static int
find_name(const char *text, const char *(*name)(int i), int count)
{
	size_t len = strlen(text);
	int found = -1;

	for (int i = 0; i < count; i++) {
		if (strcasecmp(name(i), text) == 0)
			return i;
		if (strncasecmp(name(i), text, len) == 0)
			found = found == -1 ? i : -2;
	}
	return len ? found : -1;
}

static const char *
name_of_metric(int i)
{
	return metric_label((enum metric)i);
}

static const char *
name_of_grouping(int i)
{
	return grouping_label((enum grouping)i);
}

/* "live bytes, live objects, ..." */
static void
say_names(
    struct app *a, const char *what, const char *(*name)(int i), int count)
{
	char all[160] = "";
	size_t used = 0;

	for (int i = 0; i < count && used < sizeof all; i++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
		    i ? ", " : "", name(i));
	app_say(a, true, "%s: %s", what, all);
}

static void
set_metric(struct app *a, const char *text)
{
	int i = find_name(text, name_of_metric, METRIC_COUNT);

	if (i < 0) {
		say_names(a, "metric", name_of_metric, METRIC_COUNT);
		return;
	}
	a->query.metric = (enum metric)i;
	a->all_max = a->all_cum = 0;
	app_query_changed(a);
}

static void
set_grouping(struct app *a, const char *text)
{
	int i = find_name(text, name_of_grouping, GROUP_COUNT);

	if (i < 0) {
		say_names(a, "group", name_of_grouping, GROUP_COUNT);
		return;
	}
	app_group(a, (enum grouping)i);
	app_query_changed(a);
}

/* "", "svg", "svg heap.svg" */
static void export(struct app *a, const char *text, struct request *r)
{
	size_t len = strcspn(text, " "), i = 0;
	const char *file = text + len + strspn(text + len, " ");

	if (!a->report) {
		app_say(a, false, "there is nothing to export");
		return;
	}
	if (!*text) {
		app_open(a, OVER_EXPORT);
		return;
	}
	while (i < a->format_count &&
	    (strlen(a->formats[i].name) != len ||
		strncmp(a->formats[i].name, text, len) != 0))
		i++;
	if (i == a->format_count) {
		app_say(a, true, "%.*s: no such format; e shows them",
		    len < 20 ? (int)len : (int)utf8_head(text, 20), text);
		return;
	}
	export_menu_choose(a, i, file, r);
}

static void
help(struct app *a)
{
	app_open(a, OVER_HELP);
	a->over_first = help_commands(a);
}

void
app_command(struct app *a, const char *text, struct request *r)
{
	struct command c;
	struct err e = { "" };

	if (command_parse(text, &c, &e) < 0) {
		app_say(a, true, "%s", e.msg);
		return;
	}
	switch (c.id) {
	case COMMAND_TOP:
	case COMMAND_GROWTH:
	case COMMAND_TREE:
	case COMMAND_FLAME:
	case COMMAND_SNAPSHOTS:
	case COMMAND_THREADS:
	case COMMAND_MEMORY:
		app_show_view(
		    a, (enum context)(c.id - COMMAND_TOP + CONTEXT_TOP));
		break;
	case COMMAND_AT: look_at(a, c.arg); break;
	case COMMAND_MARK: mark(a, c.arg); break;
	case COMMAND_FILTER: app_set_filter(a, c.arg); break;
	case COMMAND_KEEP: app_set_kept(a, c.arg); break;
	case COMMAND_METRIC: set_metric(a, c.arg); break;
	case COMMAND_GROUP: set_grouping(a, c.arg); break;
	case COMMAND_SNAPSHOT: app_output_act(a, ACTION_SNAPSHOT, r); break;
	case COMMAND_EXPORT: export(a, c.arg, r); break;
	case COMMAND_EDIT: app_output_act(a, ACTION_EDIT, r); break;
	case COMMAND_COPY: app_output_act(a, ACTION_COPY, r); break;
	case COMMAND_HELP: help(a); break;
	case COMMAND_QUIT: app_quit(a, r); break;
	case COMMAND_SAMPLE:
	case COMMAND_ACTIVE:
	case COMMAND_INTERVAL:
	case COMMAND_RECORD:
	case COMMAND_SET: *r = c.request; break;
	case COMMAND_NONE:
	case COMMAND_COUNT: break;
	}
}
