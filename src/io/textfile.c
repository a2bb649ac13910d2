#include "io/textfile.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "io/heapnotes.h"
#include "io/heapread.h"
#include "io/heapwords.h"
#include "io/infile.h"
#include "model/frames.h"
#include "model/profile.h"

#define MB         1048576.0
#define ROWS_MAX   4000000u
#define NO_ADDRESS (UINT64_C(1) << 63) /* no process has code there */
#define NOT_TOLD   65535u              /* slot: of whatever thread */
#define CALLED     "(what it called)"
#define REST       "(rest of the total)"
#define FIGURE_MAX 1e18 /* a double adds integers below 2^53 exactly */

struct reader {
	struct infile *in;
	struct profile *profile;
	struct heapnotes notes;
	uint32_t stacks;
	uint16_t slot; /* of the section at hand */
	bool objects;  /* what is measured */
	double unit;   /* of figures, in bytes or objects; 0: not told yet */
	bool told;     /* there was a total */
	double total, flat, below; /* sums of the section */
};

/* One row; shares are parts of 1, NAN if there is none. */
struct row {
	double flat, flat_share, cum, cum_share;
	const char *name;
};

/* ---- words ---- */

/* "12", "-0.5", "+48.0". */
static bool
figure(const char **s, double *v)
{
	const char *p = heapwords_blanks(*s);
	size_t sign = *p == '+' || *p == '-';
	char *end;

	if (p[sign] < '0' || p[sign] > '9')
		return false;
	*v = strtod(p, &end);
	if (fabs(*v) > FIGURE_MAX || (*end != 0 && *end != ' '))
		return false;
	*s = end;
	return true;
}

/* "12.5%"; "nan", "+inf", "-inf" where the whole is 0. */
static bool
share(const char **s, double *v)
{
	const char *p = heapwords_blanks(*s);
	size_t len = strcspn(p, " \t");

	if (len == 0)
		return false;
	*v = NAN;
	if (p[len - 1] == '%')
		*v = strtod(p, NULL) / 100;
	else if (len < 3 ||
	    (strncmp(p + len - 3, "nan", 3) != 0 &&
		strncmp(p + len - 3, "inf", 3) != 0))
		return false;
	*s = p + len;
	return true;
}

static bool
parse_row(const char *s, struct row *row)
{
	double running;

	if (!figure(&s, &row->flat) || !share(&s, &row->flat_share) ||
	    !share(&s, &running) || !figure(&s, &row->cum) ||
	    !share(&s, &row->cum_share))
		return false;
	row->name = *s == ' ' ? s + 1 : s;
	return *row->name != 0;
}

/* ---- names ---- */

/* "file:12" or "file:?" at the end, with what addr2line adds; the start of
 * the file, or NULL. */
static char *
find_line(char *name, uint32_t *line)
{
	char *tail = strstr(name, " (discriminator "), *colon, *file;
	unsigned long n;
	char *end;

	if (tail != NULL)
		*tail = 0;
	colon = strrchr(name, ':');
	if (colon == NULL || colon == name)
		return NULL;
	n = strtoul(colon + 1, &end, 10);
	if (colon[1] == '?' && colon[2] == 0)
		n = 0;
	else if (end == colon + 1 || *end != 0 || n > UINT32_MAX)
		return NULL;
	*colon = 0;
	file = strrchr(name, ' ');
	if (file == NULL ||
	    (strpbrk(file, "/.") == NULL && strcmp(file, " ??") != 0)) {
		*colon = ':';
		return NULL;
	}
	*line = (uint32_t)n;
	*file++ = 0;
	return file;
}

static bool
is_address(const char *s)
{
	return strspn(s, "0123456789abcdef") == 16 && s[16] == ' ';
}

/* The name of a place and where it is; `name` is cut up. */
static struct frame_name
parse_name(char *name)
{
	struct frame_name out = { name, "", 0 };
	char *file, *tail;

	if (is_address(name))
		out.function = name += 17;
	file = find_line(name, &out.line);
	if (file != NULL && strcmp(file, "??") != 0)
		out.file = file;
	tail = strstr(name, " (inline)");
	if (tail != NULL && tail[9] == 0)
		*tail = 0;
	return out;
}

