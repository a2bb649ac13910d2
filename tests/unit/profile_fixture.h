/*
 * A small profile with known figures, for tests of what is built on it.
 *
 * Program "app" (module 1) and "libc.so.6" (module 2).  Stacks, leaf first:
 *
 *	1  operator new, decode, loop, work, start     thread 1
 *	2  operator new, index, loop, work, start      thread 2
 *	3  grow, again, again, main (main has "tiny" inlined into it)  thread 1
 *
 * live bytes 600, 300, 100; live objects 6, 3, 1; allocated 900, 300, 100 in
 * 9, 3, 1; variances of live bytes 400, 100, 0.
 */
#ifndef PROFILE_FIXTURE_H
#define PROFILE_FIXTURE_H

#include "model/frames.h"
#include "model/profile.h"

#define FIXTURE_BIAS  UINT64_C(0x555500000000)
#define FIXTURE_BIAS2 UINT64_C(0x7f0000000000)

enum fixture_place {
	AT_NEW = 0x10,
	AT_DECODE = 0x20,
	AT_LOOP = 0x30,
	AT_WORK = 0x40,
	AT_INDEX = 0x50,
	AT_GROW = 0x60,
	AT_AGAIN = 0x70,
	AT_MAIN = 0x80,
	AT_START = 0x90,
};

static inline void
fixture_name(struct profile *p, uint32_t module, uint64_t offset,
    const char *function, const char *file, uint32_t line)
{
	struct frames *f = profile_frames(p);
	struct frame_name names[2] = { { "tiny(int)", "app.h", 7 },
		{ function, file, line } };
	frame_id id = frames_add(f, module, offset);

	if (offset == AT_MAIN)
		frames_set_names(f, id, names, 2);
	else
		frames_set_names(f, id, names + 1, 1);
}

static inline void
fixture_names(struct profile *p)
{
	fixture_name(p, 1, AT_NEW, "operator new(unsigned long)", "", 0);
	fixture_name(p, 1, AT_DECODE, "decode", "decode.c", 214);
	fixture_name(p, 1, AT_LOOP, "loop", "loop.c", 88);
	fixture_name(p, 1, AT_WORK, "work", "work.c", 51);
	fixture_name(p, 1, AT_INDEX, "index", "decode.c", 300);
	fixture_name(p, 1, AT_GROW, "grow", "lru.c", 122);
	fixture_name(p, 1, AT_AGAIN, "again", "lru.c", 9);
	fixture_name(p, 1, AT_MAIN, "main", "main.c", 33);
	fixture_name(p, 2, AT_START, "start", "", 0);
}

static inline void
fixture_cell(struct profile *p, uint32_t stack, uint16_t slot, double live,
    double live_objects, double alloc, double alloc_objects, double var)
{
	struct cell_values v = {
		.live_bytes = live,
		.live_objects = live_objects,
		.alloc_bytes = alloc,
		.alloc_objects = alloc_objects,
		.live_var_bytes = var,
		.live_samples = (uint64_t)live_objects,
		.alloc_samples = (uint64_t)alloc_objects,
	};

	profile_put_cell(p, stack, slot, &v, NULL);
}

static inline void
fixture_commit(struct profile *p, uint64_t seconds)
{
	struct profile_totals t = {
		.now_ns = seconds * 1000000000,
		.lg_sample = 12,
		.active = 1,
	};

	profile_put_totals(p, &t);
	profile_commit(p);
}

/* Stacks and names, no figures. */
static inline struct profile *
fixture_empty(void)
{
	static const struct profile_frame stacks[3][5] = {
		{ { 1, AT_NEW }, { 1, AT_DECODE }, { 1, AT_LOOP },
		    { 1, AT_WORK }, { 2, AT_START } },
		{ { 1, AT_NEW }, { 1, AT_INDEX }, { 1, AT_LOOP },
		    { 1, AT_WORK }, { 2, AT_START } },
		{ { 1, AT_GROW }, { 1, AT_AGAIN }, { 1, AT_AGAIN },
		    { 1, AT_MAIN } },
	};
	struct profile_facts facts = {
		.pid = 41237,
		.image_ns = 1000000000,
		.image = "/usr/bin/app",
		.command = "app --fast",
		.source = "stream",
	};
	struct profile *p = profile_new();

	profile_put_facts(p, &facts);
	profile_put_module(p, 1, FIXTURE_BIAS, FIXTURE_BIAS + 0x1000,
	    FIXTURE_BIAS, (const uint8_t *)"\1\2", 2, "/usr/bin/app", NULL);
	profile_put_module(p, 2, FIXTURE_BIAS2, FIXTURE_BIAS2 + 0x1000,
	    FIXTURE_BIAS2, (const uint8_t *)"\3\4", 2, "/lib/libc.so.6", NULL);
	profile_put_thread(p, 1, 41237, 0, "app");
	profile_put_thread(p, 2, 41238, 0, "");
	for (uint32_t i = 0; i < 3; i++)
		profile_put_stack(p, i + 1, 0, stacks[i], i == 2 ? 4 : 5, NULL);
	fixture_names(p);
	return p;
}

static inline struct profile *
fixture_profile(void)
{
	struct profile *p = fixture_empty();

	fixture_cell(p, 1, 1, 600, 6, 900, 9, 400);
	fixture_cell(p, 2, 2, 300, 3, 300, 3, 100);
	fixture_cell(p, 3, 1, 100, 1, 100, 1, 0);
	fixture_commit(p, 5);
	return p;
}

#endif
