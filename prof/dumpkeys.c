#include "dumpkeys.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#include "conf.h"
#include "config.h"
#include "dumptext.h"
#include "encode.h"
#include "facts.h"
#include "init.h"
#include "pool.h"
#include "rate.h"
#include "reset.h"
#include "tablewrite.h"
#include "writer.h"

struct keys {
	struct writer *w;
	const struct table_view *view;
	const struct table_head *head;
	const struct dump_about *about;
};

static void
put_key(struct keys *k, const char *key)
{
	writer_text(k->w, "# heaptop ");
	writer_text(k->w, key);
	writer_text(k->w, "=");
}

static void
put_fact(struct keys *k, const char *key, uint64_t value)
{
	put_key(k, key);
	writer_number(k->w, value);
	writer_text(k->w, "\n");
}

/* The rest of a line: control bytes would break it. */
static void
put_rest(struct keys *k, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		writer_bytes(k->w, (unsigned char)p[i] < ' ' ? "?" : p + i, 1);
	writer_text(k->w, "\n");
}

static void
put_words(struct keys *k, const char *key, const char *p, size_t n)
{
	put_key(k, key);
	put_rest(k, p, n);
}

/* Which process and which of its dumps. */
static void
put_who(struct keys *k)
{
	const struct table_head *h = k->head;

	put_words(k, "version", HEAPTOP_VERSION, strlen(HEAPTOP_VERSION));
	put_fact(k, "pid", init_pid());
	if (h->image)
		put_words(
		    k, "program", table_ptr(h->image), h->hello.image_len);
	if (k->about->type) {
		put_words(k, "type", &k->about->type, 1);
		put_fact(k, "seq", k->about->seq);
	}
}

/* When, and since when. */
static void
put_times(struct keys *k)
{
	uint64_t now = facts_clock_ns(CLOCK_MONOTONIC);
	uint64_t wall = facts_clock_ns(CLOCK_REALTIME);
	uint64_t off = rate_off_since(), on = rate_on_since();
	uint64_t start = init_start_ns();

	put_fact(k, "wall_ns", wall);
	put_fact(k, "start_ns", wall - (now - start));
	put_fact(k, "now_ns", now);
	put_fact(k, "image_ns", start);
	put_fact(k, "active", off == 0);
	put_fact(k, "inactive_ns", rate_inactive_ns(now));
	if (off)
		put_fact(k, "inactive_since_ns", wall - (now - off));
	else if (on)
		put_fact(k, "active_since_ns", wall - (now - on));
	if (reset_ns())
		put_fact(k, "reset_ns", wall - (now - reset_ns()));
}

static void
put_sampling(struct keys *k, const struct dump_samples *n)
{
	put_fact(k, "lg_sample", k->head->lg_sample);
	put_fact(k, "rate_changes", k->head->rate_changes);
	put_fact(k, "bt_max", conf.bt_max);
	if (conf.lg_interval >= 0)
		put_fact(k, "lg_interval", (uint64_t)conf.lg_interval);
	put_fact(k, "samples", n->all);
	put_fact(k, "samples_live", n->live);
}

static void
put_allocator(struct keys *k)
{
	const struct totals *t = &k->head->exact;

	put_fact(k, "live_bytes", t->live_bytes);
	put_fact(k, "live_objects", t->live_objects);
	put_fact(k, "alloc_bytes", t->alloc_bytes);
	put_fact(k, "mapped_bytes", t->mapped_bytes);
	put_fact(k, "cached_bytes", t->cached_bytes);
	put_fact(k, "dirty_bytes", t->dirty_bytes);
	put_fact(k, "meta_bytes", t->meta_bytes);
}

static void
put_process(struct keys *k)
{
	struct process_facts f;

	if (!facts_process(&f))
		return;
	put_fact(k, "rss_bytes", f.rss_bytes);
	put_fact(k, "virtual_bytes", f.virtual_bytes);
	put_fact(k, "swap_bytes", f.swap_bytes);
	put_fact(k, "anon_bytes", f.anon_bytes);
	put_fact(k, "file_bytes", f.file_bytes);
	put_fact(k, "shmem_bytes", f.shmem_bytes);
	put_fact(k, "major_faults", f.major_faults);
}

static void
put_losses(struct keys *k)
{
	static const struct {
		const char *key;
		enum loss what;
	} loss[] = { { "lost_table_full", LOST_TABLE_FULL },
		{ "lost_starting", LOST_STARTING },
		{ "lost_nested", LOST_NESTED }, { "lost_nomem", LOST_NOMEM },
		{ "cut_depth", CUT_DEPTH }, { "cut_unwind", CUT_UNWIND },
		{ "guessed", GUESSED }, { "shared_slot", SHARED_SLOT } };

	for (size_t i = 0; i < sizeof loss / sizeof *loss; i++)
		put_fact(k, loss[i].key, k->head->lost[loss[i].what]);
	put_fact(k, "dumps_failed", k->about->failed);
}

static void
put_hex(struct keys *k, uint64_t n, char behind)
{
	char text[17];
	size_t at = sizeof text;

	text[--at] = behind;
	do
		text[--at] = "0123456789abcdef"[n & 15];
	while ((n >>= 4) > 0);
	writer_bytes(k->w, text + at, sizeof text - at);
}

static void
put_build_id(struct keys *k, const uint8_t *id, size_t n)
{
	char two[2];

	for (size_t i = 0; i < n; i++) {
		two[0] = "0123456789abcdef"[id[i] >> 4];
		two[1] = "0123456789abcdef"[id[i] & 15];
		writer_bytes(k->w, two, sizeof two);
	}
	writer_text(k->w, n > 0 ? " " : "- ");
}

static void
put_module(struct keys *k, const struct table_module *m)
{
	const char *path =
	    m->path ? table_at(k->view, m->path, m->path_len) : NULL;

	if (!path || m->start == m->end) /* of a pool */
		return;
	put_key(k, "module");
	put_hex(k, m->start, '-');
	put_hex(k, m->end, ' ');
	put_hex(k, m->bias, ' ');
	put_build_id(k, m->build_id,
	    m->build_id_len <= sizeof m->build_id ? m->build_id_len : 0);
	put_rest(k, path, m->path_len);
}

static void
put_modules(struct keys *k)
{
	uint32_t n = __atomic_load_n(&k->head->modules, __ATOMIC_ACQUIRE);

	for (uint32_t i = 1; i <= n; i++) {
		const struct table_module *m = table_module_at(k->view, i);

		if (m)
			put_module(k, m);
	}
}

void
dumpkeys_put(struct writer *w, const struct table_view *v,
    const struct dump_about *about, const struct dump_samples *n)
{
	struct keys k = { w, v, table_head(), about };

	writer_text(w, "# heaptop leaf=call\n");
	put_who(&k);
	put_times(&k);
	put_sampling(&k, n);
	put_allocator(&k);
	put_process(&k);
	put_losses(&k);
	put_modules(&k);
}

void
dumpkeys_pool(struct writer *w, const struct table_view *v, uint32_t module)
{
	struct keys k = { w, v, table_head(), NULL };
	const struct table_module *m = table_module_at(v, module);
	const char *path =
	    m && m->path ? table_at(v, m->path, m->path_len) : NULL;
	size_t mark = strlen(POOL_MARK);

	if (path && m->path_len >= mark)
		put_words(&k, "pool", path + mark, m->path_len - mark);
	else
		put_words(&k, "pool", "", 0);
}
