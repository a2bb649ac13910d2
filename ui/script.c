#include "ui/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

#define SIDE_MAX 1000 /* columns or rows */

const struct script_size script_sizes[SCRIPT_SIZES] = {
	{ 36, 8 },
	{ 60, 15 },
	{ 80, 24 },
	{ 100, 30 },
	{ 160, 45 },
};

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
	buf_fini(&s->letters);
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

/* The rest of a line as a string; 0, or -1 if it is too long. */
static int
rest_of(
    struct script *s, const char *args, char *to, size_t size, struct err *e)
{
	size_t n = strcspn(args, "\n");

	if (n >= size)
		return wrong(s, "too long", args, e);
	memcpy(to, args, n);
	to[n] = '\0';
	return 0;
}

/* "12:41", "1:02:03" or "12:41.4" to ns; `*rest` is what follows. */
static int
moment(struct script *s, const char *args, uint64_t *ns, const char **rest,
    struct err *e)
{
	uint64_t seconds = 0, tenths = 0;
	const char *p = args;
	char *end;

	for (;;) {
		unsigned long n = strtoul(p, &end, 10);

		if (end == p || *p < '0' || *p > '9' || n > 1000000)
			return wrong(s, "not a time", args, e);
		seconds = seconds * 60 + n;
		if (*end != ':')
			break;
		p = end + 1;
	}
	if (*end == '.' && end[1] >= '0' && end[1] <= '9') {
		tenths = (uint64_t)(end[1] - '0');
		end += 2;
	}
	if (!strchr(" \n", *end))
		return wrong(s, "not a time", args, e);
	*ns = seconds * UINT64_C(1000000000) + tenths * 100000000;
	*rest = end + strspn(end, " ");
	return 0;
}

/* A line that is nothing but a moment. */
static int
until(struct script *s, const char *args, enum script_step step, struct err *e)
{
	const char *rest;

	if (moment(s, args, &s->ns, &rest, e) < 0)
		return -1;
	return *rest && *rest != '\n' ? wrong(s, "not a time", args, e)
				      : (int)step;
}

static int
number(struct script *s, const char *args, uint64_t *n, struct err *e)
{
	char *end;

	*n = strtoull(args, &end, 10);
	if (*args < '0' || *args > '9' || !strchr(" \n", *end))
		return wrong(s, "not a number", args, e);
	return 0;
}

static int
target_number(struct script *s, const char *line, struct err *e)
{
	struct app_target *t = &s->target;
	const struct {
		const char *key;
		bool *flag;
		unsigned *n;
		uint64_t *big;
	} fields[] = {
		{ "pid", .n = &t->pid },
		{ "threads", .n = &t->threads },
		{ "rss", .big = &t->rss_bytes },
		{ "interval_ms", .big = &t->interval_ns },
		{ "lg_sample", .n = &t->lg_sample },
		{ "shown", .n = &t->shown },
		{ "processes", .n = &t->processes },
		{ "active", .flag = &t->active },
		{ "ours", .flag = &t->ours },
		{ "running", .flag = &t->running },
		{ "untimed", .flag = &t->untimed },
		{ "recording", .flag = &t->recording },
		{ "has_terminal", .flag = &t->has_terminal },
		{ "takes_input", .flag = &t->takes_input },
	};
	const char *args;
	uint64_t n;

	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		if (!word_is(line, fields[i].key, &args))
			continue;
		if (number(s, args, &n, e) < 0)
			return -1;
		if (fields[i].flag)
			*fields[i].flag = n != 0;
		else if (fields[i].n)
			*fields[i].n = (unsigned)n;
		else
			*fields[i].big =
			    fields[i].big == &t->interval_ns ? n * 1000000 : n;
		return SCRIPT_TARGET;
	}
	return wrong(s, "not a field of the target", line, e);
}

static int
target(struct script *s, const char *line, struct err *e)
{
	struct app_target *t = &s->target;
	const struct {
		const char *key;
		char *to;
		size_t size;
	} texts[] = {
		{ "name", t->name, sizeof t->name },
		{ "command", t->command, sizeof t->command },
		{ "exe", t->exe, sizeof t->exe },
		{ "launched", t->launched, sizeof t->launched },
		{ "output_file", t->output_file, sizeof t->output_file },
		{ "names_hint", t->names_hint, sizeof t->names_hint },
	};
	const char *args;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (!word_is(line, texts[i].key, &args))
			continue;
		return rest_of(s, args, texts[i].to, texts[i].size, e) < 0
		    ? -1
		    : SCRIPT_TARGET;
	}
	return target_number(s, line, e);
}

