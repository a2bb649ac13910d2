/*
 * One viewer of this process, from the helper's side: its socket, the pipe it
 * handed over, and the dump on its way.  Used by the helper thread alone.
 */
#ifndef PROF_VIEWER_H
#define PROF_VIEWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encode.h"

struct viewer {
	int sock; /* -1: this entry is free */
	int pipe; /* -1: not handed over yet */
	bool hello_sent;
	bool sending; /* a dump is on its way */
	struct encoder encoder;
	unsigned char *buf; /* ENCODE_ROOM bytes of the dump */
	size_t len, off;    /* bytes in buf, and of them written */
	size_t in_len;
	/* A message that has not come whole yet: the longest that makes sense
	 * names a file.  Last, for it is not cleared. */
	unsigned char in[PATH_BYTES + 512];
};

/* A viewer on `sock`: introduce ourselves, with the table's memfd unless it
 * is -1.  False if there is no memory or the other end is gone. */
bool viewer_open(struct viewer *v, int sock, int memfd);
void viewer_close(struct viewer *v);

/* Its socket is readable.  False: it is gone. */
bool viewer_read(struct viewer *v);
/* Its pipe takes more.  False: it is gone. */
bool viewer_write(struct viewer *v);
/* Say bye; the viewer is closed afterwards by the caller. */
void viewer_bye(struct viewer *v, uint32_t reason);

#endif
