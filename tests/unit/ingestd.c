#include "ingestd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/frame.h"
#include "ui/timeline.h"

#define MIB 1048576.0
#define VECTOR                                                 \
	"std::vector<std::shared_ptr<Posting>, "               \
	"std::allocator<std::shared_ptr<Posting> > >"          \
	"::_M_realloc_insert<std::shared_ptr<Posting> const&>" \
	"(std::shared_ptr<Posting> const&)"
#define SHARED                                                        \
	"std::shared_ptr<http::Connection> std::make_shared<"         \
	"http::Connection, asio::basic_stream_socket<asio::ip::tcp> " \
	">(asio::basic_stream_socket<asio::ip::tcp>&&)"
#define SMALL 298

enum module {
	INGESTD = 1,
	LIBC,
	LIBCRYPTO,
	LIBSSL,
	LIBZ,
	LIBSQLITE,
	MODULES
};

static const char *const modules[MODULES] = {
	[INGESTD] = "/usr/local/bin/ingestd",
	[LIBC] = "/lib/x86_64-linux-gnu/libc.so.6",
	[LIBCRYPTO] = "/usr/lib/libcrypto.so.3",
	[LIBSSL] = "/usr/lib/libssl.so.3",
	[LIBZ] = "/usr/lib/libz.so.1",
	[LIBSQLITE] = "/usr/lib/libsqlite3.so.0",
};

/* Functions that are not in the program or have a known place. */
static const struct {
	const char *name;
	enum module module;
	const char *file;
	uint32_t line;
} known[] = {
	{ "decode_batch", INGESTD, "src/decode.c", 214 },
	{ "ingest_loop", INGESTD, "src/ingest.c", 88 },
	{ "worker_main", INGESTD, "src/worker.c", 51 },
	{ "main", INGESTD, "src/main.c", 33 },
	{ "xstrdup", INGESTD, "src/util.c", 19 },
	{ "intern_key", INGESTD, "src/intern.c", 40 },
	{ "start_thread", LIBC, "", 0 },
	{ "clone3", LIBC, "", 0 },
	{ "getline", LIBC, "", 0 },
	{ "gaih_inet", LIBC, "", 0 },
	{ "getaddrinfo", LIBC, "", 0 },
	{ "setvbuf", LIBC, "", 0 },
	{ "EVP_CIPHER_CTX_new", LIBCRYPTO, "", 0 },
	{ "SSL_new", LIBSSL, "", 0 },
	{ "inflateInit2_", LIBZ, "", 0 },
	{ "pcache1Alloc", LIBSQLITE, "", 0 },
	{ "sqlite3PcacheFetch", LIBSQLITE, "", 0 },
	{ "getPageNormal", LIBSQLITE, "", 0 },
};

/* MiB, MiB since A, objects, objects since A; stack, leaf first.  "+0x…" are
 * places without a name: of libcrypto, the last of libssl. */
