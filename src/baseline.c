#include "baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "dumpfile.h"
#include "io/infile.h"
#include "io/loop.h"
#include "io/symbols.h"
#include "model/alike.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "options.h"
#include "reports.h"

#define MISSING 2

/* ---- another build? ---- */

static bool
same_module(const struct module *a, const struct module *b)
{
	if (a->build_id_len && b->build_id_len)
		return a->build_id_len == b->build_id_len &&
		    memcmp(a->build_id, b->build_id, a->build_id_len) == 0;
	return strcmp(a->path, b->path) == 0;
}

/* Is there this module, or (`named`) one of the same name? */
static bool
has_module(const struct profile *p, const struct module *m, bool *named)
{
	const struct modules *all = profile_modules(p);

	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *other = modules_find(all, id);

		if (!other)
			continue;
		if (same_module(m, other))
			return true;
		if (strcmp(m->name, other->name) == 0)
			*named = true;
	}
	return false;
}

static bool
is_other_build(const struct profile *base, const struct module *m,
    const struct profile *const *profiles, size_t n)
{
	/* a library that only one of them had loaded is no other build */
	bool named = strcmp(m->path, profile_facts(base)->image) == 0;

	for (size_t k = 0; k < n; k++)
		if (has_module(profiles[k], m, &named))
			return false;
	return named;
}

/* Places in no module that have names: of a report, or of a profile that was
 * symbolized elsewhere. */
static bool
only_names(const struct profile *p)
{
	const struct frames *f = profile_frames_const(p);

	for (frame_id id = 1; id <= frames_count(f); id++)
		if (frames_module(f, id) == 0 &&
		    frames_state(f, id) == FRAME_NAMED)
			return true;
	return false;
}

/* A module of the base that stacks go through and that the report has in
 * another build; NULL: none. */
static const struct module *
other_build(
    const struct profile *base, const struct profile *const *profiles, size_t n)
{
	const struct frames *f = profile_frames_const(base);
	const struct modules *all = profile_modules(base);
	uint32_t max = modules_max(all);
	bool *seen = xcalloc((size_t)max + 1, sizeof *seen);
	const struct module *found = NULL;

	for (frame_id id = 1; id <= frames_count(f) && !found; id++) {
		uint32_t at = frames_module(f, id);
		const struct module *m = modules_find(all, at);

		if (!m || at > max || seen[at])
			continue;
		seen[at] = true;
		if (is_other_build(base, m, profiles, n))
			found = m;
	}
	free(seen);
	return found;
}

/* ---- the same process? ---- */

static const struct module *
find_same(const struct modules *all, const struct module *m)
{
	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *other = modules_find(all, id);

		if (other && same_module(m, other))
			return other;
	}
	return NULL;
}

/* Nothing that both have mapped is elsewhere, or anything else is there. */
static bool
same_mappings(const struct profile *a, const struct profile *b)
{
	const struct modules *all = profile_modules(a);
	const struct modules *others = profile_modules(b);
	uint32_t pids[] = { profile_facts(a)->pid, profile_facts(b)->pid };
	bool any = false;

	if (pids[0] && pids[1] && pids[0] != pids[1])
		return false;
	for (uint32_t id = 1; id <= modules_max(all); id++) {
		const struct module *m = modules_find(all, id);
		const struct module *other = m ? find_same(others, m) : NULL;

		if (other && other->start != m->start)
			return false;
		if (m && !other && modules_find_address(others, m->start))
			return false;
		any = any || other;
	}
	return any;
}

/* Has `a` stacks through code that only `b` still has mapped? */
static bool
has_unloaded(const struct profile *a, const struct profile *b)
{
	const struct frames *f = profile_frames_const(a);

	for (frame_id id = 1; id <= frames_count(f); id++)
		if (frames_module(f, id) == 0 &&
		    modules_find_address(
			profile_modules(b), frames_offset(f, id)))
			return true;
	return false;
}

static bool
unloaded_between(const struct profile *a, const struct profile *b)
{
	return same_mappings(a, b) &&
	    (has_unloaded(a, b) || has_unloaded(b, a));
}

/* ---- comparing ---- */

