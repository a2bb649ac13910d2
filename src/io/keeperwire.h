/*
 * What heaptop and the keeper of its program say to each other over a stream
 * socket.
 *
 * Each message is a struct keeperwire_head and its payload, numbers as this
 * machine has them: both ends are one program.  Neither trusts the other for
 * more than that: sizes are checked, what is not understood ends the talk.
 */
#ifndef IO_KEEPERWIRE_H
#define IO_KEEPERWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define KEEPERWIRE_MAX 65536u /* payload of a message, bytes */

struct keeperwire_head {
	uint32_t size; /* payload bytes */
	uint16_t kind;
	uint16_t zero;
};

enum keeperwire_kind {
	/* from heaptop */
	KEEPERWIRE_INPUT = 1, /* bytes that are typed */
	KEEPERWIRE_RESIZE,    /* struct winsize */
	KEEPERWIRE_SIGNAL,    /* int32_t: send it to the program */
	/* from the keeper; one of the first two comes first, once */
	KEEPERWIRE_STARTED, /* int32_t: the program's pid */
	KEEPERWIRE_FAILED,  /* int32_t status of launch.h, sentence */
	KEEPERWIRE_OUTPUT,  /* uint64_t offset of the first byte, bytes */
	KEEPERWIRE_STATUS,  /* int32_t of waitpid: stopped, continued, or
	                     * ended, then after all that it had written */
	KEEPERWIRE_LOSSES   /* struct keeperwire_losses so far */
};

/* What could not be passed on. */
struct keeperwire_losses {
	uint64_t input; /* bytes the program did not read in time */
	uint64_t log;   /* bytes the output file's reader was too slow for */
	int32_t error;  /* errno that ended the output file; 0: none */
	int32_t zero;
};

/* Bytes on their way in or out; all zeros is empty. */
struct keeperwire {
	struct buf buf;
	size_t at; /* bytes of it that are done with */
};

struct keeperwire_message {
	enum keeperwire_kind kind;
	const char *data; /* until the next read */
	size_t size;
};

void keeperwire_fini(struct keeperwire *w);

/* Put a message of one or two parts (`b` may be NULL) in line. */
void keeperwire_put(
    struct keeperwire *w, enum keeperwire_kind kind, const void *a, size_t n);
void keeperwire_put2(struct keeperwire *w, enum keeperwire_kind kind,
    const void *a, size_t n, const void *b, size_t m);
size_t keeperwire_waiting(const struct keeperwire *w); /* bytes in line */
/* Send what the socket takes now.  0 all is sent, 1 some waits, -1 nobody is
 * at the other end. */
int keeperwire_send(struct keeperwire *w, int fd);

/* Read once.  1 something came, 0 nothing now, -1 the other end is gone. */
int keeperwire_read(struct keeperwire *w, int fd);
/* The next message.  1, 0 if it is not whole yet, -1 if it is none. */
int keeperwire_next(struct keeperwire *w, struct keeperwire_message *m);
/* Take `size` bytes off the front of its payload; false if there are less. */
bool keeperwire_take(struct keeperwire_message *m, void *to, size_t size);

#endif
