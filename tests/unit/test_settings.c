/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * src/quantity.c src/settings.c */
/* Files are in a directory of the test's. */
#include "settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"

static char dir[] = "/tmp/test_settings.XXXXXX";
static char path[64];

static void
spill(const char *text, size_t len)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static struct settings
of_text(const char *text)
{
	struct settings s = { 0 };

	spill(text, strlen(text));
	settings_read_file(&s, path);
	return s;
}

static void
reads_all_of_them(void **state)
{
	struct settings s = of_text("# my settings\n"
				    "\n"
				    "theme = light\n"
				    "  glyphs=ascii  \n"
				    "color 16\r\n"
				    "mouse\t=\toff\n"
				    "interval = 500ms\n"
				    "key export = e F7\n"
				    "key  mark-a\tA\n"
				    "key filter = =\n"
				    "key sort = # s");

	(void)state;
	assert_string_equal(buf_str(&s.notes), "");
	assert_string_equal(s.theme, "light");
	assert_string_equal(s.color, "16");
	assert_true(s.ascii);
	assert_true(s.no_mouse);
	assert_int_equal(s.interval_ns, 500000000);
	assert_int_equal(s.key_count, 4);
	assert_string_equal(s.keys[0].action, "export");
	assert_string_equal(s.keys[0].keys, "e F7");
	assert_int_equal(s.keys[0].line, 8);
	assert_string_equal(s.keys[1].action, "mark-a");
	assert_string_equal(s.keys[1].keys, "A");
	assert_string_equal(s.keys[2].keys, "=");
	assert_string_equal(s.keys[3].keys, "# s");
	settings_fini(&s);
}

/* What is wrong is told by its line, and the rest counts. */
static void
wrong_lines_are_sentences(void **state)
{
	static const struct {
		const char *line, *says;
	} cases[] = {
		{ "theme = blue", "theme takes auto, dark or light" },
		{ "theme", "theme takes auto, dark or light" },
		{ "color = 8", "color takes auto, never, 16 or 256" },
		{ "colour = 8", "color takes auto" },
		{ "glyphs = braille", "glyphs takes unicode or ascii" },
		{ "mouse = yes", "mouse takes on or off" },
		{ "interval = 1ms", "interval takes a duration" },
		{ "interval = fast", "interval takes a duration" },
		{ "speed = 3", "there is no setting 'speed'" },
		{ "= 3", "there is no setting ''" },
		{ "key", "a key is bound by" },
		{ "key export =", "a key is bound by" },
		{ "keys export = e", "there is no setting 'keys'" },
		{ "a\001b", "this is no line of settings" },
		{ "\xff\xfe", "this is no line of settings" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[128], start[128];
		struct settings s;

		snprintf(text, sizeof text, "mouse = off\n%s\ncolor = 256\n",
		    cases[i].line);
		snprintf(start, sizeof start, "%s:2: %s", path, cases[i].says);
		s = of_text(text);
		if (strncmp(buf_str(&s.notes), start, strlen(start)) != 0)
			fail_msg("%s: %s", cases[i].line, buf_str(&s.notes));
		assert_true(s.no_mouse);
		assert_string_equal(s.color, "256");
		settings_fini(&s);
	}
}

static void
a_long_line_and_zero_bytes_are_wrong_too(void **state)
{
	char text[600] = "color = 16\n";
	struct settings s = { 0 };

	(void)state;
	memset(text + 11, 'x', 500);
	text[511] = '\n';
	memcpy(text + 512, "mo\0use = off\nmouse = off\n", 25);
	spill(text, 537);
	settings_read_file(&s, path);
	assert_non_null(strstr(buf_str(&s.notes), ":2: this is no line"));
	assert_non_null(strstr(buf_str(&s.notes), ":3: this is no line"));
	assert_true(s.no_mouse);
	settings_fini(&s);
}

static void
of_many_wrong_lines_some_are_told(void **state)
{
	struct settings s = of_text("a\nb\nc\nd\ne\nf\ng\n");
	unsigned lines = 0;

	(void)state;
	for (const char *c = buf_str(&s.notes); *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 6);
	assert_non_null(strstr(buf_str(&s.notes), "2 more lines are wrong"));
	settings_fini(&s);
}

static void
assert_unread(const char *says)
{
	struct settings s = { 0 };

	settings_read_file(&s, path);
	if (!strstr(buf_str(&s.notes), says) ||
	    !strstr(buf_str(&s.notes), path))
		fail_msg("%s is not in: %s", says, buf_str(&s.notes));
	assert_null(s.theme);
	settings_fini(&s);
}

static void
odd_files_are_not_read(void **state)
{
	char big[1000];
	FILE *f;

	(void)state;
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_unread("is a directory");
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_unread("is no regular file"); /* and nobody waits */
	unlink(path);
	assert_int_equal(symlink("/dev/zero", path), 0);
	assert_unread("is no regular file");
	unlink(path);
	assert_int_equal(symlink(path, path), 0);
	assert_unread("cannot read");
	unlink(path);
	spill("theme = light\n", 14);
	chmod(path, 0646);
	assert_unread("may be written by everybody");
	chmod(path, 0600);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 1, 1), 0);
		assert_unread("belongs to another user");
		assert_int_equal(chown(path, 0, 0), 0);
	}
	memset(big, '#', sizeof big);
	f = fopen(path, "we");
	fputs("theme = light\n", f);
	for (int i = 0; i < 66; i++)
		fwrite(big, 1, sizeof big, f);
	fclose(f);
	assert_unread("is larger than 64 KiB");
	unlink(path);
}

static void
no_file_is_no_reason_for_words(void **state)
{
	struct settings s = { 0 };

	(void)state;
	unlink(path);
	settings_read_file(&s, path);
	assert_string_equal(buf_str(&s.notes), "");
	settings_read_file(&s, "/dev/null/heaptop/config");
	assert_string_equal(buf_str(&s.notes), "");
	settings_fini(&s);
}

static void
is_found_by_the_environment(void **state)
{
	struct settings s;
	char sub[64];

	(void)state;
	setenv("XDG_CONFIG_HOME", dir, 1);
	settings_read(&s);
	snprintf(sub, sizeof sub, "%s/heaptop/config", dir);
	assert_string_equal(s.path, sub);
	settings_fini(&s);
	/* a relative one is to be ignored, says its specification */
	setenv("XDG_CONFIG_HOME", "relative", 1);
	setenv("HOME", "/home/me", 1);
	settings_read(&s);
	assert_string_equal(s.path, "/home/me/.config/heaptop/config");
	settings_fini(&s);
	unsetenv("HOME");
	settings_read(&s);
	assert_null(s.path);
	settings_fini(&s);
}

static int
make(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/config", dir);
	return 0;
}

static int
clear(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_of_them),
		cmocka_unit_test(wrong_lines_are_sentences),
		cmocka_unit_test(a_long_line_and_zero_bytes_are_wrong_too),
		cmocka_unit_test(of_many_wrong_lines_some_are_told),
		cmocka_unit_test(odd_files_are_not_read),
		cmocka_unit_test(no_file_is_no_reason_for_words),
		cmocka_unit_test(is_found_by_the_environment),
	};

	return cmocka_run_group_tests(tests, make, clear);
}
