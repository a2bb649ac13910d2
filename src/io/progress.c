#include "io/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BEGIN_NS UINT64_C(500000000)
#define STEP_NS  UINT64_C(100000000)

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
put(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));

	(void)n; /* who does not take it does not want it */
}

void
progress_begin(struct progress *p, const char *name)
{
	memset(p, 0, sizeof *p);
	p->name = name;
	p->terminal = isatty(STDERR_FILENO);
	if (p->terminal)
		p->start_ns = p->last_ns = now_ns();
}

void
progress_step(struct progress *p, uint64_t at, uint64_t size)
{
	const char *slash = strrchr(p->name, '/');
	char text[512];
	char far[400];
	uint64_t now;

	if (!p->terminal)
		return;
	now = now_ns();
	if (now - p->start_ns < BEGIN_NS ||
	    (p->shown && now - p->last_ns < STEP_NS))
		return;
	p->last_ns = now;
	p->shown = true;
	if (size > 0 && at <= size)
		snprintf(
		    far, sizeof far, "%.0f%%", 100 * (double)at / (double)size);
	else
		snprintf(far, sizeof far, "%.0f MiB", (double)at / 1048576);
	snprintf(text, sizeof text, "\r\033[Kheaptop: reading %.60s: %s",
	    slash != NULL ? slash + 1 : p->name, far);
	put(text);
}

void
progress_end(struct progress *p)
{
	if (p->shown)
		put("\r\033[K");
	p->shown = false;
}
