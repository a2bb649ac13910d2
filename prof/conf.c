#include "conf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "conf_words.h"
#include "format.h"
#include "os.h"
#include "rate.h"
#include "say.h"
#include "tree.h"

#define LG_DEFAULT    19
#define DECAY_DEFAULT 10000
#define DEPTH_DEFAULT 128
#define CONF_KEEP_MAX 65536

extern char **environ;

/* The program's own options, if it has any; its string is NUL-terminated. */
extern const char *malloc_conf __attribute__((weak, visibility("default")));

struct conf conf = {
	.prof = true,
	.prof_active = true,
	.lg_sample = LG_DEFAULT,
	.bt_max = DEPTH_DEFAULT,
	.thread = true,
	.dirty_decay_ms = DECAY_DEFAULT,
	.lg_interval = -1,
	.prof_children = true,
	.thread_active = true,
	.tcache = true,
	.tcache_max = SIZE_MAX,
};

/* What was written somewhere: prof:true and prof_leak:true do not imply it. */
static struct {
	bool final, signals;
} given;

/* The source that is being read is one of jemalloc's. */
static bool source_shared;

static const char *
environment(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* How each option is taken; false: the value is wrong. */

static bool
set_prof(struct word v)
{
	if (!conf_boolean(v, &conf.prof))
		return false;
	conf.prof_explicit = conf.prof;
	conf.shared = conf.prof && source_shared;
	return true;
}

static bool
set_lg_sample(struct word v)
{
	return conf_u32(v, 0, RATE_LG_MAX, &conf.lg_sample);
}

static bool
set_prefix(struct word v)
{
	if (!conf_text(v, conf.prefix, sizeof conf.prefix))
		return false;
	conf.prefix_given = true;
	return true;
}

static bool
set_final(struct word v)
{
	if (!conf_boolean(v, &conf.prof_final))
		return false;
	given.final = true;
	return true;
}

static bool
set_interval(struct word v)
{
	int64_t n;

	if (!conf_number(v, -1, 63, &n))
		return false;
	conf.lg_interval = (int)n;
	return true;
}

static bool
set_keep(struct word v)
{
	return conf_u32(v, 0, CONF_KEEP_MAX, &conf.prof_keep);
}

static bool
set_signal(struct word v)
{
	static const struct {
		const char *name;
		unsigned signals;
	} known[] = { { "usr1", CONF_USR1 }, { "usr2", CONF_USR2 },
		{ "both", CONF_USR1 | CONF_USR2 }, { "none", 0 } };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!conf_is(v, known[i].name))
			continue;
		conf.dump_signals = known[i].signals;
		given.signals = true;
		return true;
	}
	return false;
}

static bool
set_bt_max(struct word v)
{
	return conf_u32(v, 1, FRAMES_MAX, &conf.bt_max);
}

static bool
set_decay(struct word v)
{
	return conf_number(v, -1, INT32_MAX, &conf.dirty_decay_ms);
}

static bool
set_seed(struct word v)
{
	int64_t n;

	if (!conf_number(v, 1, INT64_MAX / 16, &n))
		return false;
	conf.seed = (uint64_t)n;
	return true;
}

static bool
set_probe(struct word v)
{
	bool any;

	if (!conf_boolean(v, &any))
		return conf_u32(v, 0, UINT32_MAX, &conf.probe);
	conf.probe = any ? UINT32_MAX : 0;
	return true;
}

static bool
set_unwind(struct word v)
{
	if (conf_is(v, "auto"))
		conf.unwind = UNWIND_AUTO;
	else if (conf_is(v, "fp"))
		conf.unwind = UNWIND_FP;
	else if (conf_is(v, "check"))
		conf.unwind = UNWIND_CHECK;
	else
		return false;
	return true;
}

static bool
set_junk(struct word v)
{
	bool both;

	if (conf_boolean(v, &both))
		conf.junk = both ? CONF_JUNK_ALLOC | CONF_JUNK_FREE : 0;
	else if (conf_is(v, "alloc"))
		conf.junk = CONF_JUNK_ALLOC;
	else if (conf_is(v, "free"))
		conf.junk = CONF_JUNK_FREE;
	else
		return false;
	return true;
}

static bool
set_zero_realloc(struct word v)
{
	if (conf_is(v, "free"))
		conf.zero_realloc = CONF_ZERO_FREE;
	else if (conf_is(v, "alloc"))
		conf.zero_realloc = CONF_ZERO_ALLOC;
	else if (conf_is(v, "abort"))
		conf.zero_realloc = CONF_ZERO_ABORT;
	else
		return false;
	return true;
}

static bool
set_stats_opts(struct word v)
{
	return conf_text(
	    v, conf.stats_print_opts, sizeof conf.stats_print_opts);
}

