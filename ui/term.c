#include "ui/term.h"

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_NOMACROS       1

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

/* How long the rest of an escape sequence may take, ms.  Sequences come in
 * one piece even over slow lines; a person waits for Esc. */
#define ESCAPE_MS 25

#define ESCAPE 27

/*
 * The mouse, past curses: its own reader loses a press whose release came in
 * the same read (ncurses 6.4).  SGR reports (xterm's mode 1006) are
 * "\33[<button;column;row" and M or m; their head is a key of ours, with a
 * code that curses leaves free.
 */
#define MOUSE_KEY  (KEY_MAX - 1)
#define MOUSE_HEAD "\33[<"
/* Buttons, and where it goes while one is down; who knows only the first
 * takes that. */
#define MOUSE_ON  "\33[?1000h\33[?1002h\33[?1006h"
#define MOUSE_OFF "\33[?1006l\33[?1002l\33[?1000l"

struct terminal {
	FILE *tty;
	SCREEN *screen;
	enum depth depth;
	enum theme theme;
	bool ascii;
	bool gone;
	struct termios before; /* modes when it was taken */
	bool known;            /* `shown` is what the terminal shows */
	struct grid shown;     /* of the terminal's size */
};

/* ---- which terminal ---------------------------------------------------- */

/* Can the terminal description of that name be used? */
static bool
usable(const char *name, int fd)
{
	char key[] = "cup";
	int status;
	const char *cup;

	if (setupterm(name, fd, &status) != OK)
		return false;
	cup = tigetstr(key);
	return cup && cup != (char *)-1;
}

/* How many colours the description at hand has. */
static int
colours(void)
{
	char key[] = "colors";
	int n = tigetnum(key);

	return n > 0 ? n : 0;
}

static bool
is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

/* The description to use: TERM, or its sister of 256 colours where the
 * terminal says in COLORTERM that it has more than its name. */
static int
choose(char *name, size_t size, int fd, struct err *e)
{
	const char *term = getenv("TERM"), *more = getenv("COLORTERM");
	const char *why = "can't place a cursor; set TERM to what the terminal "
			  "is, or use -b for text";

	if (!term || !*term)
		return err_set(e, "TERM is not set: the terminal %s", why);
	if (is(term, "dumb") || !usable(term, fd))
		return err_set(e, "TERM=%.64s %s", term, why);
	snprintf(name, size, "%s", term);
	if (colours() >= 256 || !(is(more, "truecolor") || is(more, "24bit")))
		return 0;
	snprintf(name, size, "%s-256color", term);
	if (usable(name, fd))
		return 0;
	snprintf(name, size, "%s", term);
	usable(name, fd);
	return 0;
}

/* ---- looks ------------------------------------------------------------- */

static void
make_pairs(const struct terminal *t)
{
	bool own = use_default_colors() == OK;

	for (int role = 0; role < ROLE_COUNT; role++) {
		struct style s = style_of((enum role)role, t->depth, t->theme);

		if (s.fg >= COLORS)
			s.fg = STYLE_NONE; /* dim instead, see look_of */
		if (!own && s.fg < 0)
			s.fg = COLOR_WHITE;
		if (!own && s.bg < 0)
			s.bg = COLOR_BLACK;
		init_pair((short)(role + 1), s.fg, s.bg);
	}
}

static attr_t
look_of(const struct terminal *t, enum role role)
{
	struct style s = style_of(role, t->depth, t->theme);
	attr_t a = A_NORMAL;

	if (s.attrs & STYLE_BOLD)
		a |= A_BOLD;
	if (s.attrs & STYLE_DIM ||
	    (t->depth == DEPTH_16 && s.fg == STYLE_BRIGHT_BLACK &&
		COLORS <= STYLE_BRIGHT_BLACK))
		a |= A_DIM;
	if (s.attrs & STYLE_UNDERLINE)
		a |= A_UNDERLINE;
	if (s.attrs & STYLE_REVERSE)
		a |= A_REVERSE;
	return a;
}

