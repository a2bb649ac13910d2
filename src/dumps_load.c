#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/path.h"
#include "dumpfile.h"
#include "dumps.h"
#include "io/infile.h"
#include "merge.h"
#include "model/profile.h"
#include "options.h"
#include "series.h"

#define NS_PER_S UINT64_C(1000000000)

/* A number in a name that can only be a time, in seconds: from 2001 on. */
#define SECONDS_MIN UINT64_C(1000000000)
#define SECONDS_MAX UINT64_C(18000000000)

/* One of the files that may be dumps. */
struct source {
	const char *path;
	struct profile *profile; /* of a recording; a dump is read later */
	uint64_t began_ns;       /* its process, CLOCK_REALTIME; or 0 */
	uint64_t wall_ns;        /* its last moment, CLOCK_REALTIME */
};

struct loading {
	const struct options *o;
	struct loaded *out;
	struct source *sources;
	struct series_dump *dumps; /* of the same */
	size_t *order;             /* series.h */
	size_t count;
	struct dumpfile_series series;
	struct map seen;  /* files, by device and inode */
	struct err first; /* why the first one could not be read */
	bool any_error;
};

static void
note(struct loading *l, const struct err *e)
{
	buf_printf(&l->out->notes, "%s\n", e->msg);
	if (!l->any_error)
		l->first = *e;
	l->any_error = true;
	l->out->failed = true;
}

static uint64_t
time_of(const struct stat *st)
{
	if (st->st_mtim.tv_sec <= 0)
		return 0;
	return (uint64_t)st->st_mtim.tv_sec * NS_PER_S +
	    (uint64_t)st->st_mtim.tv_nsec;
}

/* The same file under another name too; a second look at it would only
 * compare it with itself. */
static bool
seen_before(struct loading *l, const struct stat *st)
{
	uint64_t key = map_mix(map_mix(st->st_dev) ^ st->st_ino);
	uint32_t *seen = map_put(&l->seen, key);
	bool before = *seen != MAP_NONE;

	*seen = 1;
	return before;
}

/* A profile of the file; NULL if it is none, which is noted. */
static struct profile *
read_one(struct loading *l, const char *path)
{
	struct profile *p = profile_new();
	struct err e;
	int got = dumpfile_read(path, l->out->program, p, &l->out->notes, &e);

	l->out->failed = l->out->failed || got != 0;
	if (got >= 0)
		return p;
	note(l, &e);
	profile_free(p);
	return NULL;
}

/* A recording tells who and when, so it is read at once. */
static bool
open_recording(struct loading *l, struct source *s, struct series_dump *d)
{
	const struct profile_facts *f;
	const struct profile_totals *t;

	s->profile = read_one(l, s->path);
	if (!s->profile)
		return false;
	f = profile_facts(s->profile);
	t = profile_totals(s->profile);
	d->pid = f->pid;
	d->start = f->start_ticks;
	if (f->wall_ns && t && t->now_ns > f->image_ns) {
		s->began_ns = f->wall_ns;
		s->wall_ns = f->wall_ns + (t->now_ns - f->image_ns);
	}
	return true;
}

static void
add_source(struct loading *l, const char *path)
{
	struct source *s = &l->sources[l->count];
	struct series_dump *d = &l->dumps[l->count];
	struct stat st = { 0 };
	enum file_kind kind;

	s->path = d->path = path;
	if (stat(path, &st) == 0 && seen_before(l, &st)) {
		buf_printf(&l->out->notes,
		    "%s is given more than once and shown once\n", path);
		return;
	}
	s->wall_ns = time_of(&st);
	kind = infile_kind(path);
	if (kind == FILE_STREAM) {
		if (!open_recording(l, s, d))
			return;
	} else if (kind == FILE_OTHER) {
		profile_free(read_one(l, path)); /* says why not */
		return;
	}
	d->now_ns = s->wall_ns;
	l->count++;
}

/* The moment of a dump: its file's time, unless the name says a second that
 * is another one (a copy has the time of the copying). */
static uint64_t
moment(const struct loading *l, size_t i)
{
	const struct series_dump *d = &l->dumps[i];
	uint64_t ns = l->sources[i].wall_ns, named = d->seq * NS_PER_S;

	if (!d->numbered || d->seq < SECONDS_MIN || d->seq > SECONDS_MAX)
		return ns;
	return ns >= named && ns < named + 2 * NS_PER_S ? ns : named;
}

/* ---- one process ---- */

/* The part of `order` that is the most dumps, or the last of such. */
static void
find_most(const struct loading *l, size_t *first, size_t *count)
{
	size_t end;

	*first = *count = 0;
	for (size_t i = 0; i < l->count; i = end) {
		size_t process = l->dumps[l->order[i]].process;
		uint64_t here, best;

		for (end = i + 1; end < l->count; end++)
			if (l->dumps[l->order[end]].process != process)
				break;
		if (end - i < *count)
			continue;
		here = moment(l, l->order[end - 1]);
		best = *count ? moment(l, l->order[*first + *count - 1]) : 0;
		if (end - i == *count && here < best)
			continue;
		*first = i;
		*count = end - i;
	}
}

static void
note_others(struct loading *l, size_t first, size_t count, size_t processes)
{
	uint64_t pid = l->dumps[l->order[first]].pid;
	char who[48] = "that name no process";

	if (pid)
		snprintf(who, sizeof who, "of process %llu",
		    (unsigned long long)pid);
	if (count < l->count)
		buf_printf(&l->out->notes,
		    "the %zu dumps are of %zu processes; the %zu %s %s "
		    "shown\n",
		    l->count, processes, count, who, count == 1 ? "is" : "are");
	if (l->o->sum && l->count > 1)
		buf_printf(&l->out->notes, "--sum adds nothing up here: %s\n",
		    l->o->report ? "--growth compares one dump with the next"
				 : "the screen steps through the dumps");
}

