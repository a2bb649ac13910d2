#include "screen_export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "export/dot_svg.h"
#include "export/export.h"
#include "formats.h"
#include "io/graphviz.h"
#include "io/procfs.h"
#include "model/history.h"
#include "model/profile.h"
#include "model/report.h"
#include "options.h"
#include "reports_more.h"
#include "screen_formats.h"
#include "ui/app.h"

/* ---- files -------------------------------------------------------------------- */

#define PATH_SIZE (APP_TEXT + 4096)

/* "~/x" is below HOME. */
static const char *
expand(const char *name, char path[PATH_SIZE])
{
	const char *home = getenv("HOME");

	if (name[0] == '~' && name[1] == '/' && home && *home) {
		snprintf(path, PATH_SIZE, "%s%s", home, name + 1);
		return path;
	}
	return name;
}

bool
screen_file_exists(const char *name)
{
	char path[PATH_SIZE];
	struct stat st;

	return lstat(expand(name, path), &st) == 0;
}

static int
write_close(int fd, const char *path, const struct buf *text, struct err *e)
{
	int r;

	if (fd < 0)
		return err_sys(e, "cannot write %s", path);
	r = buf_write(text, fd, path, e);
	if (close(fd) < 0 && r == 0)
		r = err_sys(e, "cannot write %s", path);
	return r;
}

/* Written as `part` first; what has come to be of that name meanwhile stays,
 * unless it may go. */
static int
write_whole(const char *path, bool overwrite, mode_t rights,
    const struct buf *text, struct err *e)
{
	struct buf part = BUF_INIT;
	const char *p;
	int fd, r;

	buf_printf(&part, "%s.%ld.part", path, (long)getpid());
	p = buf_str(&part);
	fd = open(
	    p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd >= 0 && rights)
		fchmod(fd, rights);
	r = write_close(fd, path, text, e);
	/* link(2) replaces nothing; where there are no links there is no
	 * such promise. */
	if (r == 0 && !overwrite && link(p, path) == 0)
		unlink(p);
	else if (r == 0 && !overwrite && errno == EEXIST)
		r = err_sys(e, "cannot write %s", path);
	else if (r == 0 && rename(p, path) < 0)
		r = err_sys(e, "cannot write %s", path);
	if (r < 0 && fd >= 0)
		unlink(p);
	buf_fini(&part);
	return r;
}

int
screen_write(
    const char *name, bool overwrite, const struct buf *text, struct err *e)
{
	char path[PATH_SIZE];
	struct stat st;
	char *real;
	int r;

	name = expand(name, path);
	if (!overwrite || stat(name, &st) < 0)
		return write_whole(name, overwrite, 0, text, e);
	if (!S_ISREG(st.st_mode))
		return write_close(
		    open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC),
		    name, text, e);
	real = realpath(name, NULL);
	r = write_whole(real ? real : name, true, st.st_mode & 0777, text, e);
	free(real);
	return r;
}

/* ---- the report ------------------------------------------------------------------ */

/* A view of changes is exported as changes, where a format has but one
 * figure. */
static bool
shows_changes(const struct app *a, enum report_kind kind)
{
	static const enum report_kind single[] = { REPORT_TEXT,
		REPORT_FLAMEGRAPH, REPORT_SVG, REPORT_PNG, REPORT_PDF,
		REPORT_PS, REPORT_DOT, REPORT_COLLAPSED, REPORT_SPEEDSCOPE,
		REPORT_PPROF, REPORT_CALLGRIND };

	for (size_t i = 0; i < sizeof single / sizeof *single; i++)
		if (single[i] == kind)
			return a->view == CONTEXT_GROWTH;
	return false;
}

/* Formats that want more than the rows, or something to be changed: the same
 * question again.  NULL: what is shown will do. */
static struct report *
rebuild(const struct report *shown, const struct app *a, enum report_kind kind)
{
	const struct format *f = &formats[kind];
	struct query q = shown->query;

	q.max_rows = a->query.max_rows; /* a view asks for what it shows */
	q.tree = q.tree || f->tree;
	q.freed = f->freed;
	q.difference = shows_changes(a, kind);
	if (f->cut == CUT_NOTHING)
		q.cut = CUT_NOTHING;
	if (!f->tree && q.tree == shown->query.tree &&
	    q.freed == shown->query.freed &&
	    q.difference == shown->query.difference &&
	    q.cut == shown->query.cut &&
	    (q.max_rows == shown->query.max_rows ||
		shown->remainder_count == 0))
		return NULL;
	return report_build(shown->profiles, shown->profile_count, &q);
}

