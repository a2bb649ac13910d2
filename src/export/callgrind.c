/*
 * Callgrind's format, for kcachegrind and callgrind_annotate: functions with
 * what each allocated at which line, and calls with what came of them.
 *
 * Two costs: what was asked for first, then the other of bytes and objects; of
 * a difference only the first is known.
 * There are no calls to count, so stacks are counted.  In recursion a stack
 * is charged to the outermost call of a function only: what callers hold of
 * it adds up to its cumulative figure.
 *
 * Names are compressed as the format allows, "(id) name" once, then "(id)";
 * so one that begins with a parenthesis is not mistaken for that.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "base/fmt.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "export/carry.h"
#include "export/export.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"
#include "model/report.h"

struct function {
	str_id object, file, name;
};

/* At a line of a function: its own, or of a call from there. */
struct cost {
	uint32_t function, line;
	uint32_t callee; /* function + 1; 0: its own */
	uint32_t stacks;
	double value, other;
};

/* The kinds of names, each with ids of its own. */
enum kind {
	KIND_OBJECT,
	KIND_FILE,
	KIND_FUNCTION,
	KIND_COUNT
};

struct callgrind {
	const struct report *r;
	struct buf *b;
	struct strtab *strings;
	bool *told[KIND_COUNT];          /* [string] */
	struct map pair_of, function_of; /* object, file; and name */
	uint32_t pairs;
	struct function *functions;
	size_t function_count, function_cap;
	uint32_t *of_place; /* [place] -> function + 1; 0: not looked up */
	struct map line_of, cost_of; /* function, line; and callee */
	uint32_t lines;
	struct cost *costs;
	size_t cost_count, cost_cap;
	uint32_t *seen; /* [function] stack + 1 */
	size_t seen_cap;
};

/* ---- gathering ---- */

/* Dense numbers for pairs. */
static uint32_t
number(struct map *m, uint32_t *count, uint32_t a, uint32_t b)
{
	uint32_t *at = map_put(m, (uint64_t)a << 32 | b);

	if (*at == MAP_NONE)
		*at = (*count)++;
	return *at;
}

static const char *
object_of(const struct report *r, const struct place *p)
{
	const struct profile *from = r->profiles[p->profile];
	const struct module *m = modules_find(profile_modules(from),
	    frames_module(profile_frames_const(from), p->frame));

	return m && *m->path ? m->path : "???";
}

static uint32_t
function_of(struct callgrind *c, uint32_t place)
{
	struct place p;
	struct function f;
	uint32_t pair, *at;

	if (c->of_place[place])
		return c->of_place[place] - 1;
	p = report_place(c->r, place);
	f.object = strtab_add(c->strings, object_of(c->r, &p));
	f.file = strtab_add(c->strings, *p.file ? p.file : "???");
	f.name = strtab_add(c->strings, *p.function ? p.function : "???");
	pair = number(&c->pair_of, &c->pairs, f.object, f.file);
	at = map_put(&c->function_of, (uint64_t)pair << 32 | f.name);
	if (*at == MAP_NONE) {
		*at = (uint32_t)c->function_count;
		VEC_ROOM(c->functions, c->function_cap, c->function_count + 1);
		VEC_ROOM(c->seen, c->seen_cap, c->function_count + 1);
		c->seen[c->function_count] = 0;
		c->functions[c->function_count++] = f;
	}
	c->of_place[place] = *at + 1;
	return *at;
}

/* `callee`: function + 1, or 0. */
static struct cost *
cost_at(struct callgrind *c, uint32_t place, uint32_t callee)
{
	uint32_t function = function_of(c, place);
	uint32_t line = report_place(c->r, place).line;
	uint32_t at = number(&c->line_of, &c->lines, function, line);
	uint32_t *cost = map_put(&c->cost_of, (uint64_t)at << 32 | callee);

	if (*cost == MAP_NONE) {
		*cost = (uint32_t)c->cost_count;
		VEC_ROOM(c->costs, c->cost_cap, c->cost_count + 1);
		c->costs[c->cost_count++] = (struct cost){
			.function = function, .line = line, .callee = callee
		};
	}
	return &c->costs[*cost];
}

static double
other_of(const struct report *r, const struct figures *f)
{
	return metric_is_bytes(r->query.metric) ? f->objects : f->bytes;
}

static void
add_stack(struct callgrind *c, uint32_t stack)
{
	const struct report_stack *s = &c->r->stacks[stack];
	double other = other_of(c->r, &s->f);
	uint32_t root = function_of(c, s->places[s->count - 1]);
	struct cost *cost;

	c->seen[root] = stack + 1;
	for (uint32_t i = s->count - 1; i-- > 0;) {
		uint32_t callee = function_of(c, s->places[i]);

		cost = cost_at(c, s->places[i + 1], callee + 1);
		cost->stacks++;
		if (c->seen[callee] == stack + 1)
			continue;
		c->seen[callee] = stack + 1;
		cost->value += s->f.value;
		cost->other += other;
	}
	cost = cost_at(c, s->places[0], 0);
	cost->value += s->f.value;
	cost->other += other;
}

/* Functions in order of appearance; their own costs first. */
static int
compare(const void *va, const void *vb)
{
	const struct cost *a = va, *b = vb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if ((a->callee != 0) != (b->callee != 0))
		return a->callee ? 1 : -1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->callee > b->callee) - (a->callee < b->callee);
}

/* ---- writing ---- */

