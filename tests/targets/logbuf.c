/*
 * The program of the second guide, whose log messages are never freed.  It
 * writes two dumps, if the library is there.  Between them stay
 *
 *	280 MiB   build_log_message: 210 by malloc(1024), 70 by strdup of as much
 *	 10 MiB   read_config
 *	  5 MiB   main
 *	  5 MiB   open_files
 *
 * 12 MiB of open_files before the first and 28 MiB of build_log_message after
 * the second.  With FIXED defined messages are freed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define MIB      (1024 * 1024)
#define MESSAGE  1024
#define BLOCK    65536

extern int mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));

static void *volatile kept;

static void
keep(void *p)
{
	*(void **)p = kept;
	kept = p;
}

static void
release(void *p)
{
#ifdef FIXED
	free(p);
#else
	keep(p);
#endif
}

NOINLINE static void
build_log_message(const char *text)
{
	for (int part = 0; part < 3; part++)
		release(malloc(MESSAGE));
	release(strdup(text));
}

NOINLINE static void
log_all(int mib)
{
	char text[MESSAGE];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	for (int n = mib * (MIB / MESSAGE / 4); n > 0; n--)
		build_log_message(text);
}

NOINLINE static void
read_config(void)
{
	for (int n = 10 * MIB / BLOCK; n > 0; n--)
		keep(malloc(BLOCK));
}

NOINLINE static void
open_files(int mib)
{
	for (int n = mib * MIB / BLOCK; n > 0; n--)
		keep(malloc(BLOCK));
}

static void
dump(void)
{
	if (mallctl && mallctl("prof.dump", NULL, NULL, NULL, 0) != 0)
		fputs("no dump\n", stderr);
}

int
main(void)
{
	static char out[4096];

	setvbuf(stdout, out, _IOLBF, sizeof out);
	open_files(12);
	dump();
	log_all(280);
	read_config();
	open_files(5);
	for (int n = 5 * MIB / BLOCK; n > 0; n--)
		keep(malloc(BLOCK));
	dump();
	log_all(28);
	puts("done");
	return 0;
}
