/* What the colour of a bar says, and what is said beside it. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "model/ages.h"
#include "model/profile.h"
#include "model/report.h"
#include "model/tree.h"
#include "ui/app.h"
#include "ui/flame_parts.h"

#define OLD    2 /* one part in so many of the time it has run */
#define MIDDLE 16

/* ---- modules ----------------------------------------------------------------- */

static bool
is_system(const char *module)
{
	static const char *const names[] = { "libc.so", "libc-", "ld-", "ld.so",
		"libpthread", "libm.so", "librt.so", "libdl.so", "linux-vdso",
		"[vdso]" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strncmp(module, names[i], strlen(names[i])) == 0)
			return true;
	}
	return !*module;
}

static const char *
program(const struct app *a)
{
	const char *image = profile_facts(a->report->profiles[0])->image;
	const char *slash = image ? strrchr(image, '/') : NULL;

	return slash ? slash + 1 : image ? image : a->target.name;
}

static enum role
module_role(const struct app *a, const struct flame_bar *b)
{
	const struct tree *t = a->flame.tree;
	const char *module;

	if (b->count > 1)
		return ROLE_DIM;
	if (b->node == TREE_ROOT)
		return ROLE_FLAME_SYS;
	module = report_place_module(a->report, tree_place(t, b->node));
	if (!module || is_system(module))
		return ROLE_FLAME_SYS;
	if (strcmp(module, program(a)) != 0)
		return ROLE_FLAME_LIB;
	return tree_depth(t, b->node) % 2 ? ROLE_FLAME_APP : ROLE_FLAME_APP2;
}

/* ---- change ------------------------------------------------------------------ */

/* The sign of a change that is beyond its noise. */
static int
sign_of(const struct flame_bar *b)
{
	double change = figures_change(&b->f);

	if (change == 0 || fabs(change) < figures_change_error(&b->f))
		return 0;
	return change > 0 ? 1 : -1;
}

static enum role
change_role(const struct flame_bar *b)
{
	switch (sign_of(b)) {
	case 1:
		return figures_change(&b->f) * 2 >= b->f.value
		    ? ROLE_FLAME_GROW
		    : ROLE_FLAME_GROW2;
	case -1: return ROLE_FLAME_SHRINK;
	default: return ROLE_FLAME_SAME;
	}
}

/* " +21.5 MiB" */
static void
tell_change(const struct app *a, const struct flame_bar *b, int room,
    bool ascii, struct buf *to)
{
	unsigned flags = ascii ? FMT_ASCII : 0;
	double change = figures_change(&b->f);
	bool bytes = metric_is_bytes(a->report->query.metric);
	struct fmt f;

	if (sign_of(b) == 0)
		return;
	f = bytes ? fmt_change(change, flags) : fmt_count_change(change, flags);
	if (1 + utf8_width(f.s) <= room)
		buf_printf(to, " %s", f.s);
	else
		buf_puts(to, change > 0 ? " +" : " -");
}

/* ---- ages -------------------------------------------------------------------- */

bool
flame_knows_ages(const struct app *a)
{
	return a->flame.ages && ages_known(a->flame.ages) && !a->target.untimed;
}

/* The median, asked for once; false: it is not known. */
static bool
median_age(const struct app *a, size_t bar, uint64_t *ns)
{
	const struct flame_view *f = &a->flame;
	const struct flame_bar *b = &f->bars.bars[bar];
	struct ages age = { .known = false };
	const uint32_t *stacks;
	size_t n, self;

	if (f->medians[bar] == 0) {
		if (b->count == 1 && flame_knows_ages(a)) {
			stacks = tree_stacks(f->tree, b->node, &n, &self);
			age = ages_at(
			    f->ages, AGES_LIST, ages_list(f->ages, stacks, n));
		}
		f->medians[bar] = age.known ? age.median_ns + 2 : 1;
	}
	*ns = f->medians[bar] - 2;
	return f->medians[bar] > 1;
}

static enum role
age_role(const struct app *a, size_t bar)
{
	uint64_t ran = app_since_start(a, app_shown_ns(a)), ns;

	if (!median_age(a, bar, &ns))
		return ROLE_DIM;
	return ns >= ran / OLD   ? ROLE_FLAME_OLD
	    : ns >= ran / MIDDLE ? ROLE_FLAME_MIDDLE
				 : ROLE_FLAME_YOUNG;
}

/* " 3m12s" */
static void
tell_age(const struct app *a, size_t bar, int room, struct buf *b)
{
	uint64_t ns;
	struct fmt f;

	if (!median_age(a, bar, &ns))
		return;
	f = fmt_duration(ns);
	if (1 + utf8_width(f.s) <= room)
		buf_printf(b, " %s", f.s);
}

/* ---- any of them ---------------------------------------------------------------- */

enum role
flame_role(const struct app *a, size_t bar)
{
	const struct flame_bar *b = &a->flame.bars.bars[bar];

	switch (a->flame.colours) {
	case FLAME_BY_CHANGE: return change_role(b);
	case FLAME_BY_AGE: return age_role(a, bar);
	case FLAME_BY_MODULE: break;
	}
	return module_role(a, b);
}

void
flame_tell(const struct app *a, size_t bar, int room, bool ascii, struct buf *b)
{
	const struct flame_bar *x = &a->flame.bars.bars[bar];

	if (a->flame.colours == FLAME_BY_CHANGE)
		tell_change(a, x, room, ascii, b);
	else if (a->flame.colours == FLAME_BY_AGE)
		tell_age(a, bar, room, b);
}
