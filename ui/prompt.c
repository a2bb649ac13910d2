#include "ui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/glyph.h"

static void
copy(char *to, const char *from)
{
	size_t n = strlen(from);

	if (n > PROMPT_MAX) {
		n = PROMPT_MAX;
		while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memmove(to, from, n);
	to[n] = '\0';
}

void
prompt_set(struct prompt *p, const char *text)
{
	copy(p->text, text);
	p->at = strlen(p->text);
	p->recall = 0;
}

/* Where the character before byte `at` begins, with the marks on it. */
static size_t
before(const char *s, size_t at)
{
	size_t used;

	while (at > 0) {
		do
			at--;
		while (at > 0 && ((unsigned char)s[at] & 0xc0) == 0x80);
		if (utf8_columns(utf8_decode(s + at, strlen(s + at), &used)))
			break;
	}
	return at;
}

static size_t
after(const char *s, size_t at)
{
	size_t used;

	if (!s[at])
		return at;
	utf8_decode(s + at, strlen(s + at), &used);
	at += used;
	while (s[at] &&
	    utf8_columns(utf8_decode(s + at, strlen(s + at), &used)) == 0)
		at += used;
	return at;
}

static size_t
word_before(const char *s, size_t at)
{
	while (at > 0 && s[at - 1] == ' ')
		at--;
	while (at > 0 && s[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_result
cut(struct prompt *p, size_t from, size_t to, bool keep)
{
	if (from == to)
		return PROMPT_MOVED;
	if (keep) {
		memcpy(p->killed, p->text + from, to - from);
		p->killed[to - from] = '\0';
	}
	memmove(p->text + from, p->text + to, strlen(p->text + to) + 1);
	p->at = from;
	return PROMPT_CHANGED;
}

static enum prompt_result
insert(struct prompt *p, const char *s)
{
	size_t n = strlen(s), len = strlen(p->text);

	if (n == 0 || len + n > PROMPT_MAX)
		return PROMPT_MOVED;
	memmove(p->text + p->at + n, p->text + p->at, len - p->at + 1);
	memcpy(p->text + p->at, s, n);
	p->at += n;
	return PROMPT_CHANGED;
}

static enum prompt_result
move(struct prompt *p, size_t to)
{
	p->at = to;
	return PROMPT_MOVED;
}

static enum prompt_result
recall(struct prompt *p, int to)
{
	if (to < 0 || to > p->count)
		return PROMPT_MOVED;
	if (p->recall == 0)
		copy(p->line, p->text);
	copy(p->text, to ? p->history[to - 1] : p->line);
	p->recall = to;
	p->at = strlen(p->text);
	return PROMPT_CHANGED;
}

/* The same line again moves to the front. */
static void
remember(struct prompt *p)
{
	int i = 0;

	if (!p->text[0])
		return;
	while (i < p->count && strcmp(p->history[i], p->text) != 0)
		i++;
	if (i == p->count && p->count < PROMPT_HISTORY)
		p->count++;
	if (i == PROMPT_HISTORY)
		i--;
	memmove(p->history[1], p->history[0], (size_t)i * sizeof p->history[0]);
	copy(p->history[0], p->text);
}

static enum prompt_result
control(struct prompt *p, uint32_t letter)
{
	size_t end = strlen(p->text);

	switch (letter) {
	case 'a': return move(p, 0);
	case 'b': return move(p, before(p->text, p->at));
	case 'c':
	case 'g': return PROMPT_CANCEL;
	case 'd': return cut(p, p->at, after(p->text, p->at), false);
	case 'e': return move(p, end);
	case 'f': return move(p, after(p->text, p->at));
	case 'h': return cut(p, before(p->text, p->at), p->at, false);
	case 'k': return cut(p, p->at, end, true);
	case 'n': return recall(p, p->recall - 1);
	case 'p': return recall(p, p->recall + 1);
	case 'u': return cut(p, 0, p->at, true);
	case 'w': return cut(p, word_before(p->text, p->at), p->at, true);
	case 'y': return insert(p, p->killed);
	default: return PROMPT_IGNORED;
	}
}

static enum prompt_result
plain(struct prompt *p, struct key k)
{
	switch (k.code) {
	case K_ENTER:
		remember(p);
		p->recall = 0;
		return PROMPT_DONE;
	case K_ESC: return PROMPT_CANCEL;
	case K_LEFT: return control(p, 'b');
	case K_RIGHT: return control(p, 'f');
	case K_HOME: return control(p, 'a');
	case K_END: return control(p, 'e');
	case K_UP: return control(p, 'p');
	case K_DOWN: return control(p, 'n');
	case K_BACKSPACE: return control(p, 'h');
	case K_DELETE: return control(p, 'd');
	default: return PROMPT_IGNORED;
	}
}

enum prompt_result
prompt_key(struct prompt *p, struct key k)
{
	if (key_is_text(k) && k.code >= ' ' && k.code != 0x7f)
		return insert(p, key_utf8(k).s);
	if (k.mods == KEY_MOD_ALT && k.code == K_BACKSPACE)
		return control(p, 'w');
	if (k.mods == KEY_MOD_CTRL)
		return control(p, k.code);
	return k.mods == 0 ? plain(p, k) : PROMPT_IGNORED;
}

void
prompt_draw(const struct prompt *p, struct grid *g, int x, int y, int cols)
{
	char head[PROMPT_MAX + 1];
	struct rect old;
	int cursor, shift;

	if (cols <= 0)
		return;
	copy(head, p->text);
	head[p->at] = '\0';
	cursor = utf8_width(head);
	shift = cursor >= cols ? cursor - cols + 1 : 0;
	old = grid_clip(g, (struct rect){ x, y, cols, 1 });
	grid_put(g, x - shift, y, ROLE_TEXT, p->text);
	if (shift > 0)
		grid_put(g, x, y, ROLE_DIM, glyph(GLYPH_CUT, g->ascii));
	g->clip = old;
	g->cursor_x = x + cursor - shift;
	g->cursor_y = y;
	g->cursor_shown = true;
}
