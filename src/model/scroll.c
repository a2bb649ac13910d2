#include "model/scroll.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#define LINE_COST   40 /* bytes a line takes beside its text */
#define REPLACEMENT 0xfffd
#define RIGHT_HALF  UINT32_MAX
#define MARKS       2

/* A character with its combining marks; base 0: never written to. */
struct scroll_cell {
	uint32_t base, marks[MARKS];
};

/* ---- lines that are done -------------------------------------------------- */

static size_t
cost(const char *line)
{
	return LINE_COST + (line ? strlen(line) : 0);
}

static void
drop_first(struct scroll *s)
{
	s->bytes -= cost(s->lines[s->first]);
	free(s->lines[s->first]);
	s->first = (s->first + 1) % s->cap;
	s->count--;
	s->gone++;
}

static void
grow(struct scroll *s)
{
	size_t cap = s->cap ? s->cap * 2 : 64;
	char **lines;

	if (cap > SCROLL_LINES)
		cap = SCROLL_LINES;
	lines = xreallocarray(NULL, cap, sizeof *lines);
	for (size_t i = 0; i < s->count; i++)
		lines[i] = s->lines[(s->first + i) % s->cap];
	free(s->lines);
	s->lines = lines;
	s->cap = cap;
	s->first = 0;
}

/* Takes the string; NULL is a gap. */
static void
push(struct scroll *s, char *line)
{
	if (s->count == SCROLL_LINES)
		drop_first(s);
	else if (s->count == s->cap)
		grow(s);
	s->lines[(s->first + s->count) % s->cap] = line;
	s->count++;
	s->bytes += cost(line);
	while (s->bytes > SCROLL_BYTES)
		drop_first(s);
}

/* ---- the line at the end ---------------------------------------------------- */

static size_t
encode(char *to, uint32_t cp)
{
	static const uint8_t heads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; cp >>= 6)
		to[i] = (char)(0x80 | (cp & 0x3f));
	to[0] = (char)(heads[n] | cp);
	return n;
}

static char *
plain_text(const struct scroll *s)
{
	char *text = xmalloc((size_t)s->used + 1);

	for (int i = 0; i < s->used; i++)
		text[i] = s->cells[i].base ? (char)s->cells[i].base : ' ';
	text[s->used] = '\0';
	return text;
}

/* As a string the caller frees. */
static char *
text_of(const struct scroll *s)
{
	size_t n = 0;
	char *text;

	if (!s->beyond)
		return plain_text(s);
	text = xmalloc((size_t)s->used * 4 * (1 + MARKS) + 1);
	for (int i = 0; i < s->used; i++) {
		const struct scroll_cell *c = &s->cells[i];

		if (c->base != RIGHT_HALF)
			n += encode(text + n, c->base ? c->base : ' ');
		for (int m = 0; m < MARKS && c->marks[m]; m++)
			n += encode(text + n, c->marks[m]);
	}
	text[n] = '\0';
	return xreallocarray(text, n + 1, 1);
}

static void
newline(struct scroll *s)
{
	push(s, text_of(s));
	s->used = s->at = 0;
	s->beyond = false;
}

/* Whatever comes is on a line of its own. */
static void
fresh_line(struct scroll *s)
{
	if (s->used > 0)
		newline(s);
	s->at = 0;
}

/* Cells [from, to) become blank, whole characters at a time. */
static void
blank(struct scroll *s, int from, int to)
{
	if (from >= to)
		return;
	if (from < s->used && from > 0 && s->cells[from].base == RIGHT_HALF)
		s->cells[from - 1] = (struct scroll_cell){ .base = ' ' };
	if (to < s->used && s->cells[to].base == RIGHT_HALF)
		s->cells[to] = (struct scroll_cell){ .base = ' ' };
	memset(s->cells + from, 0, (size_t)(to - from) * sizeof *s->cells);
}

/* The line becomes so long, with blanks. */
static void
reach(struct scroll *s, int cols)
{
	if (!s->cells)
		s->cells = xcalloc(SCROLL_COLS, sizeof *s->cells);
	if (cols > s->used) {
		memset(s->cells + s->used, 0,
		    (size_t)(cols - s->used) * sizeof *s->cells);
		s->used = cols;
	}
}

static void
put_mark(struct scroll *s, uint32_t cp)
{
	int at = s->at - 1;

	if (at >= 0 && at < s->used && s->cells[at].base == RIGHT_HALF)
		at--;
	if (at < 0 || at >= s->used || s->cells[at].base == 0)
		return;
	for (int m = 0; m < MARKS; m++) {
		if (s->cells[at].marks[m] == 0) {
			s->cells[at].marks[m] = cp;
			return;
		}
	}
}

