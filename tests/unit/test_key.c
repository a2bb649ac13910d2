/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/key.c */
#include "ui/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *name;
	struct key key;
} table[] = {
	{ "q", { 'q', 0, 0, 0 } },
	{ "Q", { 'Q', 0, 0, 0 } },
	{ "C", { 'C', 0, 0, 0 } },
	{ "-", { '-', 0, 0, 0 } },
	{ "F", { 'F', 0, 0, 0 } },
	{ "é", { 0xe9, 0, 0, 0 } },
	{ "漢", { 0x6f22, 0, 0, 0 } },
	{ "space", { ' ', 0, 0, 0 } },
	{ "C-c", { 'c', KEY_MOD_CTRL, 0, 0 } },
	{ "C-space", { ' ', KEY_MOD_CTRL, 0, 0 } },
	{ "M-b", { 'b', KEY_MOD_ALT, 0, 0 } },
	{ "M--", { '-', KEY_MOD_ALT, 0, 0 } },
	{ "C-M-x", { 'x', KEY_MOD_CTRL | KEY_MOD_ALT, 0, 0 } },
	{ "Enter", { K_ENTER, 0, 0, 0 } },
	{ "Esc", { K_ESC, 0, 0, 0 } },
	{ "Backspace", { K_BACKSPACE, 0, 0, 0 } },
	{ "M-Backspace", { K_BACKSPACE, KEY_MOD_ALT, 0, 0 } },
	{ "S-Tab", { K_TAB, KEY_MOD_SHIFT, 0, 0 } },
	{ "C-Left", { K_LEFT, KEY_MOD_CTRL, 0, 0 } },
	{ "PgUp", { K_PAGE_UP, 0, 0, 0 } },
	{ "F1", { K_F0 + 1, 0, 0, 0 } },
	{ "F12", { K_F0 + 12, 0, 0, 0 } },
	{ "F24", { K_F24, 0, 0, 0 } },
	{ "Click 3,14", { K_CLICK, 0, 3, 14 } },
	{ "RightClick 0,14", { K_RIGHT_CLICK, 0, 0, 14 } },
	{ "Drag 3,0", { K_DRAG, 0, 3, 0 } },
	{ "WheelDown 0,0", { K_WHEEL_DOWN, 0, 0, 0 } },
};

static void
names_and_keys_agree(void **state)
{
	struct key k;

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		assert_string_equal(key_label(table[i].key).s, table[i].name);
		assert_true(key_parse(table[i].name, &k));
		assert_true(key_equal(k, table[i].key));
		assert_int_equal(k.x, table[i].key.x);
		assert_int_equal(k.y, table[i].key.y);
	}
}

static void
refuses_what_is_no_key(void **state)
{
	static const char *const wrong[] = { "", "qq", "F0", "F25", "F1x",
		"Click", "Click 3", "Click 3,", "Click 3,4x", "Click -1,4",
		"enter", "C-", "M-S-", "\x01", " ", "\x7f" };
	struct key k = { 'k', 0, 0, 0 };

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_false(key_parse(wrong[i], &k));
	assert_int_equal(k.code, 'k');
}

static void
text_is_told_from_the_rest(void **state)
{
	(void)state;
	assert_true(key_is_text((struct key){ .code = 'x' }));
	assert_false(
	    key_is_text((struct key){ .code = 'x', .mods = KEY_MOD_CTRL }));
	assert_false(key_is_text((struct key){ .code = K_UP }));
	assert_false(key_is_text((struct key){ .code = K_NONE }));
	assert_string_equal(key_utf8((struct key){ .code = 'x' }).s, "x");
	assert_string_equal(key_utf8((struct key){ .code = 0xe9 }).s, "é");
	assert_string_equal(key_utf8((struct key){ .code = 0x6f22 }).s, "漢");
	assert_string_equal(
	    key_utf8((struct key){ .code = 0x1f600 }).s, "\xf0\x9f\x98\x80");
	assert_string_equal(key_utf8((struct key){ .code = K_UP }).s, "");
}

/* xterm's control sequences (ctlseqs, "PC-Style Function Keys"), normal
 * cursor keys, Backspace as DEL. */
static void
keys_are_what_xterm_sends(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t len;
	} cases[] = {
		{ "q", "q", 1 },
		{ "space", " ", 1 },
		{ "ä", "\xc3\xa4", 2 },
		{ "C-c", "\003", 1 },
		{ "C-space", "\0", 1 },
		{ "C-]", "\035", 1 },
		{ "C-_", "\037", 1 },
		{ "M-x", "\033x", 2 },
		{ "C-M-x", "\033\030", 2 },
		{ "Enter", "\r", 1 },
		{ "M-Enter", "\033\r", 2 },
		{ "Tab", "\t", 1 },
		{ "S-Tab", "\033[Z", 3 },
		{ "Esc", "\033", 1 },
		{ "Backspace", "\177", 1 },
		{ "M-Backspace", "\033\177", 2 },
		{ "Up", "\033[A", 3 },
		{ "C-Left", "\033[1;5D", 6 },
		{ "S-End", "\033[1;2F", 6 },
		{ "Delete", "\033[3~", 4 },
		{ "C-Delete", "\033[3;5~", 6 },
		{ "PgDn", "\033[6~", 4 },
		{ "F1", "\033OP", 3 },
		{ "F5", "\033[15~", 5 },
		{ "F12", "\033[24~", 5 },
		{ "F13", "\033[1;2P", 6 },
		{ "F24", "\033[24;2~", 7 },
		{ "M-F2", "\033[1;3Q", 6 },
		{ "Click 1,2", "", 0 },
		{ "Resize", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct key k;
		char bytes[32];

		assert_true(key_parse(cases[i].name, &k));
		if (key_bytes(k, bytes, sizeof bytes) != cases[i].len ||
		    memcmp(bytes, cases[i].bytes, cases[i].len) != 0)
			fail_msg("%s", cases[i].name);
		/* all or nothing */
		if (cases[i].len)
			assert_int_equal(
			    key_bytes(k, bytes, cases[i].len - 1), 0);
	}
}

/* As other terminals than TERM says send them: xterm, rxvt, vt220, Linux. */
static void
sequences_are_keys(void **state)
{
	static const struct {
		const char *sent, *name;
	} cases[] = {
		{ "[A", "Up" },
		{ "OB", "Down" },
		{ "[1~", "Home" },
		{ "[7~", "Home" },
		{ "OH", "Home" },
		{ "[4~", "End" },
		{ "[8~", "End" },
		{ "[F", "End" },
		{ "[5~", "PgUp" },
		{ "[6;5~", "C-PgDn" },
		{ "[1;2A", "S-Up" },
		{ "[Z", "S-Tab" },
		{ "OP", "F1" },
		{ "[[B", "F2" },
		{ "[21~", "F10" },
		{ "[99~", NULL },
		{ "[?1;2c", NULL },
		{ "[", NULL },
		{ "x", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct key have = key_sent(cases[i].sent),
			   want = { .code = K_NONE };

		if (cases[i].name)
			assert_true(key_parse(cases[i].name, &want));
		if (!key_equal(have, want))
			fail_msg("%s", cases[i].sent);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_keys_agree),
		cmocka_unit_test(refuses_what_is_no_key),
		cmocka_unit_test(text_is_told_from_the_rest),
		cmocka_unit_test(keys_are_what_xterm_sends),
		cmocka_unit_test(sequences_are_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
