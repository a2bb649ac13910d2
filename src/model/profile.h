/*
 * A profile: everything known of one process image, as told by a stream or a
 * dump file.  It owns its modules, frames, stacks, threads and history; all
 * else borrows.  Pure: no files, no clock, no terminal; time comes in with
 * the data.
 *
 * The functions profile_put_* are how data comes in (io/dumpread.c and the
 * file readers call them, nobody else).  They check every id and length they
 * are given against what came before and refuse what does not fit: -1 with a
 * sentence, and the profile stays as it was.  What is put between two calls
 * of profile_commit belongs to one snapshot; a cell that is not put again
 * keeps its value.
 *
 * Ids are the source's: modules and stacks count from 1 without gaps being
 * required (at most PROFILE_IDS_MAX), thread slots are 0..65535.  Putting the
 * same module or stack id again with the same contents is allowed and
 * changes nothing; with other contents it is an error.
 */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stddef.h>
#include <stdint.h>

struct births;
struct err;
struct frames;
struct history;
struct memory_seen;
struct modules;
struct stacks;
struct profile;

#define PROFILE_IDS_MAX 16777216u

/* Who it is.  Strings are copied.  Zero or "" where not known. */
struct profile_facts {
	uint32_t pid, ppid;
	uint64_t start_ticks; /* /proc/PID/stat field 22 */
	uint64_t image_ns; /* CLOCK_MONOTONIC when the image opened its table */
	uint64_t wall_ns;  /* CLOCK_REALTIME at that moment */
	uint16_t flags;    /* PROFILE_* */
	const char *image; /* path of the executable */
	const char *command; /* arguments joined by blanks */
	const uint8_t *build_id;
	size_t build_id_len;
	const char *source; /* "stream", or the name of the dump file */
	const char *rule;   /* how a file's figures became estimates, for a line
	                   * of notes; NULL or "": they came as such */
};

enum profile_flag {
	PROFILE_NO_TABLE = 1,
	PROFILE_FORKED = 2,
	PROFILE_OWN_MALLOC = 4,
	PROFILE_SILENT = 8,
	PROFILE_UNWIND_FP = 16,
};

/* The figures of one (stack, thread) at one moment.  `raw` are samples, the
 * others unbiased estimates with the variance of their live part. */
struct cell_values {
	double live_bytes, live_objects;
	double alloc_bytes, alloc_objects;
	double live_var_bytes, live_var_objects;
	double alloc_var_bytes, alloc_var_objects;
	uint64_t live_samples, alloc_samples;
	uint64_t live_raw_bytes, alloc_raw_bytes;
};

#define PROFILE_LIVES 12

enum profile_loss {
	LOSS_TABLE_FULL,
	LOSS_STARTING,
	LOSS_NESTED,
	LOSS_NOMEM,
	LOSS_CUT_DEPTH,
	LOSS_CUT_UNWIND,
	LOSS_GUESSED,
	LOSS_SHARED_SLOT,
	LOSS_COUNT
};

/* The process as a whole at one moment. */
struct profile_totals {
	uint64_t now_ns;   /* CLOCK_MONOTONIC */
	uint64_t exact_ns; /* when the next three were counted; 0: never */
	uint64_t live_bytes, live_objects, alloc_bytes; /* exact */
	uint64_t mapped_bytes, cached_bytes, dirty_bytes, meta_bytes;
	uint64_t samples, samples_live;
	uint64_t inactive_ns; /* time that sampling was off */
	uint32_t lg_sample;   /* mean distance of samples is 2^lg; 0: exact */
	uint32_t rate_changes;
	int active;
	uint64_t lost[LOSS_COUNT];
	/* from /proc, put in by the session, or told by a dump; 0 where not
	 * known.  Files and shared memory are parts of what is resident. */
	uint64_t rss_bytes, virtual_bytes, swap_bytes, major_faults;
	uint64_t file_bytes, shmem_bytes; /* by dumps only */
};

/* One frame of a stack: module id and offset in its file's address space
 * (already inside the call instruction); module 0: an absolute address. */
struct profile_frame {
	uint32_t module;
	uint64_t offset;
};

enum profile_stack_flag {
	PROFILE_STACK_CUT_DEPTH = 1,
	PROFILE_STACK_CUT_UNWIND = 2,
	PROFILE_STACK_GUESSED = 4,
};

struct profile *profile_new(void);
void profile_free(struct profile *p); /* NULL is fine */

void profile_put_facts(struct profile *p, const struct profile_facts *f);
int profile_put_module(struct profile *p, uint32_t id, uint64_t start,
    uint64_t end, uint64_t bias, const uint8_t *build_id, size_t build_id_len,
    const char *path, struct err *e);
