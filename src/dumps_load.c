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
#include "dumps_stage.h"
#include "io/infile.h"
#include "model/profile.h"
#include "options.h"

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
	stage_note(l, &e);
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
		if (!open_recording(l, s, d)) {
			l->out->unread++;
			return;
		}
	} else if (kind == FILE_OTHER) {
		profile_free(read_one(l, path)); /* says why not */
		l->out->unread++;
		return;
	}
	d->now_ns = s->wall_ns;
	l->count++;
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
		here = stage_moment(l, l->order[end - 1]);
		best =
		    *count ? stage_moment(l, l->order[*first + *count - 1]) : 0;
		if (end - i == *count && here < best)
			continue;
		*first = i;
		*count = end - i;
	}
}

static void
note_others(struct loading *l, size_t processes)
{
	uint64_t pid = l->dumps[l->order[l->part]].pid;
	size_t count = l->part_count;
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
have_times(const struct loading *l)
{
	size_t first = l->part, count = l->part_count;

	for (size_t i = first + 1; i < first + count; i++)
		if (stage_moment(l, l->order[i]) <
		    stage_moment(l, l->order[i - 1]) + APART_MIN_NS)
			return false;
	return count > 1;
}

/* ---- the whole ---- */

static void
set_name(struct loaded *out, const char *path, size_t count)
{
	struct buf b = BUF_INIT;

	if (count > 1)
		buf_printf(&b, "%zu dumps", count);
	else
		buf_puts(&b, path_base(out->count ? out->files[0] : path));
	free(out->name);
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

/* The process that is shown; its first stage is read. */
static bool
begin_most(struct loading *l, enum stage stage)
{
	size_t processes = series_order(l->dumps, l->count, l->order);
	size_t process;
	struct source *s;

	find_most(l, &l->part, &l->part_count);
	l->tried = 0;
	s = &l->sources[l->order[l->part]];
	process = l->dumps[l->order[l->part]].process;
	if (l->part_count == 1 && s->profile) {
		keep_recording(l, s);
		l->tried = 1;
	} else {
		l->out->untimed = !have_times(l);
		stage_begin(l, stage);
		while (stage_read(l))
			;
		if (!stage_end(l)) {
			forget(l, process);
			return false;
		}
	}
	note_others(l, processes);
	set_name(l->out, s->path,
	    stage_after(l) == STAGES ? l->out->count : l->part_count);
	return true;
}

void
dumps_end(struct loading *l)
{
	if (!l)
		return;
	stage_drop(l);
	for (size_t i = 0; i < l->count; i++)
		profile_free(l->sources[i].profile);
	free(l->sources);
	free(l->dumps);
	free(l->order);
	map_fini(&l->seen);
	free(l);
}

static struct loading *
open_all(const struct options *o, struct loaded *out, struct err *e)
{
	struct loading *l;
	size_t n = o->dump_count;

	memset(out, 0, sizeof *out);
	if (dumpfile_program(o, &out->program, e) < 0)
		return NULL;
	l = xcalloc(1, sizeof *l);
	l->o = o;
	l->out = out;
	l->sources = xcalloc(n + 1, sizeof *l->sources);
	l->dumps = xcalloc(n + 1, sizeof *l->dumps);
	l->order = xcalloc(n + 1, sizeof *l->order);
	for (size_t i = 0; i < n; i++)
		add_source(l, o->dumps[i]);
	return l;
}

/* The first stage; NULL and a sentence if there is nothing to show. */
static struct loading *
begin(const struct options *o, struct loaded *out, enum stage stage,
    struct err *e)
{
	struct loading *l = open_all(o, out, e);

	if (!l)
		return NULL;
	l->bounded = stage != STAGE_ALL;
	while (l->count > 0 && !begin_most(l, stage))
		;
	if (out->profile)
		return l;
	err_set(e, "%s",
	    l->any_error ? out->first.msg : "there is no dump to show");
	dumps_end(l);
	loaded_free(out);
	return NULL;
}

int
dumps_load(const struct options *o, struct loaded *out, struct err *e)
{
	struct loading *l = begin(o, out, STAGE_ALL, e);

	dumps_end(l);
	return l ? 0 : -1;
}

int
dumps_begin(const struct options *o, struct loaded *out, struct loading **more,
    struct err *e)
{
	struct loading *l = begin(o, out, STAGE_ENDS, e);

	*more = NULL;
	if (!l)
		return -1;
	if (stage_after(l) == STAGES) {
		dumps_end(l);
		return 0;
	}
	stage_begin(l, stage_after(l));
	*more = l;
	return 0;
}

bool
dumps_read_on(struct loading *l)
{
	return stage_read(l);
}

bool
dumps_take(struct loading *l, struct loaded *old)
{
	struct loaded *out = l->out;

	*old = (struct loaded){ .profile = out->profile,
		.files = out->files,
		.count = out->count };
	stage_end(l);
	if (stage_after(l) == STAGES) {
		set_name(out, out->files[0], out->count);
		return false;
	}
	stage_begin(l, stage_after(l));
	return true;
}

size_t
dumps_progress(const struct loading *l, size_t *of)
{
	*of = l->part_count;
	return l->tried;
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
