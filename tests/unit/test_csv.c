/* needs: src/base/ src/model/ src/export/csv.c */
/* libs: -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "export/export.h"
#include "model/report.h"
#include "profile_fixture.h"

#define EXPORT export_csv
#include "export_fixture.h"

/* Errors: 1.96 * 20 = 39.2, 1.96 * 10 = 19.6; of both 1.96 * sqrt(500). */
static void
functions(void **state)
{
	struct query q;

	(void)state;
	query_init(&q);
	expect(&q,
	    "name,file,line,module,address,flat_bytes,flat_error,cum_bytes,"
	    "cum_error,bytes,objects,samples\r\n"
	    "decode,decode.c,214,app,,600,39.2,600,39.2,600,6,6\r\n"
	    "index,decode.c,300,app,,300,19.6,300,19.6,300,3,3\r\n"
	    "grow,lru.c,122,app,,100,0.0,100,0.0,100,1,1\r\n"
	    "again,lru.c,9,app,,0,0.0,100,0.0,0,0,0\r\n"
	    "loop,loop.c,88,app,,0,0.0,900,43.8,0,0,0\r\n"
	    "main,main.c,33,app,,0,0.0,100,0.0,0,0,0\r\n"
	    "start,,,libc.so.6,,0,0.0,900,43.8,0,0,0\r\n"
	    "tiny(int),app.h,7,app,,0,0.0,100,0.0,0,0,0\r\n"
	    "work,work.c,51,app,,0,0.0,900,43.8,0,0,0\r\n");
	q.max_rows = 1;
	q.metric = METRIC_LIVE_OBJECTS;
	expect(&q,
	    "name,file,line,module,address,flat_objects,flat_error,"
	    "cum_objects,cum_error,bytes,objects,samples\r\n"
	    "decode,decode.c,214,app,,6,0.0,6,0.0,600,6,6\r\n"
	    "(8 more),,,,,4,0.0,4,0.0,400,4,4\r\n");
}

/* Commas, quotes, blanks at an end; 700 was 600 before; tiny and main are at
 * one address. */
static void
compared(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_cell(p, 1, 1, 700, 7, 1000, 10, 400);
	fixture_commit(p, 6);
	fixture_name(p, 1, AT_DECODE, "f<\"a\", b>", " x.c", 214);
	query_init(&q);
	q.grouping = GROUP_ADDRESSES;
	q.max_rows = 1;
	b = render(list, 1, &q);
	/* the variance did not change: 0 is what is known of the change's */
	assert_string_equal(buf_str(&b),
	    "name,file,line,module,address,flat_bytes,flat_error,cum_bytes,"
	    "cum_error,bytes,objects,samples,base,change,change_error,"
	    "cum_change\r\n"
	    "\"f<\"\"a\"\", b>\",\" x.c\",214,app,0x555500000020,"
	    "700,39.2,700,39.2,700,7,7,600,100,0.0,100\r\n"
	    "(7 more),,,,,400,19.6,400,19.6,400,4,4,400,0,0.0,0\r\n");
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
