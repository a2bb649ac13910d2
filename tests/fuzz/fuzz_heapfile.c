/*
 * The reader of heap_v2 files and hostile bytes: it ends with a snapshot or a
 * sentence.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/heapfile.h"
#include "io/heapread.h"
#include "io/infile.h"
#include "model/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As a file of its own. */
static void
alone(const char *path)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct err e;
	struct heapread_from from = { .path = path, .notes = &notes };

	(void)infile_kind(path);
	(void)heapfile_read(&from, p, &e);
	buf_fini(&notes);
	profile_free(p);
}

/* As one of a series: with itself, and with its first half. */
static void
in_series(struct heapread_kept *k, const char *path)
{
	struct buf notes = BUF_INIT;
	struct err e;
	struct heapread_from from = {
		.path = path, .notes = &notes, .kept = k
	};

	(void)heapfile_read(&from, NULL, &e);
	buf_fini(&notes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct heapread_kept k = { .more = false };
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		alone(path);
		in_series(&k, path);
		in_series(&k, path);
		if (ftruncate(fd, (off_t)(size / 2)) == 0)
			in_series(&k, path);
		in_series(&k, path);
	}
	if (fd >= 0)
		close(fd);
	heapread_kept_fini(&k);
	return 0;
}
