/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/key.c ui/term.c */
/* libs: -lncursesw -ltinfo -lutil */
#include "ui/term.h"

#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Each test is a child on a pseudo terminal of 40x6, which draws, reads keys
 * and tells what it found through a pipe; the test sees what the terminal
 * got.  "\33[?1049h" and "\33[?1049l" (from the description of xterm) enter
 * and leave the alternate screen.
 */
#define ENTER "\33[?1049h"
#define LEAVE "\33[?1049l"

struct session {
	const char *term;         /* TERM; NULL: not set */
	const char *name, *value; /* one more variable, or NULL */
	void (*run)(FILE *out);
	const char *input; /* sent once the child wrote its first line */
	char seen[65536];  /* by the terminal */
	char told[4096];   /* by the child */
};

static void
child(const struct session *s, int out)
{
	FILE *f = fdopen(out, "w");

	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
	unsetenv("COLORFGBG");
	unsetenv("TERM");
	if (s->term)
		setenv("TERM", s->term, 1);
	if (s->name)
		setenv(s->name, s->value, 1);
	s->run(f);
	fclose(f);
	_exit(0); /* curses keeps memory to the end */
}

static void
add(char *to, size_t size, int fd, bool *open)
{
	size_t len = strlen(to);
	ssize_t n = read(fd, to + len, size - 1 - len);

	if (n <= 0)
		*open = false;
	else
		to[len + (size_t)n] = '\0';
}

