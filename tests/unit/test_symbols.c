/* needs: src/io/symbols.c src/io/symchild.c src/io/symproc.c
 * src/io/symwire.c src/io/symcand.c
 * src/io/symbolize_dw.c src/io/symbolize_unit.c src/io/symtab.c
 * src/io/ranges.c src/io/demangle.c src/io/loop.c src/io/elfpeek.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c
 * src/model/name.c src/base/arena.c src/base/buf.c src/base/err.c
 * src/base/map.c src/base/mem.c src/base/strtab.c src/base/utf8.c */
/* libs: -ldw -lelf -liberty */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "io/elfpeek.h"
#include "io/loop.h"
#include "io/symbols.h"
#include "model/frames.h"
#include "model/profile.h"

/* The file and the line of this function are what is looked for. */
static int __attribute__((noinline)) landmark(int x)
{
	return x * 7 + 1;
}
enum {
	LANDMARK_LINE = __LINE__ - 4
};

static char self[4096];
static struct elfpeek peek;

/* The address in this program's own file. */
static uint64_t
offset_of(const void *address)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long long start, end, offset;
	uint64_t a = (uintptr_t)address, found = 0;
	char line[4400];

	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%llx-%llx %*s %llx", &start, &end, &offset) !=
			3 ||
		    a < start || a >= end)
			continue;
		assert_true(elfpeek_address(&peek, a - start + offset, &found));
	}
	fclose(f);
	return found;
}

static int
set_up(void **state)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	int fd = open("/proc/self/exe", O_RDONLY);

	(void)state;
	self[n] = 0;
	if (elfpeek_headers(fd, &peek) < 0)
		return 1;
	return close(fd);
}

struct set {
	struct loop *loop;
	struct symbols *symbols;
	struct profile *profile;
};

/* A profile with one stack: the landmark in module 1, and a bare address. */
static void
open_set(
    struct set *s, const char *path, const uint8_t *id, size_t len, pid_t pid)
{
	struct symbols_options o = { 0 };
	struct profile_frame frames[2] = { { 1, 0 }, { 0, 0x1234 } };

	frames[0].offset = offset_of((void *)(uintptr_t)landmark);
	s->loop = loop_new();
	s->profile = profile_new();
	s->symbols = symbols_new(s->loop, &o);
	assert_int_equal(profile_put_module(s->profile, 1, 0x1000, 0x2000, 0,
			     id, len, path, NULL),
	    0);
	assert_int_equal(
	    profile_put_stack(s->profile, 1, 0, frames, 2, NULL), 0);
	symbols_add(s->symbols, s->profile, pid, NULL);
}

static void
close_set(struct set *s)
{
	symbols_remove(s->symbols, s->profile);
	symbols_free(s->symbols);
	profile_free(s->profile);
	loop_free(s->loop);
}

static void
test_names(void **state)
{
	struct set s;
	struct frame_name n;
	struct frames *f;
	uint32_t answered, asked;

	(void)state;
	assert_int_equal(landmark(1), 8);
	open_set(&s, self, peek.build_id, peek.build_id_len, 0);
	assert_int_equal(symbols_finish(s.symbols, 60000), 0);
	symbols_progress(s.symbols, &answered, &asked);
	assert_int_equal(asked, 2);
	assert_int_equal(answered, 2);
	f = profile_frames(s.profile);
	assert_int_equal(frames_state(f, 1), FRAME_NAMED);
	assert_int_equal(frames_depth(f, 1), 1);
	n = frames_name(f, 1, 0);
	assert_string_equal(n.function, "landmark");
	assert_non_null(strstr(n.file, "test_symbols.c"));
	/* the name stands on the line before the brace */
	assert_in_range(n.line, LANDMARK_LINE - 1, LANDMARK_LINE + 1);
	assert_int_equal(frames_state(f, 2), FRAME_NAMELESS);
	assert_false(frames_half(f, 1));
	assert_string_equal(symbols_note(s.symbols, s.profile, 1), "");
	close_set(&s);
}

/* Answers are events of the loop, too. */
static void
test_loop(void **state)
{
	struct set s;

	(void)state;
	open_set(&s, self, peek.build_id, peek.build_id_len, getpid());
	symbols_ask(s.symbols);
	for (int i = 0; i < 1000; i++) {
		uint32_t answered, asked;

		symbols_progress(s.symbols, &answered, &asked);
		if (answered == asked)
			break;
		loop_once(s.loop, 100, NULL);
	}
	assert_string_equal(
	    frames_name(profile_frames(s.profile), 1, 0).function, "landmark");
	close_set(&s);
}

/* Another profile takes the place of one that has names and waits for lines:
 * they come all the same. */