static void
put_char(struct scroll *s, uint32_t cp)
{
	int w = utf8_columns(cp);

	s->beyond = s->beyond || cp >= 0x80;
	if (w == 0) {
		put_mark(s, cp);
		return;
	}
	if (s->at + w > SCROLL_COLS)
		newline(s);
	reach(s, s->at + w);
	blank(s, s->at, s->at + w);
	s->cells[s->at].base = cp;
	if (w == 2)
		s->cells[s->at + 1].base = RIGHT_HALF;
	s->at += w;
}

/* ---- control -------------------------------------------------------------------- */

static void
move_to(struct scroll *s, int col)
{
	s->at = col < 0 ? 0 : col < SCROLL_COLS ? col : SCROLL_COLS;
}

/* False: this one is to be seen. */
static bool
control(struct scroll *s, unsigned char c)
{
	switch (c) {
	case '\n':
	case '\v':
	case '\f': newline(s); return true;
	case '\r': s->at = 0; return true;
	case '\b': move_to(s, s->at - 1); return true;
	case '\t': move_to(s, (s->at | 7) + 1); return true;
	case 0x1b: s->state = SCROLL_ESC; return true;
	case 0:
	case '\a':
	case 0x0e:
	case 0x0f:
	case 0x18:
	case 0x1a:
	case 0x7f: return true;
	default: return false;
	}
}

/* Cut n columns out at the cursor, or push what is there n to the right. */
static void
shift(struct scroll *s, int n, bool in)
{
	int at = s->at, rest = s->used - at;

	if (rest <= 0)
		return;
	if (!in) {
		n = n < rest ? n : rest;
		blank(s, at, at + n);
		memmove(s->cells + at, s->cells + at + n,
		    (size_t)(rest - n) * sizeof *s->cells);
		s->used -= n;
		return;
	}
	n = n < SCROLL_COLS - at ? n : SCROLL_COLS - at;
	if (rest > SCROLL_COLS - at - n)
		rest = SCROLL_COLS - at - n;
	blank(s, at + rest, s->used);
	reach(s, at + rest + n);
	s->used = at + rest + n;
	memmove(
	    s->cells + at + n, s->cells + at, (size_t)rest * sizeof *s->cells);
	memset(s->cells + at, 0, (size_t)n * sizeof *s->cells);
	/* a wide character was torn apart here */
	if (rest > 0 && s->cells[at + n].base == RIGHT_HALF) {
		s->cells[at + n].base = ' ';
		if (at > 0)
			s->cells[at - 1] = (struct scroll_cell){ .base = ' ' };
	}
}

static void
erase_in_line(struct scroll *s, unsigned how)
{
	int end = s->at < s->used ? s->at : s->used;

	if (how == 0) {
		blank(s, end, s->used);
		s->used = end;
	} else if (how == 1)
		blank(s, 0, s->at + 1 < s->used ? s->at + 1 : s->used);
	else if (how == 2)
		s->used = 0;
}

/* The last byte of a CSI sequence. */
static void
csi(struct scroll *s, unsigned char c)
{
	int n = (int)(s->params[0] ? s->params[0] : 1);

	switch (c) {
	case 'C':
	case 'a': move_to(s, s->at + n); break;
	case 'D': move_to(s, s->at - n); break;
	case 'G':
	case '`': move_to(s, n - 1); break;
	case 'K': erase_in_line(s, s->params[0]); break;
	case 'P': shift(s, n, false); break;
	case '@': shift(s, n, true); break;
	case 'X':
		blank(s, s->at < s->used ? s->at : s->used,
		    s->at + n < s->used ? s->at + n : s->used);
		break;
	case 'J':
		if (s->params[0] >= 2)
			fresh_line(s);
		break;
	case 'B':
	case 'E':
	case 'H':
	case 'f': fresh_line(s); break;
	case 'F': s->at = 0; break;
	default: break;
	}
}

static void
begin_csi(struct scroll *s)
{
	s->state = SCROLL_CSI;
	memset(s->params, 0, sizeof s->params);
	s->param = 0;
	s->odd = false;
}

static void
in_csi(struct scroll *s, unsigned char c)
{
	if (c >= '0' && c <= '9') {
		unsigned *p = &s->params[s->param];

		if (*p < 10000)
			*p = *p * 10 + (c - '0');
	} else if (c == ';' || c == ':') {
		/* those behind the fourth mean nothing here */
		if (s->param < 3)
			s->param++;
	} else if (c >= 0x40 && c <= 0x7e) {
		s->state = SCROLL_TEXT;
		if (!s->odd)
			csi(s, c);
	} else if (c < 0x20 || c > 0x7e) {
		s->state = SCROLL_TEXT;
		control(s, c);
	} else
		s->odd = true;
}

static void
in_escape(struct scroll *s, unsigned char c)
{
	s->state = SCROLL_TEXT;
	if (c == '[')
		begin_csi(s);
	else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_')
		s->state = SCROLL_STRING;
	else if (c >= 0x20 && c <= 0x2f)
		s->state = SCROLL_CHARSET;
	else if (c == 'c' || c == 'D' || c == 'E')
		fresh_line(s);
	else if (c < 0x20)
		control(s, c);
}

