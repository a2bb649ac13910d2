/* All options, with what they take and who obeys them. */
#include "options_table.h"

#include "options.h"

/* Where in the options. */
#define AT(field) offsetof(struct options, field)

#define A_COUNT    "a whole number from 1 to 1000000000"
#define A_DURATION "a duration from 10ms to 24h such as 100ms, 30s, 5m or 12h"
#define A_SIZE     "a size from 1 to 128T such as 4K, 64K or 1M"
#define A_DEPTH    "a number of frames from 1 to 4096"
#define A_CONF     "options such as prof_bt_max:64,narenas:2"
#define A_REGEX    "a regular expression such as 'parse|read_.*'"
#define A_POOL     "the name of a pool"
#define A_THREAD   "the id of a thread, or '*' for each"
#define A_BYTES    "a size such as 512, 4K or 1M"
#define A_DUMP     "the name of a dump, recording or saved report"
#define A_LIMIT    "a whole number from 0 to 1000000000"
#define A_PART     "a part of the whole from 0 to 1 such as 0.05, or 5%"
#define A_PREFIX   "directories, separated by commas"
#define A_GATE     "SIZE or SIZE,REGEX such as 500M or 10M,parse_.*"
#define A_FILE     "the name of a file"
#define A_TARGET   "a process id or a program's name"
#define A_COLOR    "auto, never, 16 or 256"
#define A_THEME    "auto, dark or light"

