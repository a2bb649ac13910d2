#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/afterdeath.h"
#include "io/channel.h"
#include "io/dumpread.h"
#include "io/procfs.h"
#include "io/smaps.h"
#include "model/history.h"
#include "model/memory.h"
#include "model/profile.h"

static struct dumpread *
new_reader(const struct target *t)
{
	char source[32];

	snprintf(source, sizeof source, "process %ld", (long)t->pid);
	return dumpread_new(t->profile, source);
}

struct target *
target_new(pid_t pid, const struct profile_facts *f)
{
	struct target *t = xcalloc(1, sizeof *t);

	t->pid = pid;
	t->image_ns = f->image_ns;
	t->start_ticks = f->start_ticks;
	t->command = xstrdup(f->command && *f->command ? f->command : "?");
	t->profile = profile_new();
	profile_put_facts(t->profile, f);
	t->reader = new_reader(t);
	t->table = -1;
	return t;
}

static void
close_table(struct target *t)
{
	if (t->table >= 0)
		close(t->table);
	t->table = -1;
}

void
target_resume(struct target *t, struct channel *c)
{
	int table = channel_take_table(c);

	/* a helper that was made again has no table to hand over: the one
	 * we hold is still the image's */
	if (table >= 0) {
		close_table(t);
		t->table = table;
	}
	channel_free(t->channel);
	if (!t->reader)
		t->reader = new_reader(t);
	t->channel = c;
	t->ended = t->told = false;
	t->end[0] = '\0';
}

void
target_free(struct target *t)
{
	if (!t)
		return;
	channel_free(t->channel);
	dumpread_free(t->reader);
	profile_free(t->profile);
	close_table(t);
	free(t->command);
	free(t);
}

int
target_read_table(struct target *t, struct err *e)
{
	if (t->table < 0)
		return err_set(e,
		    "the table of process %ld cannot be had; its last "
		    "snapshot stands",
		    (long)t->pid);
	return afterdeath_read(t->table, t->reader, e);
}

int
target_look(struct target *t, struct err *e)
{
	int table =
	    t->table < 0 && t->channel ? channel_table(t->channel) : t->table;
	const struct profile_totals *totals = profile_totals(t->profile);
	struct memory_seen seen;

	if (!totals)
		return err_set(
		    e, "process %ld has told nothing yet", (long)t->pid);
	if (smaps_look(t->pid, table, &seen, e) < 0)
		return -1;
	seen.totals = *totals;
	profile_put_seen(t->profile, &seen);
	return 0;
}

void
target_end(struct target *t, const char *end)
{
	if (t->ended)
		return;
	if (t->channel && t->table < 0)
		t->table = channel_take_table(t->channel);
	target_read_table(t, NULL);
	channel_free(t->channel);
	dumpread_free(t->reader);
	t->channel = NULL;
	t->reader = NULL;
	close_table(t);
	t->ended = true;
	t->late = false;
	snprintf(t->end, sizeof t->end, "%s", end);
}

bool
target_process_lives(const struct target *t)
{
	struct procfs_stat now;

	return procfs_stat(t->pid, &now) == 0 && now.state != 'Z' &&
	    now.state != 'X' &&
	    (!t->start_ticks || t->start_ticks == now.start_ticks);
}

const char *
target_fate(const struct target *t)
{
	if (*t->end)
		return t->end;
	return target_process_lives(t) ? "became another program" : "ended";
}

void
target_forget(struct target *t)
{
	t->last_samples = target_samples(t);
	t->last_live = target_live(t);
	profile_free(t->profile);
	t->profile = NULL;
}

uint64_t
target_samples(const struct target *t)
{
	const struct profile_totals *now;

	if (!t->profile)
		return t->last_samples;
	now = profile_totals(t->profile);
	return now ? now->samples : 0;
}

/* The exact count where there is one of this very moment. */
uint64_t
target_live(const struct target *t)
{
	const struct profile_totals *now;
	const struct history *h;
	size_t count;

	if (!t->profile)
		return t->last_live;
	now = profile_totals(t->profile);
	if (!now)
		return 0;
	if (now->exact_ns)
		return now->live_bytes;
	h = profile_history(t->profile);
	count = history_count(h);
	return count ? (uint64_t)history_at(h, count - 1)->live_bytes : 0;
}
