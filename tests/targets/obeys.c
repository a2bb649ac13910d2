/*
 * Does what it is told, a line at a time, from the file that it is given or
 * from its standard input, for tests that must know its heap to the byte at a
 * moment of their choice:
 *
 *	apple N, pear N, plum N   N KiB more in one block that stays, asked for
 *	                          by a function of that name; pear has a caller
 *	                          of its own, basket
 *	plums N                   N blocks of 1 KiB
 *	drop NAME                 frees what apple or pear have
 *	child N                   a child that has N KiB of its own and lives
 *	                          until its parent ends
 *	say TEXT                  prints a line
 *	print N                   prints N numbered lines of 64 bytes
 *	exit N, raise N           ends
 *
 * Any other line is answered with "no: LINE".  It ends at the end of the file.
 * Nothing else in it allocates.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEPT     64

struct pile {
	void *block[KEPT];
	size_t count;
};

static struct pile apples, pears;
static void *volatile kept;

static void *
put(struct pile *p, void *block)
{
	if (!block || p->count == KEPT)
		abort();
	p->block[p->count++] = block;
	return block;
}

NOINLINE static void
apple(size_t size)
{
	kept = put(&apples, malloc(size));
}

NOINLINE static void
pear(size_t size)
{
	kept = put(&pears, malloc(size));
}

NOINLINE static void
basket(size_t size)
{
	pear(size);
	kept = NULL; /* no tail call: it is in the stack */
}

NOINLINE static void
plum(size_t size)
{
	kept = malloc(size);
}

NOINLINE static void
child_block(size_t size)
{
	kept = malloc(size);
}

static void
drop(const char *name)
{
	struct pile *p = strcmp(name, "apple") == 0 ? &apples : &pears;

	while (p->count > 0)
		free(p->block[--p->count]);
}

static void
child(size_t size)
{
	if (fork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	child_block(size);
	for (;;)
		pause();
}

static void
print(long n)
{
	char line[80];

	for (long i = 1; i <= n; i++) {
		snprintf(line, sizeof line, "%-10ld%53s\n", i, ".");
		if (write(1, line, 64) != 64)
			return;
	}
}

static void
tell(const char *before, const char *text)
{
	char line[600];
	int n = snprintf(line, sizeof line, "%s%s\n", before, text);

	if (write(1, line, (size_t)n) != n)
		abort();
}

NOINLINE static void
obey(char *line)
{
	char *arg = line + strcspn(line, " ");
	long n;

	if (*arg)
		*arg++ = '\0';
	n = atol(arg);
	if (strcmp(line, "apple") == 0)
		apple((size_t)n << 10);
	else if (strcmp(line, "pear") == 0)
		basket((size_t)n << 10);
	else if (strcmp(line, "plum") == 0)
		plum((size_t)n << 10);
	else if (strcmp(line, "plums") == 0)
		while (n-- > 0)
			plum(1 << 10);
	else if (strcmp(line, "drop") == 0)
		drop(arg);
	else if (strcmp(line, "child") == 0)
		child((size_t)n << 10);
	else if (strcmp(line, "say") == 0)
		tell("", arg);
	else if (strcmp(line, "print") == 0)
		print(n);
	else if (strcmp(line, "exit") == 0)
		_exit((int)n);
	else if (strcmp(line, "raise") == 0)
		raise((int)n);
	else
		tell("no: ", line);
}

int
main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : 0;
	char line[512], c;
	size_t len = 0;

	while (fd >= 0 && read(fd, &c, 1) == 1) {
		if (c != '\n' && len + 1 < sizeof line) {
			line[len++] = c;
			continue;
		}
		line[len] = '\0';
		len = 0;
		obey(line);
	}
	return 0;
}