const struct option options_table[] = {
	{ "help", 'h', ARG_NONE, NULL, set_mode, MODE_HELP },
	{ "version", 'V', ARG_NONE, NULL, set_mode, MODE_VERSION },
	{ "text", 0, ARG_NONE, NULL, set_report, REPORT_TEXT },
	{ "top", 0, ARG_NUMBER, A_COUNT, set_report, REPORT_TOP },
	{ "tree", 0, ARG_NONE, NULL, set_report, REPORT_TREE },
	{ "collapsed", 0, ARG_NONE, NULL, set_report, REPORT_COLLAPSED },
	{ "dot", 0, ARG_NONE, NULL, set_report, REPORT_DOT },
	{ "svg", 0, ARG_NONE, NULL, set_report, REPORT_SVG },
	{ "pdf", 0, ARG_NONE, NULL, set_report, REPORT_PDF },
	{ "ps", 0, ARG_NONE, NULL, set_report, REPORT_PS },
	{ "png", 0, ARG_NONE, NULL, set_report, REPORT_PNG },
	{ "flamegraph", 0, ARG_NONE, NULL, set_report, REPORT_FLAMEGRAPH },
	{ "callgrind", 0, ARG_NONE, NULL, set_report, REPORT_CALLGRIND },
	{ "raw", 0, ARG_NONE, NULL, set_report, REPORT_RAW },
	{ "pprof", 0, ARG_NONE, NULL, set_report, REPORT_PPROF },
	{ "speedscope", 0, ARG_NONE, NULL, set_report, REPORT_SPEEDSCOPE },
	{ "json", 0, ARG_NONE, NULL, set_report, REPORT_JSON },
	{ "csv", 0, ARG_NONE, NULL, set_report, REPORT_CSV },
	{ "heap", 0, ARG_NONE, NULL, set_report, REPORT_HEAP },
	{ "growth", 0, ARG_NONE, NULL, set_report, REPORT_GROWTH },
	{ "sizes", 0, ARG_NONE, NULL, set_report, REPORT_SIZES },
	{ "stats", 0, ARG_NONE, NULL, set_report, REPORT_STATS },
	{ "memory", 0, ARG_NONE, NULL, set_report, REPORT_MEMORY },
	{ "list", 0, ARG_VALUE, A_REGEX, set_list, REPORT_LIST },
	{ "markdown", 0, ARG_NONE, NULL, set_report, REPORT_MARKDOWN },
	{ "functions", 0, ARG_NONE, NULL, set_grouping, GROUP_FUNCTIONS },
	{ "lines", 0, ARG_NONE, NULL, set_grouping, GROUP_LINES },
	{ "files", 0, ARG_NONE, NULL, set_grouping, GROUP_FILES },
	{ "modules", 0, ARG_NONE, NULL, set_grouping, GROUP_MODULES },
	{ "addresses", 0, ARG_NONE, NULL, set_grouping, GROUP_ADDRESSES },
	{ "stacks", 0, ARG_NONE, NULL, set_grouping, GROUP_STACKS },
	{ "threads", 0, ARG_NONE, NULL, set_grouping, GROUP_THREADS },
	{ "inuse-space", 0, ARG_NONE, NULL, set_metric, METRIC_LIVE_BYTES },
	{ "inuse-objects", 0, ARG_NONE, NULL, set_metric, METRIC_LIVE_OBJECTS },
	{ "alloc-space", 0, ARG_NONE, NULL, set_metric, METRIC_ALLOC_BYTES },
	{ "alloc-objects", 0, ARG_NONE, NULL, set_metric,
	    METRIC_ALLOC_OBJECTS },
	{ "show-bytes", 0, ARG_NONE, NULL, set_shown_flag, AT(show_bytes) },
	{ "sum", 0, ARG_NONE, NULL, set_flag, AT(sum) },
	{ "focus", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.focus) },
	{ "ignore", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.ignore) },
	{ "show", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.show) },
	{ "hide", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.hide) },
	/* jeprof's names of the same */
	{ "retain", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.show) },
	{ "exclude", 0, ARG_VALUE, A_REGEX, set_pattern, AT(query.hide) },
	{ "thread", 0, ARG_VALUE, A_THREAD, set_thread, 0 },
	{ "pool", 0, ARG_VALUE, A_POOL, set_text, AT(pool) },
	{ "min-size", 0, ARG_VALUE, A_BYTES, set_size, AT(query.min_size) },
	{ "max-size", 0, ARG_VALUE, A_BYTES, set_size, AT(query.max_size) },
	{ "cum", 0, ARG_NONE, NULL, set_shown_flag, AT(query.cum) },
	{ "invert", 0, ARG_NONE, NULL, set_shown_flag, AT(query.invert) },
	{ "base", 0, ARG_VALUE, A_DUMP, set_base, AT(base) },
	{ "diff-base", 0, ARG_VALUE, A_DUMP, set_base, AT(base) },
	{ "drop-negative", 0, ARG_NONE, NULL, set_shown_flag,
	    AT(query.drop_negative) },
	{ "nodecount", 0, ARG_VALUE, A_LIMIT, set_count,
	    AT(limits.node_count) },
	{ "nodefraction", 0, ARG_VALUE, A_PART, set_fraction,
	    AT(limits.node_fraction) },
	{ "edgefraction", 0, ARG_VALUE, A_PART, set_fraction,
	    AT(limits.edge_fraction) },
	{ "maxdegree", 0, ARG_VALUE, A_LIMIT, set_count,
	    AT(limits.max_degree) },
	{ "lib-prefix", 0, ARG_VALUE, A_PREFIX, set_text, AT(lib_prefix) },
	{ "fail-above", 0, ARG_VALUE, A_GATE, set_gate, AT(above) },
	{ "fail-growth", 0, ARG_VALUE, A_GATE, set_gate, AT(growth) },
	{ NULL, 'b', ARG_NONE, NULL, set_flag, AT(batch) },
	{ NULL, 'n', ARG_VALUE, A_COUNT, set_snapshots, 0 },
	{ "interval", 0, ARG_VALUE, A_DURATION, set_interval, 0 },
	{ NULL, 's', ARG_VALUE, A_SIZE, set_sample, 0 },
	{ "exact", 0, ARG_NONE, NULL, set_flag, AT(exact) },
	{ "max-depth", 0, ARG_VALUE, A_DEPTH, set_depth, 0 },
	{ "conf", 0, ARG_VALUE, A_CONF, set_conf, 0 },
	{ NULL, 'o', ARG_VALUE, A_FILE, set_text, AT(output) },
	{ "target-output", 0, ARG_VALUE, A_FILE, set_text, AT(target_output) },
	{ NULL, 'p', ARG_PERHAPS, A_TARGET, set_target, 0 },
	{ "seconds", 0, ARG_VALUE, A_DURATION, set_seconds, 0 },
	{ "color", 0, ARG_VALUE, A_COLOR, set_color, 0 },
	{ "theme", 0, ARG_VALUE, A_THEME, set_theme, 0 },
	{ "ascii", 0, ARG_NONE, NULL, set_flag, AT(ascii) },
	{ "plain", 0, ARG_NONE, NULL, set_flag, AT(plain) },
	{ "no-mouse", 0, ARG_NONE, NULL, set_flag, AT(no_mouse) },
};

const size_t options_count = sizeof options_table / sizeof *options_table;
