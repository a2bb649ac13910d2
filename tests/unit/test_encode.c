/*
 * Tables made by hand and at random, as a stream.  One file though it is long:
 * the table that is made and the reader that checks it serve every part.
 */
/* needs: prof/encode.c prof/tableread.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "prof/encode.h"

#define CHUNKS 3

/* A table in blocks of their own, so that ASan sees a step outside. */
static unsigned char *chunk[CHUNKS];
static struct table_head *head;

static const void *
get_chunk(void *ctx, uint32_t i)
{
	(void)ctx;
	return i < CHUNKS ? chunk[i] : NULL;
}

static const struct table_view view = { get_chunk, NULL };

/* Where things lie in the table made by hand. */
#define AT_SLOTS   0x20000u
#define AT_MODULES 0x21000u
#define AT_STACKS  0x23000u
#define AT_FRAMES  0x28000u
#define AT_STRINGS 0x29000u
#define AT_CELLS   (TABLE_CHUNK + 0x1000u)

static void *
place(uint32_t off)
{
	return chunk[off / TABLE_CHUNK] + off % TABLE_CHUNK;
}

static struct table_cell *
cell(uint32_t id)
{
	return (struct table_cell *)place(AT_CELLS) + id - 1;
}

static void
string(uint32_t off, const char *s)
{
	memcpy(place(off), s, strlen(s));
}

/* One module, two stacks, two threads, two cells. */
static int
setup(void **state)
{
	struct table_module *m;
	struct table_stack *s;
	struct table_slot *t;
	uint64_t *f;

	(void)state;
	for (int i = 0; i < CHUNKS; i++)
		chunk[i] = calloc(1, TABLE_CHUNK);
	head = (struct table_head *)(void *)chunk[0];
	head->magic = TABLE_MAGIC;
	head->version = FORMAT_VERSION;
	head->chunks = CHUNKS;
	head->hello = (struct hello){ .magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION,
		.pid = 77,
		.image_len = 6,
		.command_len = 5,
		.build_id_len = 4 };
	head->image = AT_STRINGS;
	string(AT_STRINGS, "/bin/x");
	head->command = AT_STRINGS + 8;
	memcpy(place(AT_STRINGS + 8), "x\0-v2", 5);
	memcpy(head->build_id, "\1\2\3\4", 4);
	head->pull = 1;
	head->lg_sample = 12;
	head->active = 1;
	head->lost[GUESSED] = 9;

	head->module_dir[0] = AT_MODULES;
	m = place(AT_MODULES);
	m->start = 0x1000;
	m->end = 0x5000;
	m->bias = 0x800;
	m->path = AT_STRINGS;
	m->path_len = 6;
	m->build_id_len = 2;
	memcpy(m->build_id, "\7\10", 2);
	head->modules = 1;

	head->stack_dir[0] = AT_STACKS;
	s = place(AT_STACKS);
	f = place(AT_FRAMES);
	f[0] = UINT64_C(1) << FRAME_OFFSET_BITS | 0x123;
	f[1] = 0x456;
	f[2] = 0x789;
	s[0] = (struct table_stack){ AT_FRAMES, 2, 0 };
	s[1] = (struct table_stack){ AT_FRAMES + 16, 1, STACK_GUESSED };
	head->stacks = 2;

	head->slot_dir[0] = AT_SLOTS;
	t = place(AT_SLOTS);
	t[1] = (struct table_slot){ .tid = 77,
		.state = SLOT_LIVE,
		.name_len = 4,
		.stamp = 1,
		.name = "main" };
	t[2] =
	    (struct table_slot){ .tid = 80, .state = SLOT_ENDED, .stamp = 1 };
	head->slots = 3;

	head->cell_dir[0] = AT_CELLS;
	*cell(1) = (struct table_cell){ .stack = 1,
		.slot = 1,
		.begun = 3,
		.done = 3,
		.stamp = 1,
		.alloc_objects = 5,
		.alloc_bytes = 500,
		.alloc_est_objects = 5 << 16,
		.alloc_est_bytes = 500 << 8,
		.alloc_var_bytes = 10,
		.alloc_var_objects = 4,
		.freed_objects = 2,
		.freed_bytes = 200,
		.freed_est_objects = 2 << 16,
		.freed_est_bytes = 200 << 8,
		.freed_var_bytes = 4,
		.freed_var_objects = 1,
		.life = { 1, 0, 1 } };
	*cell(2) = (struct table_cell){ .stack = 2,
		.slot = 2,
		.stamp = 1,
		.alloc_objects = 1,
		.alloc_bytes = 16,
		.alloc_est_objects = 1 << 16,
		.alloc_est_bytes = 16 << 8 };
	head->cells = 2;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	for (int i = 0; i < CHUNKS; i++)
		free(chunk[i]);
	return 0;
}

