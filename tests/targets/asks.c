/* flags: -O0 -pthread */
/*
 * Does what it is told, a line at a time, and answers each with one line; its
 * heap is known, and it steers its own profile by mallctl(), if there is one.
 *
 *	grow N           N blocks of 64 KiB more that stay, in grown()
 *	churn N          N blocks of 64 KiB that don't, in churned()
 *	give             all of grown()'s are freed
 *	dump [FILE]      prof.dump; its answer and the name handed back
 *	get TYPE NAME    bool, u32, size, ssize, u64 or string
 *	set TYPE NAME VALUE
 *	do NAME          writes nothing to it
 *	mib NAME N       its parts, the last but one being made N, and purged
 *	own              a handler of its own for SIGUSR1, which says "own"
 *	cd DIR
 *	thread NAME      a thread of that thread.prof.name that keeps 16 blocks
 *	                 in named() and lives on
 *	hidden           a thread with thread.prof.active false, likewise, in
 *	                 unseen(), that ends
 *	fork [WHAT]      a child that keeps 32 blocks in child() and exits; with
 *	                 "usr1" it sends itself that signal before
 *	exit N
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define BLOCK    65536
#define KEPT     65536

extern int mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));
extern int je_mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));
extern int mallctlnametomib(const char *, size_t *, size_t *)
    __attribute__((weak));
extern int mallctlbymib(const size_t *, size_t, void *, size_t *, void *,
    size_t) __attribute__((weak));

static void *volatile kept[KEPT];
static unsigned nkept;
static void *volatile other[64];
static void *volatile passing;

NOINLINE static void
grown(unsigned n)
{
	while (n-- > 0 && nkept < KEPT)
		kept[nkept++] = malloc(BLOCK);
}

NOINLINE static void
churned(unsigned n)
{
	while (n-- > 0) {
		passing = malloc(BLOCK);
		free(passing);
	}
}

NOINLINE static void
child(void)
{
	for (int i = 0; i < 32; i++)
		other[i] = malloc(BLOCK);
}

static char thread_name[64];
static pthread_barrier_t begun;

NOINLINE static void *
named(void *arg)
{
	const char *name = thread_name;

	(void)arg;
	mallctl("thread.prof.name", NULL, NULL, &name, sizeof name);
	for (int i = 32; i < 48; i++)
		other[i] = malloc(BLOCK);
	pthread_barrier_wait(&begun);
	pause();
	return NULL;
}

NOINLINE static void *
unseen(void *arg)
{
	bool off = false;

	(void)arg;
	mallctl("thread.prof.active", NULL, NULL, &off, sizeof off);
	for (int i = 48; i < 64; i++)
		other[i] = malloc(BLOCK);
	pthread_barrier_wait(&begun);
	return NULL;
}

static void
start(void *(*fn)(void *), bool wait)
{
	pthread_t t;

	pthread_barrier_init(&begun, NULL, 2);
	pthread_create(&t, NULL, fn, NULL);
	pthread_barrier_wait(&begun);
	if (wait)
		pthread_join(t, NULL);
}

static void
own(int n)
{
	(void)n;
	(void)!write(1, "own\n", 4);
}

static void
dump(char *file)
{
	char name[2000] = "";
	size_t len = sizeof name;
	int r = je_mallctl("prof.dump", name, &len, file ? &file : NULL,
	    file ? sizeof file : 0);

	printf("%d %s\n", r, name);
}

static size_t
size_of(const char *type)
{
	if (!strcmp(type, "bool"))
		return sizeof(bool);
	return !strcmp(type, "u32") ? sizeof(unsigned) : sizeof(size_t);
}

static void
get(const char *type, const char *name)
{
	union {
		bool b;
		unsigned u32;
		size_t size;
		ssize_t ssize;
		const char *string;
	} v = { .size = 0 };
	size_t len = size_of(type);
	int r = mallctl(name, &v, &len, NULL, 0);

	if (r != 0)
		printf("%d\n", r);
	else if (!strcmp(type, "bool"))
		printf("%d %s\n", r, v.b ? "true" : "false");
	else if (!strcmp(type, "u32"))
		printf("%d %u\n", r, v.u32);
	else if (!strcmp(type, "ssize"))
		printf("%d %zd\n", r, v.ssize);
	else if (!strcmp(type, "string"))
		printf("%d %s\n", r, v.string);
	else
		printf("%d %zu\n", r, v.size);
}

static void
set(const char *type, const char *name, char *value)
{
	bool b = !strcmp(value, "true");
	size_t n = strtoul(value, NULL, 0);
	void *p = !strcmp(type, "bool") ? (void *)&b
	    : !strcmp(type, "string")   ? (void *)&value
					: (void *)&n;

	printf("%d\n", mallctl(name, NULL, NULL, p, size_of(type)));
}

static void
mib(const char *name, size_t n)
{
	size_t parts[6], len = 6;
	int r = mallctlnametomib(name, parts, &len);

	if (r == 0 && len > 1)
		parts[len - 2] = n;
	printf("%d %zu %d\n", r, r == 0 ? len : 0,
	    r == 0 ? mallctlbymib(parts, len, NULL, NULL, NULL, 0) : -1);
}

static void
fork_child(const char *what)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		child();
		if (what && !strcmp(what, "usr1"))
			raise(SIGUSR1);
		exit(0);
	}
	waitpid(pid, &status, 0);
	printf("%d %d\n", (int)pid, status);
}

static bool
obey(char *word[4])
{
	const char *w = word[0];

	if (!strcmp(w, "dump"))
		dump(word[1]);
	else if (!strcmp(w, "fork"))
		fork_child(word[1]);
	else if (!strcmp(w, "get") && word[2])
		get(word[1], word[2]);
	else if (!strcmp(w, "set") && word[2])
		set(word[1], word[2], word[3] ? word[3] : (char[]){ "" });
	else if (!strcmp(w, "do") && word[1])
		printf("%d\n", mallctl(word[1], NULL, NULL, NULL, 0));
	else if (!strcmp(w, "mib") && word[2])
		mib(word[1], strtoul(word[2], NULL, 0));
	else
		return false;
	return true;
}

static void
turn(char *word[4])
{
	const char *w = word[0];
	unsigned n = word[1] ? (unsigned)atoi(word[1]) : 0;

	if (!strcmp(w, "grow"))
		grown(n);
	else if (!strcmp(w, "churn"))
		churned(n);
	else if (!strcmp(w, "own"))
		signal(SIGUSR1, own);
	else if (!strcmp(w, "cd"))
		printf("%d ", chdir(word[1]));
	else if (!strcmp(w, "hidden"))
		start(unseen, true);
	else if (!strcmp(w, "exit"))
		exit((int)n);
	else if (!strcmp(w, "give"))
		while (nkept > 0)
			free(kept[--nkept]);
	else if (!strcmp(w, "thread")) {
		strncpy(thread_name, word[1], sizeof thread_name - 1);
		start(named, false);
	}
	printf("done\n");
}

int
main(void)
{
	static char line[4096], out[4096];
	char *word[4];

	setvbuf(stdout, out, _IOLBF, sizeof out);
	setvbuf(stdin, NULL, _IONBF, 0);
	printf("%d\n", (int)getpid());
	while (fgets(line, sizeof line, stdin)) {
		char *rest = line;

		for (int i = 0; i < 4; i++)
			word[i] = strtok_r(NULL, " \n", &rest);
		if (word[0] && !obey(word))
			turn(word);
	}
	return 0;
}
