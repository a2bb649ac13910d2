#include "dumptext.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "conf.h"
#include "deflate.h"
#include "dumpkeys.h"
#include "encode.h"
#include "heapv2.h"
#include "os.h"
#include "rate.h"
#include "reset.h"
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
	const struct dump_about *about;
	double R;
	uint32_t stacks, cells, slots;
	size_t bytes;    /* of the mapping */
	uint32_t *first; /* of each stack: its first cell, 0 none */
	uint32_t *next;  /* of each cell: the stack's next */
	struct figures thread[TABLE_SLOTS];
	struct figures total;
	struct dump_samples samples;
	const char *mark;    /* before each line */
	struct deflate gzip; /* touched only if it is used */
};

static struct job *
job_new(void)
{
	const struct table_head *head = table_head();
	uint32_t stacks = __atomic_load_n(&head->stacks, __ATOMIC_ACQUIRE);
	uint32_t cells = __atomic_load_n(&head->cells, __ATOMIC_ACQUIRE);
	size_t bytes = sizeof(struct job) +
	    ((size_t)stacks + cells + 2) * sizeof(uint32_t);
	struct job *j = os_map(bytes);

	if (!j)
		return NULL;
	j->bytes = bytes;
	j->view = table_view();
	j->head = head;
	j->stacks = stacks;
	j->cells = cells;
	j->slots = head->slots;
	j->first = (uint32_t *)(void *)(j + 1);
	j->next = j->first + stacks + 1;
	return j;
}

/* A cell's figures, since the last prof.reset. */
static void
add(struct figures *to, uint32_t id, const struct cell_frame *c)
{
	double objects = (double)c->alloc_est_objects;
	double bytes = (double)c->alloc_est_bytes;

	to->live_objects +=
	    (double)c->live_est_objects / (1 << EST_OBJECT_SHIFT);
	to->live_bytes += (double)c->live_est_bytes / (1 << EST_BYTE_SHIFT);
	if (!conf.prof_accum)
		return;
	reset_take_off(id, &objects, &bytes);
	to->alloc_objects += objects / (1 << EST_OBJECT_SHIFT);
	to->alloc_bytes += bytes / (1 << EST_BYTE_SHIFT);
}

/* Of a pool: nothing of malloc's. */
static bool
is_pool(const struct job *j, uint32_t stack)
{
	const struct table_stack *s = table_stack_at(&j->view, stack);

	return s && (s->flags & STACK_POOL) != 0;
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
		if (is_pool(j, c.stack))
			continue;
		add(&j->thread[c.slot], i, &c);
		add(&j->total, i, &c);
		j->samples.all += c.alloc_raw_objects;
		j->samples.live += c.live_raw_objects;
	}
}

static bool
counts(const struct figures *f)
{
	return f->live_objects > 0 || f->alloc_objects > 0;
}

