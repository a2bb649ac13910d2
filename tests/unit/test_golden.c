/* needs: src/screen_formats.c src/base/ src/io/domain.c src/model/ tests/unit/player.c
 * src/io/dumpread.c src/io/smaps.c src/io/smaps_kinds.c tests/unit/looks.c
 * ui/-term.c */
/* libs: -lz */
/*
 * Golden screens: each script of tests/golden is played on its recording,
 * and what it writes is compared with the files beside it, see
 * tests/golden/README.md.  With GOLDEN_WRITE=DIRECTORY in the environment
 * the files are written there instead, for a person to look at.
 */
#include "player.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"

#define GOLDEN "tests/golden"

static char data[] = "/tmp/test_golden.XXXXXX";
static int wrong; /* lines that differ, of all files of a test */

/* ---- files -------------------------------------------------------------------- */

/* The whole file, "" if there is none. */
static struct buf
slurp(const char *path)
{
	struct buf b = BUF_INIT;
	char part[4096];
	FILE *f = fopen(path, "re");
	size_t n;

	while (f && (n = fread(part, 1, sizeof part, f)) > 0)
		buf_put(&b, part, n);
	if (f)
		fclose(f);
	buf_puts(&b, "");
	return b;
}

static void
spill(const char *path, const char *text)
{
	char dir[600];
	FILE *f;

	for (const char *s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/')) {
		snprintf(dir, sizeof dir, "%.*s", (int)(s - path), path);
		if (mkdir(dir, 0777) < 0 && errno != EEXIST)
			fail_msg("cannot make %s", dir);
	}
	f = fopen(path, "we");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		fail_msg("cannot write %s", path);
}

/* ---- comparing ------------------------------------------------------------------- */

/* The length of the line; `*next` is where another begins. */
static int
line_of(const char *s, const char **next)
{
	size_t n = strcspn(s, "\n");

	*next = s + n + (s[n] == '\n');
	return (int)n;
}

static void
differs(
    const char *name, int line, const char *want, int w, const char *got, int g)
{
	if (wrong++ > 40)
		return;
	print_error("%s:%d\n  expected |%.*s|\n  got      |%.*s|\n", name, line,
	    w, want, g, got);
}

static void
compare(const char *name, const char *want, const char *got)
{
	for (int line = 1; *want || *got; line++) {
		const char *w = want, *g = got;
		int n = line_of(w, &want), m = line_of(g, &got);

		if (n != m || memcmp(w, g, (size_t)n) != 0)
			differs(name, line, w, n, g, m);
	}
}

/* Lines that are as in `base` become '"'. */
static struct buf
ditto(const char *text, const char *base)
{
	struct buf b = BUF_INIT;

	while (*text) {
		const char *t = text, *o = base;
		int n = line_of(t, &text), m = line_of(o, &base);

		if (n == m && n > 0 && *t != '=' &&
		    memcmp(t, o, (size_t)n) == 0)
			buf_puts(&b, "\"");
		else
			buf_put(&b, t, (size_t)n);
		buf_putc(&b, '\n');
	}
	buf_puts(&b, "");
	return b;
}

/* A golden file as it is, or as it was just written. */
static struct buf
golden(const char *dir, const char *name, const char *suffix, char path[512])
{
	const char *to = getenv("GOLDEN_WRITE");

	snprintf(path, 512, "%s/%s/%s%s", to ? to : GOLDEN, dir, name, suffix);
	return slurp(path);
}

/* What was got, with a golden file; lines that are as in `base` stand there
 * as '"'. */
static void
check(const char *dir, const char *name, const char *suffix, const char *base,
    const char *got)
{
	struct buf mine = ditto(got, base), file;
	char path[512];

	file = golden(dir, name, suffix, path);
	if (getenv("GOLDEN_WRITE"))
		spill(path, mine.data);
	else
		compare(path, file.data, mine.data);
	buf_fini(&file);
	buf_fini(&mine);
}

/* What a script says it is like, or nothing. */
static struct buf
other(const char *dir, const char *like, const char *suffix)
{
	char path[512];

	return like[0] ? golden(dir, like, suffix, path) : (struct buf)BUF_INIT;
}

/* ---- playing ------------------------------------------------------------------------ */

static void
play(struct player *p, const struct player_run *run, const char *dir,
    const char *name, bool ascii)
{
	char begin[512], script[512];

	snprintf(begin, sizeof begin, GOLDEN "/%s/begin.script", dir);
	snprintf(script, sizeof script, GOLDEN "/%s/%s.script", dir, name);
	player_open(p, run, data, ascii);
	player_play(p, begin);
	player_play(p, script);
}

