#include "trigger.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "conf.h"
#include "control.h"
#include "dump.h"
#include "os.h"
#include "rate.h"
#include "say.h"
#include "stats.h"
#include "tablewrite.h"
#include "thread.h"

#define NS_PER_MS        UINT64_C(1000000)
#define INTERVAL_WAIT_MS 1000
#define FINISH_WAIT_MS   2000
#define PEAK_GAP_NS      UINT64_C(1000000000)

/* The live heap is not looked at again before so much was allocated. */
#define PEAK_STEP_LEAST (64u << 10)

#define NEVER UINT64_MAX

bool trigger_counting;
bool trigger_opening;

/* Dumps of one kind, counted; `done` is a futex. */
struct wanted {
	_Atomic uint32_t asked, done;
};

static struct {
	struct wanted signals, intervals;
	_Atomic bool told; /* that there is no helper */
	_Atomic bool over; /* the program ends */
	uint64_t interval; /* bytes, 0 none */
	_Atomic uint64_t allocated;

	_Atomic bool peaks;
	_Atomic uint64_t look_at; /* allocated bytes at which to look */
	_Atomic uint32_t look;    /* 1: the helper is to; a futex */
	/* the helper's */
	uint64_t peak, peak_ns; /* the last one dumped */
} trigger;

static bool
due(struct wanted *w)
{
	return atomic_load(&w->asked) != atomic_load(&w->done);
}

/* There is a helper, or there will be one. */
static bool
served(void)
{
	return conf.thread && !control_is_silent() &&
	    (control_lives() || control_paused() || !table_head());
}

static void
no_helper(void)
{
	dump_lost();
	if (control_is_silent() || atomic_exchange(&trigger.told, true))
		return;
	say("a dump that was asked for is not written: there is no helper "
	    "thread to do it",
	    conf.thread ? "" : " (thread:false)", NULL);
}

static bool
ask(struct wanted *w, uint32_t *number)
{
	if (!served()) {
		no_helper();
		return false;
	}
	*number = atomic_fetch_add(&w->asked, 1) + 1;
	control_wake();
	return true;
}

static void
on_signal(int n)
{
	uint32_t number;

	(void)n;
	if (!atomic_load(&trigger.over) && dump_may())
		ask(&trigger.signals, &number);
}

