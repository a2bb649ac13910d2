#include "io/editor.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "io/cleanenv.h"

#define NOT_EXECUTABLE 126 /* statuses of the shell */
#define NOT_FOUND      127

/* How a line is asked for; NULL is +LINE FILE. */
static const struct {
	const char *editor;
	const char *before; /* a word of its own, or "" */
	bool colon;         /* FILE:LINE, else LINE FILE */
} others[] = {
	{ "code", "-g", true },
	{ "code-insiders", "-g", true },
	{ "codium", "-g", true },
	{ "cursor", "-g", true },
	{ "windsurf", "-g", true },
	{ "subl", "", true },
	{ "zed", "", true },
	{ "hx", "", true },
	{ "helix", "", true },
	{ "kate", "-l", false },
	{ "kwrite", "-l", false },
	{ "clion", "--line", false },
	{ "idea", "--line", false },
};

/* The first word, without its directories. */
static void
name_of(const char *editor, char *name, size_t size)
{
	size_t len = strcspn(editor, " \t");
	const char *from = editor;

	for (const char *s = editor; s < editor + len; s++)
		if (*s == '/' && s + 1 < editor + len)
			from = s + 1;
	snprintf(name, size, "%.*s", (int)(editor + len - from), from);
}

void
editor_words(
    const char *editor, const char *file, uint32_t line, struct buf *words)
{
	/* Nothing that might be taken for an option. */
	const char *here = *file == '-' || *file == '+' ? "./" : "";
	char name[64];

	name_of(editor, name, sizeof name);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (strcmp(others[i].editor, name) != 0)
			continue;
		if (*others[i].before)
			buf_put(words, others[i].before,
			    strlen(others[i].before) + 1);
		if (others[i].colon)
			buf_printf(words, "%s%s:%u", here, file, line);
		else {
			buf_printf(words, "%u", line);
			buf_putc(words, '\0');
			buf_printf(words, "%s%s", here, file);
		}
		buf_putc(words, '\0');
		return;
	}
	buf_printf(words, "+%u", line);
	buf_putc(words, '\0');
	buf_printf(words, "%s%s", here, file);
	buf_putc(words, '\0');
}

static const char *
chosen(void)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");

	return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

static int
spawn(pid_t *pid, char *const *argv, int tty)
{
	char **env = cleanenv_make();
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int status;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(
	    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawn_file_actions_init(&files);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&files, tty, i);
	status = posix_spawnp(pid, "sh", &files, &attr, argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	free(env);
	return status;
}

int
editor_start(
    struct editor *ed, const char *file, uint32_t line, int tty, struct err *e)
{
	const char *editor = chosen();
	struct buf words = BUF_INIT, script = BUF_INIT;
	char *argv[8] = { (char[]){ "sh" }, (char[]){ "-c" } };
	size_t n = 4;
	int status;

	name_of(editor, ed->name, sizeof ed->name);
	buf_printf(&script, "%s \"$@\"", editor);
	buf_putc(&script, '\0');
	editor_words(editor, file, line, &words);
	argv[2] = script.data;
	argv[3] = ed->name;
	for (size_t at = 0; at < words.len && n < 7;
	     at += strlen(words.data + at) + 1)
		argv[n++] = words.data + at;
	argv[n] = NULL;
	status = spawn(&ed->pid, argv, tty);
	buf_fini(&words);
	buf_fini(&script);
	if (status)
		return err_set(e, "cannot run the editor %s: %s", ed->name,
		    strerror(status));
	return 0;
}

int
editor_ended(struct editor *ed, struct err *e)
{
	int status;
	pid_t got = waitpid(ed->pid, &status, WNOHANG);

	if (got == 0 || (got < 0 && errno == EINTR))
		return 0;
	if (got < 0)
		return 1; /* reaped by the system: nobody knows how it ended */
	if (WIFSIGNALED(status))
		return err_set(e, "the editor %s was killed by signal %d",
		    ed->name, WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_FOUND)
		return err_set(e,
		    "the editor %s was not found; set VISUAL or EDITOR",
		    ed->name);
	if (WEXITSTATUS(status) == NOT_EXECUTABLE)
		return err_set(e,
		    "the editor %s cannot be run; set VISUAL or EDITOR",
		    ed->name);
	if (WEXITSTATUS(status) != 0)
		return err_set(e, "the editor %s ended with status %d",
		    ed->name, WEXITSTATUS(status));
	return 1;
}
