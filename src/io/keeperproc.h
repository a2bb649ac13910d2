/*
 * The keeper's process: what it does from fork() on.
 *
 * It leads a session whose terminal is the pty and starts the program in it,
 * as a shell would: in a process group of its own in the foreground, so that
 * ^C and ^Z mean what they do elsewhere, and what the program leaves running
 * behind it is not hung up.  It never waits for anybody but the disk that the
 * output file lies on; a heaptop that does not read misses output, a heaptop
 * that is gone misses all.  It stays until the program has ended and nobody
 * has the pty open any more.
 */
#ifndef IO_KEEPERPROC_H
#define IO_KEEPERPROC_H

#include <stddef.h>

#include "io/pty.h"

struct launch_options;

struct keeperproc {
	int sock;                            /* to heaptop (keeperwire.h) */
	struct pty pty;                      /* both ends */
	int log;                             /* gets all output; -1: none */
	const struct launch_options *launch; /* with in, out, err as they are
	                                      * to be, no tty */
	size_t ring_bytes;
};

/* In a child of heaptop.  All descriptors but those are closed. */
_Noreturn void keeperproc_run(const struct keeperproc *k);

#endif
