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
	return k.code == K_CLICK || k.code == K_WHEEL_UP ||
	    k.code == K_WHEEL_DOWN;
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
