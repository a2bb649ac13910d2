/* needs: src/base/err.c src/base/mem.c src/base/buf.c src/base/utf8.c
 * ui/grid.c ui/style.c ui/glyph.c ui/key.c ui/keymap.c */
#include "ui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"

static struct key
key(const char *name)
{
	struct key k;

	assert_true(key_parse(name, &k));
	return k;
}

static void
a_key_means_one_thing(void **state)
{
	struct key k;

	(void)state;
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		assert_true(keymap_key(NULL, (enum action)a, 0, &k));
		for (unsigned i = 0; keymap_key(NULL, (enum action)a, i, &k);
		     i++) {
			for (int c = 0; c < CONTEXT_COUNT; c++) {
				if (!keymap_holds(
					(enum action)a, (enum context)c))
					continue;
				assert_int_equal(
				    keymap_action(NULL, k, (enum context)c), a);
			}
		}
	}
	assert_false(keymap_key(NULL, ACTION_NONE, 0, &k));
}

static void
keys_do_what_the_design_says(void **state)
{
	static const struct {
		const char *key;
		enum context where;
		enum action expected;
	} t[] = {
		{ "1", CONTEXT_TREE, ACTION_VIEW_TOP },
		{ "7", CONTEXT_TOP, ACTION_VIEW_MEMORY },
		{ "k", CONTEXT_TOP, ACTION_UP },
		{ "Down", CONTEXT_OVER, ACTION_DOWN },
		{ "space", CONTEXT_GROWTH, ACTION_PAUSE },
		{ "D", CONTEXT_FLAME, ACTION_BY_CHANGE },
		{ "d", CONTEXT_FLAME, ACTION_SNAPSHOT },
		{ "\\", CONTEXT_TOP, ACTION_FILTER_KEEP },
		{ "C-c", CONTEXT_DETAIL, ACTION_QUIT },
		{ "C-l", CONTEXT_OVER, ACTION_REDRAW },
		{ "r", CONTEXT_GROWTH, ACTION_REVERSE_GROWTH },
		{ "r", CONTEXT_TOP, ACTION_NONE },
		{ "g", CONTEXT_OVER, ACTION_NONE },
		{ "s", CONTEXT_OUTPUT, ACTION_SAVE },
		{ "i", CONTEXT_OUTPUT, ACTION_TYPE },
		{ "i", CONTEXT_TREE, ACTION_INVERT },
		{ "/", CONTEXT_OUTPUT, ACTION_FILTER },
		{ "a", CONTEXT_OUTPUT, ACTION_NONE },
		{ "[", CONTEXT_OUTPUT, ACTION_NONE },
		{ "o", CONTEXT_OUTPUT, ACTION_OUTPUT },
		{ ":", CONTEXT_DETAIL, ACTION_COMMAND },
		{ "*", CONTEXT_TOP, ACTION_ROW_ONLY },
		{ "!", CONTEXT_SNAPSHOTS, ACTION_NONE },
		{ "P", CONTEXT_OUTPUT, ACTION_PROCESS },
		{ "F12", CONTEXT_TOP, ACTION_NONE },
		{ "C-k", CONTEXT_TOP, ACTION_NONE },
		{ "F1", CONTEXT_OVER, ACTION_HELP },
		{ "F3", CONTEXT_OUTPUT, ACTION_FILTER },
		{ "F4", CONTEXT_TOP, ACTION_FILTER_KEEP },
		{ "F5", CONTEXT_TOP, ACTION_VIEW_TREE },
		{ "F6", CONTEXT_TOP, ACTION_SORT },
		{ "F9", CONTEXT_TOP, ACTION_TERMINATE },
		{ "F9", CONTEXT_OVER, ACTION_NONE },
		{ "F10", CONTEXT_OVER, ACTION_QUIT },
		{ "G", CONTEXT_FLAME, ACTION_LAST },
		{ "C-d", CONTEXT_OVER, ACTION_HALF_DOWN },
		{ "C-u", CONTEXT_TOP, ACTION_HALF_UP },
		{ "C-f", CONTEXT_DETAIL, ACTION_PAGE_DOWN },
		{ "C-b", CONTEXT_OUTPUT, ACTION_PAGE_UP },
		{ "v", CONTEXT_TREE, ACTION_EDIT },
		{ "Y", CONTEXT_DETAIL, ACTION_COPY },
		{ "v", CONTEXT_OUTPUT, ACTION_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++)
		assert_int_equal(keymap_action(NULL, key(t[i].key), t[i].where),
		    t[i].expected);
}

static void
assert_hints(
    int width, int end, bool ascii, enum context where, const char *expected)
{
	struct grid g;
	struct buf b = BUF_INIT;

	grid_init(&g, width, 1);
	g.ascii = ascii;
	keymap_hints(&g, 1, end, 0, where, NULL);
	grid_text(&g, &b);
	assert_string_equal(buf_str(&b), expected);
	buf_fini(&b);
	grid_fini(&g);
}

/* The last lines of the mock-ups; `end` is where the position begins, less a
 * blank. */
static void
hints_are_those_of_the_mock_ups(void **state)
{
	(void)state;
	assert_hints(100, 87, false, CONTEXT_TOP,
	    " ↵ open  / filter  g group  s sort  m metric  a b marks  "
	    "space pause  ? help\n");
	assert_hints(100, 88, false, CONTEXT_GROWTH,
	    " ↵ open  / filter  a set A here  b set B  r reverse  "
	    "u unchanged  space pause  ? help\n");
	assert_hints(100, 91, false, CONTEXT_TREE,
	    " ← → fold/unfold  + - all below  i invert  z root here  "
	    "/ filter  c chains  ? help\n");
	assert_hints(100, 90, false, CONTEXT_FLAME,
	    " ← → ↑ ↓ move  ↵ zoom  ⌫ zoom out  / find  n N next  "
	    "i invert  ? help\n");
	assert_hints(100, 89, false, CONTEXT_SNAPSHOTS,
	    " a set A  b set B  ↵ view at  esc back to live  x swap A B  "
	    "w write to file  ? help\n");
	assert_hints(100, 86, false, CONTEXT_DETAIL,
	    " ↑ ↓ frame  t show in tree  f show in flame  "
	    "y print stack on exit  ? help\n");
	assert_hints(80, 67, false, CONTEXT_TOP,
	    " ↵ open  / filter  g group  s sort  a b marks  ? help\n");
	assert_hints(80, 68, false, CONTEXT_GROWTH,
	    " ↵ open  / filter  a b marks  r reverse  u unchanged  "
	    "? help\n");
	assert_hints(80, 71, false, CONTEXT_TREE,
	    " ← → fold  i invert  z root here  / filter  ↵ source  "
	    "? help  q quit\n");
	assert_hints(80, 70, false, CONTEXT_FLAME,
	    " ← → ↑ ↓ move  ↵ zoom  ⌫ out  / find  i invert  D change  "
	    "? help\n");
	assert_hints(160, 147, false, CONTEXT_TOP,
	    " ↵ open  / filter  g group by  s sort  m metric  a b set marks"
	    "  [ ] step back/forward  space pause  d dump now  e export"
	    "  p plumbing  ? help\n");
	assert_hints(
	    60, 47, false, CONTEXT_TOP, " ↵ open  / filter  ? help  q quit\n");
	assert_hints(80, 67, true, CONTEXT_TOP,
	    " Enter open  / filter  g group  s sort  a b marks  ? help\n");
}

static void
hints_give_way_from_the_right(void **state)
{
	(void)state;
	assert_hints(100, 40, false, CONTEXT_TOP,
	    " ↵ open  / filter  g group  ? help\n");
	/* column 1 and "? help" is 6 wide */
	assert_hints(100, 7, false, CONTEXT_TOP, " ? help\n");
	assert_hints(100, 6, false, CONTEXT_TOP, "\n");
	assert_hints(20, 19, false, CONTEXT_TOP, " ? help  q quit\n");
}

static void
hints_mark_keys(void **state)
{
	struct grid g;
	struct buf b = BUF_INIT;

	(void)state;
	grid_init(&g, 20, 1);
	keymap_hints(&g, 1, 19, 0, CONTEXT_TOP, NULL);
	grid_roles(&g, &b);
	assert_string_equal(buf_str(&b), ".k.......k\n");
	buf_fini(&b);
	grid_fini(&g);
}

static void
help_lists_every_action_once(void **state)
{
	struct help_line l;
	size_t lines = 0;

	(void)state;
	for (int g = 0; g < GROUP_KEYS_COUNT; g++) {
		for (unsigned i = 0;
		     keymap_help((enum key_group)g, i, false, NULL, &l); i++) {
			assert_true(l.keys[0] != '\0' && l.text[0] != '\0');
			/* two columns of a box of 92: 43 inside, 2 before
			 * the keys, at least 12 for them, 1 behind */
			assert_in_range(utf8_width(l.text), 1, 30);
			assert_in_range(
			    utf8_width(l.keys) + utf8_width(l.text), 2, 40);
			lines++;
		}
	}
	assert_true(lines > 20);
	assert_true(keymap_help(GROUP_KEYS_MOVE, 0, false, NULL, &l));
	assert_string_equal(l.keys, "↑ ↓ k j");
	assert_string_equal(l.text, "row");
	assert_true(keymap_help(GROUP_KEYS_MEASURE, 2, true, NULL, &l));
	assert_string_equal(l.keys, "s S r F6");
	assert_string_equal(keymap_group_title(GROUP_KEYS_TIME), "TIME");
}

static bool
offers_all(const void *data, enum action a)
{
	(void)data;
	return a != ACTION_NONE;
}

static bool
no_shapes(const void *data, enum action a)
{
	assert_string_equal(data, "data");
	return a != ACTION_TO_TREE && a != ACTION_TO_FLAME && a != ACTION_LAST;
}

static void
leaves_out_what_is_not_offered(void **state)
{
	struct keymap_offer o = { no_shapes, "data", NULL };
	struct help_line l;
	struct buf b = BUF_INIT;
	struct grid g;

	(void)state;
	grid_init(&g, 100, 1);
	keymap_hints(&g, 1, 86, 0, CONTEXT_DETAIL, &o);
	grid_text(&g, &b);
	assert_string_equal(
	    buf_str(&b), " ↑ ↓ frame  y print stack on exit  ? help\n");
	for (unsigned i = 0; keymap_help(GROUP_KEYS_FIND, i, false, &o, &l);
	     i++)
		assert_string_not_equal(l.text, "show in tree, in flame");
	/* one of two that share a line */
	assert_true(keymap_help(GROUP_KEYS_MOVE, 3, false, &o, &l));
	assert_string_equal(l.keys, "Home");
	buf_fini(&b);
	grid_fini(&g);
}

/* A key that moves anywhere does nothing but move, anywhere; so what ends,
 * writes, marks or stops something is on none of them. */
static void
keys_that_move_only_move(void **state)
{
	struct key k;

	(void)state;
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if (!keymap_moves((enum action)a))
			continue;
		for (unsigned i = 0; keymap_key(NULL, (enum action)a, i, &k);
		     i++) {
			for (int c = 0; c < CONTEXT_COUNT; c++) {
				enum action does =
				    keymap_action(NULL, k, (enum context)c);

				assert_true(
				    does == ACTION_NONE || keymap_moves(does));
			}
		}
	}
	assert_false(keymap_moves(ACTION_QUIT));
	assert_false(keymap_moves(ACTION_TERMINATE));
	assert_false(keymap_moves(ACTION_NONE));
}

