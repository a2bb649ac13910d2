#include "ctlnode.h"

#include <errno.h>
#include <string.h>

#include "cells.h"
#include "conf.h"
#include "config.h"
#include "dump.h"
#include "rate.h"
#include "sample.h"
#include "sizeclass.h"
#include "span.h"
#include "stats.h"
#include "thread.h"
#include "trigger.h"

/* ---- what is one word of memory ---- */

static int
get_field(const struct ctl_node *n, union ctl_value *out)
{
	switch (n->type) {
	case CTL_BOOL: out->b = *(const bool *)n->field; break;
	case CTL_U32: out->u32 = *(const uint32_t *)n->field; break;
	case CTL_SIZE: out->size = *(const uint32_t *)n->field; break;
	case CTL_SSIZE: out->ssize = *(const int64_t *)n->field; break;
	case CTL_U64: out->u64 = *(const uint64_t *)n->field; break;
	case CTL_STRING: out->string = n->field; break;
	case CTL_VOID: return EPERM;
	}
	return 0;
}

static const bool yes = true, no;
static const uint32_t one = 1, sixteen = 16, page = 1u << PAGE_SHIFT;

/* ---- sampling ---- */

static int
get_active(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->b = rate_now().active;
	return 0;
}

/* The calling thread notices at once, others when their countdown ends. */
static void
redraw(void)
{
	struct thread *t = thread_self();

	if (t && !t->inside)
		sample_redraw(t);
}

static int
set_active(const struct ctl_node *n, const union ctl_value *v)
{
	struct rate r = rate_now();

	(void)n;
	r.active = v->b;
	rate_set(r);
	redraw();
	return 0;
}

static int
get_lg_sample(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->size = rate_now().lg;
	return 0;
}

static int
set_lg_sample(const struct ctl_node *n, const union ctl_value *v)
{
	struct rate r = rate_now();

	(void)n;
	if (v->size > RATE_LG_MAX)
		return EINVAL;
	r.lg = (uint8_t)v->size;
	rate_set(r);
	redraw();
	return 0;
}

static int
get_thread_init(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->b = conf.thread_active;
	return 0;
}

static int
set_thread_init(const struct ctl_node *n, const union ctl_value *v)
{
	(void)n;
	conf.thread_active = v->b;
	return 0;
}

/* A rate beyond what there is is the coarsest, as jemalloc has it. */
static int
set_reset(const struct ctl_node *n, const union ctl_value *v)
{
	int lg = -1;

	(void)n;
	if (v)
		lg = v->size > RATE_LG_MAX ? (int)RATE_LG_MAX : (int)v->size;
	return dump_reset(lg) == 0 ? 0 : EAGAIN;
}

/* ---- dumps ---- */

static int
set_dump(const struct ctl_node *n, const union ctl_value *v)
{
	int error;

	(void)n;
	if (v && v->string)
		error = dump_to(v->string);
	else
		error = dump_auto('m', NULL, 0);
	return error == 0 || error == EDEADLK ? error : EFAULT;
}

static int
set_prefix(const struct ctl_node *n, const union ctl_value *v)
{
	(void)n;
	if (!v->string)
		return EINVAL;
	return dump_set_prefix(v->string) == 0 ? 0 : EFAULT;
}

static int
get_gdump(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->b = trigger_peaks();
	return 0;
}

static int
set_gdump(const struct ctl_node *n, const union ctl_value *v)
{
	(void)n;
	trigger_set_peaks(v->b);
	return 0;
}

static int
get_interval(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->u64 = trigger_interval();
	return 0;
}

static int
get_failures(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->u64 = dump_failures();
	return 0;
}

static int
get_lg_interval(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->ssize = conf.lg_interval;
	return 0;
}

static int
get_signal(const struct ctl_node *n, union ctl_value *out)
{
	static const char *const names[] = { "none", "usr1", "usr2", "both" };

	(void)n;
	out->string = names[conf.dump_signals & 3];
	return 0;
}

