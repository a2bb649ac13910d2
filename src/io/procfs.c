#include "io/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"

#define PIDS_MAX 1024        /* processes that a name is sought among */
#define MAPS_MAX (64u << 20) /* of maps, read to look for the library */

static int
open_file(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* At most size - 1 bytes of the file, terminated; -1 or their number. */
static ssize_t
read_file(pid_t pid, const char *name, char *out, size_t size)
{
	int fd = open_file(pid, name);
	size_t len = 0;
	ssize_t n = 0;

	out[0] = 0;
	if (fd < 0)
		return -1;
	while (len < size - 1 &&
	    ((n = read(fd, out + len, size - 1 - len)) > 0 ||
		(n < 0 && errno == EINTR)))
		len += n > 0 ? (size_t)n : 0;
	close(fd);
	out[len] = 0;
	return n < 0 ? -1 : (ssize_t)len;
}

static void
mask_controls(char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			s[i] = '?';
}

/* A thread or process name may hold blanks, parentheses and newlines: the
 * fields begin after the last parenthesis. */
int
procfs_stat(pid_t pid, struct procfs_stat *out)
{
	char buf[1024], *open, *close_paren;
	unsigned long long v[20] = { 0 };
	size_t n = 0, len;
	char *p, *end;

	memset(out, 0, sizeof *out);
	if (pid <= 0 || read_file(pid, "stat", buf, sizeof buf) <= 0)
		return -1;
	open = strchr(buf, '(');
	close_paren = strrchr(buf, ')');
	if (open == NULL || close_paren == NULL || close_paren < open ||
	    close_paren[1] != ' ' || close_paren[2] == 0)
		return -1;
	len = (size_t)(close_paren - open - 1);
	if (len >= sizeof out->comm)
		len = sizeof out->comm - 1;
	memcpy(out->comm, open + 1, len);
	mask_controls(out->comm, len);
	out->state = close_paren[2];
	/* v[0] is field 4, ppid */
	for (p = close_paren + 3; n < 20; n++, p = end) {
		v[n] = strtoull(p, &end, 10);
		if (end == p)
			break;
	}
	if (n < 19)
		return -1;
	out->ppid = (pid_t)v[0];
	out->minor_faults = v[6];
	out->major_faults = v[8];
	out->utime_ticks = v[10];
	out->stime_ticks = v[11];
	out->threads = (uint32_t)v[16];
	out->start_ticks = v[18];
	return 0;
}

/* The value of a "Key:   number" line of status; 0 if it is not there. */
static uint64_t
status_field(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = text; p != NULL && *p != 0;
	     p = strchr(p, '\n'), p = p != NULL ? p + 1 : NULL)
		if (strncmp(p, key, len) == 0 && p[len] == ':')
			return strtoull(p + len + 1, NULL, 10);
	return 0;
}

int
procfs_memory(pid_t pid, struct procfs_memory *out)
{
	struct procfs_stat st;
	char text[8192];

	memset(out, 0, sizeof *out);
	if (procfs_stat(pid, &st) < 0 ||
	    read_file(pid, "status", text, sizeof text) <= 0)
		return -1;
	out->rss_bytes = status_field(text, "VmRSS") * 1024;
	out->virtual_bytes = status_field(text, "VmSize") * 1024;
	out->swap_bytes = status_field(text, "VmSwap") * 1024;
	out->anon_bytes = status_field(text, "RssAnon") * 1024;
	out->file_bytes = status_field(text, "RssFile") * 1024;
	out->shmem_bytes = status_field(text, "RssShmem") * 1024;
	out->stack_bytes = status_field(text, "VmStk") * 1024;
	out->threads = (uint32_t)status_field(text, "Threads");
	out->major_faults = st.major_faults;
	return 0;
}

