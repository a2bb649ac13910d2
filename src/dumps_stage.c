#include "dumps_stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "dumps.h"
#include "merge.h"
#include "model/profile.h"

/* A number in a name that can only be a time, in seconds: from 2001 on. */
#define SECONDS_MIN UINT64_C(1000000000)
#define SECONDS_MAX UINT64_C(18000000000)

/* Of so many files some are shown before all are read. */
#define MANY 64
#define SOME 16

uint64_t
stage_moment(const struct loading *l, size_t i)
{
	const struct series_dump *d = &l->dumps[i];
	uint64_t ns = l->sources[i].wall_ns, named = d->seq * NS_PER_S;

	if (!d->numbered || d->seq < SECONDS_MIN || d->seq > SECONDS_MAX)
		return ns;
	return ns >= named && ns < named + 2 * NS_PER_S ? ns : named;
}

void
stage_note(struct loading *l, const struct err *e)
{
	buf_printf(&l->out->notes, "%s\n", e->msg);
	if (!l->any_error)
		l->out->first = *e;
	l->any_error = true;
	l->out->failed = true;
}

/* ---- a file ---- */

/* A recording is there already; a dump is read now.  NULL: it is none. */
static const struct profile *
take_source(struct loading *l, struct source *s, struct buf *notes)
{
	struct dumpfile_series *d = &l->series;
	struct err e;
	int got;

	if (s->profile) {
		buf_printf(notes,
		    "%s is a recording among dumps: its last moment is "
		    "taken\n",
		    s->path);
		d->more = false;
		d->last = NULL;
		return s->profile;
	}
	got = dumpfile_next(d, s->path, l->out->program, notes, &e);
	l->out->failed = l->out->failed || got != 0;
	if (got < 0 && !s->tried)
		stage_note(l, &e);
	return d->last;
}

static uint64_t
time_in_series(const struct loading *l, size_t place)
{
	uint64_t begin = stage_moment(l, l->order[l->part]);

	return l->out->untimed ? begin + place * NS_PER_S
			       : stage_moment(l, l->order[l->part + place]);
}

static void
merge_source(struct loading *l, const struct source *s, const struct profile *p,
    size_t place, struct buf *notes)
{
	uint64_t at = time_in_series(l, place);

	if ((l->series.more ? merge_more : merge_add)(
		l->merge, p, s->began_ns, at)) {
		buf_printf(notes, "%s has too many stacks; some are left out\n",
		    s->path);
		l->out->failed = true;
	}
	l->files[l->file_count++] = xstrdup(s->path);
}

/* The place-th of the process becomes the next snapshot, if it can be read.
 * What is odd about it is said the first time. */
static bool
add_snapshot(struct loading *l, size_t place)
{
	struct source *s = &l->sources[l->order[l->part + place]];
	struct buf notes = BUF_INIT;
	const struct profile *p = s->bad ? NULL : take_source(l, s, &notes);

	if (p)
		merge_source(l, s, p, place, &notes);
	if (!s->tried) {
		buf_put(&l->out->notes, notes.data, notes.len);
		l->tried++;
		l->out->unread += !p;
		s->tried = true;
		s->bad = !p;
	}
	buf_fini(&notes);
	return p != NULL;
}

/* ---- a stage ---- */

static bool
has_recording(const struct loading *l)
{
	for (size_t i = 0; i < l->part_count; i++)
		if (l->sources[l->order[l->part + i]].profile)
			return true;
	return false;
}

void
stage_begin(struct loading *l, enum stage stage)
{
	l->stage = stage;
	l->at = 0;
	l->stride = 1;
	l->merge = merge_new(!has_recording(l));
	if (l->out->profile)
		merge_seed(l->merge, l->out->profile);
	l->files = xcalloc(l->part_count, sizeof *l->files);
	l->file_count = 0;
}

/* The first and the last that can be read. */
static bool
read_ends(struct loading *l)
{
	size_t first = 0, last = l->part_count - 1;

	while (first < last && !add_snapshot(l, first))
		first++;
	while (last > first && !add_snapshot(l, last))
		last--;
	if (l->file_count == 0)
		add_snapshot(l, first);
	return false;
}

/* A series that does not fit loses every second moment, and then as many of
 * those that follow. */
static void
keep_small(struct loading *l)
{
	if (l->bounded && merge_bound(l->merge))
		l->stride *= 2;
}

bool
stage_read(struct loading *l)
{
	size_t last = l->part_count - 1;

	if (l->stage == STAGE_ENDS)
		return read_ends(l);
	if (l->stage == STAGE_SOME) {
		add_snapshot(l, l->at * last / (SOME - 1));
		return ++l->at < SOME;
	}
	add_snapshot(l, l->at);
	keep_small(l);
	if (l->at == last)
		return false;
	l->at = l->at + l->stride < last ? l->at + l->stride : last;
	return true;
}

/* Nothing of it is there any more but the profile. */
static struct profile *
finish(struct loading *l)
{
	struct profile *p = l->merge ? merge_finish(l->merge) : NULL;

	l->merge = NULL;
	dumpfile_series_fini(&l->series);
	return p;
}

bool
stage_end(struct loading *l)
{
	struct profile *p = finish(l);

	if (l->file_count == 0) {
		profile_free(p);
		free(l->files);
		l->files = NULL;
		return false;
	}
	if (l->stride > 1)
		buf_printf(&l->out->notes,
		    "the series does not fit into heaptop's memory: one of "
		    "%zu dumps is shown\n",
		    l->stride);
	l->out->profile = p;
	l->out->files = l->files;
	l->out->count = l->file_count;
	l->files = NULL;
	return true;
}

void
stage_drop(struct loading *l)
{
	profile_free(finish(l));
	for (size_t i = 0; l->files && i < l->file_count; i++)
		free(l->files[i]);
	free(l->files);
	l->files = NULL;
}

enum stage
stage_after(const struct loading *l)
{
	if (l->stage == STAGE_ALL || l->tried == l->part_count)
		return STAGES;
	if (l->stage == STAGE_ENDS && l->part_count >= MANY)
		return STAGE_SOME;
	return STAGE_ALL;
}
