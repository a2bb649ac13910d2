/*
 * Objects whose ages are known: ages [kill|fork]
 *
 * Takes 200 objects in old_ones(), 100 in young_ones() 300 ms later, gives
 * every second one of the old back, and 200 ms later ends, by SIGKILL with
 * kill.  With fork a child does all from the young on, and the parent waits
 * for it.  Prints before that CLOCK_MONOTONIC, in ns, before and after the
 * old ones, and before and after the young:
 *
 *	old NS NS
 *	young NS NS
 *
 * With HOLD in the environment it then waits for the end of its input.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OLD   200
#define YOUNG 100

static void *volatile old[OLD], *volatile young[YOUNG];

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static void
old_ones(void)
{
	for (int i = 0; i < OLD; i++)
		old[i] = malloc(1000);
}

__attribute__((noinline)) static void
young_ones(void)
{
	for (int i = 0; i < YOUNG; i++)
		young[i] = malloc(5000);
}

static void
tell(const char *what, uint64_t from)
{
	char line[80];
	int n = snprintf(line, sizeof line, "%s %llu %llu\n", what,
	    (unsigned long long)from, (unsigned long long)now());

	if (write(STDOUT_FILENO, line, (size_t)n) != n)
		exit(1);
}

static void
rest(void)
{
	char c;
	uint64_t from;

	usleep(300000);
	from = now();
	young_ones();
	tell("young", from);
	for (int i = 0; i < OLD; i += 2)
		free(old[i]);
	usleep(200000);
	while (getenv("HOLD") && read(STDIN_FILENO, &c, 1) > 0)
		;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	uint64_t from = now();
	int status = 0;

	old_ones();
	tell("old", from);
	if (strcmp(how, "fork") != 0) {
		rest();
	} else if (fork() == 0) {
		rest();
	} else {
		wait(&status);
	}
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	return WEXITSTATUS(status);
}
