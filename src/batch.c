#include "batch.h"

#include "base/buf.h"
#include "base/fmt.h"
#include "finish.h"
#include "io/procfs.h"
#include "options.h"
#include "output.h"
#include "reports.h"
#include "session.h"
#include "target.h"

#define NAMES_MS      300  /* a snapshot waits this long for names, */
#define NAMES_LAST_MS 2000 /* and so long the last one of a process */

/* Worth a block: it has samples, and its last one is not out yet. */
static bool
has_block(const struct target *t)
{
	return t->profile && !t->told && target_samples(t) > 0;
}

/* At most half the interval goes into waiting, but after a process's last
 * block no other one comes that has the names. */
static int
names_ms(const struct session *s)
{
	uint64_t half = s->o->interval_ns / 2000000;

	for (const struct target *t = s->targets; t; t = t->next)
		if (has_block(t) && t->ended)
			return NAMES_LAST_MS;
	return half < NAMES_MS ? (int)half : NAMES_MS;
}

static void
put_block(struct session *s, struct target *t, struct buf *b)
{
	struct procfs_memory m;
	bool known = !t->ended && procfs_memory(t->pid, &m) == 0;

	if (b->len)
		buf_putc(b, '\n');
	reports_snapshot(s->o, t->profile, known ? &m : NULL, b);
	if (t->late)
		buf_printf(b, "process %ld has not answered; this is older\n",
		    (long)t->pid);
	if (!t->ended)
		return;
	buf_printf(b, "process %ld %s\n", (long)t->pid, target_fate(t));
	t->told = true;
	session_forget(s, t);
}

/* So many processes ended at once that some were given up before their block
 * was out. */
static void
put_given_up(struct session *s, struct buf *b)
{
	unsigned n = 0;

	for (struct target *t = s->targets; t; t = t->next)
		if (!t->profile && !t->told && target_samples(t) > 0) {
			t->told = true;
			n++;
		}
	if (n)
		buf_printf(b, "\n%u more process%s ended in between\n", n,
		    n == 1 ? "" : "es");
}

bool
batch_wanted(const struct options *o)
{
	return o->batch || o->snapshots > 0;
}

static bool
print_report(struct session *s)
{
	if (!finish_any(s))
		return false;
	finish_snapshot(s, names_ms(s));
	s->batch.printed++;
	return true;
}

bool
batch_print(struct session *s)
{
	struct buf b = BUF_INIT;
	bool any = false;

	if (s->o->report)
		return print_report(s);

	for (struct target *t = s->targets; t; t = t->next)
		any = any || has_block(t);
	if (any)
		session_names(s, names_ms(s));
	for (struct target *t = s->targets; t; t = t->next)
		if (has_block(t))
			put_block(s, t, &b);
	put_given_up(s, &b);
	if (any) {
		buf_putc(&b, '\n');
		s->batch.printed++;
	}
	output_put(&s->out, &b);
	buf_fini(&b);
	return any;
}

bool
batch_done(const struct session *s)
{
	return s->o->snapshots && s->batch.printed >= s->o->snapshots;
}