static const struct {
	double live, change, objects, new_objects;
	uint64_t samples;
	const char *names[6];
} rows[] = {
	{ 118.4, 21.5, 312000, 57000, 231,
	    { "decode_batch", "ingest_loop", "worker_main", "start_thread",
		"clone3" } },
	{ 86.1, 1, 1310, 15, 168,
	    { "http::Session::read_body", "http::Session::run",
		"asio::io_context::run", "start_thread", "clone3" } },
	{ 64, 0, 2, 0, 2,
	    { "lru_cache_grow", "lru_cache_put", "store_put", "ingest_loop",
		"worker_main" } },
	{ 41.7, -3.2, 96, -4, 82,
	    { VECTOR, "Index::append", "Index::build", "main" } },
	{ 33.9, 9.8, 542, 157, 67,
	    { "arena_new_block", "arena_alloc", "json_parse_value",
		"json_parse", "decode_batch" } },
	{ 18.2, 14.6, 611000, 490000, 36,
	    { "xstrdup", "intern_key", "decode_batch", "ingest_loop" } },
	{ 9.4, 0, 118000, 0, 18,
	    { "std::string::_M_create", "Config::load", "main" } },
	{ 7.8, 0.5, 204, 13, 15,
	    { "inflateInit2_", "gz_stream_open", "http::Session::read_body",
		"http::Session::run" } },
	{ 6, 6, 1, 1, 1,
	    { "hashtab_resize", "hashtab_insert", "intern_key",
		"decode_batch" } },
	{ 4.9, 0.5, 61, 6, 9,
	    { "SSL_new", "tls_accept", "http::Listener::on_accept" } },
	{ 3.7, 0, 902, 0, 7,
	    { "pcache1Alloc", "sqlite3PcacheFetch", "getPageNormal",
		"store_commit" } },
	{ 3.1, 0, 4, 0, 6, { "ring_new", "metrics_init", "main" } },
	{ 2.2, 0.5, 1940, 440, 5, { SHARED, "http::Listener::on_accept" } },
	{ 1.4, 0, 511, 0, 4, { "+0x1b2e40", "+0xc11f0", "+0x2a110" } },
	{ 0.6, 0, 12, 0, 4,
	    { "getline", "read_hosts", "resolver_init", "main" } },
	/* A few bytes more or less keep these in their order. */
	{ 0.5 + 3 / MIB, 0, 1, 0, 1, { "log_ring_new", "log_init", "main" } },
	{ 0.5 + 2 / MIB, 0, 1, 0, 1,
	    { "gaih_inet", "getaddrinfo", "resolver_lookup" } },
	{ 0.5 + 1 / MIB, 0, 1, 0, 1, { "EVP_CIPHER_CTX_new", "tls_accept" } },
	{ 0.5, 0, 1, 0, 1, { "setvbuf", "log_init", "main" } },
};

#define ROWS (sizeof rows / sizeof rows[0])

/* ---- stacks ----------------------------------------------------------------- */

struct names {
	const char *seen[400];
	uint32_t count;
};

static uint64_t
offset_of(struct names *n, const char *name)
{
	uint32_t i = 0;

	while (i < n->count && strcmp(n->seen[i], name) != 0)
		i++;
	if (i == n->count)
		n->seen[n->count++] = name;
	return 0x1000 + i * 0x40;
}

static struct profile_frame
frame_of(struct profile *p, struct names *n, const char *name, bool named)
{
	struct frame_name f = { name, "", 0 };
	struct profile_frame r = { INGESTD, 0 };

	if (name[0] == '+') {
		r.offset = strtoull(name + 3, NULL, 16);
		r.module = r.offset == 0x2a110 ? LIBSSL : LIBCRYPTO;
		frames_set_names(profile_frames(p),
		    frames_add(profile_frames(p), r.module, r.offset), NULL, 0);
		return r;
	}
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		r.module = known[i].module;
		f.file = known[i].file;
		f.line = known[i].line;
	}
	r.offset = offset_of(n, name);
	named = named || r.module != INGESTD;
	frames_set_names(profile_frames(p),
	    frames_add(profile_frames(p), r.module, r.offset), &f, named);
	return r;
}

static void
put_stack(struct profile *p, uint32_t id, const char *const *names,
    struct names *seen, bool named)
{
	struct profile_frame frames[6];
	size_t n = 0;

	for (; n < 6 && names[n]; n++)
		frames[n] = frame_of(p, seen, names[n], named);
	profile_put_stack(p, id, 0, frames, n, NULL);
}

static void
put_stacks(struct profile *p, bool named)
{
	struct names *seen = xcalloc(1, sizeof *seen);
	char(*small)[16] = xcalloc(SMALL, sizeof *small);

	for (uint32_t i = 0; i < ROWS; i++)
		put_stack(p, i + 1, rows[i].names, seen, named);
	for (uint32_t i = 0; i < SMALL; i++) {
		const char *names[6] = { small[i], "main" };

		snprintf(small[i], sizeof small[i], "minor_%03u", i);
		put_stack(p, (uint32_t)ROWS + i + 1, names, seen, named);
	}
	free(seen);
	free(small);
}

