/*
 * How each kind of report is made: by which renderer, of what question.
 */
#ifndef FORMATS_H
#define FORMATS_H

#include <stdbool.h>

#include "export/export.h"
#include "model/query.h"
#include "options.h"

struct format {
	export_fn *fn;
	/* What jeprof prints too cuts stacks as jeprof does; a dump is not cut
	 * at all. */
	enum cut cut;
	bool tree;       /* the report must have one */
	bool freed;      /* and what is gone by now */
	bool graph;      /* node and edge limits are the renderer's business */
	bool listed;     /* goes through the rows once, however many */
	bool binary;     /* nothing for a terminal */
	const char *dot; /* graphviz draws it in this format of its; or NULL */
};

/* [report kind]; REPORT_NONE is a snapshot. */
extern const struct format formats[REPORT_COUNT];

/* One piece that is whole in itself, as a picture, rather than text that more
 * of its kind may follow. */
bool formats_is_document(enum report_kind kind);

#endif