/* ---- reading frames ---- */

static unsigned char out[4 << 20];
static size_t out_len, out_at;

/* A whole dump into `out`, in pieces of `cap` bytes. */
static void
dump(struct encoder *e, size_t cap)
{
	unsigned char *buf = malloc(cap);
	size_t n;

	encoder_begin(e, head->pull++, 123456789, 0);
	out_len = out_at = 0;
	while ((n = encoder_some(e, buf, cap)) > 0) {
		assert_true(n <= cap && n <= sizeof out - out_len);
		memcpy(out + out_len, buf, n);
		out_len += n;
	}
	free(buf);
}

/* The next frame, which is of that kind and has `size` bytes. */
static const unsigned char *
next(unsigned kind, size_t size)
{
	struct frame_head h;
	const unsigned char *p = out + out_at + sizeof h;

	assert_true(out_len - out_at >= sizeof h);
	memcpy(&h, out + out_at, sizeof h);
	assert_int_equal(h.kind, kind);
	assert_int_equal(h.size, size);
	assert_int_equal(h.zero, 0);
	assert_true(out_len - out_at - sizeof h >= size);
	out_at += sizeof h + size;
	return p;
}

static void
no_more(void)
{
	assert_int_equal(out_at, out_len);
}

static void
hello_is(unsigned kind)
{
	const unsigned char *p = next(kind, sizeof(struct hello) + 6 + 5 + 4);

	assert_memory_equal(p, &head->hello, sizeof(struct hello));
	p += sizeof(struct hello);
	assert_memory_equal(p, "/bin/xx\0-v2\1\2\3\4", 15);
}

static struct totals
totals_are(void)
{
	struct totals t;

	memcpy(&t, next(FRAME_TOTALS, sizeof t), sizeof t);
	assert_int_equal(t.now_ns, 123456789);
	return t;
}

static void
end_is(uint32_t modules, uint32_t threads, uint32_t stacks, uint32_t cells,
    uint32_t seq)
{
	struct end_frame want = { modules, threads, stacks, cells, seq, 0 };

	assert_memory_equal(next(FRAME_END, sizeof want), &want, sizeof want);
	no_more();
}

static void
first_cell_is_right(const unsigned char *p)
{
	struct cell_frame c;

	memcpy(&c, p, sizeof c);
	assert_int_equal(c.stack, 1);
	assert_int_equal(c.slot, 1);
	assert_int_equal(c.live_raw_objects, 3);
	assert_int_equal(c.live_raw_bytes, 300);
	assert_int_equal(c.live_est_objects, 3 << 16);
	assert_int_equal(c.live_est_bytes, 300 << 8);
	assert_int_equal(c.alloc_raw_objects, 5);
	assert_int_equal(c.alloc_est_bytes, 500 << 8);
	assert_true(c.live_var_bytes == 6 && c.live_var_objects == 3);
	assert_true(c.alloc_var_bytes == 10 && c.alloc_var_objects == 4);
	assert_int_equal(c.life[0] + c.life[2], 2);
}

/* ---- tests ---- */

static void
hello_message(void **state)
{
	unsigned char *buf = malloc(ENCODE_ROOM);
	size_t n = encode_hello(&view, buf, ENCODE_ROOM);

	(void)state;
	memcpy(out, buf, n);
	out_len = n;
	out_at = 0;
	hello_is(MSG_HELLO);
	no_more();
	assert_int_equal(encode_hello(&view, buf, n - 1), 0);
	head->magic++;
	assert_int_equal(encode_hello(&view, buf, ENCODE_ROOM), 0);
	free(buf);
}

