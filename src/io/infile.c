#include "io/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/progress.h"
#include "prof/format.h"

#define PIECE   65536u
#define ENDLESS (64u << 20) /* bytes of a line that are read at most */

struct infile {
	gzFile gz;     /* NULL: a plain file, `fd` */
	int fd;        /* -1: gz has it */
	uint64_t read; /* bytes of a plain file so far */
	char *name;
	size_t at, have; /* unread part of piece */
	char *line;
	size_t cap;
	uint64_t number;
	int whole;
	uint64_t size; /* of the file, gzipped as it may be; 0: not known */
	struct progress progress;
	unsigned char piece[PIECE]; /* what is behind `have` is not set */
};

/* A file that can be read as it is.  What zlib is for cannot be told of a
 * pipe without reading it. */
static int
is_plain(int fd, const struct stat *st)
{
	unsigned char head[2];

	return S_ISREG(st->st_mode) &&
	    (pread(fd, head, sizeof head, 0) != sizeof head ||
		head[0] != 0x1f || head[1] != 0x8b);
}

static int
open_gz(struct infile *f)
{
	f->gz = gzdopen(f->fd, "rb");
	if (f->gz == NULL)
		return -1;
	f->fd = -1;
	gzbuffer(f->gz, 128 * 1024);
	return 0;
}

struct infile *
infile_open(const char *path, struct err *e)
{
	struct infile *f;
	struct stat st;
	int fd;

	if (strcmp(path, "-") == 0)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		err_sys(e, "cannot open %s", path);
		return NULL;
	}
	memset(&st, 0, sizeof st);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		err_set(e, "%s is a directory, not a file", path);
		return NULL;
	}
	f = xmalloc(sizeof *f);
	memset(f, 0, offsetof(struct infile, piece));
	f->name = xstrdup(strcmp(path, "-") == 0 ? "stdin" : path);
	f->fd = fd;
	if (!is_plain(fd, &st) && open_gz(f) < 0) {
		close(fd);
		free(f->name);
		free(f);
		err_set(e, "cannot read %s: out of memory", path);
		return NULL;
	}
	f->size =
	    S_ISREG(st.st_mode) && st.st_size > 0 ? (uint64_t)st.st_size : 0;
	progress_begin(&f->progress, f->name);
	return f;
}

void
infile_close(struct infile *f)
{
	if (f == NULL)
		return;
	progress_end(&f->progress);
	if (f->gz != NULL)
		gzclose(f->gz);
	else
		close(f->fd);
	free(f->name);
	free(f->line);
	free(f);
}

uint64_t
infile_line_number(const struct infile *f)
{
	return f->number;
}

int
infile_line_whole(const struct infile *f)
{
	return f->whole;
}

static long
read_plain(struct infile *f, void *out, size_t size, struct err *e)
{
	ssize_t n;

	do
		n = read(f->fd, out, size);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(e, "cannot read %s", f->name);
	f->read += (uint64_t)n;
	progress_step(&f->progress, f->read, f->size);
	return n;
}

/* gzread, with its errors as sentences. */
static long
read_gz(struct infile *f, void *out, size_t size, struct err *e)
{
	int n = gzread(f->gz, out, (unsigned)(size < PIECE ? size : PIECE));
	int code = 0;
	const char *why;

	if (n > 0) {
		progress_step(&f->progress, (uint64_t)gzoffset(f->gz), f->size);
		return n;
	}
	why = gzerror(f->gz, &code);
	if (code == Z_BUF_ERROR)
		return err_set(
		    e, "%s is cut: its gzip data ends early", f->name);
	if (code == Z_ERRNO)
		return err_sys(e, "cannot read %s", f->name);
	if (n < 0 || code != Z_OK)
		return err_set(e, "%s is damaged: %s", f->name, why);
	return 0;
}

static long
read_some(struct infile *f, void *out, size_t size, struct err *e)
{
	return f->gz != NULL ? read_gz(f, out, size, e)
			     : read_plain(f, out, size, e);
}