static void
sum_stack(const struct job *j, uint32_t id, struct figures *sum)
{
	struct cell_frame c;

	for (uint32_t i = j->first[id]; i; i = j->next[i]) {
		table_cell_read(table_cell_at(&j->view, i), &c);
		add(sum, i, &c);
	}
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
	writer_text(&j->w, j->mark);
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
put_rows(struct job *j, uint32_t id, const struct figures *sum)
{
	struct say_number num;
	struct cell_frame c;

	put_line(j, "*", sum);
	for (uint32_t i = j->first[id]; i; i = j->next[i]) {
		struct figures one = { 0, 0, 0, 0 };

		table_cell_read(table_cell_at(&j->view, i), &c);
		add(&one, i, &c);
		if (counts(&one))
			put_line(j, say_number(&num, c.slot), &one);
	}
}

static void
put_stack(struct job *j, uint32_t id, const uint64_t *f, unsigned n)
{
	struct figures sum = { 0, 0, 0, 0 };

	if (!f || j->first[id] == 0)
		return;
	sum_stack(j, id, &sum);
	if (!counts(&sum))
		return;
	writer_text(&j->w, j->mark);
	writer_text(&j->w, "@");
	for (uint32_t i = 0; i < n; i++) {
		writer_text(&j->w, " ");
		writer_hex(&j->w, address(j, f[i], i == 0));
	}
	writer_text(&j->w, "\n");
	put_rows(j, id, &sum);
}

static const uint64_t *
frames_of(const struct job *j, uint32_t id, unsigned *n)
{
	const struct table_stack *s = table_stack_at(&j->view, id);

	*n = s ? s->count : 0;
	return s ? table_at(&j->view, s->frames, s->count * sizeof(uint64_t))
		 : NULL;
}

static void
put_stacks(struct job *j)
{
	j->mark = "";
	for (uint32_t i = 1; i <= j->stacks; i++) {
		unsigned n;
		const uint64_t *f = frames_of(j, i, &n);

		if (!is_pool(j, i))
			put_stack(j, i, f, n);
	}
}

/* In lines that jeprof passes over, the name before each stack. */
static void
put_pools(struct job *j)
{
	j->mark = "# ";
	for (uint32_t i = 1; i <= j->stacks; i++) {
		unsigned n;
		const uint64_t *f = frames_of(j, i, &n);

		if (!is_pool(j, i) || !f || n < 2)
			continue;
		dumpkeys_pool(
		    &j->w, &j->view, (uint32_t)(f[n - 1] >> FRAME_OFFSET_BITS));
		put_stack(j, i, f, n - 1);
	}
}

static void
put_threads(struct job *j)
{
	for (uint32_t i = 0; i < j->slots; i++) {
		const struct table_slot *at = table_slot_at(&j->view, i);
		struct table_slot s = { 0 };

		if (at)
			table_slot_read(at, &s);
		if (s.state == SLOT_FREE)
			continue;
		writer_text(&j->w, "  t");
		writer_number(&j->w, i);
		writer_text(&j->w, ": ");
		put_figures(j, &j->thread[i]);
		if (s.name_len > 0 && s.name_len <= sizeof s.name) {
			writer_text(&j->w, " ");
			writer_bytes(&j->w, s.name, s.name_len);
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
	uint64_t R = UINT64_C(1) << rate_finest();

	j->R = (double)R;
	j->mark = "";
	writer_text(&j->w, "heap_v2/");
	writer_number(&j->w, R);
	writer_text(&j->w, "\n");
	dumpkeys_put(&j->w, &j->view, j->about, &j->samples);
	put_line(j, "*", &j->total);
	put_threads(j);
	put_stacks(j);
	put_pools(j);
	put_maps(j);
}

int
dumptext_write(int fd, bool gzip, const struct dump_about *about)
{
	struct job *j = job_new();
	int error;

	if (!j)
		return ENOMEM;
	j->about = about;
	writer_init(&j->w, fd, gzip ? &j->gzip : NULL);
	gather(j);
	put_all(j);
	error = writer_flush(&j->w);
	os_unmap(j, j->bytes);
	return error;
}

int
dumptext_live(struct dump_sums *sums,
    void (*each)(uint32_t stack, double bytes, double objects, void *arg),
    void *arg)
{
	struct job *j = job_new();

	*sums = (struct dump_sums){ 0, 0, 0 };
	if (!j)
		return -1;
	gather(j);
	sums->bytes = j->total.live_bytes;
	sums->objects = j->total.live_objects;
	for (uint32_t i = 1; i <= j->stacks; i++) {
		struct figures f = { 0, 0, 0, 0 };

		if (!is_pool(j, i))
			sum_stack(j, i, &f);
		if (!(f.live_objects > 0))
			continue;
		sums->stacks++;
		if (each)
			each(i, f.live_bytes, f.live_objects, arg);
	}
	os_unmap(j, j->bytes);
	return 0;
}