static void
run(struct session *s)
{
	struct winsize size = { .ws_row = 6, .ws_col = 40 };
	int pipes[2], master, status;
	bool seeing = true, telling = true, sent = false;
	pid_t pid;

	s->seen[0] = s->told[0] = '\0';
	assert_int_equal(pipe(pipes), 0);
	pid = forkpty(&master, NULL, NULL, &size);
	assert_true(pid >= 0);
	if (pid == 0) {
		close(pipes[0]);
		child(s, pipes[1]);
	}
	close(pipes[1]);
	while (seeing || telling) {
		struct pollfd p[2] = { { seeing ? master : -1, POLLIN, 0 },
			{ telling ? pipes[0] : -1, POLLIN, 0 } };

		if (poll(p, 2, 20000) <= 0)
			break;
		if (p[0].revents)
			add(s->seen, sizeof s->seen, master, &seeing);
		if (p[1].revents)
			add(s->told, sizeof s->told, pipes[0], &telling);
		if (s->input && !sent && strchr(s->told, '\n')) {
			sent = true;
			assert_true(
			    write(master, s->input, strlen(s->input)) > 0);
		}
	}
	close(master);
	close(pipes[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static struct terminal *
open_or_tell(FILE *out)
{
	struct term_options o = { 0 };
	struct err e;
	struct terminal *t = term_new(&o, &e);

	if (!t)
		fprintf(out, "%s\n", e.msg);
	return t;
}

static void
draw_twice(FILE *out)
{
	struct terminal *t = open_or_tell(out);
	struct grid g;

	if (!t)
		return;
	grid_init(&g, 1, 1);
	term_fit(t, &g);
	fprintf(out, "%dx%d ascii %d mono %d\n", g.width, g.height, g.ascii,
	    g.mono);
	grid_put(&g, 1, 0, ROLE_SELECT, "first ▌漢");
	grid_put(&g, 1, 1, ROLE_TEXT, "constant");
	term_blit(t, &g);
	grid_put(&g, 1, 0, ROLE_SELECT, "later");
	term_blit(t, &g);
	term_blit(t, &g);
	term_suspend(t);
	term_resume(t);
	term_free(t);
	grid_fini(&g);
}

static unsigned
count(const char *s, const char *what)
{
	unsigned n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

static void
draws_only_what_changed(void **state)
{
	static struct session s = { .term = "xterm-256color",
		.run = draw_twice };

	(void)state;
	run(&s);
	assert_string_equal(s.told, "40x6 ascii 0 mono 0\n");
	assert_int_equal(count(s.seen, ENTER), 2); /* and after the pause */
	assert_int_equal(count(s.seen, LEAVE), 2);
	assert_non_null(strstr(s.seen, "first ▌漢"));
	assert_non_null(strstr(s.seen, "\33[48;5;24m"));
	/* what is on the screen is not written again by a blit, only when
	 * the screen comes back */
	assert_in_range(count(s.seen, "constant"), 1, 2);
	/* at the end the terminal is as it was */
	assert_true(strrchr(s.seen, 'l') > strstr(s.seen, ENTER));
}

static void
minds_the_environment(void **state)
{
	static struct session s = { .run = draw_twice };

	(void)state;
	s.term = "xterm-256color";
	s.name = "NO_COLOR";
	s.value = "1";
	run(&s);
	assert_string_equal(s.told, "40x6 ascii 0 mono 1\n");
	assert_null(strstr(s.seen, "\33[48;5;24m"));

	s.name = "LC_ALL";
	s.value = "C";
	run(&s);
	assert_string_equal(s.told, "40x6 ascii 1 mono 0\n");
	assert_non_null(strstr(s.seen, "first ???"));

	/* It says it can do more than its name. */
	s.term = "xterm";
	s.name = "COLORTERM";
	s.value = "truecolor";
	run(&s);
	assert_non_null(strstr(s.seen, "\33[48;5;24m"));

	s.name = "COLORTERM";
	s.value = "";
	run(&s);
	assert_null(strstr(s.seen, "\33[48;5;24m"));
	assert_non_null(strstr(s.seen, "44m")); /* blue */

	s.term = "vt100";
	run(&s);
	assert_string_equal(s.told, "40x6 ascii 0 mono 1\n");
}

static void
refuses_what_is_no_screen(void **state)
{
	static struct session s = { .run = draw_twice };

	(void)state;
	s.term = "dumb";
	run(&s);
	assert_non_null(strstr(s.told, "TERM=dumb can't place a cursor"));
	assert_null(strstr(s.seen, ENTER));
	s.term = "no-such-terminal";
	run(&s);
	assert_non_null(strstr(s.told, "TERM=no-such-terminal"));
	s.term = NULL;
	run(&s);
	assert_non_null(strstr(s.told, "TERM is not set"));
}

static void
read_keys(FILE *out)
{
	struct terminal *t = open_or_tell(out);
	struct key k;

	if (!t)
		return;
	fprintf(out, "%s\n", key_label(term_key(t, 0)).s);
	fflush(out);
	do {
		k = term_key(t, 10000);
		fprintf(out, "%s\n", key_label(k).s);
	} while (k.code != 'q' && k.code != K_NONE);
	term_free(t);
}

/* What xterm sends: cursor keys in application mode, SGR mouse reports. */
static void
reads_keys(void **state)
{
	static struct session s = { .term = "xterm-256color",
		.run = read_keys,
		.input = "j\33OA\33OB\33[5~\33OP\33b\r\t\33[Z\177\3\32é漢 "
			 "\33[<0;4;3M\33[<0;4;3m\33[<64;1;1M\33[<65;1;1Mq" };

	(void)state;
	run(&s);
	assert_non_null(strstr(s.seen, "\33[?1000h"));
	assert_non_null(strstr(s.seen, "\33[?1000l"));
	assert_string_equal(s.told,
	    "none\nj\nUp\nDown\nPgUp\nF1\nM-b\nEnter\nTab\nS-Tab\n"
	    "Backspace\nC-c\nC-z\né\n漢\nspace\nClick 3,2\n"
	    "WheelUp 0,0\nWheelDown 0,0\nq\n");
}

/* An Esc alone, and then the end of the line. */
static void
read_escape(FILE *out)
{
	struct terminal *t = open_or_tell(out);

	if (!t)
		return;
	fprintf(out, "ready\n");
	fflush(out);
	fprintf(out, "%s\n", key_label(term_key(t, 10000)).s);
	fprintf(out, "%s %d\n", key_label(term_key(t, 50)).s, term_gone(t));
	term_free(t);
}

static void
tells_escape_from_alt(void **state)
{
	static struct session s = {
		.term = "xterm-256color", .run = read_escape, .input = "\33"
	};

	(void)state;
	run(&s);
	assert_string_equal(s.told, "ready\nEsc\nnone 0\n");
}

static void
resize_itself(FILE *out)
{
	struct winsize size = { .ws_row = 9, .ws_col = 50 };
	struct terminal *t = open_or_tell(out);
	struct grid g;

	if (!t)
		return;
	grid_init(&g, 0, 0);
	term_fit(t, &g);
	term_blit(t, &g);
	ioctl(term_fd(t), TIOCSWINSZ, &size);
	term_resize(t);
	term_blit(t, &g); /* of the old size: nothing happens */
	term_fit(t, &g);
	grid_put(&g, 43, 8, ROLE_TEXT, "corner");
	term_blit(t, &g);
	fprintf(out, "%dx%d %dx%d\n", term_width(t), term_height(t), g.width,
	    g.height);
	term_restore();
	term_restore();
	term_free(t);
	grid_fini(&g);
}

static void
follows_the_size(void **state)
{
	static struct session s = { .term = "xterm-256color",
		.run = resize_itself };

	(void)state;
	run(&s);
	assert_string_equal(s.told, "50x9 50x9\n");
	assert_non_null(strstr(s.seen, "corner"));
	assert_int_equal(count(s.seen, LEAVE), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_only_what_changed),
		cmocka_unit_test(minds_the_environment),
		cmocka_unit_test(refuses_what_is_no_screen),
		cmocka_unit_test(reads_keys),
		cmocka_unit_test(tells_escape_from_alt),
		cmocka_unit_test(follows_the_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
