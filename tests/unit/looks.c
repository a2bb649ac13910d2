#include "looks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/smaps.h"
#include "model/memory.h"

#define RANGES 16

void
looks_read(const char *text, struct memory_seen *seen)
{
	struct smaps_range heap[RANGES], own[RANGES], r;
	struct smaps_owned heaps = { heap, 0 }, owns = { own, 0 };
	struct memory_sum *sum = memory_sum_new();
	uint64_t minor = 0, major = 0;
	struct smaps s = { 0 };

	for (const char *p = text; *p == '#'; p = strchr(p, '\n') + 1) {
		if (sscanf(p, "# heap %" SCNx64 "-%" SCNx64, &r.start,
			&r.end) == 2)
			heap[heaps.count++] = r;
		else if (sscanf(p, "# own %" SCNx64 "-%" SCNx64, &r.start,
			     &r.end) == 2)
			own[owns.count++] = r;
		else
			sscanf(
			    p, "# faults %" SCNu64 " %" SCNu64, &minor, &major);
	}
	smaps_feed(&s, text, strlen(text));
	smaps_end(&s);
	smaps_classify(&s, &heaps, &owns, NULL, NULL, sum);
	memory_sum_finish(sum, seen);
	seen->heap_known = heaps.count > 0;
	seen->mappings = (uint32_t)s.count;
	seen->minor_faults = minor;
	seen->major_faults = major;
	smaps_fini(&s);
}
