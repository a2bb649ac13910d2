/*
 * What the name of a dump file tells: `<prefix>.<pid>.<seq>.<type>.heap`,
 * jemalloc's and ours, with or without .gz behind.
 */
#ifndef IO_HEAPNAME_H
#define IO_HEAPNAME_H

#include <stdint.h>

uint32_t heapname_pid(const char *path); /* 0 if it does not tell */

#endif
