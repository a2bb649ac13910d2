#include "export/maps.h"

#include <inttypes.h>

#include "base/buf.h"
#include "model/modules.h"

#define FIXED_BASE 0x400000u

uint64_t
maps_offset(const struct module *m)
{
	if (m->bias == 0)
		return m->start >= FIXED_BASE ? m->start - FIXED_BASE : 0;
	return m->start - m->bias;
}

/* As the kernel writes it: a line end in a path is \012. */
static void
put_path(struct buf *b, const char *path)
{
	for (; *path; path++) {
		if (*path == '\n')
			buf_puts(b, "\\012");
		else
			buf_putc(b, *path);
	}
}

void
maps_put(struct buf *b, const struct modules *modules)
{
	for (uint32_t id = 1; id <= modules_max(modules); id++) {
		const struct module *m = modules_find(modules, id);

		if (!m || m->end == m->start || !*m->path)
			continue;
		buf_printf(b,
		    "%08" PRIx64 "-%08" PRIx64 " r-xp %08" PRIx64 " 00:00 0 ",
		    m->start, m->end, maps_offset(m));
		put_path(b, m->path);
		buf_putc(b, '\n');
	}
}
