#include "visit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "io/channel.h"
#include "io/dumpread.h"
#include "io/loop.h"
#include "model/profile.h"

#define AT_ONCE 64 /* a connection costs four descriptors */
#define TURN_MS 100

/* A visit under way. */
struct call {
	struct visit *v;
	struct channel *channel; /* NULL: it is over */
	const struct visit_question *q;
	size_t questions, asked, answered;
	uint64_t deadline_ns;
	/* what a channel wants to have, though no dump is asked for */
	struct profile *profile;
	struct dumpread *decoder;
};

/* All that are under way; their channels name them. */
struct calls {
	struct call call[AT_ONCE];
	size_t n;
};

static struct call *
find(struct calls *all, const struct channel *c)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->call[i].channel == c)
			return &all->call[i];
	return NULL;
}

static void
end(struct call *k, enum visit_end how, const char *why)
{
	k->v->end = how;
	snprintf(k->v->why, sizeof k->v->why, "%s", why);
	channel_free(k->channel);
	k->channel = NULL;
}

static struct dumpread *
on_hello(void *arg, struct channel *c, const struct profile_facts *f)
{
	struct call *k = find(arg, c);

	(void)f;
	if (!k)
		return NULL;
	k->profile = profile_new();
	k->decoder = dumpread_new(k->profile, "process");
	return k->decoder;
}

static void
on_ctl(void *arg, struct channel *c, int error, const char *text)
{
	struct call *k = find(arg, c);

	if (!k || k->answered >= k->asked)
		return;
	k->v->answer[k->answered].error = error;
	k->v->answer[k->answered].text = xstrdup(text);
	if (++k->answered == k->questions)
		end(k, VISIT_DONE, "");
}

static void
on_gone(void *arg, struct channel *c, enum channel_end how, const char *why)
{
	struct call *k = find(arg, c);
	struct err e;

	(void)how;
	if (!k)
		return;
	err_set(&e, "process %d: %s", (int)k->v->pid, why);
	end(k, VISIT_REFUSED, e.msg);
}

static const struct channel_events events = {
	.on_hello = on_hello,
	.on_ctl = on_ctl,
	.on_gone = on_gone,
};

static void
begin(struct loop *l, struct calls *all, struct call *k)
{
	bool again;
	struct err e;

	k->deadline_ns = loop_clock_ns() + VISIT_NS;
	for (size_t i = 0; i < k->questions; i++)
		k->v->answer[i].error = -1;
	k->channel = channel_attach(l, k->v->pid, &events, all, &again, &e);
	if (!k->channel)
		end(k, again ? VISIT_WAITING : VISIT_REFUSED, e.msg);
}

/* The next question, if it is time for it. */
static void
go_on(struct call *k)
{
	const struct visit_question *q = &k->q[k->asked];
	struct err e;

	if (k->asked > k->answered ||
	    channel_state(k->channel) != CHANNEL_READY)
		return;
	if (k->asked == k->questions) { /* none at all */
		end(k, VISIT_DONE, "");
		return;
	}
	k->deadline_ns = loop_clock_ns() + q->limit_ns;
	if (channel_ctl(k->channel, q->key, q->value, &e) < 0)
		end(k, VISIT_REFUSED, e.msg);
	else
		k->asked++;
}

static void
give_up(struct call *k)
{
	uint64_t ns = k->asked ? k->q[k->asked - 1].limit_ns : VISIT_NS;
	struct err e;

	err_set(&e,
	    "process %d has not answered within %u s: it is stopped, or busy",
	    (int)k->v->pid, (unsigned)(ns / 1000000000));
	end(k, VISIT_LATE, e.msg);
}

/* One turn for each; false when all are over. */
static bool
turn(struct calls *all)
{
	bool any = false;

	for (size_t i = 0; i < all->n; i++) {
		struct call *k = &all->call[i];

		if (k->channel)
			go_on(k);
		if (k->channel && loop_clock_ns() >= k->deadline_ns)
			give_up(k);
		any = any || k->channel;
	}
	return any;
}

static void
visit_some(
    struct visit *v, size_t n, const struct visit_question *q, size_t questions)
{
	struct calls *all = xcalloc(1, sizeof *all);
	struct loop *l = loop_new();
	struct err e;

	all->n = n;
	for (size_t i = 0; i < n; i++) {
		struct call *k = &all->call[i];

		k->v = &v[i];
		k->q = q;
		k->questions = questions;
		begin(l, all, k);
	}
	while (turn(all))
		if (loop_once(l, TURN_MS, &e) < 0)
			break;
	for (size_t i = 0; i < n; i++) {
		channel_free(all->call[i].channel);
		dumpread_free(all->call[i].decoder);
		profile_free(all->call[i].profile);
	}
	loop_free(l);
	free(all);
}

void
visit_all(
    struct visit *v, size_t n, const struct visit_question *q, size_t questions)
{
	for (size_t i = 0; i < n; i++)
		v[i].answer = xcalloc(questions + 1, sizeof *v[i].answer);
	for (size_t i = 0; i < n; i += AT_ONCE)
		visit_some(
		    v + i, n - i < AT_ONCE ? n - i : AT_ONCE, q, questions);
}

void
visit_free(struct visit *v, size_t n, size_t questions)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; v[i].answer && j < questions; j++)
			free(v[i].answer[j].text);
		free(v[i].answer);
		v[i].answer = NULL;
	}
}