/* ---- figures ------------------------------------------------------------------ */

struct amount {
	double live, objects, alloc;
	uint64_t samples;
};

static void
put_cell(struct profile *p, uint32_t stack, const struct amount *a)
{
	/* 1.96 standard deviations are 6.6 % */
	double sd = a->live * 0.066 / 1.96;
	struct cell_values v = {
		.live_bytes = a->live,
		.live_objects = a->objects,
		.alloc_bytes = a->alloc,
		.alloc_objects = a->objects,
		.live_var_bytes = sd * sd,
		.live_samples = a->samples,
		.alloc_samples = a->samples,
	};

	profile_put_cell(p, stack, 1, &v, NULL);
}

/* A stack as it is now, and as it was at A. */
static void
amounts(uint32_t i, struct amount *now, struct amount *then)
{
	double change, objects;

	if (i < ROWS) {
		*now = (struct amount){ rows[i].live * MIB, rows[i].objects,
			2 * rows[i].live * MIB, rows[i].samples };
		change = rows[i].change * MIB;
		objects = rows[i].new_objects;
	} else {
		/* 9.2 MiB are 298 * 32372 + 43.2; 512 KiB 298 * 1759 + 106 */
		bool first = i == ROWS;

		*now = (struct amount){ 32372 + (first ? 43.2 : 0),
			451 + (first ? 100 : 0), 40000, 1 };
		change = 1759 + (first ? 106 : 0);
		objects = 0;
	}
	*then = *now;
	then->live -= change;
	then->objects -= objects;
	/* what came since A, and 1 MiB that went in the largest */
	then->alloc -= (change > 0 ? change : 0) + (i == 0 ? MIB : 0);
}

enum moment {
	FIRST,
	MARK_A,
	NOW
};

static void
put_cells(struct profile *p, enum moment m)
{
	for (uint32_t i = 0; i < ROWS + SMALL; i++) {
		struct amount now, then;

		amounts(i, &now, &then);
		if (m == FIRST)
			then = (struct amount){ then.live * 12 / 412.6,
				then.objects * 12 / 412.6,
				then.live * 12 / 412.6, 1 };
		put_cell(p, i + 1, m == NOW ? &now : &then);
	}
}

/* Exact live MiB at a second: straight lines between these. */
static double
live_at(unsigned s)
{
	static const struct {
		unsigned s;
		double mib;
	} at[] = { { 4, 12 }, { 300, 318 }, { 482, 360.9 }, { 555, 438.1 },
		{ 556, 352 }, { 760, 412.2 }, { 761, 412.6 } };
	size_t i = 1;

	while (s > at[i].s)
		i++;
	return at[i - 1].mib +
	    (at[i].mib - at[i - 1].mib) * (s - at[i - 1].s) /
	    (at[i].s - at[i - 1].s);
}

static void
commit(struct profile *p, unsigned s)
{
	struct profile_totals t = {
		.now_ns = INGESTD_AT(0, s),
		.exact_ns = INGESTD_AT(0, s),
		.live_bytes = (uint64_t)(live_at(s) * MIB),
		.live_objects = 1180000,
		.alloc_bytes = (uint64_t)(18.4 * 1024 * MIB),
		.samples = 1200,
		.samples_live = 700,
		.lg_sample = 19,
		.active = 1,
		.rss_bytes = (uint64_t)(531.2 * MIB),
	};

	profile_put_totals(p, &t);
	profile_commit(p);
}

static uint32_t
newest(const struct profile *p)
{
	const struct history *h = profile_history(p);

	return history_at(h, history_count(h) - 1)->id;
}

