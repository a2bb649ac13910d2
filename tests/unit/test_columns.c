/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/arena.c
 * src/base/map.c src/base/strtab.c src/base/fmt.c src/base/utf8.c
 * src/model/modules.c src/model/frames.c src/model/plumbing.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/profile.c src/model/births.c
 * src/model/query.c src/model/figures.c src/model/name.c ui/grid.c ui/style.c
 * ui/glyph.c ui/key.c ui/keymap.c ui/list.c ui/chart.c ui/columns.c
 * ui/columns_name.c */
#include "ui/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "model/query.h"

/*
 * The run of the mock-ups: its rows are written into a report by hand, and
 * each name is a place of its own.
 */
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

static const struct {
	double live, change, objects;
	const char *names[4];
} run[] = {
	{ 118.4, 21.5, 312000,
	    { "decode_batch", "ingest_loop", "worker_main", "start_thread" } },
	{ 86.1, 1, 1310,
	    { "http::Session::read_body", "http::Session::run",
		"asio::io_context::run" } },
	{ 64, 0, 2,
	    { "lru_cache_grow", "lru_cache_put", "store_put", "ingest_loop" } },
	{ 41.7, -3.2, 96, { VECTOR, "Index::append", "Index::build" } },
	{ 33.9, 9.8, 542,
	    { "arena_new_block", "arena_alloc", "json_parse_value",
		"json_parse" } },
	{ 18.2, 14.6, 611000,
	    { "xstrdup", "intern_key", "decode_batch", "ingest_loop" } },
	{ 9.4, 0, 118000,
	    { "std::string::_M_create", "Config::load", "main" } },
	{ 7.8, 0.5, 204,
	    { "inflateInit2_", "gz_stream_open", "http::Session::read_body" } },
	{ 6, 6, 1,
	    { "hashtab_resize", "hashtab_insert", "intern_key",
		"decode_batch" } },
	{ 4.9, 0.5, 61,
	    { "SSL_new", "tls_accept", "http::Listener::on_accept" } },
	{ 3.7, 0, 902,
	    { "pcache1Alloc", "sqlite3PcacheFetch", "getPageNormal",
		"store_commit" } },
	{ 3.1, 0, 4, { "ring_new", "metrics_init", "main" } },
	{ 2.2, 0.5, 1940, { SHARED, "http::Listener::on_accept" } },
	{ 1.4, 0, 511,
	    { "libcrypto.so.3+0x1b2e40", "libcrypto.so.3+0xc11f0",
		"libssl.so.3+0x2a110" } },
	{ 0.6, 0, 12, { "getline", "read_hosts", "resolver_init", "main" } },
	{ 0.5, 0, 1, { "log_ring_new", "log_init", "main" } },
	{ 0.5, 0, 1, { "gaih_inet", "getaddrinfo", "resolver_lookup" } },
	{ 0.5, 0, 1, { "EVP_CIPHER_CTX_new", "tls_accept" } },
	{ 0.5, 0, 1, { "setvbuf", "log_init", "main" } },
};

#define ROWS (sizeof run / sizeof run[0])

struct fixture {
	struct report report;
	struct report_row rows[ROWS];
	uint32_t places[ROWS][4];
	uint32_t listed[ROWS];
	struct list list;
	struct columns_view view;
};

/* Stands in for the report's own. */
struct place
report_place(const struct report *r, uint32_t place)
{
	(void)r;
	return (struct place){ .function = run[place / 4].names[place % 4] };
}

static struct figures
figures(double live, double change, double objects)
{
	return (struct figures){ .value = live * MIB,
		.base = (live - change) * MIB,
		.bytes = live * MIB,
		.objects = objects,
		.samples = 10 };
}

static void
set_row(struct fixture *f, size_t i)
{
	struct report_row *row = &f->rows[i];

	row->key = 100 + i;
	row->name = run[i].names[0];
	row->file = "";
	row->f = row->cum = figures(run[i].live, run[i].change, run[i].objects);
	row->places = f->places[i];
	for (uint32_t j = 0; j < 4 && run[i].names[j]; j++) {
		f->places[i][j] = (uint32_t)i * 4 + j;
		row->count = j + 1;
	}
}

