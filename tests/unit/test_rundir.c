/* needs: src/io/rundir.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "io/rundir.h"

static char top[] = "/tmp/test-rundir.XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(top) == NULL || setenv("XDG_RUNTIME_DIR", top, 1);
}

static int
tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", top);
	return system(command);
}

static void
test_path(void **state)
{
	char path[108], long_one[120];

	(void)state;
	rundir_path(path, 12, "/run/user/12");
	assert_string_equal(path, "/run/user/12/heaptop");
	rundir_path(path, 12, "/run/user/12//");
	assert_string_equal(path, "/run/user/12/heaptop");
	rundir_path(path, 12, NULL);
	assert_string_equal(path, "/tmp/heaptop-12");
	rundir_path(path, 12, "relative");
	assert_string_equal(path, "/tmp/heaptop-12");
	memset(long_one, 'x', sizeof long_one);
	long_one[0] = '/';
	long_one[73] = 0; /* 73 + 8 is one more than fits */
	rundir_path(path, 12, long_one);
	assert_string_equal(path, "/tmp/heaptop-12");
	long_one[72] = 0;
	rundir_path(path, 12, long_one);
	assert_int_equal(strlen(path), RUNDIR_PATH_MAX);
}

/* A pid that nobody has any more. */
static pid_t
dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void
touch(const struct rundir *r, pid_t pid, const char *suffix)
{
	char name[64];
	int fd;

	snprintf(name, sizeof name, "%d%s", (int)pid, suffix);
	fd = openat(r->fd, name, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void
test_open(void **state)
{
	struct rundir r;
	struct stat st;
	char name[64];
	pid_t dead = dead_pid();

	(void)state;
	assert_int_equal(rundir_open(&r, NULL), 0);
	assert_int_equal(fstat(r.fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	touch(&r, dead, ".sock");
	touch(&r, dead, ".launch");
	touch(&r, getpid(), ".sock");
	touch(&r, dead, ".other");
	fchmod(r.fd, 0755);
	rundir_close(&r);

	assert_int_equal(rundir_open(&r, NULL), 0);
	assert_int_equal(fstat(r.fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	snprintf(name, sizeof name, "%d.sock", (int)dead);
	assert_int_equal(faccessat(r.fd, name, F_OK, 0), -1);
	snprintf(name, sizeof name, "%d.launch", (int)dead);
	assert_int_equal(faccessat(r.fd, name, F_OK, 0), -1);
	snprintf(name, sizeof name, "%d.sock", (int)getpid());
	assert_int_equal(faccessat(r.fd, name, F_OK, 0), 0);
	snprintf(name, sizeof name, "%d.other", (int)dead);
	assert_int_equal(faccessat(r.fd, name, F_OK, 0), 0);
	rundir_close(&r);
}

static void
test_refused(void **state)
{
	char path[64], moved[64];
	struct rundir r;
	struct err e;

	(void)state;
	snprintf(path, sizeof path, "%s/heaptop", top);
	snprintf(moved, sizeof moved, "%s/elsewhere", top);
	assert_int_equal(rename(path, moved), 0);
	assert_int_equal(symlink(moved, path), 0);
	assert_int_equal(rundir_open(&r, &e), -1);
	assert_non_null(strstr(e.msg, "is not a directory"));
	unlink(path);
	if (geteuid() != 0) {
		rename(moved, path);
		return;
	}
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chown(path, 12, 12), 0);
	assert_int_equal(rundir_open(&r, &e), -1);
	assert_non_null(strstr(e.msg, "another user (uid 12)"));
}

static void
test_address(void **state)
{
	struct sockaddr_un a;
	char dir[160], path[200];
	size_t len;
	int dir_fd, fd;

	(void)state;
	assert_int_equal(
	    rundir_address(&a, &len, "/x/1.sock", &dir_fd, NULL), 0);
	assert_string_equal(a.sun_path, "/x/1.sock");
	assert_int_equal(dir_fd, -1);
	snprintf(dir, sizeof dir, "%s/%0120d", top, 0);
	snprintf(path, sizeof path, "%s/1.sock", dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(rundir_address(&a, &len, path, &dir_fd, NULL), 0);
	assert_true(dir_fd >= 0);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, (socklen_t)len), 0);
	assert_int_equal(access(path, F_OK), 0);
	close(fd);
	close(dir_fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_address),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
