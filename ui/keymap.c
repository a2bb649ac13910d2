#include "ui/keymap.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"
#include "ui/glyph.h"

struct entry {
	const char *name; /* of the enum */
	const char *keys; /* names with blanks between */
	unsigned where;
	enum key_group group;
	const char *help;
};

static const struct entry table[] = {
#define X(name, keys, where, group, help) \
	[ACTION_##name] = { #name, keys, where, GROUP_KEYS_##group, help },
	ACTIONS(X)
#undef X
};

static const char *const titles[] = {
	[GROUP_KEYS_VIEWS] = "VIEWS",
	[GROUP_KEYS_MOVE] = "MOVE",
	[GROUP_KEYS_TIME] = "TIME",
	[GROUP_KEYS_MEASURE] = "MEASURE",
	[GROUP_KEYS_FIND] = "FIND",
	[GROUP_KEYS_OUTPUT] = "OUTPUT",
};

const char *
keymap_group_title(enum key_group group)
{
	assert(group < GROUP_KEYS_COUNT);
	return titles[group];
}

/* The i-th of names with blanks between; false behind the last. */
static bool
nth_key(const char *s, unsigned i, struct key *k)
{
	char name[16];
	size_t len;

	if (!s)
		return false;
	for (; i > 0; i--) {
		s = strchr(s, ' ');
		if (!s)
			return false;
		s++;
	}
	len = strcspn(s, " ");
	if (len == 0 || len >= sizeof name)
		return false;
	memcpy(name, s, len);
	name[len] = '\0';
	return key_parse(name, k);
}

bool
keymap_key(const struct keymap *m, enum action a, unsigned i, struct key *k)
{
	if (!m)
		return nth_key(table[a].keys, i, k);
	if (i >= m->count[a])
		return false;
	*k = m->keys[a][i];
	return true;
}

void
keymap_init(struct keymap *m)
{
	memset(m, 0, sizeof *m);
	for (unsigned a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		unsigned i = 0;

		while (i < KEYMAP_KEYS &&
		    nth_key(table[a].keys, i, &m->keys[a][i]))
			i++;
		m->count[a] = (uint8_t)i;
	}
}

static bool
has_key(const struct keymap *m, enum action a, struct key k)
{
	struct key own;

	for (unsigned i = 0; keymap_key(m, a, i, &own); i++) {
		if (key_equal(own, k))
			return true;
	}
	return false;
}

bool
keymap_holds(enum action a, enum context where)
{
	return (table[a].where >> where & 1) != 0;
}

bool
keymap_moves(enum action a)
{
	return a != ACTION_NONE && table[a].group == GROUP_KEYS_MOVE;
}

enum action
keymap_action(const struct keymap *m, struct key k, enum context where)
{
	for (unsigned a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if (keymap_holds(a, where) && has_key(m, a, k))
			return a;
	}
	return ACTION_NONE;
}

/* ---- other keys ------------------------------------------------------- */

struct key_label
keymap_name(enum action a)
{
	struct key_label r = { "" };
	const char *s = table[a].name ? table[a].name : "";

	for (size_t i = 0; s[i] && i + 1 < sizeof r.s; i++)
		r.s[i] = s[i] == '_' ? '-' : (char)tolower(s[i]);
	return r;
}

static enum action
find_action(const char *name)
{
	for (unsigned a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if (strcmp(keymap_name(a).s, name) == 0)
			return a;
	}
	return ACTION_NONE;
}

/* Without these one would not find out of something. */
static bool
leads_out(enum action a)
{
	return a == ACTION_QUIT || a == ACTION_BACK || a == ACTION_HELP;
}

/* Away from what has it by the table. */
static int
take_key(struct keymap *m, enum action from, struct key k, struct err *e)
{
	unsigned to = 0;

	if (!has_key(m, from, k))
		return 0;
	if (m->own[from])
		return err_set(e, "%s is bound to %s already", key_label(k).s,
		    keymap_name(from).s);
	if (m->count[from] == 1 && leads_out(from))
		return err_set(e, "%s is the only key of %s", key_label(k).s,
		    keymap_name(from).s);
	for (unsigned i = 0; i < m->count[from]; i++) {
		if (!key_equal(m->keys[from][i], k))
			m->keys[from][to++] = m->keys[from][i];
	}
	m->count[from] = (uint8_t)to;
	return 0;
}

static int
add_key(struct keymap *m, enum action a, const char *name, struct err *e)
{
	struct key k;

	if (!key_parse(name, &k) || key_is_mouse(k))
		return err_set(e,
		    "%.*s is no key; keys are such as x, C-x, "
		    "F5, PgUp or space",
		    (int)utf8_head(name, 20), name);
	if (has_key(m, a, k))
		return 0;
	if (m->count[a] >= KEYMAP_KEYS)
		return err_set(e, "%s takes %d keys and no more",
		    keymap_name(a).s, KEYMAP_KEYS);
	for (unsigned b = ACTION_NONE + 1; b < ACTION_COUNT; b++) {
		if (b != a && table[a].where & table[b].where &&
		    take_key(m, b, k, e) < 0)
			return -1;
	}
	m->keys[a][m->count[a]++] = k;
	return 0;
}

int
keymap_bind(
    struct keymap *m, const char *action, const char *keys, struct err *e)
{
	enum action a = find_action(action);
	struct keymap made = *m;
	char name[24];

	if (a == ACTION_NONE)
		return err_set(e,
		    "there is no action %.*s; heaptop-config(5) has their "
		    "names",
		    (int)utf8_head(action, 20), action);
	made.count[a] = 0;
	for (keys += strspn(keys, " \t"); *keys; keys += strspn(keys, " \t")) {
		size_t len = strcspn(keys, " \t");

		snprintf(name, sizeof name, "%.*s", (int)len, keys);
		if (add_key(&made, a, name, e) < 0)
			return -1;
		keys += len;
	}
	if (made.count[a] == 0)
		return err_set(e, "%s wants a key", keymap_name(a).s);
	made.own[a] = true;
	*m = made;
	return 0;
}

/* ---- as people read them ------------------------------------------------ */

struct key_label
keymap_sign(struct key k, bool ascii)
{
	static const struct {
		uint32_t code;
		enum glyph sign;
	} signs[] = {
		{ K_ENTER, GLYPH_KEY_ENTER },
		{ K_BACKSPACE, GLYPH_KEY_BACKSPACE },
		{ K_LEFT, GLYPH_KEY_LEFT },
		{ K_RIGHT, GLYPH_KEY_RIGHT },
		{ K_UP, GLYPH_KEY_UP },
		{ K_DOWN, GLYPH_KEY_DOWN },
	};
	struct key_label r = key_label(k);

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		if (k.code == signs[i].code && k.mods == 0)
			snprintf(
			    r.s, sizeof r.s, "%s", glyph(signs[i].sign, ascii));
	}
	/* In hints these stand in a sentence, with a small letter. */
	if (k.code == K_ESC)
		snprintf(r.s, sizeof r.s, "esc");
	if (k.code == K_TAB)
		snprintf(r.s, sizeof r.s, "tab");
	return r;
}

