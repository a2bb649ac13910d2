/* jeprof's options that heaptop does not tell of: heaptop-jeprof(7) does.  What
 * is the same under another name, or a sentence on what there is instead. */
#include "options.h"
#include "options_table.h"

#define AT(field) offsetof(struct options, field)

#define A_TOOLS "a prefix, or tools with their paths"

/* What jeprof's are told; the option itself stands before it. */
#define NO_VIEWER(report, file)                                               \
	"starts a viewer, which heaptop does not; give --" report " -o " file \
	" and open that"
#define NO_CONTENTION                                                          \
	"is about locks, and heaptop reads heap profiles; of those there are " \
	"--inuse_space, --inuse_objects, --alloc_space and --alloc_objects"
#define NO_TEST \
	"tests jeprof itself; in heaptop's sources make check tests heaptop"

const struct option options_jeprof[] = {
	{ "interactive", 0, ARG_NONE, NULL, set_flag, AT(interactive) },
	{ "gif", 0, ARG_NONE, NULL, set_report, REPORT_GIF },
	{ "tools", 0, ARG_VALUE, A_TOOLS, set_nothing, 0 },
	{ "debug-syms-by-id", 0, ARG_NONE, NULL, set_nothing, 0 },
	{ "heapcheck", 0, ARG_NONE, NULL, set_nothing, 0 },
	{ "gv", 0, ARG_PERHAPS, NO_VIEWER("ps", "heap.ps"), set_refused, 0 },
	{ "evince", 0, ARG_PERHAPS, NO_VIEWER("pdf", "heap.pdf"), set_refused,
	    0 },
	{ "web", 0, ARG_PERHAPS, NO_VIEWER("svg", "heap.svg"), set_refused, 0 },
	{ "scale", 0, ARG_PERHAPS,
	    "is for gv, which heaptop does not start; an --svg can be zoomed",
	    set_refused, 0 },
	{ "disasm", 0, ARG_PERHAPS,
	    "shows instructions, which heaptop does not; --list=REGEX shows "
	    "source lines, --addresses where in the code",
	    set_refused, 0 },
	{ "symbols", 0, ARG_PERHAPS,
	    "names addresses that it is given, which heaptop does not; --raw "
	    "writes a whole dump with its names",
	    set_refused, 0 },
	{ "add-lib", 0, ARG_PERHAPS,
	    "names one more library; heaptop knows them all from the dump, and "
	    "--lib_prefix=DIR tells where they are now",
	    set_refused, 0 },
	{ "total-delay", 0, ARG_PERHAPS, NO_CONTENTION, set_refused, 0 },
	{ "contentions", 0, ARG_PERHAPS, NO_CONTENTION, set_refused, 0 },
	{ "mean-delay", 0, ARG_PERHAPS, NO_CONTENTION, set_refused, 0 },
	{ "debug", 0, ARG_PERHAPS,
	    "tells how jeprof looks for names; heaptop check PROGRAM tells "
	    "what names there are",
	    set_refused, 0 },
	{ "test", 0, ARG_PERHAPS, NO_TEST, set_refused, 0 },
	{ "test-stride", 0, ARG_PERHAPS, NO_TEST, set_refused, 0 },
};

const size_t options_jeprof_count =
    sizeof options_jeprof / sizeof *options_jeprof;
