/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "ingestd_shows.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/view.h"

/*
 * The screens that were drawn by hand before there was a program.  Where they
 * contradict the figures or each other the figures stand:
 *
 *  - rates have one decimal like all bytes: +189.8 KiB/s, not +190 KiB/s;
 *  - there is one view, so the places of other tabs are blank;
 *  - a line "?" is not compared: the timeline (test_timeline) and the trend
 *    of a stack depend on snapshots the drawings do not give; the detail of
 *    a filtered list is there;
 *  - the age of the oldest object is not known, that of the stack is;
 *  - rows seen are "1–12", never "1-12", but in ASCII;
 *  - the stack of the first row has a fifth frame, clone3;
 *  - :sample does without starting again;
 *  - the last snapshot of a killed program is read after its death.
 */
/* clang-format off */
static const char at_100[] =
    " heaptop  ingestd --config prod.toml            pid 41237  up 12m41s  9 threads    ● live  every 1s\n"
    " live 412.6 MiB   peak 438.1 MiB   rss 531.2 MiB   1.18M objects   +189.8 KiB/s   1/512 KiB  0 lost\n"
    "?\n"
    " 0:00 ────────────────────────────────────────────────────────A 8:02 ━━━━━━━━━━━━━━━━━━━━━━ B 12:41\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snapshots  6 Threads  7 Memory     live bytes · by stack · A→B\n"
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
    "  10.7 MiB   2.6            +512.0 KiB  135k  … 301 smaller stacks\n"
    "─ decode_batch  src/decode.c:214 ───────────────────────────────────────────── 231 samples  ±6.6% ──\n"
    " 118.4 MiB live, 312k objects, 398 B avg      #0 decode_batch     src/decode.c:214       ingestd\n"
    " +21.5 MiB since A, 78.9 KiB/s, 42% of growth #1 ingest_loop      src/ingest.c:88        ingestd\n"
    " first seen 0:04, 12m37s ago                  #2 worker_main      src/worker.c:51        ingestd\n"
    "?\n"
    "                                              #4 clone3                                  libc.so.6\n"
    " ↵ open  / filter  g group  s sort  m metric  a b marks  space pause  ? help            1–16 of 317\n";

static const char at_80[] =
    " ingestd --config prod.toml             pid 41237  up 12m41s   ● live  every 1s\n"
    " live 412.6 MiB  peak 438.1  rss 531.2  1.18M objs  +189.8 KiB/s      1/512 KiB\n"
    "?\n"
    " 0:00 ───────────────────────────────────────────A 8:02 ━━━━━━━━━━━━━━━ B 12:41\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       live bytes by stack\n"
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
    "  15.4 MiB   3.7          +1.0 MiB  … 305 smaller stacks\n"
    "─ decode_batch  src/decode.c:214 ───────────────────────── 231 samples  ±6.6% ──\n"
    " 118.4 MiB in 312k objects, 398 B avg; +78.9 KiB/s since A; first seen 0:04\n"
    " decode_batch ← ingest_loop ← worker_main ← start_thread ← clone3\n"
    "\n"
    " ↵ open  / filter  g group  s sort  a b marks  ? help               1–12 of 317\n";

static const char at_60[] =
    " ingestd 41237              412.6 MiB  +189.8 KiB/s  ● live\n"
    "[1 Top] 2 Gro  3 Tree  4 Fla  5 Snp  6 Thr       live bytes\n"
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
    "   3.7 MiB   0.9  pcache1Alloc ← sqlite3PcacheFetch ← getP…\n"
    " ↵ open  / filter  ? help  q quit               1–11 of 317\n";

static const char at_36[] =
    " ingestd                412.6 MiB ●\n"
    "▌118.4 MiB  decode_batch\n"
    "  86.1 MiB  http::Session::read_bo…\n"
    "  64.0 MiB  lru_cache_grow\n"
    "  41.7 MiB  std::vector<…>::_M_rea…\n"
    "  33.9 MiB  arena_new_block\n"
    "  18.2 MiB  xstrdup\n"
    "   9.4 MiB  std::string::_M_create\n";