/* ---- hints ----------------------------------------------------------- */

/* Best first; used on grids of at least `from` and less than `below` columns
 * (0: any). */
struct hint {
	unsigned where;
	int from, below;
	const char *text;
	enum action actions[4];
};

#define TO(...)             \
	{                   \
		__VA_ARGS__ \
	}
#define A(x)        ACTION_##x
#define NARROW      0, 92
#define MEDIUM      72, 92
#define WIDE        92, 140
#define HUGE        140, 0
#define FROM_MEDIUM 72, 0
#define FROM_WIDE   92, 0
#define TO_WIDE     72, 140
#define ALWAYS      0, 0

/* clang-format off */
static const struct hint hints[] = {
	{ IN(TREE), MEDIUM, "fold", TO(A(LEFT), A(RIGHT)) },
	{ IN(TREE), FROM_WIDE, "fold/unfold", TO(A(LEFT), A(RIGHT)) },
	{ IN(TREE), FROM_WIDE, "all below", TO(A(UNFOLD_ALL), A(FOLD_ALL)) },
	{ IN(TREE), ALWAYS, "invert", TO(A(INVERT)) },
	{ IN(TREE), ALWAYS, "root here", TO(A(ROOT)) },
	{ IN(TREE), ALWAYS, "filter", TO(A(FILTER)) },
	{ IN(TREE), FROM_WIDE, "chains", TO(A(CHAINS)) },
	{ IN(TREE), MEDIUM, "source", TO(A(ENTER)) },
	{ IN(FLAME), ALWAYS, "move", TO(A(LEFT), A(RIGHT), A(UP), A(DOWN)) },
	{ IN(FLAME), ALWAYS, "zoom", TO(A(ENTER)) },
	{ IN(FLAME), NARROW, "out", TO(A(ROOT_UP)) },
	{ IN(FLAME), FROM_WIDE, "zoom out", TO(A(ROOT_UP)) },
	{ IN(FLAME), ALWAYS, "find", TO(A(FILTER)) },
	{ IN(FLAME), FROM_WIDE, "next", TO(A(NEXT), A(PREVIOUS)) },
	{ IN(FLAME), ALWAYS, "invert", TO(A(INVERT)) },
	{ IN(FLAME), NARROW, "change", TO(A(BY_CHANGE)) },
	{ IN(SNAPSHOTS), ALWAYS, "set A", TO(A(MARK_A)) },
	{ IN(SNAPSHOTS), ALWAYS, "set B", TO(A(MARK_B)) },
	{ IN(SNAPSHOTS), ALWAYS, "view at", TO(A(ENTER)) },
	{ IN(SNAPSHOTS), ALWAYS, "back to live", TO(A(BACK)) },
	{ IN(SNAPSHOTS), ALWAYS, "swap A B", TO(A(MARKS_SWAP)) },
	{ IN(SNAPSHOTS), ALWAYS, "write to file", TO(A(RECORD)) },
	{ IN(THREADS), ALWAYS, "only this one", TO(A(ENTER)) },
	{ IN_ROWS & ~IN(THREADS), ALWAYS, "open", TO(A(ENTER)) },
	{ IN_ROWS, ALWAYS, "filter", TO(A(FILTER)) },
	{ IN(TOP), TO_WIDE, "group", TO(A(GROUP)) },
	{ IN(TOP), HUGE, "group by", TO(A(GROUP)) },
	{ IN(TOP) | IN(THREADS), FROM_MEDIUM, "sort", TO(A(SORT)) },
	{ IN(TOP) | IN(THREADS), FROM_WIDE, "metric", TO(A(METRIC)) },
	{ IN(GROWTH), FROM_WIDE, "set A here", TO(A(MARK_A)) },
	{ IN(GROWTH), FROM_WIDE, "set B", TO(A(MARK_B)) },
	{ IN(TOP) | IN(THREADS), TO_WIDE, "marks", TO(A(MARK_A), A(MARK_B)) },
	{ IN(GROWTH), MEDIUM, "marks", TO(A(MARK_A), A(MARK_B)) },
	{ IN(TOP) | IN(THREADS), HUGE, "set marks", TO(A(MARK_A), A(MARK_B)) },
	{ IN(GROWTH), FROM_MEDIUM, "reverse", TO(A(REVERSE_GROWTH)) },
	{ IN(GROWTH), FROM_MEDIUM, "unchanged", TO(A(UNCHANGED)) },
	{ IN(TOP), HUGE, "step back/forward", TO(A(OLDER), A(NEWER)) },
	{ IN_ROWS, FROM_WIDE, "pause", TO(A(PAUSE)) },
	{ IN(TOP), HUGE, "dump now", TO(A(SNAPSHOT)) },
	{ IN(TOP), HUGE, "export", TO(A(EXPORT)) },
	{ IN(TOP), HUGE, "plumbing", TO(A(PLUMBING)) },
	{ IN(MEMORY), ALWAYS, "select", TO(A(UP), A(DOWN)) },
	{ IN(MEMORY), ALWAYS, "pause", TO(A(PAUSE)) },
	{ IN(MEMORY), ALWAYS, "step", TO(A(OLDER), A(NEWER)) },
	{ IN(DETAIL), ALWAYS, "frame", TO(A(UP), A(DOWN)) },
	{ IN(DETAIL), ALWAYS, "show in tree", TO(A(TO_TREE)) },
	{ IN(DETAIL), ALWAYS, "show in flame", TO(A(TO_FLAME)) },
	{ IN(DETAIL), ALWAYS, "print stack on exit", TO(A(PRINT)) },
	{ IN(DETAIL), HUGE, "copy stack", TO(A(COPY)) },
	{ IN(DETAIL) | IN(TREE), HUGE, "edit source", TO(A(EDIT)) },
	{ IN(OUTPUT), ALWAYS, "find", TO(A(FILTER)) },
	{ IN(OUTPUT), FROM_MEDIUM, "next", TO(A(NEXT), A(PREVIOUS)) },
	{ IN(OUTPUT), ALWAYS, "save", TO(A(SAVE)) },
	{ IN(OUTPUT), ALWAYS, "type into it", TO(A(TYPE)) },
	{ IN(OUTPUT), ALWAYS, "follow", TO(A(FOLLOW)) },
	{ IN(OUTPUT), FROM_MEDIUM, "sideways", TO(A(LEFT), A(RIGHT)) },
	{ IN(OUTPUT), ALWAYS, "back", TO(A(BACK)) },
	{ IN(OVER), ALWAYS, "scroll", TO(A(UP), A(DOWN)) },
	{ IN(OVER), ALWAYS, "close", TO(A(BACK)) },
};
/* clang-format on */

