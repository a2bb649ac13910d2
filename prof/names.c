#include "names.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cells.h"
#include "facts.h"
#include "say.h"
#include "tablewrite.h"

/* Every so many pulls all names are read again; in between only new ones. */
#define ALL_EVERY 16
/* At most so many files are read at a pull. */
#define AT_ONCE 64

static struct {
	uint32_t pulls;
	uint32_t next; /* slot to go on with */
} names;

/* /proc/self/task/TID/comm, without its newline; its length. */
static uint32_t
read_name(uint32_t tid, char *buf, uint32_t cap)
{
	char path[64] = "/proc/self/task/";
	struct say_number num;
	uint32_t n;

	strcat(path, say_number(&num, tid));
	strcat(path, "/comm");
	n = facts_read(path, buf, cap);
	return n > 0 && buf[n - 1] == '\n' ? n - 1 : n;
}

static void
store(struct table_slot *s, uint32_t tid, const char *name, uint32_t len)
{
	struct table_slot new = { .tid = tid, .state = SLOT_LIVE };

	if (len > sizeof s->name)
		len = sizeof s->name;
	memcpy(new.name, name, len);
	new.name_len = (uint8_t)len;
	table_lock();
	if (s->tid == tid && s->state == SLOT_LIVE &&
	    (s->name_len != len || memcmp(s->name, name, len) != 0))
		cells_slot_write(s, &new);
	table_unlock();
}

static bool
refresh(uint32_t slot, bool all)
{
	struct table_view view = table_view();
	struct table_slot *at =
	    (struct table_slot *)(uintptr_t)table_slot_at(&view, slot);
	struct table_slot s = { 0 };
	char name[32];
	uint32_t n;

	if (at)
		table_slot_read(at, &s);
	if (s.tid == 0 || s.state != SLOT_LIVE || (s.name_len > 0 && !all) ||
	    cells_slot_named(slot))
		return false;
	n = read_name(s.tid, name, sizeof name);
	if (n > 0)
		store(at, s.tid, name, n);
	return true;
}

static uint32_t
slots_used(void)
{
	const struct table_head *h = table_head();

	return h ? __atomic_load_n(&h->slots, __ATOMIC_ACQUIRE) : 0;
}

void
names_refresh_all(void)
{
	uint32_t slots = slots_used();

	for (uint32_t i = 0; i < slots; i++)
		refresh(i, true);
}

void
names_refresh(void)
{
	bool all = names.pulls++ % ALL_EVERY == 0;
	uint32_t slots = slots_used();
	uint32_t read = 0;

	for (uint32_t i = 0; i < slots && read < AT_ONCE; i++) {
		names.next = (names.next + 1) % slots;
		read += refresh(names.next, all);
	}
}
