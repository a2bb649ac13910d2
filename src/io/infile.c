#include "io/infile.h"

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
	gzFile gz;
	char *name;
	unsigned char piece[PIECE];
	size_t at, have; /* unread part of piece */
	char *line;
	size_t cap;
	uint64_t number;
	int whole;
	uint64_t size; /* of the file, gzipped as it may be; 0: not known */
	struct progress progress;
};

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
	f = xcalloc(1, sizeof *f);
	f->name = xstrdup(strcmp(path, "-") == 0 ? "stdin" : path);
	f->gz = gzdopen(fd, "rb");
	if (f->gz == NULL) {
		close(fd);
		infile_close(f);
		err_set(e, "cannot read %s: out of memory", path);
		return NULL;
	}
	gzbuffer(f->gz, 128 * 1024);
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
	if (f->gz != NULL) {
		progress_end(&f->progress);
		gzclose(f->gz);
	}
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

/* gzread, with its errors as sentences. */
static long
read_some(struct infile *f, void *out, size_t size, struct err *e)
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

int
infile_line(struct infile *f, const char **line, size_t *len, struct err *e)
{
	size_t got = 0, seen = 0;

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
	if (got > 0 && f->whole && f->line[got - 1] == '\r')
		f->line[--got] = 0;
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
