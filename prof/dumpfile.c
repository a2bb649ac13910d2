#include "dumpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "conf.h"
#include "encode.h"
#include "heapv2.h"
#include "init.h"
#include "os.h"
#include "path.h"
#include "say.h"
#include "tablewrite.h"
#include "writer.h"

/* The figures of a row, live and accumulated. */
struct figures {
	double live_objects, live_bytes, alloc_objects, alloc_bytes;
};

/* What is needed while a dump is written, in one mapping. */
struct job {
	struct writer w;
	struct table_view view;
	const struct table_head *head;
	double R;
	uint32_t stacks, cells, slots;
	uint32_t *first; /* of each stack: its first cell, 0 none */
	uint32_t *next;  /* of each cell: the stack's next */
	struct figures thread[TABLE_SLOTS];
	struct figures total;
};

static void
add(struct figures *to, const struct cell_frame *c)
{
	to->live_objects +=
	    (double)c->live_est_objects / (1 << EST_OBJECT_SHIFT);
	to->live_bytes += (double)c->live_est_bytes / (1 << EST_BYTE_SHIFT);
	to->alloc_objects +=
	    (double)c->alloc_est_objects / (1 << EST_OBJECT_SHIFT);
	to->alloc_bytes += (double)c->alloc_est_bytes / (1 << EST_BYTE_SHIFT);
}

static void
put_pair(struct job *j, double objects, double bytes, const char *between)
{
	uint64_t n, s;

	heapv2_pair(objects, bytes, j->R, &n, &s);
	writer_number(&j->w, n);
	writer_text(&j->w, ": ");
	writer_number(&j->w, s);
	writer_text(&j->w, between);
}

static void
put_figures(struct job *j, const struct figures *f)
{
	put_pair(j, f->live_objects, f->live_bytes, " [");
	put_pair(j, f->alloc_objects, f->alloc_bytes, "]");
}

static void
put_line(struct job *j, const char *who, const struct figures *f)
{
	writer_text(&j->w, "  t");
	writer_text(&j->w, who);
	writer_text(&j->w, ": ");
	put_figures(j, f);
	writer_text(&j->w, "\n");
}

/* The address of a frame: a return address, but for the leaf. */
static uint64_t
address(const struct job *j, uint64_t frame, bool leaf)
{
	const struct table_module *m =
	    table_module_at(&j->view, (uint32_t)(frame >> FRAME_OFFSET_BITS));
	uint64_t a = (frame & FRAME_OFFSET_MASK) + (m ? m->bias : 0);

	return leaf ? a : a + 1;
}

static void
put_stack(struct job *j, uint32_t id)
{
	const struct table_stack *s = table_stack_at(&j->view, id);
	const uint64_t *f =
	    s ? table_at(&j->view, s->frames, s->count * sizeof *f) : NULL;
	struct figures sum = { 0, 0, 0, 0 };
	struct say_number num;
	struct cell_frame c;

	if (!f || j->first[id] == 0)
		return;
	for (uint32_t i = j->first[id]; i; i = j->next[i]) {
		table_cell_read(table_cell_at(&j->view, i), &c);
		add(&sum, &c);
	}
	if (!(sum.live_objects > 0))
		return;
	sum.alloc_objects = sum.alloc_bytes = 0;
	writer_text(&j->w, "@");
	for (uint32_t i = 0; i < s->count; i++) {
		writer_text(&j->w, " ");
		writer_hex(&j->w, address(j, f[i], i == 0));
	}
	writer_text(&j->w, "\n");
	put_line(j, "*", &sum);
	for (uint32_t i = j->first[id]; i; i = j->next[i]) {
		struct figures one = { 0, 0, 0, 0 };

		table_cell_read(table_cell_at(&j->view, i), &c);
		add(&one, &c);
		one.alloc_objects = one.alloc_bytes = 0;
		if (one.live_objects > 0)
			put_line(j, say_number(&num, c.slot), &one);
	}
}

/* Chain the cells of each stack and sum them up. */
static void
gather(struct job *j)
{
	for (uint32_t i = j->cells; i > 0; i--) {
		const struct table_cell *p = table_cell_at(&j->view, i);
		struct cell_frame c;

		if (!p)
			continue;
		table_cell_read(p, &c);
		if (c.stack == 0 || c.stack > j->stacks ||
		    c.slot >= TABLE_SLOTS)
			continue;
		j->next[i] = j->first[c.stack];
		j->first[c.stack] = i;
		add(&j->thread[c.slot], &c);
		add(&j->total, &c);
	}
}

