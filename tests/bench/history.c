/*
 * Two days of a program at a snapshot a second, told to the decoder as the
 * stream tells it, into a profile and its history, in virtual time; then
 * reports at random moments.  What it costs: memory, time of a snapshot, time
 * of a report.
 *
 * The program: STACKS call stacks of 10 to 40 frames, each sharing all but
 * its 1 to 8 innermost frames with an earlier one, through 4,000 functions
 * with 5 call sites each; every stack in THREADS threads.  In each second PER
 * MILLE of all cells change, three in four of them among a tenth that is
 * busy; one stack in a hundred never frees.
 *
 *	history [-n STACKS] [-t THREADS] [-p PERMILLE] [-h HOURS] [-r REPORTS]
 *	    [-u]
 *
 * -u: all stacks are equally busy, the worst case for history.  Rows are
 * "NAME VALUE BUDGET", a budget of 0 is none.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/dumpread.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "prof/format.h"

#define FUNCTIONS       4000u
#define SITES           5u
#define DEPTH_MAX       40u
#define FRAME_CELLS_MAX (FRAME_MAX / sizeof(struct cell_frame))
#define S               UINT64_C(1000000000)
#define REPORTS_MAX     1000u

static unsigned stacks = 10000, threads = 1, permille = 50, hours = 48;
static unsigned report_count = 50;
static bool uniform;
static uint64_t seed = 42;

/* One (stack, thread) of the program. */
struct cell {
	uint32_t live, allocated; /* samples */
	uint32_t size;
};

static struct cell *cells;
static struct buf out;
static struct end_frame sent;

static uint32_t
draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)((seed >> 16) % below);
}

/* CPU time, as others may be busy on this machine. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
rss_mib(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	if (!f || fscanf(f, "%*s %ld", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

static double
peak_mib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

static void
row(const char *name, double value, double budget)
{
	printf("%u_stacks %s %.2f %.0f\n", stacks, name, value, budget);
	fflush(stdout);
}

/* ---- the stream -------------------------------------------------------------- */

static void
frame(unsigned kind, const void *data, size_t size)
{
	struct frame_head h = { (uint32_t)size, (uint16_t)kind, 0 };

	buf_put(&out, &h, sizeof h);
	buf_put(&out, data, size);
}

static void
hello(void)
{
	struct hello h = { .magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION,
		.pid = 77,
		.image_ns = S };

	memset(&sent, 0, sizeof sent);
	frame(FRAME_HELLO, &h, sizeof h);
}

static void
module(void)
{
	struct {
		struct module_frame m;
		char text[8];
	} f = { .m = { .id = 1,
		    .path_len = 6,
		    .build_id_len = 2,
		    .start = 0x400000,
		    .end = 0x400000 + UINT64_C(256) * FUNCTIONS,
		    .bias = 0x400000 } };

	memcpy(f.text, "\1\2/bin/x", 8);
	frame(FRAME_MODULE, &f, sizeof f);
	sent.modules++;
}

static void
thread(unsigned slot)
{
	struct {
		struct thread_frame t;
		char name[8];
	} f = { .t = { .slot = (uint16_t)slot, .name_len = 8, .tid = slot } };

	memcpy(f.name, "worker-x", 8);
	frame(FRAME_THREAD, &f, sizeof f);
	sent.threads++;
}

static uint64_t
place(void)
{
	return UINT64_C(1) << FRAME_OFFSET_BITS |
	    (uint64_t)(draw(FUNCTIONS) * 256 + draw(SITES) * 16 + 1);
}

/* Leaf first; `all` holds those before, root first. */
static void
stack(uint32_t id, uint64_t (*all)[DEPTH_MAX + 1])
{
	struct {
		struct stack_frame s;
		uint64_t at[DEPTH_MAX];
	} f;
	uint64_t *mine = all[id];
	unsigned n = 0;

	if (id > 1) {
		const uint64_t *from = all[1 + draw(id - 1)];
		unsigned cut = 1 + draw(8);

		n = (unsigned)from[DEPTH_MAX];
		n = n > cut ? n - cut : 1;
		memcpy(mine, from, n * sizeof *mine);
	}
	for (unsigned more = 1 + draw(8); more > 0 || n < 10; n++) {
		if (n == DEPTH_MAX)
			break;
		mine[n] = place();
		more -= more > 0;
	}
	mine[DEPTH_MAX] = n;
	f.s = (struct stack_frame){ id, (uint16_t)n, 0 };
	for (unsigned i = 0; i < n; i++)
		f.at[i] = mine[n - 1 - i];
	frame(FRAME_STACK, &f, sizeof f.s + n * sizeof f.at[0]);
	sent.stacks++;
}

