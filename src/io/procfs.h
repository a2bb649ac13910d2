/*
 * What /proc says about processes.  Everything is read anew at each call;
 * a process may be gone at any time, which is -1 or 0, not a surprise.
 */
#ifndef IO_PROCFS_H
#define IO_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct err;

struct procfs_memory {
	uint64_t rss_bytes, virtual_bytes, swap_bytes;
	uint64_t anon_bytes, file_bytes, shmem_bytes; /* parts of rss */
	uint64_t stack_bytes; /* main thread's stack, virtual */
	uint64_t major_faults;
	uint32_t threads;
};

struct procfs_stat {
	char comm[64]; /* control bytes as '?' */
	char state;    /* R S D T t Z X ... */
	pid_t ppid;
	uint64_t start_ticks; /* field 22 */
	uint64_t minor_faults, major_faults;
	uint64_t utime_ticks, stime_ticks;
	uint32_t threads;
};

enum procfs_library {
	PROCFS_PRELOADED, /* libheaptop.so is mapped */
	PROCFS_ABSENT,    /* it is not */
	PROCFS_UNKNOWN    /* its maps cannot be read */
};

/* -1 if there is no such process (any more). */
int procfs_stat(pid_t pid, struct procfs_stat *out);
int procfs_memory(pid_t pid, struct procfs_memory *out);

/* Arguments joined by blanks, "[comm]" if there are none; control bytes as
 * '?'.  Always terminates `out`; -1 if there is no such process. */
int procfs_command(pid_t pid, char *out, size_t size);

/* Effective uid, or -1 as an unsigned value. */
uid_t procfs_uid(pid_t pid);
/* The pid in the process's own pid namespace; `pid` if not known. */
pid_t procfs_inner_pid(pid_t pid);
/* A system call filter is set in one of its tasks, beyond those that this
 * program, or the first process of its container, has as well. */
bool procfs_filtered(pid_t pid);
/* Filters that this program runs under and that let it read memory by
 * process_vm_readv; 0 also if they don't. */
unsigned procfs_harmless_filters(void);
/* A variable of the environment it was started with, the caller's to free;
 * NULL if not set or not readable. */
char *procfs_environ(pid_t pid, const char *name);

enum procfs_library procfs_library(pid_t pid);

/* All processes, ascending; the array is the caller's to free. */
pid_t *procfs_all(size_t *n);

/* Processes with libheaptop.so in their maps, ascending; at most `max` are
 * stored, all are counted. */
size_t procfs_preloaded(pid_t *out, size_t max);

/* Processes of others, kernel threads aside, that may not be asked for their
 * maps: among them may be preloaded ones. */
size_t procfs_unreadable(void);

/*
 * The preloaded process that `word` names: a pid, else the name (comm, or
 * last component of the first argument) of exactly one preloaded process.
 * -1 with a sentence if there is none; -2, with one that lists them, if there
 * are several.
 */
int procfs_find(const char *word, pid_t *pid, struct err *e);

#endif
