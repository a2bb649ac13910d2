#include "conf.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "format.h"
#include "os.h"
#include "rate.h"
#include "say.h"

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
};

/* What was written somewhere: prof:true and prof_leak:true do not imply it. */
static struct {
	bool final, signals;
} given;

/* The source that is being read is one of jemalloc's. */
static bool source_shared;

/* A piece of an option string. */
struct word {
	const char *p;
	size_t len;
};

static bool
is(struct word w, const char *s)
{
	return w.len == strlen(s) && memcmp(w.p, s, w.len) == 0;
}

static const char *
environment(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* C syntax, as jemalloc takes it: decimal, 0x, 0. */
static bool
number(struct word w, int64_t min, int64_t max, int64_t *out)
{
	uint64_t n = 0;
	int64_t value;
	unsigned base = 10;
	bool minus = false;
	size_t i = 0;

	if (w.len > 0 && (w.p[0] == '-' || w.p[0] == '+')) {
		minus = w.p[0] == '-';
		i = 1;
	}
	if (w.len > i + 2 && w.p[i] == '0' && (w.p[i + 1] | 32) == 'x') {
		base = 16;
		i += 2;
	} else if (w.len > i + 1 && w.p[i] == '0') {
		base = 8;
		i++;
	}
	if (i == w.len)
		return false;
	for (; i < w.len; i++) {
		unsigned d = (unsigned)digit_of(w.p[i]);

		if (d >= base || n > (uint64_t)INT64_MAX / 16 - d)
			return false;
		n = n * base + d;
	}
	value = minus ? -(int64_t)n : (int64_t)n;
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

static bool
boolean(struct word w, bool *out)
{
	if (!is(w, "true") && !is(w, "false"))
		return false;
	*out = is(w, "true");
	return true;
}

static bool
u32(struct word w, int64_t min, int64_t max, uint32_t *out)
{
	int64_t n;

	if (!number(w, min, max, &n))
		return false;
	*out = (uint32_t)n;
	return true;
}

static bool
text(struct word w, char *out, size_t cap)
{
	if (w.len >= cap)
		return false;
	memcpy(out, w.p, w.len);
	out[w.len] = '\0';
	return true;
}

/* How each option is taken; false: the value is wrong. */

static bool
set_prof(struct word v)
{
	if (!boolean(v, &conf.prof))
		return false;
	conf.prof_explicit = conf.prof;
	conf.shared = conf.prof && source_shared;
	return true;
}

static bool
set_prof_active(struct word v)
{
	return boolean(v, &conf.prof_active);
}

static bool
set_lg_sample(struct word v)
{
	return u32(v, 0, RATE_LG_MAX, &conf.lg_sample);
}

static bool
set_prefix(struct word v)
{
	if (!text(v, conf.prefix, sizeof conf.prefix))
		return false;
	conf.prefix_given = true;
	return true;
}

static bool
set_final(struct word v)
{
	if (!boolean(v, &conf.prof_final))
		return false;
	given.final = true;
	return true;
}

static bool
set_leak(struct word v)
{
	return boolean(v, &conf.prof_leak);
}

static bool
set_leak_error(struct word v)
{
	return boolean(v, &conf.prof_leak_error);
}

static bool
set_gdump(struct word v)
{
	return boolean(v, &conf.prof_gdump);
}

static bool
set_interval(struct word v)
{
	int64_t n;

	if (!number(v, -1, 63, &n))
		return false;
	conf.lg_interval = (int)n;
	return true;
}

static bool
set_accum(struct word v)
{
	return boolean(v, &conf.prof_accum);
}

static bool
set_compress(struct word v)
{
	return boolean(v, &conf.prof_compress);
}

static bool
set_keep(struct word v)
{
	return u32(v, 0, CONF_KEEP_MAX, &conf.prof_keep);
}

static bool
set_children(struct word v)
{
	return boolean(v, &conf.prof_children);
}

static bool
set_thread_active(struct word v)
{
	return boolean(v, &conf.thread_active);
}

static bool
set_sys_thread_name(struct word v)
{
	return boolean(v, &conf.sys_thread_name);
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
		if (!is(v, known[i].name))
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
	return u32(v, 1, FRAMES_MAX, &conf.bt_max);
}

static bool
set_thread(struct word v)
{
	return boolean(v, &conf.thread);
}

static bool
set_decay(struct word v)
{
	return number(v, -1, INT32_MAX, &conf.dirty_decay_ms);
}

static bool
set_seed(struct word v)
{
	int64_t n;

	if (!number(v, 1, INT64_MAX / 16, &n))
		return false;
	conf.seed = (uint64_t)n;
	return true;
}

static bool
set_probe(struct word v)
{
	bool any;

	if (!boolean(v, &any))
		return u32(v, 0, UINT32_MAX, &conf.probe);
	conf.probe = any ? UINT32_MAX : 0;
	return true;
}

static bool
set_unwind(struct word v)
{
	if (is(v, "auto"))
		conf.unwind = UNWIND_AUTO;
	else if (is(v, "fp"))
		conf.unwind = UNWIND_FP;
	else if (is(v, "check"))
		conf.unwind = UNWIND_CHECK;
	else
		return false;
	return true;
}

static const struct option {
	const char *name;
	bool (*set)(struct word value);
	const char *wants;
} options[] = {
	{ "prof", set_prof, "true or false" },
	{ "prof_active", set_prof_active, "true or false" },
	{ "lg_prof_sample", set_lg_sample, "a number from 0 to 47" },
	{ "prof_prefix", set_prefix, "a path of less than 1,024 bytes" },
	{ "prof_final", set_final, "true or false" },
	{ "prof_leak", set_leak, "true or false" },
	{ "prof_leak_error", set_leak_error, "true or false" },
	{ "prof_gdump", set_gdump, "true or false" },
	{ "lg_prof_interval", set_interval,
	    "a number from 0 to 63, or -1 for none" },
	{ "prof_accum", set_accum, "true or false" },
	{ "prof_compress", set_compress, "true or false" },
	{ "prof_keep", set_keep, "a number from 0 (all) to 65536" },
	{ "prof_dump_signal", set_signal, "usr1, usr2, both or none" },
	{ "prof_children", set_children, "true or false" },
	{ "prof_thread_active_init", set_thread_active, "true or false" },
	{ "prof_sys_thread_name", set_sys_thread_name, "true or false" },
	{ "prof_bt_max", set_bt_max, "a number from 1 to 4096" },
	{ "prof_max_depth", set_bt_max, "a number from 1 to 4096" },
	{ "thread", set_thread, "true or false" },
	{ "dirty_decay_ms", set_decay, "milliseconds, or -1 for never" },
	{ "prof_seed", set_seed, "a number from 1 up" },
	{ "prof_probe", set_probe, "true, false or a number of filters" },
	{ "prof_unwind", set_unwind, "auto, fp or check" },
};

/* jemalloc's options that mean nothing to this allocator: taken quietly, so
 * that one string serves both. */
static const char *const ignored[] = { "narenas", "muzzy_decay_ms", "tcache",
	"tcache_max", "lg_tcache_max", "background_thread", "abort_conf",
	"metadata_thp", "thp", "retain", "percpu_arena", "oversize_threshold" };

static void
complain(struct word key, struct word value, const char *why)
{
	char k[64], v[256];

	if (key.len > sizeof k - 1)
		key.len = sizeof k - 1;
	if (value.len > sizeof v - 1)
		value.len = sizeof v - 1;
	text(key, k, sizeof k);
	text(value, v, sizeof v);
	say("option ", k, ":", v, " is left out: ", why, NULL);
}

static void
set(struct word key, struct word value)
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		if (!is(key, options[i].name))
			continue;
		if (!options[i].set(value))
			complain(key, value, options[i].wants);
		return;
	}
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		if (is(key, ignored[i]))
			return;
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
		text((struct word){ "jeprof", 6 }, conf.prefix,
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
		text((struct word){ value, strlen(value) }, out, cap);
}

void
conf_read(void)
{
	static char link[1024];
	long n;

	if (getauxval(AT_SECURE))
		return;
	parse(environment("HEAPTOP_DEFAULTS"));
	source_shared = true;
	if (&malloc_conf && malloc_conf)
		parse(malloc_conf);
	n = os_syscall(SYS_readlinkat, AT_FDCWD, "/etc/malloc.conf", link,
	    sizeof link - 1);
	if (n > 0) {
		link[n] = '\0';
		parse(link);
	}
	parse(environment("MALLOC_CONF"));
	source_shared = false;
	parse(environment("HEAPTOP_CONF"));
	place("HEAPTOP_SOCKET", conf.socket, sizeof conf.socket);
	place("XDG_RUNTIME_DIR", conf.runtime, sizeof conf.runtime);
	file_mode();
	conf_fix_prefix();
}