/* Letters of ASCII screens are told by those of the others. */
static void
play_both(const struct player_run *run, const char *dir, const char *name)
{
	struct player p, q;
	struct buf text, letters, ascii;

	play(&p, run, dir, name, false);
	play(&q, run, dir, name, true);
	text = other(dir, p.like, ".txt");
	letters = other(dir, p.like, ".roles");
	ascii = other(dir, p.like, ".ascii.txt");
	check(dir, name, ".txt", buf_str(&text), buf_str(&p.out));
	check(dir, name, ".roles", buf_str(&letters), buf_str(&p.letters));
	check(dir, name, ".ascii.txt", buf_str(&ascii), buf_str(&q.out));
	check(dir, name, ".ascii.roles", buf_str(&p.letters),
	    buf_str(&q.letters));
	buf_fini(&text);
	buf_fini(&letters);
	buf_fini(&ascii);
	player_close(&p);
	player_close(&q);
}

static int
is_script(const struct dirent *d)
{
	const char *end = strstr(d->d_name, ".script");

	return end && !end[7] && strcmp(d->d_name, "begin.script") != 0;
}

/* Scripts that others refer to are written before them. */
static int
by_reference(const struct dirent **a, const struct dirent **b)
{
	static const char *const first[] = { "top.", "detail.", "output.",
		"waiting." };
	size_t i = 0, j = 0;

	for (; i < 4 && !strstr((*a)->d_name, first[i]); i++)
		;
	for (; j < 4 && !strstr((*b)->d_name, first[j]); j++)
		;
	return i < j ? -1 : i > j ? 1 : strcmp((*a)->d_name, (*b)->d_name);
}

