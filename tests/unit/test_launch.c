/* needs: src/io/launch.c src/io/preloadenv.c src/io/loop.c src/base/mem.c
 * src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "io/launch.h"
#include "io/loop.h"
#include "io/preloadenv.h"
#include "io/rundir.h"

static char dir[] = "/tmp/test-launch.XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL;
}

static int
tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

static char *
put(const char *name, const char *text, mode_t mode)
{
	static char path[128];
	int fd;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	fchmod(fd, mode);
	close(fd);
	return path;
}

static void
test_find(void **state)
{
	char *path, *old = strdup(getenv("PATH"));
	struct err e;

	(void)state;
	setenv("PATH", dir, 1);
	put("plain", "x", 0644);
	put("good", "#!/bin/sh\n", 0755);
	assert_int_equal(launch_find("good", &path, NULL), 0);
	assert_non_null(strstr(path, "/good"));
	free(path);
	assert_int_equal(launch_find("nothing", &path, &e), 127);
	assert_string_equal(e.msg, "nothing: not found");
	assert_int_equal(launch_find("", &path, &e), 127);
	assert_int_equal(launch_find("/nonexistent/x", &path, &e), 127);
	assert_int_equal(launch_find("plain", &path, &e), 126);
	assert_int_equal(launch_find(dir, &path, &e), 126);
	assert_non_null(strstr(e.msg, "directory"));
	assert_int_equal(launch_find("/dev/null", &path, &e), 126);
	assert_non_null(strstr(e.msg, "device"));
	/* one that may be run counts before one that may not */
	setenv("PATH", "/nonexistent:", 1);
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(launch_find("good", &path, NULL), 0);
	assert_string_equal(path, "./good");
	free(path);
	setenv("PATH", old, 1);
	free(old);
}

/* Run it and give back its wait status, or minus the launch status. */
static int
run(char *script, struct err *e)
{
	char arg[] = "arg", *argv[] = { script, arg, NULL };
	struct launch_options o = LAUNCH_OPTIONS_INIT;
	struct sigstate signals;
	pid_t pid;
	int status;

	sigstate_get(&signals);
	o.argv = argv;
	o.signals = &signals;
	status = launch_start(&o, &pid, e);
	if (status != 0) {
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
		return -status;
	}
	while (launch_reap(pid, &status) == 0)
		usleep(1000);
	return status;
}

static void
test_start(void **state)
{
	struct err e;
	int status;

	(void)state;
	status = run(put("s1", "#!/bin/sh\nexit 7\n", 0755), NULL);
	assert_int_equal(launch_status(status), 7);
	status = run(put("s2", "#!/bin/sh\nkill -TERM $$\n", 0755), NULL);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(launch_status(status), 128 + SIGTERM);
	/* no #!: a script for the shell, with its arguments */
	status = run(put("s3", "[ \"$1\" = arg ] && exit 3\n", 0755), NULL);
	assert_int_equal(launch_status(status), 3);
	assert_int_equal(run(put("s4", "#!/nonexistent/i\n", 0755), &e), -127);
	assert_non_null(strstr(e.msg, "interpreter"));
	assert_non_null(strstr(e.msg, "/s4"));
	assert_int_equal(run(put("s5", "x", 0644), &e), -126);
}

static int
become(const char *script)
{
	char *argv[] = { (char *)(uintptr_t)script, NULL };
	struct launch_options o = LAUNCH_OPTIONS_INIT;
	pid_t pid = fork();
	int status;

	o.argv = argv;
	if (pid == 0)
		_exit(launch_exec(&o, NULL));
	waitpid(pid, &status, 0);
	return launch_status(status);
}

static void
test_exec(void **state)
{
	(void)state;
	assert_int_equal(become(put("e1", "#!/bin/sh\nexit 9\n", 0755)), 9);
	assert_int_equal(become("/nonexistent/x"), 127);
	assert_int_equal(become(dir), 126);
}

static void
test_die_alike(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		launch_die_alike(SIGTERM); /* a wait status */
		_exit(1);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	launch_die_alike(7 << 8); /* an exit: nothing happens */
}

static const char *
value(char **env, const char *name)
{
	size_t len = strlen(name);

	for (; *env != NULL; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

static void
test_environment(void **state)
{
	struct launch_options o = LAUNCH_OPTIONS_INIT;
	char **env;

	(void)state;
	setenv("LD_PRELOAD", "a.so b.so", 1);
	setenv("HEAPTOP_CONF", "prof_accum:true", 1);
	setenv("HEAPTOP_SOCKET", "/old", 1);
	setenv("MALLOC_CONF", "mine", 1);
	o.conf = "lg_prof_sample:12";
	o.defaults = "lg_prof_sample:16";
	assert_int_equal(preloadenv_make(&o, "/x/l.so", &env, NULL), 0);
	assert_string_equal(value(env, "LD_PRELOAD"), "/x/l.so:a.so b.so");
	assert_string_equal(
	    value(env, "HEAPTOP_CONF"), "prof_accum:true,lg_prof_sample:12");
	assert_string_equal(
	    value(env, "HEAPTOP_DEFAULTS"), "lg_prof_sample:16");
	assert_null(value(env, "HEAPTOP_SOCKET"));
	assert_string_equal(value(env, "MALLOC_CONF"), "mine");
	preloadenv_free(env);

	o.socket = "/s";
	setenv("LD_PRELOAD", "/x/l.so:b.so", 1);
	unsetenv("HEAPTOP_CONF");
	assert_int_equal(preloadenv_make(&o, "/x/l.so", &env, NULL), 0);
	assert_string_equal(value(env, "LD_PRELOAD"), "/x/l.so:b.so");
	assert_string_equal(value(env, "HEAPTOP_CONF"), "lg_prof_sample:12");
	assert_string_equal(value(env, "HEAPTOP_SOCKET"), "/s");
	preloadenv_free(env);

	/* unwatched: as it is */
	assert_int_equal(preloadenv_make(&o, NULL, &env, NULL), 0);
	assert_string_equal(value(env, "LD_PRELOAD"), "/x/l.so:b.so");
	assert_string_equal(value(env, "HEAPTOP_SOCKET"), "/old");
	preloadenv_free(env);
	unsetenv("LD_PRELOAD");
}

/* A path that LD_PRELOAD cannot hold goes by a link. */
static void
test_link(void **state)
{
	struct launch_options o = LAUNCH_OPTIONS_INIT;
	struct rundir r;
	char **env, target[64];
	const char *link;
	struct err e;
	ssize_t n;

	(void)state;
	assert_int_equal(preloadenv_make(&o, "/x y/l.so", &env, &e), -1);
	assert_non_null(strstr(e.msg, "/x y/l.so"));
	snprintf(r.path, sizeof r.path, "%s", dir);
	r.fd = open(dir, O_RDONLY | O_DIRECTORY);
	o.rundir = &r;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    preloadenv_make(&o, "/x y/l.so", &env, NULL), 0);
		link = value(env, "LD_PRELOAD");
		assert_null(strchr(link, ' '));
		n = readlink(link, target, sizeof target - 1);
		assert_true(n > 0);
		target[n] = 0;
		assert_string_equal(target, "/x y/l.so");
		preloadenv_free(env);
	}
	close(r.fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_die_alike),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_link),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
