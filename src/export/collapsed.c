/* Folded stacks, "root;...;leaf VALUE", as flame graph programs read them.
 * Stacks with the same names are one line; lines are sorted. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "export/export.h"
#include "model/report.h"

struct folded {
	size_t at; /* of its text in the buffer */
	double value;
};

static int
compare(const void *va, const void *vb, void *text)
{
	const struct folded *a = va, *b = vb;
	int order = strcmp((char *)text + a->at, (char *)text + b->at);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* The separator must not be in a name. */
static void
put_name(struct buf *b, const char *name)
{
	for (; *name; name++)
		buf_putc(b, *name == ';' ? ':' : *name);
}

static void
put_stack(struct buf *b, const struct report *r, const struct report_stack *s)
{
	for (uint32_t i = s->count; i-- > 0;) {
		struct place p = report_place(r, s->places[i]);

		put_name(b, p.function);
		if (p.inlined)
			buf_puts(b, "[inline]");
		if (i > 0)
			buf_putc(b, ';');
	}
	buf_putc(b, '\0');
}

void
export_collapsed(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct folded *lines = xcalloc(r->stack_count, sizeof *lines);
	struct buf text = BUF_INIT;

	(void)o;
	for (size_t i = 0; i < r->stack_count; i++) {
		lines[i] = (struct folded){ text.len, r->stacks[i].f.value };
		put_stack(&text, r, &r->stacks[i]);
	}
	qsort_r(lines, r->stack_count, sizeof *lines, compare, text.data);
	for (size_t i = 0; i < r->stack_count;) {
		const char *name = text.data + lines[i].at;
		double sum = 0;

		for (; i < r->stack_count &&
		     !strcmp(name, text.data + lines[i].at);
		     i++)
			sum += lines[i].value;
		buf_printf(b, "%s %s\n", name, fmt_int(sum).s);
	}
	buf_fini(&text);
	free(lines);
}