/* The root that was chosen in the view, by its path; 0: none was. */
static uint64_t
chosen_root(const struct app *a)
{
	const struct tree_view *t = &a->tree;
	const struct flame_view *f = &a->flame;
	size_t depth = 0;

	if (a->view == CONTEXT_TREE && t->root_count > 0)
		depth = t->roots[t->root_count - 1];
	if (depth > 0)
		return t->root[depth - 1];
	if (a->view == CONTEXT_FLAME && f->zoom_count > 0)
		depth = f->zooms[f->zoom_count - 1].depth;
	return depth > 0 ? f->trail[depth - 1] : 0;
}

/* Leave in the report's tree what is below that node, which is to be freed;
 * NULL: all of it stays. */
static struct tree_node *
take_root(struct report *r, uint64_t path)
{
	const struct tree_node *old = r->tree;
	struct tree_node *made;
	uint32_t root = 1, n;

	while (path && root < r->tree_count && old[root].path != path)
		root++;
	if (!path || root >= r->tree_count)
		return NULL;
	n = old[root].next - root;
	made = xcalloc(n + 1, sizeof *made);
	made[0] = (struct tree_node){ .place = TREE_ALL,
		.next = n + 1,
		.first = old[root].first,
		.cum = old[root].cum };
	for (uint32_t i = 0; i < n; i++) {
		made[i + 1] = old[root + i];
		made[i + 1].parent = i ? old[root + i].parent - root + 1 : 0;
		made[i + 1].next -= root - 1;
		made[i + 1].depth -= old[root].depth - 1;
	}
	r->tree = made;
	r->tree_count = n + 1;
	r->local = old[root].cum;
	return made;
}

/* A person waits in front of a screen that holds still. */
static const struct graphviz_limits patience = { 20, 256 };

static int
render(const struct format *f, const struct report *r,
    const struct export_options *x, struct buf *b, struct err *e)
{
	struct buf text = BUF_INIT, drawn = BUF_INIT;
	int bad;

	if (!f->dot) {
		f->fn(r, x, b);
		return 0;
	}
	f->fn(r, x, &text);
	bad = graphviz_draw(f->dot, &text, &patience, &drawn, e);
	if (bad == 0 && strcmp(f->dot, "svg") == 0)
		export_dot_svg(r, x, buf_str(&drawn), drawn.len, b);
	else if (bad == 0)
		buf_put(b, drawn.data, drawn.len);
	buf_fini(&text);
	buf_fini(&drawn);
	return bad;
}

static int
make(const struct report *r, const struct app *a, const struct options *o,
    enum report_kind kind, bool ascii, struct buf *b, struct err *e)
{
	struct options asked = *o; /* nothing of it is freed */
	struct export_options x;
	struct export_resident resident;
	struct procfs_memory now;
	struct reports_more more;
	int bad;

	asked.report = kind;
	export_options_init(&x);
	x.program = a->target.name;
	x.top = 0;
	x.ascii = ascii;
	x.untimed = a->target.untimed;
	reports_more_init(&more, &asked, r->profiles[0], "", &x);
	if (kind == REPORT_MEMORY && a->target.pid && !app_ended(a) &&
	    !app_is_file(a) && procfs_memory((pid_t)a->target.pid, &now) == 0) {
		resident = (struct export_resident){ now.anon_bytes,
			now.file_bytes, now.shmem_bytes };
		x.resident = &resident;
	}
	bad = render(&formats[kind], r, &x, b, e);
	reports_more_fini(&more);
	return bad;
}

int
screen_export(const struct report *report, const struct app *a,
    const struct options *o, const struct request *r, bool ascii, struct err *e)
{
	enum report_kind kind = screen_format_kind(r->format);
	struct report *own = rebuild(report, a, kind);
	struct tree_node *root =
	    formats[kind].tree ? take_root(own, chosen_root(a)) : NULL;
	size_t n = report->stack_count;
	struct buf b = BUF_INIT;
	int bad;

	bad = make(own ? own : report, a, o, kind, ascii, &b, e);
	if (bad == 0)
		bad = screen_write(r->file, r->overwrite, &b, e);
	if (bad == 0)
		err_set(e, "wrote %.*s, %zu stack%s",
		    (int)utf8_head(r->file, APP_SAY_NAME), r->file, n,
		    n == 1 ? "" : "s");
	report_free(own);
	free(root);
	buf_fini(&b);
	return bad;
}
