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
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(shows_screens),
		cmocka_unit_test(reads_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
