#include "io/loop.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

struct watch {
	int fd; /* -1: removed, to be squeezed out */
	unsigned events;
	loop_fd_fn *fn;
	void *arg;
	uint64_t born; /* round in which it was added: not called in it */
};

struct timer {
	loop_timer id;
	uint64_t due_ns;
	uint64_t period_ns; /* 0: once */
	loop_timer_fn *fn;
	void *arg;
};

struct loop {
	struct watch *watches;
	size_t watch_count, watch_cap;
	struct pollfd *polls;
	size_t poll_cap;
	struct timer *timers;
	size_t timer_count, timer_cap;
	loop_timer last_id;
	uint64_t round;
	bool stop;
	int signal_fd;
	sigset_t signals;
	struct {
		loop_signal_fn *fn;
		void *arg;
	} on_signal[NSIG];
};

void
sigstate_get(struct sigstate *s)
{
	struct sigaction sa;

	sigprocmask(SIG_SETMASK, NULL, &s->mask);
	sigemptyset(&s->ignored);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN)
			sigaddset(&s->ignored, sig);
}

void
sigstate_restore(const struct sigstate *s)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof sa);
	for (int sig = 1; sig < NSIG; sig++) {
		sa.sa_handler =
		    sigismember(&s->ignored, sig) == 1 ? SIG_IGN : SIG_DFL;
		/* Fails for SIGKILL, SIGSTOP and glibc's own two: fine. */
		(void)sigaction(sig, &sa, NULL);
	}
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
}

uint64_t
loop_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct loop *
loop_new(void)
{
	struct loop *l = xcalloc(1, sizeof *l);

	l->signal_fd = -1;
	sigemptyset(&l->signals);
	return l;
}

void
loop_free(struct loop *l)
{
	if (l == NULL)
		return;
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	free(l->watches);
	free(l->polls);
	free(l->timers);
	free(l);
}

static struct watch *
find_watch(struct loop *l, int fd)
{
	for (size_t i = 0; i < l->watch_count; i++)
		if (l->watches[i].fd == fd)
			return &l->watches[i];
	return NULL;
}

void
loop_watch(struct loop *l, int fd, unsigned events, loop_fd_fn *fn, void *arg)
{
	struct watch *w = find_watch(l, fd);

	if (w == NULL) {
		if (l->watch_count == l->watch_cap) {
			l->watch_cap = l->watch_cap ? 2 * l->watch_cap : 16;
			l->watches =
			    xreallocarray(l->watches, l->watch_cap, sizeof *w);
		}
		w = &l->watches[l->watch_count++];
		w->fd = fd;
		w->born = l->round;
	}
	w->events = events;
	w->fn = fn;
	w->arg = arg;
}

void
loop_unwatch(struct loop *l, int fd)
{
	struct watch *w = find_watch(l, fd);

	if (w != NULL)
		w->fd = -1;
}

static loop_timer
add_timer(struct loop *l, uint64_t delay_ns, uint64_t period_ns,
    loop_timer_fn *fn, void *arg)
{
	struct timer *t;

	if (l->timer_count == l->timer_cap) {
		l->timer_cap = l->timer_cap ? 2 * l->timer_cap : 8;
		l->timers = xreallocarray(l->timers, l->timer_cap, sizeof *t);
	}
	if (++l->last_id == 0)
		l->last_id = 1;
	t = &l->timers[l->timer_count++];
	t->id = l->last_id;
	t->due_ns = loop_clock_ns() + delay_ns;
	t->period_ns = period_ns;
	t->fn = fn;
	t->arg = arg;
	return t->id;
}

loop_timer
loop_after(struct loop *l, uint64_t delay_ns, loop_timer_fn *fn, void *arg)
{
	return add_timer(l, delay_ns, 0, fn, arg);
}

loop_timer
loop_every(struct loop *l, uint64_t period_ns, loop_timer_fn *fn, void *arg)
{
	if (period_ns == 0)
		period_ns = 1;
	return add_timer(l, period_ns, period_ns, fn, arg);
}

void
loop_cancel(struct loop *l, loop_timer id)
{
	for (size_t i = 0; id != 0 && i < l->timer_count; i++) {
		if (l->timers[i].id != id)
			continue;
		l->timers[i] = l->timers[--l->timer_count];
		return;
	}
}

