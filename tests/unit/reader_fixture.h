/*
 * What the tests of file readers share: a file of given bytes, read into a
 * profile, with its notes.
 */
#ifndef TESTS_READER_FIXTURE_H
#define TESTS_READER_FIXTURE_H

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/heapread.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/stacks.h"

typedef int reader_fn(
    const struct heapread_from *from, struct profile *p, struct err *e);

static char reader_path[] = "/tmp/test-reader.XXXXXX";
static struct buf reader_notes;
static struct err reader_error;
static int reader_result; /* of the last read */

static int
reader_set_up(void **state)
{
	(void)state;
	return close(mkstemp(reader_path));
}

static int
reader_tear_down(void **state)
{
	(void)state;
	buf_fini(&reader_notes);
	return unlink(reader_path);
}

/* NULL if it is refused. */
static struct profile *
reader_file(reader_fn *fn, const char *path)
{
	struct profile *p = profile_new();
	struct heapread_from from = { .path = path, .notes = &reader_notes };

	buf_clear(&reader_notes);
	reader_result = fn(&from, p, &reader_error);
	if (reader_result >= 0)
		return p;
	profile_free(p);
	return NULL;
}

static struct profile *
reader_bytes(reader_fn *fn, const void *data, size_t len)
{
	int fd = open(reader_path, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, data, len), len);
	close(fd);
	return reader_file(fn, reader_path);
}

static inline struct profile *
reader_text(reader_fn *fn, const char *text)
{
	return reader_bytes(fn, text, strlen(text));
}

static inline const struct snapshot *
reader_snapshot(const struct profile *p)
{
	assert_non_null(p);
	assert_int_equal(history_count(profile_history(p)), 1);
	return history_at(profile_history(p), 0);
}

static inline int
reader_near(double a, double b)
{
	return fabs(a - b) <= 1;
}

/* The function of a frame of a stack, leaf first. */
static inline const char *
reader_name(struct profile *p, stack_id stack, uint32_t frame, unsigned i)
{
	const struct stack *s = stacks_at(profile_stacks(p), stack);

	assert_true(frame < s->count);
	return frames_name(profile_frames(p), s->frames[frame], i).function;
}

/* It is used as far as it goes, and this is said of it. */
static inline void
reader_loses(reader_fn *fn, const char *text, double bytes, const char *what)
{
	struct profile *p = reader_text(fn, text);

	assert_true(reader_near(reader_snapshot(p)->live_bytes, bytes));
	assert_int_equal(reader_result, 1);
	if (strstr(buf_str(&reader_notes), what) == NULL)
		fail_msg("'%s' is not '%s'", buf_str(&reader_notes), what);
	profile_free(p);
}

static inline void
reader_refuses(reader_fn *fn, const char *text, const char *what)
{
	assert_null(reader_text(fn, text));
	if (strstr(reader_error.msg, what) == NULL)
		fail_msg("'%s' is not '%s'", reader_error.msg, what);
}

#endif
