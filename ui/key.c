#include "ui/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
	uint32_t code;
	const char *name;
} names[] = {
#define X(name, text) { K_##name, text },
	KEY_CODES(X)
#undef X
	    { ' ', "space" },
};

#define NAMES (sizeof names / sizeof names[0])

static const struct {
	uint8_t mod;
	char letter;
} mods[] = {
	{ KEY_MOD_CTRL, 'C' },
	{ KEY_MOD_ALT, 'M' },
	{ KEY_MOD_SHIFT, 'S' },
};

#define MODS (sizeof mods / sizeof mods[0])

/* cp as UTF-8; s has room for 5 bytes. */
static void
encode(char *s, uint32_t cp)
{
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	static const uint8_t heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	s[n] = '\0';
	for (size_t i = n; i-- > 1; cp >>= 6)
		s[i] = (char)(0x80 | (cp & 0x3f));
	s[0] = (char)(heads[n] | cp);
}

static void
base_name(struct key k, char *s, size_t size)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (names[i].code == k.code) {
			snprintf(s, size, "%s", names[i].name);
			return;
		}
	}
	if (k.code > K_F0 && k.code <= K_F24)
		snprintf(s, size, "F%u", (unsigned)(k.code - K_F0));
	else if (k.code < K_NONE)
		encode(s, k.code);
	else
		snprintf(s, size, "none");
}

bool
key_is_mouse(struct key k)
{
	return k.code == K_CLICK || k.code == K_RIGHT_CLICK ||
	    k.code == K_DRAG || k.code == K_WHEEL_UP || k.code == K_WHEEL_DOWN;
}

struct key_label
key_label(struct key k)
{
	struct key_label r = { "" };
	char *to = r.s;
	size_t used;

	for (size_t i = 0; i < MODS; i++) {
		if (k.mods & mods[i].mod) {
			*to++ = mods[i].letter;
			*to++ = '-';
		}
	}
	used = (size_t)(to - r.s);
	base_name(k, to, sizeof r.s - used);
	if (key_is_mouse(k)) {
		used = strlen(r.s);
		snprintf(r.s + used, sizeof r.s - used, " %d,%d", k.x % 1000,
		    k.y % 1000);
	}
	return r;
}

/* "3,4" behind the name of a mouse event. */
static bool
parse_place(const char *s, struct key *k)
{
	char *end;
	long x, y;

	if (*s != ' ')
		return false;
	x = strtol(s + 1, &end, 10);
	if (end == s + 1 || *end != ',')
		return false;
	s = end + 1;
	y = strtol(s, &end, 10);
	if (end == s || *end || x < 0 || x > 999 || y < 0 || y > 999)
		return false;
	k->x = (int16_t)x;
	k->y = (int16_t)y;
	return true;
}

static bool
parse_named(const char *s, struct key *k)
{
	for (size_t i = 0; i < NAMES; i++) {
		size_t len = strlen(names[i].name);

		if (strncmp(s, names[i].name, len) != 0)
			continue;
		k->code = names[i].code;
		if (key_is_mouse(*k) && parse_place(s + len, k))
			return true;
		if (s[len] == '\0' && !key_is_mouse(*k))
			return true;
	}
	return false;
}

static bool
parse_function(const char *s, struct key *k)
{
	char *end;
	long n;

	if (s[0] != 'F' || s[1] < '1' || s[1] > '9')
		return false;
	n = strtol(s + 1, &end, 10);
	if (*end || n > 24)
		return false;
	k->code = K_F0 + (uint32_t)n;
	return true;
}

static bool
parse_base(const char *s, struct key *k)
{
	size_t len = strlen(s), used;

	if (parse_named(s, k) || parse_function(s, k))
		return true;
	if (len == 0)
		return false;
	k->code = utf8_decode(s, len, &used);
	return used == len && k->code > ' ' && k->code != 0x7f;
}

bool
key_parse(const char *s, struct key *k)
{
	struct key r = { 0 };

	for (size_t i = 0; i < MODS; i++) {
		if (s[0] == mods[i].letter && s[1] == '-' && s[2]) {
			r.mods |= mods[i].mod;
			s += 2;
		}
	}
	if (!parse_base(s, &r))
		return false;
	*k = r;
	return true;
}

bool
key_equal(struct key a, struct key b)
{
	return a.code == b.code && a.mods == b.mods;
}

bool
key_is_text(struct key k)
{
	return k.code < K_NONE && k.mods == 0;
}

struct key_label
key_utf8(struct key k)
{
	struct key_label r = { "" };

	if (k.code < K_NONE)
		encode(r.s, k.code);
	return r;
}

/* ---- what terminals send -------------------------------------------------- */

