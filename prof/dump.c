#include "dump.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "conf.h"
#include "control.h"
#include "dumpfile.h"
#include "dumpname.h"
#include "dumptext.h"
#include "facts.h"
#include "init.h"
#include "leak.h"
#include "lock.h"
#include "path.h"
#include "rate.h"
#include "reset.h"
#include "say.h"
#include "tablewrite.h"
#include "thread.h"
#include "tree.h"
#include "trigger.h"

_Static_assert(DUMP_PATH > sizeof conf.prefix + 300, "names fit");

static struct {
	struct lock lock; /* of all that dumps need; before the table's */
	_Atomic uintptr_t owner; /* the thread that holds it, 0 none */
	_Atomic uint64_t failed;
	uint64_t told;        /* bit e: the error e has been told of */
	bool child;           /* made by fork */
	char last[DUMP_PATH]; /* the name of the dump being written */
} dump;

static uintptr_t
this_thread(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static bool
enter(void)
{
	init_check_fork(); /* else the lock may be held for good */
	if (atomic_load(&dump.owner) == this_thread())
		return false;
	lock_acquire(&dump.lock);
	atomic_store(&dump.owner, this_thread());
	return true;
}

static void
leave(void)
{
	atomic_store(&dump.owner, 0);
	lock_release(&dump.lock);
}

/* The table, opened by a thread of the program if need be. */
static bool
have_table(void)
{
	struct thread *t;
	bool open;

	init_check_fork();
	if (table_head())
		return true;
	t = thread_get();
	if (!t || t->inside)
		return false;
	t->inside++;
	open = table_open();
	t->inside--;
	thread_done();
	return open;
}

static bool
first_of_its_kind(int error)
{
	uint64_t bit = UINT64_C(1) << (error & 63);
	bool first = !(dump.told & bit);

	dump.told |= bit;
	return first;
}

static void
note_failure(int error, const char *path)
{
	atomic_fetch_add(&dump.failed, 1);
	if (first_of_its_kind(error))
		dumpfile_say(error, "the dump", path);
}

/* Why no dump can be tried; 0: it can. */
static int
hindrance(void)
{
	if (control_is_silent())
		return EPERM;
	return have_table() ? 0 : EAGAIN;
}

/* By who holds the lock. */
static int
write_auto(char type)
{
	struct dump_about about = { .type = type,
		.failed = atomic_load(&dump.failed) };
	int error = ENAMETOOLONG;

	if (conf.prefix[0] == '\0')
		return EFAULT;
	if (dumpname_next(type, dump.last, sizeof dump.last, &about.seq))
		error = dumpfile_write(dump.last, conf.prof_compress, &about);
	if (error == 0)
		dumpname_written(dump.last);
	else
		note_failure(error, dump.last);
	return error;
}

int
dump_auto(char type, char *path, size_t cap)
{
	int error = hindrance();

	if (error != 0) {
		dump_lost();
		return error;
	}
	if (!enter())
		return EDEADLK;
	error = write_auto(type);
	if (error == 0 && path) {
		strncpy(path, dump.last, cap - 1);
		path[cap - 1] = '\0';
	}
	leave();
	return error;
}

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

int
dump_to(const char *path)
{
	struct dump_about about = { .failed = atomic_load(&dump.failed) };
	int error = hindrance();

	if (error != 0) {
		dump_lost();
		return error;
	}
	if (!enter())
		return EDEADLK;
	error = dumpfile_write(path, ends_in(path, ".gz"), &about);
	leave();
	if (error != 0)
		atomic_fetch_add(&dump.failed, 1);
	return error;
}

uint64_t
dump_failures(void)
{
	return atomic_load(&dump.failed);
}

void
dump_lost(void)
{
	atomic_fetch_add(&dump.failed, 1);
}

bool
dump_may(void)
{
	return conf.prof_children || !dump.child;
}

int
dump_set_prefix(const char *prefix)
{
	static char whole[sizeof conf.prefix];
	bool fits;

	if (!enter())
		return EDEADLK;
	fits = conf_absolute(prefix, whole, sizeof whole);
	if (fits)
		memcpy(conf.prefix, whole, sizeof whole);
	leave();
	return fits ? 0 : ENAMETOOLONG;
}

int
dump_reset(int lg)
{
	struct rate r = rate_now();
	struct thread *t;
	bool done;

	if (!have_table())
		return EAGAIN;
	if (!enter())
		return EDEADLK;
	t = thread_get();
	if (t)
		t->inside++;
	done = reset_now();
	if (t)
		t->inside--;
	thread_done();
	leave();
	if (done && lg >= 0) {
		r.lg = (uint8_t)lg;
		rate_set(r);
	}
	return done ? 0 : EAGAIN;
}

/* A jemalloc that the program links itself reads the options that turned our
 * dumps on, and would write its own, of nothing, under the same names. */
static void
step_aside(void)
{
	static const char more[] = ".heaptop";

	if (!conf.shared || !dlsym(RTLD_NEXT, "mallctl")) {
		dlerror(); /* not for the program to find */
		return;
	}
	if (dumpfile_is_directory(conf.prefix))
		return; /* there its names are others */
	say("this program links jemalloc, which reads the same options: its "
	    "own dumps, of nothing, are ",
	    conf.prefix, ".*, heaptop's are ", conf.prefix, more, ".*", NULL);
	path_append(conf.prefix, sizeof conf.prefix, more);
}

/* Where malloc is another's, a jemalloc's perhaps that writes true dumps under
 * these names, ours would be of nothing. */
static bool
nothing_to_write(void)
{
	if (!facts_own_malloc())
		return false;
	say("this program has a malloc of its own: heaptop samples nothing and "
	    "writes no dumps",
	    NULL);
	conf_write_nothing();
	trigger_configure();
	return true;
}

/* Who sets jemalloc's options of profiles may wait for files that nobody
 * writes. */
static void
say_unwritten(void)
{
	if (conf.asked && conf.prof && conf.socket[0] == '\0' && tree_begins())
		say("the options of profiles are set, but no dump is written "
		    "without prof:true; heaptop -p shows the process",
		    NULL);
}

void
dump_start(void)
{
	int error;

	if (!conf_writes()) {
		say_unwritten();
		return;
	}
	if (conf.prefix[0] == '\0' || nothing_to_write())
		return;
	step_aside();
	/* what nobody named is told of when it comes to that: many a shell
	 * goes elsewhere first */
	if (!conf.prefix_given)
		return;
	error = dumpfile_check(conf.prefix);
	if (error != 0 && tree_begins() && first_of_its_kind(error))
		dumpfile_say(error, "dumps", conf.prefix);
}

static void
say_failures(void)
{
	uint64_t n = dump_failures();
	struct say_number num;

	if (n > 1)
		say(say_number(&num, n), " dumps could not be written", NULL);
}

/* Where nothing was ever sampled there is an empty dump all the same; but a
 * child of fork that did nothing has nothing to say. */
static bool
final_wanted(void)
{
	if (!dump_may() || !rate_ever_active() || control_is_silent())
		return false;
	return table_head() != NULL ||
	    (conf.prof_explicit && !dump.child && have_table());
}

bool
dump_finish(void)
{
	bool leaked = false;

	if ((conf.prof_final || conf.prof_leak) && final_wanted()) {
		char path[DUMP_PATH] = "";

		if (conf.prof_final && conf.prefix[0])
			dump_auto('f', path, sizeof path);
		if (conf.prof_leak)
			leaked = leak_tell(path);
	}
	say_failures();
	return leaked && conf.prof_leak_error;
}

void
dump_forked(void)
{
	lock_reset(&dump.lock);
	if (atomic_load(&dump.owner) != 0)
		atomic_store(&dump.owner, 0);
	if (atomic_load(&dump.failed) != 0)
		atomic_store(&dump.failed, 0);
	if (!dump.child)
		dump.child = true;
	dumpname_forked();
}
