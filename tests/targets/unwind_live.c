/*
 * Captures where locks may be held: in threads, inside a dl_iterate_phdr
 * callback, in children forked meanwhile, beside a thread that opens and
 * closes a plugin; runs under unwind_probe.so with UNWIND_PROBE_TIME=1.
 * Arguments: the plugin's path, number of forks.  It must end, and no stack
 * may be wrong.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned unwind_probe(uint64_t *, unsigned, unsigned *);

static _Atomic bool done;
static _Atomic unsigned long walks, wrong;
static const char *path;

static __attribute__((noinline)) void
check(void)
{
	uint64_t pcs[64];
	uint64_t caller = (uint64_t)(uintptr_t)__builtin_return_address(0);
	unsigned flags, n = unwind_probe(pcs, 64, &flags);

	walks++;
	if (n < 3 || pcs[1] != caller || flags != 0)
		wrong++;
}

static int
in_callback(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)info;
	(void)size;
	(void)arg;
	check();
	return 0;
}

static void *
walks_only(void *arg)
{
	(void)arg;
	while (!done)
		check();
	return NULL;
}

static void *
iterates(void *arg)
{
	(void)arg;
	while (!done)
		dl_iterate_phdr(in_callback, NULL);
	return NULL;
}

static void *
opens(void *arg)
{
	(void)arg;
	while (!done) {
		void *handle = dlopen(path, RTLD_NOW);
		void *sym = handle ? dlsym(handle, "plugin_call") : NULL;

		if (sym)
			((void (*)(void (*)(void)))(uintptr_t)sym)(check);
		if (handle)
			dlclose(handle);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	void *(*const fn[])(void *) = { walks_only, iterates, opens };
	pthread_t id[3];
	int forks, status, i;

	if (argc != 3)
		return 2;
	path = argv[1];
	forks = atoi(argv[2]);
	for (i = 0; i < 3; i++)
		pthread_create(&id[i], NULL, fn[i], NULL);
	while (forks-- > 0) {
		pid_t pid = fork();

		if (pid == 0) {
			wrong = 0;
			check();
			check();
			_exit(wrong != 0);
		}
		if (waitpid(pid, &status, 0) != pid || status != 0)
			wrong++;
	}
	done = true;
	for (i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
	printf("%lu walks, %lu wrong\n", walks, wrong);
	return wrong != 0;
}
