#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "quantity.h"

#define NOTES_MOST   5 /* wrong lines that are told of */
#define KEYS_MOST    200
#define INTERVAL_MIN UINT64_C(10000000)
#define INTERVAL_MAX (UINT64_C(86400) * UINT64_C(1000000000))

/* ---- values -------------------------------------------------------------- */

/* The value among those there are, NULL if it is none. */
static const char *
one_of(const char *value, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(value, *list) == 0)
			return *list;
	return NULL;
}

static int
set_theme(struct settings *s, const char *value, struct err *e)
{
	static const char *const all[] = { "auto", "dark", "light", NULL };
	const char *theme = one_of(value, all);

	if (!theme)
		return err_set(e, "theme takes auto, dark or light");
	s->theme = theme;
	return 0;
}

static int
set_color(struct settings *s, const char *value, struct err *e)
{
	static const char *const all[] = { "auto", "never", "16", "256", NULL };
	const char *color = one_of(value, all);

	if (!color)
		return err_set(e, "color takes auto, never, 16 or 256");
	s->color = color;
	return 0;
}

static int
set_glyphs(struct settings *s, const char *value, struct err *e)
{
	bool ascii = strcmp(value, "ascii") == 0;

	if (!ascii && strcmp(value, "unicode") != 0)
		return err_set(e, "glyphs takes unicode or ascii");
	s->ascii = ascii;
	return 0;
}

static int
set_mouse(struct settings *s, const char *value, struct err *e)
{
	bool off = strcmp(value, "off") == 0;

	if (!off && strcmp(value, "on") != 0)
		return err_set(e, "mouse takes on or off");
	s->no_mouse = off;
	return 0;
}

static int
set_interval(struct settings *s, const char *value, struct err *e)
{
	uint64_t ns;

	if (quantity_duration(value, &ns) < 0 || ns < INTERVAL_MIN ||
	    ns > INTERVAL_MAX)
		return err_set(e,
		    "interval takes a duration from 10ms to 24h such as 500ms");
	s->interval_ns = ns;
	return 0;
}

/* "ACTION = KEY KEY" */
static int
add_key(struct settings *s, const char *text, unsigned line, struct err *e)
{
	size_t len = strcspn(text, " \t=");
	const char *keys = text + len + strspn(text + len, " \t");
	struct setting_key *k;

	/* the sign itself may be the key that is bound */
	if (*keys == '=')
		keys += 1 + strspn(keys + 1, " \t");
	if (len == 0 || len >= sizeof k->action || !*keys ||
	    strlen(keys) >= sizeof k->keys)
		return err_set(
		    e, "a key is bound by a line such as: key export = e F7");
	if (s->key_count >= KEYS_MOST)
		return err_set(
		    e, "%d lines about keys are the most", KEYS_MOST);
	VEC_ROOM(s->keys, s->key_cap, s->key_count + 1);
	k = &s->keys[s->key_count++];
	snprintf(k->action, sizeof k->action, "%.*s", (int)len, text);
	snprintf(k->keys, sizeof k->keys, "%s", keys);
	k->line = line;
	return 0;
}

/* ---- lines --------------------------------------------------------------- */

static const struct {
	const char *name;
	int (*set)(struct settings *s, const char *value, struct err *e);
} names[] = {
	{ "theme", set_theme },
	{ "glyphs", set_glyphs },
	{ "color", set_color },
	{ "colour", set_color },
	{ "mouse", set_mouse },
	{ "interval", set_interval },
};

static int
set(struct settings *s, const char *name, const char *value, struct err *e)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].set(s, value, e);
	return err_set(e,
	    "there is no setting '%.*s'; there are theme, glyphs, color, "
	    "mouse, interval and key",
	    (int)utf8_head(name, 20), name);
}

