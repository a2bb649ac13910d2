/*
 * A look into an ELF file by a few bounded reads: enough to tell what the
 * loader will make of it and where its segments lie.  The file is hostile;
 * what does not fit is left empty.
 */
#ifndef IO_ELFPEEK_H
#define IO_ELFPEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELFPEEK_SEGMENTS 64

struct elfpeek {
	int bits; /* 32 or 64; the rest is empty unless it is 64 */
	unsigned machine;
	bool native;           /* machine and byte order are ours */
	bool damaged;          /* headers lie outside the file */
	char interpreter[256]; /* PT_INTERP, "" if none */
	char soname[64];
	char allocator[32];    /* a function of its own allocator, "" none */
	const char *sanitizer; /* name of its sanitizer, NULL if none */
	bool symbols;          /* there is a symbol table, not only exports */
	bool lines;            /* there is a table of lines (DWARF) */
	uint8_t build_id[32];
	size_t build_id_len;
	struct {
		uint64_t offset, vaddr, file_size, memory_size;
	} segment[ELFPEEK_SEGMENTS]; /* PT_LOAD in file order */
	size_t segments;
};

/* 0; -1 if it is no ELF file. */
int elfpeek_read(int fd, struct elfpeek *out);

/* The same without symbols: headers, segments and build-id. */
int elfpeek_headers(int fd, struct elfpeek *out);

/* The address in the file's own address space of what lies at a file offset;
 * false if no segment holds it. */
bool elfpeek_address(const struct elfpeek *p, uint64_t offset, uint64_t *vaddr);

#endif
