/*
 * Short visits to running processes: connect, ask for some named values one
 * after the other, leave.
 *
 * Many processes are visited at a time, and each has so much time for each
 * question and no more, so that a stopped one keeps nobody waiting.  What a
 * question is, is told in prof/ctl.h.
 */
#ifndef VISIT_H
#define VISIT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct visit_question {
	const char *key;
	const char *value; /* to be written; NULL: only read */
	uint64_t limit_ns; /* for its answer */
};

/* What a question gets if nothing else is said. */
#define VISIT_NS UINT64_C(2000000000)

struct visit_answer {
	int error;  /* 0, or what was wrong: errno; -1: not answered */
	char *text; /* the value, or a sentence about the error; or NULL */
};

enum visit_end {
	VISIT_DONE,    /* all is answered, though perhaps by errors */
	VISIT_WAITING, /* it cannot be talked to yet */
	VISIT_REFUSED, /* nor ever: not preloaded, not ours, filtered, gone */
	VISIT_LATE     /* no answer in time */
};

struct visit {
	pid_t pid;
	enum visit_end end;
	char why[512];               /* a sentence, unless it is done */
	struct visit_answer *answer; /* as many as there are questions */
};

/* Visit n processes; the caller fills in each pid. */
void visit_all(struct visit *v, size_t n, const struct visit_question *q,
    size_t questions);
void visit_free(struct visit *v, size_t n, size_t questions);

#endif
