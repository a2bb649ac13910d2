/*
 * Named values of the library: the names of jemalloc's mallctl, and what
 * reading and writing each does.
 *
 * mallctl.c hands them to the program as binary values, ctl.c to a viewer as
 * text.  A `*` in a name stands for a number, which is taken and means
 * nothing here (there are no arenas).
 */
#ifndef PROF_CTLNODE_H
#define PROF_CTLNODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctl_type {
	CTL_VOID, /* something is done */
	CTL_BOOL,
	CTL_U32, /* unsigned */
	CTL_SIZE,
	CTL_SSIZE,
	CTL_U64,
	CTL_STRING /* const char * */
};

union ctl_value {
	bool b;
	uint32_t u32;
	size_t size;
	int64_t ssize;
	uint64_t u64;
	const char *string;
};

struct ctl_node {
	const char *name;
	enum ctl_type type;
	bool own;          /* of the calling thread: nothing for the helper */
	const void *field; /* what get() reads, if it is one for all */
	const char *wants; /* of a value that set() takes, in words */
	/* 0 or an errno value; NULL: it can't be read. */
	int (*get)(const struct ctl_node *n, union ctl_value *out);
	/* Likewise; `value` is NULL where none is given, which only
	 * CTL_VOID, prof.dump and prof.reset take. */
	int (*set)(const struct ctl_node *n, const union ctl_value *value);
};

/* The node of a name of `len` bytes, NULL if there is none.  The numbers in
 * it go into `numbers` in their order; there are at most CTL_PARTS. */
#define CTL_PARTS 8
const struct ctl_node *ctlnode_find(
    const char *name, size_t len, size_t numbers[CTL_PARTS]);

/* By number, from 0; NULL beyond the last. */
const struct ctl_node *ctlnode_at(size_t i);
size_t ctlnode_index(const struct ctl_node *n);

/* Bytes of a value of that type. */
size_t ctlnode_size(enum ctl_type type);

/* Is it the one that writes a dump?  Its name can be handed back. */
bool ctlnode_is_dump(const struct ctl_node *n);

#endif
