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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
		(void)heapfile_read(&from, p, &e);
	}
	if (fd >= 0)
		close(fd);
	buf_fini(&notes);
	profile_free(p);
	return 0;
}
