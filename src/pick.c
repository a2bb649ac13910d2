#include "pick.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "output.h"
#include "ps.h"

#define BAD_USAGE 2

/* The row that an answer means, or NULL: a number of the list, else a pid,
 * else a name that only one has. */
static const struct ps_row *
meant(const char *answer, const struct ps_row *rows, size_t n)
{
	const struct ps_row *found = NULL;
	char *end;
	long number = strtol(answer, &end, 10);

	if (end != answer && *end == '\0') {
		if (number >= 1 && (size_t)number <= n)
			return &rows[number - 1];
		for (size_t i = 0; i < n; i++)
			if (rows[i].pid == number)
				return &rows[i];
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(rows[i].name, answer) != 0)
			continue;
		if (found)
			return NULL;
		found = &rows[i];
	}
	return found;
}

/* A line without blanks around; false at the end of input. */
static bool
read_answer(FILE *tty, char *line, size_t size)
{
	size_t len, from;

	if (!fgets(line, (int)size, tty))
		return false;
	len = strcspn(line, "\n");
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\r'))
		len--;
	line[len] = '\0';
	from = strspn(line, " ");
	memmove(line, line + from, len - from + 1);
	return true;
}

/* Ask until there is an answer; NULL: the user would rather not. */
static const struct ps_row *
ask(FILE *tty, const struct ps_row *rows, size_t n)
{
	const struct ps_row *r;
	char line[256];

	for (;;) {
		fprintf(tty, "Which? [1-%zu, q] ", n);
		fflush(tty);
		if (!read_answer(tty, line, sizeof line)) {
			fputc('\n', tty);
			return NULL;
		}
		if (strcmp(line, "q") == 0)
			return NULL;
		r = meant(line, rows, n);
		if (r)
			return r;
		fprintf(tty,
		    "A number from 1 to %zu, a process id, or a name "
		    "that only one has; q to leave.\n",
		    n);
	}
}

static const struct ps_row *
choose(FILE *tty, const struct ps_row *rows, size_t n)
{
	struct buf b = BUF_INIT;

	if (n == 1) {
		say("watching process %d (%s), the only one there is",
		    (int)rows[0].pid, rows[0].command);
		return &rows[0];
	}
	ps_table(&b, rows, n, true, ps_columns(fileno(tty)));
	fputs(buf_str(&b), tty);
	buf_fini(&b);
	return ask(tty, rows, n);
}

/* The terminal, to read from and write to; NULL if there is none. */
static FILE *
open_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	FILE *tty = fd < 0 ? NULL : fdopen(fd, "r+");

	if (fd >= 0 && !tty)
		close(fd);
	return tty;
}

int
pick_process(pid_t *pid, int *status)
{
	FILE *tty = isatty(STDOUT_FILENO) ? open_terminal() : NULL;
	const struct ps_row *r = NULL;
	struct ps_row *rows;
	size_t n;

	if (!tty) {
		say("-p wants a value where there is no terminal to ask on: a "
		    "process id or a program's name");
		*status = BAD_USAGE;
		return -1;
	}
	n = ps_list(&rows);
	if (n == 0)
		say("no process that you may watch runs under libheaptop.so: "
		    "start one with `heaptop exec PROGRAM`");
	else
		r = choose(tty, rows, n);
	*pid = r ? r->pid : 0;
	*status = 1;
	fclose(tty);
	ps_free(rows, n);
	return r ? 0 : -1;
}
