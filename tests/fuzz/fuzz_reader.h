/*
 * Hostile bytes as a file for one of the readers of dumps: it ends with a
 * snapshot or a sentence.
 */
#ifndef FUZZ_READER_H
#define FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/heapread.h"
#include "io/infile.h"
#include "model/profile.h"

static inline int
fuzz_reader(int (*read_file)(const struct heapread_from *from,
		struct profile *p, struct err *e),
    const uint8_t *data, size_t size)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct err e;
	char path[64];
	struct heapread_from from = { .path = path, .notes = &notes };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		(void)infile_kind(path);
		(void)read_file(&from, p, &e);
	}
	if (fd >= 0)
		close(fd);
	buf_fini(&notes);
	profile_free(p);
	return 0;
}

#endif