void profile_put_thread(struct profile *p, uint16_t slot, uint32_t tid,
    int ended, const char *name);
/* `frames` leaf first, 1 to 4096 of them; unknown module ids are an error. */
int profile_put_stack(struct profile *p, uint32_t id, unsigned flags,
    const struct profile_frame *frames, size_t count, struct err *e);
/* Absolute values; an unknown stack is an error. */
int profile_put_cell(struct profile *p, uint32_t stack, uint16_t slot,
    const struct cell_values *v, struct err *e);
/* Lifetimes of the freed samples of a cell that was put, see prof/format.h. */
void profile_put_life(struct profile *p, uint32_t stack, uint16_t slot,
    const uint32_t life[PROFILE_LIVES]);
void profile_put_totals(struct profile *p, const struct profile_totals *t);
/* What /proc said of the process.  It takes the place of those four fields of
 * the totals at every commit from now on, and at once in the newest snapshot,
 * if there is one: so it may be called right after a commit, too. */
void profile_put_process(struct profile *p, uint64_t rss_bytes,
    uint64_t virtual_bytes, uint64_t swap_bytes, uint64_t major_faults);
/* What a look at its mappings said; copied.  NULL: there was none. */
void profile_put_seen(struct profile *p, const struct memory_seen *s);
/* Cells that were not put since the last commit become all zeros. */
void profile_clear_rest(struct profile *p);
/* What was put is now the newest snapshot. */
void profile_commit(struct profile *p);
/* Before the first commit: only the newest state is of use, so there will be
 * no history. */
void profile_keep_nothing(struct profile *p);

/* Borrowed, for as long as the profile lives. */
const struct profile_facts *profile_facts(const struct profile *p);
const struct modules *profile_modules(const struct profile *p);
const struct stacks *profile_stacks(const struct profile *p);
struct frames *profile_frames(struct profile *p);
const struct frames *profile_frames_const(const struct profile *p);
const struct history *profile_history(const struct profile *p);
/* Objects one by one.  Who reads them puts them there, too; of the cell that
 * has this stack, as the source numbers it, and slot; UINT32_MAX: none has. */
struct births *profile_births(const struct profile *p);
uint32_t profile_find_cell(
    const struct profile *p, uint32_t stack, uint16_t slot);
/* History for who asks for snapshots only, not for cells: a profile of one
 * commit has these in its own cells, and remembers them twice only if that
 * is asked for. */
const struct history *profile_snapshots(const struct profile *p);

/* One (stack, thread).  `stack` is the table's dense id, see stacks.h. */
struct profile_cell {
	uint32_t stack;
	uint16_t slot;
	struct cell_values v;
};

/* All cells, in order of first appearance; history counts them likewise.
 * Borrowed until the next profile_put_cell. */
const struct profile_cell *profile_cells(const struct profile *p, size_t *n);

/* What cells are of, beside one another: who asks history what they held needs
 * no more, and reads a tenth of the memory.  Borrowed likewise. */
struct profile_owner {
	uint32_t stack;
	uint16_t slot;
};
const struct profile_owner *profile_owners(const struct profile *p);

/* When the cell was first put, as history_first_ns. */
uint64_t profile_first_ns(const struct profile *p, uint32_t cell);
/* [PROFILE_LIVES]; NULL if none are known. */
const uint32_t *profile_life(const struct profile *p, uint32_t cell);

/* A place for what others derive from the profile and want to keep with it
 * (reports do); `forget` is called with it at the end.  Not thread-safe, as
 * everything here. */
struct profile_kept {
	void *what;
	void (*forget)(void *what);
};
struct profile_kept *profile_kept(const struct profile *p);

/* Keep a snapshot (its id, see history.h) for good, or let it age. */
void profile_pin(struct profile *p, uint32_t snapshot, int on);
/* If history is larger than its budget every second snapshot is dropped,
 * pinned or not, and that is true. */
int profile_bound(struct profile *p);
/* How many slots have been named: they are below this. */
uint32_t profile_thread_slots(const struct profile *p);
int profile_thread_ended(const struct profile *p, uint16_t slot);

/* The newest totals, NULL before the first commit. */
const struct profile_totals *profile_totals(const struct profile *p);
/* Of the commit before it, NULL if there was none. */
const struct profile_totals *profile_totals_before(const struct profile *p);

/* The last look at its mappings, NULL if there was none. */
const struct memory_seen *profile_seen(const struct profile *p);

/* A thread's name and tid; "" and 0 if the slot is not known. */
const char *profile_thread_name(const struct profile *p, uint16_t slot);
uint32_t profile_thread_tid(const struct profile *p, uint16_t slot);

#endif