static void
set_up(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	query_init(&f->report.query);
	f->report.query.grouping = GROUP_STACKS;
	for (size_t i = 0; i < ROWS; i++)
		set_row(f, i);
	f->report.rows = f->rows;
	f->report.row_count = ROWS;
	/* 298 rows were cut; with the last three of ours 135k objects */
	f->report.remainder = figures(9.2, 0.5, 134498);
	f->report.remainder_count = 298;
	f->report.group_count = 317;
	f->report.max_value = run[0].live * MIB;
	f->report.total = f->report.local = figures(412.6, 51.7, 1180000);
	f->view = (struct columns_view){ .report = &f->report,
		.list = &f->list,
		.rows = f->listed,
		.count = columns_pick(&f->report, f->listed),
		.cut = 298,
		.remainder = true,
		.all = 317 };
}

/* The table alone, with its titles if `head`. */
static void
draw(const struct fixture *f, struct grid *g, int w, int h, bool ascii,
    bool head)
{
	struct rect r = { 0, head, w, h };

	grid_init(g, w, h + head);
	g->ascii = ascii;
	if (head)
		columns_draw_head(&f->report, g, (struct rect){ 0, 0, w, 1 });
	columns_draw(&f->view, g, r);
}

static void
assert_drawn(const struct fixture *f, int w, int h, bool ascii, bool head,
    const char *expected)
{
	struct grid g;
	struct buf b = BUF_INIT;

	draw(f, &g, w, h, ascii, head);
	grid_text(&g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
	grid_fini(&g);
}

/* clang-format off */
static const char at_100[] =
    "     LIVE▼     %                CHANGE  OBJS  SITE ← CALLERS\n"
    "▌118.4 MiB  28.7 ██████████  +21.5 MiB  312k  decode_batch ← ingest_loop ← worker_main ← start_thr…\n"
    "  86.1 MiB  20.9 ███████▎     +1.0 MiB  1310  http::Session::read_body ← http::Session::run ← asio…\n"
    "  64.0 MiB  15.5 █████▍              ·     2  lru_cache_grow ← lru_cache_put ← store_put ← ingest_…\n"
    "  41.7 MiB  10.1 ███▌         -3.2 MiB    96  std::vector<…>::_M_realloc_insert<…> ← Index::append…\n"
    "  33.9 MiB   8.2 ██▉          +9.8 MiB   542  arena_new_block ← arena_alloc ← json_parse_value ← j…\n"
    "  18.2 MiB   4.4 █▌          +14.6 MiB  611k  xstrdup ← intern_key ← decode_batch ← ingest_loop\n"
    "   9.4 MiB   2.3 ▊                   ·  118k  std::string::_M_create ← Config::load ← main\n"
    "   7.8 MiB   1.9 ▋          +512.0 KiB   204  inflateInit2_ ← gz_stream_open ← http::Session::read…\n"
    "   6.0 MiB   1.5 ▌            +6.0 MiB     1  hashtab_resize ← hashtab_insert ← intern_key ← decod…\n"
    "   4.9 MiB   1.2 ▍          +512.0 KiB    61  SSL_new ← tls_accept ← http::Listener::on_accept\n"
    "   3.7 MiB   0.9 ▎                   ·   902  pcache1Alloc ← sqlite3PcacheFetch ← getPageNormal ← …\n"
    "   3.1 MiB   0.8 ▎                   ·     4  ring_new ← metrics_init ← main\n"
    "   2.2 MiB   0.5 ▏          +512.0 KiB  1940  std::make_shared<…> ← http::Listener::on_accept\n"
    "   1.4 MiB   0.3 ▏                   ·   511  libcrypto.so.3+0x1b2e40 ← libcrypto.so.3+0xc11f0 ← l…\n"
    " 614.4 KiB   0.1 ▏                   ·    12  getline ← read_hosts ← resolver_init ← main\n"
    " 512.0 KiB   0.1 ▏                   ·     1  log_ring_new ← log_init ← main\n"
    "  10.7 MiB   2.6            +512.0 KiB  135k  … 301 smaller stacks\n";

static const char at_80[] =
    "     LIVE▼     %            CHANGE  SITE ← CALLERS\n"
    "▌118.4 MiB  28.7 ██████  +21.5 MiB  decode_batch ← ingest_loop ← worker_main ←…\n"
    "  86.1 MiB  20.9 ████▍    +1.0 MiB  http::Session::read_body ← http::Session::…\n"
    "  64.0 MiB  15.5 ███▎            ·  lru_cache_grow ← lru_cache_put ← store_put…\n"
    "  41.7 MiB  10.1 ██▏      -3.2 MiB  std::vector<…>::_M_realloc_insert<…> ← Ind…\n"
    "  33.9 MiB   8.2 █▊       +9.8 MiB  arena_new_block ← arena_alloc ← json_parse…\n"
    "  18.2 MiB   4.4 ▉       +14.6 MiB  xstrdup ← intern_key ← decode_batch ← inge…\n"
    "   9.4 MiB   2.3 ▌               ·  std::string::_M_create ← Config::load ← ma…\n"
    "   7.8 MiB   1.9 ▍      +512.0 KiB  inflateInit2_ ← gz_stream_open ← http::Ses…\n"
    "   6.0 MiB   1.5 ▎        +6.0 MiB  hashtab_resize ← hashtab_insert ← intern_k…\n"
    "   4.9 MiB   1.2 ▎      +512.0 KiB  SSL_new ← tls_accept ← http::Listener::on_…\n"
    "   3.7 MiB   0.9 ▎               ·  pcache1Alloc ← sqlite3PcacheFetch ← getPag…\n"
    "   3.1 MiB   0.8 ▏               ·  ring_new ← metrics_init ← main\n"
    "  15.4 MiB   3.7          +1.0 MiB  … 305 smaller stacks\n";

static const char at_102[] =
    "     LIVE▼     %                CHANGE  OBJS  SITE ← CALLERS\n"
    "▌118.4 MiB  28.7 ██████████  +21.5 MiB  312k  decode_batch ← ingest_loop ← worker_main ← start_thread\n"
    "  86.1 MiB  20.9 ███████▎     +1.0 MiB  1310  http::Session::read_body ← http::Session::run ← asio::…\n"
    "  64.0 MiB  15.5 █████▍              ·     2  lru_cache_grow ← lru_cache_put ← store_put ← ingest_lo…\n"
    "  41.7 MiB  10.1 ███▌         -3.2 MiB    96  std::vector<…>::_M_realloc_insert<…> ← Index::append ←…\n"
    "  33.9 MiB   8.2 ██▉          +9.8 MiB   542  arena_new_block ← arena_alloc ← json_parse_value ← jso…\n"
    "  18.2 MiB   4.4 █▌          +14.6 MiB  611k  xstrdup ← intern_key ← decode_batch ← ingest_loop\n"
    "   9.4 MiB   2.3 ▊                   ·  118k  std::string::_M_create ← Config::load ← main\n"
    "   7.8 MiB   1.9 ▋          +512.0 KiB   204  inflateInit2_ ← gz_stream_open ← http::Session::read_b…\n"
    "   6.0 MiB   1.5 ▌            +6.0 MiB     1  hashtab_resize ← hashtab_insert ← intern_key ← decode_…\n"
    "   4.9 MiB   1.2 ▍          +512.0 KiB    61  SSL_new ← tls_accept ← http::Listener::on_accept\n"
    "   3.7 MiB   0.9 ▎                   ·   902  pcache1Alloc ← sqlite3PcacheFetch ← getPageNormal ← st…\n"
    "   3.1 MiB   0.8 ▎                   ·     4  ring_new ← metrics_init ← main\n"
    "   2.2 MiB   0.5 ▏          +512.0 KiB  1940  std::make_shared<…> ← http::Listener::on_accept\n"
    "   1.4 MiB   0.3 ▏                   ·   511  libcrypto.so.3+0x1b2e40 ← libcrypto.so.3+0xc11f0 ← lib…\n"
    " 614.4 KiB   0.1 ▏                   ·    12  getline ← read_hosts ← resolver_init ← main\n"
    " 512.0 KiB   0.1 ▏                   ·     1  log_ring_new ← log_init ← main\n"
    " 512.0 KiB   0.1 ▏                   ·     1  gaih_inet ← getaddrinfo ← resolver_lookup\n"
    " 512.0 KiB   0.1 ▏                   ·     1  EVP_CIPHER_CTX_new ← tls_accept\n"
    " 512.0 KiB   0.1 ▏                   ·     1  setvbuf ← log_init ← main\n"
    "   9.2 MiB   2.2            +512.0 KiB  134k  … 298 smaller stacks\n";

static const char at_60[] =
    "     LIVE▼     %  SITE ← CALLERS\n"
    "▌118.4 MiB  28.7  decode_batch ← ingest_loop ← worker_main…\n"
    "  86.1 MiB  20.9  http::Session::read_body ← http::Session…\n"
    "  64.0 MiB  15.5  lru_cache_grow ← lru_cache_put ← store_p…\n"
    "  41.7 MiB  10.1  std::vector<…>::_M_realloc_insert<…> ← I…\n"
    "  33.9 MiB   8.2  arena_new_block ← arena_alloc ← json_par…\n"
    "  18.2 MiB   4.4  xstrdup ← intern_key ← decode_batch ← in…\n"
    "   9.4 MiB   2.3  std::string::_M_create ← Config::load ← …\n"
    "   7.8 MiB   1.9  inflateInit2_ ← gz_stream_open ← http::S…\n"
    "   6.0 MiB   1.5  hashtab_resize ← hashtab_insert ← intern…\n"
    "   4.9 MiB   1.2  SSL_new ← tls_accept ← http::Listener::o…\n"
    "   3.7 MiB   0.9  pcache1Alloc ← sqlite3PcacheFetch ← getP…\n";

static const char at_36[] =
    "▌118.4 MiB  decode_batch\n"
    "  86.1 MiB  http::Session::read_bo…\n"
    "  64.0 MiB  lru_cache_grow\n"
    "  41.7 MiB  std::vector<…>::_M_rea…\n"
    "  33.9 MiB  arena_new_block\n"
    "  18.2 MiB  xstrdup\n"
    "   9.4 MiB  std::string::_M_create\n";

static const char in_ascii[] =
    "    LIVE v     %            CHANGE  SITE < CALLERS\n"
    ">118.4 MiB  28.7 ######  +21.5 MiB  decode_batch < ingest_loop < worker_main <~\n"
    "  86.1 MiB  20.9 ####     +1.0 MiB  http::Session::read_body < http::Session::~\n"
    "  64.0 MiB  15.5 ###             -  lru_cache_grow < lru_cache_put < store_put~\n"
    "  41.7 MiB  10.1 ##       -3.2 MiB  std::vector<..>::_M_realloc_insert<..> < I~\n"
    "  33.9 MiB   8.2 ##       +9.8 MiB  arena_new_block < arena_alloc < json_parse~\n"
    "  18.2 MiB   4.4 #       +14.6 MiB  xstrdup < intern_key < decode_batch < inge~\n"
    "   9.4 MiB   2.3 .               -  std::string::_M_create < Config::load < ma~\n"
    "   7.8 MiB   1.9 .      +512.0 KiB  inflateInit2_ < gz_stream_open < http::Ses~\n"
    "   6.0 MiB   1.5 .        +6.0 MiB  hashtab_resize < hashtab_insert < intern_k~\n"
    "   4.9 MiB   1.2 .      +512.0 KiB  SSL_new < tls_accept < http::Listener::on_~\n"
    "   3.7 MiB   0.9 .               -  pcache1Alloc < sqlite3PcacheFetch < getPag~\n"
    "   3.1 MiB   0.8 .               -  ring_new < metrics_init < main\n"
    "  15.4 MiB   3.7          +1.0 MiB  .. 305 smaller stacks\n";

/* clang-format on */

/* Sizes are those of the body in layout.h at 100x30, 80x24, 160x45, 60x15
 * and 36x8; the third has room for more rows than there are. */
static void
is_that_of_the_mock_ups(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_drawn(&f, 100, 17, false, true, at_100);
	assert_drawn(&f, 80, 13, false, true, at_80);
	assert_drawn(&f, 102, 20, false, true, at_102);
	assert_drawn(&f, 80, 13, true, true, in_ascii);
	f.view.remainder = false;
	assert_drawn(&f, 60, 11, false, true, at_60);
	assert_drawn(&f, 36, 7, false, false, at_36);
}

static enum role
role_at(const struct grid *g, int x, int y)
{
	return (enum role)grid_at(g, x, y)->role;
}

/* At 80 columns: LIVE from 1, % from 11, bar from 17, CHANGE from 24, SITE
 * from 36. */
static void
roles_say_what_is_significant(void **state)
{
	struct fixture f;
	struct grid g;

	(void)state;
	set_up(&f);
	f.list.cursor = 4;
	/* The change of the second row is within its noise; the third rests
	 * on two samples of small objects, the fourth on one large one. */
	f.rows[1].f.change_var = 4 * MIB * MIB;
	f.report.have_totals = true;
	f.report.totals.lg_sample = 19;
	f.rows[2].f.samples = 2;
	f.rows[2].f.objects = 1e6;
	f.rows[3].f.samples = 1;
	f.rows[3].f.objects = 1;
	draw(&f, &g, 80, 6, false, false);
	assert_int_equal(role_at(&g, 5, 0), ROLE_TEXT);
	assert_int_equal(role_at(&g, 9, 0), ROLE_DIM); /* the unit */
	assert_int_equal(role_at(&g, 17, 0), ROLE_BAR);
	assert_int_equal(role_at(&g, 33, 0), ROLE_GROW);
	assert_int_equal(role_at(&g, 36, 0), ROLE_SITE);
	assert_int_equal(role_at(&g, 51, 0), ROLE_DIM); /* callers */
	assert_int_equal(role_at(&g, 33, 1), ROLE_DIM);
	assert_int_equal(role_at(&g, 5, 2), ROLE_DIM);
	assert_int_equal(role_at(&g, 33, 2), ROLE_DIM); /* zero */
	assert_int_equal(role_at(&g, 5, 3), ROLE_TEXT);
	assert_int_equal(role_at(&g, 33, 3), ROLE_SHRINK);
	for (int x = 0; x < 80; x++)
		assert_int_equal(role_at(&g, x, 4), ROLE_SELECT);
	assert_int_equal(g.cursor_y, 4);
	assert_int_equal(role_at(&g, 9, 5), ROLE_DIM); /* the remainder */
	grid_fini(&g);

	f.view.idle = true;
	draw(&f, &g, 80, 6, false, false);
	assert_int_equal(role_at(&g, 40, 4), ROLE_SELECT_IDLE);
	assert_int_equal(g.cursor_y, -1);
	grid_fini(&g);
}

/* Which row of text begins so. */
static void
assert_row(const struct fixture *f, int w, int h, int y, const char *expected)
{
	struct grid g;
	struct buf b = BUF_INIT;
	const char *line;

	draw(f, &g, w, h, false, false);
	grid_text(&g, &b);
	line = buf_str(&b);
	while (y-- > 0)
		line = strchr(line, '\n') + 1;
	assert_memory_equal(line, expected, strlen(expected));
	assert_int_equal(line[strlen(expected)], '\n');
	buf_fini(&b);
	grid_fini(&g);
}

static void
what_is_left_out_is_a_row(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	/* Scrolled to the end: only the report's own remainder is left. */
	f.list.top = 9;
	f.list.cursor = 18;
	assert_row(&f, 100, 11, 10,
	    "   9.2 MiB   2.2            +512.0 KiB  134k  … 298 smaller "
	    "stacks");
	assert_row(&f, 100, 11, 0,
	    "   4.9 MiB   1.2 ▍          +512.0 KiB    61  SSL_new ← "
	    "tls_accept ← http::Listener::on_accept");
	/* Another order: they are not smaller. */
	f.report.query.order = ORDER_CHANGE;
	assert_row(&f, 100, 11, 10,
	    "   9.2 MiB   2.2            +512.0 KiB  134k  … 298 other "
	    "stacks");

	/* All is shown. */
	set_up(&f);
	f.report.remainder_count = f.view.cut = 0;
	f.report.group_count = ROWS;
	assert_int_equal(columns_page(&f.view, 19), 19);
	assert_int_equal(columns_page(&f.view, 18), 17);
	f.report.remainder_count = f.view.cut = 1;
	f.report.group_count = ROWS + 1;
	assert_int_equal(columns_page(&f.view, 19), 18);
	f.view.remainder = false;
	assert_int_equal(columns_page(&f.view, 19), 19);
	assert_int_equal(columns_page(&f.view, 0), 0);
}

/* The mock-up of the filter: two rows match, 388.4 MiB do not. */
static void
a_filter_says_what_it_left_out(void **state)
{
	struct fixture f;
	struct pattern *p = pattern_new("intern", NULL);
	struct grid g;

	(void)state;
	set_up(&f);
	f.rows[0] = f.rows[5];
	f.rows[1] = f.rows[8];
	f.report.row_count = f.report.group_count = f.view.count = 2;
	f.report.max_value = 18.2 * MIB;
	f.report.remainder_count = f.view.cut = 0;
	f.report.local = figures(24.2, 20.6, 611001);
	assert_non_null(p);
	f.report.query.focus = p;
	f.view.max = 118.4 * MIB;
	f.list.cursor = 0;
	assert_drawn(&f, 80, 4, false, false,
	    "▌ 18.2 MiB   4.4 ▉       +14.6 MiB  xstrdup ← intern_key ← "
	    "decode_batch ← inge…\n"
	    "   6.0 MiB   1.5 ▎        +6.0 MiB  hashtab_resize ← "
	    "hashtab_insert ← intern_k…\n"
	    " 388.4 MiB  94.1         +31.1 MiB  … 315 stacks not matching\n"
	    "\n");
	f.list.cursor = 1;
	draw(&f, &g, 80, 4, false, false);
	/* "xstrdup <- intern_key": the hit begins at 36 + 7 + 3 */
	assert_int_equal(role_at(&g, 45, 0), ROLE_DIM);
	assert_int_equal(role_at(&g, 46, 0), ROLE_MATCH);
	assert_int_equal(role_at(&g, 51, 0), ROLE_MATCH);
	assert_int_equal(role_at(&g, 52, 0), ROLE_DIM);
	grid_fini(&g);
	pattern_free(p);
}

static void
rows_are_called_by_their_grouping(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.list.cursor = 5;
	f.report.query.grouping = GROUP_FUNCTIONS;
	f.rows[0].file = "src/decode.c";
	f.rows[0].line = 214;
	assert_row(
	    &f, 60, 3, 0, " 118.4 MiB  28.7  decode_batch  src/decode.c:214");
	/* no room for all of the place: none of it */
	assert_row(&f, 40, 3, 0, " 118.4 MiB  decode_batch");
	assert_string_equal(columns_name_title(&f.report, false), "FUNCTION");
	f.report.query.grouping = GROUP_FILES;
	f.rows[0].name = "/build/ingestd-2.3/src/decode.c";
	assert_row(&f, 40, 3, 0, " 118.4 MiB  …/ingestd-2.3/src/decode.c");
	assert_string_equal(grouping_noun(GROUP_FILES, 1), "file");
	assert_string_equal(grouping_noun(GROUP_MODULES, 2), "libraries");
}

static void
objects_are_counted(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.list.cursor = 5;
	f.report.query.metric = METRIC_LIVE_OBJECTS;
	f.rows[0].f.value = 312000;
	f.rows[0].f.base = 255000;
	f.report.total.value = f.report.local.value = 1180000;
	/* 312 / 1180 = 26.4 % */
	assert_row(&f, 100, 1 + (int)ROWS, 0,
	    "      312k  26.4 ▏              +57.0k  312k  decode_batch ← "
	    "ingest_loop ← worker_main ← start_thr…");
}

static void
titles_show_the_order(void **state)
{
	static const struct {
		enum order order;
		bool reverse;
		const char *expected;
	} t[] = {
		{ ORDER_FLAT, true,
		    "     LIVE▲     %                CHANGE  OBJS  "
		    "SITE ← CALLERS\n" },
		{ ORDER_CHANGE, false,
		    "      LIVE     %               CHANGE▼  OBJS  "
		    "SITE ← CALLERS\n" },
		{ ORDER_OBJECTS, false,
		    "      LIVE     %                CHANGE OBJS▼  "
		    "SITE ← CALLERS\n" },
		{ ORDER_NAME, false,
		    "      LIVE     %                CHANGE  OBJS  "
		    "SITE ← CALLERS ▲\n" },
	};
	struct fixture f;
	struct grid g;
	struct buf b = BUF_INIT;

	(void)state;
	set_up(&f);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		grid_init(&g, 100, 1);
		f.report.query.order = t[i].order;
		f.report.query.reverse = t[i].reverse;
		columns_draw_head(&f.report, &g, (struct rect){ 0, 0, 100, 1 });
		grid_text(&g, &b);
		assert_string_equal(buf_str(&b), t[i].expected);
		buf_clear(&b);
		grid_fini(&g);
	}
	buf_fini(&b);
}

