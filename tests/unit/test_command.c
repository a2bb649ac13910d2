/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/utf8.h"
#include "ingestd.h"
#include "ui/app.h"

static void
reads_commands(void **state)
{
	static const struct {
		const char *text;
		enum command_id id;
		enum request_kind kind;
		uint64_t ns;
		uint32_t lg_sample;
		bool on;
		const char *file, *arg;
	} cases[] = {
		{ "", COMMAND_NONE, REQUEST_NONE, 0, 0, false, "", "" },
		{ "  ", COMMAND_NONE, REQUEST_NONE, 0, 0, false, "", "" },
		{ "sample 4K", COMMAND_SAMPLE, REQUEST_RATE, 0, 12, false, "",
		    "4K" },
		{ "sample 512KiB", COMMAND_SAMPLE, REQUEST_RATE, 0, 19, false,
		    "", "512KiB" },
		{ "sam=1m", COMMAND_SAMPLE, REQUEST_RATE, 0, 20, false, "",
		    "1m" },
		{ "sample 5000", COMMAND_SAMPLE, REQUEST_RATE, 0, 12, false, "",
		    "5000" },
		{ "sample exact", COMMAND_SAMPLE, REQUEST_RATE, 0, 0, false, "",
		    "exact" },
		{ "active on", COMMAND_ACTIVE, REQUEST_ACTIVE, 0, 0, true, "",
		    "on" },
		{ ":ac off ", COMMAND_ACTIVE, REQUEST_ACTIVE, 0, 0, false, "",
		    "off" },
		{ "interval 500ms", COMMAND_INTERVAL, REQUEST_INTERVAL,
		    500000000, 0, false, "", "500ms" },
		{ "i 2", COMMAND_INTERVAL, REQUEST_INTERVAL, 2000000000, 0,
		    false, "", "2" },
		{ "snapshot", COMMAND_SNAPSHOT, REQUEST_NONE, 0, 0, false, "",
		    "" },
		{ "snapshots", COMMAND_SNAPSHOTS, REQUEST_NONE, 0, 0, false, "",
		    "" },
		{ "q", COMMAND_QUIT, REQUEST_NONE, 0, 0, false, "", "" },
		{ "record my run.gz", COMMAND_RECORD, REQUEST_RECORD, 0, 0,
		    false, "my run.gz", "my run.gz" },
		{ "record", COMMAND_RECORD, REQUEST_RECORD, 0, 0, false, "",
		    "" },
		{ "at 9:15", COMMAND_AT, REQUEST_NONE, 0, 0, false, "",
		    "9:15" },
		{ "mark a 8:02", COMMAND_MARK, REQUEST_NONE, 0, 0, false, "",
		    "a 8:02" },
		{ "filter !a = b", COMMAND_FILTER, REQUEST_NONE, 0, 0, false,
		    "", "!a = b" },
		{ "set theme=light", COMMAND_SET, REQUEST_SET, 0, 0, false,
		    "theme=light", "theme=light" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct command c;
		struct err e = { "" };

		if (command_parse(cases[i].text, &c, &e) < 0)
			fail_msg("%s: %s", cases[i].text, e.msg);
		assert_int_equal(c.id, cases[i].id);
		assert_string_equal(c.arg, cases[i].arg);
		assert_int_equal(c.request.kind, cases[i].kind);
		assert_int_equal(c.request.ns, cases[i].ns);
		assert_int_equal(c.request.lg_sample, cases[i].lg_sample);
		assert_int_equal(c.request.on, cases[i].on);
		assert_string_equal(c.request.file, cases[i].file);
	}
}

static void
refuses_the_rest(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "s 4K", "s: no such command" }, /* sample or snapshot? */
		{ "samples", "samples: no such command" },
		{ "sample", "sample wants a size" },
		{ "sample 0", "sample wants a size" },
		{ "sample nan", "sample wants a size" },
		{ "sample 4X", "sample wants a size" },
		{ "sample 99999G", "sample wants a size" },
		{ "active", "active wants on or off" },
		{ "active maybe", "active wants on or off" },
		{ "interval 0", "interval wants a time" },
		{ "interval -1", "interval wants a time" },
		{ "set", "set wants NAME=VALUE" },
		{ "set theme", "set wants NAME=VALUE" },
		{ "quit now", "now: nothing may follow" },
		{ "quit now or then, or in another moment that is better",
		    "now or then, or in another mom: nothing may follow" },
		{ "thesecommandsaretoolongtobe commands",
		    "thesecommandsa: no such command" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct command c;
		struct err e = { "" };

		assert_int_equal(command_parse(cases[i].text, &c, &e), -1);
		assert_memory_equal(
		    e.msg, cases[i].says, strlen(cases[i].says));
		assert_true(utf8_width(e.msg) <= 60);
	}
}

static void
reads_clocks(void **state)
{
	uint64_t ns = 7;

	(void)state;
	assert_true(command_clock("8:02", &ns));
	assert_int_equal(ns, UINT64_C(482000000000)); /* 8 * 60 + 2 */
	assert_true(command_clock("1:02:03", &ns));
	assert_int_equal(ns, UINT64_C(3723000000000));
	assert_true(command_clock("42", &ns));
	assert_int_equal(ns, UINT64_C(42000000000));
	assert_false(command_clock("", &ns));
	assert_false(command_clock("8:", &ns));
	assert_false(command_clock("8:60", &ns));
	assert_false(command_clock("-8:02", &ns));
	assert_false(command_clock("1:2:3:4", &ns));
	assert_false(command_clock("8:02x", &ns));
	assert_false(command_clock("99999999999999999999", &ns));
}

