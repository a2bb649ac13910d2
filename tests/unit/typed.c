#include "typed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define WORDS_MAX 16

static enum word_kind
kind(const char *word, void *user)
{
	size_t len = strlen(word);

	(void)user;
	if (len >= 5 && strcmp(word + len - 5, ".dump") == 0)
		return WORD_DUMP;
	if (strncmp(word, "lost", 4) == 0 || strpbrk(word, "*?["))
		return WORD_MISSING;
	return WORD_OTHER;
}

struct options o;
struct err e;

int
parse(const char *line)
{
	static char text[512], *argv[WORDS_MAX + 2];
	int argc = 0;

	assert_true(strlen(line) < sizeof text);
	strcpy(text, line);
	argv[argc++] = (char[]){ "heaptop" };
	for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) {
		assert_true(argc < WORDS_MAX);
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	e.msg[0] = '\0';
	options_fini(&o);
	return options_parse(&o, argc, argv, kind, NULL, &e);
}

void
good(const char *line, enum mode mode)
{
	if (parse(line) < 0)
		fail_msg("'%s' was refused: %s", line, e.msg);
	assert_int_equal(o.mode, mode);
}

void
bad(const char *line, const char *part)
{
	if (parse(line) == 0)
		fail_msg("'%s' was taken", line);
	if (!strstr(e.msg, part))
		fail_msg("'%s': no '%s' in: %s", line, part, e.msg);
}
