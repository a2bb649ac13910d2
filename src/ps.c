#include "ps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/procfs.h"
#include "options.h"
#include "output.h"
#include "visit.h"

#define PROCESSES_MAX 4096
#define COMMAND_BYTES 1024
#define DIGITS        20

static const struct visit_question questions[] = {
	{ "stats.allocated", NULL, VISIT_NS },
	{ "prof.lg_sample", NULL, VISIT_NS },
	{ "prof.active", NULL, VISIT_NS },
};

#define QUESTIONS (sizeof questions / sizeof *questions)

/* A copy that a terminal takes as text alone: no control characters of
 * either kind, and nothing that is no UTF-8. */
static char *
plain(const char *s)
{
	struct buf b = BUF_INIT;
	size_t left = strlen(s), used;

	for (; left > 0; s += used, left -= used) {
		uint32_t c = utf8_decode(s, left, &used);

		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffd)
			buf_putc(&b, '?');
		else
			buf_put(&b, s, used);
	}
	buf_putc(&b, '\0');
	return b.data;
}

/* Why it did not answer, in the words of a table. */
static const char *
reason(const struct visit *v)
{
	switch (v->end) {
	case VISIT_WAITING: return "no sample yet";
	case VISIT_LATE: return "no answer";
	case VISIT_REFUSED: return "not to be asked";
	case VISIT_DONE: break;
	}
	return "?";
}

static void
take_answers(struct ps_row *r, const struct visit *v)
{
	const struct visit_answer *a = v->answer;

	snprintf(r->sampling, sizeof r->sampling, "%s", reason(v));
	if (v->end != VISIT_DONE || a[0].error || a[1].error || a[2].error)
		return;
	r->known = true;
	r->live_bytes = strtoull(a[0].text, NULL, 10);
	snprintf(r->sampling, sizeof r->sampling, "%s",
	    strcmp(a[2].text, "true") != 0
		? "off"
		: fmt_sampling((uint32_t)strtoul(a[1].text, NULL, 10)).s);
}

/* False if the process is gone. */
static bool
fill_row(struct ps_row *r, const struct visit *v)
{
	struct procfs_memory m;
	struct procfs_stat st;
	char command[COMMAND_BYTES];

	if (procfs_stat(v->pid, &st) < 0 || st.state == 'Z' ||
	    procfs_memory(v->pid, &m) < 0 ||
	    procfs_command(v->pid, command, sizeof command) < 0)
		return false;
	memset(r, 0, sizeof *r);
	r->pid = v->pid;
	r->parent = st.ppid;
	r->rss_bytes = m.rss_bytes;
	memcpy(r->name, st.comm, sizeof r->name);
	r->command = plain(command);
	take_answers(r, v);
	return true;
}

size_t
ps_list(struct ps_row **rows)
{
	pid_t *pid = xmalloc(PROCESSES_MAX * sizeof *pid);
	size_t all = procfs_preloaded(pid, PROCESSES_MAX), n = 0;
	struct visit *v;

	if (all > PROCESSES_MAX)
		all = PROCESSES_MAX;
	v = xcalloc(all + 1, sizeof *v);
	for (size_t i = 0; i < all; i++)
		if (pid[i] != getpid())
			v[n++].pid = pid[i];
	all = n;
	n = 0;
	visit_all(v, all, questions, QUESTIONS);
	*rows = xcalloc(all + 1, sizeof **rows);
	for (size_t i = 0; i < all; i++)
		if (fill_row(&(*rows)[n], &v[i]))
			n++;
	visit_free(v, all, QUESTIONS);
	free(v);
	free(pid);
	return n;
}

void
ps_free(struct ps_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(rows[i].command);
	free(rows);
}

/* ---- the table ---- */

static void
put_line(struct buf *b, const char *line, const char *command, int columns)
{
	int left = columns - utf8_width(line);

	buf_puts(b, line);
	if (columns == 0)
		buf_puts(b, command);
	else if (left > 0)
		utf8_cut_right(b, command, left, "~");
	buf_putc(b, '\n');
}

/* Room for a number of n digits, and for a heading. */
static int
digits(unsigned long n, int least)
{
	char text[DIGITS + 1];
	int len = snprintf(text, sizeof text, "%lu", n);

	return len > least ? len : least;
}

void
ps_table(struct buf *b, const struct ps_row *rows, size_t n, bool numbered,
    int columns)
{
	int pid = 3, parent = 6, sampling = 8;
	int number = numbered ? digits(n, 1) : 0;
	char line[160];

	for (size_t i = 0; i < n; i++) {
		int len = (int)strlen(rows[i].sampling);

		pid = digits((unsigned long)rows[i].pid, pid);
		parent = digits((unsigned long)rows[i].parent, parent);
		sampling = len > sampling ? len : sampling;
	}
	snprintf(line, sizeof line, "%*s%s%*s %9s %9s  %-*s %*s  ", number, "",
	    numbered ? "  " : "", pid, "PID", "LIVE", "RSS", sampling,
	    "SAMPLING", parent, "PARENT");
	put_line(b, line, "COMMAND", columns);
	for (size_t i = 0; i < n; i++) {
		const struct ps_row *r = &rows[i];
		char count[DIGITS + 3] = "";

		if (numbered)
			snprintf(count, sizeof count, "%*zu  ", number, i + 1);
		snprintf(line, sizeof line, "%s%*d %9s %9s  %-*s %*d  ", count,
		    pid, (int)r->pid,
		    r->known ? fmt_bytes(
				   (double)r->live_bytes, FMT_COLUMN | FMT_ZERO)
				   .s
			     : "",
		    fmt_bytes((double)r->rss_bytes, FMT_COLUMN | FMT_ZERO).s,
		    sampling, r->sampling, parent, (int)r->parent);
		put_line(b, line, r->command, columns);
	}
}

int
ps_columns(int fd)
{
	struct winsize w;

	if (ioctl(fd, TIOCGWINSZ, &w) < 0)
		return 0;
	return w.ws_col;
}

/* ---- the command ---- */

/* There may be more than one's eyes see. */
static void
say_foreign(void)
{
	size_t n = procfs_unreadable();

	if (n == 0)
		return;
	say("%zu process%s cannot be looked into%s", n, n == 1 ? "" : "es",
	    geteuid() == 0 ? " from here, not even by root"
			   : ", being of other users; root sees all");
}

int
ps_run(const struct options *o)
{
	struct buf b = BUF_INIT;
	struct ps_row *rows;
	struct output out;
	struct err e;
	size_t n;

	if (output_open(&out, o->output, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		return 1;
	}
	n = ps_list(&rows);
	if (n > 0) {
		ps_table(&b, rows, n, false, ps_columns(out.fd));
		output_put(&out, &b);
	} else
		say("no process that you may watch runs under libheaptop.so: "
		    "start one with `heaptop exec PROGRAM`");
	say_foreign();
	output_close(&out);
	ps_free(rows, n);
	buf_fini(&b);
	return out.failed;
}