int
procfs_command(pid_t pid, char *out, size_t size)
{
	struct procfs_stat st;
	ssize_t n = read_file(pid, "cmdline", out, size);

	while (n > 0 && out[n - 1] == 0)
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (out[i] == 0)
			out[i] = ' ';
	if (n > 0) {
		mask_controls(out, (size_t)n);
		return 0;
	}
	out[0] = 0;
	if (procfs_stat(pid, &st) < 0)
		return -1;
	snprintf(out, size, "[%s]", st.comm);
	return 0;
}

uid_t
procfs_uid(pid_t pid)
{
	char text[8192];
	const char *p;
	unsigned real, effective;

	if (read_file(pid, "status", text, sizeof text) <= 0)
		return (uid_t)-1;
	p = strstr(text, "\nUid:");
	if (p == NULL || sscanf(p + 5, "%u %u", &real, &effective) != 2)
		return (uid_t)-1;
	return effective;
}

pid_t
procfs_inner_pid(pid_t pid)
{
	char text[8192];
	const char *p, *end;
	pid_t inner = pid;

	if (read_file(pid, "status", text, sizeof text) <= 0)
		return pid;
	p = strstr(text, "\nNStgid:");
	if (p == NULL)
		return pid;
	p += strlen("\nNStgid:");
	end = strchr(p, '\n');
	/* One number for each namespace, the innermost last. */
	while (p != NULL && *p != 0 && (end == NULL || p < end)) {
		char *next;
		long v = strtol(p, &next, 10);

		if (next == p || (end != NULL && next > end))
			break;
		inner = (pid_t)v;
		p = next;
	}
	return inner > 0 ? inner : pid;
}

/* Filters of the task whose status this is. */
static uint64_t
filters_in(const char *text)
{
	uint64_t n = status_field(text, "Seccomp_filters");

	/* Linux before 5.9 does not count them. */
	return n == 0 && status_field(text, "Seccomp") != 0 ? 1 : n;
}

static uint64_t
filters_of(pid_t pid)
{
	char path[64], text[8192];
	const struct dirent *d;
	uint64_t most = 0, n;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		return 0;
	while ((d = readdir(dir)) != NULL) {
		snprintf(path, sizeof path, "task/%.20s/status", d->d_name);
		if (!isdigit((unsigned char)d->d_name[0]) ||
		    read_file(pid, path, text, sizeof text) <= 0)
			continue;
		n = filters_in(text);
		most = n > most ? n : most;
	}
	closedir(dir);
	return most;
}

bool
procfs_filtered(pid_t pid)
{
	char text[8192];
	uint64_t most = filters_of(pid), base;

	if (most == 0)
		return false;
	base = filters_of(getpid());
	if (read_file(pid, "root/proc/1/status", text, sizeof text) > 0 &&
	    filters_in(text) > base)
		base = filters_in(text);
	return most > base;
}

unsigned
procfs_harmless_filters(void)
{
	char from = 1, to = 0;
	struct iovec local = { &to, 1 }, remote = { &from, 1 };

	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
		return 0;
	return (unsigned)filters_of(getpid());
}

/* The whole of a file of up to `max` bytes. */
static int
read_all(pid_t pid, const char *name, size_t max, struct buf *out)
{
	int fd = open_file(pid, name);
	char piece[8192];
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	while (out->len < max &&
	    ((n = read(fd, piece, sizeof piece)) > 0 ||
		(n < 0 && errno == EINTR)))
		if (n > 0)
			buf_put(out, piece, (size_t)n);
	close(fd);
	return n < 0 ? -1 : 0;
}

char *
procfs_environ(pid_t pid, const char *name)
{
	struct buf b = BUF_INIT;
	size_t len = strlen(name);
	char *found = NULL;

	if (read_all(pid, "environ", 4u << 20, &b) < 0)
		goto out;
	for (size_t at = 0; at < b.len && found == NULL;
	     at += strlen(b.data + at) + 1)
		if (strncmp(b.data + at, name, len) == 0 &&
		    b.data[at + len] == '=')
			found = xstrdup(b.data + at + len + 1);
out:
	buf_fini(&b);
	return found;
}

