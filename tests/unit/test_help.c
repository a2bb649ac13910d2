/* needs: src/base/ src/model/ tests/unit/ingestd.c ui/-term.c */
#include "ui/help.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ingestd_shows.h"
#include "ui/app.h"

static void
hides(const struct ingestd *r, const char *text)
{
	char *screen = ingestd_screen(r);

	if (strstr(screen, text))
		fail_msg("\"%s\" is in\n%s", text, screen);
	free(screen);
}

static void
shows_the_keys_there_are(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 100, 40, true);
	ingestd_keys(&r, "?");
	assert_shows(&r, "┌─ Keys ─");
	assert_shows(&r, "VIEWS");
	assert_shows(&r, "  1           top: who holds memory");
	assert_shows(&r, "  ↑ ↓ k j     row");
	assert_shows(&r, "  :           commands, see below");
	assert_shows(&r, "  q C-c F10   quit");
	assert_shows(&r, "esc close  │");
	hides(&r, "next process");
	assert_shows(&r, "  o           what the target printed");
	assert_shows(&r, "  i           keys to the target, C-] back");
	assert_shows(&r, "  *           only what is in this row");
	r.app.target.processes = 2;
	r.app.target.takes_input = false;
	assert_shows(&r, "  P           next process");
	hides(&r, "keys to the target");
	ingestd_close(&r);
}

static void
scrolls_when_it_is_low(void **state)
{
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	ingestd_keys(&r, "?");
	assert_int_equal(help_page(&r.app), 20);
	assert_true(help_lines(&r.app) > 20);
	assert_shows(&r, " more ");
	hides(&r, "quit │");
	ingestd_keys(&r, "End");
	assert_int_equal(r.app.over_first, help_lines(&r.app) - 20);
	assert_shows(&r, "    sample SIZE|exact      one in about");
	assert_shows(&r, "    quit                   leave");
	hides(&r, " more ");
	ingestd_keys(&r, "Home k k");
	assert_int_equal(r.app.over_first, 0);
	ingestd_keys(&r, "C-d");
	assert_int_equal(r.app.over_first, 10);
	ingestd_keys(&r, "C-u G");
	assert_int_equal(r.app.over_first, help_lines(&r.app) - 20);
	ingestd_resize(&r, 20, 5);
	free(ingestd_screen(&r));
	ingestd_close(&r);
}

static void
closes(void **state)
{
	static const char *const keys[] = { "Esc", "?", "Enter" };
	struct ingestd r;

	(void)state;
	ingestd_open(&r, 80, 24, true);
	for (size_t i = 0; i < 3; i++) {
		ingestd_keys(&r, "?");
		assert_int_equal(r.app.over, OVER_HELP);
		ingestd_keys(&r, keys[i]);
		assert_int_equal(r.app.over, OVER_NONE);
	}
	ingestd_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_the_keys_there_are),
		cmocka_unit_test(scrolls_when_it_is_low),
		cmocka_unit_test(closes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
