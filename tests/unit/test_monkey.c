/* needs: src/base/ src/model/ src/screen_formats.c tests/unit/monkey.c
 * ui/-term.c */
/*
 * A monkey at the keyboard, a window that changes, a program that says
 * anything, for 100,000 events: the screen keeps its promises.
 *
 * What it does depends on a seed, printed at the beginning; MONKEY_SEED and
 * MONKEY_EVENTS in the environment set others.
 */
#include "monkey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/memory.h"
#include "model/profile.h"
#include "model/report.h"
#include "screen_formats.h"
#include "ui/frame.h"
#include "ui/timeline.h"

#define STACKS  40
#define SECOND  UINT64_C(1000000000)
#define SECONDS 55 /* of processor time, at most */

/* ---- chance ------------------------------------------------------------------- */

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
static uint64_t
chance(void)
{
	uint64_t z = m.state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int
below(int n)
{
	return (int)(chance() % (unsigned)n);
}

#define PICK(table) (table)[below((int)(sizeof(table) / sizeof(table)[0]))]

/* Words that programs, users and attackers might have in their names. */
static const char *const words[] = { "", "a", "main", "decode_batch",
	"std::vector<std::pair<int, std::string>, std::allocator<int> >::push",
	"(anonymous namespace)::f(int (*)(char const*))", "operator<",
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "e\xcc\x81\xcc\x82\xcc\x83",
	"\xff\xfe", "tab\there", "\xe2\x80\xae evil", "\xf0\x9f\x98\x80",
	"<<<<<<<<", ">>>>", "%s%n", "x\x1b[31mred", "{lambda(auto:1)#1}",
	"\xef\xbf\xbd", "\xcc\x88", "src/decode.c", "libc.so.6",
	"_RNvCs1234_4core3fmt", "a b c d e f g h i j k l m n o p q r s t u v w",
	"...", "\\", "!", "/", "(unclosed", "[", "*" };

static const char *
name(void)
{
	static char text[700];
	int parts = below(20) == 0 ? 20 : 1 + below(2);

	text[0] = '\0';
	for (int i = 0; i < parts; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text),
		    "%s%s", i ? "::" : "", PICK(words));
	return text;
}

/* ---- the program ----------------------------------------------------------------- */

static void
put_cell(uint32_t stack, uint16_t slot)
{
	double bytes = (double)(chance() >> below(64));
	struct cell_values v = {
		.live_bytes = bytes,
		.live_objects = (double)below(1000000),
		.alloc_bytes = 2 * bytes,
		.alloc_objects = 2e6,
		.live_var_bytes = bytes * bytes / (1 + below(50)),
		.live_samples = (uint64_t)below(200),
		.alloc_samples = 1000,
	};

	if (below(4) == 0)
		v.live_bytes = v.live_objects = v.live_var_bytes = 0;
	profile_put_cell(m.profile, stack, slot, &v, NULL);
}

static void
put_stack(void)
{
	struct profile_frame frames[12];
	size_t n = 1 + (size_t)below(12);

	for (size_t i = 0; i < n; i++)
		frames[i] = (struct profile_frame){ (uint32_t)below(3),
			0x1000 + (uint64_t)below(80) * 16 };
	if (profile_put_stack(m.profile, m.stacks + 1, (unsigned)below(8),
		frames, n, NULL) == 0)
		m.stacks++;
}

/* Objects one by one, which may be dead, too many, or of the future. */
static void
put_births(void)
{
	struct births *b = profile_births(m.profile);

	births_begin(
	    b, SECOND, (uint64_t)(below(3) ? 0 : below(100)), below(6) == 0);
	for (int i = below(20); i > 0; i--)
		births_put_death(b, (uint32_t)below(300));
	for (int i = below(40); i > 0; i--) {
		uint32_t stack = 1 + (uint32_t)below((int)m.stacks + 1);
		struct birth_told t = { .number = (uint32_t)below(300),
			.cell = profile_find_cell(
			    m.profile, stack, (uint16_t)below(4)),
			.size = chance() >> below(64),
			.birth = (uint32_t)(chance() >> (34 + below(30))),
			.lg_sample = (uint8_t)below(30),
			.lg_thin = (uint8_t)(3 * below(4)) };

		if (t.cell != UINT32_MAX)
			births_put(b, &t);
	}
}