static int
get_junk(const struct ctl_node *n, union ctl_value *out)
{
	static const char *const names[] = { "false", "alloc", "free", "true" };

	(void)n;
	out->string = names[conf.junk & 3];
	return 0;
}

static int
get_zero_realloc(const struct ctl_node *n, union ctl_value *out)
{
	static const char *const names[] = { [CONF_ZERO_FREE] = "free",
		[CONF_ZERO_ALLOC] = "alloc",
		[CONF_ZERO_ABORT] = "abort" };

	(void)n;
	out->string = names[conf.zero_realloc];
	return 0;
}

static int
get_tcache_max(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->size = conf.tcache_max < SC_MAX ? conf.tcache_max : SC_MAX;
	return 0;
}

/* ---- the calling thread ---- */

static int
get_own_active(const struct ctl_node *n, union ctl_value *out)
{
	struct thread *t = thread_get();

	(void)n;
	if (!t)
		return EAGAIN;
	out->b = t->settled ? !t->off : conf.thread_active;
	return 0;
}

static int
set_own_active(const struct ctl_node *n, const union ctl_value *v)
{
	struct thread *t = thread_get();

	(void)n;
	if (!t)
		return EAGAIN;
	t->settled = true;
	t->off = !v->b;
	redraw();
	return 0;
}

static int
get_own_name(const struct ctl_node *n, union ctl_value *out)
{
	struct thread *t = thread_get();

	(void)n;
	out->string = t ? t->name : "";
	return 0;
}

static int
set_own_name(const struct ctl_node *n, const union ctl_value *v)
{
	struct thread *t = thread_get();
	size_t len = v->string ? strlen(v->string) : 0;

	(void)n;
	if (!t || !v->string)
		return EFAULT;
	for (size_t i = 0; i < len; i++)
		if ((v->string[i] < ' ' || v->string[i] > '~') &&
		    v->string[i] != '\t')
			return EFAULT;
	if (len > sizeof t->name - 1)
		len = sizeof t->name - 1;
	memset(t->name, 0, sizeof t->name);
	memcpy(t->name, v->string, len);
	cells_thread_named(t);
	return 0;
}

static int
get_own_allocated(const struct ctl_node *n, union ctl_value *out)
{
	struct thread *t = thread_get();

	(void)n;
	out->u64 = t ? (uint64_t)(t->drawn - t->countdown) : 0;
	return 0;
}

static int
flush_own(const struct ctl_node *n, const union ctl_value *v)
{
	struct thread *t = thread_self();

	(void)n;
	(void)v;
	if (t)
		cache_drain(&t->cache);
	return 0;
}

/* ---- figures ---- */

static struct alloc_stats
now(void)
{
	struct alloc_stats s;

	alloc_stats(&s);
	return s;
}

static int
get_allocated(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->size = now().live_bytes;
	return 0;
}

static int
get_in_use(const struct ctl_node *n, union ctl_value *out)
{
	struct alloc_stats s = now();

	(void)n;
	out->size = s.live_bytes + s.cached_bytes;
	return 0;
}

static int
get_meta(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->size = now().meta_bytes;
	return 0;
}

static int
get_resident(const struct ctl_node *n, union ctl_value *out)
{
	struct alloc_stats s = now();

	(void)n;
	out->size =
	    s.live_bytes + s.cached_bytes + s.dirty_bytes + s.meta_bytes;
	return 0;
}

static int
get_mapped(const struct ctl_node *n, union ctl_value *out)
{
	(void)n;
	out->size = now().mapped_bytes;
	return 0;
}

static int
get_retained(const struct ctl_node *n, union ctl_value *out)
{
	struct alloc_stats s = now();
	uint64_t used = s.live_bytes + s.cached_bytes + s.dirty_bytes;

	(void)n;
	out->size = s.mapped_bytes > used ? s.mapped_bytes - used : 0;
	return 0;
}

static uint64_t epoch = 1;

