/* needs: src/base/ src/model/ src/export/json.c src/export/json_text.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "export/export.h"
#include "export/json_text.h"
#include "model/report.h"
#include "profile_fixture.h"

#define EXPORT export_json
#include "export_fixture.h"

/* The whole is checked with the schema in tests/e2e/formats.sh; here what it
 * cannot tell: figures, and 1.96 * 20 = 39.2, 1.96 * sqrt(500) = 43.8. */
static void
rows(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	query_init(&q);
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b),
	    "{\"format\":\"heaptop-report\",\"version\":1,"
	    "\"notes\":\"sampled 1/4 KiB\",\n"
	    "\"query\":{\"metric\":\"inuse_space\",\"unit\":\"bytes\","
	    "\"grouping\":\"functions\",\"difference\":false}"));
	assert_non_null(strstr(buf_str(&b),
	    "{\"path\":\"/usr/bin/app\",\"build_id\":\"0102\","
	    "\"start\":\"0x555500000000\",\"end\":\"0x555500001000\","
	    "\"bias\":\"0x555500000000\"}"));
	assert_non_null(strstr(buf_str(&b),
	    "\"total\":{\"value\":1000,\"error\":43.8,\"bytes\":1000,"
	    "\"objects\":10,\"samples\":10}"));
	assert_non_null(strstr(buf_str(&b),
	    "\"name\":\"decode\",\"file\":\"decode.c\",\"line\":214,"
	    "\"flat\":{\"value\":600,\"error\":39.2,\"bytes\":600,"
	    "\"objects\":6,\"samples\":6},"
	    "\"cum\":{\"value\":600,\"error\":39.2,\"bytes\":600,"
	    "\"objects\":6,\"samples\":6},\"stacks\":1,\"stack\":[\n"
	    "  {\"function\":\"decode\",\"file\":\"decode.c\","
	    "\"line\":214,\"module\":\"app\",\"offset\":\"0x20\","
	    "\"inlined\":false},"));
	assert_non_null(strstr(buf_str(&b),
	    "{\"function\":\"tiny(int)\","
	    "\"file\":\"app.h\",\"line\":7,"
	    "\"module\":\"app\",\"offset\":\"0x80\","
	    "\"inlined\":true}"));
	buf_fini(&b);
	profile_free(p);
}

static void
difference(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_cell(p, 1, 1, 500, 5, 900, 9, 400);
	fixture_commit(p, 6);
	query_init(&q);
	b = render(list, 1, &q);
	assert_non_null(
	    strstr(buf_str(&b), "\"samples\":5,\"base\":600,\"change\":-100,"));
	buf_fini(&b);
	q.difference = true;
	q.max_rows = 1;
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b), "\"local\":{\"value\":-100,"));
	assert_non_null(strstr(buf_str(&b), "\"rows_left_out\":3,"));
	assert_null(strstr(buf_str(&b), "\"base\""));
	buf_fini(&b);
	profile_free(p);
}

static void
text(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	json_string(&b, "\"\\\n\r\t\x01\x7f</é\xff\xc3(");
	assert_string_equal(buf_str(&b),
	    "\"\\\"\\\\\\n\\r\\t\\u0001\\u007f</é\xef\xbf\xbd\xef\xbf\xbd(\"");
	buf_clear(&b);
	json_whole(&b, -.4);
	json_whole(&b, 1e12 + .5);
	json_whole(&b, NAN);
	json_tenths(&b, .25);
	json_tenths(&b, INFINITY);
	json_hex(&b, (const uint8_t *)"\x00\xfe", 2);
	assert_string_equal(buf_str(&b), "01000000000001null0.3null\"00fe\"");
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(difference),
		cmocka_unit_test(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
