/* needs: src/io/loop.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/loop.h"

#define MS UINT64_C(1000000)

static char log_text[64];

static void
note(const char *s)
{
	strncat(log_text, s, sizeof log_text - strlen(log_text) - 1);
}

static void
say_a(void *arg)
{
	(void)arg;
	note("a");
}

static void
say_b(void *arg)
{
	(void)arg;
	note("b");
}

static void
stop(void *arg)
{
	note(".");
	loop_stop(arg);
}

static void
test_timers(void **state)
{
	struct loop *l = loop_new();
	loop_timer gone, beat;

	(void)state;
	log_text[0] = 0;
	loop_after(l, 20 * MS, say_b, NULL);
	loop_after(l, 5 * MS, say_a, NULL);
	gone = loop_after(l, 10 * MS, say_b, NULL);
	loop_after(l, 60 * MS, stop, l);
	loop_cancel(l, gone);
	loop_cancel(l, 0);
	assert_int_equal(loop_run(l, NULL), 0);
	assert_string_equal(log_text, "ab.");

	log_text[0] = 0;
	beat = loop_every(l, 10 * MS, say_a, NULL);
	loop_after(l, 95 * MS, stop, l);
	loop_run(l, NULL);
	/* at 10, 20 ... 90, fewer if the machine was busy */
	assert_in_range(strlen(log_text), 3, 10);
	loop_cancel(l, beat);
	loop_free(l);
}

struct pair {
	struct loop *loop;
	int a[2], b[2];
};

/* Whichever comes first takes both away. */
static void
on_first(void *arg, int fd, unsigned events)
{
	struct pair *p = arg;

	(void)fd;
	assert_true(events & POLLIN);
	note("r");
	loop_unwatch(p->loop, p->a[0]);
	loop_unwatch(p->loop, p->b[0]);
}

static void
test_unwatch(void **state)
{
	struct pair p;

	(void)state;
	p.loop = loop_new();
	log_text[0] = 0;
	assert_int_equal(pipe(p.a), 0);
	assert_int_equal(pipe(p.b), 0);
	assert_int_equal(write(p.a[1], "x", 1), 1);
	assert_int_equal(write(p.b[1], "x", 1), 1);
	loop_watch(p.loop, p.a[0], POLLIN, on_first, &p);
	loop_watch(p.loop, p.b[0], POLLIN, on_first, &p);
	assert_int_equal(loop_once(p.loop, 1000, NULL), 1);
	assert_int_equal(loop_once(p.loop, 0, NULL), 0);
	assert_string_equal(log_text, "r");
	for (int i = 0; i < 2; i++) {
		close(p.a[i]);
		close(p.b[i]);
	}
	loop_free(p.loop);
}

static void
on_signal(void *arg, int sig)
{
	assert_int_equal(sig, SIGUSR1);
	note("s");
	loop_stop(arg);
}

/* What a child gets back is what we had got. */
static int
child_sees(const struct sigstate *s)
{
	struct sigaction sa;
	sigset_t mask;

	sigstate_restore(s);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	if (sigismember(&mask, SIGUSR1) || !sigismember(&mask, SIGWINCH))
		return 1;
	if (sigaction(SIGHUP, NULL, &sa) < 0 || sa.sa_handler != SIG_IGN)
		return 2;
	if (sigaction(SIGTERM, NULL, &sa) < 0 || sa.sa_handler != SIG_DFL)
		return 3;
	return 0;
}

static void
test_signals(void **state)
{
	struct loop *l = loop_new();
	struct sigstate s;
	sigset_t set;
	int status;
	pid_t pid;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigstate_get(&s);
	log_text[0] = 0;
	assert_int_equal(loop_signal(l, SIGUSR1, on_signal, l, NULL), 0);
	assert_int_equal(loop_signal(l, 0, on_signal, l, NULL), -1);
	signal(SIGTERM, SIG_IGN);
	raise(SIGUSR1);
	assert_int_equal(loop_run(l, NULL), 0);
	assert_string_equal(log_text, "s");
	pid = fork();
	if (pid == 0)
		_exit(child_sees(&s));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	loop_free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers),
		cmocka_unit_test(test_unwatch),
		cmocka_unit_test(test_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
