/* needs: src/io/attach.c src/io/domain.c src/io/listen.c src/io/rundir.c
 * src/io/channel.c src/io/dumpread.c src/io/procfs.c src/io/loop.c
 * src/model/profile.c src/model/births.c src/model/frames.c src/model/modules.c
 * src/model/stacks.c src/model/history.c src/model/history_log.c
 * src/model/plumbing.c src/model/name.c src/base/arena.c src/base/buf.c
 * src/base/err.c src/base/map.c src/base/mem.c src/base/strtab.c
 * src/base/utf8.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "io/channel.h"
#include "io/listen.h"
#include "io/loop.h"
#include "io/rundir.h"

static char top[] = "/tmp/test-attach.XXXXXX";

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

static int
call(const char *path)
{
	struct sockaddr_un a;
	size_t len;
	int dir_fd, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	rundir_address(&a, &len, path, &dir_fd, NULL);
	if (connect(fd, (struct sockaddr *)&a, (socklen_t)len) == 0)
		return fd;
	close(fd);
	return -1;
}

struct calls {
	int fd;
	pid_t pid;
	unsigned count;
};

static void
on_call(void *arg, int fd, pid_t pid)
{
	struct calls *c = arg;

	c->fd = fd;
	c->pid = pid;
	c->count++;
}

static void
test_listen(void **state)
{
	struct loop *l = loop_new();
	struct calls c = { -1, 0, 0 };
	struct listener *s;
	struct rundir r;
	struct stat st;
	char path[160];
	int fd;

	(void)state;
	assert_int_equal(rundir_open(&r, NULL), 0);
	s = listen_open(l, &r, on_call, &c, NULL);
	assert_non_null(s);
	snprintf(path, sizeof path, "%s", listen_path(s));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	fd = call(path);
	assert_true(fd >= 0);
	loop_once(l, 1000, NULL);
	assert_int_equal(c.count, 1);
	assert_int_equal(c.pid, getpid());
	close(fd);
	close(c.fd);
	listen_close(s);
	assert_int_equal(access(path, F_OK), -1);
	rundir_close(&r);
	loop_free(l);
}

/* Somebody who got through the directory, but is another user. */
static void
test_other_user(void **state)
{
	struct loop *l = loop_new();
	struct calls c = { -1, 0, 0 };
	struct listener *s;
	struct rundir r;
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(rundir_open(&r, NULL), 0);
	s = listen_open(l, &r, on_call, &c, NULL);
	chmod(top, 0755);
	chmod(r.path, 0755);
	chmod(listen_path(s), 0666);
	pid = fork();
	if (pid == 0)
		_exit(setuid(12) < 0 || call(listen_path(s)) < 0);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	loop_once(l, 1000, NULL);
	assert_int_equal(c.count, 0);
	listen_close(s);
	rundir_close(&r);
	loop_free(l);
}

static struct dumpread *
on_hello(void *arg, struct channel *c, const struct profile_facts *f)
{
	(void)arg, (void)c, (void)f;
	return NULL;
}

static const struct channel_events events = { .on_hello = on_hello };

/* Attach to ourselves: first nobody listens, then we do. */
static void
test_attach(void **state)
{
	struct loop *l = loop_new();
	struct channel *c;
	struct rundir r;
	struct sockaddr_un a;
	char path[160];
	struct err e;
	bool again;
	size_t len;
	int fd, dir_fd;

	(void)state;
	assert_int_equal(rundir_open(&r, NULL), 0);
	c = channel_attach(l, getpid(), &events, NULL, &again, &e);
	assert_null(c);
	assert_false(again);
	assert_non_null(strstr(e.msg, "does not run under libheaptop.so"));

	snprintf(path, sizeof path, "%s/%d.sock", r.path, (int)getpid());
	assert_int_equal(rundir_address(&a, &len, path, &dir_fd, NULL), 0);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, (socklen_t)len), 0);
	assert_int_equal(listen(fd, 1), 0);
	c = channel_attach(l, getpid(), &events, NULL, &again, &e);
	assert_non_null(c);
	assert_int_equal(channel_pid(c), getpid());
	assert_true(channel_pidfd(c) >= 0);
	channel_free(c);
	close(fd);
	rundir_close(&r);
	loop_free(l);
}

/* A socket of somebody else under the name of a pid that came round. */
static void
test_other_pid(void **state)
{
	struct loop *l = loop_new();
	struct rundir r;
	struct sockaddr_un a;
	char path[160];
	struct err e;
	size_t len;
	int fd, dir_fd;

	(void)state;
	assert_int_equal(rundir_open(&r, NULL), 0);
	snprintf(path, sizeof path, "%s/%d.sock", r.path, (int)getppid());
	assert_int_equal(rundir_address(&a, &len, path, &dir_fd, NULL), 0);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, (socklen_t)len), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_null(channel_attach(l, getppid(), &events, NULL, NULL, &e));
	assert_null(channel_attach(l, 0, &events, NULL, NULL, &e));
	assert_non_null(strstr(e.msg, "there is no process 0"));
	close(fd);
	rundir_close(&r);
	loop_free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listen),
		cmocka_unit_test(test_other_user),
		cmocka_unit_test(test_attach),
		cmocka_unit_test(test_other_pid),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