static void
put_loss(struct job *j, const char *key, enum loss what)
{
	writer_text(&j->w, "# heaptop ");
	writer_text(&j->w, key);
	writer_text(&j->w, "=");
	writer_number(&j->w, j->head->lost[what]);
	writer_text(&j->w, "\n");
}

static void
put_extras(struct job *j)
{
	writer_text(&j->w, "# heaptop leaf=call\n# heaptop lg_sample=");
	writer_number(&j->w, j->head->lg_sample);
	writer_text(&j->w, "\n# heaptop live_bytes=");
	writer_number(&j->w, j->head->exact.live_bytes);
	writer_text(&j->w, "\n# heaptop live_objects=");
	writer_number(&j->w, j->head->exact.live_objects);
	writer_text(&j->w, "\n# heaptop alloc_bytes=");
	writer_number(&j->w, j->head->exact.alloc_bytes);
	writer_text(&j->w, "\n");
	put_loss(j, "lost_table_full", LOST_TABLE_FULL);
	put_loss(j, "lost_starting", LOST_STARTING);
	put_loss(j, "lost_nested", LOST_NESTED);
	put_loss(j, "lost_nomem", LOST_NOMEM);
	put_loss(j, "cut_depth", CUT_DEPTH);
	put_loss(j, "cut_unwind", CUT_UNWIND);
	put_loss(j, "guessed", GUESSED);
}

static void
put_threads(struct job *j)
{
	for (uint32_t i = 0; i < j->slots; i++) {
		const struct table_slot *s = table_slot_at(&j->view, i);

		if (!s || s->state == SLOT_FREE)
			continue;
		j->thread[i].alloc_objects = j->thread[i].alloc_bytes = 0;
		writer_text(&j->w, "  t");
		writer_number(&j->w, i);
		writer_text(&j->w, ": ");
		put_figures(j, &j->thread[i]);
		if (s->name_len > 0) {
			writer_text(&j->w, " ");
			writer_bytes(&j->w, s->name, s->name_len);
		}
		writer_text(&j->w, "\n");
	}
}

