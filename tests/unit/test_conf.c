/* needs: prof/conf.c prof/conf_words.c prof/conf_files.c prof/say.c prof/os.c
 * prof/tree.c prof/path.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prof/conf.h"

/* The program's own options: conf.c looks for this symbol. */
extern const char *malloc_conf;
const char *malloc_conf;

/* What a process reads that starts with these options, each may be NULL. */
struct sources {
	const char *defaults, *program, *malloc_conf, *heaptop_conf;
};

static struct conf *got;
static char said[4096];

static int
setup(void **state)
{
	(void)state;
	got = mmap(NULL, sizeof *got, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return got == MAP_FAILED;
}

static int
teardown(void **state)
{
	(void)state;
	return munmap(got, sizeof *got);
}

static void
environment(const char *key, const char *value)
{
	if (value)
		setenv(key, value, 1);
	else
		unsetenv(key);
}

/* Options are read once in a process, so each test is one. */
static void
read_in_child(const struct sources *s)
{
	int p[2], st;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		dup2(p[1], 2);
		environment("HEAPTOP_DEFAULTS", s->defaults);
		environment("MALLOC_CONF", s->malloc_conf);
		environment("HEAPTOP_CONF", s->heaptop_conf);
		malloc_conf = s->program;
		conf_read();
		*got = conf;
		_exit(0);
	}
	close(p[1]);
	while ((n = read(p[0], said + len, sizeof said - 1 - len)) > 0)
		len += (size_t)n;
	said[len] = '\0';
	close(p[0]);
	waitpid(pid, &st, 0);
	assert_int_equal(st, 0);
}

static void
options(const char *text)
{
	read_in_child(&(struct sources){ .heaptop_conf = text });
}

static int
sentences(void)
{
	int n = 0;

	for (const char *p = said; (p = strstr(p, "heaptop: ")); p++)
		n++;
	return n;
}

static void
defaults(void **state)
{
	(void)state;
	read_in_child(&(struct sources){ 0 });
	assert_string_equal(said, "");
	assert_true(got->prof);
	assert_false(got->prof_explicit);
	assert_true(got->prof_active);
	assert_int_equal(got->lg_sample, 19);
	assert_int_equal(got->bt_max, 128);
	assert_true(got->thread);
	assert_int_equal(got->dirty_decay_ms, 10000);
	assert_int_equal(got->unwind, UNWIND_AUTO);
	assert_false(got->prof_final || got->prof_leak || got->prof_gdump ||
	    got->prof_accum || got->prof_compress);
	assert_int_equal(got->lg_interval, -1);
	assert_int_equal(got->dump_signals, 0);
	assert_int_equal(got->prof_keep, 0);
	assert_true(got->prof_children && got->thread_active);
	/* where nothing is written by itself a prefix stays as it is */
	assert_string_equal(got->prefix, "jeprof");
}

/* What is written, and when: each option, and what it does not imply. */
static void
each_dump_option(void **state)
{
	(void)state;
	options("prof_gdump:true,lg_prof_interval:26,prof_accum:true,"
		"prof_compress:true,prof_keep:12,prof_dump_signal:usr2,"
		"prof_children:false,prof_thread_active_init:false,"
		"prof_sys_thread_name:true");
	assert_string_equal(said, "");
	assert_true(got->prof_gdump && got->prof_accum && got->prof_compress);
	assert_int_equal(got->lg_interval, 26);
	assert_int_equal(got->prof_keep, 12);
	assert_int_equal(got->dump_signals, CONF_USR2);
	assert_false(got->prof_children || got->thread_active);
	assert_true(got->sys_thread_name);
	assert_false(got->prof_final || got->prof_leak);
	options("lg_prof_interval:-1,prof_dump_signal:both");
	assert_int_equal(got->lg_interval, -1);
	assert_int_equal(got->dump_signals, CONF_USR1 | CONF_USR2);
}

/* prof_leak alone is enough; prof_leak_error too. */
static void
leak_alone(void **state)
{
	(void)state;
	options("prof_leak:true");
	assert_true(got->prof_leak && got->prof_final);
	assert_false(got->prof_explicit || got->prof_leak_error);
	assert_int_equal(got->dump_signals, 0);
	assert_int_equal(got->prefix[0], '/');
	options("prof_leak_error:true,prof_final:false");
	assert_true(got->prof_leak && got->prof_leak_error);
	assert_false(got->prof_final);
	options("prof_leak:true,prof_gdump:true,prof:false");
	assert_false(got->prof_leak || got->prof_final || got->prof_gdump);
}