static void
every_action_has_a_name_of_its_own(void **state)
{
	(void)state;
	assert_string_equal(keymap_name(ACTION_VIEW_TOP).s, "view-top");
	assert_string_equal(keymap_name(ACTION_QUIT).s, "quit");
	for (int a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		for (int b = a + 1; b < ACTION_COUNT; b++)
			assert_string_not_equal(keymap_name((enum action)a).s,
			    keymap_name((enum action)b).s);
	}
}

static void
keys_can_be_bound(void **state)
{
	struct err e = { "" };
	struct keymap m;
	struct key k;

	(void)state;
	keymap_init(&m);
	assert_int_equal(
	    keymap_action(&m, key("e"), CONTEXT_TOP), ACTION_EXPORT);
	assert_int_equal(keymap_bind(&m, "export", " F7  x ", &e), 0);
	assert_int_equal(
	    keymap_action(&m, key("F7"), CONTEXT_TOP), ACTION_EXPORT);
	/* x was to swap the marks */
	assert_int_equal(
	    keymap_action(&m, key("x"), CONTEXT_TOP), ACTION_EXPORT);
	assert_int_equal(keymap_action(&m, key("e"), CONTEXT_TOP), ACTION_NONE);
	assert_false(keymap_key(&m, ACTION_MARKS_SWAP, 0, &k));
	/* where both are not, both may have it: s saves in the output */
	assert_int_equal(keymap_bind(&m, "sort", "o", &e), 0);
	assert_int_equal(keymap_bind(&m, "save", "s", &e), 0);
	assert_int_equal(keymap_action(&m, key("o"), CONTEXT_TOP), ACTION_SORT);
	assert_int_equal(
	    keymap_action(&m, key("s"), CONTEXT_OUTPUT), ACTION_SAVE);
	/* again: the last word counts */
	assert_int_equal(keymap_bind(&m, "export", "E", &e), 0);
	assert_int_equal(
	    keymap_action(&m, key("F7"), CONTEXT_TOP), ACTION_NONE);
}