struct profile *
ingestd_profile(bool named)
{
	static const unsigned extra[] = { 4, 482, 555, 556, 761 };
	struct profile_facts facts = {
		.pid = 41237,
		.image_ns = INGESTD_START,
		.image = modules[INGESTD],
		.command = "ingestd --config prod.toml",
		.build_id = (const uint8_t *)"\x5f\x0c\x11\xbe\x9a",
		.build_id_len = 5,
		.source = "stream",
	};
	struct profile *p = profile_new();

	profile_put_facts(p, &facts);
	for (uint32_t i = 1; i < MODULES; i++)
		profile_put_module(p, i, i << 28, (i + 1) << 28, i << 28, NULL,
		    0, modules[i], NULL);
	profile_put_thread(p, 1, 41237, 0, "ingestd");
	put_stacks(p, named);
	for (unsigned s = 1; s <= 761; s++) {
		bool wanted = s % 10 == 0;

		for (size_t i = 0; i < sizeof extra / sizeof extra[0]; i++)
			wanted = wanted || s == extra[i];
		if (s < 4 || !wanted)
			continue;
		if (s == 4 || s == 482 || s == 761)
			put_cells(p, s == 4 ? FIRST : s == 482 ? MARK_A : NOW);
		commit(p, s);
		if (s % 10 != 0)
			profile_pin(p, newest(p), 1);
	}
	return p;
}

/* ---- the screen ------------------------------------------------------------------ */

static void
report(struct ingestd *r)
{
	const struct profile *p = r->profile;
	struct report *old = r->report;
	struct app_point *points;
	struct app_event e = { .kind = APP_REPORT };

	if (!p) {
		r->app.dirty = 0;
		return;
	}
	r->report = report_build(&p, 1, &r->app.ask);
	e.report = r->report;
	e.point_count = timeline_points(profile_history(p), &points);
	e.points = points;
	e.kept_bytes = history_bytes(profile_history(p));
	app_event(&r->app, &e);
	free(points);
	report_free(old);
}

/* Around the largest site; nothing else can be read. */
static const char decode_c[] =
    "\n"
    "/* Decode one batch; the caller owns every row. */\n"
    "static int\n"
    "decode_batch(struct batch *batch, struct row **out)\n"
    "{\n"
    "    for (size_t i = 0; i < batch->count; i++) {\n"
    "        out[i] = malloc(sizeof(struct row) + len[i]);\n"
    "        if (!out[i])\n"
    "            return -1;\n"
    "        row_init(out[i], batch, i);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static void
send_source(struct ingestd *r)
{
	struct app_event e = { .kind = APP_SOURCE };
	char why[APP_TEXT];

	if (!app_wants_source(&r->app, &e.source_file, &e.source_line))
		return;
	if (strcmp(e.source_file, "src/decode.c") == 0) {
		e.text = decode_c;
		e.first_line = 208;
	} else {
		snprintf(why, sizeof why,
		    "%s is not here; set HEAPTOP_SOURCE_PATH", e.source_file);
		e.why = why;
	}
	app_event(&r->app, &e);
}

struct request
ingestd_send(struct ingestd *r, const struct app_event *e)
{
	struct request q = app_event(&r->app, e);

	if (app_wants_report(&r->app))
		report(r);
	send_source(r);
	return q;
}

void
ingestd_prints(struct ingestd *r, const char *text)
{
	ingestd_send(r,
	    &(struct app_event){
		.kind = APP_OUTPUT, .data = text, .len = strlen(text) });
}

