/*
 * The helper thread, as the program's threads see it: making it, waiting for
 * it, asking it for things.
 *
 * The helper is a bare clone() that libc does not know of: it counts in no
 * list, is signalled by nobody, holds no lock of libc and needs no malloc, so
 * it can be made on any allocation path, and a program whose threads all end
 * still ends.  All signals are blocked in it.  Its first act is to take a
 * descriptor table of its own; of the program's it never uses one.  It shares no
 * working directory or root either, so a chroot() of the program does not
 * reach it.  helper.h tells what it does.
 *
 * It is made at the first sampled event (table_open), unless `thread:false`.
 * What an ordinary thread would have to be told by libc it is told by us: the
 * wrappers of wrap.c stop it around unshare() and setns() (a user namespace
 * wants a process of one thread), end it before a seccomp filter is set, and
 * have it follow changes of user and group.
 */
#ifndef PROF_CONTROL_H
#define PROF_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* Is this a child of vfork()?  It shares this memory, but a thread made here
 * would die with it, or with what it becomes. */
bool control_vforked(void);

/* Make the helper.  False if there is to be none or it cannot be made. */
bool control_start(void);

/* Is there a helper?  (It may be on its way to its end.) */
bool control_lives(void);

/* Wait, 2 s at most, until the helper has introduced itself to heaptop or
 * found that nobody listens.  So even a program that dies at once after its
 * first sample has handed its table over. */
void control_wait_handed(void);

enum control_ask {
	ASK_STOP = 1,    /* say bye (BYE_REMADE) and end */
	ASK_SILENCE = 2, /* say bye (BYE_SECCOMP) and end for good */
	ASK_CREDS = 4,   /* take on the credentials in control_creds */
};

/* Have the helper look what there is to do, if there is one.  A signal
 * handler may call it. */
void control_wake(void);
/* It was stopped by ASK_STOP and will be made again. */
bool control_paused(void);

/* Ask the helper, if there is one, and wait until it has done so. */
void control_request(enum control_ask what);
/* After ASK_STOP: make it again, if there was one. */
void control_resume(void);
/* Before a filter is set: the table is opened, then ASK_SILENCE.  Not in a
 * child of vfork(), whose filter is not its parent's. */
void control_silence(void);
/* A filter has been set: no system calls but those for memory, and futex. */
bool control_is_silent(void);

/* What ASK_CREDS asks for. */
#define CONTROL_GROUPS 256
struct control_creds {
	uint32_t uid[3], gid[3]; /* real, effective, saved */
	int groups;              /* -1: more than fit, left as they are */
	uint32_t group[CONTROL_GROUPS];
	uint32_t caps[2][3]; /* effective, permitted, inheritable */
};
extern struct control_creds control_creds;

/* In the child after a fork: there is no helper. */
void control_forked(void);

/* For the helper: what is asked, and that it has been done. */
uint32_t control_asked(void);
void control_did(uint32_t what);
/* For the helper: it has introduced itself, or given that up. */
void control_handed(void);
/* The signal that wakes the helper: one that libc keeps for itself and sends
 * to single threads of its own only. */
#define CONTROL_WAKE_SIGNAL 33

#endif