static const char in_ascii[] =
    " ingestd --config prod.toml             pid 41237  up 12m41s   * live  every 1s\n"
    " live 412.6 MiB  peak 438.1  rss 531.2  1.18M objs  +189.8 KiB/s      1/512 KiB\n"
    "?\n"
    " 0:00 -------------------------------------------A 8:02 =============== B 12:41\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       live bytes by stack\n"
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
    "  15.4 MiB   3.7          +1.0 MiB  .. 305 smaller stacks\n"
    "- decode_batch  src/decode.c:214 ----------------------- 231 samples  +/-6.6% --\n"
    " 118.4 MiB in 312k objects, 398 B avg; +78.9 KiB/s since A; first seen 0:04\n"
    " decode_batch < ingest_loop < worker_main < start_thread < clone3\n"
    "\n"
    " Enter open  / filter  g group  s sort  a b marks  ? help           1-12 of 317\n";

static const char list_at_160[] =
    "     LIVE▼     %                CHANGE  OBJS  SITE ← CALLERS\n"
    "▌118.4 MiB  28.7 ██████████  +21.5 MiB  312k  decode_batch ← ingest_loop ← worker_main ← start_threa…\n"
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
    " 512.0 KiB   0.1 ▏                   ·     1  setvbuf ← log_init ← main\n";

static const char killed[] =
    " ingestd --config prod.toml           pid 41237  up 12m41s   ✕ SIGSEGV at 12:41\n"
    " last snapshot 412.6 MiB at 12:41, 0.4 s before the end               1/512 KiB\n"
    "?\n"
    " 0:00 ───────────────────────────────────────────A 8:02 ━━━━━━━━━━━━━━━ B 12:41\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       live bytes by stack\n"
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
    "  15.4 MiB   3.7          +1.0 MiB  … 305 smaller stacks\n"
    "─ ingestd was killed by SIGSEGV (core dumped) ──────────────────────────────────\n"
    " Everything up to 12:41 is still here to read. Last line it printed:\n"
    "   ingest: batch 8812: row 41 has no key\n"
    "\n"
    " ↵ open  o target output  w write recording  e export  ? help       1–12 of 317\n";

static const char waiting[] =
    " ingestd --config prod.toml                    pid 41237  up 12m41s   ○ waiting\n"
    " no sample yet   rss 2.1 MiB                                          1/512 KiB\n"
    "\n"
    " ──────────────────────────────────────────────────────────────────────────────\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       live bytes by stack\n"
    "\n"
    "\n"
    "   Waiting for the first sample.\n"
    "\n"
    "   heaptop looks at one allocation in about every 512 KiB allocated.\n"
    "   Small programs may have nothing to show yet.\n"
    "\n"
    "      q    quit; the target keeps running\n"
    "\n"
    "   To see small programs, sample more often:\n"
    "\n"
    "      heaptop -s 4K -- ingestd --config prod.toml\n"
    "\n"
    "      :sample 4K   from now on, here\n"
    "\n"
    "\n"
    "\n"
    "\n"
    " d dump now  o target output  ? help  q quit\n";

static const char filtered[] =
    " ingestd --config prod.toml             pid 41237  up 12m41s   ● live  every 1s\n"
    " live 412.6 MiB  peak 438.1  rss 531.2  1.18M objs  +189.8 KiB/s      1/512 KiB\n"
    "?\n"
    " 0:00 ───────────────────────────────────────────A 8:02 ━━━━━━━━━━━━━━━ B 12:41\n"
    "[1 Top] 2 Growth  3 Tree  4 Flame  5 Snaps  6 Threads       live bytes by stack\n"
    "     LIVE▼     %            CHANGE  SITE ← CALLERS\n"
    "▌ 18.2 MiB   4.4 ▉       +14.6 MiB  xstrdup ← intern_key ← decode_batch ← inge…\n"
    "   6.0 MiB   1.5 ▎        +6.0 MiB  hashtab_resize ← hashtab_insert ← intern_k…\n"
    " 388.4 MiB  94.1         +31.1 MiB  … 315 stacks not matching\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "?\n"
    "?\n"
    "?\n"
    "\n"
    " / intern                   2 of 317 stacks  24.2 MiB  5.9%   ↵ keep  esc clear\n";

/* clang-format on */

