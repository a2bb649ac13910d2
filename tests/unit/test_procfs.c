/* needs: src/io/procfs.c src/base/buf.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "io/procfs.h"

/* The name of a process may look like the rest of the line. */
static void
test_stat(void **state)
{
	struct procfs_stat st;

	(void)state;
	prctl(PR_SET_NAME, "a) Z 9 (b\n");
	assert_int_equal(procfs_stat(getpid(), &st), 0);
	assert_string_equal(st.comm, "a) Z 9 (b?");
	assert_int_equal(st.state, 'R');
	assert_int_equal(st.ppid, getppid());
	assert_true(st.start_ticks > 0);
	assert_int_equal(st.threads, 1);
}

static void
test_memory(void **state)
{
	struct procfs_memory m;

	(void)state;
	assert_int_equal(procfs_memory(getpid(), &m), 0);
	assert_true(m.rss_bytes > 100000);
	assert_true(m.virtual_bytes > m.rss_bytes);
	assert_true(m.anon_bytes + m.file_bytes + m.shmem_bytes == m.rss_bytes);
	assert_int_equal(m.threads, 1);
	assert_int_equal(procfs_uid(getpid()), geteuid());
	assert_int_equal(procfs_inner_pid(getpid()), getpid());
}

/* Dead, and reaped. */
static void
test_gone(void **state)
{
	pid_t pid = fork();
	struct procfs_stat st;
	struct procfs_memory m;
	struct err e;
	char text[64];

	(void)state;
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	assert_int_equal(procfs_stat(pid, &st), -1);
	assert_int_equal(procfs_stat(-1, &st), -1);
	assert_int_equal(procfs_memory(pid, &m), -1);
	assert_int_equal(procfs_command(pid, text, sizeof text), -1);
	assert_string_equal(text, "");
	assert_null(procfs_environ(pid, "PATH"));
	assert_int_equal(procfs_library(pid), PROCFS_UNKNOWN);
	snprintf(text, sizeof text, "%d", (int)pid);
	assert_int_equal(procfs_find(text, &pid, &e), -1);
	assert_non_null(strstr(e.msg, text));
}

static void
test_command(void **state)
{
	pid_t pid = fork();
	char text[64];

	(void)state;
	if (pid == 0) {
		setenv("SOME_NAME", "a=b", 1);
		execl("/bin/sleep", "sl\neep", "1000", (char *)NULL);
		_exit(1);
	}
	/* it is ours until it is the other program */
	for (int i = 0; i < 1000; i++) {
		procfs_command(pid, text, sizeof text);
		if (strstr(text, "1000") != NULL)
			break;
		usleep(1000);
	}
	assert_string_equal(text, "sl?eep 1000");
	{
		char *value = procfs_environ(pid, "SOME_NAME");

		assert_string_equal(value, "a=b");
		free(value);
	}
	assert_null(procfs_environ(pid, "SOME"));
	assert_int_equal(procfs_library(pid), PROCFS_ABSENT);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
test_find(void **state)
{
	struct err e;
	pid_t pid = 0;
	char text[32];

	(void)state;
	snprintf(text, sizeof text, "%d", (int)getpid());
	assert_int_equal(procfs_find(text, &pid, NULL), 0);
	assert_int_equal(pid, getpid());
	assert_int_equal(procfs_find("no such name", &pid, &e), -1);
	assert_non_null(strstr(e.msg, "no such name"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
