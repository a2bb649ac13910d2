/*
 * Interned strings: equal strings get the same 32-bit id, ids count from 0 in
 * order of arrival, and id 0 is always the empty string.  Strings hold no NUL
 * byte, never move and live as long as the table.  Equality of ids is equality
 * of strings, but for appended ones.
 */
#ifndef BASE_STRTAB_H
#define BASE_STRTAB_H

#include <stddef.h>
#include <stdint.h>

struct strtab;

typedef uint32_t str_id;

struct strtab *strtab_new(void);
void strtab_free(struct strtab *t); /* NULL is fine */

str_id strtab_add(struct strtab *t, const char *s);
str_id strtab_addn(struct strtab *t, const char *s, size_t len);
/* Always a new id, which the two above will not find: for very many strings
 * that their owner keeps apart himself. */
str_id strtab_append(struct strtab *t, const char *s, size_t len);
const char *strtab_at(const struct strtab *t, str_id id);
uint32_t strtab_count(const struct strtab *t); /* ids are 0..count-1 */

#endif
