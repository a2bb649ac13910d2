/*
 * The guides' lines of C, as they have them, by name on the command line:
 *
 *	name      a dump, whose name is handed back and printed
 *	dump      a dump; the result is printed, as it is by those below
 *	on, off   sampling
 *	alloc     16 blocks of 64 KiB that stay, in allocate()
 *	options   prof, lg_prof_sample, prof_active and prof_bt_max
 *	small     1 MiB in blocks of 256 B
 *	wait      a tenth of a second
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));
extern int je_mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));

static void *volatile kept;

static void
name(void)
{
	char buffer[1024];
	size_t size = sizeof(buffer);

	if (je_mallctl("prof.dump", buffer, &size, NULL, 0) == 0)
		printf("%s\n", buffer);
}

static void
dump(void)
{
	printf("%d\n", mallctl("prof.dump", NULL, NULL, NULL, 0));
}

static void
active(bool active)
{
	printf("%d\n",
	    mallctl("prof.active", NULL, NULL, &active, sizeof(active)));
}

__attribute__((noinline)) static void
allocate(int n, size_t size)
{
	while (n-- > 0)
		kept = malloc(size);
}

static void
options(void)
{
	bool prof = false, on = false;
	size_t lg = 0, size = sizeof(prof);
	unsigned depth = 0;

	mallctl("opt.prof", &prof, &size, NULL, 0);
	mallctl("opt.prof_active", &on, &size, NULL, 0);
	size = sizeof(lg);
	mallctl("opt.lg_prof_sample", &lg, &size, NULL, 0);
	size = sizeof(depth);
	mallctl("opt.prof_bt_max", &depth, &size, NULL, 0);
	printf("%d %zu %d %u\n", prof, lg, on, depth);
}

int
main(int argc, char **argv)
{
	static char out[4096];

	setvbuf(stdout, out, _IOLBF, sizeof out);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "name"))
			name();
		else if (!strcmp(argv[i], "dump"))
			dump();
		else if (!strcmp(argv[i], "on"))
			active(true);
		else if (!strcmp(argv[i], "off"))
			active(false);
		else if (!strcmp(argv[i], "alloc"))
			allocate(16, 65536);
		else if (!strcmp(argv[i], "small"))
			allocate(4096, 256);
		else if (!strcmp(argv[i], "options"))
			options();
		else if (!strcmp(argv[i], "wait"))
			usleep(100000);
		else
			return 2;
	}
	return 0;
}