static void
sorting_goes_round_what_is_there(void **state)
{
	struct columns c;
	enum order o = ORDER_FLAT;

	(void)state;
	columns_fit(&c, 100, GROUP_STACKS);
	o = columns_next_order(&c, o);
	assert_int_equal(o, ORDER_CHANGE);
	o = columns_next_order(&c, o);
	assert_int_equal(o, ORDER_OBJECTS);
	o = columns_next_order(&c, o);
	assert_int_equal(o, ORDER_NAME);
	o = columns_next_order(&c, o);
	assert_int_equal(o, ORDER_FLAT);
	columns_fit(&c, 40, GROUP_STACKS);
	assert_int_equal(columns_next_order(&c, ORDER_FLAT), ORDER_NAME);

	columns_fit(&c, 100, GROUP_STACKS);
	assert_int_equal(columns_at(&c, 0), COLUMN_COUNT);
	assert_int_equal(columns_at(&c, 1), COLUMN_VALUE);
	assert_int_equal(columns_at(&c, 30), COLUMN_CHANGE);
	assert_int_equal(columns_at(&c, 98), COLUMN_NAME);
	assert_int_equal(columns_at(&c, 99), COLUMN_COUNT);
}

/* Functions have what they called as well: LIVE, CUM, CHANGE, OBJS, name; of
 * 110 columns on there is room for both. */
