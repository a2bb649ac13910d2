/* needs: src/io/keeper.c src/io/keeperproc.c src/io/keeperwire.c src/io/pty.c
 * src/io/ring.c src/io/launch.c src/io/preloadenv.c src/io/loop.c
 * src/base/buf.c src/base/err.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "keeper_fixture.h"

static void
test_statuses(void **state)
{
	static const struct {
		const char *script;
		int status; /* as shells say it */
		const char *out;
	} t[] = {
		{ "exit 0", 0, "" },
		{ "exit 42", 42, "" },
		{ "printf hello; exit 1", 1, "hello" },
		{ "echo a; echo b >&2", 0, "a\nb\n" },
		{ "kill -9 $$", 128 + 9, "" },
		{ "echo x; kill -TERM $$", 128 + 15, "x\n" },
		{ "test -t 0 && test -t 1 && test -t 2 && echo tty </dev/tty",
		    0, "tty\n" },
		{ "exec <&- >&- 2>&-; echo there >/dev/tty", 0, "there\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct seen s;
		int status = -1;

		run(&s, t[i].script);
		assert_true(wait_for(&s, NULL));
		assert_int_equal(launch_status(s.status), t[i].status);
		assert_string_equal(buf_str(&s.out), t[i].out);
		assert_true(keeper_ended(s.k, &status));
		assert_int_equal(status, s.status);
		assert_int_equal(keeper_output(s.k)->end, s.out.len);
		assert_false(s.gone);
		assert_false(keeper_write(s.k, "x", 1));
		done(&s);
	}
}

static int
start_of(const char *program, struct err *e, const char *log)
{
	char *argv[] = { (char *)program, NULL };
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct keeper_options o = { .launch = &l, .pty = ALL, .log = log };
	struct loop *loop = loop_new();
	struct keeper *k;
	int status;

	l.argv = argv;
	status = keeper_start(loop, &o, &events, NULL, &k, e);
	assert_null(k);
	loop_free(loop);
	return status;
}

static void
put(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(path(name), "we");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	chmod(path(name), mode);
}

static void
test_no_start(void **state)
{
	struct err e;
	char log[128];

	(void)state;
	snprintf(log, sizeof log, "%s", path("kept"));
	put("kept", "x", 0644);
	assert_int_equal(start_of("/nonexistent/x", &e, log), 127);
	assert_string_equal(e.msg, "/nonexistent/x: not found");
	assert_int_equal(size_of(log), 1);
	put("plain", "x", 0644);
	assert_int_equal(start_of(path("plain"), &e, log), 126);
	assert_non_null(strstr(e.msg, "not executable"));
	/* only exec itself finds these out */
	put("bad", "#!/nonexistent/interpreter\n", 0755);
	assert_int_equal(start_of(path("bad"), &e, NULL), 127);
	assert_non_null(strstr(e.msg, "interpreter"));
	put("damaged", "\177ELF damaged", 0755);
	assert_int_equal(start_of(path("damaged"), &e, NULL), 126);
	assert_int_equal(start_of("/bin/true", &e, "/nonexistent/log"), 125);
	assert_non_null(strstr(e.msg, "/nonexistent/log"));
	assert_int_equal(mkfifo(path("fifo"), 0600), 0);
	assert_int_equal(start_of("/bin/true", &e, path("fifo")), 125);
	assert_non_null(strstr(e.msg, "nobody reads it"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing left */
}

/* What was printed just before the end is there, however fast it ends. */
static void
test_last_words(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct seen s;

		run(&s, "head -c 200000 /dev/zero | tr '\\0' x; printf end");
		assert_true(wait_for(&s, NULL));
		assert_int_equal(s.out.len, 200003);
		assert_string_equal(s.out.data + 200000, "end");
		done(&s);
	}
}

/* A descriptor that is not to be the pty is heaptop's own. */
static void
test_own_descriptors(void **state)
{
	char *argv[] = { "/bin/sh", "-c", "cat; echo err >&2; test -t 1",
		NULL };
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct keeper_options o = { .launch = &l, .pty = 2u | 4u };
	struct seen s = { 0 };
	int in[2], saved = dup(0);

	(void)state;
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	dup2(in[0], 0);
	l.argv = argv;
	s.loop = loop_new();
	assert_int_equal(keeper_start(s.loop, &o, &events, &s, &s.k, NULL), 0);
	/* the program has it, the keeper has not, and we let go */
	dup2(saved, 0);
	close(in[0]);
	assert_int_equal(write(in[1], "from a pipe\n", 12), 12);
	assert_true(wait_for(&s, "from a pipe\n"));
	close(in[1]);
	assert_true(wait_for(&s, NULL));
	assert_int_equal(s.status, 0);
	assert_string_equal(buf_str(&s.out), "from a pipe\nerr\n");
	close(saved);
	done(&s);
}

/* ---- the terminal ---- */

static void
test_input(void **state)
{
	struct seen s;
	char big[5000];

	(void)state;
	run(&s, "stty -echo; echo ready; read a; echo \"<$a>\"; cat; echo eof");
	assert_true(wait_for(&s, "ready\n"));
	assert_true(keeper_write(s.k, "hel", 3));
	assert_true(keeper_write(s.k, "lo\n", 3));
	assert_true(wait_for(&s, "<hello>\n"));
	assert_true(keeper_write(s.k, "a\n\004", 3));
	assert_true(wait_for(&s, "a\neof\n"));
	assert_true(wait_for(&s, NULL));
	done(&s);

	/* more than the kernel takes while nobody reads */
	memset(big, 'y', sizeof big);
	run(&s,
	    "stty -echo raw; echo ready; sleep 0.5; head -c 500000 | wc -c");
	assert_true(wait_for(&s, "ready\n"));
	for (int i = 0; i < 100; i++)
		assert_true(keeper_write(s.k, big, sizeof big));
	assert_true(wait_for(&s, "500000"));
	assert_true(wait_for(&s, NULL));
	assert_int_equal(s.losses, 0);
	done(&s);
}

/* Bounded, and what is too much is said. */
static void
test_too_much_input(void **state)
{
	static char big[65536];
	struct seen s;
	uint64_t wrote = 0;

	(void)state;
	run(&s, "stty -echo raw; echo ready; exec sleep 60");
	assert_true(wait_for(&s, "ready\n"));
	while (wrote < (4u << 20) && s.losses == 0) {
		if (keeper_write(s.k, big, sizeof big))
			wrote += sizeof big;
		loop_once(s.loop, 1, NULL);
	}
	for (int i = 0; i < 100 && s.losses == 0; i++)
		loop_once(s.loop, 50, NULL);
	assert_true(s.losses > 0);
	assert_in_range(keeper_losses(s.k)->input, 1, wrote);
	/* and it still obeys */
	keeper_signal(s.k, SIGKILL);
	assert_true(wait_for(&s, NULL));
	assert_int_equal(launch_status(s.status), 128 + SIGKILL);
	done(&s);
}

static void
test_size(void **state)
{
	struct winsize size = { .ws_row = 33, .ws_col = 133 };
	struct seen s;

	(void)state;
	run(&s,
	    "trap 'stty size; exit 5' WINCH; stty size; echo ready; "
	    "while :; do sleep 0.05; done");
	assert_true(wait_for(&s, "24 80\nready\n"));
	keeper_resize(s.k, &size);
	assert_true(wait_for(&s, NULL));
	assert_non_null(strstr(buf_str(&s.out), "33 133\n"));
	assert_int_equal(launch_status(s.status), 5);
	done(&s);
}

static void
test_interrupt(void **state)
{
	struct seen s;

	(void)state;
	run(&s, "echo ready; exec sleep 60");
	assert_true(wait_for(&s, "ready\n"));
	keeper_write(s.k, "\003", 1);
	assert_true(wait_for(&s, NULL));
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), SIGINT);
	done(&s);
}