static void
whole_dump(void **state)
{
	struct encoder e;
	struct totals t;
	const unsigned char *p;
	struct module_frame m = { 1, 6, 2, 0, 0x1000, 0x5000, 0x800 };
	struct thread_frame t1 = { 1, 0, 4, 77 }, t2 = { 2, 1, 0, 80 };
	struct stack_frame s1 = { 1, 2, 0 }, s2 = { 2, 1, STACK_GUESSED };

	(void)state;
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	hello_is(FRAME_HELLO);
	p = next(FRAME_MODULE, sizeof m + 2 + 6);
	assert_memory_equal(p, &m, sizeof m);
	assert_memory_equal(p + sizeof m, "\7\10/bin/x", 8);
	p = next(FRAME_THREAD, sizeof t1 + 4);
	assert_memory_equal(p, &t1, sizeof t1);
	assert_memory_equal(p + sizeof t1, "main", 4);
	assert_memory_equal(next(FRAME_THREAD, sizeof t2), &t2, sizeof t2);
	p = next(FRAME_STACK, sizeof s1 + 16);
	assert_memory_equal(p, &s1, sizeof s1);
	assert_memory_equal(p + sizeof s1, place(AT_FRAMES), 16);
	p = next(FRAME_STACK, sizeof s2 + 8);
	assert_memory_equal(p, &s2, sizeof s2);
	assert_memory_equal(p + sizeof s2, place(AT_FRAMES + 16), 8);
	p = next(FRAME_CELLS, 2 * sizeof(struct cell_frame));
	first_cell_is_right(p);
	t = totals_are();
	assert_int_equal(t.samples, 6);
	assert_int_equal(t.samples_live, 4);
	assert_int_equal(t.lg_sample, 12);
	assert_int_equal(t.active, 1);
	assert_int_equal(t.stacks, 2);
	assert_int_equal(t.lost[GUESSED], 9);
	assert_int_equal(t.exact_ns, 0);
	end_is(1, 2, 2, 2, 0);
}

/* The second dump has what changed since the first one began. */
static void
only_what_changed(void **state)
{
	struct encoder e;
	struct table_stack *s = place(AT_STACKS);
	struct cell_frame c;

	(void)state;
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM); /* pull 1; the table's stamps are 1 */
	dump(&e, ENCODE_ROOM); /* changes in 1 may have come after its look */
	dump(&e, ENCODE_ROOM);
	hello_is(FRAME_HELLO);
	assert_int_equal(totals_are().samples, 6);
	end_is(0, 0, 0, 0, 2);

	s[2] = s[1];
	head->stacks = 3;
	cell(2)->stack = 3;
	cell(2)->alloc_objects = 2;
	cell(2)->stamp = head->pull;
	dump(&e, ENCODE_ROOM);
	hello_is(FRAME_HELLO);
	next(FRAME_STACK, sizeof(struct stack_frame) + 8);
	memcpy(&c, next(FRAME_CELLS, sizeof c), sizeof c);
	assert_int_equal(c.stack, 3);
	assert_int_equal(c.alloc_raw_objects, 2);
	assert_int_equal(totals_are().samples, 7);
	end_is(0, 0, 1, 1, 3);

	/* two connections have their own idea of what is known */
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	hello_is(FRAME_HELLO);
	next(FRAME_MODULE, sizeof(struct module_frame) + 8);
}

#define AT_BIRTHS  (2 * TABLE_CHUNK + 0x1000u)
#define AT_RECORDS (2 * TABLE_CHUNK + 0x10000u)

static struct table_birth *
birth(uint32_t number)
{
	return (struct table_birth *)place(AT_RECORDS) + number;
}