/* How stacks are told to be the same; said if it is by name. */
static int
compare(struct baseline *b, const struct options *o,
    const struct profile *const *profiles, size_t n, struct err *e)
{
	const struct module *other = other_build(b->profile, profiles, n);
	bool named = only_names(b->profile), any = false;

	for (size_t k = 0; k < n; k++) {
		named = named || only_names(profiles[k]);
		any = any || stacks_count(profile_stacks(profiles[k])) > 0;
	}
	b->by_name = other || named;
	b->by_address =
	    !b->by_name && n == 1 && unloaded_between(b->profile, profiles[0]);
	if (named)
		other = NULL; /* no build at all */
	if (!b->by_name || !any || !stacks_count(profile_stacks(b->profile)))
		return 0;
	if (!alike_any(b->profile, profiles, n))
		return err_set(e,
		    "%s cannot be compared with: %s%s, and no function has a "
		    "name that is in both",
		    o->base,
		    other ? "it is of another build of " : "it has only names",
		    other ? other->name : "");
	if (other)
		buf_printf(&b->remarks,
		    "compared with %s by the names of functions: it is of "
		    "another build of %s\n",
		    o->base, other->name);
	else
		buf_printf(&b->remarks,
		    "compared with %s by the names of functions: one of the "
		    "two has no addresses\n",
		    o->base);
	return 0;
}

/* 0, 1 or -1 as dumpfile_read, with what is to be said in b->remarks. */
static int
read_as(struct baseline *b, const struct options *o, const char *program,
    struct err *e)
{
	profile_free(b->profile);
	b->profile = profile_new();
	buf_clear(&b->remarks);
	return dumpfile_read(o->base, program, b->profile, &b->remarks, e);
}

static int
read_file(struct baseline *b, const struct options *o, struct err *e)
{
	struct symbols_options symbols = { .lib_prefix = o->lib_prefix };
	char *program = NULL;
	int got;

	if (dumpfile_program(o, &program, e) < 0)
		return -1;
	got = read_as(b, o, program, e);
	if (got > 0 && program) {
		/* PROGRAM is what the report is of; the base may well be of
		 * an older one that is still where it was */
		if (read_as(b, o, NULL, e) == 0) {
			free(program);
			program = NULL;
			got = 0;
		} else {
			got = read_as(b, o, program, e);
		}
	}
	b->partial = got > 0;
	if (got >= 0) {
		b->loop = loop_new();
		b->symbols = symbols_new(b->loop, &symbols);
		symbols_add(b->symbols, b->profile, 0, program);
		symbols_finish(b->symbols, -1);
	}
	free(program);
	return got < 0 ? -1 : 0;
}

int
baseline_read(struct baseline *b, const struct options *o,
    const struct profile *const *profiles, size_t n, struct err *e)
{
	int status;

	memset(b, 0, sizeof *b);
	if (!o->base)
		return 0;
	if (o->query.drop_negative && infile_kind(o->base) == FILE_REPORT)
		return err_set(e,
		    "%s is a saved report, which has no stacks for "
		    "--drop_negative to look at; give the dump it was made of",
		    o->base);
	if (read_file(b, o, e) < 0)
		return -1;
	status = compare(b, o, profiles, n, e);
	reports_say_lines(buf_str(&b->remarks));
	return status;
}

void
baseline_free(struct baseline *b)
{
	if (b->symbols)
		symbols_remove(b->symbols, b->profile);
	symbols_free(b->symbols);
	if (b->loop)
		loop_free(b->loop);
	profile_free(b->profile);
	buf_fini(&b->remarks);
	memset(b, 0, sizeof *b);
}

int
baseline_check(const struct options *o, struct err *e)
{
	struct profile *p;

	if (!o->base)
		return 0;
	if (access(o->base, F_OK) < 0) {
		err_sys(e, "cannot read %s", o->base);
		return errno == ENOENT || errno == ENOTDIR ? MISSING : 1;
	}
	if (infile_kind(o->base) != FILE_OTHER)
		return 0;
	p = profile_new();
	dumpfile_read(o->base, NULL, p, NULL, e); /* says what it is */
	profile_free(p);
	return 1;
}