/* The same name is the same place everywhere. */
static uint64_t
hash(const char *s, uint64_t h)
{
	for (; *s != 0; s++)
		h = map_mix(h ^ (unsigned char)*s);
	return h;
}

static struct profile_frame
place(struct reader *r, const struct frame_name *name)
{
	struct frames *f = profile_frames(r->profile);
	struct profile_frame out = { 0, 0 };
	frame_id id;

	out.offset = hash(name->function, name->line);
	out.offset = hash(name->file, out.offset) | NO_ADDRESS;
	id = frames_add(f, 0, out.offset);
	if (frames_state(f, id) != FRAME_NAMED)
		frames_set_names(f, id, name, 1);
	return out;
}

/* ---- into the profile ---- */

/* One stack of these frames that holds `v`, a figure of the report. */
static int
put(struct reader *r, const struct profile_frame *frames, size_t n, double v,
    struct err *e)
{
	struct cell_values c = { 0 };
	double var = r->unit > 1 ? r->unit * r->unit / 12 : 0;

	if (v == 0)
		return 0;
	if (r->objects) {
		c.live_objects = c.alloc_objects = v;
	} else {
		c.live_bytes = c.alloc_bytes = v;
		c.live_var_bytes = c.alloc_var_bytes = n == 1 ? var : 0;
	}
	if (profile_put_stack(r->profile, ++r->stacks, 0, frames, n, e) < 0)
		return -1;
	return profile_put_cell(r->profile, r->stacks, r->slot, &c, e);
}

/* A figure in units.  In MB its share of a total below 100 MB tells more than
 * its one digit, unless it is the share of something else, as with --focus. */
static double
refine(const struct reader *r, double shown, double part)
{
	double exact = part * r->total, half = r->unit / 2, off;
	double step = fabs(r->total) * .0005; /* half a tenth of a percent */

	if (r->unit <= 1)
		return round(shown);
	shown = round(shown * 10) * r->unit;
	off = fabs(exact - shown);
	/* NAN compares false */
	if (step >= half || !(off <= half * (1 + fabs(part)) + step))
		return shown;
	if (off >= half)
		exact = shown + (exact > shown ? half - 1 : 1 - half);
	return round(exact);
}

static int
put_row(struct reader *r, const struct row *row, struct err *e)
{
	char *text = xstrdup(row->name);
	struct frame_name name = parse_name(text);
	struct frame_name called = { CALLED, "", 0 };
	struct profile_frame frames[2] = { place(r, &called), place(r, &name) };
	double flat = refine(r, row->flat, row->flat_share);
	double below = refine(r, row->cum, row->cum_share) - flat;
	int ret;

	r->flat += flat;
	r->below += below;
	ret = put(r, &frames[1], 1, flat, e);
	if (ret == 0)
		ret = put(r, frames, 2, below, e);
	free(text);
	return ret;
}

/* The sums of a section come out right. */
static int
end_section(struct reader *r, struct err *e)
{
	struct frame_name called = { CALLED, "", 0 }, rest = { REST, "", 0 };
	struct profile_frame at = place(r, &called);
	int ret = put(r, &at, 1, -r->below, e);

	if (ret == 0 && r->told) {
		at = place(r, &rest);
		ret = put(r, &at, 1, r->total - r->flat, e);
	}
	r->total = r->flat = r->below = 0;
	r->told = false;
	return ret;
}

/* ---- lines ---- */

