/*
 * The options of the preloaded library.
 *
 * Read once, before the first sample: HEAPTOP_DEFAULTS, the symbol
 * malloc_conf, the target text of /etc/malloc.conf, MALLOC_CONF,
 * HEAPTOP_CONF, later ones overriding earlier ones; jemalloc's syntax
 * (`key:value,key:value`, blanks after a comma allowed).  Read-only
 * afterwards except where a field says otherwise.
 */
#ifndef PROF_CONF_H
#define PROF_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum conf_unwind {
	UNWIND_AUTO,
	UNWIND_FP,
	UNWIND_CHECK
};

struct conf {
	bool read;              /* the options have been read */
	bool prof;              /* false: the bare allocator */
	bool prof_explicit;     /* `prof:true` was written: file mode */
	bool prof_active;       /* at the start; later state is in sample.h */
	uint32_t lg_sample;     /* at the start; 0 is exact, at most 47 */
	uint32_t bt_max;        /* frames kept of a stack, 1..4096; 128 */
	bool thread;            /* the helper thread may be made */
	int64_t dirty_decay_ms; /* < 0 never, 0 at once; 10000 */
	enum conf_unwind unwind;
	/* process_vm_readv() may be tried in a program that was started under
	 * so many system call filters: one of them might kill for it.
	 * heaptop says how many it runs under itself; true is any number */
	uint32_t probe;
	uint64_t seed;     /* of the samplers; 0: not given, use entropy */
	bool prof_final;   /* write a dump at exit */
	char prefix[1024]; /* of dump files; made absolute at the start */
	char socket[108];  /* HEAPTOP_SOCKET, "" if not set */
	char runtime[108]; /* XDG_RUNTIME_DIR, "" if not set or longer */
};

extern struct conf conf;

/* Read all sources; wrong options are told on fd 2 in one sentence each if
 * nobody else can say it.  No allocation, no stdio. */
void conf_read(void);

#endif
