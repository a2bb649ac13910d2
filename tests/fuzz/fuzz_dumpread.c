/*
 * The decoder of the stream and hostile bytes: whatever comes, it ends with a
 * snapshot or a sentence, and what it put into the profile can be asked for.
 *
 * The first byte says how the rest is cut into pieces.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "io/dumpread.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
keep(void *arg, const void *data, size_t len)
{
	(void)data;
	*(size_t *)arg += len;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = profile_new();
	struct dumpread *d = dumpread_new(p, "fuzz");
	const struct birth *birth;
	size_t piece, taped = 0, births;
	struct err e;

	if (size > 0) {
		piece = *data % 2 ? (size_t)*data : size;
		data++;
		size--;
		dumpread_tap(d, keep, &taped);
		for (size_t at = 0; at < size; at += piece)
			if (dumpread_feed(d, data + at,
				size - at < piece ? size - at : piece, &e) < 0)
				break;
		dumpread_finish(d, &e);
	}
	for (uint32_t i = 1; i <= frames_count(profile_frames(p)); i++)
		frames_name(profile_frames(p), i, 0);
	birth = births_all(profile_births(p), &births);
	for (size_t i = 0; i < births; i++)
		if (!isfinite(birth_weight(&birth[i])))
			abort();
	dumpread_free(d);
	profile_free(p);
	return 0;
}
