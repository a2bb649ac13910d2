#include "dumpfile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/gperffile.h"
#include "io/heapfile.h"
#include "io/heapread.h"
#include "io/infile.h"
#include "io/launch.h"
#include "io/pproffile.h"
#include "io/recordfile.h"
#include "io/symfile.h"
#include "io/textfile.h"
#include "options.h"

/* Why a file that was meant to be a dump is none. */
static int
no_dump(const char *path, struct err *e)
{
	struct stat st;
	int fd;

	if (stat(path, &st) < 0)
		return err_sys(e, "cannot read %s", path);
	if (S_ISDIR(st.st_mode))
		return err_set(e, "%s is a directory, not a dump", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e,
		    "%s is a FIFO, socket or device; a dump is read from a "
		    "file",
		    path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, "cannot read %s", path);
	close(fd);
	if (st.st_size == 0)
		return err_set(e, "%s is empty", path);
	return err_set(e,
	    "%s is in a format that cannot be read here; heap_v2 dumps, "
	    "gperftools' and symbolized profiles, pprof's, --text reports and "
	    "heaptop's recordings can",
	    path);
}

int
dumpfile_read(const char *path, const char *program, struct profile *p,
    struct buf *notes, struct err *e)
{
	struct heapread_from from = { path, program, NULL, notes };

	switch (infile_kind(path)) {
	case FILE_HEAP_V2: return heapfile_read(&from, p, e);
	case FILE_STREAM: return recordfile_read(path, p, notes, e);
	case FILE_GPERF: return gperffile_read(&from, p, e);
	case FILE_SYMBOLIZED: return symfile_read(&from, p, e);
	case FILE_PPROF: return pproffile_read(&from, p, e);
	case FILE_REPORT: return textfile_read(&from, p, e);
	case FILE_OTHER: break;
	}
	return no_dump(path, e);
}

int
dumpfile_program(const struct options *o, char **program, struct err *e)
{
	*program = NULL;
	if (!o->binary)
		return 0;
	if (access(o->binary, F_OK) == 0) {
		*program = xstrdup(o->binary);
		return 0;
	}
	return launch_find(o->binary, program, e) ? -1 : 0;
}
