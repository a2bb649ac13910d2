#include "ui/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

#define SIDE_MAX 1000 /* columns or rows */

void
script_init(struct script *s, const char *name, const char *text)
{
	*s = (struct script){
		.name = name, .at = text, .width = 80, .height = 24
	};
}

int
script_open(struct script *s, const char *path, struct err *e)
{
	struct buf b = BUF_INIT;
	char part[4096];
	size_t n;
	FILE *f = fopen(path, "re");
	int failed;

	if (!f)
		return err_sys(e, "cannot read %s", path);
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_put(&b, part, n);
	failed = ferror(f);
	if (failed)
		err_sys(e, "cannot read %s", path);
	fclose(f);
	if (failed) {
		buf_fini(&b);
		return -1;
	}
	buf_puts(&b, "");
	script_init(s, path, buf_str(&b));
	s->text = b.data;
	return 0;
}

void
script_fini(struct script *s)
{
	buf_fini(&s->out);
	free(s->text);
	memset(s, 0, sizeof *s);
}

static int
wrong(const struct script *s, const char *what, const char *word, struct err *e)
{
	return err_set(e, "%s:%d: %s: %.*s", s->name, s->line, what,
	    (int)strcspn(word, "\n"), word);
}

/* Whether the line begins with this word; `*rest` is what follows. */
static bool
word_is(const char *line, const char *word, const char **rest)
{
	size_t n = strlen(word);

	if (strncmp(line, word, n) != 0 || !strchr(" \n", line[n]))
		return false;
	*rest = line + n + strspn(line + n, " ");
	return true;
}

/* The next name of `key`; a mouse event's place belongs to it. */
static int
next_name(struct script *s, struct key *key, struct err *e)
{
	char name[64];
	size_t n = strcspn(s->args, " \n"), more;
	const char *rest = s->args + n + strspn(s->args + n, " ");

	if (n > 0 && *rest >= '0' && *rest <= '9' &&
	    (more = strcspn(rest, " \n")) > 0 && memchr(rest, ',', more))
		n = (size_t)(rest - s->args) + more;
	if (n == 0 || n >= sizeof name)
		return wrong(s, "not a key", s->args, e);
	memcpy(name, s->args, n);
	name[n] = '\0';
	if (!key_parse(name, key))
		return wrong(s, "not a key", name, e);
	s->args += n + strspn(s->args + n, " ");
	return SCRIPT_KEY;
}

static int
next_char(struct script *s, struct key *key)
{
	size_t used;

	*key = (struct key){ .code =
				 utf8_decode(s->args, strlen(s->args), &used) };
	s->args += used;
	return SCRIPT_KEY;
}

static int
resize(struct script *s, const char *args, struct err *e)
{
	const char *second;
	char *end;
	long h, w = strtol(args, &end, 10);

	if (end == args || *end != 'x')
		return wrong(s, "not a size", args, e);
	second = end + 1;
	h = strtol(second, &end, 10);
	if (end == second || !strchr(" \n", *end) || w < 1 || h < 1 ||
	    w > SIDE_MAX || h > SIDE_MAX)
		return wrong(s, "not a size", args, e);
	s->width = (int)w;
	s->height = (int)h;
	return SCRIPT_RESIZE;
}

static int
snapshots(struct script *s, const char *args, int *count, struct err *e)
{
	char *end;
	long n = strtol(args, &end, 10);

	if (end == args || n < 0 || n > 1000000)
		return wrong(s, "not a number of snapshots", args, e);
	*count = (int)n;
	return SCRIPT_WAIT;
}

static int
set(bool *flag, bool value)
{
	*flag = value;
	return SCRIPT_RESIZE;
}

/* A line that is a command; key and type only begin here. */
static int
command(struct script *s, const char *line, int *count, struct err *e)
{
	const char *args;

	if (word_is(line, "screen", &args))
		return SCRIPT_SCREEN;
	if (word_is(line, "roles", &args))
		return SCRIPT_ROLES;
	if (word_is(line, "wait", &args))
		return snapshots(s, args, count, e);
	if (word_is(line, "size", &args))
		return resize(s, args, e);
	if (word_is(line, "ascii", &args) || word_is(line, "unicode", &args))
		return set(&s->ascii, line[0] == 'a');
	if (word_is(line, "mono", &args) || word_is(line, "colour", &args))
		return set(&s->mono, line[0] == 'm');
	return wrong(s, "not a command", line, e);
}

int
script_next(struct script *s, struct key *key, int *count, struct err *e)
{
	while ((s->args && *s->args && *s->args != '\n') || *s->at) {
		const char *line = s->at;

		if (s->args && *s->args && *s->args != '\n')
			return s->typing ? next_char(s, key)
					 : next_name(s, key, e);
		s->line++;
		s->at += strcspn(s->at, "\n");
		s->at += *s->at == '\n';
		s->args = NULL;
		if (strchr("#\n", *line))
			continue;
		s->typing = word_is(line, "type", &s->args);
		if (!s->typing && !word_is(line, "key", &s->args))
			return command(s, line, count, e);
	}
	return SCRIPT_END;
}

void
script_fit(const struct script *s, struct grid *g)
{
	if (g->width != s->width || g->height != s->height)
		grid_resize(g, s->width, s->height);
	g->ascii = s->ascii;
	g->mono = s->mono;
}

static void
end_screen(struct script *s, const struct grid *g)
{
	buf_pad(&s->out, '=', (size_t)g->width);
	buf_putc(&s->out, '\n');
}

void
script_show(struct script *s, const struct grid *g)
{
	grid_text(g, &s->out);
	end_screen(s, g);
}

void
script_show_roles(struct script *s, const struct grid *g)
{
	grid_roles(g, &s->out);
	end_screen(s, g);
}
