/*
 * What tests of a renderer share; EXPORT is its export_fn, defined before this
 * is included, after profile_fixture.h.
 */
#ifndef EXPORT_FIXTURE_H
#define EXPORT_FIXTURE_H

#include "base/buf.h"
#include "export/export.h"
#include "model/report.h"

/* What `profiles` give; buf_fini it. */
static inline struct buf
render(const struct profile *const *profiles, size_t n, const struct query *q)
{
	struct report *r = report_build(profiles, n, q);
	struct export_options o = { .program = "" };
	struct buf b = BUF_INIT;

	EXPORT(r, &o, &b);
	report_free(r);
	return b;
}

/* What the fixture's profile gives. */
static inline void
expect(const struct query *q, const char *want)
{
	struct profile *p = fixture_profile();
	const struct profile *list[1] = { p };
	struct buf b = render(list, 1, q);

	assert_string_equal(buf_str(&b), want);
	buf_fini(&b);
	profile_free(p);
}

#endif
