/*
 * The program frees what is no live block: it is told once, and where that
 * was seen.  A small block is looked at when it goes back to its slab, which
 * with caches may be long after the free that was wrong; the sentence says
 * which.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "conf.h"
#include "entry.h"
#include "init.h"
#include "modinfo.h"
#include "path.h"
#include "say.h"
#include "strict.h"
#include "unwind.h"

#define LINE   330
#define FRAMES 8

static void
append_hex(char *line, uint64_t n)
{
	char text[20];
	int i = sizeof text - 1;

	text[i] = '\0';
	do
		text[--i] = "0123456789abcdef"[n & 15];
	while ((n >>= 4) > 0);
	text[--i] = 'x';
	text[--i] = '0';
	path_append(line, LINE, text + i);
}

/* "module+0xoffset", where a call is, so that addr2line can be asked. */
static void
append_frame(char *line, uint64_t call)
{
	static struct modinfo mi; /* told once: one caller */
	const char *name = mi.path;

	if (!modinfo_find(call, &mi)) {
		append_hex(line, call);
		return;
	}
	for (const char *p = mi.path; *p; p++)
		if (*p == '/')
			name = p + 1;
	path_append(line, LINE, name);
	path_append(line, LINE, "+");
	append_hex(line, call - mi.bias);
}

/* " at a+0x1 < b+0x2"; "" where stacks cannot be walked. */
static void
append_stack(char *line)
{
	uint64_t pcs[FRAMES];
	unsigned n, flags;

	if (!conf.prof || !init_done())
		return;
	n = unwind_capture(thread_self(), pcs, FRAMES, &flags);
	for (unsigned i = 0; i < n; i++) {
		path_append(line, LINE, i > 0 ? " < " : " at ");
		append_frame(line, pcs[i] - 1);
	}
}

void
entry_invalid_free(void *p, bool now)
{
	static _Atomic bool told;
	char line[LINE] = "", where[LINE] = "";
	const char *seen = "";

	if (atomic_exchange(&told, true))
		return;
	append_hex(where, (uintptr_t)p);
	append_stack(line);
	if (line[0])
		seen = now ? ","
			   : ", seen (it may be earlier; abort:true sees "
			     "it at once)";
	say("free of ", where,
	    ", which is not a live block: freed twice, or not from malloc",
	    seen, line, NULL);
	if (strict.misuse)
		abort();
}