/* Calls that the signal interrupts go on where they can. */
static void
take_signal(int n)
{
	struct sigaction now;

	if (sigaction(n, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
		return;
	now = (struct sigaction){ .sa_handler = on_signal,
		.sa_flags = SA_RESTART | SA_ONSTACK };
	sigaction(n, &now, NULL);
}

void
trigger_configure(void)
{
	if (conf.lg_interval >= 0)
		trigger.interval = UINT64_C(1) << conf.lg_interval;
	trigger_set_peaks(conf.prof_gdump);
	trigger_opening = conf.thread && conf_writes();
}

void
trigger_start(void)
{
	if (!conf_writes())
		return;
	if (conf.dump_signals & CONF_USR1)
		take_signal(SIGUSR1);
	if (conf.dump_signals & CONF_USR2)
		take_signal(SIGUSR2);
	if (!conf.thread && (trigger.interval || conf.prof_gdump))
		say("lg_prof_interval and prof_gdump do nothing with "
		    "thread:false: there is no thread to write dumps",
		    NULL);
}

bool
trigger_peaks(void)
{
	return trigger.peaks;
}

void
trigger_set_peaks(bool on)
{
	trigger.peaks = on;
	atomic_store(&trigger.look_at, on ? 0 : NEVER);
	trigger_counting = on || trigger.interval != 0;
}

uint64_t
trigger_interval(void)
{
	return trigger.interval;
}

bool
trigger_claim_opening(void)
{
	return __atomic_exchange_n(&trigger_opening, false, __ATOMIC_ACQ_REL);
}

/* Wait until so many of them are done, at most ms. */
static void
wait_done(struct wanted *w, uint32_t number, int ms)
{
	uint64_t end = os_now_coarse() + (uint64_t)ms * NS_PER_MS;
	uint32_t seen;

	while ((int32_t)((seen = atomic_load(&w->done)) - number) < 0 &&
	    control_lives() && os_now_coarse() < end)
		os_futex_wait_ms(&w->done, seen, 20);
}

void
trigger_count(struct thread *t)
{
	int64_t total = t->drawn - t->countdown;
	uint64_t more = (uint64_t)(total - t->counted), before, after;
	uint32_t number;

	t->counted = total;
	before = atomic_fetch_add(&trigger.allocated, more);
	after = before + more;
	if (!rate_now().active || !dump_may() || t->inside)
		return;
	if (trigger.interval &&
	    before / trigger.interval != after / trigger.interval &&
	    ask(&trigger.intervals, &number))
		wait_done(&trigger.intervals, number, INTERVAL_WAIT_MS);
	before = atomic_load(&trigger.look_at);
	if (after < before ||
	    !atomic_compare_exchange_strong(&trigger.look_at, &before, NEVER))
		return;
	atomic_store(&trigger.look, 1);
	control_wake();
}

/* ---- the helper's side ---- */

static void
serve(struct wanted *w, char type)
{
	while (due(w)) {
		dump_auto(type, NULL, 0);
		atomic_fetch_add(&w->done, 1);
		os_futex_wake(&w->done, 1 << 30);
	}
}

/* The live heap can't be over the mark before what is missing has been
 * allocated. */
static void
look_later(uint64_t live, uint64_t mark)
{
	uint64_t step = mark > live ? mark - live : 0;

	if (step < trigger.peak / 64)
		step = trigger.peak / 64;
	if (step < PEAK_STEP_LEAST)
		step = PEAK_STEP_LEAST;
	if (trigger.peaks)
		atomic_store(
		    &trigger.look_at, atomic_load(&trigger.allocated) + step);
}

/* Milliseconds until a peak may be dumped again, 0 if none is due. */
static uint64_t
serve_peak(void)
{
	uint64_t mark = trigger.peak + trigger.peak / 20;
	uint64_t now = os_now_coarse(), next = trigger.peak_ns + PEAK_GAP_NS;
	struct alloc_stats s;

	if (atomic_load(&trigger.look) == 0)
		return 0;
	if (trigger.peak_ns != 0 && now < next)
		return (next - now) / NS_PER_MS + 1;
	alloc_stats(&s);
	if (trigger.peaks && s.live_bytes > mark && rate_now().active) {
		trigger.peak = s.live_bytes;
		trigger.peak_ns = now;
		dump_auto('u', NULL, 0);
		mark = trigger.peak + trigger.peak / 20;
	}
	atomic_store(&trigger.look, 0);
	look_later(s.live_bytes, mark);
	os_futex_wake(&trigger.look, 1 << 30);
	return 0;
}

uint64_t
trigger_serve(void)
{
	serve(&trigger.signals, 'm');
	serve(&trigger.intervals, 'i');
	return serve_peak();
}

/* A program that ends within its first second shows its peak all the same. */
static void
wait_first_peak(void)
{
	uint64_t end = os_now_coarse() + FINISH_WAIT_MS * NS_PER_MS;

	while (trigger.peak_ns == 0 && atomic_load(&trigger.look) != 0 &&
	    control_lives() && os_now_coarse() < end)
		os_futex_wait_ms(&trigger.look, 1, 20);
}

void
trigger_finish(void)
{
	if (control_lives()) {
		wait_first_peak();
		wait_done(&trigger.signals, atomic_load(&trigger.signals.asked),
		    FINISH_WAIT_MS);
		wait_done(&trigger.intervals,
		    atomic_load(&trigger.intervals.asked), FINISH_WAIT_MS);
	}
	atomic_store(&trigger.over, true);
	if (!table_head() || !control_lives())
		while (due(&trigger.signals)) {
			atomic_fetch_add(&trigger.signals.done, 1);
			dump_auto('m', NULL, 0);
		}
}

void
trigger_forked(void)
{
	if (!conf_writes())
		return;
	atomic_store(
	    &trigger.signals.done, atomic_load(&trigger.signals.asked));
	atomic_store(
	    &trigger.intervals.done, atomic_load(&trigger.intervals.asked));
	atomic_store(&trigger.look, 0);
	trigger.peak = trigger.peak_ns = 0;
	trigger_set_peaks(trigger.peaks);
}
