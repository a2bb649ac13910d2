/*
 * Where the file of a module may be found, best place first.
 */
#ifndef IO_SYMCAND_H
#define IO_SYMCAND_H

#include <stddef.h>
#include <sys/types.h>

struct module;

#define SYMCAND_MAX 32

struct symcand {
	char *path[SYMCAND_MAX];
	size_t count;
};

/* `pid`: its process while it lives, else 0.  `image` is the path of the
 * process's program, `program` where the user says that it is (or NULL);
 * `lib_prefix` as in symbols.h. */
void symcand_find(struct symcand *c, const struct module *m, pid_t pid,
    const char *image, const char *program, const char *lib_prefix);
void symcand_fini(struct symcand *c);

/* The path without the " (deleted)" that the kernel adds. */
char *symcand_plain(const char *path);

#endif
