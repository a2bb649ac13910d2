#include "connect.h"

#include <string.h>

#include "io/channel.h"
#include "io/procfs.h"
#include "session.h"
#include "target.h"

#define REFUSALS 3
#define ODD_MAX  50 /* tries, a second */
#define RETRY_NS UINT64_C(20000000)

void
connect_stop(struct connect *c)
{
	if (c->retry)
		loop_cancel(c->s->loop, c->retry);
	c->retry = 0;
}

bool
connect_trying(const struct connect *c)
{
	return c->retry != 0;
}

/* There is a connection; is it one that can be asked? */
static bool
check_ready(struct connect *c)
{
	struct target *t = session_find(c->s, c->s->root);

	if (!t || t->ended || !t->channel)
		return false;
	if (channel_state(t->channel) != CHANNEL_READY)
		return true;
	connect_stop(c);
	c->ev->ready(c->arg);
	return true;
}

static void
fail(struct connect *c, const char *why)
{
	struct procfs_stat now;
	bool gone = procfs_stat(c->s->root, &now) < 0 || now.state == 'Z';

	connect_stop(c);
	c->ev->failed(c->arg, gone, why);
}

/* A process that is ending, or calling exec, has no memory for a moment and
 * looks like one without the library. */
static bool
between_lives(struct connect *c)
{
	struct procfs_stat now;
	char command[2];

	return ++c->odd <= ODD_MAX && procfs_stat(c->s->root, &now) == 0 &&
	    now.state != 'Z' &&
	    procfs_command(c->s->root, command, sizeof command) == 0 &&
	    command[0] == '[';
}

static void
on_retry(void *arg)
{
	struct connect *c = arg;
	struct err e;
	bool again;

	if (c->s->caller_count || check_ready(c))
		return;
	/* closed at once may be chance; not understood is not */
	if (c->s->refused.msg[0]) {
		e = c->s->refused;
		c->s->refused.msg[0] = '\0';
		if (++c->refusals == REFUSALS) {
			fail(c, e.msg);
			return;
		}
	}
	if (session_attach(c->s, c->s->root, &again, &e) == 0)
		return;
	if (!again && between_lives(c))
		return;
	if (!again) {
		fail(c, e.msg);
		return;
	}
	if (strcmp(c->why.msg, e.msg) == 0)
		return;
	c->why = e;
	c->ev->waiting(c->arg, e.msg);
}

void
connect_begin(struct connect *c, struct session *s,
    const struct connect_events *ev, void *arg)
{
	*c = (struct connect){ .s = s, .ev = ev, .arg = arg };
	c->since_ns = loop_clock_ns();
	c->retry = loop_every(s->loop, RETRY_NS, on_retry, c);
	on_retry(c);
}