static void
test_halfway(void **state)
{
	struct set s, later;
	struct frame_name n;
	struct frames *f;

	(void)state;
	open_set(&s, self, peek.build_id, peek.build_id_len, 0);
	f = profile_frames(s.profile);
	symbols_ask(s.symbols);
	for (int i = 0; i < 1000 && frames_state(f, 1) != FRAME_NAMED; i++)
		loop_once(s.loop, 100, NULL);
	assert_true(frames_half(f, 1));
	n = frames_name(f, 1, 0);
	assert_string_equal(n.function, "landmark");
	assert_int_equal(n.line, 0);

	open_set(&later, self, peek.build_id, peek.build_id_len, 0);
	f = profile_frames(later.profile);
	frames_set_names(f, 1, &n, 1);
	frames_set_half(f, 1, true);
	close_set(&s);
	assert_int_equal(symbols_finish(later.symbols, 60000), 0);
	n = frames_name(f, 1, 0);
	assert_in_range(n.line, LANDMARK_LINE - 1, LANDMARK_LINE + 1);
	assert_false(frames_half(f, 1));
	close_set(&later);
}

static void
finish(void *arg, int fd, unsigned events)
{
	struct set *s = arg;
	char c;

	(void)events;
	assert_int_equal(read(fd, &c, 1), 1);
	assert_int_equal(symbols_finish(s->symbols, 60000), 0);
}

/* Who is called in the same round of the loop may wait for all names; then
 * there is no answer left to be read. */
static void
test_drained(void **state)
{
	struct set s;
	int p[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	open_set(&s, self, peek.build_id, peek.build_id_len, 0);
	loop_watch(s.loop, p[0], POLLIN, finish, &s);
	symbols_ask(s.symbols);
	assert_int_equal(write(p[1], "x", 1), 1);
	usleep(500000); /* the answer is there, most likely */
	alarm(100);
	loop_once(s.loop, 0, NULL);
	alarm(0);
	assert_string_equal(
	    frames_name(profile_frames(s.profile), 1, 0).function, "landmark");
	loop_unwatch(s.loop, p[0]);
	close(p[0]);
	close(p[1]);
	close_set(&s);
}

static void
check_note(const char *path, const uint8_t *id, size_t len, const char *what)
{
	struct set s;

	open_set(&s, path, id, len, 0);
	assert_int_equal(symbols_finish(s.symbols, 60000), 0);
	assert_int_equal(
	    frames_state(profile_frames(s.profile), 1), FRAME_NAMELESS);
	if (strstr(symbols_note(s.symbols, s.profile, 1), what) == NULL)
		fail_msg("'%s' does not say '%s'",
		    symbols_note(s.symbols, s.profile, 1), what);
	close_set(&s);
}

static void
test_notes(void **state)
{
	const uint8_t other[20] = { 1, 2, 3 };

	(void)state;
	check_note("/nonexistent/libx.so", NULL, 0, "not there any more");
	check_note(self, other, sizeof other, "another build");
	check_note("/dev/null", NULL, 0, "not there");
	check_note("tests/data/three-stacks.heap", NULL, 0, "");
	check_note("", NULL, 0, "a module");
}

/* An ELF header and then nothing that makes sense. */
static void
test_damaged_file(void **state)
{
	char path[] = "/tmp/test-symbols.XXXXXX", junk[5000];
	int fd = mkstemp(path), in = open(self, O_RDONLY);

	(void)state;
	srand(3);
	for (size_t i = 0; i < sizeof junk; i++)
		junk[i] = (char)rand();
	assert_int_equal(read(in, junk, 64), 64);
	assert_int_equal(write(fd, junk, sizeof junk), sizeof junk);
	close(in);
	close(fd);
	check_note(path, NULL, 0, path);
	unlink(path);
}

/* Our one child. */
static pid_t
child(void)
{
	char path[64];
	FILE *f;
	int pid = 0;

	snprintf(
	    path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	f = fopen(path, "r");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	fclose(f);
	return pid;
}

/* Killed in the middle: names are still found, or given up, but everything
 * gets its answer. */
static void
test_killed(void **state)
{
	struct set s;
	pid_t pid;

	(void)state;
	open_set(&s, self, peek.build_id, peek.build_id_len, 0);
	symbols_ask(s.symbols);
	pid = child();
	if (pid <= 0)
		skip();
	kill(pid, SIGKILL);
	assert_int_equal(symbols_finish(s.symbols, 60000), 0);
	assert_int_not_equal(
	    frames_state(profile_frames(s.profile), 1), FRAME_ASKED);
	close_set(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_halfway),
		cmocka_unit_test(test_drained),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_damaged_file),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