/* Is all of it text? */
static bool
readable(const char *s)
{
	size_t len = strlen(s), used;

	for (; len > 0; s += used, len -= used) {
		uint32_t c = utf8_decode(s, len, &used);

		if ((c < 0x20 && c != '\t') || c == 0x7f || c == 0xfffd)
			return false;
	}
	return true;
}

int
settings_line(
    struct settings *s, const char *text, unsigned line, struct err *e)
{
	char copy[256], *name, *value;
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r", text[len - 1]))
		len--;
	if (len == 0 || *text == '#')
		return 0;
	snprintf(copy, sizeof copy, "%.*s", (int)len, text);
	if (len >= sizeof copy || !readable(copy))
		return err_set(e, "this is no line of settings");
	name = copy;
	value = name + strcspn(name, " \t=");
	if (strncmp(name, "key", 3) == 0 && value == name + 3)
		return add_key(s, value + strspn(value, " \t"), line, e);
	if (*value) {
		char *end = value;

		value += strspn(value, " \t");
		value += *value == '=';
		value += strspn(value, " \t");
		*end = '\0';
	}
	return set(s, name, value, e);
}

/* ---- the file -------------------------------------------------------------- */

static void
note_unread(struct settings *s, int error)
{
	buf_printf(&s->notes, "cannot read %s: %s\n", s->path, strerror(error));
}

static void
read_lines(struct settings *s, char *text)
{
	unsigned line = 1, wrong = 0;
	struct err e;

	for (char *next; text; text = next, line++) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		if (settings_line(s, text, line, &e) == 0)
			continue;
		if (wrong++ < NOTES_MOST)
			buf_printf(
			    &s->notes, "%s:%u: %s\n", s->path, line, e.msg);
	}
	if (wrong > NOTES_MOST)
		buf_printf(&s->notes, "%s: %u more lines are wrong\n", s->path,
		    wrong - NOTES_MOST);
}

/* Why it is not to be read, or NULL. */
static const char *
oddity(const struct stat *st)
{
	if (S_ISDIR(st->st_mode))
		return "is a directory, not a file of settings";
	if (!S_ISREG(st->st_mode))
		return "is no regular file, and is not read";
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return "belongs to another user, and is not read";
	if (st->st_mode & S_IWOTH)
		return "may be written by everybody, and is not read; take "
		       "that right away with chmod o-w";
	if (st->st_size > (off_t)SETTINGS_MAX)
		return "is larger than 64 KiB, and is not read";
	return NULL;
}

static void
read_fd(struct settings *s, int fd)
{
	char *text = xmalloc(SETTINGS_MAX + 1);
	size_t len = 0;
	ssize_t n;

	while (len < SETTINGS_MAX &&
	    ((n = read(fd, text + len, SETTINGS_MAX - len)) > 0 ||
		(n < 0 && errno == EINTR)))
		len += n > 0 ? (size_t)n : 0;
	if (n < 0)
		note_unread(s, errno);
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\0')
			text[i] = 1; /* which is wrong as well */
	text[len] = '\0';
	read_lines(s, text);
	free(text);
}

void
settings_read_file(struct settings *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	const char *odd;

	free(s->path);
	s->path = xstrdup(path);
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			note_unread(s, errno);
		return;
	}
	odd = fstat(fd, &st) < 0 ? strerror(errno) : oddity(&st);
	if (odd)
		buf_printf(&s->notes, "%s %s\n", s->path, odd);
	else
		read_fd(s, fd);
	close(fd);
}

void
settings_read(struct settings *s)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct buf path = BUF_INIT;

	memset(s, 0, sizeof *s);
	if (xdg && *xdg == '/')
		buf_printf(&path, "%s/heaptop/config", xdg);
	else if (home && *home == '/')
		buf_printf(&path, "%s/.config/heaptop/config", home);
	if (path.len)
		settings_read_file(s, buf_str(&path));
	buf_fini(&path);
}

void
settings_fini(struct settings *s)
{
	free(s->keys);
	free(s->path);
	buf_fini(&s->notes);
	memset(s, 0, sizeof *s);
}
