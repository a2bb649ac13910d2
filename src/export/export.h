/*
 * Renderers: a report in, text out, appended to a buffer.  Pure and
 * deterministic; the same report always gives the same bytes.  They print
 * what the report holds: its rows, limits, filters.  Those that list all rows
 * take them one by one (report_rows_next), and offer what they have written
 * after each, see base/buf.h.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct pattern;
struct report;

/* Lines of a source file from `first` on, at most `count` of them, each ended
 * by a newline; borrowed until the next call.  NULL: it cannot be read. */
typedef const char *export_source_fn(
    void *arg, const char *file, uint32_t first, uint32_t count);

/* What RSS is made of, as /proc has it. */
struct export_resident {
	uint64_t anon_bytes, file_bytes, shmem_bytes;
};

/* Where a report is from, for readers who were not there.  NULL where not
 * known. */
struct export_origin {
	const char *version;   /* of heaptop */
	const char *system;    /* host, kernel, distribution */
	const char *sampled;   /* the line that made the program sample */
	const char *command;   /* heaptop's line, to have the report again */
	const char *from, *to; /* names of the dumps compared */
	const char *remarks;   /* sentences, each a line: another build... */
};

struct export_options {
	const char *program; /* title of graphs; "" if not known */
	int width;           /* columns of top, tree, snapshot: 80..200 */
	size_t top;          /* rows of top and snapshot; 0: all there are */
	bool show_bytes;     /* text, dot: bytes instead of MB */
	bool ascii;          /* no characters outside ASCII */
	bool plus;           /* text: growth has its sign, no jeprof's total */
	/* dot: limits as jeprof's */
	size_t node_count;
	double node_fraction, edge_fraction;
	size_t max_degree;
	/* growth, markdown: when the snapshots were made is not known */
	bool untimed;
	/* list: which functions, and the lines of source files */
	const struct pattern *list;
	export_source_fn *source;
	void *source_arg;
	const struct export_resident *resident; /* memory; NULL: not known */
	const struct export_origin *origin;     /* markdown; NULL: the same */
};

/* Width 120, top 10, jeprof's graph limits (80, .005, .001, 8). */
void export_options_init(struct export_options *o);

typedef void export_fn(
    const struct report *r, const struct export_options *o, struct buf *b);

export_fn export_text;      /* jeprof's --text */
export_fn export_top;       /* table of the top rows, site and callers */
export_fn export_tree;      /* call tree; the report must have one */
export_fn export_collapsed; /* root;...;leaf VALUE, merged by names */
export_fn export_dot;       /* graph for graphviz */
export_fn export_picture;   /* the same to be drawn: no arrow is too thin */
export_fn export_flamegraph; /* interactive SVG; must have a tree */
export_fn export_heap;      /* heap_v2; jeprof reads it */
export_fn export_callgrind; /* for kcachegrind; functions, lines, calls */
export_fn export_raw;       /* names and dump in one; ask with nothing cut */
export_fn export_pprof;     /* profile.proto, gzipped: not text */
export_fn export_speedscope;
export_fn export_json; /* see tests/data/heaptop-report.schema.json */
export_fn export_csv;  /* RFC 4180 */
export_fn export_snapshot;  /* one block of batch mode */

/* Reports for people. */
export_fn export_growth;   /* needs a history; ask with query.freed */
export_fn export_sizes;    /* by size of objects */
export_fn export_stats;    /* the process and the profile as a whole */
export_fn export_memory;   /* what RSS is made of */
export_fn export_list;     /* annotated source; needs o->list */
export_fn export_markdown; /* for a team; see o->origin */

#endif
