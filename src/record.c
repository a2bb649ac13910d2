#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/afterdeath.h"
#include "io/channel.h"
#include "io/dumpread.h"
#include "io/recordfile.h"
#include "model/profile.h"
#include "target.h"

#define TRIES 3 /* to read a table that changes meanwhile */

struct record {
	struct target *target;
	struct recordfile *file;
	char *path;
	uint64_t dumps, bytes;
	/* A dump was on its way when the table was read, which is newer. */
	bool drop;
	bool failed;
	struct err error;
};

char *
record_name(pid_t pid)
{
	struct buf b = BUF_INIT;
	char *name;

	for (unsigned n = 1; n < 10000; n++) {
		buf_clear(&b);
		buf_printf(&b, "heaptop-%ld", (long)pid);
		if (n > 1)
			buf_printf(&b, ".%u", n);
		buf_puts(&b, ".htd.gz");
		if (access(buf_str(&b), F_OK) < 0)
			break;
	}
	name = xstrdup(buf_str(&b));
	buf_fini(&b);
	return name;
}

static void
put(struct record *r, const void *data, size_t len)
{
	if (r->failed)
		return;
	if (recordfile_put(r->file, data, len, &r->error) < 0) {
		r->failed = true;
		return;
	}
	r->dumps++;
	r->bytes += len;
}

static void
on_dump(void *arg, const void *data, size_t len)
{
	struct record *r = arg;
	bool drop = r->drop;

	r->drop = false;
	if (!drop || recordfile_whole(data, len))
		put(r, data, len);
}

static void
on_first(void *arg, const void *data, size_t len)
{
	put(arg, data, len);
}

/* A dump that has been asked for and is not all here. */
static bool
on_its_way(const struct target *t)
{
	enum channel_state state = CHANNEL_READY;

	if (t->channel)
		state = channel_state(t->channel);
	return state == CHANNEL_PULLING || state == CHANNEL_SILENT ||
	    dumpread_busy(t->reader);
}

static int
table_of(const struct target *t)
{
	if (t->table < 0 && t->channel)
		return channel_table(t->channel);
	return t->table;
}

/*
 * All that is in the table now, as the first dump.  What changes while it is
 * read is in the target's next dump again: that has whatever changed since
 * the one before it began.
 */
static int
put_first(struct record *r, struct err *e)
{
	const struct target *t = r->target;
	char source[32];
	int ret = -1;

	snprintf(source, sizeof source, "process %ld", (long)t->pid);
	for (int i = 0; i < TRIES && ret < 0; i++) {
		struct profile *p = profile_new();
		struct dumpread *d = dumpread_new(p, source);

		dumpread_tap(d, on_first, r);
		ret = afterdeath_read(table_of(t), d, e);
		dumpread_free(d);
		profile_free(p);
	}
	if (ret == 0 && r->failed)
		return err_set(e, "%s", r->error.msg);
	return ret;
}

/* It has told something that will not come again. */
static bool
has_begun(const struct target *t)
{
	return dumpread_snapshots(t->reader) > 0 || dumpread_busy(t->reader);
}

static int
check(const struct target *t, struct err *e)
{
	if (!t->reader)
		return err_set(e,
		    "process %ld has ended: nothing more can be recorded",
		    (long)t->pid);
	if (has_begun(t) && table_of(t) < 0)
		return err_set(e,
		    "process %ld cannot be recorded from now on: it could not "
		    "share the memory of its table",
		    (long)t->pid);
	return 0;
}

static int
begin(struct record *r, struct err *e)
{
	struct target *t = r->target;

	if (has_begun(t)) {
		r->drop = on_its_way(t);
		if (put_first(r, e) < 0)
			return -1;
	}
	dumpread_tap(t->reader, on_dump, r);
	return 0;
}

/* A recording that has not begun; what is no file stays. */
static void
give_up(struct record *r)
{
	struct stat st;

	if (r->file) {
		recordfile_close(r->file, NULL);
		if (lstat(r->path, &st) == 0 && S_ISREG(st.st_mode))
			unlink(r->path);
	}
	free(r->path);
	free(r);
}

struct record *
record_start(struct target *t, const char *path, struct err *e)
{
	struct record *r;

	if (check(t, e) < 0)
		return NULL;
	r = xcalloc(1, sizeof *r);
	r->target = t;
	r->path = xstrdup(path);
	r->file = recordfile_create(path, e);
	if (r->file && begin(r, e) == 0)
		return r;
	give_up(r);
	return NULL;
}

const char *
record_path(const struct record *r)
{
	return r->path;
}

uint64_t
record_dumps(const struct record *r)
{
	return r->dumps;
}

uint64_t
record_bytes(const struct record *r)
{
	return r->bytes;
}

bool
record_failed(const struct record *r, struct err *e)
{
	if (r->failed)
		err_set(e, "%s", r->error.msg);
	return r->failed;
}

int
record_stop(struct record *r, struct err *e)
{
	bool failed = r->failed;
	struct err why = r->error;

	if (r->target->reader)
		dumpread_tap(r->target->reader, NULL, NULL);
	if (recordfile_close(r->file, failed ? NULL : &why) < 0)
		failed = true;
	free(r->path);
	free(r);
	return failed ? err_set(e, "%s", why.msg) : 0;
}
