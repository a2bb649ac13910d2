#include "io/heapkeys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/heapmaps.h"
#include "io/heapread.h"
#include "io/heapwords.h"

#define DEPTH_MAX 4096

static bool
is_key(const char *s, size_t len, const char *key)
{
	return strlen(key) == len && memcmp(s, key, len) == 0;
}

/* Numbers that are taken as they are. */
static uint64_t *
place_of(struct heapread *r, const char *key, size_t len)
{
	struct profile_totals *t = &r->totals;
	const struct {
		const char *key;
		uint64_t *to;
	} known[] = {
		{ "lost_table_full", &t->lost[LOSS_TABLE_FULL] },
		{ "lost_starting", &t->lost[LOSS_STARTING] },
		{ "lost_nested", &t->lost[LOSS_NESTED] },
		{ "lost_nomem", &t->lost[LOSS_NOMEM] },
		{ "cut_depth", &t->lost[LOSS_CUT_DEPTH] },
		{ "cut_unwind", &t->lost[LOSS_CUT_UNWIND] },
		{ "guessed", &t->lost[LOSS_GUESSED] },
		{ "shared_slot", &t->lost[LOSS_SHARED_SLOT] },
		{ "live_bytes", &t->live_bytes },
		{ "live_objects", &t->live_objects },
		{ "alloc_bytes", &t->alloc_bytes },
		{ "mapped_bytes", &t->mapped_bytes },
		{ "cached_bytes", &t->cached_bytes },
		{ "dirty_bytes", &t->dirty_bytes },
		{ "meta_bytes", &t->meta_bytes },
		{ "rss_bytes", &t->rss_bytes },
		{ "virtual_bytes", &t->virtual_bytes },
		{ "swap_bytes", &t->swap_bytes },
		{ "file_bytes", &t->file_bytes },
		{ "shmem_bytes", &t->shmem_bytes },
		{ "major_faults", &t->major_faults },
		{ "samples", &r->samples_told },
		{ "samples_live", &r->samples_live_told },
		{ "inactive_ns", &t->inactive_ns },
		{ "now_ns", &t->now_ns },
		{ "start_ns", &r->start_ns },
		{ "image_ns", &r->image_ns },
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (is_key(key, len, known[i].key))
			return known[i].to;
	return NULL;
}

/* Numbers with a range, or with a meaning of their own; false: no such. */
static bool
take_number(
    struct heapread *r, const char *key, size_t len, uint64_t v, uint64_t line)
{
	if (is_key(key, len, "pid")) {
		r->pid = v <= INT32_MAX ? (uint32_t)v : 0;
	} else if (is_key(key, len, "lg_sample")) {
		r->totals.lg_sample = v < 64 ? (uint32_t)v : 0;
	} else if (is_key(key, len, "rate_changes")) {
		r->totals.rate_changes = v < UINT32_MAX ? (uint32_t)v : 0;
	} else if (is_key(key, len, "bt_max")) {
		r->data.depth = v > 0 && v <= DEPTH_MAX ? (unsigned)v : 0;
	} else if (is_key(key, len, "active")) {
		r->active_told = true;
		r->totals.active = v != 0;
	} else if (is_key(key, len, "dumps_failed")) {
		if (v > 0)
			heapnotes_say(&r->notes, line,
			    "%llu earlier dumps of the process could not be "
			    "written",
			    (unsigned long long)v);
	} else {
		return false;
	}
	return true;
}

static void
take_text(char **to, const char *value)
{
	free(*to);
	*to = xstrdup(value);
}

/* Hexadecimal digits, two a byte; 0 if they are no build-id. */
static size_t
take_build_id(const char **s, uint8_t *out, size_t cap)
{
	size_t n = 0;
	const char *p = *s;

	for (; p[0] != 0 && p[0] != ' ' && p[1] != 0 && n < cap; p += 2) {
		const char two[3] = { p[0], p[1], 0 };
		char *end;

		out[n++] = (uint8_t)strtoul(two, &end, 16);
		if (end != two + 2)
			break;
	}
	if (*p != ' ')
		n = 0;
	*s += strcspn(*s, " ");
	return n;
}

/* "START-END BIAS BUILD-ID PATH" */
static void
take_module(struct heapread *r, const char *s)
{
	struct heapmaps_module m = { 0 };
	uint8_t id[32];
	char *end;

	m.start = strtoull(s, &end, 16);
	if (end == s || *end != '-')
		return;
	s = end + 1;
	m.end = strtoull(s, &end, 16);
	s = heapwords_blanks(end);
	if (!heapwords_address(&s, &m.bias))
		return;
	s = heapwords_blanks(s);
	m.build_id = id;
	m.build_id_len = take_build_id(&s, id, sizeof id);
	if (*s != ' ' || s[1] == 0)
		return;
	m.path = s + 1;
	heapmaps_module(r->maps, &m);
}

void
heapkeys_take(struct heapread *r, const char *s, uint64_t line)
{
	const char *equal = strchr(s, '=');
	uint64_t v, *to;
	size_t len;

	if (equal == NULL)
		return;
	len = (size_t)(equal - s);
	v = strtoull(equal + 1, NULL, 10);
	to = place_of(r, s, len);
	if (to != NULL)
		*to = v;
	else if (take_number(r, s, len, v, line))
		return;
	else if (is_key(s, len, "program") || is_key(s, len, "image"))
		take_text(&r->image, equal + 1);
	else if (is_key(s, len, "command"))
		take_text(&r->command, equal + 1);
	else if (is_key(s, len, "module"))
		take_module(r, equal + 1);
}
