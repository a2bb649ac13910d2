/*
 * Whether an ELF file is the one that was mapped: by build-id where the dump
 * has it, else by where its segments lie, and by the calls in it: behind each
 * place of a stack there is a return address, so a call must end there.
 */
#ifndef IO_HEAPFIT_H
#define IO_HEAPFIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elfpeek;

/* What is known of a mapped file. */
struct heapfit_mapped {
	uint64_t start;          /* lowest address... */
	uint64_t first_offset;   /* ...and where that is in the file */
	uint64_t code, code_end; /* its first executable mapping */
	uint64_t code_offset;
	bool has_code;
	uint8_t build_id[32];
	size_t build_id_len; /* 0 if not known */
};

/* How well the file that was found goes with what was mapped. */
enum heapfit {
	FIT_NO_FILE, /* there is none, or it cannot be read */
	FIT_OTHER,   /* it is another build */
	FIT_SAME,
};

/* Headers of a regular file; false if it cannot be read or is no ELF file. */
bool heapfit_read(const char *path, struct elfpeek *peek);

/*
 * FIT_OTHER or FIT_SAME; `path` is where `peek` was read, `places` are some
 * that lie in it.  Addresses in the file are those mapped less *bias, which
 * is set, where it can be told, for FIT_OTHER too.  Calls are looked for on
 * x86-64 only; debug files have none.
 */
enum heapfit heapfit(const struct heapfit_mapped *at, const char *path,
    const struct elfpeek *peek, const uint64_t *places, size_t n,
    uint64_t *bias);

#endif