static bool
set_tcache_max(struct word v)
{
	int64_t n;

	if (!conf_number(v, 0, INT64_MAX / 16, &n))
		return false;
	conf.tcache_max = (size_t)n;
	return true;
}

static bool
set_lg_tcache_max(struct word v)
{
	int64_t n;

	if (!conf_number(v, 0, 47, &n))
		return false;
	conf.tcache_max = (size_t)1 << n;
	return true;
}

/* Options that are a bool of conf's and nothing more. */
#define FLAG(name, field)                                \
	{                                                \
		name, NULL, "true or false", &conf.field \
	}

static const struct option {
	const char *name;
	bool (*set)(struct word value);
	const char *wants;
	bool *flag; /* where there is no set() */
} options[] = {
	{ "prof", set_prof, "true or false", NULL },
	FLAG("prof_active", prof_active),
	{ "lg_prof_sample", set_lg_sample, "a number from 0 to 47", NULL },
	{ "prof_prefix", set_prefix, "a path of less than 1,024 bytes", NULL },
	{ "prof_final", set_final, "true or false", NULL },
	FLAG("prof_leak", prof_leak),
	FLAG("prof_leak_error", prof_leak_error),
	FLAG("prof_gdump", prof_gdump),
	{ "lg_prof_interval", set_interval,
	    "a number from 0 to 63, or -1 for none", NULL },
	FLAG("prof_accum", prof_accum),
	FLAG("prof_compress", prof_compress),
	{ "prof_keep", set_keep, "a number from 0 (all) to 65536", NULL },
	{ "prof_dump_signal", set_signal, "usr1, usr2, both or none", NULL },
	FLAG("prof_children", prof_children),
	FLAG("prof_thread_active_init", thread_active),
	FLAG("prof_sys_thread_name", sys_thread_name),
	{ "prof_bt_max", set_bt_max, "a number from 1 to 4096", NULL },
	{ "prof_max_depth", set_bt_max, "a number from 1 to 4096", NULL },
	FLAG("thread", thread),
	{ "dirty_decay_ms", set_decay, "milliseconds, or -1 for never", NULL },
	{ "prof_seed", set_seed, "a number from 1 up", NULL },
	{ "prof_probe", set_probe, "true, false or a number of filters", NULL },
	{ "prof_unwind", set_unwind, "auto, fp or check", NULL },
	FLAG("zero", zero),
	{ "junk", set_junk, "true, false, alloc or free", NULL },
	FLAG("abort", abort),
	FLAG("abort_conf", abort_conf),
	FLAG("confirm_conf", confirm_conf),
	FLAG("stats_print", stats_print),
	{ "stats_print_opts", set_stats_opts, "letters, 15 at most", NULL },
	FLAG("xmalloc", xmalloc),
	{ "zero_realloc", set_zero_realloc, "alloc, free or abort", NULL },
	FLAG("tcache", tcache),
	{ "tcache_max", set_tcache_max, "a number of bytes", NULL },
	{ "lg_tcache_max", set_lg_tcache_max, "a number from 0 to 47", NULL },
};

/* jemalloc's options that mean nothing to this allocator: taken quietly, so
 * that one string serves both; confirm_conf tells that they have no effect. */
static const char *const ignored[] = { "narenas", "narenas_ratio",
	"muzzy_decay_ms", "background_thread", "max_background_threads",
	"metadata_thp", "thp", "retain", "percpu_arena", "oversize_threshold",
	"dss", "trust_madvise", "cache_oblivious", "mutex_max_spin",
	"lg_extent_max_active_fit", "prof_unbias", "prof_time_resolution",
	"prof_recent_alloc_max", "prof_stats", "prof_log" };

/* While the sources are gone through for confirm_conf alone. */
static bool scouting;
static bool wrong; /* an option was left out */

static void
tell(const char *before, struct word key, struct word value, const char *after,
    const char *why)
{
	char k[64], v[256];

	if (key.len > sizeof k - 1)
		key.len = sizeof k - 1;
	if (value.len > sizeof v - 1)
		value.len = sizeof v - 1;
	conf_text(key, k, sizeof k);
	conf_text(value, v, sizeof v);
	say(before, k, ":", v, after, why, NULL);
}

static void
complain(struct word key, struct word value, const char *why)
{
	if (scouting)
		return;
	wrong = true;
	if (tree_begins())
		tell("option ", key, value, " is left out: ", why);
}

static bool
is_of_profiles(struct word key)
{
	static const char lg[] = "lg_";
	size_t skip = sizeof lg - 1;

	if (key.len > skip && memcmp(key.p, lg, skip) == 0)
		key = (struct word){ key.p + skip, key.len - skip };
	return key.len > 4 && memcmp(key.p, "prof", 4) == 0;
}

