/*
 * Which frames are allocator plumbing.  The *site* of a stack is its first
 * frame, from the leaf, that is not: the code one would change.
 *
 * Two degrees.  Allocator frames are what any heap profile drops: malloc's
 * family, operator new, and everything in an allocator's own library.
 * Wrappers are thin layers that only pass the request on: std::allocator,
 * g_malloc, xmalloc, Rust's alloc::alloc and raw_vec.  Only names that are
 * sure are listed; a strdup or a container's method is a site.
 */
#ifndef MODEL_PLUMBING_H
#define MODEL_PLUMBING_H

enum plumbing {
	PLUMBING_NONE,
	PLUMBING_WRAPPER,
	PLUMBING_ALLOCATOR,
};

/* By the demangled name; `module` is the file name of its module or "". */
enum plumbing plumbing_class(const char *function, const char *module);
/* The same of what has no name. */
enum plumbing plumbing_module(const char *module);

#endif