static void
play_directory(const struct player_run *run, const char *dir)
{
	struct dirent **list;
	char path[512];
	int n;

	snprintf(path, sizeof path, GOLDEN "/%s", dir);
	n = scandir(path, &list, is_script, by_reference);
	assert_true(n > 0);
	wrong = 0;
	for (int i = 0; i < n; i++) {
		list[i]->d_name[strcspn(list[i]->d_name, ".")] = '\0';
		play_both(run, dir, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	assert_int_equal(wrong, 0);
}

static void
open_invented(struct player_run *run, const char *name)
{
	char recording[64], names[64];

	snprintf(recording, sizeof recording, "%s/%s.htd.gz", data, name);
	snprintf(names, sizeof names, "%s/%s.names", data, name);
	player_run_open(run, recording, names);
}

static void
play_invented(const char *name)
{
	struct player_run run;

	open_invented(&run, name);
	play_directory(&run, name);
	player_run_close(&run);
}

static void
is_the_invented_run(void **state)
{
	(void)state;
	play_invented("ingestd");
}

/* The same with whole stacks. */
static void
is_the_invented_shape(void **state)
{
	(void)state;
	play_invented("whole");
}

/* The same, telling when objects were born. */
static void
is_the_invented_age(void **state)
{
	(void)state;
	play_invented("aged");
}

/* Programs that there are: tests/data/NAME.htd.gz. */
static void
play_recording(const char *name)
{
	char recording[64], names[64];
	struct player_run run;

	snprintf(recording, sizeof recording, "tests/data/%s.htd.gz", name);
	snprintf(names, sizeof names, "tests/data/%s.names", name);
	player_run_open(&run, recording, names);
	play_directory(&run, name);
	player_run_close(&run);
}

static void
is_a_program_with_symbols(void **state)
{
	(void)state;
	play_recording("demo");
}

static void
is_a_program_without_symbols(void **state)
{
	(void)state;
	play_recording("sqlite3");
}

static void
is_a_program_of_many_stacks(void **state)
{
	(void)state;
	play_recording("python3");
}

/* ---- mock-ups ------------------------------------------------------------------------- */

/* What was drawn by hand before there was a program, and the size it was
 * drawn at, counted from the smallest. */
static const struct {
	const char *name, *golden;
	int size;
	bool ascii;
	bool whole; /* of the directory with whole stacks */
} mockups[] = {
	{ "top_36", "top", 0, false, false },
	{ "top_60", "top", 1, false, false },
	{ "top_80", "top", 2, false, false },
	{ "top_80.ascii", "top", 2, true, false },
	{ "top_100", "top", 3, false, false },
	{ "top_160", "top", 4, false, false },
	{ "growth_80", "growth", 2, false, false },
	{ "growth_100", "growth", 3, false, false },
	{ "detail_100", "detail", 3, false, false },
	{ "help_100", "help", 3, false, false },
	{ "filter_80", "filter", 2, false, false },
	{ "export_80", "export", 2, false, false },
	{ "waiting_80", "waiting", 2, false, false },
	{ "snapshots_100", "snapshots", 3, false, false },
	{ "killed_80", "killed", 2, false, false },
	{ "nameless_80", "nameless", 2, false, false },
	{ "tree_80", "tree_drawn", 2, false, true },
	{ "tree_100", "tree_drawn", 3, false, true },
	{ "flame_80", "flame_mono", 2, false, true },
	{ "flame_100", "flame_mono", 3, false, true },
};

/* A reason says why lines are not as they were drawn: lines of text, then
 * pairs of "< drawn" and "> shown".  "?" is no reason. */
struct reasons {
	const char *text;
	unsigned used[128]; /* per pair */
};

/* Whether there is a reason for this pair; it is marked as used. */
static bool
has_reason(
    struct reasons *r, const char *drawn, int n, const char *shown, int m)
{
	const char *s = r->text, *before = "";
	int len = 0;

	for (int pair = 0; *s;) {
		const char *line = s;
		int k = line_of(line, &s);

		if (*line == '>' && *before == '<') {
			if (len == n + 2 && k == m + 2 &&
			    memcmp(before + 2, drawn, (size_t)n) == 0 &&
			    memcmp(line + 2, shown, (size_t)m) == 0) {
				r->used[pair]++;
				return true;
			}
			pair++;
		}
		before = line;
		len = k;
	}
	return false;
}

/* The reasons without pairs that are none any more; those differ. */
static struct buf
used_reasons(const struct reasons *r, const char *name)
{
	const char *s = r->text, *before = "";
	struct buf b = BUF_INIT;
	int len = 0;

	for (int pair = 0; *s;) {
		const char *line = s;
		int k = line_of(line, &s);

		if (k == 1 && *line == '?')
			differs(name, 0, "a reason", 8, line, k);
		if (*line == '>' && r->used[pair++])
			buf_printf(&b, "%.*s\n%.*s\n", len, before, k, line);
		else if (*line == '>')
			differs(
			    name, 0, "a difference that is none", 25, line, k);
		else if (*line != '<')
			buf_printf(&b, "%.*s\n", k, line);
		before = line;
		len = k;
	}
	return b;
}

/* Append the k-th screen of an output to b, without the line that ends it. */
static void
cut_screen(const char *out, int k, struct buf *b)
{
	while (*out) {
		const char *line = out;
		int n = line_of(line, &out);

		if (n > 0 && strspn(line, "=") == (size_t)n) {
			if (k-- == 0)
				return;
		} else if (k == 0) {
			buf_put(b, line, (size_t)n + 1);
		}
	}
}

static void
compare_mockup(const char *name, const char *shown)
{
	char path[512];
	struct buf drawn, why, kept, pairs = BUF_INIT;
	struct reasons r = { 0 };
	const char *d;

	snprintf(path, sizeof path, GOLDEN "/mockup/%s.why", name);
	why = slurp(path);
	r.text = buf_str(&why);
	snprintf(path, sizeof path, GOLDEN "/mockup/%s.txt", name);
	drawn = slurp(path);
	d = drawn.data;
	for (int line = 1; *d || *shown; line++) {
		const char *a = d, *b = shown;
		int n = line_of(a, &d), m = line_of(b, &shown);

		if ((n == m && memcmp(a, b, (size_t)n) == 0) ||
		    has_reason(&r, a, n, b, m))
			continue;
		differs(path, line, a, n, b, m);
		buf_printf(&pairs, "< %.*s\n> %.*s\n", n, a, m, b);
	}
	kept = used_reasons(&r, path);
	if (pairs.len > 0)
		buf_printf(&kept, "%s?\n%s", kept.len > 0 ? "\n" : "",
		    buf_str(&pairs));
	if (getenv("GOLDEN_WRITE") && (kept.len > 0 || why.len > 0)) {
		snprintf(path, sizeof path, "%s/mockup/%s.why",
		    getenv("GOLDEN_WRITE"), name);
		spill(path, buf_str(&kept));
	}
	buf_fini(&kept);
	buf_fini(&drawn);
	buf_fini(&why);
	buf_fini(&pairs);
}

static void
is_as_it_was_drawn(void **state)
{
	struct player_run run, whole;

	(void)state;
	wrong = 0;
	open_invented(&run, "ingestd");
	open_invented(&whole, "whole");
	for (size_t i = 0; i < sizeof mockups / sizeof mockups[0]; i++) {
		struct buf screen = BUF_INIT;
		struct player p;

		if (mockups[i].whole)
			play(&p, &whole, "whole", mockups[i].golden,
			    mockups[i].ascii);
		else
			play(&p, &run, "ingestd", mockups[i].golden,
			    mockups[i].ascii);
		cut_screen(buf_str(&p.out), mockups[i].size, &screen);
		compare_mockup(mockups[i].name, buf_str(&screen));
		buf_fini(&screen);
		player_close(&p);
	}
	player_run_close(&run);
	player_run_close(&whole);
	assert_int_equal(wrong, 0);
}

/* ---- the tests ------------------------------------------------------------------------ */

static int
make_data(void **state)
{
	char command[128];

	(void)state;
	if (!mkdtemp(data))
		return -1;
	snprintf(command, sizeof command, "python3 -B tests/data/ingestd.py %s",
	    data);
	return system(command);
}

static int
remove_data(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", data);
	return system(command);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_the_invented_run),
		cmocka_unit_test(is_the_invented_shape),
		cmocka_unit_test(is_the_invented_age),
		cmocka_unit_test(is_a_program_with_symbols),
		cmocka_unit_test(is_a_program_without_symbols),
		cmocka_unit_test(is_a_program_of_many_stacks),
		cmocka_unit_test(is_as_it_was_drawn),
	};

	return cmocka_run_group_tests(tests, make_data, remove_data);
}
