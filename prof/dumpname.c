#include "dumpname.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "conf.h"
#include "dumpfile.h"
#include "facts.h"
#include "init.h"
#include "meta.h"
#include "os.h"
#include "path.h"
#include "say.h"
#include "tablewrite.h"

static struct {
	uint32_t seq;
	uint32_t of_type[3]; /* i, u, m */
	char **kept;         /* the newest prof_keep names, round */
	uint32_t newest;     /* where the next goes */
} names;

/* The last part of the program's path. */
static bool
append_program(char *path, size_t cap)
{
	const struct table_head *h = table_head();
	char name[256];
	uint32_t len = h && h->image ? h->hello.image_len : 0, i = len;
	const char *p = len ? table_ptr(h->image) : "";

	while (i > 0 && p[i - 1] != '/')
		i--;
	len -= i;
	if (len == 0 || len >= sizeof name)
		return path_append(path, cap, "program");
	memcpy(name, p + i, len);
	name[len] = '\0';
	return path_append(path, cap, name);
}

static bool
append_number(char *path, size_t cap, uint64_t n)
{
	struct say_number num;

	return path_append(path, cap, ".") &&
	    path_append(path, cap, say_number(&num, n));
}

/* ".i7.heap" */
static bool
append_type(char *path, size_t cap, char type)
{
	static const char types[] = "ium";
	const char *at = strchr(types, type);
	char text[3] = { '.', type, '\0' };
	struct say_number num;

	if (!path_append(path, cap, text))
		return false;
	if (at &&
	    !path_append(
		path, cap, say_number(&num, names.of_type[at - types]++)))
		return false;
	return path_append(
	    path, cap, conf.prof_compress ? ".heap.gz" : ".heap");
}

bool
dumpname_next(char type, char *path, size_t cap, uint32_t *seq)
{
	size_t n = strlen(conf.prefix);

	*seq = names.seq++;
	path[0] = '\0';
	if (!path_append(path, cap, conf.prefix))
		return false;
	if (!dumpfile_is_directory(conf.prefix))
		return append_number(path, cap, init_pid()) &&
		    append_number(path, cap, *seq) &&
		    append_type(path, cap, type);
	return (path[n - 1] == '/' || path_append(path, cap, "/")) &&
	    append_program(path, cap) && append_number(path, cap, init_pid()) &&
	    append_number(
		path, cap, facts_clock_ns(CLOCK_REALTIME) / 1000000000u) &&
	    append_type(path, cap, type);
}

void
dumpname_written(const char *path)
{
	size_t len = strlen(path) + 1;
	char *copy, **place;

	if (conf.prof_keep == 0)
		return;
	if (!names.kept)
		names.kept = meta_alloc(conf.prof_keep * sizeof *names.kept);
	copy = meta_alloc(len);
	if (!names.kept || !copy) {
		meta_free(copy, len);
		return;
	}
	memcpy(copy, path, len);
	place = &names.kept[names.newest];
	names.newest = (names.newest + 1) % conf.prof_keep;
	if (*place) {
		if (strcmp(*place, path) != 0)
			os_syscall(SYS_unlinkat, AT_FDCWD, *place, 0);
		meta_free(*place, strlen(*place) + 1);
	}
	*place = copy;
}

void
dumpname_forked(void)
{
	if (names.kept) /* the names are let go with their memory */
		memset(names.kept, 0, conf.prof_keep * sizeof *names.kept);
	names.newest = 0;
}
