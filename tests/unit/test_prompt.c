/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/key.c ui/prompt.c */
#include "ui/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static enum prompt_result
press(struct prompt *p, const char *name)
{
	struct key k;

	assert_true(key_parse(name, &k));
	return prompt_key(p, k);
}

static void
edits(void **state)
{
	/* keys after "one two", then the text with the cursor as '|' */
	static const struct {
		const char *keys[4];
		const char *expected;
	} t[] = {
		{ { "x" }, "one twox|" },
		{ { "Left", "x" }, "one twx|o" },
		{ { "Home", "x" }, "x|one two" },
		{ { "C-a", "C-f", "C-d" }, "o|e two" },
		{ { "C-a", "End" }, "one two|" },
		{ { "Backspace" }, "one tw|" },
		{ { "C-h" }, "one tw|" },
		{ { "C-w" }, "one |" },
		{ { "C-w", "C-w" }, "|" },
		{ { "C-w", "C-w", "C-w" }, "|" },
		{ { "M-Backspace" }, "one |" },
		{ { "C-w", "C-a", "C-y" }, "two|one " },
		{ { "C-u" }, "|" },
		{ { "C-a", "C-k", "C-y", "C-y" }, "one twoone two|" },
		{ { "Left", "Left", "Delete" }, "one t|o" },
		{ { "Delete" }, "one two|" },
		{ { "Home", "Backspace", "Left" }, "|one two" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct prompt p = { 0 };
		char shown[PROMPT_MAX + 2];

		prompt_set(&p, "one two");
		for (size_t k = 0; k < 4 && t[i].keys[k]; k++)
			press(&p, t[i].keys[k]);
		snprintf(shown, sizeof shown, "%.*s|%s", (int)p.at, p.text,
		    p.text + p.at);
		assert_string_equal(shown, t[i].expected);
	}
}

static void
tells_what_happened(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	assert_int_equal(press(&p, "a"), PROMPT_CHANGED);
	assert_int_equal(press(&p, "space"), PROMPT_CHANGED);
	assert_int_equal(press(&p, "Left"), PROMPT_MOVED);
	assert_int_equal(press(&p, "C-u"), PROMPT_CHANGED);
	assert_int_equal(press(&p, "C-u"), PROMPT_MOVED);
	assert_int_equal(press(&p, "F1"), PROMPT_IGNORED);
	assert_int_equal(press(&p, "M-x"), PROMPT_IGNORED);
	assert_int_equal(press(&p, "C-x"), PROMPT_IGNORED);
	assert_int_equal(press(&p, "Esc"), PROMPT_CANCEL);
	assert_int_equal(press(&p, "C-c"), PROMPT_CANCEL);
	assert_int_equal(press(&p, "Enter"), PROMPT_DONE);
}

static void
characters_stay_whole(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	press(&p, "é");
	press(&p, "漢");
	/* a combining mark goes with its letter */
	press(&p, "e");
	prompt_key(&p, (struct key){ .code = 0x301 });
	assert_string_equal(p.text, "é漢e\xcc\x81");
	press(&p, "Backspace");
	assert_string_equal(p.text, "é漢");
	press(&p, "Left");
	press(&p, "Left");
	assert_int_equal(p.at, 0);
	press(&p, "Delete");
	assert_string_equal(p.text, "漢");
}

static void
is_bounded(void **state)
{
	struct prompt p = { 0 };
	char text[PROMPT_MAX + 3];

	(void)state;
	for (int i = 0; i < 300; i++)
		press(&p, "x");
	assert_int_equal(strlen(p.text), PROMPT_MAX);
	assert_int_equal(press(&p, "x"), PROMPT_MOVED);
	press(&p, "C-u");
	assert_int_equal(press(&p, "C-y"), PROMPT_CHANGED);
	assert_int_equal(press(&p, "C-y"), PROMPT_MOVED);
	/* What is set is cut before a character that does not fit. */
	memset(text, 'x', sizeof text);
	memcpy(text + PROMPT_MAX - 1, "\xc3\xa9", 3);
	prompt_set(&p, text);
	assert_int_equal(strlen(p.text), PROMPT_MAX - 1);
}

static void
enter(struct prompt *p, const char *text)
{
	prompt_set(p, text);
	assert_int_equal(press(p, "Enter"), PROMPT_DONE);
	prompt_set(p, "");
}

static void
remembers_what_was_typed(void **state)
{
	struct prompt p = { 0 };
	char text[16];

	(void)state;
	assert_int_equal(press(&p, "Up"), PROMPT_MOVED);
	enter(&p, "first");
	enter(&p, "second");
	enter(&p, "");
	prompt_set(&p, "now");
	press(&p, "Up");
	assert_string_equal(p.text, "second");
	press(&p, "Up");
	press(&p, "Up");
	assert_string_equal(p.text, "first");
	press(&p, "Down");
	press(&p, "Down");
	press(&p, "Down");
	assert_string_equal(p.text, "now");

	/* Again the same: to the front, not twice. */
	enter(&p, "first");
	assert_int_equal(p.count, 2);
	press(&p, "Up");
	assert_string_equal(p.text, "first");
	press(&p, "Up");
	assert_string_equal(p.text, "second");

	for (int i = 0; i < 40; i++) {
		snprintf(text, sizeof text, "n%d", i);
		enter(&p, text);
	}
	assert_int_equal(p.count, PROMPT_HISTORY);
	assert_string_equal(p.history[0], "n39");
	assert_string_equal(p.history[PROMPT_HISTORY - 1], "n24");
}

static void
draws_where_the_cursor_is(void **state)
{
	struct prompt p = { 0 };
	struct buf b = BUF_INIT;
	struct grid g;

	(void)state;
	grid_init(&g, 12, 1);
	prompt_set(&p, "intern");
	prompt_draw(&p, &g, 2, 0, 8);
	grid_text(&g, &b);
	assert_string_equal(buf_str(&b), "  intern\n");
	assert_int_equal(g.cursor_x, 8);
	assert_true(g.cursor_shown);

	/* Too long: its end, with room for the cursor. */
	grid_clear(&g);
	buf_clear(&b);
	prompt_set(&p, "hashtab_insert");
	prompt_draw(&p, &g, 2, 0, 8);
	grid_text(&g, &b);
	assert_string_equal(buf_str(&b), "  …insert\n");
	assert_int_equal(g.cursor_x, 9);
	prompt_draw(&p, &g, 2, 0, 0);
	buf_fini(&b);
	grid_fini(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits),
		cmocka_unit_test(tells_what_happened),
		cmocka_unit_test(characters_stay_whole),
		cmocka_unit_test(is_bounded),
		cmocka_unit_test(remembers_what_was_typed),
		cmocka_unit_test(draws_where_the_cursor_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
