/*
 * A sorted table of the functions of one ELF file.
 *
 * A symbol answers for the addresses within its size only; one of size 0 (in
 * assembly) up to the next symbol of its section.  Where symbols coincide,
 * the better name wins: one that is not local, then the one with fewer
 * leading underscores (puts, not _IO_puts), then global over weak, then the
 * shorter.  Look-up is a binary search.
 */
#ifndef IO_SYMTAB_H
#define IO_SYMTAB_H

#include <stddef.h>
#include <stdint.h>

struct symtab;

enum symtab_bind {
	SYMTAB_LOCAL,
	SYMTAB_WEAK,
	SYMTAB_GLOBAL
};

struct symtab *symtab_new(void);
void symtab_free(struct symtab *t);

/* `name` is borrowed for as long as the table lives.  `limit` is the end of
 * the section, for symbols without a size. */
void symtab_add(struct symtab *t, uint64_t address, uint64_t size,
    uint64_t limit, enum symtab_bind bind, const char *name);
void symtab_sort(struct symtab *t); /* after the last add, before find */

/* The name of the function that holds the address, NULL if none does. */
const char *symtab_find(const struct symtab *t, uint64_t address);
size_t symtab_count(const struct symtab *t);

#endif