/* Three records of which one is nobody's, and one in the third segment. */
static struct table_births *
make_births(void)
{
	struct table_births *b = place(AT_BIRTHS);

	head->births = AT_BIRTHS;
	b->start_ns = 4000;
	b->count = 2 * BIRTH_SEG + 1;
	b->untold = 5;
	b->dir[0] = AT_RECORDS;
	b->dir[2] = AT_RECORDS + BIRTH_SEG * sizeof(struct table_birth);
	b->stamp[0] = b->stamp[2] = 1;
	*birth(1) = (struct table_birth){ birth_word(1, 12, 0), 10, 4096, 1 };
	*birth(2) = (struct table_birth){ 0, 99, 99, 1 };
	*birth(BIRTH_SEG) = (struct table_birth){ birth_word(2, 0, 3), 20,
		birth_pack(UINT64_C(3) << 30), 1 };
	return b;
}

static void
ages_are(uint32_t flags, uint32_t untold)
{
	struct ages_frame want = { 4000, untold, flags };

	assert_memory_equal(next(FRAME_AGES, sizeof want), &want, sizeof want);
}

static void
skip_to_ages(void)
{
	struct frame_head h;

	for (;;) {
		memcpy(&h, out + out_at, sizeof h);
		if (h.kind == FRAME_AGES)
			return;
		assert_true(h.kind != FRAME_END);
		next(h.kind, h.size);
	}
}

static void
births_and_deaths(void **state)
{
	struct table_births *b = make_births();
	struct encoder e;
	struct birth_frame f;
	struct birth_frame first = { 1, 1, 4096, 10, 1, 12, 0 };
	struct birth_frame third = { 2 * BIRTH_SEG, 2, UINT64_C(3) << 30, 20, 2,
		0, 3 };
	struct end_frame end;
	const unsigned char *p;
	uint32_t dead;

	(void)state;
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	skip_to_ages();
	ages_are(AGES_WHOLE, 5);
	p = next(FRAME_BIRTHS, 2 * sizeof f);
	assert_memory_equal(p, &first, sizeof f);
	assert_memory_equal(p + sizeof f, &third, sizeof f);
	totals_are();
	memcpy(&end, next(FRAME_END, sizeof end), sizeof end);
	assert_int_equal(end.births, 2);

	/* what has a stamp of 1 may have come after the first look */
	dump(&e, ENCODE_ROOM);
	skip_to_ages();
	ages_are(0, 5);
	memcpy(&dead, next(FRAME_DEATHS, sizeof dead), sizeof dead);
	assert_int_equal(dead, 2);
	next(FRAME_BIRTHS, 2 * sizeof f);
	dump(&e, ENCODE_ROOM);
	skip_to_ages();
	ages_are(0, 5);
	totals_are();
	end_is(0, 0, 0, 0, 2);

	/* one goes, one comes in; one of a cell that is not yet told waits */
	birth(1)->cell = 0;
	birth(1)->stamp = b->stamp[0] = head->pull;
	*birth(2) =
	    (struct table_birth){ birth_word(1, 12, 0), 30, 8, head->pull };
	*birth(3) =
	    (struct table_birth){ birth_word(3, 12, 0), 30, 8, head->pull };
	b->untold = 0;
	dump(&e, ENCODE_ROOM);
	skip_to_ages();
	ages_are(0, 0);
	memcpy(&dead, next(FRAME_DEATHS, sizeof dead), sizeof dead);
	assert_int_equal(dead, 1);
	memcpy(&f, next(FRAME_BIRTHS, sizeof f), sizeof f);
	assert_int_equal(f.number, 2);
	assert_int_equal(f.birth, 30);
	totals_are();
	memcpy(&end, next(FRAME_END, sizeof end), sizeof end);
	assert_int_equal(end.births, 2);
	no_more();
}