static void
wrong_keys_are_refused(void **state)
{
	static const struct {
		const char *action, *keys, *says;
	} cases[] = {
		{ "fly", "x", "there is no action fly" },
		{ "export", "", "export wants a key" },
		{ "export", "Hyper-x", "Hyper-x is no key" },
		{ "export", "Click", "Click is no key" },
		{ "export", "Q", "Q is bound to quit already" },
		{ "export", "Esc", "Esc is the only key of back" },
		{ "export", "1 2 3 4 5 6 7", "export takes 6 keys" },
	};
	struct keymap m, before;
	struct err e = { "" };

	(void)state;
	keymap_init(&m);
	assert_int_equal(keymap_bind(&m, "quit", "Q", &e), 0);
	before = m;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(
		    keymap_bind(&m, cases[i].action, cases[i].keys, &e), -1);
		if (strncmp(e.msg, cases[i].says, strlen(cases[i].says)) != 0)
			fail_msg("%s", e.msg);
		assert_memory_equal(&m, &before, sizeof m);
	}
}

static void
hints_and_help_show_bound_keys(void **state)
{
	struct keymap m;
	struct keymap_offer o = { NULL, NULL, &m };
	struct err e = { "" };
	struct help_line l;
	struct buf b = BUF_INIT;
	struct grid g;

	(void)state;
	o.offers = offers_all;
	keymap_init(&m);
	assert_int_equal(keymap_bind(&m, "filter", "F7", &e), 0);
	assert_int_equal(keymap_bind(&m, "mark-a", "g", &e), 0);
	grid_init(&g, 80, 1);
	keymap_hints(&g, 1, 67, 0, CONTEXT_TOP, &o);
	grid_text(&g, &b);
	/* group has lost its key, and with it its hint */
	assert_string_equal(
	    buf_str(&b), " ↵ open  F7 filter  s sort  g b marks  ? help\n");
	assert_true(keymap_help(GROUP_KEYS_FIND, 0, false, &o, &l));
	assert_string_equal(l.keys, "F7");
	buf_fini(&b);
	grid_fini(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_means_one_thing),
		cmocka_unit_test(keys_do_what_the_design_says),
		cmocka_unit_test(hints_are_those_of_the_mock_ups),
		cmocka_unit_test(hints_give_way_from_the_right),
		cmocka_unit_test(hints_mark_keys),
		cmocka_unit_test(help_lists_every_action_once),
		cmocka_unit_test(leaves_out_what_is_not_offered),
		cmocka_unit_test(keys_that_move_only_move),
		cmocka_unit_test(every_action_has_a_name_of_its_own),
		cmocka_unit_test(keys_can_be_bound),
		cmocka_unit_test(wrong_keys_are_refused),
		cmocka_unit_test(hints_and_help_show_bound_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
