#include "series.h"

#include <string.h>

/* The number that ends at text[*end - 1], behind a dot; moves *end to the
 * dot.  False if there is none. */
static bool
number_before(const char *text, size_t *end, uint64_t *value)
{
	size_t i = *end;

	while (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9')
		i--;
	if (i == *end || *end - i > 18 || i == 0 || text[i - 1] != '.')
		return false;
	*value = 0;
	for (size_t k = i; k < *end; k++)
		*value = *value * 10 + (uint64_t)(text[k] - '0');
	*end = i - 1;
	return true;
}

/* Takes pid and number from "PREFIX.PID.SEQ.f.heap" or "...i12.heap.gz". */
static void
read_name(struct series_dump *d)
{
	const char *slash = strrchr(d->path, '/');
	const char *name = slash ? slash + 1 : d->path;
	const char *heap = strstr(name, ".heap");
	size_t end;
	uint64_t pid;

	d->seq = 0;
	if (!heap)
		return;
	end = (size_t)(heap - name);
	while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
		end--;
	if (end < 2 || !strchr("iumf", name[end - 1]) || name[end - 2] != '.')
		return;
	end -= 2;
	if (!number_before(name, &end, &d->seq) ||
	    !number_before(name, &end, &pid)) {
		d->seq = 0;
		return;
	}
	if (!d->pid)
		d->pid = pid;
}

static bool
same_process(const struct series_dump *a, const struct series_dump *b)
{
	return a->pid == b->pid &&
	    (!a->image || !b->image || a->image == b->image);
}

/* Is `a`, given first, later than `b`? */
static bool
later(const struct series_dump *a, const struct series_dump *b)
{
	if (a->now_ns && b->now_ns)
		return a->now_ns > b->now_ns;
	return a->seq > b->seq;
}

size_t
series_pick(struct series_dump *dumps, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		read_name(&dumps[i]);
	for (size_t i = 0; i < n; i++) {
		dumps[i].last = true;
		for (size_t j = 0; j < i; j++) {
			if (!dumps[j].last ||
			    !same_process(&dumps[i], &dumps[j]))
				continue;
			if (later(&dumps[j], &dumps[i]))
				dumps[i].last = false;
			else
				dumps[j].last = false;
		}
	}
	for (size_t i = 0; i < n; i++)
		count += dumps[i].last;
	return count;
}
