/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * src/model/query.c ui/filter.c */
#include "ui/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "model/query.h"

static void
finds_what_was_typed(void **state)
{
	static const struct {
		const char *text, *name;
		bool found;
	} cases[] = {
		{ "intern", "intern_key", true },
		{ "intern", "Intern::key", true },
		{ "Intern", "intern_key", false },
		{ "vector<", "std::vector<int>", true },
		{ "a.c", "abc", false },
		{ "(", "f(int)", true },
		{ "[", "operator[]", true },
		{ "*", "f(char*)", true },
		{ "b+", "bb", false },
		{ "a|b", "xbx", true },
		{ "a|b", "xcx", false },
		{ "|b|", "xcx", false },
		{ "||", "|", false },
		{ "r\\|", "operator|", true },
		{ "r\\|", "operator", false },
		{ "^f$", "f", true },
		{ "^f$", "ff", false },
		{ "^f$|g", "xg", true },
		{ "^", "a^b", true },
		{ "x$", "x$y", false },
		{ "$", "a$b", true },
		{ "\\", "a\\b", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = { "" };
		struct pattern *p = filter_pattern(cases[i].text, &e);

		if (!p && cases[i].found)
			fail_msg("%s: %s", cases[i].text, e.msg);
		if (p && pattern_matches(p, cases[i].name) != cases[i].found)
			fail_msg("%s in %s", cases[i].text, cases[i].name);
		pattern_free(p);
	}
}

static void
refuses_what_is_empty(void **state)
{
	struct err e = { "" };

	(void)state;
	assert_null(filter_pattern("", &e));
	assert_string_equal(e.msg, "the filter is empty");
	assert_null(filter_pattern("|", &e));
}

static void
adds_whole_names(void **state)
{
	char text[32] = "";
	struct err e = { "" };
	struct pattern *p;

	(void)state;
	assert_true(filter_add_name(text, sizeof text, "f"));
	assert_string_equal(text, "^f$");
	assert_true(filter_add_name(text, sizeof text, "operator|"));
	assert_string_equal(text, "^f$|^operator\\|$");
	assert_true(filter_add_name(text, sizeof text, "f")); /* is there */
	assert_string_equal(text, "^f$|^operator\\|$");
	assert_false(filter_add_name(text, sizeof text, "a_long_name_here"));
	assert_string_equal(text, "^f$|^operator\\|$");
	p = filter_pattern(text, &e);
	assert_true(pattern_matches(p, "operator|"));
	assert_false(pattern_matches(p, "operator||"));
	pattern_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_typed),
		cmocka_unit_test(refuses_what_is_empty),
		cmocka_unit_test(adds_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