static void
in_string(struct scroll *s, unsigned char c)
{
	if (s->state == SCROLL_STRING_ESC && c != '\\') {
		in_escape(s, c);
		return;
	}
	if (c == 0x1b)
		s->state = SCROLL_STRING_ESC;
	else if (c == '\a' || c == '\n' || c == 0x18 || c == 0x1a ||
	    s->state == SCROLL_STRING_ESC)
		s->state = SCROLL_TEXT;
	if (c == '\n')
		newline(s);
}

/* ---- bytes ------------------------------------------------------------------------ */

/* Bytes of the character that begins so; 0: none does. */
static unsigned
length_of(unsigned char head)
{
	return head >= 0xc2 && head <= 0xdf ? 2
	    : head >= 0xe0 && head <= 0xef  ? 3
	    : head >= 0xf0 && head <= 0xf4  ? 4
					    : 0;
}

static void
end_part(struct scroll *s)
{
	size_t used;
	uint32_t cp;

	if (s->part_len == 0)
		return;
	cp = utf8_decode(s->part, s->part_len, &used);
	if (used != s->part_len)
		cp = REPLACEMENT;
	s->part_len = 0;
	if (cp >= 0x80 && cp < 0xa0)
		cp = '?'; /* control characters of eight bits */
	put_char(s, cp);
}

static void
in_text(struct scroll *s, unsigned char c)
{
	if (s->part_len > 0 && (c & 0xc0) != 0x80)
		end_part(s);
	if (c < 0x20 || c == 0x7f) {
		if (!control(s, c))
			put_char(s, '?');
		return;
	}
	if (c < 0x80) {
		put_char(s, c);
		return;
	}
	if (s->part_len == 0 && length_of(c) == 0) {
		put_char(s, REPLACEMENT);
		return;
	}
	s->part[s->part_len++] = (char)c;
	if (s->part_len == length_of((unsigned char)s->part[0]))
		end_part(s);
}

/* What most programs print most of the time: plain characters behind what is
 * there.  How many of them there were. */
static size_t
in_plain_text(struct scroll *s, const char *data, size_t len)
{
	size_t n = 0;

	if (s->state != SCROLL_TEXT || s->part_len > 0 || s->at != s->used ||
	    !s->cells)
		return 0;
	while (
	    n < len && s->at < SCROLL_COLS && data[n] >= ' ' && data[n] < 0x7f)
		s->cells[s->at++] =
		    (struct scroll_cell){ .base = (uint32_t)data[n++] };
	s->used = s->at;
	return n;
}

/* The line at the end has another text. */
static void
settle(struct scroll *s)
{
	free(s->last);
	s->last = s->used > 0 ? text_of(s) : NULL;
}

void
scroll_put(struct scroll *s, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c;

		i += in_plain_text(s, data + i, len - i);
		if (i == len)
			break;
		c = (unsigned char)data[i];
		switch (s->state) {
		case SCROLL_TEXT: in_text(s, c); break;
		case SCROLL_ESC: in_escape(s, c); break;
		case SCROLL_CHARSET:
			if (c < 0x20 || c > 0x2f)
				s->state = SCROLL_TEXT;
			break;
		case SCROLL_CSI: in_csi(s, c); break;
		case SCROLL_STRING:
		case SCROLL_STRING_ESC: in_string(s, c); break;
		}
	}
	settle(s);
}

void
scroll_gap(struct scroll *s)
{
	s->state = SCROLL_TEXT;
	s->part_len = 0;
	fresh_line(s);
	settle(s);
	s->lost = true;
	if (s->count == 0 || !scroll_is_gap(s, s->count - 1))
		push(s, NULL);
}

void
scroll_fini(struct scroll *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->lines[(s->first + i) % s->cap]);
	free(s->lines);
	free(s->cells);
	free(s->last);
	memset(s, 0, sizeof *s);
}

/* ---- reading ---------------------------------------------------------------------- */

size_t
scroll_count(const struct scroll *s)
{
	return s->count + (s->last != NULL);
}

const char *
scroll_line(const struct scroll *s, size_t i)
{
	const char *line = NULL;

	if (i < s->count)
		line = s->lines[(s->first + i) % s->cap];
	else if (i == s->count)
		line = s->last;
	return line ? line : "";
}

bool
scroll_is_gap(const struct scroll *s, size_t i)
{
	return i < s->count && !s->lines[(s->first + i) % s->cap];
}

void
scroll_text(const struct scroll *s, struct buf *b)
{
	for (size_t i = 0; i < scroll_count(s); i++) {
		buf_puts(b,
		    scroll_is_gap(s, i) ? "[some of the output is missing]"
					: scroll_line(s, i));
		buf_putc(b, '\n');
	}
}