static void
snapshot(void)
{
	struct profile_totals t = {
		.exact_ns = below(5) ? 1 : 0,
		.live_bytes = chance() >> (10 + below(50)),
		.live_objects = chance() >> 40,
		.alloc_bytes = chance() >> 20,
		.samples = (uint64_t)below(100000),
		.lg_sample = (uint32_t)below(30),
		.active = below(5) != 0,
		.rss_bytes = chance() >> 30,
		.lost = { (uint64_t)(below(9) == 0 ? below(100) : 0) },
	};

	m.now_ns += SECOND * (uint64_t)(below(50) == 0 ? below(5000) : 1);
	t.now_ns = m.now_ns;
	if (m.stacks < STACKS)
		put_stack();
	for (int i = below(6); i > 0 && m.stacks > 0; i--)
		put_cell(
		    1 + (uint32_t)below((int)m.stacks), (uint16_t)below(4));
	if (m.births)
		put_births();
	profile_put_totals(m.profile, &t);
	profile_commit(m.profile);
}

static void
name_some(void)
{
	struct frames *f = profile_frames(m.profile);

	for (frame_id id = 1; id <= frames_count(f); id++) {
		struct frame_name names[3];
		char text[3][700];
		unsigned n = (unsigned)below(4);

		if (below(3))
			continue;
		for (unsigned i = 0; i < n; i++) {
			snprintf(text[i], sizeof text[i], "%s", name());
			names[i] = (struct frame_name){ text[i], PICK(words),
				(uint32_t)below(3000) };
		}
		if (below(10) == 0)
			frames_set_asked(f, id);
		else
			frames_set_names(f, id, names, n);
	}
}

static void
new_profile(void)
{
	struct profile_facts facts = {
		.pid = (uint32_t)below(100000),
		.image_ns = m.now_ns,
		.image = name(),
		.command = PICK(words),
		.build_id = (const uint8_t *)"0123456789abcdef0123456789abcdef",
		.build_id_len = (size_t)below(33),
		.source = "stream",
	};

	m.births = below(2);
	m.profile = profile_new();
	m.stacks = 0;
	m.ours = below(2);
	memset(m.pins, 0, sizeof m.pins);
	profile_put_facts(m.profile, &facts);
	for (uint32_t i = 1; i < 3; i++)
		profile_put_module(m.profile, i, (uint64_t)i << 28,
		    ((uint64_t)i + 1) << 28, (uint64_t)i << 28, NULL, 0,
		    PICK(words), NULL);
	for (uint16_t i = 0; i < 4; i++)
		profile_put_thread(m.profile, i, i, below(2), PICK(words));
}

/* ---- the session -------------------------------------------------------------------- */

static void
pin(void)
{
	snap_id pins[3];

	app_pins(&m.app, pins);
	for (int i = 0; i < 3; i++) {
		if (m.pins[i])
			profile_pin(m.profile, m.pins[i], 0);
	}
	for (int i = 0; i < 3; i++) {
		if (pins[i])
			profile_pin(m.profile, pins[i], 1);
		m.pins[i] = pins[i];
	}
	m.app.dirty &= ~(unsigned)APP_DIRTY_PINS;
}

static void
report(void)
{
	const struct profile *p = m.profile;
	struct report *old = m.report;
	struct app_point *points;
	struct app_event e = { .kind = APP_REPORT };

	if (history_count(profile_history(p)) == 0)
		return;
	m.report = report_build(&p, 1, &m.app.ask);
	e.report = m.report;
	e.point_count = timeline_points(profile_history(p), &points);
	e.points = points;
	app_event(&m.app, &e);
	free(points);
	report_free(old);
}

static void
send(struct app_event e)
{
	struct request r;

	if (below(20))
		e.now_ns = m.now_ns;
	r = app_event(&m.app, &e);
	check_request(&r);
	if (*r.file && !r.overwrite && r.kind != REQUEST_SET && below(2)) {
		e = (struct app_event){ .kind = APP_EXISTS, .request = &r };
		app_event(&m.app, &e);
	}
	if (m.app.dirty & APP_DIRTY_PINS)
		pin();
}

static void
answer_source(void)
{
	struct app_event e = { .kind = APP_SOURCE, .first_line = 1 };
	struct buf b = BUF_INIT;
	char why[APP_TEXT];

	if (!app_wants_source(&m.app, &e.source_file, &e.source_line))
		return;
	for (int i = below(400); i > 0; i--)
		buf_printf(&b, "%s%s", name(), below(3) ? "\n" : "\r\n");
	snprintf(why, sizeof why, "%.200s", name());
	if (below(2))
		e.text = buf_str(&b);
	else
		e.why = why;
	if (below(3) == 0)
		e.first_line = 1 + (uint32_t)below(3000);
	send(e);
	buf_fini(&b);
}

/* A frame is due: what is to be seen is drawn. */
static void
frame(void)
{
	if (app_wants_report(&m.app))
		report();
	answer_source();
	if (m.grid.width != m.app.width || m.grid.height != m.app.height)
		grid_resize(&m.grid, m.app.width, m.app.height);
	m.grid.ascii = m.ascii;
	m.grid.mono = m.mono;
	ui_render(&m.app, &m.grid);
	m.app.dirty = 0;
	m.frames++;
	check_grid();
	check_app();
}

