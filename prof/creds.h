/*
 * Credentials: the kernel keeps them per thread, libc spreads a change over
 * the threads it knows, and the helper is not one of them.  So the program's
 * set*id(), setgroups() and capset() are wrapped: what a call made of the
 * calling thread, the helper becomes as well, before the call returns.  A
 * program that drops its privileges has dropped them in all its threads.
 */
#ifndef PROF_CREDS_H
#define PROF_CREDS_H

/* In a thread of the program, after a successful change: have the helper
 * follow. */
void creds_follow(void);

/* In the helper: become what creds_follow() asked for. */
void creds_take(void);

/* In the child after a fork: nobody is changing them. */
void creds_forked(void);

#endif
