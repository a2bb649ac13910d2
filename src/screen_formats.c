#include "screen_formats.h"

#include "ui/app.h"

/* key, option, kind of report, ending, what it is, wants several moments */
/* clang-format off */
#define FORMATS(X)                                                            \
	X('t', "top", TOP, "txt", "the table", false)                         \
	X('x', "text", TEXT, "text", "the table of jeprof", false)            \
	X('s', "csv", CSV, "csv", "for a spreadsheet", false)                 \
	X('m', "markdown", MARKDOWN, "md", "for a colleague", false)          \
	X('d', "json", JSON, "json", "all figures", false)                    \
	X('r', "tree", TREE, "tree", "call tree", false)                      \
	X('g', "flamegraph", FLAMEGRAPH, "flame.svg", "to zoom, in a browser", \
	    false)                                                            \
	X('v', "svg", SVG, "svg", "graph, by graphviz", false)                \
	X('n', "png", PNG, "png", "graph, by graphviz", false)                \
	X('p', "pdf", PDF, "pdf", "graph, by graphviz", false)                \
	X('i', "ps", PS, "ps", "graph, by graphviz", false)                   \
	X('o', "dot", DOT, "dot", "graph, as text", false)                    \
	X('f', "collapsed", COLLAPSED, "folded", "stacks, folded", false)     \
	X('e', "speedscope", SPEEDSCOPE, "speedscope.json",                   \
	    "for speedscope.app", false)                                      \
	X('b', "pprof", PPROF, "pb.gz", "for pprof", false)                   \
	X('c', "callgrind", CALLGRIND, "callgrind", "for kcachegrind", false) \
	X('u', "growth", GROWTH, "growth.txt", "what grows", true)            \
	X('z', "sizes", SIZES, "sizes.txt", "by size of objects", false)      \
	X('a', "stats", STATS, "stats.txt", "the profile as a whole", false)  \
	X('y', "memory", MEMORY, "memory.txt", "what RSS is made of", false)  \
	X('h', "heap", HEAP, "heap", "a dump, for jeprof too", false)         \
	X('l', "raw", RAW, "raw", "a dump with its names", false)
/* clang-format on */

static const struct app_format list[] = {
#define X(key, name, kind, ending, what, series) \
	{ name, what, ending, key, series, false },
	FORMATS(X)
#undef X
	    { "recording", "for heaptop FILE", "htd.gz", 'w', false, true },
};

static const enum report_kind kinds[] = {
#define X(key, name, kind, ending, what, series) REPORT_##kind,
	FORMATS(X)
#undef X
};

const struct app_format *
screen_formats(size_t *count)
{
	*count = sizeof list / sizeof *list;
	return list;
}

enum report_kind
screen_format_kind(size_t format)
{
	return format < sizeof kinds / sizeof *kinds ? kinds[format]
						     : REPORT_NONE;
}
