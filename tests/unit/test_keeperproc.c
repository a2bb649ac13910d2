/* needs: src/io/keeper.c src/io/keeperproc.c src/io/keeperwire.c src/io/pty.c
 * src/io/ring.c src/io/launch.c src/io/preloadenv.c src/io/loop.c
 * src/base/buf.c src/base/err.c src/base/mem.c */
/* What the keeper's process does while heaptop is not looking, or gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "keeper_fixture.h"

/* Its child goes on, neither hung up nor waited for. */
static void
test_background_child(void **state)
{
	char file[128];
	uint64_t start = loop_clock_ns();
	struct seen s;

	(void)state;
	snprintf(file, sizeof file, "%s", path("background"));
	run_with(&s,
	    "(sleep 2; echo later; echo . >$0/alive) & echo now; exit 7", file,
	    0);
	assert_true(wait_for(&s, NULL));
	assert_true(loop_clock_ns() - start < 2 * SECOND);
	assert_int_equal(launch_status(s.status), 7);
	assert_string_equal(buf_str(&s.out), "now\n");
	assert_true(wait_for(&s, "later\n"));
	assert_true(wait_size(path("alive"), 2));
	assert_int_equal(size_of(file), 10);
	assert_false(s.gone);
	done(&s);

	/* one that has let go of the terminal outlives the keeper */
	run(&s, "(sleep 1; echo . >$0/alone) <&- >&- 2>&- & exit 0");
	assert_true(wait_for(&s, NULL));
	done(&s);
	reap_keepers(1);
	assert_int_equal(size_of(path("alone")), -1);
	assert_true(wait_size(path("alone"), 2));

	/* one that never stops printing */
	run(&s, "yes & echo now; exit 8");
	assert_true(wait_for(&s, NULL));
	assert_int_equal(launch_status(s.status), 8);
	kill(-keeper_pid(s.k), SIGKILL);
	done(&s);
}

/* A process that starts the script and then is killed; -1: it leaves. */
static pid_t
client(const char *script, const char *log, int sig)
{
	pid_t pid = fork();
	struct seen s;

	if (pid != 0)
		return pid;
	run_with(&s, script, log, 0);
	if (!wait_for(&s, "ready\n"))
		_exit(1);
	if (sig < 0) {
		done(&s);
		_exit(0);
	}
	kill(getpid(), sig);
	_exit(1);
}