/* ---- the monkey ---------------------------------------------------------------------- */

static struct key
any_key(void)
{
	static const uint32_t others[] = { 0, 0x1b, 0x7f, 0xe9, 0x65e5, 0x301,
		0x1f600, 0x10ffff, 0xd800, 0x202e, K_NONE, K_RESIZE, K_F0 + 1,
		K_F24, K_DELETE, K_INSERT };
	struct key k = { 0 };

	if (below(5)) {
		while (!keymap_key(NULL, (enum action)below(ACTION_COUNT),
		    (unsigned)below(2), &k))
			;
		/* Not every other one ends what is open. */
		if (k.code == K_ESC && below(2))
			k.code = K_ENTER;
	} else if (below(2)) {
		k.code = 0x20 + (uint32_t)below(0x5f);
	} else {
		k.code = PICK(others);
		k.mods = (uint8_t)below(8);
	}
	return k;
}

static void
press(void)
{
	send((struct app_event){ .kind = APP_KEY, .key = any_key() });
}

static void
click(void)
{
	static const uint32_t codes[] = { K_CLICK, K_CLICK, K_WHEEL_UP,
		K_WHEEL_DOWN, K_DRAG, K_RIGHT_CLICK };
	struct key k = { .code = PICK(codes) };

	k.x = (int16_t)(below(m.app.width + 20) - 10);
	k.y = (int16_t)(below(m.app.height + 20) - 10);
	if (below(50) == 0)
		k.x = INT16_MAX;
	send((struct app_event){ .kind = APP_KEY, .key = k });
}

/* A whole word, as if pasted, and perhaps what begins or ends it. */
static void
type(void)
{
	static const char *const commands[] = { "sample 4K", "sample exact",
		"sample 9999999999999", "interval 500ms", "interval 0",
		"active off", "record x.htd.gz", "record", "nonsense", "quit",
		"!x", "(", "main", ".*", "" };
	static const char begin[] = ":/\\w";
	const char *s = below(2) ? PICK(commands) : PICK(words);

	if (below(2))
		send((struct app_event){ .kind = APP_KEY,
		    .key = { .code = (unsigned char)begin[below(4)] } });
	while (*s) {
		size_t used;
		struct app_event e = { .kind = APP_KEY };

		e.key.code = utf8_decode(s, strlen(s), &used);
		s += used;
		send(e);
	}
	if (below(2))
		send((struct app_event){
		    .kind = APP_KEY, .key = { .code = K_ENTER } });
}

static void
resize(void)
{
	static const int widths[] = { 1, 2, 19, 20, 36, 39, 40, 56, 60, 72, 80,
		92, 100, 140, 160, 220 };
	struct app_event e = { .kind = APP_RESIZE,
		.width = 1 + below(220),
		.height = 1 + below(70) };

	if (below(4)) {
		e.width = PICK(widths);
		e.height = 1 + below(30);
	}
	m.ascii = below(3) == 0;
	m.mono = below(3) == 0;
	send(e);
}

static void
new_data(void)
{
	if (below(4))
		snapshot();
	else
		name_some();
	send((struct app_event){ .kind = APP_DATA });
	/* Rows of the old report may be gone. */
	report();
}

static void
new_status(void)
{
	struct app_status s = {
		.connection = (enum app_connection)below(APP_FILE + 1),
		.ns = below(2) ? m.now_ns : chance() >> below(64),
	};

	if (below(3))
		s.connection = APP_LIVE;
	snprintf(s.what, sizeof s.what, "%.60s", name());
	snprintf(s.sentence, sizeof s.sentence, "%.200s", PICK(words));
	snprintf(s.last_line, sizeof s.last_line, "%.200s", name());
	send((struct app_event){ .kind = APP_STATUS, .status = &s });
}

static void
new_target(void)
{
	struct app_target t = {
		.pid = (uint32_t)chance(),
		.threads = (unsigned)below(2000),
		.start_ns = below(3) ? SECOND : chance() >> below(64),
		.rss_bytes = chance() >> below(64),
		.interval_ns = SECOND / 10 * (uint64_t)below(100),
		.lg_sample = (uint32_t)below(41),
		.active = below(2),
		.ours = m.ours,
		.running = m.ours && below(2),
		.untimed = below(10) == 0,
		.recording = below(2),
		.shown = (unsigned)below(3),
		.processes = (unsigned)below(4),
		.has_terminal = below(4) != 0,
		.takes_input = below(2),
	};

	snprintf(t.name, sizeof t.name, "%.60s", name());
	snprintf(t.command, sizeof t.command, "%.200s", name());
	snprintf(t.launched, sizeof t.launched, "%.60s", PICK(words));
	snprintf(t.exe, sizeof t.exe, "%.200s", PICK(words));
	snprintf(t.names_hint, sizeof t.names_hint, "%.200s", PICK(words));
	snprintf(t.output_file, sizeof t.output_file, "%.200s", PICK(words));
	send((struct app_event){ .kind = APP_TARGET, .target = &t });
}