static void
each_option(void **state)
{
	(void)state;
	options("prof_active:false,lg_prof_sample:12,prof_bt_max:40,"
		"thread:false,dirty_decay_ms:-1,prof_unwind:fp,"
		"prof_seed:77,prof_final:true,prof_prefix:/a/b");
	assert_string_equal(said, "");
	assert_false(got->prof_active);
	assert_int_equal(got->lg_sample, 12);
	assert_int_equal(got->bt_max, 40);
	assert_false(got->thread);
	assert_int_equal(got->dirty_decay_ms, -1);
	assert_int_equal(got->unwind, UNWIND_FP);
	assert_int_equal(got->seed, 77);
	assert_true(got->prof_final);
	assert_string_equal(got->prefix, "/a/b");
	options("prof_max_depth:7,prof_unwind:check,prof:false");
	assert_string_equal(said, "");
	assert_int_equal(got->bt_max, 7);
	assert_int_equal(got->unwind, UNWIND_CHECK);
	assert_false(got->prof);
}

/* Blanks after commas, empty elements, numbers as C writes them. */
static void
syntax(void **state)
{
	(void)state;
	options(" prof_active:false, lg_prof_sample:0x10 ,, "
		"prof_bt_max:010,dirty_decay_ms:+5,");
	assert_string_equal(said, "");
	assert_false(got->prof_active);
	assert_int_equal(got->lg_sample, 16);
	assert_int_equal(got->bt_max, 8);
	assert_int_equal(got->dirty_decay_ms, 5);
	options("");
	assert_string_equal(said, "");
	options(",, ,");
	assert_string_equal(said, "");
	options("lg_prof_sample:3,lg_prof_sample:4");
	assert_int_equal(got->lg_sample, 4);
	options("prof_prefix:/a:b c/d");
	assert_string_equal(got->prefix, "/a:b c/d");
}

/* The others hold although one is wrong; it is told in one sentence that
 * has its name and its value. */
static void
wrong_values(void **state)
{
	static const char *const wrong[] = { "lg_prof_sample:48",
		"lg_prof_sample:-1", "lg_prof_sample:", "lg_prof_sample:x",
		"lg_prof_sample:1x", "lg_prof_sample:0x", "lg_prof_sample:08",
		"lg_prof_sample:99999999999999999999999",
		"lg_prof_sample:18446744073709551617", "prof_bt_max:0",
		"prof_bt_max:4097", "prof_active:yes", "prof_active:True",
		"prof_active:", "prof:1", "dirty_decay_ms:-2",
		"dirty_decay_ms:-", "prof_unwind:no", "prof_seed:0",
		"thread:maybe", "no_such_option:1", "prof_active",
		"lg_prof_interval:64", "lg_prof_interval:-2",
		"prof_dump_signal:usr3", "prof_keep:65537", "prof_keep:-1",
		"prof_leak:1", "prof_compress:gz" };

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char text[200];

		snprintf(text, sizeof text, "prof_bt_max:9,%s,prof_seed:5",
		    wrong[i]);
		options(text);
		if (sentences() != 1 || !strstr(said, wrong[i]))
			fail_msg("%s: said %s", wrong[i], said);
		assert_int_equal(got->lg_sample, 19);
		assert_int_equal(got->bt_max, 9);
		assert_int_equal(got->seed, 5);
		assert_true(got->prof && got->prof_active && got->thread);
		assert_int_equal(got->dirty_decay_ms, 10000);
	}
}

/* jemalloc's other options mean nothing here and are no mistake. */
static void
options_of_jemalloc(void **state)
{
	(void)state;
	options("narenas:4,muzzy_decay_ms:0,tcache:true,lg_tcache_max:15,"
		"background_thread:true");
	assert_string_equal(said, "");
}

/* Those that have an effect, and what they are unless given. */
static void
stricter_options(void **state)
{
	(void)state;
	options("");
	assert_false(got->zero || got->abort || got->abort_conf ||
	    got->xmalloc || got->stats_print || got->confirm_conf);
	assert_true(got->tcache && got->tcache_max == SIZE_MAX);
	assert_int_equal(got->junk, 0);
	assert_int_equal(got->zero_realloc, CONF_ZERO_FREE);
	options("zero:true,abort:true,abort_conf:true,xmalloc:true,junk:true,"
		"stats_print:true,stats_print_opts:J,zero_realloc:alloc,"
		"tcache:false,tcache_max:0x100");
	assert_string_equal(said, "");
	assert_true(got->zero && got->abort && got->abort_conf &&
	    got->xmalloc && got->stats_print);
	assert_string_equal(got->stats_print_opts, "J");
	assert_int_equal(got->junk, CONF_JUNK_ALLOC | CONF_JUNK_FREE);
	assert_int_equal(got->zero_realloc, CONF_ZERO_ALLOC);
	assert_false(got->tcache);
	assert_int_equal(got->tcache_max, 256);
	options("junk:alloc,zero_realloc:abort,lg_tcache_max:12");
	assert_int_equal(got->junk, CONF_JUNK_ALLOC);
	assert_int_equal(got->zero_realloc, CONF_ZERO_ABORT);
	assert_int_equal(got->tcache_max, 4096);
	options("junk:free,junk:maybe,zero_realloc:2,tcache_max:-1");
	assert_int_equal(got->junk, CONF_JUNK_FREE);
	assert_non_null(strstr(said, "junk:maybe is left out"));
	assert_non_null(strstr(said, "zero_realloc:2 is left out"));
	assert_non_null(strstr(said, "tcache_max:-1 is left out"));
}

