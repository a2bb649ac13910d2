/*
 * Prints what a process can see of its own standing, which must be the same
 * with a helper thread as without: its descriptors by three ways of looking,
 * its signal masks and dispositions, its limits, its name, its timers; and
 * the same in a thread, in a child and in what a child becomes.
 */
/* flags: -pthread */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept;

static void
descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int own = d ? dirfd(d) : -1, fd;

	printf(" open:");
	for (fd = 0; fd < 4096; fd++)
		if (fd != own && fcntl(fd, F_GETFD) >= 0)
			printf(" %d", fd);
	printf("\n listed:");
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && atoi(e->d_name) != own)
			printf(" %s", e->d_name);
	if (d)
		closedir(d);
	fd = open("/dev/null", O_RDONLY);
	printf("\n next: %d\n", fd);
	if (fd >= 0)
		close(fd);
}

static void
signals(void)
{
	sigset_t mask, pending;
	struct sigaction sa;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	sigpending(&pending);
	printf(" signals:");
	for (int s = 1; s < 65; s++) {
		if (s == 32 || s == 33)
			continue;
		memset(&sa, 0, sizeof sa);
		if (sigaction(s, NULL, &sa) != 0)
			continue;
		printf(" %s%s%s",
		    sa.sa_handler == SIG_DFL       ? "d"
			: sa.sa_handler == SIG_IGN ? "i"
						   : "h",
		    sigismember(&mask, s) ? "b" : "",
		    sigismember(&pending, s) ? "p" : "");
	}
	printf("\n");
}

static void
the_rest(void)
{
	struct itimerval it = { 0 };
	stack_t alt = { 0 };
	char name[17] = "";
	mode_t mask = umask(0);

	umask(mask);
	prctl(PR_GET_NAME, name);
	getitimer(ITIMER_PROF, &it);
	sigaltstack(NULL, &alt);
	printf(" umask %o name %s dumpable %d timer %ld altstack %d no_new %d "
	       "errno %d\n",
	    (unsigned)mask, name, prctl(PR_GET_DUMPABLE), it.it_value.tv_sec,
	    alt.ss_flags, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), errno);
	for (int r = 0; r < RLIM_NLIMITS; r++) {
		struct rlimit lim = { 0, 0 };

		getrlimit((__rlimit_resource_t)r, &lim);
		printf(" %llx/%llx", (unsigned long long)lim.rlim_cur,
		    (unsigned long long)lim.rlim_max);
	}
	printf("\n");
}

static void
everything(const char *who)
{
	kept = malloc(1 << 20);
	errno = 0;
	printf("%s\n", who);
	descriptors();
	signals();
	the_rest();
	fflush(stdout);
	free(kept);
}

static void *
in_thread(void *arg)
{
	everything("thread");
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;
	int st = 0;

	if (argc > 1) {
		everything("image");
		return 0;
	}
	everything("start");
	if (pthread_create(&t, NULL, in_thread, NULL) == 0)
		pthread_join(t, NULL);
	if (fork() == 0) {
		everything("child");
		execl("/proc/self/exe", argv[0], "again", (char *)NULL);
		_exit(1);
	}
	/* exactly one child is there to be waited for */
	printf("waited: %d", wait(&st) > 0);
	printf(" %d %d\n", st, wait(&st) < 0 && errno == ECHILD);
	everything("end");
	return 0;
}
