/*
 * Who this process is: the facts of its hello.
 */
#ifndef PROF_FACTS_H
#define PROF_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct table_head;

/* In the constructor, after unwind_init(): what is known from then on. */
void facts_start(void);

/* Is `malloc` of this program another's?  Then nothing is ever sampled. */
bool facts_own_malloc(void);

/* Fill the head of a table just made: hello and its strings.  System calls
 * (files of /proc) unless a filter was set; by the helper, or where there is
 * none by the opener.  A filter that was there before the program started
 * makes the unwinder do without process_vm_readv, see conf.probe. */
void facts_fill(struct table_head *h);

/* The exact figures as of now into the table, if it is open; by the helper
 * and at exit. */
void facts_totals(void);

/* What /proc tells of the process as a whole: the parts of what is resident
 * are anonymous memory, files, and memory that is shared. */
struct process_facts {
	uint64_t rss_bytes, virtual_bytes, swap_bytes;
	uint64_t anon_bytes, file_bytes, shmem_bytes;
	uint64_t major_faults;
};

/* Two small files are read; false if there is no /proc.  For who writes a
 * dump: one caller at a time. */
bool facts_process(struct process_facts *out);

/* A clock of the system, in nanoseconds; without thread-local storage. */
uint64_t facts_clock_ns(clockid_t id);

/* Read a small file into buf, at most cap bytes; bytes read, 0 if none. */
uint32_t facts_read(const char *path, char *buf, uint32_t cap);

#endif