#define HINTS (sizeof hints / sizeof hints[0])

static const struct hint help_hint = { 0, ALWAYS, "help", TO(A(HELP)) };
static const struct hint quit_hint = { 0, ALWAYS, "quit", TO(A(QUIT)) };

static bool
offered(const struct keymap_offer *o, enum action a)
{
	return !o || o->offers(o->data, a);
}

/* "a b" of a hint's actions. */
static struct help_line
hint_keys(const struct hint *h, const struct keymap *m, bool ascii)
{
	struct help_line l = { "", h->text };
	struct key k;
	size_t used = 0;

	for (size_t i = 0; i < 4 && h->actions[i] != ACTION_NONE; i++) {
		if (!keymap_key(m, h->actions[i], 0, &k))
			continue;
		used += (size_t)snprintf(l.keys + used, sizeof l.keys - used,
		    "%s%s", used ? " " : "", keymap_sign(k, ascii).s);
	}
	return l;
}

static int
hint_width(const struct hint *h, const struct keymap *m, bool ascii)
{
	struct help_line l = hint_keys(h, m, ascii);

	return utf8_width(l.keys) + 1 + utf8_width(l.text);
}

static bool
hint_here(const struct hint *h, enum context where, int width,
    const struct keymap_offer *o)
{
	struct key k;

	return h->where >> where & 1 && h->actions[0] != ACTION_NONE &&
	    keymap_key(o ? o->keys : NULL, h->actions[0], 0, &k) &&
	    offered(o, h->actions[0]) && width >= h->from &&
	    (h->below == 0 || width < h->below);
}

