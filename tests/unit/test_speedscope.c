/* needs: src/base/ src/model/ src/export/speedscope.c src/export/json_text.c */
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

#define EXPORT export_speedscope
#include "export_fixture.h"

static void
functions(void **state)
{
	struct query q;

	(void)state;
	query_init(&q);
	expect(&q,
	    "{\"$schema\":"
	    "\"https://www.speedscope.app/file-format-schema.json\",\n"
	    "\"name\":\"app --fast (sampled 1/4 KiB)\",\n"
	    "\"exporter\":\"heaptop\",\"activeProfileIndex\":0,\n"
	    "\"shared\":{\"frames\":[\n"
	    "{\"name\":\"start\"},\n"
	    "{\"name\":\"work\",\"file\":\"work.c\"},\n"
	    "{\"name\":\"loop\",\"file\":\"loop.c\"},\n"
	    "{\"name\":\"decode\",\"file\":\"decode.c\"},\n"
	    "{\"name\":\"index\",\"file\":\"decode.c\"},\n"
	    "{\"name\":\"main\",\"file\":\"main.c\"},\n"
	    "{\"name\":\"tiny(int)\",\"file\":\"app.h\"},\n"
	    "{\"name\":\"again\",\"file\":\"lru.c\"},\n"
	    "{\"name\":\"grow\",\"file\":\"lru.c\"}]},\n"
	    "\"profiles\":[\n"
	    "{\"type\":\"sampled\",\"name\":\"live bytes\","
	    "\"unit\":\"bytes\",\"startValue\":0,"
	    "\"samples\":[[0,1,2,3],\n[0,1,2,4],\n[5,6,7,7,8]],\n"
	    "\"weights\":[600,\n300,\n100],\"endValue\":1000},\n"
	    "{\"type\":\"sampled\",\"name\":\"live objects\","
	    "\"unit\":\"none\",\"startValue\":0,"
	    "\"samples\":[[0,1,2,3],\n[0,1,2,4],\n[5,6,7,7,8]],\n"
	    "\"weights\":[6,\n3,\n1],\"endValue\":10}]}\n");
}

/* Lines if they were asked for; 600 that became 500 and 300 that became 350
 * are two profiles. */
static void
difference(void **state)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	fixture_cell(p, 1, 1, 500, 5, 900, 9, 400);
	fixture_cell(p, 2, 2, 350, 3, 300, 3, 100);
	fixture_commit(p, 6);
	query_init(&q);
	q.difference = true;
	q.grouping = GROUP_LINES;
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b),
	    "{\"name\":\"decode\",\"file\":\"decode.c\",\"line\":214}"));
	assert_non_null(strstr(buf_str(&b),
	    "\"live bytes: grown\",\"unit\":\"bytes\",\"startValue\":0,"
	    "\"samples\":[[0,1,2,4]],\n\"weights\":[50],\"endValue\":50}"));
	assert_non_null(strstr(buf_str(&b),
	    "\"live bytes: shrunk\",\"unit\":\"bytes\",\"startValue\":0,"
	    "\"samples\":[[0,1,2,3]],\n\"weights\":[100],"
	    "\"endValue\":100}"));
	buf_fini(&b);
	profile_free(p);
}

/* Nothing is a profile too. */
static void
empty(void **state)
{
	struct profile *p = fixture_empty();
	const struct profile *list[1] = { p };
	struct query q;
	struct buf b;

	(void)state;
	query_init(&q);
	b = render(list, 1, &q);
	assert_non_null(strstr(buf_str(&b), "{\"frames\":[]}"));
	assert_non_null(strstr(
	    buf_str(&b), "\"samples\":[],\n\"weights\":[],\"endValue\":0}"));
	buf_fini(&b);
	profile_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(difference),
		cmocka_unit_test(empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