static int
reap(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* 1 MB/s, heaptop dies in the middle: nothing is missing. */
static void
test_killed(void **state)
{
	char log[128], ends[128];

	(void)state;
	snprintf(log, sizeof log, "%s", path("log"));
	snprintf(ends, sizeof ends, "%s", path("ends"));
	assert_int_equal(reap(client("trap 'echo hup >$0/ends' HUP TERM INT;"
				     "echo ready; i=0;"
				     "while [ $i -lt 20 ]; do"
				     "    head -c 100000 /dev/zero | "
				     "tr '\\0' x || exit 1;"
				     "    sleep 0.1; i=$((i + 1));"
				     "done; echo end; echo ok >$0/ends",
			     log, SIGKILL)),
	    SIGKILL);
	assert_true(size_of(log) < 2000000); /* it goes on without us */
	assert_true(wait_size(ends, 3));
	assert_int_equal(size_of(ends), 3); /* "ok\n" */
	reap_keepers(1);
	/* "ready\n", 20 times 100,000, "end\n" */
	assert_int_equal(size_of(log), 6 + 2000000 + 4);
}

/* Stopped by ^S or ^Z when heaptop went: nobody else could resume it. */
static void
test_left_stopped(void **state)
{
	static const char key[] = { 023, 032 };
	char file[128];

	(void)state;
	snprintf(file, sizeof file, "%s", path("resumed"));
	for (int i = 0; i < 2; i++) {
		struct seen s;

		unlink(file);
		run(&s,
		    "echo ready; while ! test -e $0/go; do sleep 0.05; done;"
		    "echo more; echo ok >$0/resumed");
		assert_true(wait_for(&s, "ready\n"));
		keeper_write(s.k, &key[i], 1);
		for (int n = 0; n < 10; n++)
			loop_once(s.loop, 50, NULL);
		close(open(path("go"), O_CREAT | O_WRONLY, 0600));
		usleep(300000);
		assert_int_equal(size_of(file), -1);
		done(&s); /* leaves */
		assert_true(wait_size(file, 3));
		unlink(path("go"));
	}
}

/* The keeper lives through what is meant for heaptop. */
static void
test_left(void **state)
{
	char file[128];

	(void)state;
	snprintf(file, sizeof file, "%s", path("left"));
	assert_int_equal(reap(client("echo ready; kill -HUP $PPID; "
				     "kill -INT $PPID; kill -TERM $PPID; "
				     "kill -QUIT $PPID; sleep 0.3; "
				     "echo more; echo ok >$0/left",
			     NULL, -1)),
	    0);
	assert_true(wait_size(file, 3));
	reap_keepers(1);
}

/* Whoever does not look does not hold up the program, and sees the rest. */
static void
test_slow_client(void **state)
{
	struct seen s;
	const struct ring *r;
	char last[5] = "";

	(void)state;
	run_with(&s,
	    "head -c 8000000 /dev/zero | tr '\\0' x; printf last; "
	    "echo ok >$0/slow",
	    NULL, 100000);
	assert_true(wait_size(path("slow"), 3));
	assert_true(wait_for(&s, NULL));
	r = keeper_output(s.k);
	assert_int_equal(r->end, 8000004);
	assert_int_equal(r->start, 8000004 - 100000);
	assert_true(s.out.len < 8000004);
	assert_int_equal(ring_copy(r, r->end - 4, last, 4), 4);
	assert_string_equal(last, "last");
	done(&s);
}

/* An output file that is a pipe: slow readers lose bytes, and it is said. */
static void
test_slow_log(void **state)
{
	struct seen s;
	char fifo[128], data[65536];
	uint64_t got = 0;
	ssize_t n;
	int fd;

	(void)state;
	snprintf(fifo, sizeof fifo, "%s", path("slowlog"));
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK);
	run_with(&s, "head -c 1000000 /dev/zero | tr '\\0' x", fifo, 100000);
	assert_true(wait_for(&s, NULL));
	fcntl(fd, F_SETFL, O_RDONLY);
	while ((n = read(fd, data, sizeof data)) > 0)
		got += (uint64_t)n;
	for (int i = 0; i < 20 && s.losses == 0; i++)
		loop_once(s.loop, 50, NULL);
	assert_true(s.losses > 0);
	assert_int_equal(got + keeper_losses(s.k)->log, 1000000);
	assert_int_equal(keeper_losses(s.k)->log_error, 0);
	close(fd);
	done(&s);

	/* one that cannot be written any more */
	run_with(&s, "head -c 10000 /dev/zero | tr '\\0' x", "/dev/full", 0);
	assert_true(wait_for(&s, NULL));
	assert_int_equal(s.out.len, 10000);
	assert_int_equal(keeper_losses(s.k)->log_error, ENOSPC);
	done(&s);
}

static void
test_keeper_killed(void **state)
{
	struct seen s;
	char text[32];

	(void)state;
	run(&s, "echo $PPID ready; exec sleep 60");
	assert_true(wait_for(&s, "ready\n"));
	snprintf(text, sizeof text, "%s", buf_str(&s.out));
	kill((pid_t)atoi(text), SIGKILL);
	assert_true(wait_flag(&s, &s.gone, true));
	assert_false(keeper_ended(s.k, NULL));
	assert_false(keeper_write(s.k, "x", 1));
	keeper_signal(s.k, SIGTERM);
	kill(keeper_pid(s.k), SIGKILL);
	done(&s);
}

/* Nothing at all of an object that is freed in its own callback. */
static void
test_free_inside(void **state)
{
	struct seen s;

	(void)state;
	run(&s, "echo one; sleep 0.2; echo two");
	s.free_it = true;
	assert_true(wait_for(&s, "one\n"));
	for (int i = 0; i < 10; i++)
		loop_once(s.loop, 50, NULL);
	assert_null(s.k);
	assert_false(s.ended);
	done(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_background_child, clean),
		cmocka_unit_test_teardown(test_killed, clean),
		cmocka_unit_test_teardown(test_left_stopped, clean),
		cmocka_unit_test_teardown(test_left, clean),
		cmocka_unit_test_teardown(test_slow_client, clean),
		cmocka_unit_test_teardown(test_slow_log, clean),
		cmocka_unit_test_teardown(test_keeper_killed, clean),
		cmocka_unit_test_teardown(test_free_inside, clean),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