/* ---- start and stop ---------------------------------------------------- */

/* Past curses, whose putp writes to stdout; and without a struct, for
 * term_restore. */
static void
tell(const char *s)
{
	int fd = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd < 0)
		return;
	do
		n = write(fd, s, strlen(s));
	while (n < 0 && errno == EINTR);
	close(fd);
}

static void
set_modes(const struct term_options *o)
{
	char mouse[] = "kmous";

	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	if (o->no_mouse)
		return;
	if (tigetstr(mouse) && tigetstr(mouse) != (char *)-1) {
		define_key(MOUSE_HEAD, MOUSE_KEY);
		tell(MOUSE_ON);
	}
}

/* The description's name and how it will look. */
static int
prepare(struct terminal *t, const struct term_options *o, char *name,
    size_t size, struct err *e)
{
	if (choose(name, size, fileno(t->tty), e) != 0 ||
	    style_depth(
		&t->depth, o->color, getenv("NO_COLOR"), colours(), e) != 0 ||
	    style_theme(&t->theme, o->theme, getenv("COLORFGBG"), e) != 0)
		return -1;
	return 0;
}

static int
start(struct terminal *t, const struct term_options *o, struct err *e)
{
	char name[128];

	if (prepare(t, o, name, sizeof name, e) != 0)
		return -1;
	tcgetattr(fileno(t->tty), &t->before);
	use_env(FALSE); /* LINES and COLUMNS may be old: ask the terminal */
	use_tioctl(TRUE);
	t->screen = newterm(name, t->tty, t->tty);
	if (!t->screen)
		return err_set(e, "cannot use the terminal as %s", name);
	set_modes(o);
	if (t->depth != DEPTH_MONO && start_color() == OK)
		make_pairs(t);
	else
		t->depth = DEPTH_MONO;
	return 0;
}

static FILE *
open_tty(struct err *e)
{
	FILE *tty = fopen("/dev/tty", "r+e");

	if (!tty)
		err_sys(e, "cannot open the terminal");
	return tty;
}

int
term_check(const struct term_options *o, struct err *e)
{
	struct terminal t = { .tty = open_tty(e) };
	char name[128];
	int r;

	if (!t.tty)
		return -1;
	r = prepare(&t, o, name, sizeof name, e);
	fclose(t.tty);
	return r;
}

struct terminal *
term_new(const struct term_options *o, struct err *e)
{
	struct terminal *t = xcalloc(1, sizeof *t);

	setlocale(LC_CTYPE, "");
	t->ascii = o->ascii || !is(nl_langinfo(CODESET), "UTF-8");
	t->tty = open_tty(e);
	if (!t->tty) {
		free(t);
		return NULL;
	}
	if (start(t, o, e) != 0) {
		fclose(t->tty);
		free(t);
		return NULL;
	}
	grid_init(&t->shown, getmaxx(stdscr), getmaxy(stdscr));
	return t;
}

/* Kept by curses, so that term_restore needs no state of ours. */
static bool
mouse_is_on(void)
{
	return key_defined(MOUSE_HEAD) == MOUSE_KEY;
}

void
term_restore(void)
{
	if (!stdscr || isendwin())
		return;
	if (mouse_is_on())
		tell(MOUSE_OFF);
	endwin();
}

void
term_free(struct terminal *t)
{
	if (!t)
		return;
	term_restore();
	delscreen(t->screen);
	grid_fini(&t->shown);
	fclose(t->tty);
	free(t);
}

/* A capability without its padding ("$<5>"), which only printers need. */
static void
add_text(struct term_undo *u, const char *s)
{
	while (*s && u->len + 1 < sizeof u->text) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>')) {
			s = strchr(s, '>') + 1;
			continue;
		}
		u->text[u->len++] = *s++;
	}
}

