#include "growth.h"

#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "dumps.h"
#include "io/loop.h"
#include "io/symbols.h"
#include "model/history.h"
#include "model/profile.h"
#include "options.h"
#include "output.h"
#include "reports.h"

static int
report(const struct options *o, struct loaded *l, struct buf *b)
{
	struct symbols_options options = { .lib_prefix = o->lib_prefix };
	const struct profile *p = l->profile;
	struct loop *loop = loop_new();
	struct symbols *symbols = symbols_new(loop, &options);
	int status;

	symbols_add(symbols, l->profile, 0, l->program);
	symbols_finish(symbols, -1);
	status = reports_render_series(o, p, l->untimed,
	    l->program ? l->program : profile_facts(p)->image, b);
	reports_say_nameless(symbols, &p, 1);
	symbols_free(symbols);
	loop_free(loop);
	return status;
}

int
growth_read(const struct options *o)
{
	struct loaded l;
	struct output out;
	struct buf b = BUF_INIT;
	struct err e;
	int status = 1;

	if (dumps_load(o, &l, &e) < 0) {
		say("%s", e.msg);
		return 1;
	}
	reports_say_lines(buf_str(&l.notes));
	if (history_count(profile_snapshots(l.profile)) < 2) {
		say("--growth is about two dumps or more of one process; this "
		    "is one");
	} else if (output_open(&out, o->output, STDOUT_FILENO, &e) < 0) {
		say("%s", e.msg);
	} else {
		status = report(o, &l, &b);
		output_put(&out, &b);
		output_close(&out);
		if (out.failed || (l.failed && status == 0))
			status = 1;
	}
	buf_fini(&b);
	loaded_free(&l);
	return status;
}