static void
functions_have_a_column_more(void **state)
{
	static const enum order narrow[] = { ORDER_CUM, ORDER_CHANGE,
		ORDER_NAME, ORDER_FLAT };
	static const enum order wide[] = { ORDER_CUM, ORDER_CHANGE,
		ORDER_OBJECTS, ORDER_NAME, ORDER_FLAT };
	enum order o = ORDER_FLAT;
	struct columns c;

	(void)state;
	columns_fit(&c, 109, GROUP_FUNCTIONS);
	for (size_t i = 0; i < 4; i++) {
		o = columns_next_order(&c, o);
		assert_int_equal(o, narrow[i]);
	}
	columns_fit(&c, 110, GROUP_FILES);
	for (size_t i = 0; i < 5; i++) {
		o = columns_next_order(&c, o);
		assert_int_equal(o, wide[i]);
	}
	columns_fit(&c, 91, GROUP_MODULES);
	assert_int_equal(columns_next_order(&c, ORDER_FLAT), ORDER_CHANGE);
	columns_fit(&c, 140, GROUP_THREADS);
	assert_int_equal(columns_next_order(&c, ORDER_FLAT), ORDER_CHANGE);
}

/* The first three hold something, 268.5 MiB; the rest only what they called. */
static void
rows_without_anything_are_counted(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.report.query.grouping = GROUP_FUNCTIONS;
	f.report.remainder_count = 0;
	f.report.remainder = (struct figures){ 0 };
	f.report.total = f.report.local = figures(268.5, 22.5, 313312);
	f.report.group_count = ROWS;
	f.report.idle_count = ROWS - 3;
	f.view.cut = 0;
	for (size_t i = 3; i < ROWS; i++)
		f.rows[i].f = (struct figures){ 0 };
	f.rows[1].cum = figures(200, 1, 1310);
	f.view.count = columns_pick(&f.report, f.listed);
	assert_int_equal(f.view.count, 3);
	assert_int_equal(columns_cut(&f.report, 3), 0);
	/* 118.4 of 268.5 are 44.1 %; 86.1 / 118.4 * 80 eighths are 58.2 */
	assert_drawn(&f, 100, 4, false, true,
	    "     LIVE▼     %                   CUM     CHANGE  FUNCTION\n"
	    "▌118.4 MiB  44.1 ██████████  118.4 MiB  +21.5 MiB  decode_batch\n"
	    "  86.1 MiB  32.1 ███████▎    200.0 MiB   +1.0 MiB  "
	    "http::Session::read_body\n"
	    "  64.0 MiB  23.8 █████▍       64.0 MiB          ·  "
	    "lru_cache_grow\n"
	    "                                                   "
	    "… 16 more, nothing of their own\n");
	assert_row(&f, 100, 2, 1,
	    " 150.1 MiB  55.9                         +1.0 MiB  … 2 smaller "
	    "functions, 16 with nothing");
	f.report.query.order = ORDER_CUM;
	assert_int_equal(columns_pick(&f.report, f.listed), ROWS);
	f.report.query.order = ORDER_FLAT;
	f.report.query.grouping = GROUP_STACKS;
	assert_int_equal(columns_pick(&f.report, f.listed), ROWS);
	/* 5 of the 20 more that were cut off would not be listed */
	f.report.query.grouping = GROUP_FUNCTIONS;
	f.report.group_count = ROWS + 20;
	f.report.idle_count = ROWS - 3 + 5;
	assert_int_equal(columns_cut(&f.report, 3), 15);
	f.report.query.order = ORDER_CUM;
	assert_int_equal(columns_cut(&f.report, ROWS), 20);
}

/* No width breaks it, and the last column stays free. */
static void
fits_every_width(void **state)
{
	struct fixture f;
	struct grid g;

	(void)state;
	set_up(&f);
	f.list.cursor = 99;
	for (int w = 1; w <= 160; w++) {
		draw(&f, &g, w, 6, w % 2, true);
		for (int y = 1; w >= 20 && y < 7; y++)
			assert_string_equal(grid_at(&g, w - 1, y)->text, " ");
		grid_fini(&g);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_that_of_the_mock_ups),
		cmocka_unit_test(roles_say_what_is_significant),
		cmocka_unit_test(what_is_left_out_is_a_row),
		cmocka_unit_test(a_filter_says_what_it_left_out),
		cmocka_unit_test(rows_are_called_by_their_grouping),
		cmocka_unit_test(objects_are_counted),
		cmocka_unit_test(titles_show_the_order),
		cmocka_unit_test(sorting_goes_round_what_is_there),
		cmocka_unit_test(functions_have_a_column_more),
		cmocka_unit_test(rows_without_anything_are_counted),
		cmocka_unit_test(fits_every_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
