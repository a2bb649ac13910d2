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

/* Signals that ask for a dump, as bits. */
enum conf_signal {
	CONF_USR1 = 1,
	CONF_USR2 = 2
};

enum conf_unwind {
	UNWIND_AUTO,
	UNWIND_FP,
	UNWIND_CHECK
};

/* What is filled, as bits. */
enum conf_junk {
	CONF_JUNK_ALLOC = 1,
	CONF_JUNK_FREE = 2
};

enum conf_zero_realloc {
	CONF_ZERO_FREE,
	CONF_ZERO_ALLOC,
	CONF_ZERO_ABORT
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
	uint64_t seed; /* of the samplers; 0: not given, use entropy */

	/* What is written, and when.  File mode (prof_explicit) sets those of
	 * them that nobody else did. */
	bool prof_final;       /* a dump at exit */
	bool prof_leak;        /* what is left at exit is told */
	bool prof_leak_error;  /* and makes the exit status 1 */
	bool prof_gdump;       /* a dump at each new peak, at the start */
	int lg_interval;       /* a dump every 2^n bytes allocated; < 0 none */
	unsigned dump_signals; /* enum conf_signal */
	bool prof_accum;       /* dumps have what was freed as well */
	bool prof_compress;    /* dumps are gzipped */
	uint32_t prof_keep;    /* newest dumps that are kept; 0 all */
	bool prof_children;    /* children made by fork write dumps too */
	bool thread_active;    /* new threads are sampled, at the start */
	bool sys_thread_name;  /* given; names are always taken so */
	bool prefix_given;     /* it is not the default's */
	bool asked;  /* jemalloc's sources have an option of its profiles */
	bool shared; /* prof:true stands where jemalloc reads it */
	/* of dump files, "" for none; absolute from the start if anything is
	 * written by itself, else as it was given */
	char prefix[1024];

	/* jemalloc's for finding mistakes, see strict.h. */
	bool zero;         /* fresh memory is zero */
	bool abort;        /* misuse ends the program at once */
	bool abort_conf;   /* so do wrong options */
	bool confirm_conf; /* what is read and set is told */
	bool xmalloc;      /* so does a lack of memory */
	bool stats_print;  /* malloc_stats_print() at exit */
	bool tcache;       /* threads keep free blocks */
	unsigned junk;     /* enum conf_junk */
	enum conf_zero_realloc zero_realloc;
	size_t tcache_max; /* of blocks up to so many bytes */
	char stats_print_opts[16];

	char socket[108];  /* HEAPTOP_SOCKET, "" if not set */
	char runtime[108]; /* XDG_RUNTIME_DIR, "" if not set or longer */
};

extern struct conf conf;

/* Are dumps written without being asked for one by one? */
bool conf_writes(void);

/* After all there will be none. */
void conf_write_nothing(void);

/* At the start: the prefix is meant from here, if anything is written by
 * itself. */
void conf_fix_prefix(void);

/* `path` seen from the present directory, into `out` of `cap` bytes.  False
 * if that is too long or there is no such directory. */
bool conf_absolute(const char *path, char *out, size_t cap);

/* Read all sources; wrong options are told on fd 2 in one sentence each if
 * nobody else can say it.  No allocation, no stdio. */
void conf_read(void);

#endif
