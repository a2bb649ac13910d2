/*
 * speedscope's own format, www.speedscope.app/file-format-schema.json: a table
 * of frames, and "sampled" profiles whose samples are stacks, root first, each
 * with its weight.
 *
 * What was asked for is the first profile, the other of bytes and objects the
 * second.  Weights cannot be negative, so a difference is two profiles, what
 * grew and what shrank.  A frame is a function in a file; with lines or
 * addresses asked for, a line of it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/strtab.h"
#include "export/carry.h"
#include "export/export.h"
#include "export/json_text.h"
#include "model/profile.h"
#include "model/report.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/* What a profile is of. */
enum weight {
	WEIGHT_VALUE,
	WEIGHT_OTHER, /* objects with bytes, bytes with objects */
	WEIGHT_GROWN,
	WEIGHT_SHRUNK,
};

struct speedscope {
	const struct report *r;
	struct buf *b;
	struct strtab *strings;
	struct map function_of, frame_of; /* name, file; and line */
	uint32_t functions, frames;
	uint32_t *of_place; /* [place] -> frame + 1; 0: in no stack */
};

/* ---- frames ---- */

static bool
by_line(const struct report *r)
{
	return r->query.grouping == GROUP_LINES ||
	    r->query.grouping == GROUP_ADDRESSES;
}

static void
put_frame(struct speedscope *s, const struct place *p, uint32_t line)
{
	buf_puts(s->b, s->frames ? ",\n{\"name\":" : "\n{\"name\":");
	json_string(s->b, p->function);
	if (*p->file) {
		buf_puts(s->b, ",\"file\":");
		json_string(s->b, p->file);
	}
	if (line)
		buf_printf(s->b, ",\"line\":%u", line);
	buf_putc(s->b, '}');
}

static void
add_place(struct speedscope *s, uint32_t place)
{
	struct place p;
	uint32_t line, *at, function;
	str_id name, file;

	if (s->of_place[place])
		return;
	p = report_place(s->r, place);
	line = by_line(s->r) ? p.line : 0;
	name = strtab_add(s->strings, p.function);
	file = strtab_add(s->strings, p.file);
	at = map_put(&s->function_of, (uint64_t)name << 32 | file);
	if (*at == MAP_NONE)
		*at = s->functions++;
	function = *at;
	at = map_put(&s->frame_of, (uint64_t)function << 32 | line);
	if (*at == MAP_NONE) {
		put_frame(s, &p, line);
		*at = s->frames++;
	}
	s->of_place[place] = *at + 1;
}

static void
put_frames(struct speedscope *s)
{
	const struct report *r = s->r;

	buf_puts(s->b, "\"shared\":{\"frames\":[");
	for (size_t i = 0; i < r->stack_count; i++)
		for (uint32_t j = r->stacks[i].count; j-- > 0;)
			add_place(s, r->stacks[i].places[j]);
	buf_puts(s->b, "]},\n");
}

/* ---- profiles ---- */

static double
weight_of(const struct report *r, const struct report_stack *s, enum weight w)
{
	switch (w) {
	case WEIGHT_OTHER:
		return metric_is_bytes(r->query.metric) ? s->f.objects
							: s->f.bytes;
	case WEIGHT_GROWN: return fmax(s->f.value, 0);
	case WEIGHT_SHRUNK: return fmax(-s->f.value, 0);
	case WEIGHT_VALUE: break;
	}
	return fmax(s->f.value, 0);
}

static void
put_stack(struct speedscope *s, const struct report_stack *stack)
{
	for (uint32_t j = stack->count; j-- > 0;)
		buf_printf(s->b, "%s%u", j + 1 < stack->count ? "," : "",
		    s->of_place[stack->places[j]] - 1);
}

static void
put_title(struct speedscope *s, enum weight w, bool bytes)
{
	buf_puts(s->b, "{\"type\":\"sampled\",\"name\":\"");
	buf_puts(
	    s->b, metric_is_live(s->r->query.metric) ? "live" : "allocated");
	buf_puts(s->b, bytes ? " bytes" : " objects");
	if (w == WEIGHT_GROWN)
		buf_puts(s->b, ": grown");
	if (w == WEIGHT_SHRUNK)
		buf_puts(s->b, ": shrunk");
	buf_printf(s->b, "\",\"unit\":\"%s\",\"startValue\":0",
	    bytes ? "bytes" : "none");
}

static void
put_profile(struct speedscope *s, enum weight w)
{
	const struct report *r = s->r;
	bool bytes = metric_is_bytes(r->query.metric) != (w == WEIGHT_OTHER);
	struct buf weights = BUF_INIT;
	struct carry c = { 0 };
	const char *comma = "";

	put_title(s, w, bytes);
	buf_puts(s->b, ",\"samples\":[");
	for (size_t i = 0; i < r->stack_count; i++) {
		double v = carry_next(&c, weight_of(r, &r->stacks[i], w));

		if (v == 0)
			continue;
		buf_printf(s->b, "%s[", comma);
		put_stack(s, &r->stacks[i]);
		buf_putc(s->b, ']');
		buf_puts(&weights, comma);
		json_whole(&weights, v);
		comma = ",\n";
	}
	buf_printf(
	    s->b, "],\n\"weights\":[%s],\"endValue\":", buf_str(&weights));
	json_whole(s->b, c.written);
	buf_putc(s->b, '}');
	buf_fini(&weights);
}

static void
put_profiles(struct speedscope *s)
{
	bool difference = s->r->query.difference;

	buf_puts(s->b, "\"profiles\":[\n");
	put_profile(s, difference ? WEIGHT_GROWN : WEIGHT_VALUE);
	buf_puts(s->b, ",\n");
	put_profile(s, difference ? WEIGHT_SHRUNK : WEIGHT_OTHER);
	buf_puts(s->b, "]}\n");
}

/* With what was not seen: there is no other place for it. */
static void
put_name(struct speedscope *s, const char *program)
{
	struct buf name = BUF_INIT;

	buf_puts(&name, program);
	if (*s->r->notes)
		buf_printf(&name, "%s(%s)", *program ? " " : "", s->r->notes);
	json_string(s->b, buf_str(&name));
	buf_fini(&name);
}

void
export_speedscope(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	const struct profile_facts *f = profile_facts(r->profiles[0]);
	struct speedscope s = { .r = r, .b = b, .strings = strtab_new() };
	const char *name = *f->command ? f->command : f->image;

	s.of_place = xcalloc(r->place_count + 1, sizeof *s.of_place);
	buf_puts(b, "{\"$schema\":\"" SCHEMA "\",\n\"name\":");
	put_name(&s, *name ? name : o->program);
	buf_puts(b, ",\n\"exporter\":\"heaptop\",\"activeProfileIndex\":0,\n");
	put_frames(&s);
	put_profiles(&s);
	free(s.of_place);
	map_fini(&s.function_of);
	map_fini(&s.frame_of);
	strtab_free(s.strings);
}