static int
status(struct script *s, const char *line, struct err *e)
{
	struct app_status *t = &s->status;
	const char *args;

	t->ns = 0;
	t->what[0] = '\0';
	if (word_is(line, "waiting", &args))
		t->connection = APP_WAITING;
	else if (word_is(line, "live", &args))
		t->connection = APP_LIVE;
	else if (word_is(line, "late", &args)) {
		t->connection = APP_LATE;
		if (moment(s, args, &t->ns, &args, e) < 0)
			return -1;
	} else if (word_is(line, "file", &args)) {
		t->connection = APP_FILE;
		if (rest_of(s, args, t->what, sizeof t->what, e) < 0)
			return -1;
	} else if (word_is(line, "ended", &args) ||
	    word_is(line, "killed", &args)) {
		t->connection = line[0] == 'e' ? APP_ENDED : APP_KILLED;
		if (moment(s, args, &t->ns, &args, e) < 0 ||
		    rest_of(s, args, t->what, sizeof t->what, e) < 0)
			return -1;
	} else
		return wrong(s, "not a status", line, e);
	return SCRIPT_STATUS;
}

/* Commands that say what comes from the program; 0: it is none of them. */
static int
said(struct script *s, const char *line, struct err *e)
{
	static const struct {
		const char *word;
		enum script_step step;
		bool bad;
	} texts[] = {
		{ "message", SCRIPT_MESSAGE, false },
		{ "trouble", SCRIPT_MESSAGE, true },
		{ "exists", SCRIPT_EXISTS, false },
		{ "output", SCRIPT_OUTPUT, false },
		{ "memory", SCRIPT_MEMORY, false },
		{ "source", SCRIPT_SOURCE, false },
		{ "names", SCRIPT_NAMES, false },
		{ "like", SCRIPT_LIKE, false },
	};
	const char *args;

	if (word_is(line, "target", &args))
		return target(s, args, e);
	if (word_is(line, "status", &args))
		return status(s, args, e);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (!word_is(line, texts[i].word, &args))
			continue;
		s->bad = texts[i].bad;
		return rest_of(s, args, s->value, sizeof s->value, e) < 0
		    ? -1
		    : (int)texts[i].step;
	}
	return 0;
}

/* A line that is a command; key and type only begin here. */
static int
command(struct script *s, const char *line, int *count, struct err *e)
{
	const char *args;
	int step;

	if (word_is(line, "screen", &args))
		return SCRIPT_SCREEN;
	if (word_is(line, "roles", &args))
		return SCRIPT_ROLES;
	if (word_is(line, "every", &args))
		return SCRIPT_EVERY;
	if (word_is(line, "wait", &args))
		return snapshots(s, args, count, e);
	if (word_is(line, "until", &args))
		return until(s, args, SCRIPT_UNTIL, e);
	if (word_is(line, "now", &args))
		return until(s, args, SCRIPT_NOW, e);
	if (word_is(line, "size", &args))
		return resize(s, args, e);
	if (word_is(line, "ascii", &args) || word_is(line, "unicode", &args))
		return set(&s->ascii, line[0] == 'a');
	if (word_is(line, "mono", &args) || word_is(line, "colour", &args))
		return set(&s->mono, line[0] == 'm');
	step = said(s, line, e);
	return step != 0 ? step : wrong(s, "not a command", line, e);
}

/* What only belongs to the next status. */
static int
remark(struct script *s, const char *line, struct err *e)
{
	struct app_status *t = &s->status;
	const char *args;

	if (word_is(line, "sentence", &args))
		return rest_of(s, args, t->sentence, sizeof t->sentence, e) < 0
		    ? -1
		    : 1;
	if (word_is(line, "reading", &args)) {
		if (sscanf(args, "%zu %zu", &t->read, &t->to_read) != 2)
			return wrong(s, "not two numbers", args, e);
		return 1;
	}
	if (word_is(line, "printed", &args))
		return rest_of(s, args, t->last_line, sizeof t->last_line, e) <
			0
		    ? -1
		    : 1;
	return 0;
}

int
script_next(struct script *s, struct key *key, int *count, struct err *e)
{
	while ((s->args && *s->args && *s->args != '\n') || *s->at) {
		const char *line = s->at;
		int r;

		if (s->args && *s->args && *s->args != '\n')
			return s->typing ? next_char(s, key)
					 : next_name(s, key, e);
		s->line++;
		s->at += strcspn(s->at, "\n");
		s->at += *s->at == '\n';
		s->args = NULL;
		if (strchr("#\n", *line))
			continue;
		r = remark(s, line, e);
		if (r < 0)
			return -1;
		if (r > 0)
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
end_screen(struct buf *b, const struct grid *g)
{
	buf_pad(b, '=', (size_t)g->width);
	buf_putc(b, '\n');
}

void
script_show(struct script *s, const struct grid *g)
{
	grid_text(g, &s->out);
	end_screen(&s->out, g);
}

void
script_show_roles(struct script *s, const struct grid *g)
{
	grid_roles(g, &s->out);
	end_screen(&s->out, g);
}

void
script_show_both(struct script *s, const struct grid *g)
{
	script_show(s, g);
	grid_roles(g, &s->letters);
	end_screen(&s->letters, g);
}
