/*
 * What the Growth view costs: a program of many stacks, of which some change
 * in each of 600 seconds, is looked at second after second.
 *
 *	growth [-n STACKS] [-p PERMILLE] [-f]
 *
 * PERMILLE of the stacks change in a second; -f groups by function.  Prints
 * lines NAME MILLISECONDS BUDGET (0: none): to build the report, to derive the
 * view from it, to draw it; since the start, from a mark, and after a key.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"
#include "ui/frame.h"
#include "ui/grid.h"
#include "ui/timeline.h"

#define S         UINT64_C(1000000000)
#define DEPTH     12
#define FUNCTIONS 5000
#define SECONDS   600
#define LOOKS     30

static unsigned stacks = 100000, permille = 10;
static enum grouping grouping = GROUP_STACKS;
static uint64_t state = 42;

struct held {
	unsigned live, allocated, size;
};
static struct held *cells;

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint32_t
draw(uint32_t limit)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ (x >> 31)) % limit);
}

/* ---- the program ------------------------------------------------------------- */

static void
put_stacks(struct profile *p)
{
	struct frames *f = profile_frames(p);

	profile_put_module(
	    p, 1, 1, UINT64_C(1) << 40, 0, NULL, 0, "/bin/x", NULL);
	profile_put_thread(p, 1, 1, 0, "x");
	for (uint32_t id = 1; id <= stacks; id++) {
		struct profile_frame at[DEPTH];

		for (unsigned i = 0; i < DEPTH; i++) {
			/* callers are few, sites many */
			uint32_t most = i < 2 ? FUNCTIONS : FUNCTIONS >> i;

			at[i] = (struct profile_frame){ 1,
				draw(most ? most : 1) * 256 + draw(4) * 16 };
		}
		profile_put_stack(p, id, 0, at, DEPTH, NULL);
	}
	for (frame_id id = 1; id <= frames_count(f); id++) {
		char name[64];
		struct frame_name n = { name, "x.c", 1 };

		snprintf(name, sizeof name, "function_%u",
		    (unsigned)(frames_offset(f, id) / 256));
		frames_set_names(f, id, &n, 1);
	}
}

static void
put_cell(struct profile *p, uint32_t i)
{
	const struct held *c = &cells[i];
	double each = c->size < 65536 ? 65536 : c->size;
	struct cell_values v = {
		.live_bytes = c->live * each,
		.live_objects = c->live * each / c->size,
		.alloc_bytes = c->allocated * each,
		.alloc_objects = c->allocated * each / c->size,
		.live_var_bytes = c->live * each * each,
		.alloc_var_bytes = c->allocated * each * each,
		.live_samples = c->live,
		.alloc_samples = c->allocated,
	};

	profile_put_cell(p, i + 1, 1, &v, NULL);
}

/* One in a hundred of those that change leaks, the others come and go. */
static void
a_second(struct profile *p, uint64_t second)
{
	struct profile_totals t = {
		.now_ns = second * S, .lg_sample = 16, .active = 1
	};
	unsigned n = (unsigned)((uint64_t)stacks * permille / 1000);

	for (unsigned i = 0; i < n; i++) {
		uint32_t at = draw(stacks);
		struct held *c = &cells[at];
		unsigned more = 1 + draw(3);

		c->live += more;
		c->allocated += more;
		if (at % 100 != 0)
			c->live -= draw(c->live);
		put_cell(p, at);
	}
	profile_put_totals(p, &t);
	profile_commit(p);
}

static void
begin(struct profile *p)
{
	cells = xcalloc(stacks, sizeof *cells);
	put_stacks(p);
	for (uint32_t i = 0; i < stacks; i++) {
		cells[i].size = 16u << draw(14);
		cells[i].live = cells[i].allocated = 1 + draw(4);
		put_cell(p, i);
	}
	a_second(p, 1);
}

/* ---- what is measured ----------------------------------------------------------- */

struct screen {
	struct profile *profile;
	struct app app;
	struct report *report;
	struct grid grid;
	double build, take, draw; /* of the last frame, ms */
};

static void
frame(struct screen *s)
{
	const struct profile *p = s->profile;
	struct app_event e = { .kind = APP_REPORT };
	struct app_point *points;
	struct report *old = s->report;
	double from = now_ms();

	s->report = report_build(&p, 1, &s->app.ask);
	s->build = now_ms() - from;
	e.report = s->report;
	e.point_count = timeline_points(profile_history(p), &points);
	e.points = points;
	from = now_ms();
	app_event(&s->app, &e);
	s->take = now_ms() - from;
	report_free(old);
	free(points);
	from = now_ms();
	ui_render(&s->app, &s->grid);
	s->draw = now_ms() - from;
}

static void
press(struct screen *s, const char *name)
{
	struct app_event e = { .kind = APP_KEY };

	if (key_parse(name, &e.key))
		app_event(&s->app, &e);
	if (app_wants_report(&s->app))
		frame(s);
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
row(const char *what, const char *part, double ms, double budget)
{
	printf("%s_%s %.2f %g\n", what, part, ms, budget);
}

/* A second goes by, and the screen is drawn. */
static void
looks(struct screen *s, const char *what, uint64_t *second)
{
	double build[LOOKS], take[LOOKS], draw_[LOOKS];

	frame(s);
	row(what, "first_derive", s->take, 0);
	for (unsigned i = 0; i < LOOKS; i++) {
		a_second(s->profile, ++*second);
		frame(s);
		build[i] = s->build;
		take[i] = s->take;
		draw_[i] = s->draw;
	}
	qsort(build, LOOKS, sizeof *build, by_size);
	qsort(take, LOOKS, sizeof *take, by_size);
	qsort(draw_, LOOKS, sizeof *draw_, by_size);
	row(what, "build_median", build[LOOKS / 2], 0);
	row(what, "derive_median", take[LOOKS / 2], 16);
	row(what, "derive_max", take[LOOKS - 1], 0);
	row(what, "draw_median", draw_[LOOKS / 2], 16);
}

static void
keys(struct screen *s)
{
	static const char *const names[] = { "PgDn", "PgDn", "Down", "PgUp" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		double from = now_ms();

		press(s, names[i]);
		ui_render(&s->app, &s->grid);
		row("key", names[i], now_ms() - from, 16);
	}
}

int
main(int argc, char **argv)
{
	struct screen s = { .profile = profile_new() };
	struct query q;
	struct app_status live = { .connection = APP_LIVE };
	uint64_t second = 1;
	int c;

	mem_keep_freed(); /* as heaptop does */
	while ((c = getopt(argc, argv, "n:p:f")) != -1) {
		if (c == 'n')
			stacks = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 'p')
			permille = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 'f')
			grouping = GROUP_FUNCTIONS;
		else
			return 2;
	}
	begin(s.profile);
	while (second < SECONDS)
		a_second(s.profile, ++second);
	query_init(&q);
	q.grouping = grouping;
	app_init(&s.app, &q, 200, 60);
	app_event(
	    &s.app, &(struct app_event){ .kind = APP_STATUS, .status = &live });
	grid_init(&s.grid, 200, 60);
	frame(&s);
	press(&s, "2");
	looks(&s, "since_start", &second);
	press(&s, "[");
	app_set_mark(&s.app, 0, history_at(profile_history(s.profile), 60)->id,
	    history_at(profile_history(s.profile), 60)->totals.now_ns);
	press(&s, "F");
	looks(&s, "from_mark", &second);
	keys(&s);
	app_fini(&s.app);
	report_free(s.report);
	profile_free(s.profile);
	grid_fini(&s.grid);
	free(cells);
	return 0;
}