static void
print(void)
{
	static const char *const escapes[] = { "\x1b[31m", "\x1b[2J",
		"\x1b[999;999H", "\x1b]0;title\x07", "\x1b[", "\x1b", "\r",
		"\b\b\b", "\t", "\n", "\n\n", "\x1b[K", "\x1b[9999C", "\x1bP",
		"\xe6\x97", "\xa5", "\x00" };
	struct app_event e = { .kind = APP_OUTPUT, .lost = below(50) == 0 };
	struct buf b = BUF_INIT;

	for (int i = below(30); i > 0; i--) {
		if (below(2))
			buf_puts(&b, name());
		else if (below(2))
			buf_puts(&b, PICK(escapes));
		else
			buf_putc(&b, (char)below(256));
	}
	e.data = b.data;
	e.len = b.len;
	send(e);
	buf_fini(&b);
}

/* More of a series was read: the report goes, moments stay. */
static void
more_is_read(void)
{
	struct app_point *points;
	struct app_event e = { .kind = APP_MORE };

	e.point_count = timeline_points(profile_history(m.profile), &points);
	e.points = points;
	send(e);
	free(points);
	report_free(m.report);
	m.report = NULL;
	new_target();
	send((struct app_event){ .kind = APP_DATA });
}

static void
other_process(void)
{
	send((struct app_event){ .kind = APP_OTHER });
	report_free(m.report);
	m.report = NULL;
	profile_free(m.profile);
	new_profile();
	new_target();
	new_status();
	send((struct app_event){ .kind = APP_DATA });
}

static void
message(void)
{
	send((struct app_event){
	    .kind = APP_MESSAGE, .text = name(), .bad = below(2) });
}

/* A look at mappings of any kind and size. */
static void
look(void)
{
	struct memory_sum *sum = memory_sum_new();
	struct memory_seen seen;
	uint64_t at = 0;

	for (int i = below(60); i > 0; i--) {
		struct memory_piece p = { .name = below(3) ? name() : "" };

		p.kind = (enum memory_kind)below(MEMORY_KINDS);
		p.start = at + (uint64_t)below(1 << 20);
		p.end = at = p.start + (chance() >> (6 + below(50)));
		p.rss = (p.end - p.start) / (1 + (uint64_t)below(4));
		p.pss = p.rss / 2;
		p.swap = (uint64_t)below(2) * (p.end - p.start - p.rss);
		memory_sum_add(sum, &p);
	}
	memory_sum_finish(sum, &seen);
	seen.ns = m.now_ns;
	seen.heap_known = below(2);
	seen.totals.live_bytes = chance() >> below(64);
	seen.totals.cached_bytes = chance() >> below(64);
	seen.totals.exact_ns = (uint64_t)below(2);
	send((struct app_event){ .kind = APP_MEMORY, .memory = &seen });
}

static void
do_something(void)
{
	static const struct {
		int share; /* of 1000 */
		void (*fn)(void);
	} doings[] = {
		{ 560, press },
		{ 90, click },
		{ 80, type },
		{ 110, resize },
		{ 60, new_data },
		{ 30, new_status },
		{ 15, new_target },
		{ 40, print },
		{ 6, message },
		{ 2, more_is_read },
		{ 5, look },
		{ 2, other_process },
	};
	int n = below(1000);

	for (size_t i = 0;; i++) {
		n -= doings[i].share;
		if (n < 0) {
			doings[i].fn();
			return;
		}
	}
}

static uint64_t
from_environment(const char *variable, uint64_t other)
{
	const char *s = getenv(variable);

	return s && *s ? strtoull(s, NULL, 0) : other;
}

static void
keeps_its_promises(void **state)
{
	int events = (int)from_environment("MONKEY_EVENTS", 100000);
	clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;

	(void)state;
	m.seed = from_environment("MONKEY_SEED", 1);
	m.state = m.seed;
	m.now_ns = SECOND;
	print_message("seed %llu\n", (unsigned long long)m.seed);
	app_init(&m.app, NULL, 80, 24);
	m.app.formats = screen_formats(&m.app.format_count);
	grid_init(&m.grid, 80, 24);
	new_profile();
	new_target();
	for (m.step = 0; m.step < events && clock() < end; m.step++) {
		do_something();
		if (m.app.dirty)
			frame();
	}
	print_message("%d events, %d screens\n", m.step, m.frames);
	app_fini(&m.app);
	report_free(m.report);
	profile_free(m.profile);
	grid_fini(&m.grid);
	/* Slow machines may do less, but not next to nothing. */
	assert_true(m.step >= events / 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_its_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