static void
take(const struct option *o, struct word key, struct word value)
{
	if (scouting && o->flag != &conf.confirm_conf)
		return;
	if (o->flag ? !conf_boolean(value, o->flag) : !o->set(value)) {
		complain(key, value, o->wants);
		return;
	}
	if (source_shared && is_of_profiles(key))
		conf.asked = true;
	if (conf.confirm_conf && !scouting)
		tell("-- set ", key, value, "", "");
}

static void
set(struct word key, struct word value)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (conf_is(key, options[i].name)) {
			take(&options[i], key, value);
			return;
		}
	}
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
		if (!conf_is(key, ignored[i]))
			continue;
		if (conf.confirm_conf && !scouting)
			tell("-- ", key, value, " has no effect here", "");
		return;
	}
	complain(key, value, "there is no such option");
}

/* One element `key:value` of a string, without blanks around. */
static void
parse_pair(struct word w)
{
	const char *colon;

	while (w.len > 0 && *w.p == ' ') {
		w.p++;
		w.len--;
	}
	while (w.len > 0 && w.p[w.len - 1] == ' ')
		w.len--;
	if (w.len == 0)
		return;
	colon = memchr(w.p, ':', w.len);
	if (!colon) {
		complain(w, (struct word){ "", 0 },
		    "it has no value (write name:value)");
		return;
	}
	set((struct word){ w.p, (size_t)(colon - w.p) },
	    (struct word){ colon + 1, w.len - (size_t)(colon + 1 - w.p) });
}

static void
parse(const char *s)
{
	while (s && *s) {
		const char *comma = strchr(s, ',');
		size_t n = comma ? (size_t)(comma - s) : strlen(s);

		parse_pair((struct word){ s, n });
		s += n + (comma != NULL);
	}
}

/* File mode: an explicit prof:true turns on what jemalloc's guides promise,
 * each option as long as nothing else was said.  prof_leak alone wants the
 * dump that its summary names. */
static void
file_mode(void)
{
	conf.prof_leak = conf.prof_leak || conf.prof_leak_error;
	if ((conf.prof_explicit || conf.prof_leak) && !given.final)
		conf.prof_final = true;
	if (conf.prof_explicit && !given.signals)
		conf.dump_signals = CONF_USR1 | CONF_USR2;
	if (!conf.prefix_given)
		conf_text((struct word){ "jeprof", 6 }, conf.prefix,
		    sizeof conf.prefix);
	if (!conf.prof)
		conf_write_nothing();
}

/* Noted now what the helper needs: later on the environment is the program's
 * to change at any moment. */
static void
place(const char *name, char *out, size_t cap)
{
	const char *value = environment(name);

	if (value)
		conf_text((struct word){ value, strlen(value) }, out, cap);
}

/* The sources, lowest first. */
struct source {
	const char *what;
	const char *text; /* NULL: there is none */
	bool shared;      /* jemalloc reads it, too */
};

#define SOURCES 5

static void
find_sources(struct source s[SOURCES])
{
	static char link[1024];
	long n = os_syscall(SYS_readlinkat, AT_FDCWD, "/etc/malloc.conf", link,
	    sizeof link - 1);

	if (n > 0)
		link[n] = '\0';
	s[0] = (struct source){ "the variable HEAPTOP_DEFAULTS, of heaptop's",
		environment("HEAPTOP_DEFAULTS"), false };
	s[1] = (struct source){ "the program's malloc_conf",
		&malloc_conf ? malloc_conf : NULL, true };
	s[2] = (struct source){ "the symbolic link /etc/malloc.conf",
		n > 0 ? link : NULL, true };
	s[3] = (struct source){ "the variable MALLOC_CONF",
		environment("MALLOC_CONF"), true };
	s[4] = (struct source){ "the variable HEAPTOP_CONF",
		environment("HEAPTOP_CONF"), false };
}

/* As jemalloc: all of them are told, those that are not there, too. */
static void
confirm(const struct source *s, unsigned number)
{
	struct say_number num;

	if (conf.confirm_conf && !scouting)
		say("options #", say_number(&num, number), " (", s->what,
		    "): \"", s->text ? s->text : "", "\"", NULL);
}

static void
parse_all(const struct source s[SOURCES])
{
	for (unsigned i = 0; i < SOURCES; i++) {
		confirm(&s[i], i + 1);
		source_shared = s[i].shared;
		parse(s[i].text);
	}
}

void
conf_read(void)
{
	struct source s[SOURCES];

	if (getauxval(AT_SECURE))
		return;
	find_sources(s);
	scouting = true;
	parse_all(s);
	scouting = false;
	parse_all(s);
	if (wrong && conf.abort_conf) {
		say("abort_conf:true ends the program for what was left out",
		    NULL);
		abort();
	}
	place("HEAPTOP_SOCKET", conf.socket, sizeof conf.socket);
	place("XDG_RUNTIME_DIR", conf.runtime, sizeof conf.runtime);
	file_mode();
	conf_fix_prefix();
}
