/*
 * Running a program under libheaptop.so, with snapshots while it runs or a
 * report at its end.
 *
 * The program keeps heaptop's stdin, stdout and stderr and its place in the
 * process group: what the terminal sends goes to both, and heaptop waits for
 * the program to decide.  Nothing between the two can block it; without
 * heaptop it runs on.
 */
#ifndef RUN_H
#define RUN_H

struct options;
struct sigstate;

/* MODE_LAUNCH.  The exit status; does not return if the program died by a
 * signal, which heaptop then dies of too. */
int run_program(const struct options *o, const struct sigstate *signals);

/* MODE_EXEC.  Returns only the status of a failure. */
int run_exec(const struct options *o, const struct sigstate *signals);

#endif
