#include "io/recordfile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "io/dumpread_int.h"
#include "io/infile.h"
#include "prof/format.h"

struct recordfile {
	gzFile gz;
	char *path;
};

struct recordfile *
recordfile_create(const char *path, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct recordfile *r;

	if (fd < 0) {
		err_sys(e, "cannot write the recording %s", path);
		return NULL;
	}
	r = xcalloc(1, sizeof *r);
	r->path = xstrdup(path);
	r->gz = gzdopen(fd, "wb6");
	if (r->gz == NULL) {
		err_set(e, "cannot write the recording %s", path);
		close(fd);
		free(r->path);
		free(r);
		return NULL;
	}
	return r;
}

static int
failed(struct recordfile *r, struct err *e)
{
	int code = 0;
	const char *why = gzerror(r->gz, &code);

	if (code == Z_ERRNO)
		return err_sys(e, "cannot write the recording %s", r->path);
	return err_set(e, "cannot write the recording %s: %s", r->path, why);
}

int
recordfile_put(
    struct recordfile *r, const void *data, size_t len, struct err *e)
{
	const unsigned char *p = data;

	while (len > 0) {
		unsigned n = len < (1u << 20) ? (unsigned)len : 1u << 20;

		if (gzwrite(r->gz, p, n) != (int)n)
			return failed(r, e);
		p += n;
		len -= n;
	}
	if (gzflush(r->gz, Z_SYNC_FLUSH) != Z_OK)
		return failed(r, e);
	return 0;
}

bool
recordfile_whole(const void *data, size_t len)
{
	struct frame_head head;
	struct end_frame end;

	if (len < 2 * sizeof head + sizeof end)
		return false;
	memcpy(&head, data, sizeof head);
	memcpy(
	    &end, (const unsigned char *)data + len - sizeof end, sizeof end);
	return head.kind == FRAME_HELLO && end.seq == 0;
}

int
recordfile_close(struct recordfile *r, struct err *e)
{
	int code = gzclose(r->gz), ret = 0;

	if (code == Z_ERRNO)
		ret = err_sys(e, "cannot write the recording %s", r->path);
	else if (code != Z_OK)
		ret =
		    err_set(e, "the recording %s could not be ended", r->path);
	free(r->path);
	free(r);
	return ret;
}

int
recordfile_read(
    const char *path, struct profile *p, struct buf *notes, struct err *e)
{
	struct infile *f = infile_open(path, e);
	struct dumpread *d;
	unsigned char piece[8192];
	struct err why;
	unsigned whole;
	uint64_t skipped;
	long n = 0;
	int bad = 0;

	if (f == NULL)
		return -1;
	d = dumpread_new(p, path);
	/* The last dump may be that of a process which died at work. */
	dumpread_lenient(d, true);
	while (!bad && (n = infile_read(f, piece, sizeof piece, &why)) > 0)
		bad = dumpread_feed(d, piece, (size_t)n, &why) < 0;
	if (!bad && n == 0)
		bad = dumpread_finish(d, &why) < 0;
	else
		bad = 1;
	whole = dumpread_snapshots(d);
	skipped = dumpread_skipped(d);
	dumpread_free(d);
	infile_close(f);
	if (bad && whole == 0)
		return err_set(e, "%s", why.msg);
	if (bad && notes != NULL)
		buf_printf(notes, "%s; the %u dump%s before that %s used\n",
		    why.msg, whole, whole == 1 ? "" : "s",
		    whole == 1 ? "is" : "are");
	if (skipped > 0 && notes != NULL)
		buf_printf(notes,
		    "%s: %llu entries name what is not in it and are left "
		    "out\n",
		    path, (unsigned long long)skipped);
	return bad || skipped > 0;
}
