/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/io/graphviz.c
 * src/io/cleanenv.c */
/* A dot of our own, a shell script in a directory of the test's, stands in
 * for graphviz' but in the last test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/graphviz.h"

static char dir[] = "/tmp/heaptop-graphviz.XXXXXX";
static char path_before[4096];

/* The command that dot is; NULL: there is none. */
static void
dot_is(const char *command)
{
	char path[sizeof dir + 8];
	FILE *f;

	snprintf(path, sizeof path, "%s/dot", dir);
	unlink(path);
	setenv("PATH", dir, 1);
	if (!command)
		return;
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n", command);
	fclose(f);
	assert_int_equal(chmod(path, 0700), 0);
}

static int
draw(const char *text, const struct graphviz_limits *limits, struct buf *out,
    struct err *e)
{
	struct buf b = BUF_INIT;
	int r;

	buf_puts(&b, text);
	r = graphviz_draw("svg", &b, limits, out, e);
	buf_fini(&b);
	return r;
}

static void
fails(const char *command, const struct graphviz_limits *limits,
    const char *sentence)
{
	struct buf out = BUF_INIT;
	struct err e = { "" };

	dot_is(command);
	buf_puts(&out, "before");
	assert_int_equal(draw("digraph {}", limits, &out, &e), -1);
	assert_string_equal(e.msg, sentence);
	assert_string_equal(buf_str(&out), "before");
	buf_fini(&out);
}

static void
draws(void **state)
{
	struct buf out = BUF_INIT, large = BUF_INIT;
	struct err e = { "" };

	(void)state;
	dot_is("echo \"$@\"; cat; echo noise >&2");
	buf_puts(&out, "before ");
	assert_int_equal(draw("digraph {}", &graphviz_usual, &out, &e), 0);
	assert_string_equal(buf_str(&out), "before -Tsvg\ndigraph {}");
	/* more than a pipe holds, both ways, and NULs */
	dot_is("cat; head -c 3000000 /dev/zero");
	buf_pad(&large, 'x', 3000000);
	buf_clear(&out);
	assert_int_equal(draw(buf_str(&large), &graphviz_usual, &out, &e), 0);
	assert_int_equal(out.len, 6000000);
	buf_fini(&out);
	buf_fini(&large);
}

/* It may well run under libheaptop.so, its children must not. */
static void
environment(void **state)
{
	struct buf out = BUF_INIT;
	struct err e = { "" };

	(void)state;
	setenv("HEAPTOP_SOCKET", "/tmp/none", 1);
	setenv("HEAPTOP_CONF", "prof:true", 1);
	setenv("LD_PRELOAD", "", 1);
	setenv("KEPT", "yes", 1);
	dot_is("env | grep -c '^HEAPTOP_\\|^LD_PRELOAD'; echo $KEPT");
	assert_int_equal(draw("", &graphviz_usual, &out, &e), 0);
	assert_string_equal(buf_str(&out), "0\nyes\n");
	unsetenv("HEAPTOP_SOCKET");
	unsetenv("HEAPTOP_CONF");
	unsetenv("LD_PRELOAD");
	buf_fini(&out);
}

static void
failures(void **state)
{
	(void)state;
	fails(NULL, &graphviz_usual,
	    "there is no program dot to draw the graph: install the package "
	    "graphviz, or write the graph's text with --dot");
	fails("echo half; printf '\\nError: bad\\tword\\nmore\\n' >&2; exit 1",
	    &graphviz_usual, "dot could not draw the graph: Error: bad word");
	fails("exit 3", &graphviz_usual,
	    "dot could not draw the graph: it does not say why");
	fails("exit 0", &graphviz_usual, "dot drew nothing");
	fails("echo half; kill -9 $$", &graphviz_usual,
	    "dot died of signal 9 (Killed)");
}

static void
not_executable(void **state)
{
	struct buf out = BUF_INIT;
	struct err e = { "" };
	char path[sizeof dir + 8];

	(void)state;
	dot_is("cat");
	snprintf(path, sizeof path, "%s/dot", dir);
	chmod(path, 0600);
	assert_int_equal(draw("", &graphviz_usual, &out, &e), -1);
	assert_string_equal(
	    e.msg, "cannot run dot to draw the graph: Permission denied");
	buf_fini(&out);
}

static void
limits(void **state)
{
	static const struct graphviz_limits little = { 1, 1 };
	time_t start = time(NULL);

	(void)state;
	fails("exec sleep 100", &little,
	    "dot took more than 1 s to draw the graph and was stopped: a "
	    "smaller --nodecount makes it easier");
	fails("exec cat /dev/zero", &little,
	    "dot drew more than 1 MiB and was stopped: try a smaller "
	    "--nodecount");
	assert_true(time(NULL) - start < 20);
}

/* Graphviz' own, where it is installed. */
static void
real(void **state)
{
	struct buf out = BUF_INIT;
	struct err e = { "" };

	(void)state;
	setenv("PATH", path_before, 1);
	if (draw("digraph { a -> b }", &graphviz_usual, &out, &e) < 0) {
		assert_non_null(strstr(e.msg, "install the package graphviz"));
		skip();
	}
	assert_non_null(strstr(buf_str(&out), "<title>a</title>"));
	buf_clear(&out);
	assert_int_equal(draw("digraph {", &graphviz_usual, &out, &e), -1);
	assert_non_null(strstr(e.msg, "dot could not draw the graph: Error: "));
	buf_fini(&out);
}

static int
begin(void **state)
{
	(void)state;
	snprintf(path_before, sizeof path_before, "%s", getenv("PATH"));
	return mkdtemp(dir) ? 0 : -1;
}

static int
end(void **state)
{
	(void)state;
	dot_is(NULL);
	setenv("PATH", path_before, 1);
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws),
		cmocka_unit_test(environment),
		cmocka_unit_test(failures),
		cmocka_unit_test(not_executable),
		cmocka_unit_test(limits),
		cmocka_unit_test(real),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
