/*
 * What each thread allocated: figures of its cells, and its heaviest stacks.
 *
 * Of a report by threads of one profile, asked with `freed` so that stacks of
 * which nothing lives are in it; what its filters left out does not count.
 * Pure.  Costs a pass over the cells.
 */
#ifndef MODEL_THREADS_H
#define MODEL_THREADS_H

#include <stddef.h>
#include <stdint.h>

#include "model/figures.h"

struct report;

struct thread_stack {
	uint32_t stack; /* index into report.stacks */
	struct figures f;
};

#define THREAD_HEAVIEST 10

struct thread_facts {
	double alloc_bytes, alloc_objects; /* since the start, estimates */
	/* Since the compared moment: allocated by it, and freed of what it
	 * had ever allocated, by whomever. */
	double new_bytes, freed_bytes;
	uint64_t first_ns; /* when it first had a sample; 0: not known */
	/* Its stacks with the largest values in the report's metric; none
	 * of 0. */
	struct thread_stack heaviest[THREAD_HEAVIEST];
	size_t heaviest_count;
};

/* Of each row of the report: [report.row_count]. */
void threads_facts(const struct report *r, struct thread_facts *rows);

#endif
