/*
 * A program on a keeper's pty and what its heaptop sees of it, for tests.
 */
#ifndef TESTS_KEEPER_FIXTURE_H
#define TESTS_KEEPER_FIXTURE_H

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

static inline void
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

static inline void
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

static inline void
on_losses(void *arg, struct keeper *k)
{
	struct seen *s = arg;

	(void)k;
	s->losses++;
}

static inline void
on_gone(void *arg, struct keeper *k, const char *why)
{
	struct seen *s = arg;

	(void)k;
	assert_non_null(strstr(why, "was killed"));
	s->gone = true;
}

static const struct keeper_events events = { on_output, on_status, on_losses,
	on_gone };

static inline int
set_up(void **state)
{
	(void)state;
	/* A keeper whose heaptop was killed becomes a child of ours. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return mkdtemp(dir) == NULL;
}

static inline int
tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

static inline char *
path(const char *name)
{
	static char text[128];

	snprintf(text, sizeof text, "%s/%s", dir, name);
	return text;
}

/* `sh -c SCRIPT DIR` on a pty. */
static inline void
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

static inline void
run(struct seen *s, const char *script)
{
	run_with(s, script, NULL, 0);
}

static inline void
done(struct seen *s)
{
	keeper_free(s->k);
	loop_free(s->loop);
	buf_fini(&s->out);
}

/* Let things happen until `text` was printed (NULL: until the end). */
static inline bool
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

static inline bool
wait_flag(struct seen *s, const bool *flag, bool value)
{
	uint64_t until = loop_clock_ns() + 20 * SECOND;

	while (*flag != value && loop_clock_ns() < until)
		loop_once(s->loop, 50, NULL);
	return *flag == value;
}

static inline off_t
size_of(const char *file)
{
	struct stat st;

	return stat(file, &st) < 0 ? -1 : st.st_size;
}

/* Wait for a file to be that long, without touching the loop. */
static inline bool
wait_size(const char *file, off_t size)
{
	for (int i = 0; i < 400 && size_of(file) < size; i++)
		usleep(50000);
	return size_of(file) >= size;
}

/* The keepers that became our children end, and well. */
static inline void
reap_keepers(int count)
{
	int status;

	while (count-- > 0) {
		assert_true(waitpid(-1, &status, 0) > 0);
		assert_int_equal(status, 0);
	}
}

static inline int
clean(void **state)
{
	(void)state;
	for (int i = 0; i < 400 && waitpid(-1, NULL, WNOHANG) >= 0; i++)
		usleep(50000);
	return 0;
}

#endif