enum procfs_library
procfs_library(pid_t pid)
{
	struct buf b = BUF_INIT;
	enum procfs_library r = PROCFS_UNKNOWN;

	if (read_all(pid, "maps", MAPS_MAX, &b) == 0)
		r = strstr(buf_str(&b), "/libheaptop.so") != NULL
		    ? PROCFS_PRELOADED
		    : PROCFS_ABSENT;
	buf_fini(&b);
	return r;
}

static int
compare_pids(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

pid_t *
procfs_all(size_t *count)
{
	DIR *dir = opendir("/proc");
	const struct dirent *d;
	pid_t *all = NULL;
	size_t n = 0, cap = 0;

	while (dir != NULL && (d = readdir(dir)) != NULL) {
		pid_t pid = (pid_t)strtol(d->d_name, NULL, 10);

		if (pid <= 0)
			continue;
		VEC_ROOM(all, cap, n + 1);
		all[n++] = pid;
	}
	if (dir != NULL)
		closedir(dir);
	if (n > 0)
		qsort(all, n, sizeof *all, compare_pids);
	*count = n;
	return all;
}

size_t
procfs_preloaded(pid_t *out, size_t max)
{
	size_t count, n = 0;
	pid_t *all = procfs_all(&count);

	for (size_t i = 0; i < count; i++) {
		if (procfs_library(all[i]) != PROCFS_PRELOADED)
			continue;
		if (n < max)
			out[n] = all[i];
		n++;
	}
	free(all);
	return n;
}

size_t
procfs_unreadable(void)
{
	size_t count, n = 0;
	pid_t *all = procfs_all(&count);
	char arg[2];

	for (size_t i = 0; i < count; i++) {
		int fd = open_file(all[i], "maps");
		bool denied = fd < 0 && (errno == EACCES || errno == EPERM);

		if (fd >= 0)
			close(fd);
		/* threads of the kernel have no arguments */
		n +=
		    denied && read_file(all[i], "cmdline", arg, sizeof arg) > 0;
	}
	free(all);
	return n;
}

static bool
has_name(pid_t pid, const char *word)
{
	struct procfs_stat st;
	char arg[4096];
	const char *slash;

	if (procfs_stat(pid, &st) < 0)
		return false;
	if (strcmp(st.comm, word) == 0)
		return true;
	if (read_file(pid, "cmdline", arg, sizeof arg) <= 0)
		return false;
	slash = strrchr(arg, '/');
	return strcmp(slash != NULL ? slash + 1 : arg, word) == 0;
}

int
procfs_find(const char *word, pid_t *pid, struct err *e)
{
	pid_t all[PIDS_MAX], first = 0;
	size_t n, found = 0;
	struct buf list = BUF_INIT;
	struct procfs_stat st;
	char *end;
	long v = strtol(word, &end, 10);

	if (end != word && *end == 0) {
		if (v <= 0 || v > 0x7fffffff || procfs_stat((pid_t)v, &st) < 0)
			return err_set(e, "there is no process %s", word);
		*pid = (pid_t)v;
		return 0;
	}
	n = procfs_preloaded(all, PIDS_MAX);
	for (size_t i = 0; i < n && i < PIDS_MAX; i++) {
		if (all[i] == getpid() || !has_name(all[i], word))
			continue;
		if (found++ == 0)
			first = all[i];
		if (found <= 20)
			buf_printf(&list, " %d", (int)all[i]);
	}
	if (found == 1) {
		*pid = first;
		buf_fini(&list);
		return 0;
	}
	if (found == 0)
		err_set(e,
		    "no process named %s runs under libheaptop.so: start it "
		    "with `heaptop exec`",
		    word);
	else
		err_set(e, "several processes are named %s:%s: say which", word,
		    buf_str(&list));
	buf_fini(&list);
	return found == 0 ? -1 : -2;
}