/* Function keys and the like: ESC [ number ~, or ESC [ letter. */
static const struct {
	uint32_t code;
	uint8_t number; /* 0: 1, and only with a modifier */
	char letter;
} sent[] = {
	{ K_UP, 0, 'A' },
	{ K_DOWN, 0, 'B' },
	{ K_RIGHT, 0, 'C' },
	{ K_LEFT, 0, 'D' },
	{ K_HOME, 0, 'H' },
	{ K_END, 0, 'F' },
	{ K_INSERT, 2, '~' },
	{ K_DELETE, 3, '~' },
	{ K_PAGE_UP, 5, '~' },
	{ K_PAGE_DOWN, 6, '~' },
	{ K_F0 + 1, 0, 'P' },
	{ K_F0 + 2, 0, 'Q' },
	{ K_F0 + 3, 0, 'R' },
	{ K_F0 + 4, 0, 'S' },
	{ K_F0 + 5, 15, '~' },
	{ K_F0 + 6, 17, '~' },
	{ K_F0 + 7, 18, '~' },
	{ K_F0 + 8, 19, '~' },
	{ K_F0 + 9, 20, '~' },
	{ K_F0 + 10, 21, '~' },
	{ K_F0 + 11, 23, '~' },
	{ K_F0 + 12, 24, '~' },
};

static void
sequence(struct key k, char *s, size_t size)
{
	unsigned held = 1u + (k.mods & KEY_MOD_SHIFT ? 1 : 0) +
	    (k.mods & KEY_MOD_ALT ? 2 : 0) + (k.mods & KEY_MOD_CTRL ? 4 : 0);

	/* F13 is what Shift and F1 send */
	if (k.code > K_F0 + 12 && k.code <= K_F24) {
		k.code -= 12;
		held = ((held - 1) | 1) + 1;
	}
	for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++) {
		if (sent[i].code != k.code)
			continue;
		if (held > 1)
			snprintf(s, size, "\033[%u;%u%c",
			    sent[i].number ? sent[i].number : 1u, held,
			    sent[i].letter);
		else if (sent[i].number)
			snprintf(s, size, "\033[%u~", sent[i].number);
		else
			snprintf(s, size, "\033%c%c", k.code > K_F0 ? 'O' : '[',
			    sent[i].letter);
	}
}

/* The byte of a key with Control; -1: it has none of its own. */
static int
control_byte(uint32_t code)
{
	if (code == ' ' || code == '@')
		return 0;
	if (code == '?')
		return 0x7f;
	if (code == '/')
		return 0x1f;
	if ((code >= 'a' && code <= 'z') || (code >= '[' && code <= '_'))
		return (int)(code & 0x1f);
	return -1;
}

size_t
key_bytes(struct key k, char *to, size_t size)
{
	struct key_label s = { "" };
	size_t n;
	int byte = -1;

	if (k.code < K_NONE && k.mods & KEY_MOD_CTRL)
		byte = control_byte(k.code);
	else if (k.code == K_ENTER)
		byte = '\r';
	else if (k.code == K_TAB && !(k.mods & KEY_MOD_SHIFT))
		byte = '\t';
	else if (k.code == K_ESC)
		byte = 0x1b;
	else if (k.code == K_BACKSPACE)
		byte = k.mods & KEY_MOD_CTRL ? '\b' : 0x7f;
	if (byte >= 0)
		s.s[0] = (char)byte;
	else if (k.code < K_NONE)
		s = key_utf8(k);
	else if (k.code == K_TAB)
		snprintf(s.s, sizeof s.s, "\033[Z");
	else {
		sequence(k, s.s, sizeof s.s);
		k.mods = 0; /* they are in it */
	}
	n = byte >= 0 ? 1 : strlen(s.s);
	if (n == 0 || n + (k.mods & KEY_MOD_ALT ? 1 : 0) > size)
		return 0;
	if (k.mods & KEY_MOD_ALT)
		*to++ = '\033';
	memcpy(to, s.s, n);
	return n + (k.mods & KEY_MOD_ALT ? 1 : 0);
}

struct key
key_sent(const char *s)
{
	struct key k = { .code = K_NONE };
	unsigned number = 0, held = 1;
	char letter = s[0] ? s[strlen(s) - 1] : '\0';

	if (*s != '[' && *s != 'O')
		return k;
	if (s[1] == '[') { /* the Linux console's F1 to F5 */
		if (letter >= 'A' && letter <= 'E')
			k.code = K_F0 + 1 + (uint32_t)(letter - 'A');
		return k;
	}
	sscanf(s + 1, "%3u;%3u", &number, &held);
	if (letter == '~' && (number == 1 || number == 7))
		k.code = K_HOME;
	else if (letter == '~' && (number == 4 || number == 8))
		k.code = K_END;
	else if (letter == 'Z')
		k = (struct key){ .code = K_TAB, .mods = KEY_MOD_SHIFT };
	for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++) {
		if (sent[i].letter == letter &&
		    (letter != '~' || sent[i].number == number))
			k.code = sent[i].code;
	}
	held = k.code != K_NONE && held > 0 ? held - 1 : 0;
	k.mods |= (uint8_t)((held & 1 ? KEY_MOD_SHIFT : 0) |
	    (held & 2 ? KEY_MOD_ALT : 0) | (held & 4 ? KEY_MOD_CTRL : 0));
	return k;
}
