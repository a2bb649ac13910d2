#include "model/query.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"

void
query_init(struct query *q)
{
	*q = (struct query){ .thread = -1 };
}

struct pattern *
pattern_new(const char *text, struct err *e)
{
	struct pattern *p = xcalloc(1, sizeof *p);
	char why[128];
	int code = regcomp(&p->re, text, REG_EXTENDED | REG_NOSUB);

	if (code) {
		regerror(code, &p->re, why, sizeof why);
		free(p);
		err_set(
		    e, "\"%.200s\" is not a regular expression: %s", text, why);
		return NULL;
	}
	p->text = xstrdup(text);
	return p;
}

void
pattern_free(struct pattern *p)
{
	if (!p)
		return;
	regfree(&p->re);
	free(p->text);
	free(p);
}

bool
pattern_matches(const struct pattern *p, const char *s)
{
	return regexec(&p->re, s, 0, NULL, 0) == 0;
}

const char *
metric_label(enum metric m)
{
	static const char *const labels[METRIC_COUNT] = {
		[METRIC_LIVE_BYTES] = "live bytes",
		[METRIC_LIVE_OBJECTS] = "live objects",
		[METRIC_ALLOC_BYTES] = "allocated bytes",
		[METRIC_ALLOC_OBJECTS] = "allocated objects",
	};

	return labels[m];
}

static const struct {
	const char *one, *many;
} nouns[GROUP_COUNT] = {
	[GROUP_FUNCTIONS] = { "function", "functions" },
	[GROUP_STACKS] = { "stack", "stacks" },
	[GROUP_LINES] = { "line", "lines" },
	[GROUP_FILES] = { "file", "files" },
	[GROUP_MODULES] = { "library", "libraries" },
	[GROUP_ADDRESSES] = { "address", "addresses" },
	[GROUP_THREADS] = { "thread", "threads" },
};

const char *
grouping_label(enum grouping g)
{
	return nouns[g].one;
}

const char *
grouping_noun(enum grouping g, size_t n)
{
	return n == 1 ? nouns[g].one : nouns[g].many;
}

bool
metric_is_bytes(enum metric m)
{
	return m == METRIC_LIVE_BYTES || m == METRIC_ALLOC_BYTES;
}

bool
metric_is_live(enum metric m)
{
	return m == METRIC_LIVE_BYTES || m == METRIC_LIVE_OBJECTS;
}