/* Line by line, so that a failure shows which. */
static void
assert_lines(char *screen, const char *expected)
{
	const char *e = expected, *s = screen;

	while (*e) {
		size_t n = strcspn(e, "\n"), m = strcspn(s, "\n");

		if (n != 1 || *e != '?') {
			char want[1024], have[1024];

			snprintf(want, sizeof want, "%.*s", (int)n, e);
			snprintf(have, sizeof have, "%.*s", (int)m, s);
			assert_string_equal(have, want);
		}
		e += n + 1;
		assert_true(s[m] == '\n');
		s += m + 1;
	}
	assert_true(*s == '\0');
	free(screen);
}

static void
is_that_of_the_mock_ups(void **state)
{
	static const struct {
		int width, height;
		bool ascii;
		const char *expected;
	} cases[] = {
		{ 100, 30, false, at_100 },
		{ 80, 24, false, at_80 },
		{ 60, 15, false, at_60 },
		{ 36, 8, false, at_36 },
		{ 80, 24, true, in_ascii },
		{ 19, 3, false, "412.6 MiB\n\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ingestd r;

		ingestd_open(&r, cases[i].width, cases[i].height, true);
		r.ascii = cases[i].ascii;
		assert_lines(ingestd_screen(&r), cases[i].expected);
		ingestd_close(&r);
	}
}

/* At 160x45 the drawing leaves rows blank although there are more stacks, and
 * shows sizes and source lines; the list and its titles are compared. */
static void
has_the_detail_at_the_side(void **state)
{
	const char *e = list_at_160;
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 160, 45, true);
	for (int y = 6; *e; y++) {
		size_t n = strcspn(e, "\n");
		char *line = ingestd_line(&r, y);
		char want[512];

		snprintf(want, sizeof want, "%.*s", (int)n, e);
		line[utf8_head(line, 102)] = '\0';
		assert_memory_equal(line, want, n);
		for (size_t i = n; line[i]; i++)
			assert_true(line[i] == ' ');
		e += n + 1;
		free(line);
	}
	assert_string_equal(e, "");
	ingestd_close(&r);
}

static void
shows_every_state(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_status(&r, APP_KILLED, INGESTD_AT(12, 41) + UINT64_C(400000000),
	    "SIGSEGV", "ingestd was killed by SIGSEGV (core dumped)",
	    "ingest: batch 8812: row 41 has no key");
	assert_lines(ingestd_screen(&r), killed);
	ingestd_close(&r);

	ingestd_open_waiting(&r, 80, 24);
	assert_lines(ingestd_screen(&r), waiting);
	ingestd_close(&r);

	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "/");
	ingestd_type(&r, "intern");
	assert_lines(ingestd_screen(&r), filtered);
	ingestd_close(&r);
}

static void
says_why_there_is_nothing(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open_waiting(&r, 80, 24);
	ingestd_status(&r, APP_WAITING, 0, "",
	    "libheaptop.so is not in this process: start it with heaptop.", "");
	assert_shows(&r, "   libheaptop.so is not in this process: start it");
	ingestd_status(&r, APP_ENDED, INGESTD_AT(0, 3), "exited 0", "", "");
	assert_shows(&r, "It ended before there was a sample.");
	assert_shows(&r, "exited 0 at 0:03");
	ingestd_close(&r);
}

/* Nothing of the program is named, libraries are. */
static void
says_that_there_are_no_names(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	profile_free(r.profile);
	report_free(r.report);
	r.report = NULL;
	r.profile = ingestd_profile(false);
	r.app.names_seen = 0; /* which is not another process */
	ingestd_send(&r, &(struct app_event){ .kind = APP_DATA });
	assert_shows(&r, "─ ingestd has no symbols ───");
	assert_shows(&r, "   build with -g, or install ingestd-dbgsym\n");
	assert_shows(&r,
	    "   build-id 5f0c11be9a, looked in /usr/lib/debug and beside the "
	    "program\n");
	assert_shows(&r, "\n ↵ open  / filter  ? help  q quit      ");
	assert_shows(&r, "  symbols ");
	assert_shows(&r, "inflateInit2_ ← ingestd+0x");
	ingestd_keys(&r, "j"); /* read, and gone */
	assert_shows(&r, "─ ingestd+0x");
	ingestd_close(&r);
}

