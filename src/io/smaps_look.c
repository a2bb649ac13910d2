/* A look at a running process: its smaps, the ranges its table tells, and
 * pages where a mapping has several owners. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/loop.h"
#include "io/procfs.h"
#include "io/smaps.h"
#include "model/memory.h"
#include "prof/table.h"

#define TRIES 4 /* to read ranges while nobody writes them */
/* Bytes of pagemap read in one look, at most; shares are estimated then. */
#define PAGEMAP_MOST (UINT64_C(64) << 20)

/* ---- ranges of the table ----------------------------------------------- */

/* Exactly so many bytes. */
static bool
read_at(int fd, void *to, size_t want, uint64_t at)
{
	char *p = to;

	while (want > 0) {
		ssize_t n = pread(fd, p, want, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		want -= (size_t)n;
		at += (uint64_t)n;
	}
	return true;
}

static int
by_start(const void *a, const void *b)
{
	const struct smaps_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Those that are ranges; false if some are not told. */
static bool
take_ranges(const struct table_extents *x, struct smaps_owned *to)
{
	uint32_t n = x->count < EXTENTS_MAX ? x->count : EXTENTS_MAX;

	to->count = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t start = x->at[i].start, bytes = x->at[i].bytes;

		if (bytes && start + bytes > start)
			to->at[to->count++] =
			    (struct smaps_range){ start, start + bytes };
	}
	qsort(to->at, to->count, sizeof *to->at, by_start);
	return x->count <= EXTENTS_MAX && x->missed == 0;
}

struct owned {
	struct smaps_range at[EXTENTS_KINDS][EXTENTS_MAX];
	struct smaps_owned kind[EXTENTS_KINDS];
};

/* The table's own numbers are written while we read: a sequence number tells
 * whether they have stayed.  False: they are not known. */
static bool
read_owned(int table, struct owned *o)
{
	const size_t from = offsetof(struct table_head, extents_magic);
	struct table_head *h = xcalloc(1, sizeof *h);
	uint32_t before = 1, after = 0;
	bool known = false;

	for (int i = 0; i < EXTENTS_KINDS; i++)
		o->kind[i] = (struct smaps_owned){ o->at[i], 0 };
	for (int i = 0; i < TRIES && table >= 0 && !known; i++) {
		const uint64_t seq = offsetof(struct table_head, exact_seq);

		if (!read_at(table, &before, sizeof before, seq) ||
		    !read_at(
			table, &h->extents_magic, sizeof *h - from, from) ||
		    !read_at(table, &after, sizeof after, seq))
			break;
		known = before == after && before % 2 == 0 &&
		    h->extents_magic == EXTENTS_MAGIC;
	}
	for (int i = 0; i < EXTENTS_KINDS && known; i++)
		known = take_ranges(&h->extents[i], &o->kind[i]);
	for (int i = 0; i < EXTENTS_KINDS && !known; i++)
		o->kind[i].count = 0;
	free(h);
	return known;
}

/* ---- pages ------------------------------------------------------------- */

struct pagemap {
	int fd;
	uint64_t page, left;
};

static bool
count_pages(void *arg, uint64_t start, uint64_t end, struct smaps_pages *out)
{
	struct pagemap *p = arg;
	uint64_t at = start / p->page, to = end / p->page;
	uint64_t entry[1024];

	*out = (struct smaps_pages){ 0, 0 };
	if (p->fd < 0 || (to - at) * sizeof *entry > p->left)
		return false;
	p->left -= (to - at) * sizeof *entry;
	while (at < to) {
		size_t n = sizeof entry / sizeof *entry;

		n = to - at < n ? (size_t)(to - at) : n;
		if (!read_at(
			p->fd, entry, n * sizeof *entry, at * sizeof *entry))
			return false;
		for (size_t i = 0; i < n; i++) {
			out->present += (entry[i] >> 63) * p->page;
			out->swapped += (entry[i] >> 62 & 1) * p->page;
		}
		at += n;
	}
	return true;
}

/* ---- the whole --------------------------------------------------------- */

static int
open_proc(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int
read_smaps(pid_t pid, struct smaps *s, struct err *e)
{
	int fd = open_proc(pid, "smaps");
	char part[8192];
	ssize_t n = -1;

	if (fd >= 0) {
		while ((n = read(fd, part, sizeof part)) > 0 ||
		    (n < 0 && errno == EINTR))
			smaps_feed(s, part, n > 0 ? (size_t)n : 0);
		smaps_end(s);
	}
	if (n < 0)
		err_sys(
		    e, "cannot read the mappings of process %ld", (long)pid);
	if (fd >= 0)
		close(fd);
	if (n == 0 && s->count == 0)
		return err_set(
		    e, "process %ld has no mappings any more", (long)pid);
	return n < 0 ? -1 : 0;
}

int
smaps_look(pid_t pid, int table, struct memory_seen *to, struct err *e)
{
	struct smaps s = { 0 };
	struct memory_sum *sum;
	struct procfs_stat st;
	struct pagemap pages = { .left = PAGEMAP_MOST };
	struct owned *owned;
	bool known;

	if (read_smaps(pid, &s, e) < 0) {
		smaps_fini(&s);
		return -1;
	}
	owned = xcalloc(1, sizeof *owned);
	known = read_owned(table, owned);
	pages.fd = open_proc(pid, "pagemap");
	pages.page = (uint64_t)sysconf(_SC_PAGESIZE);
	sum = memory_sum_new();
	smaps_classify(&s, &owned->kind[EXTENTS_HEAP],
	    &owned->kind[EXTENTS_OWN], count_pages, &pages, sum);
	memory_sum_finish(sum, to);
	to->ns = loop_clock_ns();
	to->heap_known = known;
	to->mappings = (uint32_t)s.count;
	if (procfs_stat(pid, &st) == 0) {
		to->major_faults = st.major_faults;
		to->minor_faults = st.minor_faults;
	}
	if (pages.fd >= 0)
		close(pages.fd);
	free(owned);
	smaps_fini(&s);
	return 0;
}
