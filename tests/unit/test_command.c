/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/command.c */
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
#include "ui/app.h"

static void
reads_commands(void **state)
{
	static const struct {
		const char *text;
		enum request_kind kind;
		uint64_t ns;
		uint32_t lg_sample;
		bool on;
		const char *file;
	} cases[] = {
		{ "", REQUEST_NONE, 0, 0, false, "" },
		{ "  ", REQUEST_NONE, 0, 0, false, "" },
		{ "sample 4K", REQUEST_RATE, 0, 12, false, "" },
		{ "sample 512KiB", REQUEST_RATE, 0, 19, false, "" },
		{ "sam=1m", REQUEST_RATE, 0, 20, false, "" },
		{ "sample 5000", REQUEST_RATE, 0, 12, false, "" },
		{ "sample exact", REQUEST_RATE, 0, 0, false, "" },
		{ "active on", REQUEST_ACTIVE, 0, 0, true, "" },
		{ ":a off ", REQUEST_ACTIVE, 0, 0, false, "" },
		{ "interval 500ms", REQUEST_INTERVAL, 500000000, 0, false, "" },
		{ "i 2", REQUEST_INTERVAL, 2000000000, 0, false, "" },
		{ "snapshot", REQUEST_PULL, 0, 0, false, "" },
		{ "q", REQUEST_QUIT, 0, 0, false, "" },
		{ "record my run.gz", REQUEST_RECORD, 0, 0, false,
		    "my run.gz" },
		{ "record", REQUEST_RECORD, 0, 0, false, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct request r;
		struct err e = { "" };

		if (command_parse(cases[i].text, &r, &e) < 0)
			fail_msg("%s: %s", cases[i].text, e.msg);
		assert_int_equal(r.kind, cases[i].kind);
		assert_int_equal(r.ns, cases[i].ns);
		assert_int_equal(r.lg_sample, cases[i].lg_sample);
		assert_int_equal(r.on, cases[i].on);
		assert_string_equal(r.file, cases[i].file);
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
		{ "quit now", "now: nothing may follow" },
		{ "quit now or then, or in another moment that is better",
		    "now or then, or in another mom: nothing may follow" },
		{ "thesecommandsaretoolongtobe commands",
		    "thesecommandsa: no such command" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct request r;
		struct err e = { "" };

		assert_int_equal(command_parse(cases[i].text, &r, &e), -1);
		assert_memory_equal(
		    e.msg, cases[i].says, strlen(cases[i].says));
		assert_true(utf8_width(e.msg) <= 60);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_commands),
		cmocka_unit_test(refuses_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