static void
open_app(struct ingestd *r, int width, int height)
{
	struct app_target t = {
		.name = "ingestd",
		.command = "ingestd --config prod.toml",
		.exe = "/usr/local/bin/ingestd",
		.pid = 41237,
		.threads = 9,
		.start_ns = INGESTD_START,
		.rss_bytes = (uint64_t)(2.1 * MIB),
		.interval_ns = 1000000000,
		.lg_sample = 19,
		.active = true,
		.ours = true,
		.running = true,
		.has_terminal = true,
		.takes_input = true,
	};

	/* Some of those that a session has. */
	static const struct app_format formats[] = {
		{ "top", "the table", "txt", 't', false, false },
		{ "text", "the table of jeprof", "text", 'x', false, false },
		{ "tree", "call tree", "tree", 'r', false, false },
		{ "dot", "graph, as text", "dot", 'o', false, false },
		{ "collapsed", "stacks, folded", "folded", 'f', false, false },
		{ "growth", "what grows", "growth.txt", 'u', true, false },
		{ "recording", "for heaptop FILE", "htd.gz", 'w', false, true },
	};

	app_init(&r->app, NULL, width, height);
	r->app.formats = formats;
	r->app.format_count = sizeof formats / sizeof *formats;
	ingestd_send(
	    r, &(struct app_event){ .kind = APP_TARGET, .target = &t });
}

void
ingestd_open(struct ingestd *r, int width, int height, bool marked)
{
	memset(r, 0, sizeof *r);
	r->profile = ingestd_profile(true);
	open_app(r, width, height);
	ingestd_status(r, APP_LIVE, 0, "", "", "");
	ingestd_send(r,
	    &(struct app_event){
		.kind = APP_DATA, .now_ns = INGESTD_AT(12, 41) });
	if (!marked)
		return;
	r->app.mark[0].ns = INGESTD_AT(8, 2);
	r->app.mark[0].id =
	    history_id_at(profile_history(r->profile), r->app.mark[0].ns);
	app_query_changed(&r->app);
	report(r);
}

void
ingestd_open_waiting(struct ingestd *r, int width, int height)
{
	memset(r, 0, sizeof *r);
	open_app(r, width, height);
	ingestd_send(r,
	    &(struct app_event){
		.kind = APP_DATA, .now_ns = INGESTD_AT(12, 41) });
}

void
ingestd_close(struct ingestd *r)
{
	app_fini(&r->app);
	report_free(r->report);
	profile_free(r->profile);
}

struct request
ingestd_keys(struct ingestd *r, const char *names)
{
	struct request q = { .kind = REQUEST_NONE };
	char name[24];
	int n;

	while (sscanf(names, "%23s%n", name, &n) == 1) {
		struct app_event e = { .kind = APP_KEY };

		names += n;
		if (!key_parse(name, &e.key))
			abort();
		q = ingestd_send(r, &e);
	}
	return q;
}

void
ingestd_type(struct ingestd *r, const char *text)
{
	for (; *text; text++) {
		struct app_event e = { .kind = APP_KEY,
			.key = { .code = (unsigned char)*text } };

		ingestd_send(r, &e);
	}
}

void
ingestd_resize(struct ingestd *r, int width, int height)
{
	ingestd_send(r,
	    &(struct app_event){
		.kind = APP_RESIZE, .width = width, .height = height });
}

void
ingestd_status(struct ingestd *r, enum app_connection c, uint64_t ns,
    const char *what, const char *sentence, const char *last_line)
{
	struct app_status s = { .connection = c, .ns = ns };

	snprintf(s.what, sizeof s.what, "%s", what);
	snprintf(s.sentence, sizeof s.sentence, "%s", sentence);
	snprintf(s.last_line, sizeof s.last_line, "%s", last_line);
	ingestd_send(
	    r, &(struct app_event){ .kind = APP_STATUS, .status = &s });
}

char *
ingestd_screen(const struct ingestd *r)
{
	struct grid g;
	struct buf b = BUF_INIT;

	grid_init(&g, r->app.width, r->app.height);
	g.ascii = r->ascii;
	ui_render(&r->app, &g);
	grid_text(&g, &b);
	grid_fini(&g);
	buf_puts(&b, "");
	return b.data;
}

char *
ingestd_line(const struct ingestd *r, int y)
{
	char *screen = ingestd_screen(r), *line = screen, *copy;

	while (y-- > 0 && strchr(line, '\n'))
		line = strchr(line, '\n') + 1;
	copy = xstrndup(line, strcspn(line, "\n"));
	free(screen);
	return copy;
}
