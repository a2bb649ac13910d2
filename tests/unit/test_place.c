/* needs: src/place.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "place.h"

static struct place p;

static void
read_two(const char *first, const char *second)
{
	const char *sources[2] = { first, second };

	place_read(&p, sources, 2);
}

static void
check(const char *first, const char *second, bool final, const char *prefix)
{
	read_two(first, second);
	if (p.final != final || (final && strcmp(p.prefix, prefix) != 0))
		fail_msg("'%s' and '%s': %d '%s'", first ? first : "NULL",
		    second ? second : "NULL", p.final, p.prefix);
}

/* The rules of prof/conf.h: an explicit prof:true turns prof_final on, with
 * the prefix jeprof, each as long as nothing else was said. */
static void
test_final(void **state)
{
	(void)state;
	check(NULL, NULL, false, "");
	check("", "", false, "");
	check("prof:true", NULL, true, "jeprof");
	check(NULL, "prof:true", true, "jeprof");
	check("prof:true,prof_prefix:/a/b", NULL, true, "/a/b");
	check("prof_prefix:/a/b", "prof:true", true, "/a/b");
	check("prof_prefix:/a/b", NULL, false, "");
	check("prof:true,prof_final:false", NULL, false, "");
	check("prof_final:false", "prof:true", false, "");
	check("prof_final:true,prof_prefix:x", NULL, true, "x");
	check("prof_final:true", NULL, false, ""); /* nowhere to */
	check("prof:true", "prof:false", false, "");
	check("prof:false", "prof:true", true, "jeprof");
	check("prof:true,prof_prefix:a", "prof_prefix:b", true, "b");
}

static void
test_syntax(void **state)
{
	char longest[3000] = "prof:true,prof_prefix:";

	(void)state;
	check(" prof:true , lg_prof_sample:19, prof_prefix:x y ,", NULL, true,
	    "x y");
	check("prof:maybe", NULL, false, "");
	check(",,,:,prof,prof:true,:true", NULL, true, "jeprof");
	check("prof_prefix:a:b,prof:true", NULL, true, "a:b");
	/* what does not fit is left out by the library as well */
	memset(longest + strlen(longest), 'x', 2000);
	check(longest, NULL, true, "jeprof");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_final),
		cmocka_unit_test(test_syntax),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
