#include "statsprint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "config.h"
#include "os.h"
#include "say.h"
#include "stats.h"

static void
to_stderr(void *arg, const char *text)
{
	(void)arg;
	os_write(2, text, strlen(text));
}

/* A figure, and what stands in front of it in a line and in JSON. */
struct figure {
	const char *text, *json;
	uint64_t value;
};

#define FIGURES 8

static void
figures(struct figure f[FIGURES])
{
	struct alloc_stats s;
	uint64_t used;

	alloc_stats(&s);
	used = s.live_bytes + s.cached_bytes + s.dirty_bytes;
	f[0] =
	    (struct figure){ "Allocated: ", "{\"allocated\":", s.live_bytes };
	f[1] =
	    (struct figure){ ", objects: ", ",\"objects\":", s.live_objects };
	f[2] = (struct figure){
		", active: ", ",\"active\":", s.live_bytes + s.cached_bytes
	};
	f[3] =
	    (struct figure){ ", metadata: ", ",\"metadata\":", s.meta_bytes };
	f[4] = (struct figure){ ", dirty: ", ",\"dirty\":", s.dirty_bytes };
	f[5] = (struct figure){
		", resident: ", ",\"resident\":", used + s.meta_bytes
	};
	f[6] = (struct figure){ ", mapped: ", ",\"mapped\":", s.mapped_bytes };
	f[7] = (struct figure){ ", retained: ", ",\"retained\":",
		s.mapped_bytes > used ? s.mapped_bytes - used : 0 };
}

void
stats_print(void (*write)(void *, const char *), void *arg, const char *opts)
{
	bool json = opts && strchr(opts, 'J');
	struct figure f[FIGURES];
	struct say_number num;
	char line[600] = "";

	figures(f);
	if (json)
		strcat(line,
		    "{\"jemalloc\":{\"version\":\"heaptop " HEAPTOP_VERSION
		    "\",\"stats\":");
	for (size_t i = 0; i < FIGURES; i++) {
		strcat(line, json ? f[i].json : f[i].text);
		strcat(line, say_number(&num, f[i].value));
	}
	strcat(line, json ? "}}}\n" : "\n");
	(write ? write : to_stderr)(arg, line);
}
