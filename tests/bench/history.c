/*
 * Two days of a program at a snapshot a second, told to the decoder as the
 * stream tells it, into a profile and its history, in virtual time; then
 * reports at random moments.  What it costs: memory, time of a snapshot, time
 * of a report.
 *
 * The program is that of synth.h, of STACKS call stacks in THREADS threads, of
 * whose cells PER MILLE change in each second.
 *
 *	history [-n STACKS] [-t THREADS] [-p PERMILLE] [-h HOURS] [-r REPORTS]
 *	    [-u]
 *
 * -u: all stacks are equally busy, the worst case for history.  Rows are
 * "NAME VALUE BUDGET", a budget of 0 is none.  A report is over its budget when
 * the lower quartile of its times is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "synth.h"

#define REPORTS_MAX 1000u

static struct synth synth = { .stacks = 10000, .threads = 1, .permille = 50 };
static unsigned hours = 48, report_count = 50;

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
	printf("%u_stacks %s %.2f %.0f\n", synth.stacks, name, value, budget);
	fflush(stdout);
}

static void
live(struct synth *s)
{
	uint64_t last = (uint64_t)hours * 3600;
	double spent = 0, most = 0, begin = synth_cpu();

	for (uint64_t t = 2; t <= last; t++) {
		synth_second(s, t);
		spent += s->feed_s;
		if (s->feed_s > most)
			most = s->feed_s;
	}
	row("run_s", synth_cpu() - begin, 0);
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

	return history_at(h, synth_draw((uint32_t)history_count(h)))->id;
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
		from = synth_cpu();
		r = report_build(&p, 1, &q);
		took[i] = (synth_cpu() - from) * 1000;
		report_free(r);
	}
	snprintf(text, sizeof text, "%s_first_ms", name);
	row(text, took[0], 0);
	qsort(took, report_count, sizeof took[0], by_size);
	snprintf(text, sizeof text, "%s_quartile_ms", name);
	row(text, took[report_count / 4], budget);
	snprintf(text, sizeof text, "%s_median_ms", name);
	row(text, took[report_count / 2], 0);
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
	reports(p, q, NEWEST, "tree_newest", 0);
}

static void
options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "n:t:p:h:r:u")) != -1) {
		unsigned v = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 1;

		switch (c) {
		case 'n': synth.stacks = v; break;
		case 't': synth.threads = v; break;
		case 'p': synth.permille = v; break;
		case 'h': hours = v; break;
		case 'r': report_count = v % REPORTS_MAX; break;
		case 'u': synth.uniform = true; break;
		default: exit(2);
		}
		if ((v == 0 && c != 'r') || v > 1000000)
			exit(2);
	}
}

int
main(int argc, char **argv)
{
	const struct history *history;
	double budget;
	uint32_t all;

	mem_keep_freed(); /* as heaptop does */
	options(argc, argv);
	all = synth.stacks * synth.threads;
	budget = all <= 10000 ? 64 : all <= 100000 ? 400 : 0;
	synth_begin(&synth);
	row("begin_mib", rss_mib(), 0);
	live(&synth);
	history = profile_history(synth.profile);
	row("snapshots", (double)history_count(history), 0);
	row("history_mib", (double)history_bytes(history) / 1048576, 0);
	row("after_run_mib", rss_mib(), 0);
	if (report_count)
		all_reports(synth.profile);
	row("rss_mib", rss_mib(), budget);
	row("peak_mib", peak_mib(), budget);
	synth_end(&synth);
	return 0;
}