/* No line ends: paths can have them. */
static void
put_text(struct buf *b, const char *s)
{
	for (; *s; s++)
		buf_putc(b, (unsigned char)*s < ' ' ? '?' : *s);
}

static void
put_name(struct callgrind *c, const char *key, enum kind kind, str_id name)
{
	buf_printf(c->b, "%s=(%u)", key, name);
	if (!c->told[kind][name]) {
		c->told[kind][name] = true;
		buf_putc(c->b, ' ');
		put_text(c->b, strtab_at(c->strings, name));
	}
	buf_putc(c->b, '\n');
}

static void
put_function(struct callgrind *c, const struct function *f)
{
	buf_putc(c->b, '\n');
	put_name(c, "ob", KIND_OBJECT, f->object);
	put_name(c, "fl", KIND_FILE, f->file);
	put_name(c, "fn", KIND_FUNCTION, f->name);
}

static void
put_call(struct callgrind *c, const struct cost *cost)
{
	const struct function *f = &c->functions[cost->callee - 1];

	put_name(c, "cob", KIND_OBJECT, f->object);
	put_name(c, "cfi", KIND_FILE, f->file);
	put_name(c, "cfn", KIND_FUNCTION, f->name);
	buf_printf(c->b, "calls=%u 0\n", cost->stacks);
}

static void
put_pair(const struct callgrind *c, double value, double other)
{
	buf_puts(c->b, fmt_int(value).s);
	if (!c->r->query.difference)
		buf_printf(c->b, " %s", fmt_int(other).s);
	buf_putc(c->b, '\n');
}

/* A function's own lines add up to its rounded sum, and so do the calls of
 * it, wherever they are. */
static void
put_costs(struct callgrind *c)
{
	struct sums {
		struct carry value, other;
	} *own = xcalloc(c->function_count + 1, sizeof *own), *to,
	  *called = xcalloc(c->function_count + 1, sizeof *called);

	for (size_t i = 0; i < c->cost_count; i++) {
		const struct cost *cost = &c->costs[i];

		if (i == 0 || cost->function != cost[-1].function)
			put_function(c, &c->functions[cost->function]);
		to = &own[cost->function];
		if (cost->callee) {
			put_call(c, cost);
			to = &called[cost->callee - 1];
		}
		buf_printf(c->b, "%u ", cost->line);
		put_pair(c, carry_next(&to->value, cost->value),
		    carry_next(&to->other, cost->other));
	}
	free(own);
	free(called);
}

static void
put_events(struct callgrind *c)
{
	bool bytes = metric_is_bytes(c->r->query.metric);
	bool live = metric_is_live(c->r->query.metric);
	const char *part = live ? "inuse" : "alloc";
	const char *title = live ? "Live" : "Allocated";
	int events = c->r->query.difference ? 1 : 2;

	for (int i = 0; i < events; i++)
		buf_printf(c->b, "event: %s_%s : %s %s\n", part,
		    bytes == (i == 0) ? "space" : "objects", title,
		    bytes == (i == 0) ? "bytes" : "objects");
	buf_puts(c->b, "events:");
	for (int i = 0; i < events; i++)
		buf_printf(c->b, " %s_%s", part,
		    bytes == (i == 0) ? "space" : "objects");
	buf_putc(c->b, '\n');
}

static void
put_head(struct callgrind *c)
{
	const struct report *r = c->r;
	const struct profile_facts *f = profile_facts(r->profiles[0]);

	buf_puts(c->b, "# callgrind format\nversion: 1\ncreator: heaptop\n");
	if (f->pid)
		buf_printf(c->b, "pid: %u\n", f->pid);
	buf_puts(c->b, "cmd: ");
	put_text(c->b, *f->command ? f->command : f->image);
	buf_putc(c->b, '\n');
	if (figures_error(&r->local) > 0)
		buf_printf(c->b, "desc: Error: %s of the total, 95 %%\n",
		    fmt_int(figures_error(&r->local)).s);
	if (*r->notes) {
		buf_puts(c->b, "desc: Notes: ");
		put_text(c->b, r->notes);
		buf_putc(c->b, '\n');
	}
	buf_puts(c->b, "positions: line\n");
	put_events(c);
	buf_puts(c->b, "summary: ");
	put_pair(c, r->local.value, other_of(r, &r->local));
}

static void
callgrind_fini(struct callgrind *c)
{
	for (int i = 0; i < KIND_COUNT; i++)
		free(c->told[i]);
	map_fini(&c->pair_of);
	map_fini(&c->function_of);
	map_fini(&c->line_of);
	map_fini(&c->cost_of);
	free(c->functions);
	free(c->of_place);
	free(c->costs);
	free(c->seen);
	strtab_free(c->strings);
}

void
export_callgrind(
    const struct report *r, const struct export_options *o, struct buf *b)
{
	struct callgrind c = { .r = r, .b = b, .strings = strtab_new() };

	(void)o;
	c.of_place = xcalloc(r->place_count + 1, sizeof *c.of_place);
	for (uint32_t i = 0; i < r->stack_count; i++)
		add_stack(&c, i);
	if (c.cost_count)
		qsort(c.costs, c.cost_count, sizeof *c.costs, compare);
	for (int i = 0; i < KIND_COUNT; i++)
		c.told[i] = xcalloc(strtab_count(c.strings), sizeof *c.told[i]);
	put_head(&c);
	put_costs(&c);
	callgrind_fini(&c);
}
