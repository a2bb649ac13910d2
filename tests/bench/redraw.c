/*
 * What a frame of the screen costs with very many stacks: for each view the
 * CPU time from the key that opens it for the first time to the drawn grid,
 * from a new snapshot to the drawn grid (report, what the view derives from
 * it, cells), and from a key that moves to the drawn grid.  Then, of keys that
 * want what was not there before, the first time.  Between keys there is the
 * time that the screen has to itself, which is not counted.
 *
 *	redraw [-n STACKS] [-p PERMILLE] [-s SECONDS] [-r ROUNDS]
 *
 * The program is that of synth.h, watched for SECONDS before.  Rows are
 * "NAME QUARTILE MEDIAN MAX BUDGET" in milliseconds; one is over its budget when
 * its lower quartile is.  The size is 200x60.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "synth.h"
#include "ui/app.h"
#include "ui/frame.h"
#include "ui/timeline.h"
#include "ui/view.h"

#define WIDTH      200
#define HEIGHT     60
#define ROUNDS_MAX 1000u
#define S          UINT64_C(1000000000)

static struct synth synth = { .stacks = 100000, .threads = 1, .permille = 10 };
static unsigned seconds = 120, rounds = 30;

struct shown {
	struct app app;
	struct grid grid;
	struct report *report;
	uint64_t second;
};

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
row(const char *view, const char *what, double *took, unsigned n, int budget)
{
	qsort(took, n, sizeof *took, by_size);
	printf("%s_%s_ms %.2f %.2f %.2f %d\n", view, what, took[n / 4],
	    took[n / 2], took[n - 1], budget);
	fflush(stdout);
}

/* As the session does before a frame. */
static void
frame(struct shown *s)
{
	const struct profile *p = synth.profile;
	struct app_point *points = NULL;
	struct app_event e = { .kind = APP_REPORT };

	if (app_wants_report(&s->app)) {
		struct report *old = s->report;

		s->report = report_build(&p, 1, &s->app.ask);
		e.report = s->report;
		e.point_count = timeline_points(profile_history(p), &points);
		e.points = points;
		app_event(&s->app, &e);
		report_free(old);
		free(points);
	}
	ui_render(&s->app, &s->grid);
	s->app.dirty = 0;
}

/* Nobody presses a key for a while: what the screen does then. */
static void
rest(struct shown *s)
{
	while (report_prepare(s->report, false))
		;
	if (s->app.view == CONTEXT_TREE || s->app.view == CONTEXT_FLAME)
		while (report_prepare(s->report, true))
			;
}

static void
press(struct shown *s, const char *name)
{
	struct app_event e = { .kind = APP_KEY };

	if (key_parse(name, &e.key))
		app_event(&s->app, &e);
}

static void
run(struct shown *s, const char *name)
{
	double snapshots[ROUNDS_MAX], keys[ROUNDS_MAX], from;

	for (unsigned i = 0; i < rounds; i++) {
		synth_second(&synth, ++s->second);
		from = synth_cpu();
		app_event(&s->app,
		    &(struct app_event){
			.kind = APP_DATA, .now_ns = s->second * S });
		frame(s);
		snapshots[i] = (synth_cpu() - from) * 1000;
		from = synth_cpu();
		press(s, i % 3 ? "Down" : "PgDn");
		frame(s);
		keys[i] = (synth_cpu() - from) * 1000;
	}
	row(name, "snapshot", snapshots, rounds, 16);
	row(name, "key", keys, rounds, 16);
}

static void
measure(struct shown *s, const struct view *v)
{
	double from = synth_cpu(), took;

	app_show_view(&s->app, v->context);
	frame(s);
	took = (synth_cpu() - from) * 1000;
	row(v->least, "open", &took, 1, 50);
	rest(s);
	run(s, v->least);
}

/* Rows of functions add up what goes through them, of all stacks. */
static void
measure_by_function(struct shown *s)
{
	app_show_view(&s->app, CONTEXT_TOP);
	press(s, "g");
	frame(s);
	rest(s);
	run(s, "top_g");
	app_show_view(&s->app, CONTEXT_GROWTH);
	frame(s);
	run(s, "growth_g");
	for (int i = 2; i < GROUP_COUNT; i++) /* threads are no grouping */
		press(s, "g");
	frame(s);
	rest(s);
}

static void
measure_first(
    struct shown *s, enum context view, const char *key, const char *name)
{
	double from, took;

	app_show_view(&s->app, view);
	frame(s);
	rest(s);
	from = synth_cpu();
	press(s, key);
	frame(s);
	took = (synth_cpu() - from) * 1000;
	row(name, "first", &took, 1, 50);
}

static void
options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:p:s:r:")) != -1) {
		unsigned v = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;

		switch (c) {
		case 'n': synth.stacks = v; break;
		case 'p': synth.permille = v; break;
		case 's': seconds = v; break;
		case 'r': rounds = v % ROUNDS_MAX; break;
		default: exit(2);
		}
		if (v == 0 || v > 1000000)
			exit(2);
	}
}

int
main(int argc, char **argv)
{
	struct shown s = { .second = 1 };

	mem_keep_freed(); /* as heaptop does */
	options(argc, argv);
	synth_begin(&synth);
	while (s.second < seconds)
		synth_second(&synth, ++s.second);
	app_init(&s.app, NULL, WIDTH, HEIGHT);
	grid_init(&s.grid, WIDTH, HEIGHT);
	for (int c = CONTEXT_TOP; c <= CONTEXT_MEMORY; c++) {
		if (view_at((enum context)c))
			measure(&s, view_at((enum context)c));
	}
	measure_by_function(&s);
	measure_first(&s, CONTEXT_TREE, "i", "tree_i");
	measure_first(&s, CONTEXT_FLAME, "i", "flame_i");
	measure_first(&s, CONTEXT_GROWTH, "u", "growth_u");
	measure_first(&s, CONTEXT_TOP, "End", "top_end");
	measure_first(&s, CONTEXT_TOP, "Home", "top_home");
	measure_first(&s, CONTEXT_TOP, "g", "top_g");
	measure_first(&s, CONTEXT_TOP, "End", "top_g_end");
	measure_first(&s, CONTEXT_TOP, "Home", "top_g_home");
	measure_first(&s, CONTEXT_TOP, "g", "top_g_g");
	measure_first(&s, CONTEXT_TOP, "End", "top_g_g_end");
	app_fini(&s.app);
	report_free(s.report);
	grid_fini(&s.grid);
	synth_end(&synth);
	return 0;
}