/* Wherever it stands among the sources; what has no effect says so. */
static void
confirm(void **state)
{
	(void)state;
	read_in_child(&(struct sources){ .program = "prof_seed:3,narenas:2",
	    .heaptop_conf = "confirm_conf:true,prof_seed:4" });
	assert_non_null(
	    strstr(said, "malloc_conf): \"prof_seed:3,narenas:2\""));
	assert_non_null(strstr(said, "-- set prof_seed:3\n"));
	assert_non_null(strstr(said, "narenas:2 has no effect here\n"));
	assert_non_null(strstr(said, "-- set prof_seed:4\n"));
	assert_int_equal(got->seed, 4);
}

static void
later_sources_win(void **state)
{
	struct sources s = { "lg_prof_sample:1,prof_bt_max:1,prof_seed:1,"
			     "dirty_decay_ms:1",
		"lg_prof_sample:2,prof_bt_max:2,prof_seed:2",
		"lg_prof_sample:3,prof_bt_max:3", "lg_prof_sample:4" };

	(void)state;
	read_in_child(&s);
	assert_string_equal(said, "");
	assert_int_equal(got->lg_sample, 4);
	assert_int_equal(got->bt_max, 3);
	assert_int_equal(got->seed, 2);
	assert_int_equal(got->dirty_decay_ms, 1);
}

/* prof:true, where it stands, is what turns files on; each part can be
 * turned off again, in any order. */
static void
file_mode(void **state)
{
	char cwd[1000], wanted[1100];

	(void)state;
	assert_non_null(getcwd(cwd, sizeof cwd));
	snprintf(wanted, sizeof wanted, "%s/jeprof", cwd);
	read_in_child(&(struct sources){ .malloc_conf = "prof:true" });
	assert_true(got->prof && got->prof_explicit && got->prof_final);
	assert_string_equal(got->prefix, wanted);
	assert_int_equal(got->dump_signals, CONF_USR1 | CONF_USR2);
	assert_true(got->shared);
	options("prof:true,prof_dump_signal:none");
	assert_int_equal(got->dump_signals, 0);
	assert_false(got->shared); /* jemalloc doesn't read HEAPTOP_CONF */
	options("prof:true,prof_prefix:");
	assert_string_equal(got->prefix, "");
	options("prof_final:false,prof:true");
	assert_true(got->prof_explicit);
	assert_false(got->prof_final);
	options("prof:true,prof_final:false");
	assert_false(got->prof_final);
	snprintf(wanted, sizeof wanted, "%s/dumps/x", cwd);
	options("prof:true,prof_prefix:dumps/x");
	assert_string_equal(got->prefix, wanted);
	read_in_child(&(struct sources){
	    .malloc_conf = "prof:true", .heaptop_conf = "prof:false" });
	assert_false(got->prof || got->prof_final);
}

static void
long_texts(void **state)
{
	static char text[3000];
	size_t n = strlen("prof_prefix:");

	(void)state;
	strcpy(text, "prof_prefix:");
	memset(text + n, 'p', sizeof text - n - 1);
	text[n] = '/';
	options(text);
	assert_int_equal(sentences(), 1);
	assert_string_equal(got->prefix, "jeprof");
	/* the longest that fits */
	text[n + sizeof got->prefix - 1] = '\0';
	options(text);
	assert_string_equal(said, "");
	assert_string_equal(got->prefix, text + n);
	/* a long name of no option */
	memset(text, 'k', 2999);
	text[1500] = ':';
	options(text);
	assert_int_equal(sentences(), 1);
}

/* Where sockets lie is noted at the start, as it stood then. */
static void
runtime_directory(void **state)
{
	char path[300];

	(void)state;
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	options(NULL);
	assert_string_equal(got->runtime, "/run/user/7");
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	setenv("XDG_RUNTIME_DIR", path, 1);
	options(NULL);
	assert_string_equal(got->runtime, "");
	unsetenv("XDG_RUNTIME_DIR");
	options(NULL);
	assert_string_equal(got->runtime, "");
}

static void
socket_name(void **state)
{
	char path[300];

	(void)state;
	setenv("HEAPTOP_SOCKET", "/run/x/1.launch", 1);
	options(NULL);
	assert_string_equal(got->socket, "/run/x/1.launch");
	memset(path, 'a', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	setenv("HEAPTOP_SOCKET", path, 1);
	options(NULL);
	assert_string_equal(got->socket, "");
	unsetenv("HEAPTOP_SOCKET");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(each_option),
		cmocka_unit_test(each_dump_option),
		cmocka_unit_test(leak_alone),
		cmocka_unit_test(syntax),
		cmocka_unit_test(wrong_values),
		cmocka_unit_test(options_of_jemalloc),
		cmocka_unit_test(stricter_options),
		cmocka_unit_test(confirm),
		cmocka_unit_test(later_sources_win),
		cmocka_unit_test(file_mode),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(runtime_directory),
		cmocka_unit_test(socket_name),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