long
infile_read(struct infile *f, void *out, size_t size, struct err *e)
{
	size_t n = f->have - f->at;

	if (n == 0)
		return read_some(f, out, size, e);
	if (n > size)
		n = size;
	memcpy(out, f->piece + f->at, n);
	f->at += n;
	return (long)n;
}

int
infile_peek(struct infile *f, struct err *e)
{
	if (f->at == f->have) {
		long n = read_some(f, f->piece, PIECE, e);

		if (n <= 0)
			return n < 0 ? -1 : 256;
		f->at = 0;
		f->have = (size_t)n;
	}
	return f->piece[f->at];
}

/* Add to the line, as far as it may grow. */
static void
add(struct infile *f, size_t *len, const unsigned char *p, size_t n)
{
	if (n > INFILE_LINE_MAX - *len)
		n = INFILE_LINE_MAX - *len;
	if (*len + n + 1 > f->cap) {
		while (*len + n + 1 > f->cap)
			f->cap = f->cap ? 2 * f->cap : 256;
		f->line = xreallocarray(f->line, f->cap, 1);
	}
	memcpy(f->line + *len, p, n);
	*len += n;
	f->line[*len] = 0;
}

/* So long a line is no text: who fills a disk with zeros shall not keep us
 * reading. */
static int
endless(const struct infile *f, struct err *e)
{
	return err_set(e,
	    "%s holds no text from here on, but %u MiB without an end of the line",
	    f->name, ENDLESS >> 20);
}

static void
strip_cr(struct infile *f, char *line, size_t *len)
{
	if (*len > 0 && f->whole && line[*len - 1] == '\r')
		line[--*len] = 0;
}

/* A line that lies whole in the piece at hand stays there. */
static int
line_in_place(struct infile *f, const char **line, size_t *len)
{
	unsigned char *start = f->piece + f->at;
	unsigned char *nl = memchr(start, '\n', f->have - f->at);

	if (nl == NULL)
		return 0;
	*nl = 0;
	*len = (size_t)(nl - start);
	f->at += *len + 1;
	f->whole = 1;
	f->number++;
	strip_cr(f, (char *)start, len);
	*line = (const char *)start;
	return 1;
}

int
infile_line(struct infile *f, const char **line, size_t *len, struct err *e)
{
	size_t got = 0, seen = 0;

	if (line_in_place(f, line, len))
		return 1;
	f->whole = 0;
	add(f, &got, (const unsigned char *)"", 0);
	while (!f->whole) {
		const unsigned char *start, *nl;
		int next = infile_peek(f, e);
		size_t n;

		if (next < 0)
			return -1;
		if (next > 255)
			break;
		start = f->piece + f->at;
		nl = memchr(start, '\n', f->have - f->at);
		n = nl != NULL ? (size_t)(nl - start) : f->have - f->at;
		add(f, &got, start, n);
		seen += n;
		if (nl == NULL && seen > ENDLESS)
			return endless(f, e);
		f->at += n + (nl != NULL);
		f->whole = nl != NULL;
	}
	if (got == 0 && !f->whole)
		return 0;
	f->number++;
	strip_cr(f, f->line, &got);
	*line = f->line;
	*len = got;
	return 1;
}

static int
starts(const unsigned char *p, size_t n, const char *with)
{
	return n >= strlen(with) && memcmp(p, with, strlen(with)) == 0;
}

/* A recording begins with a hello's head and its magic. */
static int
is_stream(const unsigned char *p, size_t n)
{
	struct frame_head h;
	uint32_t magic;

	if (n < sizeof h + sizeof magic)
		return 0;
	memcpy(&h, p, sizeof h);
	memcpy(&magic, p + sizeof h, sizeof magic);
	return h.kind == FRAME_HELLO && h.zero == 0 && h.size <= FRAME_MAX &&
	    magic == FORMAT_MAGIC;
}

