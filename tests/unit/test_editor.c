/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/io/editor.c
 * src/io/cleanenv.c */
/* An editor of our own, a shell script, writes down what it was given. */
#include "io/editor.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"

static char dir[] = "/tmp/test_editor.XXXXXX";

static void
assert_words(const char *editor, const char *file, const char *expected)
{
	struct buf b = BUF_INIT;

	editor_words(editor, file, 214, &b);
	for (size_t i = 0; i < b.len; i++)
		if (b.data[i] == '\0')
			b.data[i] = ' ';
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
}

static void
editors_want_lines_in_their_own_words(void **state)
{
	(void)state;
	assert_words("vi", "src/decode.c", "+214 src/decode.c ");
	assert_words("/usr/bin/emacs -nw", "a b.c", "+214 a b.c ");
	assert_words("nano", "-x.c", "+214 ./-x.c ");
	assert_words("vim", "+x.c", "+214 ./+x.c ");
	assert_words("code --wait", "x.c", "-g x.c:214 ");
	assert_words("/opt/vs/bin/codium", "x.c", "-g x.c:214 ");
	assert_words("hx", "x.c", "x.c:214 ");
	assert_words("kate", "x.c", "-l 214 x.c ");
	assert_words("clion", "x.c", "--line 214 x.c ");
}

/* What the editor wrote down, or NULL; it says whether it ended well. */
static int
run(const char *editor, struct err *e)
{
	int tty = open("/dev/null", O_RDWR | O_CLOEXEC), ended;
	struct editor ed;

	setenv("VISUAL", editor, 1);
	assert_int_equal(editor_start(&ed, "it's.c", 7, tty, e), 0);
	while ((ended = editor_ended(&ed, e)) == 0)
		usleep(1000);
	close(tty);
	return ended;
}

static void
runs_with_its_arguments_and_a_clean_environment(void **state)
{
	char script[64], line[256], log[64], editor[128];
	struct err e = { "" };
	FILE *f;

	(void)state;
	snprintf(script, sizeof script, "%s/ed", dir);
	snprintf(log, sizeof log, "%s/log", dir);
	f = fopen(script, "we");
	fprintf(f,
	    "#!/bin/sh\necho \"$#:$1:$2:$3:[$LD_PRELOAD]:"
	    "[$HEAPTOP_SOCKET]\" >'%s'\n",
	    log);
	fclose(f);
	chmod(script, 0755);
	setenv("HEAPTOP_SOCKET", "/nowhere", 1);
	snprintf(editor, sizeof editor, "%s '-a b'", script);
	assert_int_equal(run(editor, &e), 1);
	f = fopen(log, "re");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	assert_string_equal(line, "3:-a b:+7:it's.c:[]:[]\n");
	fclose(f);
	unlink(log);
	unlink(script);
}

static void
failures_are_sentences(void **state)
{
	struct err e = { "" };

	(void)state;
	assert_int_equal(run("false", &e), -1);
	assert_string_equal(e.msg, "the editor false ended with status 1");
	assert_int_equal(run("/nowhere/ed", &e), -1);
	assert_string_equal(
	    e.msg, "the editor ed was not found; set VISUAL or EDITOR");
	assert_int_equal(run("/etc/passwd", &e), -1);
	assert_string_equal(
	    e.msg, "the editor passwd cannot be run; set VISUAL or EDITOR");
}

static void
visual_comes_before_editor(void **state)
{
	struct err e = { "" };

	(void)state;
	setenv("EDITOR", "true", 1);
	assert_int_equal(run("", &e), 1); /* an empty one is none */
	assert_int_equal(run("false", &e), -1);
}

static int
make(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int
clear(void **state)
{
	(void)state;
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(editors_want_lines_in_their_own_words),
		cmocka_unit_test(
		    runs_with_its_arguments_and_a_clean_environment),
		cmocka_unit_test(failures_are_sentences),
		cmocka_unit_test(visual_comes_before_editor),
	};

	return cmocka_run_group_tests(tests, make, clear);
}
