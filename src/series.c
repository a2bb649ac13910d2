#include "series.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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

/* Where the suffix begins; a prefix may look like one. */
static const char *
find_suffix(const char *name)
{
	const char *heap = NULL, *at = name;

	while ((at = strstr(at, ".heap")) != NULL)
		heap = at++;
	return heap;
}

/* Takes the numbers of "PREFIX.PID.SEQ.f.heap" or "...i12.heap.gz". */
static void
read_name(struct series_dump *d)
{
	const char *slash = strrchr(d->path, '/');
	const char *name = slash ? slash + 1 : d->path;
	const char *heap = find_suffix(name);
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

/* What is sorted: a dump and where it was given. */
struct entry {
	struct series_dump *dump;
	size_t given;
	uint64_t start; /* of its process, told or guessed */
};

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By pid, then start, those without one first. */
static int
by_start(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = compare(x->dump->pid, y->dump->pid);

	if (!c)
		c = compare(x->start, y->start);
	return c ? c : compare(x->given, y->given);
}

static int
by_number(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = compare(x->dump->seq, y->dump->seq);

	if (!c)
		c = compare(x->dump->now_ns, y->dump->now_ns);
	if (!c)
		c = compare(x->dump->type, y->dump->type);
	return c ? c : compare(x->given, y->given);
}

static int
by_clock(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = compare(x->dump->now_ns, y->dump->now_ns);

	return c ? c : compare(x->given, y->given);
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return compare(x->given, y->given);
}

/* The dumps of one process. */
static void
order_process(struct entry *list, size_t n, size_t process)
{
	bool numbered = true, clock = true;

	for (size_t i = 0; i < n; i++) {
		numbered = numbered && list[i].dump->numbered;
		clock = clock && list[i].dump->now_ns;
		list[i].dump->process = process;
		list[i].dump->last = false;
	}
	qsort(list, n, sizeof *list,
	    numbered    ? by_number
		: clock ? by_clock
			: by_place);
	list[n - 1].dump->last = true;
}

/* Dumps that do not tell the start are of the pid's last process; `list` is
 * sorted by start. */
static void
guess_starts(struct entry *list, size_t n)
{
	uint64_t last = 0;

	for (size_t i = n; i-- > 0;) {
		const struct entry *next = i + 1 < n ? &list[i + 1] : NULL;

		if (!next || next->dump->pid != list[i].dump->pid)
			last = list[i].start;
		if (!list[i].start)
			list[i].start = last;
	}
}

static size_t
order_all(struct entry *list, size_t n)
{
	size_t processes = 0, end;

	qsort(list, n, sizeof *list, by_start);
	guess_starts(list, n);
	qsort(list, n, sizeof *list, by_start);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n; end++)
			if (list[end].dump->pid != list[i].dump->pid ||
			    list[end].start != list[i].start)
				break;
		order_process(list + i, end - i, processes++);
	}
	return processes;
}

size_t
series_order(struct series_dump *dumps, size_t n, size_t *order)
{
	struct entry *list = xcalloc(n + 1, sizeof *list);
	size_t processes;

	for (size_t i = 0; i < n; i++) {
		read_name(&dumps[i]);
		list[i] = (struct entry){ &dumps[i], i, dumps[i].start };
	}
	processes = order_all(list, n);
	for (size_t i = 0; order && i < n; i++)
		order[i] = list[i].given;
	free(list);
	return processes;
}
