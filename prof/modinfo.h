/*
 * Which ELF file an address belongs to.
 *
 * Asks the dynamic linker (_dl_find_object): lock-free and right at any
 * time, in signal handlers and forked children too.  Of a module that may be
 * unloaded at any moment everything else (name, build-id) is read through the
 * kernel, so a module that goes away meanwhile gives an answer with less in
 * it, never a fault.  No allocation, no lock, errno untouched.  With a libc
 * that has no _dl_find_object nothing is ever found.
 */
#ifndef PROF_MODINFO_H
#define PROF_MODINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct modinfo {
	uint64_t start, end; /* addresses mapped, end exclusive */
	uint64_t bias; /* address - bias = address in the file's symbols */
	uint8_t build_id[32];
	uint32_t build_id_len; /* 0: none, or not readable */
	char path[1024];       /* "" if not readable; "[vdso]" */
	uintptr_t link_map;    /* names this load of the module */
	bool closeable;        /* was loaded by dlopen */
};

/* The module of `pc`; false if it is in none. */
bool modinfo_find(uint64_t pc, struct modinfo *out);

/* Only where the module of `pc` starts, 0 if it is in none: a cheap key for
 * modules already known. */
uintptr_t modinfo_key(uint64_t pc);

/* What is called the main program's path (its own link_map has none).  The
 * string is copied. */
void modinfo_set_exe(const char *path);

/* For unwind.c: where the tables of the code at `pc` are. */
struct modinfo_tables {
	uint64_t start, end;   /* they lie inside [start, end) */
	uint64_t eh_frame_hdr; /* 0: the module has none */
	bool closeable;
};

bool modinfo_tables(uint64_t pc, struct modinfo_tables *out);

/* Those of the dynamic linker itself. */
bool modinfo_ldso(struct modinfo_tables *out);

/* Before the first use; outside malloc.  False if there is no
 * _dl_find_object. */
bool modinfo_init(void);

/* The same facts of an ELF file mapped at `base`, without the dynamic linker:
 * from its program headers, read directly. */
bool modinfo_of_image(uint64_t base, struct modinfo_tables *out);

#endif