static void
read_signals(void *arg, int fd, unsigned events)
{
	struct loop *l = arg;
	struct signalfd_siginfo si;

	(void)events;
	while (read(fd, &si, sizeof si) == (ssize_t)sizeof si) {
		int sig = (int)si.ssi_signo;

		if (sig > 0 && sig < NSIG && l->on_signal[sig].fn != NULL)
			l->on_signal[sig].fn(l->on_signal[sig].arg, sig);
	}
}

int
loop_signal(
    struct loop *l, int sig, loop_signal_fn *fn, void *arg, struct err *e)
{
	struct sigaction sa;
	int fd;

	if (sig <= 0 || sig >= NSIG)
		return err_set(e, "there is no signal %d", sig);
	if (sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN &&
	    sig == SIGCHLD) {
		/* With SIGCHLD ignored, children are reaped by the kernel
		 * and their status is lost. */
		sa.sa_handler = SIG_DFL;
		sigaction(sig, &sa, NULL);
	}
	sigaddset(&l->signals, sig);
	fd = signalfd(l->signal_fd, &l->signals, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		return err_sys(e, "cannot wait for signals");
	sigprocmask(SIG_BLOCK, &l->signals, NULL);
	l->on_signal[sig].fn = fn;
	l->on_signal[sig].arg = arg;
	l->signal_fd = fd;
	loop_watch(l, fd, POLLIN, read_signals, l);
	return 0;
}

/* Milliseconds until the first timer, rounded up; -1 if there is none. */
static int
until_timer(const struct loop *l)
{
	uint64_t now = loop_clock_ns(), first = UINT64_MAX, ms;

	for (size_t i = 0; i < l->timer_count; i++)
		if (l->timers[i].due_ns < first)
			first = l->timers[i].due_ns;
	if (first == UINT64_MAX)
		return -1;
	if (first <= now)
		return 0;
	ms = (first - now + 999999u) / 1000000u;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

static int
run_timers(struct loop *l)
{
	uint64_t now = loop_clock_ns();
	loop_timer newest = l->last_id;
	int ran = 0;

	/* A callback may change the table, so look again after each; one that
	 * a callback made waits for the next round. */
	for (;;) {
		struct timer *t = NULL, once;

		for (size_t i = 0; i < l->timer_count; i++) {
			struct timer *c = &l->timers[i];

			if (c->due_ns > now || c->id > newest)
				continue;
			if (t == NULL || c->due_ns < t->due_ns)
				t = c;
		}
		if (t == NULL)
			return ran;
		once = *t;
		if (t->period_ns == 0)
			loop_cancel(l, t->id);
		else
			t->due_ns += ((now - t->due_ns) / t->period_ns + 1) *
			    t->period_ns;
		once.fn(once.arg);
		ran++;
	}
}

static void
squeeze(struct loop *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->watch_count; i++)
		if (l->watches[i].fd >= 0)
			l->watches[n++] = l->watches[i];
	l->watch_count = n;
}

/* The watches as pollfds, in the same order. */
static size_t
fill_polls(struct loop *l)
{
	squeeze(l);
	if (l->poll_cap < l->watch_count) {
		l->poll_cap = l->watch_cap;
		l->polls =
		    xreallocarray(l->polls, l->poll_cap, sizeof *l->polls);
	}
	for (size_t i = 0; i < l->watch_count; i++) {
		l->polls[i].fd = l->watches[i].fd;
		l->polls[i].events = (short)l->watches[i].events;
		l->polls[i].revents = 0;
	}
	return l->watch_count;
}

int
loop_once(struct loop *l, int timeout_ms, struct err *e)
{
	size_t count = fill_polls(l);
	int wait = until_timer(l), ran = 0, n;

	if (wait < 0 || (timeout_ms >= 0 && timeout_ms < wait))
		wait = timeout_ms;
	n = poll(l->polls, count, wait);
	if (n < 0 && errno != EINTR)
		return err_sys(e, "cannot wait for events");
	l->round++;
	for (size_t i = 0; n > 0 && i < count; i++) {
		/* The table may have moved or changed in a callback. */
		struct watch w = l->watches[i];

		if (l->polls[i].revents == 0 || w.fd != l->polls[i].fd ||
		    w.born == l->round)
			continue;
		w.fn(w.arg, w.fd, (unsigned)l->polls[i].revents);
		ran++;
	}
	return ran + run_timers(l);
}

int
loop_run(struct loop *l, struct err *e)
{
	l->stop = false;
	while (!l->stop)
		if (loop_once(l, -1, e) < 0)
			return -1;
	return 0;
}

void
loop_stop(struct loop *l)
{
	l->stop = true;
}
