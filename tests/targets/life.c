/*
 * The turns a program's life can take, each with a heap of known truth:
 *
 *	life exec|fork|closeall|daemon|chroot|drop|kill9|unshare|seccomp|vfork
 *
 * first_mib() holds 1 MiB before the turn, then_mib() 3 MiB after it,
 * child_mib() 5 MiB in a child.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define A_WHILE 400000 /* microseconds: some snapshots */

static void *volatile keep[4];

__attribute__((noinline)) static void
first_mib(void)
{
	keep[0] = malloc(1 << 20);
}

__attribute__((noinline)) static void
then_mib(void)
{
	keep[1] = malloc(3 << 20);
}

__attribute__((noinline)) static void
child_mib(void)
{
	keep[2] = malloc(5 << 20);
}

static int
turn_exec(int argc)
{
	if (argc < 4) {
		execl("/proc/self/exe", "life", "exec", "again", "now", NULL);
		return 1;
	}
	then_mib();
	return 0;
}

static int
turn_fork(void)
{
	pid_t p = fork();
	int st = 1;

	if (p == 0) {
		child_mib();
		free(keep[0]);
		usleep(A_WHILE);
		_exit(0);
	}
	waitpid(p, &st, 0);
	then_mib();
	return st != 0;
}

static int
turn_vfork(void)
{
	pid_t p = vfork();
	int st = 1;

	if (p == 0) {
		execl("/bin/true", "true", NULL);
		_exit(9);
	}
	waitpid(p, &st, 0);
	then_mib();
	return st != 0;
}

static int
turn_closeall(void)
{
	int fd;

	for (fd = 3; fd < 1024; fd++)
		close(fd);
	then_mib();
	/* the numbers are the program's alone */
	fd = open("/dev/null", O_RDONLY);
	usleep(A_WHILE);
	return fd != 3;
}

static int
turn_daemon(void)
{
	if (fork())
		_exit(0);
	setsid();
	if (fork())
		_exit(0);
	if (chdir("/"))
		return 1;
	for (int fd = 0; fd < 256; fd++)
		close(fd);
	if (open("/dev/null", O_RDWR) != 0 || dup(0) != 1 || dup(0) != 2)
		return 1;
	child_mib();
	usleep(A_WHILE);
	return 0;
}

static int
turn_chroot(void)
{
	mkdir("jail", 0755);
	if (chroot("jail") || chdir("/"))
		return 77;
	then_mib();
	usleep(A_WHILE);
	return 0;
}

/* Afterwards no thread of the process may be anybody else. */
static int
turn_drop(void)
{
	char line[256];
	FILE *f;

	if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
		return 77;
	then_mib();
	usleep(A_WHILE);
	f = popen("cat /proc/$PPID/task/*/status | grep -E '^(Uid|Gid):'", "r");
	while (f && fgets(line, sizeof line, f))
		if (!strstr(line, "\t65534\t65534\t65534\t65534"))
			return 3;
	return f ? pclose(f) : 4;
}

static int
turn_unshare(void)
{
	if (unshare(CLONE_NEWUSER))
		return errno == EPERM || errno == ENOSPC ? 77 : 5;
	then_mib();
	usleep(A_WHILE);
	return 0;
}

/* A filter that forbids, on pain of death, what allocation has no need of;
 * the program and a child of it go on. */
static int
turn_seccomp(void)
{
#define FORBID(nr)                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		FORBID(SYS_getpid),
		FORBID(SYS_gettid),
		FORBID(SYS_getppid),
		FORBID(SYS_openat),
		FORBID(SYS_readlinkat),
		FORBID(SYS_unlinkat),
		FORBID(SYS_process_vm_readv),
		FORBID(SYS_memfd_create),
		FORBID(SYS_rt_sigprocmask),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = { sizeof f / sizeof *f, f };
	long child;
	int st = 1;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
		return 77;
	then_mib();
	usleep(A_WHILE);
	child = fork();
	if (child == 0) {
		child_mib();
		for (int i = 0; i < 100; i++)
			free(malloc((size_t)i * 1000));
		_exit(0);
	}
	waitpid((pid_t)child, &st, 0);
	return st != 0;
}

int
main(int argc, char **argv)
{
	const char *turn = argc > 1 ? argv[1] : "";

	first_mib();
	if (!strcmp(turn, "exec"))
		return turn_exec(argc);
	if (!strcmp(turn, "fork"))
		return turn_fork();
	if (!strcmp(turn, "vfork"))
		return turn_vfork();
	if (!strcmp(turn, "closeall"))
		return turn_closeall();
	if (!strcmp(turn, "daemon"))
		return turn_daemon();
	if (!strcmp(turn, "chroot"))
		return turn_chroot();
	if (!strcmp(turn, "drop"))
		return turn_drop();
	if (!strcmp(turn, "unshare"))
		return turn_unshare();
	if (!strcmp(turn, "seccomp"))
		return turn_seccomp();
	if (!strcmp(turn, "kill9")) {
		then_mib();
		raise(SIGKILL);
	}
	return 2;
}