static void
test_suspend(void **state)
{
	struct seen s;

	(void)state;
	run(&s, "echo ready; read a; echo \"got $a\"; exec sleep 60");
	assert_true(wait_for(&s, "ready\n"));
	keeper_write(s.k, "\032", 1);
	assert_true(wait_flag(&s, &s.stopped, true));
	assert_int_equal(WSTOPSIG(s.status), SIGTSTP);
	assert_true(keeper_stopped(s.k));
	keeper_signal(s.k, SIGCONT);
	assert_true(wait_flag(&s, &s.stopped, false));
	assert_false(keeper_stopped(s.k));
	keeper_write(s.k, "x\n", 2);
	assert_true(wait_for(&s, "got x\n"));
	/* one that is stopped can still be asked to end */
	keeper_signal(s.k, SIGSTOP);
	assert_true(wait_flag(&s, &s.stopped, true));
	keeper_signal(s.k, SIGTERM);
	assert_true(wait_for(&s, NULL));
	assert_int_equal(launch_status(s.status), 128 + SIGTERM);
	done(&s);
}

/* Ignored and blocked signals are as heaptop had got them. */
static void
test_signals(void **state)
{
	char *argv[] = { "/bin/grep", "-E", "Sig(Ign|Blk)", "/proc/self/status",
		NULL };
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct keeper_options o = { .launch = &l, .pty = ALL };
	struct seen s = { 0 };
	struct sigstate given;
	unsigned long long blocked = 0, ignored = 0;

	(void)state;
	sigemptyset(&given.mask);
	sigaddset(&given.mask, SIGUSR2); /* 12: bit 11, 0x800 */
	sigemptyset(&given.ignored);
	sigaddset(&given.ignored, SIGHUP); /* 1: bit 0 */
	l.argv = argv;
	l.signals = &given;
	s.loop = loop_new();
	assert_int_equal(keeper_start(s.loop, &o, &events, &s, &s.k, NULL), 0);
	assert_true(wait_for(&s, NULL));
	assert_int_equal(sscanf(buf_str(&s.out), "SigBlk: %llx SigIgn: %llx",
			     &blocked, &ignored),
	    2);
	assert_int_equal(blocked, 0x800);
	/* 32 and 33 are glibc's own and stay as they were inherited */
	assert_int_equal(ignored & 0x7fffffff, 1);
	done(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_statuses, clean),
		cmocka_unit_test_teardown(test_no_start, clean),
		cmocka_unit_test_teardown(test_last_words, clean),
		cmocka_unit_test_teardown(test_own_descriptors, clean),
		cmocka_unit_test_teardown(test_input, clean),
		cmocka_unit_test_teardown(test_too_much_input, clean),
		cmocka_unit_test_teardown(test_size, clean),
		cmocka_unit_test_teardown(test_interrupt, clean),
		cmocka_unit_test_teardown(test_suspend, clean),
		cmocka_unit_test_teardown(test_signals, clean),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