static bool
has_recording(const struct loading *l, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++)
		if (l->sources[l->order[i]].profile)
			return true;
	return false;
}

static void
keep_recording(struct loading *l, struct source *s)
{
	l->out->profile = s->profile;
	l->out->recording = true;
	s->profile = NULL;
}

/* A second a dump stands in for times that cannot be those of the dumps:
 * they go back, or lie as close as files that were copied. */
#define APART_MIN_NS UINT64_C(10000000)

static bool
have_times(const struct loading *l, size_t first, size_t count)
{
	for (size_t i = first + 1; i < first + count; i++)
		if (moment(l, l->order[i]) <
		    moment(l, l->order[i - 1]) + APART_MIN_NS)
			return false;
	return count > 1;
}

/* A recording is there already; a dump is read now.  NULL: it is none. */
static const struct profile *
take_source(struct loading *l, const struct source *s)
{
	struct dumpfile_series *d = &l->series;
	struct err e;
	int got;

	if (s->profile) {
		buf_printf(&l->out->notes,
		    "%s is a recording among dumps: its last moment is "
		    "taken\n",
		    s->path);
		d->more = false;
		d->last = NULL;
		return s->profile;
	}
	got = dumpfile_next(d, s->path, l->out->program, &l->out->notes, &e);
	l->out->failed = l->out->failed || got != 0;
	if (got < 0)
		note(l, &e);
	return d->last;
}

static void
add_snapshot(struct loading *l, struct merge *m, size_t i, uint64_t at)
{
	struct source *s = &l->sources[i];
	const struct profile *p = take_source(l, s);

	if (!p)
		return;
	if ((l->series.more ? merge_more : merge_add)(m, p, s->began_ns, at)) {
		buf_printf(&l->out->notes,
		    "%s has too many stacks; some are left out\n", s->path);
		l->out->failed = true;
	}
	profile_free(s->profile);
	s->profile = NULL;
	l->out->files[l->out->count++] = xstrdup(s->path);
}

static void
make_series(struct loading *l, size_t first, size_t count)
{
	struct merge *m = merge_new(!has_recording(l, first, count));

	uint64_t begin = moment(l, l->order[first]);

	l->out->untimed = !have_times(l, first, count);
	l->out->files = xcalloc(count, sizeof *l->out->files);
	for (size_t i = 0; i < count; i++)
		add_snapshot(l, m, l->order[first + i],
		    l->out->untimed ? begin + i * NS_PER_S
				    : moment(l, l->order[first + i]));
	l->out->profile = merge_finish(m);
	dumpfile_series_fini(&l->series);
	if (l->out->count > 0)
		return;
	profile_free(l->out->profile);
	free(l->out->files);
	l->out->profile = NULL;
	l->out->files = NULL;
}

static void
set_name(struct loaded *out, const char *path)
{
	struct buf b = BUF_INIT;

	if (out->count > 1)
		buf_printf(&b, "%zu dumps", out->count);
	else
		buf_puts(&b, path_base(out->count ? out->files[0] : path));
	out->name = xstrdup(buf_str(&b));
	buf_fini(&b);
}

/* Those of which nothing could be read are no dumps after all. */
static void
forget(struct loading *l, size_t process)
{
	size_t to = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (l->dumps[i].process == process)
			continue;
		l->sources[to] = l->sources[i];
		l->dumps[to++] = l->dumps[i];
	}
	l->count = to;
}

/* The dumps of one process; false if none of them can be read. */
static bool
load_most(struct loading *l)
{
	size_t processes = series_order(l->dumps, l->count, l->order);
	size_t first, count, process;
	struct source *s;

	find_most(l, &first, &count);
	s = &l->sources[l->order[first]];
	process = l->dumps[l->order[first]].process;
	if (count == 1 && s->profile)
		keep_recording(l, s);
	else
		make_series(l, first, count);
	if (!l->out->profile) {
		forget(l, process);
		return false;
	}
	note_others(l, first, count, processes);
	set_name(l->out, s->path);
	return true;
}

int
dumps_load(const struct options *o, struct loaded *out, struct err *e)
{
	size_t n = o->dump_count;
	struct loading l = { .o = o, .out = out };

	memset(out, 0, sizeof *out);
	if (dumpfile_program(o, &out->program, e) < 0)
		return -1;
	l.sources = xcalloc(n + 1, sizeof *l.sources);
	l.dumps = xcalloc(n + 1, sizeof *l.dumps);
	l.order = xcalloc(n + 1, sizeof *l.order);
	for (size_t i = 0; i < n; i++)
		add_source(&l, o->dumps[i]);
	while (l.count > 0 && !load_most(&l))
		;
	for (size_t i = 0; i < l.count; i++)
		profile_free(l.sources[i].profile);
	free(l.sources);
	free(l.dumps);
	free(l.order);
	map_fini(&l.seen);
	if (out->profile)
		return 0;
	loaded_free(out);
	return err_set(
	    e, "%s", l.any_error ? l.first.msg : "there is no dump to show");
}

void
loaded_free(struct loaded *l)
{
	profile_free(l->profile);
	free(l->program);
	free(l->name);
	for (size_t i = 0; i < l->count; i++)
		free(l->files[i]);
	free(l->files);
	buf_fini(&l->notes);
	memset(l, 0, sizeof *l);
}

const char *
loaded_file(const struct loaded *l, snap_id id)
{
	return id >= 1 && id <= l->count ? path_base(l->files[id - 1]) : "";
}
