/* needs: src/io/source.c src/base/buf.c src/base/err.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/source.h"

static char dir[64];

static const char *
path(const char *name)
{
	static char all[4][256];
	static unsigned n;
	char *s = all[n++ % 4];

	snprintf(s, sizeof all[0], "%s/%s", dir, name);
	return s;
}

/* Lines "1".."lines". */
static void
make_file(const char *name, unsigned lines)
{
	FILE *f = fopen(path(name), "we");

	assert_non_null(f);
	for (unsigned i = 1; i <= lines; i++)
		fprintf(f, "%u\n", i);
	fclose(f);
}

static int
set_up(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_source.XXXXXX");
	assert_non_null(mkdtemp(dir));
	mkdir(path("a"), 0700);
	mkdir(path("a/src"), 0700);
	unsetenv("HEAPTOP_SOURCE_PATH");
	return 0;
}

static int
tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

static void
test_lines(void **state)
{
	struct source s;

	(void)state;
	make_file("x.c", 1000);
	/* 100 to each side of line 500 */
	source_read(&s, path("x.c"), 500);
	assert_non_null(s.text);
	assert_int_equal(s.first_line, 400);
	assert_memory_equal(s.text, "400\n401\n", 8);
	assert_string_equal(s.text + strlen(s.text) - 4, "600\n");
	source_fini(&s);
	source_read(&s, path("x.c"), 3);
	assert_int_equal(s.first_line, 1);
	assert_memory_equal(s.text, "1\n2\n", 4);
	assert_string_equal(s.text + strlen(s.text) - 4, "103\n");
	source_fini(&s);
	/* near the end, and beyond it */
	source_read(&s, path("x.c"), 1099);
	assert_string_equal(s.text, "999\n1000\n");
	source_fini(&s);
	source_read(&s, path("x.c"), 1200);
	assert_null(s.text);
	assert_non_null(strstr(s.why, "no line 1200"));
}

static void
test_odd_files(void **state)
{
	struct source s;
	FILE *f = fopen(path("nul"), "we");

	(void)state;
	fwrite("a\0b\nlast", 1, 8, f);
	fclose(f);
	source_read(&s, path("nul"), 1);
	assert_string_equal(s.text, "a b\nlast");
	source_fini(&s);
	/* neither of these is waited for */
	assert_int_equal(mkfifo(path("fifo"), 0600), 0);
	source_read(&s, path("fifo"), 1);
	assert_null(s.text);
	source_read(&s, dir, 1);
	assert_null(s.text);
	source_read(&s, "/nonexistent/x.c", 1);
	assert_null(s.text);
	assert_non_null(strstr(s.why, "/nonexistent/x.c is not here"));
	assert_non_null(strstr(s.why, "HEAPTOP_SOURCE_PATH"));
}

/* The name as the builder had it is found below where the source is now. */
static void
test_source_path(void **state)
{
	char dirs[256];
	struct source s;

	(void)state;
	make_file("a/src/y.c", 3);
	snprintf(dirs, sizeof dirs, "/nonexistent::%s", path("a"));
	setenv("HEAPTOP_SOURCE_PATH", dirs, 1);
	source_read(&s, "/build/y-1.0/src/y.c", 1);
	assert_string_equal(s.text, "1\n2\n3\n");
	source_fini(&s);
	source_read(&s, "src/y.c", 1);
	assert_non_null(s.text);
	source_fini(&s);
	source_read(&s, "/build/y-1.0/src/z.c", 1);
	assert_null(s.text);
	setenv("HEAPTOP_SOURCE_PATH", path("a/src"), 1);
	source_read(&s, "../other/y.c", 1);
	assert_non_null(s.text);
	source_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_odd_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_source_path, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