/* In pieces as they fit, none missing. */
static void
many_births(void **state)
{
	struct table_births *b = make_births();
	struct encoder e;
	struct frame_head h;
	uint32_t births = 0, deaths = 0, last = 0;

	(void)state;
	b->count = BIRTH_SEG * 24;
	for (uint32_t i = 0; i < 24; i++) {
		b->dir[i] = AT_RECORDS +
		    i * BIRTH_SEG * (uint32_t)sizeof(struct table_birth);
		b->stamp[i] = 1;
	}
	for (uint32_t i = 1; i < b->count; i++)
		*birth(i) =
		    (struct table_birth){ i % 3 ? birth_word(1, 12, 0) : 0, i,
			    8, 1 };
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	dump(&e, ENCODE_ROOM);
	for (; out_at < out_len; next(h.kind, h.size)) {
		memcpy(&h, out + out_at, sizeof h);
		if (h.kind == FRAME_DEATHS)
			deaths += h.size / 4;
		for (uint32_t k = 0; h.kind == FRAME_BIRTHS && k < h.size;
		     k += sizeof(struct birth_frame), births++) {
			struct birth_frame f;

			memcpy(&f, out + out_at + sizeof h + k, sizeof f);
			assert_true(f.number > last && f.number == f.birth);
			last = f.number;
		}
	}
	assert_int_equal(births, 24 * BIRTH_SEG * 2 / 3);
	assert_int_equal(deaths, 24 * BIRTH_SEG / 3 - 1); /* 0 never was */
}

/* A change while a dump is made is in that one or the next. */
static void
changes_in_between(void **state)
{
	struct encoder e;
	unsigned char *buf = malloc(ENCODE_ROOM);

	(void)state;
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	dump(&e, ENCODE_ROOM);
	encoder_begin(&e, head->pull++, 0, 0);
	cell(1)->stamp = head->pull - 1; /* read before the pull was raised */
	while (encoder_some(&e, buf, ENCODE_ROOM) > 0)
		;
	dump(&e, ENCODE_ROOM);
	hello_is(FRAME_HELLO);
	next(FRAME_CELLS, sizeof(struct cell_frame));
	free(buf);
}

/* More cells than a frame and a buffer hold: each comes once. */
static void
many_cells(void **state)
{
	const uint32_t n = CELL_SEG * 8;
	size_t caps[] = { ENCODE_ROOM, ENCODE_ROOM + 1, ENCODE_ROOM + 777,
		200000 };
	struct encoder e;

	(void)state;
	for (uint32_t i = 0; i < 8; i++)
		head->cell_dir[i] =
		    2 * TABLE_CHUNK + i * CELL_SEG * (uint32_t)sizeof *cell(1);
	head->cells = n;
	for (uint32_t i = 0; i < n; i++) {
		struct table_cell *c =
		    (struct table_cell *)(void *)chunk[2] + i;

		c->stack = i % 2 + 1;
		c->stamp = 1;
		c->alloc_objects = i + 1;
	}
	for (size_t k = 0; k < sizeof caps / sizeof *caps; k++) {
		struct frame_head h;
		uint32_t seen = 0;

		encoder_init(&e, view);
		dump(&e, caps[k]);
		while (out_at < out_len) {
			const unsigned char *p;

			memcpy(&h, out + out_at, sizeof h);
			assert_true(h.size <= FRAME_MAX);
			p = next(h.kind, h.size);
			for (size_t i = 0; h.kind == FRAME_CELLS && i < h.size;
			     i += sizeof(struct cell_frame)) {
				struct cell_frame c;

				memcpy(&c, p + i, sizeof c);
				assert_int_equal(c.alloc_raw_objects, ++seen);
			}
		}
		assert_int_equal(seen, n);
	}
}

/* A thread that died in the middle of a change: its cell is taken as it is,
 * and nothing live comes out below zero. */
static void
unfinished_cell(void **state)
{
	struct cell_frame c;

	(void)state;
	cell(1)->begun++;
	cell(1)->freed_bytes = 501;
	cell(1)->freed_var_bytes = 11;
	table_cell_read(cell(1), &c);
	assert_int_equal(c.live_raw_objects, 3);
	assert_int_equal(c.live_raw_bytes, 0);
	assert_true(c.live_var_bytes == 0);
}

/* ---- hostile tables ---- */

static uint64_t seed = 1;

static uint32_t
random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(seed >> 33);
}

