#include "screen_export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "export/export.h"
#include "model/profile.h"
#include "model/report.h"
#include "ui/app.h"

#define TRIES 1000

/* As it is, then with a number before its ending. */
static void
number_name(const char *name, int n, char *out, size_t size)
{
	const char *slash = strrchr(name, '/');
	const char *dot = strrchr(slash ? slash : name, '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);

	if (n < 2)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%.*s-%d%s", stem, name, n, name + stem);
}

int
screen_write(const char *name, const struct buf *text, struct err *e)
{
	char path[APP_TEXT + 16];
	int fd = -1, r;

	for (int n = 1; n <= TRIES && fd < 0; n++) {
		number_name(name, n, path, sizeof path);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return err_sys(e, "cannot write %s", path);
	r = buf_write(text, fd, path, e);
	if (close(fd) < 0 && r == 0)
		r = err_sys(e, "cannot write %s", path);
	if (r < 0) {
		unlink(path); /* a cut report would be taken for a whole one */
		return -1;
	}
	err_set(e, "%s", path);
	return 0;
}

static export_fn *
renderer(enum app_format f)
{
	switch (f) {
	case APP_FORMAT_TABLE: return export_top;
	case APP_FORMAT_TEXT: return export_text;
	case APP_FORMAT_TREE: return export_tree;
	case APP_FORMAT_DOT: return export_dot;
	case APP_FORMAT_COLLAPSED: return export_collapsed;
	case APP_FORMAT_HEAP: return export_heap;
	case APP_FORMAT_COUNT: break;
	}
	return export_top;
}

/* Formats that want more than the rows: the same question again. */
static struct report *
rebuild(const struct report *shown, enum app_format f)
{
	struct query q = shown->query;

	if (f == APP_FORMAT_TREE)
		q.tree = true;
	else if (f == APP_FORMAT_HEAP)
		q.cut = CUT_NOTHING;
	else
		return NULL;
	return report_build(shown->profiles, shown->profile_count, &q);
}

int
screen_export(const struct report *report, const struct app *a,
    const struct request *r, bool ascii, struct err *e)
{
	struct report *own = rebuild(report, r->format);
	struct export_options x;
	struct buf b = BUF_INIT;
	char name[sizeof e->msg];
	int bad;

	export_options_init(&x);
	x.program = a->target.name;
	x.top = 0;
	x.ascii = ascii;
	renderer(r->format)(own ? own : report, &x, &b);
	bad = screen_write(r->file, &b, e);
	if (bad == 0) {
		snprintf(name, sizeof name, "%s", e->msg);
		err_set(e, "wrote %s, %zu stack%s", name, report->stack_count,
		    report->stack_count == 1 ? "" : "s");
	}
	report_free(own);
	buf_fini(&b);
	return bad;
}
