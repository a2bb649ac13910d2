#include "dumps.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "dumpfile.h"
#include "io/loop.h"
#include "io/symbols.h"
#include "model/profile.h"
#include "options.h"
#include "output.h"
#include "reports.h"
#include "series.h"

struct dumps {
	const struct options *o;
	char *program; /* path of PROGRAM, or NULL */
	struct loop *loop;
	struct symbols *symbols;
	struct series_dump *list; /* of those that could */
	struct profile **read;    /* those, in the same order */
	size_t count;
	struct output out;
	bool failed; /* something was said to be missing */
	int status;  /* what became of the report, see reports.h */
};

/* Each line of `notes` is a sentence for stderr. */
static void
say_lines(const struct buf *notes)
{
	const char *line = buf_str(notes);

	while (*line) {
		const char *end = line;

		while (*end && *end != '\n')
			end++;
		if (end > line)
			say("%.*s", (int)(end - line), line);
		line = *end ? end + 1 : end;
	}
}

static void
describe(struct series_dump *d, const char *path, const struct profile *p)
{
	const struct profile_facts *f = profile_facts(p);
	const struct profile_totals *t = profile_totals(p);

	d->path = path;
	d->pid = f->pid;
	d->start = f->start_ticks;
	d->now_ns = t ? t->now_ns : 0;
}

static void
read_one(struct dumps *d, const char *path)
{
	struct profile *p = profile_new();
	struct buf notes = BUF_INIT;
	struct err e;
	int got = dumpfile_read(path, d->program, p, &notes, &e);

	d->failed = d->failed || got != 0;
	if (got < 0) {
		say("%s", e.msg);
		profile_free(p);
	} else {
		describe(&d->list[d->count], path, p);
		d->read[d->count++] = p;
	}
	say_lines(&notes);
	buf_fini(&notes);
}

/* The profiles that the report is about, and what was left out. */
static size_t
choose(struct dumps *d, const struct profile **out)
{
	size_t processes = series_order(d->list, d->count, NULL), n = 0;
	const char *last = "";

	for (size_t i = 0; i < d->count; i++) {
		if (!d->o->sum && !d->list[i].last)
			continue;
		if (d->list[i].last)
			last = d->list[i].path;
		symbols_add(d->symbols, d->read[i], 0, d->program);
		out[n++] = d->read[i];
	}
	if (n == d->count)
		return n;
	if (processes == 1)
		say("the %zu dumps are a series of one process; this is the "
		    "last of them, %s (--sum adds all)",
		    d->count, last);
	else
		say("the %zu dumps are of %zu processes; the last one of "
		    "each is taken (--sum adds all)",
		    d->count, processes);
	return n;
}

static void
take(void *out, const struct buf *b)
{
	output_put(out, b);
}

static void
report(struct dumps *d)
{
	const struct buf_drain drain = { take, &d->out };
	const struct profile **list = xcalloc(d->count + 1, sizeof *list);
	size_t n = choose(d, list);
	struct buf b = BUF_INIT;
	const char *title;

	if (n) {
		symbols_finish(d->symbols, -1);
		b.drain = &drain;
		title = d->program ? d->program : profile_facts(list[0])->image;
		d->status = reports_render(d->o, list, n, 0, title, &b);
		output_put(&d->out, &b);
		reports_say_nameless(d->symbols, list, n);
	}
	buf_fini(&b);
	free(list);
}

/* One after the other, as a run would have shown them. */
static void
snapshots(struct dumps *d)
{
	size_t n = d->count;

	if (d->o->snapshots && d->o->snapshots < n)
		n = (size_t)d->o->snapshots;
	for (size_t i = 0; i < n; i++)
		symbols_add(d->symbols, d->read[i], 0, d->program);
	symbols_finish(d->symbols, -1);
	for (size_t i = 0; i < n; i++) {
		struct buf b = BUF_INIT;

		buf_printf(&b, "%s\n", d->list[i].path);
		reports_snapshot(d->o, d->read[i], NULL, &b);
		buf_putc(&b, '\n');
		output_put(&d->out, &b);
		buf_fini(&b);
	}
}

static void
read_all(struct dumps *d)
{
	struct symbols_options symbols = { .lib_prefix = d->o->lib_prefix };

	d->loop = loop_new();
	d->symbols = symbols_new(d->loop, &symbols);
	symbols_start(d->symbols);
	d->list = xcalloc(d->o->dump_count, sizeof *d->list);
	d->read = xcalloc(d->o->dump_count, sizeof *d->read);
	for (size_t i = 0; i < d->o->dump_count; i++)
		read_one(d, d->o->dumps[i]);
	if (d->o->report)
		report(d);
	else
		snapshots(d);
	symbols_free(d->symbols);
	for (size_t i = 0; i < d->count; i++)
		profile_free(d->read[i]);
	free(d->read);
	free(d->list);
	loop_free(d->loop);
}

int
dumps_read(const struct options *o)
{
	struct dumps d = { .o = o };
	struct err e;

	if (dumpfile_program(o, &d.program, &e) < 0) {
		say("%s", e.msg);
		return 2;
	}
	if (output_open(&d.out, o->output, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
		free(d.program);
		return 1;
	}
	read_all(&d);
	output_close(&d.out);
	free(d.program);
	return d.failed || d.out.failed ? 1 : d.status;
}