/* A copy of the mappings, as jemalloc's dumps have it. */
static void
put_maps(struct job *j)
{
	long fd = os_syscall(
	    SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	char buf[4096];
	long n;

	writer_text(&j->w, "\nMAPPED_LIBRARIES:\n");
	if (fd < 0)
		return;
	while ((n = os_syscall(SYS_read, fd, buf, sizeof buf)) > 0)
		writer_bytes(&j->w, buf, (size_t)n);
	os_syscall(SYS_close, fd);
}

static void
put_all(struct job *j)
{
	uint64_t R = UINT64_C(1) << j->head->lg_sample;

	j->R = (double)R;
	j->total.alloc_objects = j->total.alloc_bytes = 0;
	writer_text(&j->w, "heap_v2/");
	writer_number(&j->w, R);
	writer_text(&j->w, "\n");
	put_extras(j);
	put_line(j, "*", &j->total);
	put_threads(j);
	for (uint32_t i = 1; i <= j->stacks; i++)
		put_stack(j, i);
	put_maps(j);
}

/* Write the whole dump to fd; 0 or an errno value. */
static int
write_dump(int fd)
{
	const struct table_head *head = table_head();
	uint32_t stacks = head->stacks, cells = head->cells;
	size_t bytes = sizeof(struct job) +
	    ((size_t)stacks + cells + 2) * sizeof(uint32_t);
	struct job *j = os_map(bytes);
	int error;

	if (!j)
		return ENOMEM;
	writer_init(&j->w, fd);
	j->view = table_view();
	j->head = head;
	j->stacks = stacks;
	j->cells = cells;
	j->slots = head->slots;
	j->first = (uint32_t *)(void *)(j + 1);
	j->next = j->first + stacks + 1;
	gather(j);
	put_all(j);
	error = writer_flush(&j->w);
	os_unmap(j, bytes);
	return error;
}

static bool
is_directory(const char *path)
{
	struct stat st;

	return os_syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 &&
	    S_ISDIR(st.st_mode);
}

static const char *
program(void)
{
	const struct table_head *h = table_head();
	static char path[256];
	uint32_t len = h->hello.image_len, i = len;
	const char *p = h->image ? table_ptr(h->image) : "";

	while (i > 0 && p[i - 1] != '/')
		i--;
	len -= i;
	if (len == 0 || len >= sizeof path)
		return "program";
	memcpy(path, p + i, len);
	path[len] = '\0';
	return path;
}

/* Names of the guides: see facts of DESIGN, "Stream and files". */
static bool
make_name(char *path, size_t cap)
{
	struct say_number a, b;
	const char *pid = say_number(&a, init_pid());
	struct timespec now = { 0, 0 };

	path[0] = '\0';
	if (!is_directory(conf.prefix))
		return path_append(path, cap, conf.prefix) &&
		    path_append(path, cap, ".") &&
		    path_append(path, cap, pid) &&
		    path_append(path, cap, ".0.f.heap");
	clock_gettime(CLOCK_REALTIME, &now);
	return path_append(path, cap, conf.prefix) &&
	    path_append(path, cap, "/") && path_append(path, cap, program()) &&
	    path_append(path, cap, ".") && path_append(path, cap, pid) &&
	    path_append(path, cap, ".") &&
	    path_append(path, cap, say_number(&b, (uint64_t)now.tv_sec)) &&
	    path_append(path, cap, ".f.heap");
}

/* What the usual errors mean here; NULL for others. */
static const char *
reason(int error)
{
	switch (error) {
	case EACCES: return "permission denied";
	case ENOENT: return "its directory is not there";
	case ENOTDIR: return "a part of its path is no directory";
	case ENOSPC: return "no space is left on the device";
	case EROFS: return "the file system is read-only";
	case EDQUOT: return "the disk quota is used up";
	case EFBIG: return "files may not grow that large (ulimit -f)";
	case EMFILE: return "too many files are open";
	case ENOMEM: return "no memory";
	default: return NULL;
	}
}

/* The path comes last: a long one is cut, not the reason. */
static void
failed(const char *path, int error)
{
	struct say_number num;
	const char *why = reason(error);

	say("the dump could not be written: ", why ? why : "error ",
	    why ? "" : say_number(&num, (uint64_t)error), ": ", path, NULL);
}

/*
 * Where files may not grow beyond a limit (RLIMIT_FSIZE), the write that
 * would, also brings SIGXFSZ, which ends a program.  The limit is meant for
 * the program's files, not to be its end on account of ours: the signal is
 * held back, and taken, if it was not there before.
 */
struct held {
	uint64_t mask;
	bool pending;
};

#define XFSZ (UINT64_C(1) << (SIGXFSZ - 1))

static void
hold_signal(struct held *h)
{
	uint64_t block = XFSZ, pending = 0;

	os_syscall(
	    SYS_rt_sigprocmask, SIG_BLOCK, &block, &h->mask, sizeof block);
	os_syscall(SYS_rt_sigpending, &pending, sizeof pending);
	h->pending = (pending & XFSZ) != 0;
}

static void
release_signal(const struct held *h)
{
	struct timespec now = { 0, 0 };
	uint64_t take = XFSZ;

	if (!h->pending)
		os_syscall(SYS_rt_sigtimedwait, &take, NULL, &now, sizeof take);
	os_syscall(
	    SYS_rt_sigprocmask, SIG_SETMASK, &h->mask, NULL, sizeof h->mask);
}

int
dumpfile_write(const char *path)
{
	char temporary[PATH_BYTES];
	struct held held;
	long fd;
	int error;

	temporary[0] = '\0';
	if (!table_head())
		return EAGAIN;
	if (!path_append(temporary, sizeof temporary, path) ||
	    !path_append(temporary, sizeof temporary, ".part"))
		return ENAMETOOLONG;
	fd = os_syscall(SYS_openat, AT_FDCWD, temporary,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return (int)-fd;
	hold_signal(&held);
	error = write_dump((int)fd);
	release_signal(&held);
	os_syscall(SYS_close, fd);
	if (error == 0)
		error = (int)-os_syscall(
		    SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path, 0);
	if (error != 0)
		os_syscall(SYS_unlinkat, AT_FDCWD, temporary, 0);
	return error;
}

void
dumpfile_final(void)
{
	char path[sizeof conf.prefix + 300];
	int error;

	if (!table_head() || !make_name(path, sizeof path))
		return;
	error = dumpfile_write(path);
	if (error != 0)
		failed(path, error);
}
