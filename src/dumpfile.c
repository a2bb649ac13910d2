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
	struct heapread_from from = { path, program, NULL, notes, NULL };

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

static int
next_heap_v2(struct dumpfile_series *s, const char *path, const char *program,
    struct buf *notes, struct err *e)
{
	struct heapread_from from = { path, program, NULL, notes, &s->kept };
	const struct profile *before = s->last;
	int got = heapfile_read(&from, NULL, e);

	s->last = got < 0 ? NULL : s->kept.profile;
	s->more = got >= 0 && s->kept.more && before == s->last;
	return got;
}

int
dumpfile_next(struct dumpfile_series *s, const char *path, const char *program,
    struct buf *notes, struct err *e)
{
	int got;

	profile_free(s->other);
	s->other = NULL;
	if (infile_kind(path) == FILE_HEAP_V2)
		return next_heap_v2(s, path, program, notes, e);
	s->other = profile_new();
	got = dumpfile_read(path, program, s->other, notes, e);
	s->last = got < 0 ? NULL : s->other;
	s->more = false;
	return got;
}

void
dumpfile_series_fini(struct dumpfile_series *s)
{
	heapread_kept_fini(&s->kept);
	profile_free(s->other);
	*s = (struct dumpfile_series){ .more = false };
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
