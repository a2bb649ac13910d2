#include "formats.h"

const struct format formats[REPORT_COUNT] = {
	[REPORT_NONE] = { export_snapshot, CUT_WRAPPERS },
	[REPORT_TEXT] = { export_text, CUT_ALLOCATOR, .listed = true },
	[REPORT_TOP] = { export_top, CUT_WRAPPERS },
	[REPORT_TREE] = { export_tree, CUT_WRAPPERS, .tree = true },
	[REPORT_COLLAPSED] = { export_collapsed, CUT_ALLOCATOR },
	[REPORT_DOT] = { export_dot, CUT_ALLOCATOR, .graph = true },
	[REPORT_SVG] = { export_picture, CUT_ALLOCATOR, .graph = true,
	    .dot = "svg" },
	[REPORT_PDF] = { export_picture, CUT_ALLOCATOR, .graph = true,
	    .binary = true, .dot = "pdf" },
	[REPORT_PS] = { export_picture, CUT_ALLOCATOR, .graph = true,
	    .dot = "ps2" },
	[REPORT_PNG] = { export_picture, CUT_ALLOCATOR, .graph = true,
	    .binary = true, .dot = "png" },
	[REPORT_GIF] = { export_picture, CUT_ALLOCATOR, .graph = true,
	    .binary = true, .dot = "gif" },
	[REPORT_FLAMEGRAPH] = { export_flamegraph, CUT_WRAPPERS, .tree = true },
	[REPORT_CALLGRIND] = { export_callgrind, CUT_ALLOCATOR },
	[REPORT_RAW] = { export_raw, CUT_NOTHING },
	[REPORT_PPROF] = { export_pprof, CUT_ALLOCATOR, .binary = true },
	[REPORT_SPEEDSCOPE] = { export_speedscope, CUT_ALLOCATOR },
	[REPORT_JSON] = { export_json, CUT_ALLOCATOR, .listed = true },
	[REPORT_CSV] = { export_csv, CUT_ALLOCATOR, .listed = true },
	[REPORT_HEAP] = { export_heap, CUT_NOTHING },
	[REPORT_GROWTH] = { export_growth, CUT_WRAPPERS, .freed = true },
	[REPORT_SIZES] = { export_sizes, CUT_WRAPPERS },
	[REPORT_STATS] = { export_stats, CUT_WRAPPERS },
	[REPORT_MEMORY] = { export_memory, CUT_WRAPPERS },
	[REPORT_LIST] = { export_list, CUT_ALLOCATOR },
	[REPORT_MARKDOWN] = { export_markdown, CUT_WRAPPERS, .tree = true },
};

bool
formats_is_document(enum report_kind kind)
{
	static const enum report_kind texts[] = { REPORT_NONE, REPORT_TEXT,
		REPORT_TOP, REPORT_TREE, REPORT_GROWTH, REPORT_SIZES,
		REPORT_STATS, REPORT_MEMORY, REPORT_LIST, REPORT_GATES };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (texts[i] == kind)
			return false;
	return true;
}
