/*
 * The symbol process: addresses in, functions, files and lines out, by libdw.
 *
 * Names of functions with code of their own come from the symbol table
 * (symtab.h), inlined functions and all lines from DWARF, read lazily: the
 * ranges of all compilation units once, then per unit its line table and its
 * functions' ranges, then per function its tree of inlined calls.
 */
#ifndef IO_SYMBOLIZE_H
#define IO_SYMBOLIZE_H

#include <stddef.h>
#include <stdint.h>

struct symbolizer;

/* A file to look into. */
struct symbolize_file {
	const char *path; /* as the process had it: debug files are sought
	                   * beside it, then beside the candidate */
	const char *const *paths; /* candidates, best first */
	size_t count;
	const uint8_t *build_id; /* it must have, if build_id_len > 0 */
	size_t build_id_len;
};

/* One function at an address. */
struct symbolize_name {
	const char *function; /* demangled, or NULL if not known */
	const char *file;     /* or NULL */
	uint32_t line;
};

#define SYMBOLIZE_DEPTH 64 /* functions at one address, at most */

/* Opens the first candidate that fits.  Never NULL; `note` (size
 * SYMBOLIZE_NOTE) gets one sentence if names or lines will be missing, else
 * "". */
#define SYMBOLIZE_NOTE 512
struct symbolizer *symbolize_open(
    const struct symbolize_file *f, char note[SYMBOLIZE_NOTE]);
void symbolize_close(struct symbolizer *s);
/* There is line information for some of it. */
int symbolize_has_lines(const struct symbolizer *s);

/* The functions at `offset` (an address of the file's own address space),
 * innermost first; how many, 0 if nothing is known.  Strings last until the
 * next call.  Without `lines` the symbol table alone answers. */
unsigned symbolize_at(struct symbolizer *s, uint64_t offset, int lines,
    struct symbolize_name out[SYMBOLIZE_DEPTH]);

#endif