static int
set_epoch(const struct ctl_node *n, const union ctl_value *v)
{
	(void)n;
	(void)v;
	__atomic_add_fetch(&epoch, 1, __ATOMIC_RELAXED);
	return 0;
}

static int
purge(const struct ctl_node *n, const union ctl_value *v)
{
	(void)n;
	(void)v;
	span_purge_all();
	return 0;
}

#define READ(name, type, field)                                 \
	{                                                       \
		name, type, false, field, NULL, get_field, NULL \
	}
#define GET(name, type, get)                             \
	{                                                \
		name, type, false, NULL, NULL, get, NULL \
	}
#define BOTH(name, type, get, set, wants)                \
	{                                                \
		name, type, false, NULL, wants, get, set \
	}
#define OWN(name, type, get, set, wants)                \
	{                                               \
		name, type, true, NULL, wants, get, set \
	}
#define DO(name, set)                                        \
	{                                                    \
		name, CTL_VOID, false, NULL, NULL, NULL, set \
	}

static const struct ctl_node nodes[] = {
	READ("version", CTL_STRING, "heaptop " HEAPTOP_VERSION),
	{ "epoch", CTL_U64, false, &epoch, "a number", get_field, set_epoch },
	READ("config.prof", CTL_BOOL, &yes),
	READ("config.stats", CTL_BOOL, &yes),
	READ("config.fill", CTL_BOOL, &yes),
	READ("config.debug", CTL_BOOL, &no),
	READ("config.xmalloc", CTL_BOOL, &yes),
	READ("config.malloc_conf", CTL_STRING, ""),

	READ("opt.prof", CTL_BOOL, &conf.prof),
	READ("opt.prof_active", CTL_BOOL, &conf.prof_active),
	READ("opt.prof_thread_active_init", CTL_BOOL, &conf.thread_active),
	READ("opt.lg_prof_sample", CTL_SIZE, &conf.lg_sample),
	GET("opt.lg_prof_interval", CTL_SSIZE, get_lg_interval),
	READ("opt.prof_gdump", CTL_BOOL, &conf.prof_gdump),
	READ("opt.prof_final", CTL_BOOL, &conf.prof_final),
	READ("opt.prof_leak", CTL_BOOL, &conf.prof_leak),
	READ("opt.prof_leak_error", CTL_BOOL, &conf.prof_leak_error),
	READ("opt.prof_accum", CTL_BOOL, &conf.prof_accum),
	READ("opt.prof_prefix", CTL_STRING, conf.prefix),
	READ("opt.prof_sys_thread_name", CTL_BOOL, &conf.sys_thread_name),
	READ("opt.prof_unbias", CTL_BOOL, &yes),
	READ("opt.prof_bt_max", CTL_U32, &conf.bt_max),
	READ("opt.prof_compress", CTL_BOOL, &conf.prof_compress),
	READ("opt.prof_keep", CTL_U32, &conf.prof_keep),
	READ("opt.prof_children", CTL_BOOL, &conf.prof_children),
	GET("opt.prof_dump_signal", CTL_STRING, get_signal),
	READ("opt.thread", CTL_BOOL, &conf.thread),
	READ("opt.dirty_decay_ms", CTL_SSIZE, &conf.dirty_decay_ms),
	READ("opt.narenas", CTL_U32, &one),
	READ("opt.zero", CTL_BOOL, &conf.zero),
	GET("opt.junk", CTL_STRING, get_junk),
	READ("opt.abort", CTL_BOOL, &conf.abort),
	READ("opt.abort_conf", CTL_BOOL, &conf.abort_conf),
	READ("opt.confirm_conf", CTL_BOOL, &conf.confirm_conf),
	READ("opt.xmalloc", CTL_BOOL, &conf.xmalloc),
	READ("opt.stats_print", CTL_BOOL, &conf.stats_print),
	READ("opt.stats_print_opts", CTL_STRING, conf.stats_print_opts),
	GET("opt.zero_realloc", CTL_STRING, get_zero_realloc),
	READ("opt.tcache", CTL_BOOL, &conf.tcache),
	GET("opt.tcache_max", CTL_SIZE, get_tcache_max),

	BOTH("prof.active", CTL_BOOL, get_active, set_active, "true or false"),
	BOTH("prof.thread_active_init", CTL_BOOL, get_thread_init,
	    set_thread_init, "true or false"),
	BOTH("prof.lg_sample", CTL_SIZE, get_lg_sample, set_lg_sample,
	    "a number from 0 to 47"),
	BOTH("prof.reset", CTL_SIZE, NULL, set_reset, "a number from 0 to 47"),
	BOTH("prof.dump", CTL_STRING, NULL, set_dump, "a path"),
	{ "prof.prefix", CTL_STRING, false, conf.prefix,
	    "a path of less than 1,024 bytes", get_field, set_prefix },
	BOTH("prof.gdump", CTL_BOOL, get_gdump, set_gdump, "true or false"),
	GET("prof.interval", CTL_U64, get_interval),
	GET("prof.dumps_failed", CTL_U64, get_failures),

	OWN("thread.prof.active", CTL_BOOL, get_own_active, set_own_active,
	    "true or false"),
	OWN("thread.prof.name", CTL_STRING, get_own_name, set_own_name,
	    "printable text"),
	OWN("thread.allocated", CTL_U64, get_own_allocated, NULL, NULL),
	OWN("thread.tcache.flush", CTL_VOID, NULL, flush_own, NULL),
	READ("thread.tcache.enabled", CTL_BOOL, &yes),
	READ("thread.arena", CTL_U32, &(const uint32_t){ 0 }),

	GET("stats.allocated", CTL_SIZE, get_allocated),
	GET("stats.active", CTL_SIZE, get_in_use),
	GET("stats.metadata", CTL_SIZE, get_meta),
	GET("stats.resident", CTL_SIZE, get_resident),
	GET("stats.mapped", CTL_SIZE, get_mapped),
	GET("stats.retained", CTL_SIZE, get_retained),

	READ("arenas.narenas", CTL_U32, &one),
	READ("arenas.quantum", CTL_SIZE, &sixteen),
	READ("arenas.page", CTL_SIZE, &page),
	DO("arena.*.purge", purge),
	DO("arena.*.decay", purge),
	READ("background_thread", CTL_BOOL, &conf.thread),
};

