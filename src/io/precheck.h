/*
 * Why preloading will not work, said before anything is started.
 *
 * Reads the ELF headers, dynamic section and dynamic symbols of a file, a
 * few bounded tables, nothing else; scripts are followed to their
 * interpreter.  Sentences begin with the program's name as it was given.
 */
#ifndef IO_PRECHECK_H
#define IO_PRECHECK_H

#include <stdbool.h>

enum precheck_kind {
	PRECHECK_OK,
	PRECHECK_STATIC,     /* no interpreter: nothing is preloaded */
	PRECHECK_SETID,      /* set-user-ID, set-group-ID: ld.so ignores it */
	PRECHECK_CAPS,       /* file capabilities: likewise */
	PRECHECK_MACHINE,    /* other word size or machine */
	PRECHECK_MUSL,       /* another C library */
	PRECHECK_ASAN,       /* a sanitizer's runtime must come first */
	PRECHECK_OWN_MALLOC, /* its allocator is its own */
	PRECHECK_UNREADABLE, /* cannot be read, so not known */
	PRECHECK_NOT_ELF,    /* neither ELF nor script, or damaged: the kernel
			      * decides */
};

/* What to do about it. */
enum precheck_verdict {
	PRECHECK_RUN,       /* go on; a sentence, if any, is to be said */
	PRECHECK_UNWATCHED, /* a screen refuses (125); -b and exec run it
	                     * without us and say the sentence */
	PRECHECK_REFUSE,    /* 125 in any mode: it would fail with us */
};

struct precheck {
	enum precheck_kind kind;
	enum precheck_verdict verdict;
	char sentence[512]; /* "" for PRECHECK_OK */
	bool script;        /* what was looked at is its interpreter, */
	char file[4096];    /* which is this; else `path` itself */
};

/* `path` is what will be executed (launch_find), `name` what the user
 * typed. */
void precheck_file(const char *path, const char *name, struct precheck *out);

#endif
