/*
 * Names of the linker as people write them: C++, Rust and D by libiberty.
 *
 * What comes out is the full name without return type but with parameters
 * and template arguments, as c++filt prints it: `--collapsed` shows that
 * form, and reports cut it further (jeprof's short name is it without
 * parameter and template lists).  A "[clone ...]" suffix is left out.
 * Hostile names: longer than DEMANGLE_MAX they are not tried; the result is
 * cut at DEMANGLE_OUT_MAX.
 */
#ifndef IO_DEMANGLE_H
#define IO_DEMANGLE_H

#define DEMANGLE_MAX     16384
#define DEMANGLE_OUT_MAX 16384

/* The caller's to free; a copy of `name` if it is not mangled. */
char *demangle(const char *name);

#endif
