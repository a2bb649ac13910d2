#include "reports_more.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "config.h"
#include "io/procfs.h"
#include "model/profile.h"
#include "options.h"

/* ---- lines of source ---- */

/* Lines `first` to `end` (not included) of what was read, into m->lines; the
 * line after the last one. */
static uint32_t
copy_lines(struct reports_more *m, uint32_t first, uint32_t end)
{
	const char *s = m->source.text;
	uint32_t line = m->source.first_line;

	for (; s && *s && line < end; line++) {
		size_t len = strcspn(s, "\n");

		if (line >= first) {
			buf_put(&m->lines, s, len);
			buf_putc(&m->lines, '\n');
		}
		s += len + (s[len] == '\n');
	}
	return line > first ? line : first;
}

static const char *
lines_of(void *arg, const char *file, uint32_t first, uint32_t count)
{
	struct reports_more *m = arg;
	uint32_t at = first, end = first + count, from;

	buf_clear(&m->lines);
	do {
		from = at;
		source_fini(&m->source);
		source_read(&m->source, file, at + SOURCE_LINES);
		at = copy_lines(m, from, end);
	} while (at > from && at < end);
	return m->lines.len ? buf_str(&m->lines) : NULL;
}

/* ---- the process now ---- */

bool
reports_more_process(const struct options *o, struct procfs_memory *now)
{
	struct err e;
	pid_t pid;

	return o->mode == MODE_ATTACH && o->target &&
	    procfs_find(o->target, &pid, &e) == 0 &&
	    procfs_memory(pid, now) == 0;
}

static void
ask_proc(
    struct reports_more *m, const struct options *o, struct export_options *x)
{
	struct procfs_memory now;

	if (!reports_more_process(o, &now))
		return;
	m->resident.anon_bytes = now.anon_bytes;
	m->resident.file_bytes = now.file_bytes;
	m->resident.shmem_bytes = now.shmem_bytes;
	x->resident = &m->resident;
}

/* ---- where it is from ---- */

/* ", Debian GNU/Linux 12 (bookworm)"; "" if the system does not say. */
static void
distribution(char *to, size_t size)
{
	static const char key[] = "PRETTY_NAME=";
	FILE *f = fopen("/etc/os-release", "re");
	char line[256];

	*to = '\0';
	while (f && fgets(line, sizeof line, f)) {
		char *name = line + strlen(key);

		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		name += strspn(name, "\"'");
		name[strcspn(name, "\"'\n")] = '\0';
		snprintf(to, size, ", %s", name);
	}
	if (f)
		fclose(f);
}

static void
find_system(struct reports_more *m)
{
	struct utsname u;
	char name[280];

	distribution(name, sizeof name);
	if (uname(&u) == 0)
		snprintf(m->system, sizeof m->system, "%s, %s %s %s%s",
		    u.nodename, u.sysname, u.release, u.machine, name);
}

/* What made the program sample: the line itself where heaptop started it,
 * else the options that do the same again. */
static void
put_sampled(
    struct reports_more *m, const struct options *o, const struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	const struct profile_facts *f = profile_facts(p);

	if (o->mode == MODE_LAUNCH)
		buf_puts(&m->sampled, o->line);
	else if (t && *f->image) {
		buf_printf(&m->sampled,
		    "MALLOC_CONF=prof:true,lg_prof_sample:%u "
		    "LD_PRELOAD=libheaptop.so ",
		    t->lg_sample);
		if (*f->command)
			buf_puts(&m->sampled, f->command);
		else
			buf_put_word(&m->sampled, f->image);
	}
}

static void
tell_origin(struct reports_more *m, const struct options *o,
    const struct profile *p, const char *remarks, struct export_options *x)
{
	const char *source = profile_facts(p)->source;

	put_sampled(m, o, p);
	/* a dump may be from anywhere */
	if (o->mode != MODE_DUMPS)
		find_system(m);
	m->origin = (struct export_origin){
		.version = HEAPTOP_VERSION,
		.system = *m->system ? m->system : NULL,
		.sampled = m->sampled.len ? buf_str(&m->sampled) : NULL,
		.command = o->line,
		.from = o->base,
		.to = o->mode == MODE_DUMPS && *source ? source : NULL,
		.remarks = *remarks ? remarks : NULL,
	};
	x->origin = &m->origin;
}

void
reports_more_init(struct reports_more *m, const struct options *o,
    const struct profile *p, const char *remarks, struct export_options *x)
{
	memset(m, 0, sizeof *m);
	x->list = o->list;
	x->source = lines_of;
	x->source_arg = m;
	if (o->report == REPORT_MEMORY)
		ask_proc(m, o, x);
	if (o->report == REPORT_MARKDOWN)
		tell_origin(m, o, p, remarks, x);
}

void
reports_more_fini(struct reports_more *m)
{
	source_fini(&m->source);
	buf_fini(&m->lines);
	buf_fini(&m->sampled);
}