/* "Total: 32.0 MB", "Total (t3): 32.0 MB". */
static bool
parse_total(struct reader *r, const char *s, uint16_t *slot)
{
	double v;

	*slot = NOT_TOLD;
	if (heapwords_starts(s, "Total (t")) {
		*slot = (uint16_t)strtoul(s + 8, NULL, 10);
		s = strchr(s, ')');
	} else {
		s += strlen("Total");
	}
	if (s == NULL || (s = strchr(s, ':')) == NULL)
		return false;
	s++;
	if (!figure(&s, &v))
		return false;
	s = heapwords_blanks(s);
	r->objects = heapwords_starts(s, "objects");
	r->unit = heapwords_starts(s, "MB") ? MB / 10 : 1;
	if (!r->objects && r->unit <= 1 && strcmp(s, "B") != 0)
		return false;
	r->total = r->unit > 1 ? round(v * 10) * r->unit : v;
	r->told = true;
	return true;
}

/* -1 with a sentence if nothing more can be read. */
static int
take_line(struct reader *r, const char *s, uint64_t line, struct err *e)
{
	struct row row;
	uint16_t slot;

	if (heapwords_starts(s, "Total")) {
		if (end_section(r, e) < 0)
			return -1;
		if (!parse_total(r, s, &slot))
			return err_set(e,
			    "%s, line %" PRIu64 ": the total cannot be read",
			    r->notes.path, line);
		r->slot = slot;
		return 0;
	}
	if (parse_row(s, &row)) {
		if (r->unit == 0) /* without a total the point tells */
			r->unit = strchr(heapwords_blanks(s), '.') <
				heapwords_blanks(s) +
				    strcspn(heapwords_blanks(s), " ")
			    ? MB / 10
			    : 1;
		/* Our last row stands for those left out: so does the rest. */
		if (row.name[0] == '(' && strstr(row.name, " more)") != NULL)
			return 0;
		if (r->stacks < ROWS_MAX)
			return put_row(r, &row, e);
	} else if (*heapwords_blanks(s) == 0 || heapwords_starts(s, "Delta:") ||
	    heapwords_starts(s, "Using local file ") ||
	    heapwords_starts(s, "After ") || *s == '%') {
		return 0;
	}
	heapnotes_lost(
	    &r->notes, line, "this is no row of a report; it is left out");
	return 0;
}

static int
read_lines(struct reader *r, struct err *e)
{
	const char *line;
	struct err why;
	size_t len;
	int n;

	while ((n = infile_line(r->in, &line, &len, &why)) > 0) {
		uint64_t at = infile_line_number(r->in);

		if (!infile_line_whole(r->in))
			heapnotes_lost(&r->notes, at,
			    "the file is cut here; what is whole before it "
			    "is used");
		else if (len == INFILE_LINE_MAX)
			heapnotes_lost(&r->notes, at,
			    "a line of more than %u bytes is left out",
			    INFILE_LINE_MAX);
		else if (take_line(r, line, at, e) < 0)
			return -1;
	}
	if (n < 0 && r->stacks == 0)
		return err_set(e, "%s", why.msg);
	if (n < 0)
		heapnotes_lost(
		    &r->notes, infile_line_number(r->in), "%s", why.msg);
	return end_section(r, e);
}

static void
put_facts(struct reader *r)
{
	struct profile_facts f = { .source = r->notes.path,
		.image = "",
		.command = "",
		.rule = "read from a report, as rounded there" };
	struct profile_totals t = { .active = 1 };
	struct stat st;

	if (stat(r->notes.path, &st) == 0 && st.st_mtim.tv_sec > 0)
		f.wall_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
		    (uint64_t)st.st_mtim.tv_nsec;
	f.image_ns = t.now_ns = f.wall_ns;
	profile_put_facts(r->profile, &f);
	profile_put_totals(r->profile, &t);
	profile_commit(r->profile);
}

int
textfile_read(
    const struct heapread_from *from, struct profile *p, struct err *e)
{
	struct reader r = { .profile = p,
		.slot = NOT_TOLD,
		.notes = { .path = from->path, .to = from->notes } };
	int ret = -1;

	r.in = infile_open(from->path, e);
	if (r.in == NULL)
		return -1;
	profile_put_thread(p, NOT_TOLD, 0, 0, "threads not told apart");
	if (read_lines(&r, e) == 0) {
		put_facts(&r);
		ret = r.notes.partial;
	}
	heapnotes_end(&r.notes);
	infile_close(r.in);
	return ret;
}
