#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "check.h"
#include "config.h"
#include "ctl.h"
#include "dumps.h"
#include "growth.h"
#include "io/domain.h"
#include "io/infile.h"
#include "io/loop.h"
#include "options.h"
#include "output.h"
#include "ps.h"
#include "reports.h"
#include "run.h"
#include "screen.h"
#include "screen_attach.h"
#include "screen_files.h"
#include "screen_run.h"
#include "settings.h"

#define BAD_USAGE 2

static enum word_kind
word_kind(const char *word, void *user)
{
	(void)user;
	if (access(word, F_OK) < 0)
		return WORD_MISSING;
	return infile_kind(word) == FILE_OTHER ? WORD_OTHER : WORD_DUMP;
}

static int
print(const struct buf *b)
{
	struct output out;
	struct err e;

	if (output_open(&out, NULL, STDOUT_FILENO, &e) < 0)
		return 1;
	output_put(&out, b);
	output_close(&out);
	return out.failed;
}

static int
print_about(enum mode mode)
{
	struct buf b = BUF_INIT;
	int status;

	if (mode == MODE_HELP)
		options_help(&b);
	else
		buf_puts(&b, "heaptop " HEAPTOP_VERSION "\n");
	status = print(&b);
	buf_fini(&b);
	return status;
}

/* Does what is asked for want a screen where none can be? */
static bool
misses_screen(const struct options *o)
{
	if (!o->interactive || screen_wanted(o))
		return false;
	say("--interactive is the screen, which takes a terminal and no option "
	    "for a report; leave it away, or give --text alone");
	return true;
}

/* What the options ask for; the exit status. */
static int
act(const struct options *o, const struct sigstate *signals)
{
	int status = reports_check(o);

	if (status)
		return status;
	if (misses_screen(o))
		return BAD_USAGE;
	switch (o->mode) {
	case MODE_LAUNCH:
		return screen_wanted(o) ? screen_run(o, signals)
					: run_program(o, signals);
	case MODE_EXEC: return run_exec(o, signals);
	case MODE_ATTACH:
		return screen_wanted(o) ? screen_attach(o, signals)
					: attach_process(o, signals);
	case MODE_DUMPS:
		if (o->report == REPORT_GROWTH)
			return growth_read(o);
		return screen_wanted(o) ? screen_files(o) : dumps_read(o);
	case MODE_PS: return ps_run(o);
	case MODE_CTL: return ctl_run(o);
	case MODE_CHECK: return check_run(o);
	case MODE_HELP:
	case MODE_VERSION: break;
	}
	return print_about(o->mode);
}

/* They are about the screen, and what is no screen is as it ever was. */
static void
take_settings(struct options *o, struct settings *s)
{
	memset(s, 0, sizeof *s);
	if (!screen_wanted(o) ||
	    (o->mode != MODE_LAUNCH && o->mode != MODE_ATTACH &&
		o->mode != MODE_DUMPS))
		return;
	settings_read(s);
	o->settings = s;
	if (s->interval_ns && !o->interval_given)
		o->interval_ns = s->interval_ns;
}

int
main(int argc, char **argv)
{
	struct sigstate signals;
	struct settings settings;
	struct options o;
	struct err e;
	int status;

	sigstate_get(&signals);
	output_reserve();
	if (options_parse(&o, argc, argv, word_kind, NULL, &e) < 0) {
		say("%s", e.msg);
		options_fini(&o);
		return BAD_USAGE;
	}
	if (o.mode == MODE_DUMPS && !screen_wanted(&o))
		mem_be_small();
	else
		mem_keep_freed();
	/* A reader that goes away and a file that may not grow are errors of
	 * write(2), to be told. */
	if (o.mode != MODE_EXEC) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGXFSZ, SIG_IGN);
	}
	if (!screen_wanted(&o) && !o.interactive)
		options_default_report(&o);
	domain_choose(o.pool);
	take_settings(&o, &settings);
	status = act(&o, &signals);
	settings_fini(&settings);
	options_fini(&o);
	return status;
}
