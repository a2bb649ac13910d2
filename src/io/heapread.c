#include "io/heapread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "io/heapmaps.h"
#include "io/heapname.h"
#include "io/heapsymbols.h"
#include "io/heapwords.h"
#include "io/infile.h"

void
heapread_kept_fini(struct heapread_kept *k)
{
	heapdata_fini(&k->data);
	heapmaps_free(k->maps);
	buf_fini(&k->key);
	profile_free(k->profile);
	memset(k, 0, sizeof *k);
}

static void
begin_kept(struct heapread *r, struct heapread_kept *k)
{
	r->kept = k;
	r->data = k->data;
	memset(&k->data, 0, sizeof k->data);
	heapdata_again(&r->data);
	k->more = k->profile != NULL;
	if (k->profile == NULL) {
		k->profile = profile_new();
		profile_keep_nothing(k->profile);
	}
	r->profile = k->profile;
}

int
heapread_init(struct heapread *r, const struct heapread_from *from,
    struct profile *p, struct err *e)
{
	memset(r, 0, sizeof *r);
	r->path = from->path;
	r->profile = p;
	r->notes.path = from->path;
	r->notes.to = from->notes;
	if (from->kept != NULL)
		begin_kept(r, from->kept);
	r->data.R = 1;
	r->in = infile_open(from->path, e);
	if (r->in == NULL)
		return -1;
	r->maps = heapmaps_new(from->program, from->lib_prefix);
	return 0;
}

void
heapread_fini(struct heapread *r)
{
	heapnotes_end(&r->notes);
	heapmaps_free(r->maps);
	heapsymbols_free(r->symbols);
	if (r->kept != NULL)
		r->kept->data = r->data;
	else
		heapdata_fini(&r->data);
	infile_close(r->in);
	free(r->image);
	free(r->command);
}

bool
heapread_maps_title(const char *line)
{
	return heapwords_starts(line, "MAPPED_LIBRARIES:") ||
	    heapwords_starts(line, "--- Memory map:");
}

static void
take_map(struct heapread *r, const char *line, uint64_t number)
{
	if (*heapwords_blanks(line) != 0 && heapmaps_line(r->maps, line) < 0)
		heapnotes_lost(
		    &r->notes, number, "this is no line of a list of mappings");
}

static void
say_end(struct heapread *r)
{
	if (r->in_maps)
		r->whole = true;
	else if (r->symbols == NULL)
		heapnotes_lost(&r->notes, infile_line_number(r->in),
		    "the file ends without a list of mappings: it is cut, or "
		    "addresses cannot be named");
}

int
heapread_lines(struct heapread *r,
    void (*take)(void *arg, const char *line, uint64_t number), void *arg,
    struct err *e)
{
	const char *line;
	struct err why;
	size_t len;
	int n;

	while ((n = infile_line(r->in, &line, &len, &why)) > 0) {
		uint64_t at = infile_line_number(r->in);

		if (!infile_line_whole(r->in)) {
			heapnotes_lost(&r->notes, at,
			    "the file is cut here; what is whole before it "
			    "is used");
			return 0;
		}
		if (len == INFILE_LINE_MAX) {
			heapnotes_lost(&r->notes, at,
			    "a line of more than %u bytes is left out",
			    INFILE_LINE_MAX);
			if (!r->in_maps)
				take(arg, NULL, at);
		} else if (r->in_maps) {
			take_map(r, line, at);
		} else if (heapread_maps_title(heapwords_blanks(line))) {
			r->in_maps = true;
		} else {
			take(arg, line, at);
		}
	}
	if (n < 0 && r->data.stack_count == 0)
		return err_set(e, "%s", why.msg);
	if (n < 0)
		heapnotes_lost(
		    &r->notes, infile_line_number(r->in), "%s", why.msg);
	else
		say_end(r);
	return 0;
}

static bool
is_negative(const struct heap_row *row)
{
	return row->live_objects < 0 || row->live_bytes < 0 ||
	    row->alloc_objects < 0 || row->alloc_bytes < 0;
}

/* Beyond 2^53 a double does not hold every number. */
static bool
is_large(const struct heap_row *row)
{
	return row->live_objects > 0x1p53 || row->live_bytes > 0x1p53 ||
	    row->alloc_objects > 0x1p53 || row->alloc_bytes > 0x1p53;
}

