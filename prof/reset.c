#include "reset.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#include "cells.h"
#include "central.h"
#include "encode.h"
#include "facts.h"
#include "os.h"
#include "pool.h"
#include "rate.h"
#include "record.h"
#include "sample.h"
#include "tablewrite.h"

struct base {
	uint64_t objects, bytes; /* estimates, fixed point as in a cell */
};

bool reset_wanted;

/* One for each cell there can be; pages never touched are never there. */
#define BASE_BYTES ((size_t)CELL_SEG * CELL_SEGS * sizeof(struct base))

static struct {
	uint64_t at_ns;
	struct base *base; /* of cell i at i - 1; NULL: never reset */
} reset;

/* What was before goes with the rest of it. */
static void
moved(uint32_t from, uint32_t to)
{
	struct base *a = &reset.base[from - 1], *b = &reset.base[to - 1];

	b->objects += a->objects;
	b->bytes += a->bytes;
	memset(a, 0, sizeof *a);
}

/* Under the table's lock: what each cell has accumulated. */
static void
note_base(void)
{
	struct table_view view = table_view();
	uint32_t cells = table_head()->cells;

	if (!reset.base)
		reset.base = os_map(BASE_BYTES);
	cells_moved = reset.base ? moved : NULL;
	for (uint32_t i = 1; reset.base && i <= cells; i++) {
		struct cell_frame c;

		table_cell_read(table_cell_at(&view, i), &c);
		reset.base[i - 1] =
		    (struct base){ c.alloc_est_objects, c.alloc_est_bytes };
	}
}

static void
drop(struct span *s, struct record *r, uint32_t n, void *arg)
{
	(void)s;
	(void)arg;
	for (uint32_t i = 0; i < n; i++)
		sample_drop(&r[i]);
}

bool
reset_now(void)
{
	if (!table_open())
		return false;
	central_sampled_foreach(drop, NULL);
	pool_reset();
	table_lock();
	note_base();
	table_unlock();
	rate_restart();
	reset.at_ns = facts_clock_ns(CLOCK_MONOTONIC);
	return true;
}

void
reset_ask(void)
{
	__atomic_store_n(&reset_wanted, true, __ATOMIC_RELEASE);
}

bool
reset_claim(void)
{
	return __atomic_exchange_n(&reset_wanted, false, __ATOMIC_ACQ_REL);
}

static double
less(double all, uint64_t before)
{
	return all > (double)before ? all - (double)before : 0;
}

void
reset_take_off(uint32_t cell, double *objects, double *bytes)
{
	if (!reset.base)
		return;
	*objects = less(*objects, reset.base[cell - 1].objects);
	*bytes = less(*bytes, reset.base[cell - 1].bytes);
}

uint64_t
reset_ns(void)
{
	return reset.at_ns;
}

void
reset_forked(void)
{
	if (reset.base) {
		cells_moved = NULL;
		os_unmap(reset.base, BASE_BYTES);
	}
	reset.base = NULL;
	reset.at_ns = 0;
	reset_wanted = false;
}
