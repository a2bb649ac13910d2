/* The options as a question to a profile. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/profile.h"
#include "model/query.h"
#include "options.h"

void
options_fini(struct options *o)
{
	pattern_free(o->query.focus);
	pattern_free(o->query.ignore);
	pattern_free(o->query.show);
	pattern_free(o->query.hide);
	pattern_free(o->list);
	free(o->line);
	pattern_free(o->above.where);
	pattern_free(o->growth.where);
	memset(o, 0, sizeof *o);
}

/* Dumps number threads as they come; what the system calls them comes first
 * where it is known. */
static int
find_thread(const struct profile *p, const char *typed, struct err *e)
{
	uint32_t id = (uint32_t)strtoul(typed, NULL, 10);
	uint32_t named = profile_thread_slots(p);
	const struct profile_cell *cells;
	size_t n;

	for (uint32_t slot = 0; slot < named; slot++)
		if (id && profile_thread_tid(p, (uint16_t)slot) == id)
			return (int)slot;
	cells = profile_cells(p, &n);
	for (size_t i = 0; i < n; i++)
		if (cells[i].slot == id)
			return (int)id;
	if (id < named)
		return (int)id;
	return err_set(
	    e, "there is no thread %s; --threads lists those there are", typed);
}

int
options_query(const struct options *o, const struct profile *p, struct query *q,
    struct err *e)
{
	const struct query_options *from = &o->query;
	const char *thread = from->thread;

	query_init(q);
	q->metric = o->metric;
	q->grouping = o->grouping;
	q->order = from->cum ? ORDER_CUM : ORDER_FLAT;
	q->invert = from->invert;
	q->drop_negative = from->drop_negative;
	q->focus = from->focus;
	q->ignore = from->ignore;
	q->show = from->show;
	q->hide = from->hide;
	q->min_size = (double)from->min_size;
	q->max_size = (double)from->max_size;
	if (p && thread && strcmp(thread, "*") != 0) {
		q->thread = find_thread(p, thread, e);
		if (q->thread < 0)
			return -1;
	}
	return 0;
}
