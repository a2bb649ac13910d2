#include "series.h"

#include <string.h>

/* The number that ends before text[*end], 0 if there is none; moves *end to
 * its first digit. */
static uint64_t
number_before(const char *text, size_t *end)
{
	size_t i = *end;
	uint64_t value = 0;

	while (i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9')
		i--;
	for (size_t k = i; k < *end; k++)
		value = value * 10 + (uint64_t)(text[k] - '0');
	*end = i;
	return value;
}

/* The same, but there must be one, of at most 18 digits, behind a dot; moves
 * *end to the dot. */
static bool
field_before(const char *text, size_t *end, uint64_t *value)
{
	size_t was = *end;

	*value = number_before(text, end);
	if (*end == was || was - *end > 18 || *end == 0 ||
	    text[*end - 1] != '.')
		return false;
	--*end;
	return true;
}

/* Takes the numbers of "PREFIX.PID.SEQ.f.heap" or "...i12.heap.gz". */
static void
read_name(struct series_dump *d)
{
	const char *slash = strrchr(d->path, '/');
	const char *name = slash ? slash + 1 : d->path;
	const char *heap = strstr(name, ".heap");
	size_t end = heap ? (size_t)(heap - name) : 0;
	uint64_t pid;

	d->type = number_before(name, &end);
	if (end < 2 || !strchr("iumf", name[end - 1]) || name[end - 2] != '.')
		return;
	end -= 2;
	d->numbered =
	    field_before(name, &end, &d->seq) && field_before(name, &end, &pid);
	if (d->numbered && !d->pid)
		d->pid = pid;
}

static bool
same_process(const struct series_dump *a, const struct series_dump *b)
{
	return a->pid == b->pid &&
	    (!a->start || !b->start || a->start == b->start);
}

/* Is `a`, given first, later than `b`? */
static bool
later(const struct series_dump *a, const struct series_dump *b)
{
	if (a->numbered && b->numbered && a->seq != b->seq)
		return a->seq > b->seq;
	if (a->numbered && b->numbered && a->type != b->type)
		return a->type > b->type;
	return a->now_ns && b->now_ns && a->now_ns > b->now_ns;
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
