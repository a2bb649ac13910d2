/*
 * The few functions of libc that the library stands in front of, besides
 * malloc's own; each calls what it stands in front of.
 *
 *	pthread_create           notes the bounds of the new thread's stack
 *	unshare, setns           no helper while a user namespace is entered
 *	prctl, syscall           notice a seccomp filter before it is set
 *	set*id, setgroups, capset, initgroups
 *	                         the helper follows, see creds.h
 */
#ifndef PROF_WRAP_H
#define PROF_WRAP_H

#include <stdint.h>

/* Bounds of this thread's stack as pthread_create noted them; 0 and 0 for
 * the first thread and those made otherwise. */
void wrap_stack_bounds(uintptr_t *lo, uintptr_t *hi);

#endif