static void
all_stacks(void)
{
	uint64_t(*all)[DEPTH_MAX + 1] =
	    xcalloc((size_t)stacks + 1, sizeof *all);

	for (uint32_t id = 1; id <= stacks; id++)
		stack(id, all);
	free(all);
}

static void
put_cell(struct cell_frame *to, uint32_t number)
{
	const struct cell *c = &cells[number];
	uint64_t each = c->size < 65536 ? 65536 : c->size;
	double objects = (double)each / c->size;

	memset(to, 0, sizeof *to);
	to->stack = number / threads + 1;
	to->slot = (uint16_t)(number % threads + 1);
	to->live_raw_objects = c->live;
	to->alloc_raw_objects = c->allocated;
	to->live_raw_bytes = (uint64_t)c->live * c->size;
	to->alloc_raw_bytes = (uint64_t)c->allocated * c->size;
	to->live_est_bytes = (c->live * each) << EST_BYTE_SHIFT;
	to->alloc_est_bytes = (c->allocated * each) << EST_BYTE_SHIFT;
	to->live_est_objects = (uint64_t)(c->live * objects * 65536);
	to->alloc_est_objects = (uint64_t)(c->allocated * objects * 65536);
	to->live_var_bytes = c->live * (double)each * (double)each;
	to->live_var_objects = c->live * objects * objects;
	to->alloc_var_bytes = c->allocated * (double)each * (double)each;
	to->alloc_var_objects = c->allocated * objects * objects;
}

/* Some seconds of a cell's life. */
static void
step(uint32_t number)
{
	struct cell *c = &cells[number];
	uint32_t more = 1 + draw(4);

	c->allocated += more;
	c->live += more;
	if (number / threads % 100 != 0)
		c->live -= draw(c->live / 2 + more + 1) % (c->live + 1);
}

static void
send_cells(const uint32_t *numbers, uint32_t count)
{
	static struct cell_frame f[FRAME_CELLS_MAX];

	for (uint32_t i = 0; i < count;) {
		size_t n = 0;

		for (; i < count && n < FRAME_CELLS_MAX; i++)
			put_cell(&f[n++], numbers ? numbers[i] : i);
		frame(FRAME_CELLS, f, n * sizeof f[0]);
		sent.cells += (uint32_t)n;
	}
}

static void
finish_dump(uint64_t second)
{
	struct totals t = { .now_ns = second * S,
		.exact_ns = second * S,
		.lg_sample = 16,
		.active = 1 };

	frame(FRAME_TOTALS, &t, sizeof t);
	frame(FRAME_END, &sent, sizeof sent);
}

static int
ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* What changes in a second, each cell once, in order. */
static uint32_t
choose(uint32_t *to, uint32_t all)
{
	uint32_t n = (uint32_t)((uint64_t)all * permille / 1000), kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool busy = !uniform && i % 4 != 0;

		to[i] = busy ? draw(all / 10 + 1) * 10 % all : draw(all);
	}
	qsort(to, n, sizeof *to, ascending);
	for (uint32_t i = 0; i < n; i++) {
		if (kept == 0 || to[kept - 1] != to[i])
			to[kept++] = to[i];
	}
	return kept;
}

/* ---- what is measured ---------------------------------------------------------- */

static void
feed(struct dumpread *d)
{
	struct err e;

	if (dumpread_feed(d, out.data, out.len, &e) < 0) {
		fprintf(stderr, "history: %s\n", e.msg);
		exit(1);
	}
	buf_clear(&out);
}

static void
give_names(struct profile *p)
{
	struct frames *f = profile_frames(p);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		uint64_t at = frames_offset(f, id) / 256;
		char name[64], file[64];
		struct frame_name n = { name, file,
			1 + (uint32_t)(frames_offset(f, id) % 256) };

		snprintf(name, sizeof name, "part%u::function_%u(int)",
		    (unsigned)(at % 50), (unsigned)at);
		snprintf(file, sizeof file, "part%u/file%u.cc",
		    (unsigned)(at % 50), (unsigned)(at / 10));
		frames_set_names(f, id, &n, 1);
	}
}

