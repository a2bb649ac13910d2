#include "ui/snapshot_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "ui/app.h"

/* At least so many of the newest. */
#define RECENT_LEAST 4
/* Snapshots with losses, and those with switches: where they are many they
 * say no more than that. */
#define LOSSES_MOST   8
#define SWITCHES_MOST 16
/* A drop is a word if it is at least this part of the peak. */
#define DROP_PART 20

uint64_t
snapshot_lost(const struct app_point *points, size_t i, unsigned *reason)
{
	uint64_t sum = 0, most = 0;

	*reason = 0;
	for (unsigned k = 0; k < APP_LOSSES; k++) {
		uint64_t is = points[i].lost[k];
		uint64_t was = i > 0 ? points[i - 1].lost[k] : 0;
		uint64_t n = is > was ? is - was : 0;

		sum += n;
		if (n > most) {
			most = n;
			*reason = k;
		}
	}
	return sum;
}

/* The heights and depths of the whole run. */
static void
find_extremes(const struct app_point *p, size_t n, unsigned *why)
{
	size_t peak = 0, drop = 0;
	double most = 0;

	for (size_t i = 1; i < n; i++) {
		double down = p[i - 1].live_bytes - p[i].live_bytes;

		if (p[i].live_bytes > p[peak].live_bytes)
			peak = i;
		if (down > most) {
			most = down;
			drop = i;
		}
	}
	if (n > 1)
		why[peak] |= SNAPSHOT_PEAK;
	if (most > 0 && most >= p[peak].live_bytes / DROP_PART)
		why[drop] |= SNAPSHOT_DROP;
	why[0] |= SNAPSHOT_FIRST;
}

/* The largest losses; of equal ones the first. */
static void
find_losses(const struct app_point *p, size_t n, unsigned *why)
{
	uint64_t most[LOSSES_MOST] = { 0 };
	size_t at[LOSSES_MOST], count = 0;
	unsigned reason;

	for (size_t i = 0; i < n; i++) {
		uint64_t lost = snapshot_lost(p, i, &reason);
		size_t k = count;

		if (lost == 0 || (k == LOSSES_MOST && lost <= most[k - 1]))
			continue;
		count += count < LOSSES_MOST;
		k = count - 1;
		for (; k > 0 && most[k - 1] < lost; k--) {
			most[k] = most[k - 1];
			at[k] = at[k - 1];
		}
		most[k] = lost;
		at[k] = i;
	}
	while (count > 0)
		why[at[--count]] |= SNAPSHOT_LOST;
}

/* The newest ones. */
static void
find_switches(const struct app_point *p, size_t n, unsigned *why)
{
	unsigned count = 0;

	for (size_t i = n; i-- > 1 && count < SWITCHES_MOST;) {
		unsigned all = 0;

		if (p[i].active != p[i - 1].active)
			all |= p[i].active ? SNAPSHOT_ON : SNAPSHOT_OFF;
		if (p[i].lg_sample != p[i - 1].lg_sample)
			all |= SNAPSHOT_RATE;
		why[i] |= all;
		count += all != 0;
	}
}

static void
find_kept(const struct snapshot_ask *q, unsigned *why)
{
	for (size_t i = 0; i < q->count; i++) {
		uint64_t ns = q->points[i].ns;

		for (size_t k = 0; k < SNAPSHOT_KEEP; k++) {
			if (ns == q->keep_ns[k])
				why[i] |= SNAPSHOT_KEPT;
		}
		for (size_t k = 0; k < q->open_count; k++) {
			if (ns >= q->open[k].from_ns && ns <= q->open[k].to_ns)
				why[i] |= SNAPSHOT_KEPT;
		}
	}
}

/* The rows from `recent` newest ones and those with a reason; NULL: only
 * count them. */
static size_t
put_rows(const unsigned *why, size_t n, size_t recent, struct snapshot_row *to)
{
	size_t count = 0, gap;

	for (size_t i = n; i > 0; i -= gap ? gap : 1) {
		for (gap = 0;
		     gap < i && !why[i - 1 - gap] && n - (i - gap) >= recent;
		     gap++)
			;
		if (gap == 1)
			gap = 0; /* it takes no more room itself */
		if (to)
			to[count] = (struct snapshot_row){ i - 1, gap,
				gap ? 0 : why[i - 1] };
		count++;
	}
	return count;
}

size_t
snapshot_rows(
    const struct snapshot_ask *q, struct snapshot_row **rows, size_t *cap)
{
	unsigned *why = xcalloc(q->count + 1, sizeof *why);
	size_t n = q->count, recent = RECENT_LEAST, count;

	if (n > 0) {
		find_extremes(q->points, n, why);
		find_losses(q->points, n, why);
		find_switches(q->points, n, why);
		find_kept(q, why);
	}
	/* A blank row below the last says that it is the last. */
	while (recent < n && put_rows(why, n, recent + 1, NULL) < q->height)
		recent++;
	count = put_rows(why, n, recent, NULL);
	*rows = vec_room(*rows, cap, count, sizeof **rows);
	put_rows(why, n, recent, *rows);
	free(why);
	return count;
}
