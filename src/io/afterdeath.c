#include "io/afterdeath.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "io/dumpread_int.h"
#include "io/loop.h"
#include "prof/encode.h"
#include "prof/table.h"

/* Chunks are read when first asked for and kept: the encoder wants addresses
 * that stay good. */
struct copy {
	int fd;
	uint32_t chunks; /* in the file, the last perhaps partly */
	bool failed;
	unsigned char *chunk[TABLE_CHUNKS];
};

/* Fill from `at`; what lies behind the end of the file stays zero. */
static int
read_at(int fd, unsigned char *to, size_t want, off_t at)
{
	size_t got = 0;

	while (got < want) {
		ssize_t n = pread(fd, to + got, want - got, at + (off_t)got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			return 0;
		got += (size_t)n;
	}
	return 0;
}

static const void *
copy_chunk(void *ctx, uint32_t i)
{
	struct copy *c = ctx;

	if (i >= c->chunks || i >= TABLE_CHUNKS)
		return NULL;
	if (c->chunk[i] != NULL)
		return c->chunk[i];
	c->chunk[i] = xcalloc(1, TABLE_CHUNK);
	if (read_at(c->fd, c->chunk[i], TABLE_CHUNK, (off_t)i * TABLE_CHUNK) <
	    0)
		c->failed = true; /* zeros: whatever names it is left out */
	return c->chunk[i];
}

static struct copy *
copy_new(int fd, struct err *e)
{
	struct copy *c;
	struct stat st;

	if (fstat(fd, &st) < 0) {
		err_sys(e, "cannot read the table of the dead process");
		return NULL;
	}
	c = xcalloc(1, sizeof *c);
	c->fd = fd;
	if (st.st_size >= (off_t)TABLE_CHUNKS * TABLE_CHUNK)
		c->chunks = TABLE_CHUNKS;
	else
		c->chunks =
		    (uint32_t)((st.st_size + TABLE_CHUNK - 1) / TABLE_CHUNK);
	return c;
}

static void
copy_free(struct copy *c)
{
	for (size_t i = 0; i < TABLE_CHUNKS; i++)
		free(c->chunk[i]);
	free(c);
}

/* The moment of the last profile is not known: the exact figures carry the
 * last known one, else it is now. */
static int
encode_all(const struct table_view *v, struct dumpread *d, struct err *e)
{
	struct encoder *enc = xmalloc(sizeof *enc);
	unsigned char *buf = xmalloc(2 * ENCODE_ROOM);
	size_t n;
	int r = 0;

	encoder_init(enc, *v);
	encoder_begin(enc, 0, loop_clock_ns(), 1);
	while (r == 0 && (n = encoder_some(enc, buf, 2 * ENCODE_ROOM)) > 0)
		r = dumpread_feed(d, buf, n, e);
	if (r == 0)
		r = dumpread_finish(d, e);
	free(buf);
	free(enc);
	return r;
}

int
afterdeath_read(int table, struct dumpread *d, struct err *e)
{
	struct copy *c = copy_new(table, e);
	struct table_view v = { copy_chunk, c };
	int r;

	if (c == NULL)
		return -1;
	if (table_head_at(&v) == NULL) {
		copy_free(c);
		return err_set(e,
		    "the table of the dead process was not complete, or is "
		    "of another release");
	}
	dumpread_restart(d);
	dumpread_lenient(d, true);
	r = encode_all(&v, d, e);
	dumpread_lenient(d, false);
	if (r == 0 && c->failed)
		r = err_set(
		    e, "parts of the dead process's table could not be read");
	copy_free(c);
	return r;
}