static void
live(struct dumpread *d, uint32_t all)
{
	uint64_t last = (uint64_t)hours * 3600;
	uint32_t *numbers = xcalloc((size_t)all + 1, sizeof *numbers);
	double spent = 0, most = 0, begin = now();

	for (uint64_t t = 2; t <= last; t++) {
		uint32_t n = choose(numbers, all);
		double from, took;

		for (uint32_t i = 0; i < n; i++)
			step(numbers[i]);
		hello();
		send_cells(numbers, n);
		finish_dump(t);
		from = now();
		feed(d);
		took = now() - from;
		spent += took;
		if (took > most)
			most = took;
	}
	free(numbers);
	row("run_s", now() - begin, 0);
	row("snapshot_mean_ms", spent / (double)(last - 1) * 1000, 0);
	row("snapshot_max_ms", most * 1000, 0);
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static snap_id
moment(const struct profile *p)
{
	const struct history *h = profile_history(p);

	return history_at(h, draw((uint32_t)history_count(h)))->id;
}

/* What is looked at: the newest moment; one at random, compared with a mark
 * that stays, as who steps through them sees it; two at random. */
enum look {
	NEWEST,
	PAST,
	TWO_PAST,
};

static void
reports(const struct profile *p, struct query q, enum look look,
    const char *name, double budget)
{
	double took[REPORTS_MAX];
	char text[64];

	for (unsigned i = 0; i < report_count; i++) {
		struct report *r;
		double from;

		if (look != NEWEST)
			q.at = moment(p);
		if (look == TWO_PAST || (look == PAST && i == 0))
			q.base = moment(p);
		from = now();
		r = report_build(&p, 1, &q);
		took[i] = (now() - from) * 1000;
		report_free(r);
	}
	snprintf(text, sizeof text, "%s_first_ms", name);
	row(text, took[0], 0);
	qsort(took, report_count, sizeof took[0], by_size);
	snprintf(text, sizeof text, "%s_median_ms", name);
	row(text, took[report_count / 2], budget);
	snprintf(text, sizeof text, "%s_max_ms", name);
	row(text, took[report_count - 1], 0);
}

static void
all_reports(const struct profile *p)
{
	struct query q;

	query_init(&q);
	q.max_rows = 200;
	q.grouping = GROUP_STACKS;
	reports(p, q, NEWEST, "by_stack_newest", 16);
	reports(p, q, PAST, "by_stack_past", 16);
	reports(p, q, TWO_PAST, "by_stack_two_past", 16);
	q.grouping = GROUP_FUNCTIONS;
	reports(p, q, NEWEST, "by_function_newest", 16);
	reports(p, q, PAST, "by_function_past", 16);
	reports(p, q, TWO_PAST, "by_function_two_past", 16);
	q.order = ORDER_CUM;
	reports(p, q, PAST, "by_cum_past", 16);
	q.order = ORDER_FLAT;
	q.max_rows = 0;
	reports(p, q, NEWEST, "all_rows_newest", 0);
	q.tree = true;
	reports(p, q, NEWEST, "tree_newest", 50);
}

static void
options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:t:p:h:r:u")) != -1) {
		unsigned v = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 1;

		switch (c) {
		case 'n': stacks = v; break;
		case 't': threads = v; break;
		case 'p': permille = v; break;
		case 'h': hours = v; break;
		case 'r': report_count = v % REPORTS_MAX; break;
		case 'u': uniform = true; break;
		default: exit(2);
		}
		if ((v == 0 && c != 'r') || v > 1000000)
			exit(2);
	}
}

int
main(int argc, char **argv)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "the benchmark");
	double budget;
	uint32_t all;

	mem_keep_freed(); /* as heaptop does */
	options(argc, argv);
	all = stacks * threads;
	budget = all <= 10000 ? 64 : all <= 100000 ? 400 : 0;
	cells = xcalloc(all, sizeof *cells);
	for (uint32_t i = 0; i < all; i++)
		cells[i].size = 16u << draw(14);
	hello();
	module();
	for (unsigned t = 1; t <= threads; t++)
		thread(t);
	all_stacks();
	send_cells(NULL, all);
	finish_dump(1);
	feed(d);
	buf_fini(&out);
	give_names(p);
	row("begin_mib", rss_mib(), 0);
	live(d, all);
	row("snapshots", (double)history_count(profile_history(p)), 0);
	row("history_mib", (double)history_bytes(profile_history(p)) / 1048576,
	    0);
	row("after_run_mib", rss_mib(), 0);
	if (report_count)
		all_reports(p);
	row("rss_mib", rss_mib(), budget);
	row("peak_mib", peak_mib(), budget);
	dumpread_free(d);
	profile_free(p);
	buf_fini(&out);
	free(cells);
	return 0;
}