void
term_undo(const struct terminal *t, struct term_undo *u, struct termios *modes)
{
	/* colours and attributes off, our screen left, cursor, keypad */
	static const char *const names[] = { "sgr0", "op", "rmcup", "cnorm",
		"rmkx" };

	u->fd = term_fd(t);
	u->len = 0;
	add_text(u, MOUSE_OFF);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[8];
		const char *s;

		snprintf(name, sizeof name, "%s", names[i]);
		s = tigetstr(name);
		if (s && s != (const char *)-1)
			add_text(u, s);
	}
	*modes = t->before;
}

int
term_fd(const struct terminal *t)
{
	return fileno(t->tty);
}

int
term_width(const struct terminal *t)
{
	return t->shown.width;
}

int
term_height(const struct terminal *t)
{
	return t->shown.height;
}

void
term_fit(const struct terminal *t, struct grid *g)
{
	if (g->width != t->shown.width || g->height != t->shown.height)
		grid_resize(g, t->shown.width, t->shown.height);
	g->ascii = t->ascii;
	g->mono = t->depth == DEPTH_MONO;
}

void
term_redraw(struct terminal *t)
{
	t->known = false;
}

void
term_resize(struct terminal *t)
{
	struct winsize w;

	if (ioctl(term_fd(t), TIOCGWINSZ, &w) == 0 && w.ws_row > 0 &&
	    w.ws_col > 0)
		resize_term(w.ws_row, w.ws_col);
	grid_resize(&t->shown, getmaxx(stdscr), getmaxy(stdscr));
	t->known = false;
}

void
term_suspend(struct terminal *t)
{
	t->known = false;
	curs_set(1);
	term_restore();
}

void
term_resume(struct terminal *t)
{
	/* Whoever stopped us without asking left its own modes there, which
	 * curses restores over only after an end. */
	if (!isendwin())
		endwin();
	refresh();            /* into our modes again */
	keypad(stdscr, TRUE); /* and not only with the first key */
	if (mouse_is_on())
		tell(MOUSE_ON);
	term_resize(t);
}

int
term_change(struct terminal *t, const struct term_options *o, struct err *e)
{
	struct terminal to = *t;
	bool mouse = mouse_is_on();

	if (style_depth(&to.depth, o->color, getenv("NO_COLOR"), COLORS, e) !=
		0 ||
	    style_theme(&to.theme, o->theme, getenv("COLORFGBG"), e) != 0)
		return -1;
	to.ascii = o->ascii || !is(nl_langinfo(CODESET), "UTF-8");
	to.known = false;
	*t = to;
	if (t->depth != DEPTH_MONO && start_color() == OK)
		make_pairs(t);
	else
		t->depth = DEPTH_MONO;
	if (mouse == o->no_mouse) {
		define_key(MOUSE_HEAD, mouse ? 0 : MOUSE_KEY);
		tell(mouse ? MOUSE_OFF : MOUSE_ON);
	}
	return 0;
}

int
term_send(const struct terminal *t, const struct buf *b, struct err *e)
{
	return buf_write(b, term_fd(t), "the terminal", e);
}

/* ---- keys -------------------------------------------------------------- */

/* What follows the head of a mouse report, with its last letter. */
static bool
read_report(char *s, size_t size)
{
	size_t n = 0;
	wint_t c;

	timeout(ESCAPE_MS);
	while (n + 1 < size && get_wch(&c) == OK && c < 127) {
		s[n++] = (char)c;
		if (c == 'M' || c == 'm')
			break;
	}
	nodelay(stdscr, TRUE);
	s[n] = '\0';
	return n > 0;
}

#define MOUSE_MODS  28 /* shift, meta and control in a button's number */
#define MOUSE_LEFT  0
#define MOUSE_RIGHT 2
#define MOUSE_MOVES 32 /* with a button down */
#define MOUSE_WHEEL 64 /* up; down is the next */

