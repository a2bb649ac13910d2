/*
 * What the options say of dump files: whether there are any, and where.
 */
#include <string.h>
#include <sys/syscall.h>

#include "conf.h"
#include "os.h"
#include "say.h"

bool
conf_writes(void)
{
	return conf.prof_final || conf.prof_leak || conf.prof_gdump ||
	    conf.lg_interval >= 0 || conf.dump_signals != 0;
}

void
conf_write_nothing(void)
{
	conf.prof_final = conf.prof_leak = conf.prof_gdump = false;
	conf.prof_leak_error = false;
	conf.lg_interval = -1;
	conf.dump_signals = 0;
}

bool
conf_absolute(const char *path, char *out, size_t cap)
{
	size_t n, len = strlen(path);
	long got;

	if (len + 2 >= cap)
		return false;
	if (path[0] == '/' || path[0] == '\0') {
		memcpy(out, path, len + 1);
		return true;
	}
	got = os_syscall(SYS_getcwd, out, cap - len - 2);
	if (got <= 0 || out[0] != '/')
		return false;
	n = strlen(out);
	if (out[n - 1] != '/')
		out[n++] = '/';
	memcpy(out + n, path, len + 1);
	return true;
}

/* Relative prefixes are meant from where the program started. */
void
conf_fix_prefix(void)
{
	static char whole[sizeof conf.prefix];

	if (!conf_writes())
		return;
	if (conf_absolute(conf.prefix, whole, sizeof whole)) {
		memcpy(conf.prefix, whole, sizeof whole);
		return;
	}
	say("no dumps will be written: the prefix ", conf.prefix,
	    " is too long, or its directory is not there", NULL);
	conf.prefix[0] = '\0';
}
