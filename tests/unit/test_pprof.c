/* needs: src/base/ src/model/ src/export/pprof.c src/export/pprof_wire.c
 * src/export/maps.c src/export/amounts.c src/export/json_text.c */
/* libs: -lm -lz */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/pprof_wire.h"
#include "model/report.h"
#include "profile_fixture.h"

#define EXPORT export_pprof
#include "export_fixture.h"

/* What zlib makes of gzip; it checks the sums. */
static struct buf
unpack(const struct buf *packed)
{
	z_stream z = { .next_in = (Bytef *)packed->data,
		.avail_in = (uInt)packed->len };
	static char out[1 << 16];
	struct buf b = BUF_INIT;
	int ret;

	assert_int_equal(inflateInit2(&z, 16 + MAX_WBITS), Z_OK);
	do {
		z.next_out = (Bytef *)out;
		z.avail_out = sizeof out;
		ret = inflate(&z, Z_NO_FLUSH);
		assert_true(ret == Z_OK || ret == Z_STREAM_END);
		buf_put(&b, out, sizeof out - z.avail_out);
	} while (ret != Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	return b;
}

static struct buf
proto(struct profile *p, const struct query *q)
{
	const struct profile *list[1] = { p };
	struct buf packed = render(list, 1, q), b = unpack(&packed);

	buf_fini(&packed);
	return b;
}

#define HAS(b, bytes) \
	assert_non_null(memmem((b).data, (b).len, bytes, sizeof bytes - 1))

/* Blocks hold 65535 bytes at most. */
static void
gzip(void **state)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 200000 };
	char *data = calloc(1, 200000);

	(void)state;
	for (int i = 0; i < 200000; i++)
		data[i] = (char)(i * 7 / 5);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct buf packed = BUF_INIT, b;

		wire_gzip(&packed, data, sizes[i]);
		b = unpack(&packed);
		assert_int_equal(b.len, sizes[i]);
		if (b.len)
			assert_memory_equal(b.data, data, b.len);
		buf_fini(&packed);
		buf_fini(&b);
	}
	free(data);
}

/*
 * Messages by hand, keys are field << 3 | kind.  Locations count from the
 * leaf of the first stack: decode 1, loop 2, work 3, start 4; index 5; grow 6,
 * again 7, main 8 with tiny inlined; functions likewise, tiny 8, main 9.
 */
static void
messages(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct buf b;

	(void)state;
	query_init(&q);
	b = proto(p, &q);
	/* alloc_objects (1) in count (2); inuse_space (6) in bytes (4) */
	HAS(b, "\x0a\x04\x08\x01\x10\x02");
	HAS(b, "\x0a\x04\x08\x06\x10\x04");
	HAS(b,
	    "\x32\x0d"
	    "alloc_objects");
	/* that is the default: field 14; period 4096 = 32 << 7: field 12 */
	HAS(b, "\x70\x06");
	HAS(b, "\x60\x80\x20");
	/* 9 and 900 allocated, 6 and 600 in use: 900 = 7 << 7 | 4 */
	HAS(b,
	    "\x12\x0e\x0a\x04\x01\x02\x03\x04"
	    "\x12\x06\x09\x84\x07\x06\xd8\x04");
	HAS(b, "\x12\x0c\x0a\x04\x06\x07\x07\x08\x12\x04\x01\x64\x01\x64");
	/* main's location: mapping 1, two lines, 7 and 33 */
	HAS(b,
	    "\x08\x08\x10\x01\x18\x80\x81\x80\x80\xd0\xaa\x15"
	    "\x22\x04\x08\x08\x10\x07\x22\x04\x08\x09\x10\x21");
	/* tiny(int) is called tiny */
	HAS(b,
	    "\x32\x04"
	    "tiny");
	HAS(b,
	    "\x32\x09"
	    "tiny(int)");
	HAS(b,
	    "\x32\x04"
	    "0102");
	HAS(b,
	    "\x32\x0c"
	    "/usr/bin/app");
	HAS(b,
	    "\x32\x13"
	    "command: app --fast");
	buf_fini(&b);
	profile_free(p);
}

/* Stacks that are gone were allocated; -100 is 2^64 - 100. */
static void
values(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct buf b;

	(void)state;
	fixture_cell(p, 3, 1, 0, 0, 100, 1, 0);
	fixture_commit(p, 6);
	query_init(&q);
	q.metric = METRIC_LIVE_OBJECTS;
	b = proto(p, &q);
	HAS(b, "\x12\x0c\x0a\x04\x06\x07\x07\x08\x12\x04\x01\x64\x00\x00");
	HAS(b, "\x70\x05"); /* inuse_objects */
	buf_fini(&b);
	q.difference = true;
	b = proto(p, &q);
	HAS(b,
	    "\x12\x1e\x0a\x04\x01\x02\x02\x03\x12\x16\x00\x00"
	    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
	    "\x9c\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	buf_fini(&b);
	profile_free(p);
}

/* Of an inlined function only, with the rest hidden; and bytes that are no
 * UTF-8. */
static void
filtered(void **state)
{
	struct profile *p = fixture_profile();
	struct query q;
	struct buf b;

	(void)state;
	fixture_name(p, 1, AT_GROW, "gr\xff", "", 0);
	query_init(&q);
	q.hide = pattern_new("^main$", NULL);
	b = proto(p, &q);
	HAS(b, "\x18\x80\x81\x80\x80\xd0\xaa\x15\x22\x04\x08\x08\x10\x07");
	HAS(b, "\x32\x05gr\xef\xbf\xbd");
	assert_null(memmem(b.data, b.len, "\x32\x04main", 6));
	buf_fini(&b);
	pattern_free((struct pattern *)q.hide);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip),
		cmocka_unit_test(messages),
		cmocka_unit_test(values),
		cmocka_unit_test(filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