static struct key
mouse_key(void)
{
	struct key k = { .code = K_NONE };
	unsigned button, x, y;
	char s[24], last;

	if (!read_report(s, sizeof s) ||
	    sscanf(s, "%5u;%5u;%5u%c", &button, &x, &y, &last) != 4 ||
	    last != 'M' || x < 1 || y < 1 || x > INT16_MAX || y > INT16_MAX)
		return k;
	k.x = (int16_t)(x - 1);
	k.y = (int16_t)(y - 1);
	button &= ~(unsigned)MOUSE_MODS;
	if (button == MOUSE_LEFT)
		k.code = K_CLICK;
	else if (button == MOUSE_RIGHT)
		k.code = K_RIGHT_CLICK;
	else if (button == MOUSE_MOVES + MOUSE_LEFT)
		k.code = K_DRAG;
	else if (button == MOUSE_WHEEL)
		k.code = K_WHEEL_UP;
	else if (button == MOUSE_WHEEL + 1)
		k.code = K_WHEEL_DOWN;
	return k;
}

static struct key
named_key(wint_t code)
{
	static const struct {
		wint_t curses;
		uint32_t code;
		uint8_t mods;
	} keys[] = {
		{ KEY_UP, K_UP, 0 },
		{ KEY_DOWN, K_DOWN, 0 },
		{ KEY_LEFT, K_LEFT, 0 },
		{ KEY_RIGHT, K_RIGHT, 0 },
		{ KEY_SLEFT, K_LEFT, KEY_MOD_SHIFT },
		{ KEY_SRIGHT, K_RIGHT, KEY_MOD_SHIFT },
		{ KEY_HOME, K_HOME, 0 },
		{ KEY_FIND, K_HOME, 0 },
		{ KEY_END, K_END, 0 },
		{ KEY_SELECT, K_END, 0 },
		{ KEY_PPAGE, K_PAGE_UP, 0 },
		{ KEY_NPAGE, K_PAGE_DOWN, 0 },
		{ KEY_ENTER, K_ENTER, 0 },
		{ KEY_BACKSPACE, K_BACKSPACE, 0 },
		{ KEY_DC, K_DELETE, 0 },
		{ KEY_IC, K_INSERT, 0 },
		{ KEY_BTAB, K_TAB, KEY_MOD_SHIFT },
		{ KEY_RESIZE, K_RESIZE, 0 },
	};
	struct key k = { .code = K_NONE };

	if (code == MOUSE_KEY)
		return mouse_key();
	if (code > KEY_F(0) && code <= KEY_F(24))
		k.code = K_F0 + (uint32_t)(code - KEY_F(0));
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		if (keys[i].curses == code) {
			k.code = keys[i].code;
			k.mods = keys[i].mods;
		}
	}
	return k;
}

static struct key
char_key(wint_t c)
{
	struct key k = { .code = (uint32_t)c };

	if (c == '\r' || c == '\n')
		k.code = K_ENTER;
	else if (c == '\t')
		k.code = K_TAB;
	else if (c == '\b' || c == 127)
		k.code = K_BACKSPACE;
	else if (c == ESCAPE)
		k.code = K_ESC;
	else if (c == 0)
		k = (struct key){ .code = ' ', .mods = KEY_MOD_CTRL };
	else if (c < ' ')
		k = (struct key){ .code = (uint32_t)c + (c < 27 ? 96 : 64),
			.mods = KEY_MOD_CTRL };
	else if (c >= K_NONE)
		k.code = K_NONE;
	return k;
}

static struct key
key_of(int got, wint_t c)
{
	return got == KEY_CODE_YES ? named_key(c) : char_key(c);
}

/* A sequence that is not in the terminal's description, as TERM may name
 * another one: it is one key, or none, never its letters one by one.  `c` has
 * come behind the escape; with Alt it would have come alone. */