/*
 * profile.proto has no magic.  Its first fields are sample types and samples,
 * so a file begins with field 1 (length-delimited): 0x0a, a small length,
 * then the inner fields 1 and 2 as varints.
 */
static int
is_pprof(const unsigned char *p, size_t n)
{
	return n >= 4 && p[0] == 0x0a && p[1] >= 2 && p[1] <= 22 &&
	    (p[2] == 0x08 || p[2] == 0x10) && p[3] != 0;
}

/* A line of it somewhere in the first bytes of a text that is no script:
 * others write in front of a dump, too. */
static int
has_heap_v2(const unsigned char *p, size_t n)
{
	static const char mark[] = "\nheap_v2/";

	return !starts(p, n, "#!") && memchr(p, 0, n) == NULL &&
	    memmem(p, n, mark, sizeof mark - 1) != NULL;
}

/* What may stand before a header: warnings, and what jeprof says on stderr
 * when that went to the file, too. */
static int
is_preface(const unsigned char *p, size_t n)
{
	return n > 0 &&
	    (p[0] == '%' || starts(p, n, "Using local file ") ||
		starts(p, n, "Gathering CPU profile") ||
		starts(p, n, "Fetching "));
}

/* A row of --text: three shares among six columns.  A report without a total
 * begins with one. */
static int
is_row(const unsigned char *p, size_t n)
{
	const unsigned char *nl = memchr(p, '\n', n);
	size_t len = nl != NULL ? (size_t)(nl - p) : n;
	char line[128], end;
	double flat, share, run, cum, part;

	if (len >= sizeof line)
		len = sizeof line - 1;
	memcpy(line, p, len);
	line[len] = 0;
	return sscanf(line, " %lf %lf%% %lf%% %lf %lf%% %c", &flat, &share,
		   &run, &cum, &part, &end) == 6;
}

/* Its title and a figure. */
static int
is_total(const unsigned char *p, size_t n, const char *title)
{
	size_t len = strlen(title);

	return starts(p, n, title) && n > len &&
	    strchr("+-0123456789", p[len]) != NULL && p[len] != 0;
}

static int
is_report(const unsigned char *p, size_t n)
{
	return is_total(p, n, "Total: ") || starts(p, n, "Total (t") ||
	    is_total(p, n, "Delta: ") || is_row(p, n);
}

static enum file_kind
kind_of(const unsigned char *p, size_t n)
{
	if (is_stream(p, n))
		return FILE_STREAM;
	if (starts(p, n, "\xef\xbb\xbf")) {
		p += 3;
		n -= 3;
	}
	while (is_preface(p, n)) {
		const unsigned char *nl = memchr(p, '\n', n);

		if (nl == NULL)
			return FILE_OTHER;
		n -= (size_t)(nl + 1 - p);
		p = nl + 1;
	}
	if (starts(p, n, "heap_v2/"))
		return FILE_HEAP_V2;
	if (starts(p, n, "heap profile:"))
		return FILE_GPERF;
	if (starts(p, n, "--- symbol"))
		return FILE_SYMBOLIZED;
	if (is_report(p, n))
		return FILE_REPORT;
	if (has_heap_v2(p, n))
		return FILE_HEAP_V2;
	return is_pprof(p, n) ? FILE_PPROF : FILE_OTHER;
}

enum file_kind
infile_kind(const char *path)
{
	unsigned char head[4096];
	struct infile *f;
	struct stat st;
	size_t len = 0;
	long n;

	/* Never wait for the other end of a FIFO, nor wake a device. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return FILE_OTHER;
	f = infile_open(path, NULL);
	if (f == NULL)
		return FILE_OTHER;
	while (len < sizeof head &&
	    (n = infile_read(f, head + len, sizeof head - len, NULL)) > 0)
		len += (size_t)n;
	infile_close(f);
	return kind_of(head, len);
}