/* Any number of bytes may come out, but whole frames and an end. */
static void
survives(void)
{
	unsigned char *buf = malloc(ENCODE_ROOM);
	struct encoder e;
	struct frame_head h = { 0 };
	size_t n;

	encoder_init(&e, view);
	encoder_begin(&e, head->pull, 0, 0);
	while ((n = encoder_some(&e, buf, ENCODE_ROOM)) > 0)
		for (size_t at = 0; at < n; at += sizeof h + h.size) {
			assert_true(n - at >= sizeof h);
			memcpy(&h, buf + at, sizeof h);
			assert_true(h.size <= FRAME_MAX && h.zero == 0);
			assert_true(n - at - sizeof h >= h.size);
		}
	assert_int_equal(h.kind, FRAME_END);
	encode_hello(&view, buf, ENCODE_ROOM);
	free(buf);
}

static void
garbage(uint32_t seen)
{
	for (int i = 0; i < CHUNKS; i++)
		for (uint32_t k = 0; k < TABLE_CHUNK; k += 4) {
			uint32_t r = random_number();

			memcpy(chunk[i] + k, &r, 4);
		}
	head->magic = TABLE_MAGIC;
	head->version = FORMAT_VERSION;
	head->modules = head->stacks = head->cells = head->slots = seen;
}

static void
random_tables(void **state)
{
	(void)state;
	for (int round = 0; round < 20; round++) {
		garbage(20000);
		survives();
	}
	/* offsets into the table, more or less */
	for (int round = 0; round < 20; round++) {
		garbage(20000);
		for (uint32_t i = 0; i < MODULE_SEGS; i++)
			head->module_dir[i] =
			    random_number() % ((CHUNKS + 1) * TABLE_CHUNK) &
			    ~7u;
		for (uint32_t i = 0; i < STACK_SEGS; i++)
			head->stack_dir[i] =
			    random_number() % ((CHUNKS + 1) * TABLE_CHUNK) &
			    ~7u;
		for (uint32_t i = 0; i < CELL_SEGS; i++)
			head->cell_dir[i] =
			    random_number() % ((CHUNKS + 1) * TABLE_CHUNK) &
			    ~7u;
		survives();
	}
}

/* Each place in turn points to the last bytes of the table, or beyond. */
static void
places_at_the_edge(void **state)
{
	static const uint32_t edge[] = { CHUNKS * TABLE_CHUNK - 8,
		CHUNKS * TABLE_CHUNK, CHUNKS * TABLE_CHUNK + 8, TABLE_CHUNK - 8,
		TABLE_CHUNK - 192, 0xfffffff8u, 1, 7 };
	struct table_module *m = place(AT_MODULES);
	struct table_stack *s = place(AT_STACKS);
	uint32_t *places[] = { &head->module_dir[0], &head->stack_dir[0],
		&head->cell_dir[0], &head->slot_dir[0], &head->image,
		&head->command, &m->path, &s->frames, &head->births,
		&make_births()->dir[0] };

	(void)state;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		for (size_t k = 0; k < sizeof edge / sizeof *edge; k++) {
			uint32_t was = *places[i];

			*places[i] = edge[k];
			survives();
			*places[i] = was;
		}
	m->path_len = 65535;
	m->build_id_len = 255;
	s->count = 65535;
	head->hello.image_len = head->hello.command_len = 65535;
	head->hello.build_id_len = 255;
	((struct table_slot *)place(AT_SLOTS))[1].name_len = 255;
	survives();
}

/* Counts beyond what any table holds. */
static void
huge_counts(void **state)
{
	(void)state;
	head->modules = head->stacks = head->cells = head->slots = UINT32_MAX;
	survives();
}

static void
no_table(void **state)
{
	struct encoder e;

	(void)state;
	free(chunk[0]);
	chunk[0] = NULL;
	head = calloc(1, sizeof *head);
	encoder_init(&e, view);
	dump(&e, ENCODE_ROOM);
	totals_are();
	end_is(0, 0, 0, 0, 0);
	free(head);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hello_message),
		TEST(whole_dump),
		TEST(only_what_changed),
		TEST(births_and_deaths),
		TEST(many_births),
		TEST(changes_in_between),
		TEST(many_cells),
		TEST(unfinished_cell),
		TEST(random_tables),
		TEST(places_at_the_edge),
		TEST(huge_counts),
		TEST(no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
