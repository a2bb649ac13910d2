/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/key.c ui/script.c */
#include "ui/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"

static void
goes_step_by_step(void **state)
{
	static const char text[] = "# a session\n"
				   "size 60x15\n"
				   "\n"
				   "key j C-l Click 3,4 1 2\n"
				   "type a é\n"
				   "wait 3\n"
				   "ascii\n"
				   "mono\n"
				   "screen\n"
				   "roles";
	static const char *const keys[] = { "j", "C-l", "Click 3,4", "1", "2",
		"a", "space", "é" };
	struct script s;
	struct key k;
	int count = 0;

	(void)state;
	script_init(&s, "x.keys", text);
	assert_int_equal(s.width, 80);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_RESIZE);
	assert_int_equal(s.width, 60);
	assert_int_equal(s.height, 15);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_KEY);
		assert_string_equal(key_label(k).s, keys[i]);
	}
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_WAIT);
	assert_int_equal(count, 3);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_RESIZE);
	assert_true(s.ascii);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_RESIZE);
	assert_true(s.mono);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_SCREEN);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_ROLES);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_END);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_END);
	script_fini(&s);
}

static void
hears_what_the_program_says(void **state)
{
	static const char text[] = "target name ingestd\n"
				   "target rss 4096\n"
				   "target interval_ms 500\n"
				   "target ours 1\n"
				   "sentence it ended  well\n"
				   "printed bye\n"
				   "reading 3 10\n"
				   "status ended 12:41.4 exited 0\n"
				   "status late 6\n"
				   "status file a b.gz\n"
				   "until 1:02:03\n"
				   "now 0:04\n"
				   "message wrote x\n"
				   "trouble cannot write x\n"
				   "output a file\n"
				   "source\n"
				   "names 83\n"
				   "like top\n"
				   "every";
	const uint64_t second = UINT64_C(1000000000);
	struct script s;
	struct key k;
	int count;

	(void)state;
	script_init(&s, "x.keys", text);
	for (int i = 0; i < 4; i++)
		assert_int_equal(
		    script_next(&s, &k, &count, NULL), SCRIPT_TARGET);
	assert_string_equal(s.target.name, "ingestd");
	assert_int_equal(s.target.rss_bytes, 4096);
	assert_int_equal(s.target.interval_ns, second / 2);
	assert_true(s.target.ours);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_STATUS);
	assert_int_equal(s.status.connection, APP_ENDED);
	assert_int_equal(s.status.ns, 761 * second + second / 10 * 4);
	assert_string_equal(s.status.what, "exited 0");
	assert_string_equal(s.status.sentence, "it ended  well");
	assert_int_equal(s.status.read, 3);
	assert_int_equal(s.status.to_read, 10);
	assert_string_equal(s.status.last_line, "bye");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_STATUS);
	assert_int_equal(s.status.connection, APP_LATE);
	assert_int_equal(s.status.ns, 6 * second);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_STATUS);
	assert_int_equal(s.status.connection, APP_FILE);
	assert_string_equal(s.status.what, "a b.gz");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_UNTIL);
	assert_int_equal(s.ns, 3723 * second);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_NOW);
	assert_int_equal(s.ns, 4 * second);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_MESSAGE);
	assert_false(s.bad);
	assert_string_equal(s.value, "wrote x");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_MESSAGE);
	assert_true(s.bad);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_OUTPUT);
	assert_string_equal(s.value, "a file");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_SOURCE);
	assert_string_equal(s.value, "");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_NAMES);
	assert_string_equal(s.value, "83");
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_LIKE);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_EVERY);
	assert_int_equal(script_next(&s, &k, &count, NULL), SCRIPT_END);
	script_fini(&s);
}

static void
says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *sentence;
	} t[] = {
		{ "screen\nfly\n", "x.keys:2: not a command: fly" },
		{ "key qq\n", "x.keys:1: not a key: qq" },
		{ "size 80\n", "x.keys:1: not a size: 80" },
		{ "size 0x5\n", "x.keys:1: not a size: 0x5" },
		{ "size 80x24x\n", "x.keys:1: not a size: 80x24x" },
		{ "wait x\n", "x.keys:1: not a number of snapshots: x" },
		{ "until 8:\n", "x.keys:1: not a time: 8:" },
		{ "now 8:02 or so", "x.keys:1: not a time: 8:02 or so" },
		{ "status well\n", "x.keys:1: not a status: well" },
		{ "status killed soon\n", "x.keys:1: not a time: soon" },
		{ "target age 3\n",
		    "x.keys:1: not a field of the target: age 3" },
		{ "target pid x\n", "x.keys:1: not a number: x" },
	};
	struct script s;
	struct key k;
	struct err e;
	int count, step;

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		script_init(&s, "x.keys", t[i].text);
		do
			step = script_next(&s, &k, &count, &e);
		while (step > 0);
		assert_int_equal(step, -1);
		assert_string_equal(e.msg, t[i].sentence);
		script_fini(&s);
	}
}

static void
shows_screens(void **state)
{
	struct script s;
	struct grid g;

	(void)state;
	script_init(&s, "x", "");
	s.width = 6;
	s.height = 2;
	s.ascii = true;
	grid_init(&g, 1, 1);
	script_fit(&s, &g);
	assert_true(g.ascii);
	grid_put(&g, 0, 1, ROLE_KEY, "q");
	grid_put(&g, 2, 1, ROLE_TEXT, "quit");
	script_show(&s, &g);
	script_show_roles(&s, &g);
	assert_string_equal(buf_str(&s.out), "\nq quit\n======\n\nk\n======\n");
	buf_clear(&s.out);
	script_show_both(&s, &g);
	assert_string_equal(buf_str(&s.out), "\nq quit\n======\n");
	assert_string_equal(buf_str(&s.letters), "\nk\n======\n");
	grid_fini(&g);
	script_fini(&s);
}

static void
reads_a_file(void **state)
{
	char path[] = "/tmp/test_script.XXXXXX";
	struct script s;
	struct key k;
	struct err e;
	int count, fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "key q\n", 6), 6);
	close(fd);
	assert_int_equal(script_open(&s, path, &e), 0);
	assert_int_equal(script_next(&s, &k, &count, &e), SCRIPT_KEY);
	assert_int_equal(script_next(&s, &k, &count, &e), SCRIPT_END);
	script_fini(&s);
	unlink(path);
	assert_int_equal(script_open(&s, path, &e), -1);
	assert_non_null(strstr(e.msg, "No such file"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_step_by_step),
		cmocka_unit_test(hears_what_the_program_says),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(shows_screens),
		cmocka_unit_test(reads_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
