/*
 * --fail-above and --fail-growth: limits for scripts.
 *
 * What a gate looks at is the whole report, or the stacks with a function
 * whose name its pattern matches.  It fails only if the figure is above the
 * limit by more than its error, so that chance does not break a build; when
 * the error is all there is above, that is said.
 */
#ifndef GATES_H
#define GATES_H

#include <stdbool.h>

struct gate_options;
struct report;

#define GATES_FAILED 3 /* exit status */

/* Of a report by bytes, whose rows are differences where the gate is about
 * growth.  Says on stderr what is above the limit; with `all` also what is
 * not. */
bool gates_fail(const char *name, const struct gate_options *g,
    const struct report *r, bool all);

#endif
