/* needs: prof/dumpname.c prof/path.c prof/say.c prof/os.c prof/meta.c */
/* needs: prof/lock.c prof/extents.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prof/conf.h"
#include "prof/dumpfile.h"
#include "prof/dumpname.h"
#include "prof/facts.h"
#include "prof/init.h"
#include "prof/tablewrite.h"

/* What names are made of, as a test wants it. */
struct conf conf;
static uint32_t pid = 77;
static struct table_head head;
/* The table: the name of the program is at its place 8. */
static unsigned char chunk[] = "12345678/usr/bin/my server";
unsigned char *table_chunk[TABLE_CHUNKS] = { chunk };
static bool opened;

uint32_t
init_pid(void)
{
	return pid;
}

uint64_t
facts_clock_ns(clockid_t id)
{
	assert_int_equal(id, CLOCK_REALTIME);
	return UINT64_C(1796033975450586878);
}

struct table_head *
table_head(void)
{
	return opened ? &head : NULL;
}

bool
dumpfile_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *
next(char type, uint32_t wanted_seq)
{
	static char path[1400];
	uint32_t seq;

	assert_true(dumpname_next(type, path, sizeof path, &seq));
	assert_int_equal(seq, wanted_seq);
	return path;
}

/* jemalloc's names: one count for all, one for each kind, none for f; a child
 * of fork goes on with its parent's under its own pid. */
static void
prefix(void **state)
{
	(void)state;
	strcpy(conf.prefix, "/tmp/no such/x");
	assert_string_equal(next('m', 0), "/tmp/no such/x.77.0.m0.heap");
	assert_string_equal(next('i', 1), "/tmp/no such/x.77.1.i0.heap");
	assert_string_equal(next('i', 2), "/tmp/no such/x.77.2.i1.heap");
	assert_string_equal(next('u', 3), "/tmp/no such/x.77.3.u0.heap");
	pid = 78;
	dumpname_forked();
	assert_string_equal(next('m', 4), "/tmp/no such/x.78.4.m1.heap");
	conf.prof_compress = true;
	assert_string_equal(next('f', 5), "/tmp/no such/x.78.5.f.heap.gz");
	conf.prof_compress = false;
}

/* In a directory: the program, the pid, the second. */
static void
directory(void **state)
{
	(void)state;
	strcpy(conf.prefix, "/tmp");
	opened = false;
	assert_string_equal(next('m', 6), "/tmp/program.78.1796033975.m2.heap");
	opened = true;
	head.image = 8;
	head.hello.image_len = sizeof chunk - 1 - 8;
	strcpy(conf.prefix, "/tmp/");
	assert_string_equal(
	    next('f', 7), "/tmp/my server.78.1796033975.f.heap");
}

static void
too_long(void **state)
{
	char path[20];
	uint32_t seq;

	(void)state;
	strcpy(conf.prefix, "/no/such/directory");
	assert_false(dumpname_next('m', path, sizeof path, &seq));
}

/* Of what was written the newest two stay; files of a parent are left. */
static void
keep(void **state)
{
	char name[4][64];

	(void)state;
	conf.prof_keep = 2;
	for (int i = 0; i < 4; i++) {
		snprintf(name[i], sizeof name[i], "/tmp/heaptop-keep.%d.%d",
		    (int)getpid(), i);
		close(open(name[i], O_CREAT | O_WRONLY, 0600));
		if (i == 3)
			dumpname_forked();
		dumpname_written(name[i]);
	}
	assert_int_equal(access(name[0], F_OK), -1);
	for (int i = 1; i < 4; i++) {
		assert_int_equal(access(name[i], F_OK), 0);
		unlink(name[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefix),
		cmocka_unit_test(directory),
		cmocka_unit_test(too_long),
		cmocka_unit_test(keep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