static int
hint_draw(
    struct grid *g, int x, int y, const struct hint *h, const struct keymap *m)
{
	struct help_line l = hint_keys(h, m, g->ascii);

	x = grid_put(g, x, y, ROLE_KEY, l.keys);
	return grid_put(g, x + 1, y, ROLE_TEXT, l.text);
}

int
keymap_hints(struct grid *g, int x, int end, int y, enum context where,
    const struct keymap_offer *o)
{
	const struct keymap *m = o ? o->keys : NULL;
	int help = hint_width(&help_hint, m, g->ascii);
	int quit = hint_width(&quit_hint, m, g->ascii);
	bool want_quit =
	    g->width < 72 || (where == CONTEXT_TREE && g->width < 92);
	int room = end - x - help - (want_quit ? 2 + quit : 0);

	for (size_t i = 0; i < HINTS && room > 0; i++) {
		int width;

		if (!hint_here(&hints[i], where, g->width, o))
			continue;
		width = hint_width(&hints[i], m, g->ascii) + 2;
		if (width > room)
			break;
		room -= width;
		x = hint_draw(g, x, y, &hints[i], m) + 2;
	}
	if (end - x >= help)
		x = hint_draw(g, x, y, &help_hint, m);
	if (want_quit && end - x >= quit + 2)
		x = hint_draw(g, x + 2, y, &quit_hint, m);
	return x;
}

/* ---- help ------------------------------------------------------------ */

/* The keys of one action are added to the line's. */
static void
add_keys(struct help_line *l, const struct keymap *m, enum action a, unsigned i,
    bool ascii)
{
	size_t used = strlen(l->keys);
	struct key k;

	if (!keymap_key(m, a, i, &k))
		return;
	snprintf(l->keys + used, sizeof l->keys - used, "%s%s", used ? " " : "",
	    keymap_sign(k, ascii).s);
}

/* Actions without a text follow the one whose line they share. */
static unsigned
shared(unsigned a)
{
	unsigned last = a;

	while (last + 1 < ACTION_COUNT && table[last + 1].help[0] == '\0' &&
	    table[last + 1].group == table[a].group)
		last++;
	return last;
}

/* Whether there is a line for what `a` and those that share it do. */
static bool
line_offered(const struct keymap_offer *o, unsigned a)
{
	if (table[a].help[0] == '\0')
		return false;
	for (unsigned b = a; b <= shared(a); b++) {
		if (offered(o, b))
			return true;
	}
	return false;
}

bool
keymap_help(enum key_group group, unsigned i, bool ascii,
    const struct keymap_offer *o, struct help_line *l)
{
	for (unsigned a = ACTION_NONE + 1; a < ACTION_COUNT; a++) {
		if (table[a].group != group || !line_offered(o, a) || i-- > 0)
			continue;
		*l = (struct help_line){ "", table[a].help };
		/* First keys of all, then second keys of all: "↑ ↓ k j". */
		for (unsigned nth = 0; nth < KEYMAP_KEYS; nth++) {
			for (unsigned b = a; b <= shared(a); b++) {
				if (offered(o, b))
					add_keys(l, o ? o->keys : NULL, b, nth,
					    ascii);
			}
		}
		return true;
	}
	return false;
}