static void
tells_how_a_line_goes_on(void **state)
{
	char hint[300];

	(void)state;
	command_hint("", hint, sizeof hint);
	assert_memory_equal(hint, "top growth tree", 15);
	command_hint("sn", hint, sizeof hint);
	assert_string_equal(hint, "snapshots snapshot");
	command_hint("sa", hint, sizeof hint);
	assert_string_equal(hint, "sample SIZE|exact");
	command_hint(":mark a", hint, sizeof hint);
	assert_string_equal(hint, "mark a|b [TIME|off]");
	command_hint("nonsense", hint, sizeof hint);
	assert_string_equal(hint, "");
	command_hint("", hint, 10); /* cut, and no further */
	assert_int_equal(strlen(hint), 9);
}

static void
assert_completes(const struct app *a, const char *text, const char *expected)
{
	char line[PROMPT_MAX + 1];

	snprintf(line, sizeof line, "%s", text);
	command_complete(a, line);
	assert_string_equal(line, expected);
}

static void
completes(void **state)
{
	static const struct app_format formats[] = {
		{ "svg", NULL, "svg", 'v', false, false },
		{ "speedscope", NULL, "json", 'e', false, false },
		{ "sizes", NULL, "txt", 'z', false, false },
	};
	struct app a;

	(void)state;
	app_init(&a, NULL, 80, 24);
	a.formats = formats;
	a.format_count = 3;
	assert_completes(&a, "sam", "sample ");
	assert_completes(&a, "sn", "snapshot"); /* or snapshots */
	assert_completes(&a, "x", "x");
	assert_completes(&a, ":exp", ":export ");
	assert_completes(&a, "export s", "export s");
	assert_completes(&a, "export sp", "export speedscope ");
	assert_completes(&a, "metric allocated b", "metric allocated bytes ");
	assert_completes(&a, "metric l", "metric live ");
	assert_completes(&a, "set th", "set theme=");
	assert_completes(&a, "sample ", "sample ");
	app_fini(&a);
}

static void
help_names_every_command(void **state)
{
	struct help_line l;
	unsigned n = 0;

	(void)state;
	for (; command_help(n, &l); n++) {
		assert_in_range(utf8_width(l.keys), 1, 22);
		assert_in_range(utf8_width(l.text), 1, 36);
	}
	assert_true(n > 15);
	assert_true(command_help(0, &l));
	assert_string_equal(l.keys, "top ... memory");
}

/* ---- what they do ------------------------------------------------------------ */

static struct request
command(struct ingestd *r, const char *text)
{
	struct request q = { .kind = REQUEST_NONE };

	app_command(&r->app, text, &q);
	ingestd_keys(r, ""); /* a report, if one is wanted */
	return q;
}

static void
moments_are_named_by_the_clock(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	command(&r, "at 8:02");
	assert_int_not_equal(r.app.at, 0);
	assert_string_equal(app_clock(&r.app, r.app.at_ns).s, "8:02");
	command(&r, "mark a");
	assert_string_equal(app_clock(&r.app, r.app.mark[0].ns).s, "8:02");
	command(&r, "at live");
	assert_int_equal(r.app.at, 0);
	command(&r, "mark b 9:15");
	assert_string_equal(app_clock(&r.app, r.app.mark[1].ns).s, "9:15");
	command(&r, "at nine");
	assert_true(r.app.message_bad);
	r.app.message_bad = false;
	command(&r, "mark b off");
	assert_int_equal(r.app.mark[1].id, 0);
	command(&r, "mark c");
	assert_true(r.app.message_bad);
	ingestd_close(&r);
}

static void
the_question_can_be_typed(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	command(&r, "metric live o");
	assert_int_equal(r.app.query.metric, METRIC_LIVE_OBJECTS);
	command(&r, "group func");
	assert_int_equal(r.app.query.grouping, GROUP_FUNCTIONS);
	command(&r, "filter intern");
	assert_string_equal(r.app.filter, "intern");
	command(&r, "filter");
	assert_string_equal(r.app.filter, "");
	command(&r, "keep !gone");
	assert_string_equal(r.app.hidden, "gone");
	command(&r, "metric live");
	assert_true(r.app.message_bad); /* bytes or objects? */
	assert_non_null(strstr(r.app.message, "live bytes, live objects"));
	assert_int_equal(command(&r, "snapshot").kind, REQUEST_PULL);
	assert_int_equal(command(&r, "copy").kind, REQUEST_COPY);
	assert_int_equal(command(&r, "quit").kind, REQUEST_NONE);
	assert_int_equal(r.app.over, OVER_QUIT); /* it is asked */
	ingestd_close(&r);
}

static void
help_opens_at_the_commands(void **state)
{
	struct ingestd r;
	char *screen;

	(void)state;
	ingestd_open(&r, 60, 15, true);
	command(&r, "help");
	assert_int_equal(r.app.over, OVER_HELP);
	screen = ingestd_screen(&r);
	assert_non_null(strstr(screen, "COMMANDS"));
	free(screen);
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_commands),
		cmocka_unit_test(refuses_the_rest),
		cmocka_unit_test(reads_clocks),
		cmocka_unit_test(tells_how_a_line_goes_on),
		cmocka_unit_test(completes),
		cmocka_unit_test(help_names_every_command),
		cmocka_unit_test(moments_are_named_by_the_clock),
		cmocka_unit_test(the_question_can_be_typed),
		cmocka_unit_test(help_opens_at_the_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