#define NODES (sizeof nodes / sizeof *nodes)

/* Does the name have the pattern?  Its numbers are noted. */
static bool
fits(const char *p, const char *s, const char *end, size_t *numbers)
{
	for (; *p; p++) {
		size_t n = 0;

		if (*p != '*') {
			if (s == end || *s++ != *p)
				return false;
			continue;
		}
		if (s == end || *s < '0' || *s > '9')
			return false;
		for (; s < end && *s >= '0' && *s <= '9'; s++)
			n = n * 10 + (size_t)(*s - '0');
		*numbers++ = n;
	}
	return s == end;
}

const struct ctl_node *
ctlnode_find(const char *name, size_t len, size_t numbers[CTL_PARTS])
{
	for (size_t i = 0; i < NODES; i++)
		if (fits(nodes[i].name, name, name + len, numbers))
			return &nodes[i];
	return NULL;
}

const struct ctl_node *
ctlnode_at(size_t i)
{
	return i < NODES ? &nodes[i] : NULL;
}

size_t
ctlnode_index(const struct ctl_node *n)
{
	return (size_t)(n - nodes);
}

size_t
ctlnode_size(enum ctl_type type)
{
	switch (type) {
	case CTL_BOOL: return sizeof(bool);
	case CTL_U32: return sizeof(unsigned);
	case CTL_SIZE: return sizeof(size_t);
	case CTL_SSIZE: return sizeof(int64_t);
	case CTL_U64: return sizeof(uint64_t);
	case CTL_STRING: return sizeof(const char *);
	case CTL_VOID: return 0;
	}
	return 0;
}

bool
ctlnode_is_dump(const struct ctl_node *n)
{
	return n->set == set_dump;
}