/* Roles and places that do not show in text. */
static void
parks_the_cursor_on_the_selection(void **state)
{
	struct ingestd r;
	struct grid g;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "j j");
	grid_init(&g, 80, 24);
	ui_render(&r.app, &g);
	assert_int_equal(g.cursor_y, 8);
	assert_int_equal(grid_at(&g, 40, 8)->role, ROLE_SELECT);
	assert_int_equal(grid_at(&g, 0, 4)->role, ROLE_TAB_ON);
	ingestd_keys(&r, "Tab");
	ui_render(&r.app, &g);
	assert_int_equal(grid_at(&g, 40, 8)->role, ROLE_SELECT_IDLE);
	ingestd_keys(&r, "Tab /");
	ui_render(&r.app, &g);
	assert_int_equal(g.cursor_y, 23);
	assert_true(g.cursor_shown);
	grid_fini(&g);
	ingestd_close(&r);
}

/* In the place of the hints until the next key, on small screens in that of
 * the last row. */
static void
shows_one_message(void **state)
{
	struct app_event e = { .kind = APP_MESSAGE,
		.text = "wrote heaptop-41237-1241.txt, 317 stacks" };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_send(&r, &e);
	assert_shows(&r, "\n wrote heaptop-41237-1241.txt, 317 stacks\n");
	ingestd_resize(&r, 36, 8);
	assert_shows(&r, "\n wrote heaptop-41237-1241.txt, 317…\n");
	ingestd_keys(&r, "j");
	assert_shows(&r, "std::string::_M_create");
	ingestd_resize(&r, 80, 24);
	ingestd_keys(&r, "q");
	assert_shows(&r,
	    "\n ingestd is still running.   t terminate   "
	    "↵ leave it running   esc stay\n");
	ingestd_close(&r);
}

/* A grid of another size is left blank; a drawn one is the same again. */
static void
is_a_function_of_the_state(void **state)
{
	struct ingestd r;
	struct grid g, again;
	struct buf b = BUF_INIT;
	int end;

	(void)state;
	ingestd_open(&r, 100, 30, true);
	grid_init(&g, 100, 30);
	grid_init(&again, 100, 30);
	ui_render(&r.app, &g);
	ui_render(&r.app, &again);
	for (int y = 0; y < 30; y++)
		assert_int_equal(grid_changed(&g, &again, y, 0, &end), -1);
	grid_resize(&g, 99, 30);
	ui_render(&r.app, &g);
	grid_text(&g, &b);
	for (size_t i = 0; i < b.len; i++)
		assert_int_equal(b.data[i], '\n');
	buf_fini(&b);
	grid_fini(&g);
	grid_fini(&again);
	ingestd_close(&r);
}

/* Every size that a window may have, and each thing that may be open. */
static void
fits_every_size(void **state)
{
	static const char *const open[] = { "j", "?", "e", "q", "/", "Enter",
		"Tab", "o", "o i", "o /", "Enter ?" };
	struct ingestd r;

	(void)state;
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		ingestd_open(&r, 80, 24, true);
		ingestd_prints(&r, "one\ntwo\tthree, and what is long\nfour");
		ingestd_keys(&r, open[i]);
		for (int w = 1; w <= 170; w += w < 60 ? 3 : 13) {
			for (int h = 1; h <= 50; h += h < 12 ? 1 : 7) {
				ingestd_resize(&r, w, h);
				r.ascii = (w + h) % 5 == 0;
				free(ingestd_screen(&r));
			}
		}
		ingestd_close(&r);
	}
}

static void
has_only_views_that_are_there(void **state)
{
	(void)state;
	assert_non_null(view_at(CONTEXT_TOP));
	assert_null(view_at(CONTEXT_COUNT));
	assert_null(view_at(CONTEXT_DETAIL));
	for (int i = 0; i < CONTEXT_COUNT; i++) {
		const struct view *v = view_at((enum context)i);

		assert_true(!v || (int)v->context == i);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_that_of_the_mock_ups),
		cmocka_unit_test(has_the_detail_at_the_side),
		cmocka_unit_test(shows_every_state),
		cmocka_unit_test(says_why_there_is_nothing),
		cmocka_unit_test(says_that_there_are_no_names),
		cmocka_unit_test(parks_the_cursor_on_the_selection),
		cmocka_unit_test(shows_one_message),
		cmocka_unit_test(is_a_function_of_the_state),
		cmocka_unit_test(fits_every_size),
		cmocka_unit_test(has_only_views_that_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
