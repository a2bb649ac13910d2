/* needs: src/io/keeper.c src/io/keeperproc.c src/io/keeperwire.c src/io/pty.c
 * src/io/ring.c src/io/launch.c src/io/preloadenv.c src/io/loop.c
 * src/base/buf.c src/base/err.c src/base/mem.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/keeper.h"
#include "io/launch.h"
#include "io/loop.h"
#include "io/ring.h"

#define SECOND UINT64_C(1000000000)
#define ALL    7u /* 0, 1 and 2 are the pty */

static char dir[] = "/tmp/test-keeper.XXXXXX";

/* What heaptop would see. */
struct seen {
	struct loop *loop;
	struct keeper *k;
	struct buf out;
	int status;
	bool ended, stopped, gone;
	unsigned stops, losses;
	bool free_it; /* with the first output */
};

static void
on_output(void *arg, struct keeper *k, const char *data, size_t len)
{
	struct seen *s = arg;

	assert_false(s->ended && !s->gone && len == 0);
	buf_put(&s->out, data, len);
	if (s->free_it) {
		keeper_free(k);
		s->k = NULL;
	}
}

static void
on_status(void *arg, struct keeper *k, int status)
{
	struct seen *s = arg;

	(void)k;
	assert_false(s->ended);
	s->status = status;
	s->stopped = WIFSTOPPED(status);
	s->stops += s->stopped;
	s->ended = WIFEXITED(status) || WIFSIGNALED(status);
}

static void
on_losses(void *arg, struct keeper *k)
{
	struct seen *s = arg;

	(void)k;
	s->losses++;
}

static void
on_gone(void *arg, struct keeper *k, const char *why)
{
	struct seen *s = arg;

	(void)k;
	assert_non_null(strstr(why, "was killed"));
	s->gone = true;
}

static const struct keeper_events events = { on_output, on_status, on_losses,
	on_gone };

static int
set_up(void **state)
{
	(void)state;
	/* A keeper whose heaptop was killed becomes a child of ours. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return mkdtemp(dir) == NULL;
}

static int
tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

static char *
path(const char *name)
{
	static char text[128];

	snprintf(text, sizeof text, "%s/%s", dir, name);
	return text;
}

/* `sh -c SCRIPT DIR` on a pty. */
static void
run_with(struct seen *s, const char *script, const char *log, size_t ring)
{
	char *argv[] = { "/bin/sh", "-c", (char *)script, dir, NULL };
	struct launch_options l = LAUNCH_OPTIONS_INIT;
	struct keeper_options o = {
		.launch = &l, .pty = ALL, .log = log, .ring_bytes = ring
	};
	struct sigstate plain;
	struct err e = { "" };

	memset(s, 0, sizeof *s);
	sigemptyset(&plain.mask);
	sigemptyset(&plain.ignored);
	l.argv = argv;
	l.signals = &plain;
	s->loop = loop_new();
	assert_int_equal(keeper_start(s->loop, &o, &events, s, &s->k, &e), 0);
	assert_string_equal(e.msg, "");
	assert_true(keeper_pid(s->k) > 1);
}

static void
run(struct seen *s, const char *script)
{
	run_with(s, script, NULL, 0);
}

static void
done(struct seen *s)
{
	keeper_free(s->k);
	loop_free(s->loop);
	buf_fini(&s->out);
}

/* Let things happen until `text` was printed (NULL: until the end). */
static bool
wait_for(struct seen *s, const char *text)
{
	uint64_t until = loop_clock_ns() + 20 * SECOND;

	while (loop_clock_ns() < until) {
		if (text == NULL ? s->ended
				 : strstr(buf_str(&s->out), text) != NULL)
			return true;
		loop_once(s->loop, 50, NULL);
	}
	return false;
}

static bool
wait_flag(struct seen *s, const bool *flag, bool value)
{
	uint64_t until = loop_clock_ns() + 20 * SECOND;

	while (*flag != value && loop_clock_ns() < until)
		loop_once(s->loop, 50, NULL);
	return *flag == value;
}

static off_t
size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) < 0 ? -1 : st.st_size;
}

/* Wait for a file to be that long, without touching the loop. */
static bool
wait_size(const char *file, off_t size)
{
	for (int i = 0; i < 400 && size_of(file) < size; i++)
		usleep(50000);
	return size_of(file) >= size;
}

/* ---- starting and ending ---- */

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
	assert_string_equal(buf_str(&s.out),
	    "SigBlk:\t0000000000000800\nSigIgn:\t0000000000000001\n");
	done(&s);
}

/* ---- what is left behind ---- */

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

/* The keepers that became our children end, and well. */
static void
reap_keepers(int count)
{
	int status;

	while (count-- > 0) {
		assert_true(waitpid(-1, &status, 0) > 0);
		assert_int_equal(status, 0);
	}
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
		assert_int_equal(s.stopped, i == 1);
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

static int
clean(void **state)
{
	(void)state;
	while (waitpid(-1, NULL, 0) > 0)
		;
	return 0;
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
