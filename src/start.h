/*
 * What a program is started with, and how its end is told: the part that all
 * ways of starting one share.
 */
#ifndef START_H
#define START_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "io/launch.h"
#include "io/precheck.h"

struct err;
struct options;
struct session;

/* Mean distances of samples, as powers of two. */
#define START_LG_WATCHED 16 /* 64 KiB where somebody looks on */
#define START_LG_EXEC    19

struct start {
	struct precheck precheck;
	bool watched; /* false: precheck says that it cannot be */
	struct launch_options launch;
	struct buf conf, defaults; /* what launch points to */
};

/* Looks at the program of `o`; `need`: it must be one that can be watched.
 * 0, or the exit status, and why was said. */
int start_check(struct start *st, const struct options *o, bool need);
/* Fills `launch` but for descriptors, with sampling 2^lg unless `o` says
 * otherwise.  `socket`: where its helpers call in, or NULL. */
void start_prepare(
    struct start *st, const struct options *o, unsigned lg, const char *socket);
void start_fini(struct start *st);

/* A program of another machine may run by an emulator; if there is none, why
 * not was said by start_check. */
void start_say_failed(const struct start *st, int status, const struct err *e);

/* "exited 3", "was killed by SIGSEGV (core dumped)". */
void start_describe_end(int wait_status, char *out, size_t size);

#endif