static struct key
sequence_key(wint_t c)
{
	char s[32] = { (char)c };
	size_t n = 1;

	timeout(ESCAPE_MS);
	while (n + 1 < sizeof s && get_wch(&c) == OK && c < 127) {
		s[n++] = (char)c;
		if (c >= '@' && (n > 2 || s[0] == 'O' || c != '['))
			break;
	}
	nodelay(stdscr, TRUE);
	if (n == 1)
		return (
		    struct key){ .code = (uint32_t)s[0], .mods = KEY_MOD_ALT };
	return key_sent(s);
}

/* What has come already; K_NONE if nothing has. */
static struct key
next_key(void)
{
	struct key k = { .code = K_NONE };
	wint_t c;
	int got;

	/* Keys without a name here are passed over. */
	while (k.code == K_NONE && (got = get_wch(&c)) != ERR) {
		k = key_of(got, c);
		/* Alt sends an escape before the key. */
		if (k.code != K_ESC || (got = get_wch(&c)) == ERR)
			continue;
		if (got == OK && (c == '[' || c == 'O')) {
			k = sequence_key(c);
		} else {
			k = key_of(got, c);
			k.mods |= KEY_MOD_ALT;
		}
	}
	return k;
}

struct key
term_key(struct terminal *t, int timeout_ms)
{
	struct pollfd p = { .fd = term_fd(t), .events = POLLIN };
	struct key k = next_key();

	if (k.code != K_NONE || t->gone)
		return k;
	if (poll(&p, 1, timeout_ms) <= 0)
		return k;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		t->gone = true;
	return next_key();
}

bool
term_gone(const struct terminal *t)
{
	return t->gone;
}

/* ---- cells ------------------------------------------------------------- */

/* Where the terminal's idea of a width is another, the row would shift. */
static bool
same_width(const wchar_t *text, int width)
{
	return wcwidth(text[0]) == width;
}

static void
put_cell(const struct terminal *t, const struct cell *c, int x, int y)
{
	wchar_t text[CCHARW_MAX + 1];
	const char *s = c->text;
	size_t left = strlen(s), used, n = 0;
	cchar_t cc;

	if (c->width == 0)
		return;
	for (; left > 0 && n < CCHARW_MAX; s += used, left -= used)
		text[n++] = (wchar_t)utf8_decode(s, left, &used);
	text[n] = L'\0';
	if (!same_width(text, c->width)) {
		text[0] = L'?';
		text[1] = L'\0';
	}
	setcchar(&cc, text, look_of(t, (enum role)c->role),
	    (short)(t->depth == DEPTH_MONO ? 0 : c->role + 1), NULL);
	mvadd_wch(y, x, &cc);
	if (c->width == 2 && wcwidth(text[0]) == 1)
		mvaddch(y, x + 1, ' ');
}

static void
blit_row(const struct terminal *t, const struct grid *g, int y)
{
	int x, end = 0;

	if (!t->known) {
		for (x = 0; x < g->width; x++)
			put_cell(t, grid_at(g, x, y), x, y);
		return;
	}
	while ((x = grid_changed(&t->shown, g, y, end, &end)) >= 0) {
		for (; x < end; x++)
			put_cell(t, grid_at(g, x, y), x, y);
	}
}

/* The cursor stands at the selection even where it is not seen: screen
 * readers and magnifiers follow it. */
static void
park(const struct grid *g)
{
	if (g->cursor_x >= 0 && g->cursor_x < g->width && g->cursor_y >= 0 &&
	    g->cursor_y < g->height)
		move(g->cursor_y, g->cursor_x);
	else
		move(g->height - 1, 0);
	curs_set(g->cursor_shown ? 1 : 0);
}

void
term_blit(struct terminal *t, const struct grid *g)
{
	if (g->width != t->shown.width || g->height != t->shown.height)
		return; /* drawn for another size; the next one will fit */
	if (!t->known)
		clearok(stdscr, TRUE);
	for (int y = 0; y < g->height; y++)
		blit_row(t, g, y);
	park(g);
	refresh();
	grid_copy(&t->shown, g);
	t->known = true;
}
