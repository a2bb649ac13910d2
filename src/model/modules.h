/*
 * The ELF files mapped in a profiled process.
 *
 * Append-only; ids are the source's (from 1).  An offset in a module is an
 * address in its file's own address space, as its symbol table and DWARF use
 * it; address = offset + bias.
 */
#ifndef MODEL_MODULES_H
#define MODEL_MODULES_H

#include <stddef.h>
#include <stdint.h>

struct modules;

struct module {
	uint32_t id;
	uint64_t start, end; /* mapped addresses, end exclusive */
	uint64_t bias;
	const char *path; /* as the process had it; "" if not known */
	const char *name; /* its last component, "?" if not known; control
			   * bytes are replaced by '?' */
	uint8_t build_id[32];
	size_t build_id_len; /* 0 if not known */
};

struct modules *modules_new(void);
void modules_free(struct modules *m);

/* NULL if the id is not known.  Borrowed until the modules are freed. */
const struct module *modules_find(const struct modules *m, uint32_t id);
/* Ids are 1..max; some may be unknown. */
uint32_t modules_max(const struct modules *m);
/* The newest module whose mapping holds the address, or NULL. */
const struct module *modules_find_address(
    const struct modules *m, uint64_t address);

/* Copies everything.  0; -1 if the id is 0, too big, or taken by another
 * module.  The same again is fine. */
int modules_add(struct modules *m, const struct module *in);

#endif
