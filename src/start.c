#include "start.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/fmt.h"
#include "io/procfs.h"
#include "options.h"
#include "output.h"

int
start_check(struct start *st, const struct options *o, bool need)
{
	struct precheck *pc = &st->precheck;
	struct err e;
	char *path = NULL;
	int status = launch_find(o->program[0], &path, &e);

	memset(st, 0, sizeof *st);
	if (status) {
		say("%s", e.msg);
		return status;
	}
	precheck_file(path, o->program[0], pc);
	free(path);
	if (*pc->sentence)
		say("%s", pc->sentence);
	st->watched = pc->verdict == PRECHECK_RUN;
	if (pc->verdict == PRECHECK_REFUSE || (need && !st->watched))
		return LAUNCH_FAILED;
	return 0;
}

/* HEAPTOP_DEFAULTS; filters that we run under as well are no danger. */
static const char *
make_defaults(unsigned lg, struct buf *b)
{
	buf_printf(b, "lg_prof_sample:%u,prof_probe:%u", lg,
	    procfs_harmless_filters());
	return buf_str(b);
}

static void
add_conf(struct buf *b, const char *key, unsigned value)
{
	buf_printf(b, "%s%s:%u", b->len ? "," : "", key, value);
}

/* HEAPTOP_CONF: what the options say, --conf last. */
static const char *
make_conf(const struct options *o, struct buf *b)
{
	unsigned lg = 0;

	while (o->sample_bytes >> lg > 1)
		lg++;
	if (o->sample_bytes || o->exact)
		add_conf(b, "lg_prof_sample", lg);
	if (o->max_depth)
		add_conf(b, "prof_bt_max", o->max_depth);
	if (o->conf)
		buf_printf(b, "%s%s", b->len ? "," : "", o->conf);
	if (o->sample_rounded)
		say("-s is rounded to a power of two: %s", fmt_sampling(lg).s);
	return b->len ? buf_str(b) : NULL;
}

void
start_prepare(
    struct start *st, const struct options *o, unsigned lg, const char *socket)
{
	struct launch_options *l = &st->launch;

	*l = (struct launch_options)LAUNCH_OPTIONS_INIT;
	l->argv = o->program;
	l->preload = st->watched;
	if (!st->watched)
		return;
	l->socket = socket;
	l->defaults = make_defaults(lg, &st->defaults);
	l->conf = make_conf(o, &st->conf);
}

void
start_fini(struct start *st)
{
	buf_fini(&st->conf);
	buf_fini(&st->defaults);
}

void
start_say_failed(const struct start *st, int status, const struct err *e)
{
	if (st->precheck.kind != PRECHECK_MACHINE || status != LAUNCH_NOT_EXEC)
		say("%s", e->msg);
}

void
start_describe_end(int wait_status, char *out, size_t size)
{
	const char *name;

	if (!WIFSIGNALED(wait_status)) {
		snprintf(out, size, "exited %d", WEXITSTATUS(wait_status));
		return;
	}
	name = sigabbrev_np(WTERMSIG(wait_status));
	snprintf(out, size, "was killed by SIG%s%s", name ? name : "?",
	    WCOREDUMP(wait_status) ? " (core dumped)" : "");
}
