/*
 * What the monkey of test_monkey.c works on, and the promises of the screen
 * that are checked after each of its deeds (monkey.c): a broken one fails
 * the test with the seed, the event and what the screen was.
 */
#ifndef MONKEY_H
#define MONKEY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/history.h"
#include "ui/app.h"
#include "ui/grid.h"

struct profile;
struct report;

struct monkey {
	uint64_t seed, state;
	struct profile *profile;
	struct report *report;
	struct app app;
	struct grid grid;
	bool ascii, mono;
	uint64_t now_ns;
	uint32_t stacks;
	bool ours;   /* the program was started by us */
	bool births; /* it tells of objects one by one */
	snap_id pins[3];
	int step;
	int frames; /* screens drawn */
};

extern struct monkey m;

/* m.grid was drawn from m.app: one character in each cell, of its width,
 * whole; the cursor inside. */
void check_grid(void);
/* It points at what there is. */
void check_app(void);
void check_request(const struct request *r);

#endif
