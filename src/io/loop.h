/*
 * heaptop's one event loop: descriptors, timers and signals over poll(2).
 *
 * Everything that waits does so here; callbacks run one at a time on the one
 * thread and must not block.  A callback may add and remove anything,
 * itself included.  Times are nanoseconds of CLOCK_MONOTONIC.
 *
 * Signals that are asked for are blocked and read from a signalfd, so that
 * no code runs in a handler; a child must get back what heaptop had got
 * (struct sigstate, taken first thing in main()).  A signal that was ignored
 * when heaptop started (nohup) stays ignored and never arrives, except
 * SIGCHLD, which is needed.
 */
#ifndef IO_LOOP_H
#define IO_LOOP_H

#include <signal.h>
#include <stdint.h>

struct err;
struct loop;

typedef uint32_t loop_timer; /* from 1; 0 is none */
typedef void loop_fd_fn(void *arg, int fd, unsigned events);
typedef void loop_timer_fn(void *arg);
typedef void loop_signal_fn(void *arg, int sig);

/* What a process was started with: its mask and its ignored signals. */
struct sigstate {
	sigset_t mask;
	sigset_t ignored;
};

void sigstate_get(struct sigstate *s);
/* In a child before exec: every signal ignored or default as in `s`, the
 * mask last.  Async-signal-safe. */
void sigstate_restore(const struct sigstate *s);

uint64_t loop_clock_ns(void); /* CLOCK_MONOTONIC now */

struct loop *loop_new(void);
void loop_free(struct loop *l); /* closes no descriptor it was given */

/* Call fn when `fd` has one of `events` (POLLIN, POLLOUT; errors and hang-ups
 * always come); a descriptor watched already is changed. */
void loop_watch(
    struct loop *l, int fd, unsigned events, loop_fd_fn *fn, void *arg);
void loop_unwatch(struct loop *l, int fd); /* fine if it is not watched */

/* Once after `delay_ns`, or every `period_ns`; missed beats are skipped. */
loop_timer loop_after(
    struct loop *l, uint64_t delay_ns, loop_timer_fn *fn, void *arg);
loop_timer loop_every(
    struct loop *l, uint64_t period_ns, loop_timer_fn *fn, void *arg);
void loop_cancel(struct loop *l, loop_timer t); /* fine if gone, or 0 */

/* Route a signal here; one function a signal, the last one given counts. */
int loop_signal(
    struct loop *l, int sig, loop_signal_fn *fn, void *arg, struct err *e);

/* Run until loop_stop.  -1 only if poll(2) itself fails. */
int loop_run(struct loop *l, struct err *e);
/* Wait at most `timeout_ms` (< 0: as long as it takes) for events and handle
 * them.  Returns how many callbacks ran, or -1. */
int loop_once(struct loop *l, int timeout_ms, struct err *e);
void loop_stop(struct loop *l);

#endif