void
heapread_row(struct heapread *r, uint32_t stack, const struct heap_row *row,
    uint64_t line)
{
	if (is_negative(row) && !r->negative) {
		r->negative = true;
		heapnotes_say(&r->notes, line,
		    "negative figures, which are taken as they are");
	}
	if (is_large(row) && !r->large) {
		r->large = true;
		heapnotes_say(&r->notes, line,
		    "figures beyond 2^53, which are rounded to 16 digits");
	}
	if (r->data.rule != HEAP_EXACT &&
	    ((row->live_objects == 0 && row->live_bytes != 0) ||
		(row->alloc_objects == 0 && row->alloc_bytes != 0)))
		heapnotes_lost(
		    &r->notes, line, "bytes without objects are not counted");
	if (!heapdata_row(&r->data, stack, row))
		heapnotes_lost(
		    &r->notes, line, "there is no room for more rows");
}

static const char *
rule_of(const struct heapdata *d)
{
	switch (d->rule) {
	case HEAP_V2: return "each row unsampled once, by its average size";
	case HEAP_V1:
		return "each row scaled once, by the distance of samples over "
		       "its average size";
	case HEAP_UNSAMPLED:
		return "the file has estimates, which are taken as they are";
	case HEAP_EXACT: break;
	}
	return "every allocation is counted";
}

static uint64_t
file_time(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || st.st_mtim.tv_sec <= 0)
		return 0;
	return (uint64_t)st.st_mtim.tv_sec * 1000000000u +
	    (uint64_t)st.st_mtim.tv_nsec;
}

static void
put_facts(struct heapread *r)
{
	struct profile_facts f = { .source = r->path,
		.rule = rule_of(&r->data) };
	struct profile_totals *t = &r->totals;

	f.pid = r->pid != 0 ? r->pid : heapname_pid(r->path);
	f.image = heapmaps_image(r->maps);
	f.command = r->command != NULL ? r->command : "";
	f.wall_ns = r->start_ns;
	f.image_ns = r->image_ns;
	/* Where the clock of the process is not told its file's time stands
	 * in. */
	if (f.wall_ns == 0 || f.image_ns == 0 || t->now_ns < f.image_ns)
		f.wall_ns = f.image_ns = t->now_ns = file_time(r->path);
	if (t->live_bytes > 0)
		t->exact_ns = t->now_ns;
	if (!r->active_told)
		t->active = 1;
	if (r->samples_told > 0) {
		t->samples = r->samples_told;
		t->samples_live = r->samples_live_told;
	}
	if (r->data.rule != HEAP_EXACT && t->lg_sample == 0)
		t->lg_sample = (uint32_t)lround(log2(r->data.R));
	profile_put_facts(r->profile, &f);
	profile_put_totals(r->profile, t);
	profile_clear_rest(r->profile);
	profile_commit(r->profile);
}

/* The modules: those that are kept, or new ones, which are kept then. */
static int
put_modules(struct heapread *r, struct err *e)
{
	struct heapread_kept *k = r->kept;
	struct buf key = BUF_INIT;
	bool same = false;

	if (k != NULL) {
		heapmaps_key(r->maps, &key);
		same = k->maps != NULL && key.len == k->key.len &&
		    memcmp(buf_str(&key), buf_str(&k->key), key.len) == 0;
		if (k->more && (!same || r->symbols != NULL)) {
			buf_fini(&key);
			return HEAPREAD_OTHER;
		}
	}
	if (k != NULL && k->more) {
		heapmaps_free(r->maps);
		r->maps = k->maps;
		k->maps = NULL;
		buf_fini(&key);
		return 0;
	}
	if (k != NULL)
		k->key = key;
	heapmaps_places(r->maps, r->data.places, r->data.place_count);
	return heapmaps_finish(r->maps, r->profile, e);
}

/* Everything is read: mappings first, they place the stacks. */
int
heapread_put(struct heapread *r, struct err *e)
{
	int ret;

	if (r->image != NULL)
		heapmaps_expect(r->maps, r->image);
	ret = put_modules(r, e);
	if (ret == 0)
		ret = heapdata_put(&r->data, r->maps, r->symbols, r->profile,
		    &r->totals.samples_live, &r->totals.samples, e);
	if (ret != 0)
		return ret;
	put_facts(r);
	heapmaps_tell(r->maps, &r->notes);
	if (r->kept != NULL) {
		r->kept->maps = r->maps;
		r->maps = NULL;
	}
	return r->notes.partial;
}
