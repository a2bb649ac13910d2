#include "model/profile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/strtab.h"
#include "base/vec.h"
#include "model/births.h"
#include "model/frames.h"
#include "model/history.h"
#include "model/memory.h"
#include "model/modules.h"
#include "model/stacks.h"

#define STACK_FRAMES_MAX 4096u

struct thread {
	uint32_t tid;
	str_id name;
	int ended;
};

/* What /proc says, the stream does not. */
struct process {
	uint64_t rss_bytes, virtual_bytes, swap_bytes, major_faults;
};

/* What history does not know yet, see profile_snapshots. */
struct late {
	bool untold; /* the cells of its only snapshot */
	bool wanted; /* it must know all: somebody may ask for them */
	bool never;  /* it will know nothing */
};

struct profile {
	struct profile_facts facts; /* strings in `names` */
	uint8_t build_id[64];
	struct modules *modules;
	struct frames *frames;
	struct stacks *stacks;
	uint32_t same_ids; /* the source's ids up to here are the table's... */
	struct map stack_ids; /* ...and others lead to it here */
	uint32_t *first_cell; /* [stack]: cell + 1... */
	size_t first_cell_cap;
	uint32_t *live_cells; /* [stack]: how many hold something */
	size_t live_cell_cap;
	uint32_t live_stacks; /* of which one does */
	struct strtab *names; /* of threads, files and the command */
	struct buf text;      /* scratch */
	frame_id *ids;        /* scratch */
	size_t ids_cap;
	struct thread *threads; /* [slot] */
	size_t thread_count, thread_cap;
	struct profile_cell *cells;
	struct profile_owner *owners; /* [cell] */
	size_t cell_count, cell_cap, owner_cap;
	struct map cell_of; /* ...and of further slots, stack << 16 | slot */
	uint32_t *lives;    /* [cell * PROFILE_LIVES] */
	size_t life_cap;
	uint32_t *changed; /* cells put since the last commit, each once */
	size_t changed_count, changed_cap;
	uint8_t *is_changed; /* [cell] */
	size_t is_changed_cap;
	struct history *history;
	struct births *births;
	struct late *late;
	struct snapshot sums; /* over the cells as they are now */
	unsigned sums_age;    /* commits since they were added up afresh */
	struct profile_totals pending, now, before;
	unsigned commits; /* 0, 1, or 2 for more */
	struct process process;
	bool has_process;
	struct memory_seen *seen;
	struct profile_kept *kept;
};

static const struct profile_facts no_facts = {
	.image = "",
	.command = "",
	.source = "",
	.rule = "",
};

struct profile *
profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof *p);

	p->facts = no_facts;
	p->modules = modules_new();
	p->frames = frames_new(p->modules);
	p->stacks = stacks_new();
	p->names = strtab_new();
	p->history = history_new();
	p->births = births_new();
	p->late = xcalloc(1, sizeof *p->late);
	p->kept = xcalloc(1, sizeof *p->kept);
	return p;
}

void
profile_free(struct profile *p)
{
	if (!p)
		return;
	if (p->kept->forget)
		p->kept->forget(p->kept->what);
	free(p->kept);
	history_free(p->history);
	births_free(p->births);
	strtab_free(p->names);
	stacks_free(p->stacks);
	frames_free(p->frames);
	modules_free(p->modules);
	buf_fini(&p->text);
	free(p->ids);
	map_fini(&p->stack_ids);
	map_fini(&p->cell_of);
	free(p->first_cell);
	free(p->live_cells);
	free(p->lives);
	free(p->late);
	free(p->threads);
	free(p->cells);
	free(p->owners);
	free(p->changed);
	free(p->is_changed);
	free(p->seen);
	free(p);
}

/* Interned, as something that cannot move a cursor or end a line.  Strings
 * come again with every dump, so they must not add up. */
static str_id
clean(struct profile *p, const char *s)
{
	buf_clear(&p->text);
	buf_puts(&p->text, s ? s : "");
	for (size_t i = 0; i < p->text.len; i++) {
		unsigned char c = (unsigned char)p->text.data[i];

		if (c < 0x20 || c == 0x7f)
			p->text.data[i] = '?';
	}
	return strtab_addn(p->names, p->text.data, p->text.len);
}

void
profile_put_facts(struct profile *p, const struct profile_facts *f)
{
	p->facts = *f;
	p->facts.image = strtab_at(p->names, clean(p, f->image));
	p->facts.command = strtab_at(p->names, clean(p, f->command));
	p->facts.source = strtab_at(p->names, clean(p, f->source));
	p->facts.rule = strtab_at(p->names, clean(p, f->rule ? f->rule : ""));
	if (p->facts.build_id_len > sizeof p->build_id)
		p->facts.build_id_len = sizeof p->build_id;
	if (p->facts.build_id_len)
		memcpy(p->build_id, f->build_id, p->facts.build_id_len);
	p->facts.build_id = p->build_id;
}

int
profile_put_module(struct profile *p, uint32_t id, uint64_t start, uint64_t end,
    uint64_t bias, const uint8_t *build_id, size_t build_id_len,
    const char *path, struct err *e)
{
	struct module m = {
		.id = id,
		.start = start,
		.end = end,
		.bias = bias,
		.path = path ? path : "",
		.build_id_len = build_id_len,
	};

	if (build_id_len > sizeof m.build_id)
		return err_set(e, "module %u has a build-id of %zu bytes", id,
		    build_id_len);
	if (end < start)
		return err_set(e, "module %u ends before it starts", id);
	if (build_id_len)
		memcpy(m.build_id, build_id, build_id_len);
	if (modules_add(p->modules, &m) < 0)
		return err_set(e,
		    modules_find(p->modules, id)
			? "module %u is there already, with other contents"
			: "%u is not a possible number of a module",
		    id);
	return 0;
}

void
profile_put_thread(
    struct profile *p, uint16_t slot, uint32_t tid, int ended, const char *name)
{
	VEC_ROOM(p->threads, p->thread_cap, (size_t)slot + 1);
	for (; p->thread_count <= slot; p->thread_count++)
		p->threads[p->thread_count] = (struct thread){ 0 };
	p->threads[slot] = (struct thread){ tid, clean(p, name), ended != 0 };
}

static int
check_frames(const struct profile *p, uint32_t id,
    const struct profile_frame *frames, size_t count, struct err *e)
{
	if (id == 0 || id > PROFILE_IDS_MAX)
		return err_set(e, "%u is not a possible number of a stack", id);
	if (count < 1 || count > STACK_FRAMES_MAX)
		return err_set(e, "stack %u has %zu frames", id, count);
	for (size_t i = 0; i < count; i++) {
		if (frames[i].module &&
		    !modules_find(p->modules, frames[i].module))
			return err_set(e,
			    "stack %u names module %u, which was "
			    "never told of",
			    id, frames[i].module);
	}
	return 0;
}

/* Sources mostly count as we do: then no search is needed. */
static uint32_t
own_id(const struct profile *p, uint32_t stack)
{
	if (stack >= 1 && stack <= p->same_ids)
		return stack;
	return map_find(&p->stack_ids, stack);
}

static int
same_stack(const struct profile *p, const struct stack *s, unsigned flags,
    const struct profile_frame *frames, size_t count)
{
	if (s->count != count || s->flags != flags)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (frames_module(p->frames, s->frames[i]) !=
			frames[i].module ||
		    frames_offset(p->frames, s->frames[i]) != frames[i].offset)
			return 0;
	}
	return 1;
}

int
profile_put_stack(struct profile *p, uint32_t id, unsigned flags,
    const struct profile_frame *frames, size_t count, struct err *e)
{
	uint32_t known, own;

	if (check_frames(p, id, frames, count, e) < 0)
		return -1;
	known = own_id(p, id);
	if (known != MAP_NONE) {
		if (same_stack(
			p, stacks_at(p->stacks, known), flags, frames, count))
			return 0;
		return err_set(
		    e, "stack %u is there already, with other frames", id);
	}
	VEC_ROOM(p->ids, p->ids_cap, count);
	for (size_t i = 0; i < count; i++)
		p->ids[i] =
		    frames_add(p->frames, frames[i].module, frames[i].offset);
	own = stacks_add(
	    p->stacks, flags, p->ids, (uint32_t)count, p->frames, p->modules);
	if (own == id && p->same_ids == id - 1)
		p->same_ids = id;
	else
		*map_put(&p->stack_ids, id) = own;
	return 0;
}

/* Estimates are never negative; a variance may be off by a rounding. */
static int
check_values(struct cell_values *v)
{
	const double values[] = { v->live_bytes, v->live_objects,
		v->alloc_bytes, v->alloc_objects, v->live_var_bytes,
		v->live_var_objects, v->alloc_var_bytes, v->alloc_var_objects };

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		if (!isfinite(values[i]))
			return -1;
	}
	v->live_var_bytes = fmax(v->live_var_bytes, 0);
	v->live_var_objects = fmax(v->live_var_objects, 0);
	v->alloc_var_bytes = fmax(v->alloc_var_bytes, 0);
	v->alloc_var_objects = fmax(v->alloc_var_objects, 0);
	return 0;
}

/* Most stacks have one cell. */
static uint32_t
find_cell(const struct profile *p, stack_id stack, uint16_t slot)
{
	uint32_t first = stack < p->first_cell_cap ? p->first_cell[stack] : 0;

	if (!first)
		return MAP_NONE;
	if (p->cells[first - 1].slot == slot)
		return first - 1;
	return map_find(&p->cell_of, (uint64_t)stack << 16 | slot);
}

static uint32_t
cell_of(struct profile *p, stack_id stack, uint16_t slot)
{
	size_t old = p->first_cell_cap, was = p->live_cell_cap;
	uint32_t cell = find_cell(p, stack, slot);

	if (cell != MAP_NONE)
		return cell;
	VEC_ROOM(p->first_cell, p->first_cell_cap, (size_t)stack + 1);
	for (size_t i = old; i < p->first_cell_cap; i++)
		p->first_cell[i] = 0;
	VEC_ROOM(p->live_cells, p->live_cell_cap, (size_t)stack + 1);
	for (size_t i = was; i < p->live_cell_cap; i++)
		p->live_cells[i] = 0;
	VEC_ROOM(p->cells, p->cell_cap, p->cell_count + 1);
	VEC_ROOM(p->owners, p->owner_cap, p->cell_count + 1);
	VEC_ROOM(p->is_changed, p->is_changed_cap, p->cell_count + 1);
	p->is_changed[p->cell_count] = 0;
	cell = (uint32_t)p->cell_count++;
	if (!p->first_cell[stack])
		p->first_cell[stack] = cell + 1;
	else
		*map_put(&p->cell_of, (uint64_t)stack << 16 | slot) = cell;
	p->cells[cell] = (struct profile_cell){ .stack = stack, .slot = slot };
	p->owners[cell] = (struct profile_owner){ stack, slot };
	return cell;
}

static void
sums_replace(struct snapshot *s, const struct cell_values *was,
    const struct cell_values *is)
{
	s->live_bytes += is->live_bytes - was->live_bytes;
	s->live_objects += is->live_objects - was->live_objects;
	s->alloc_bytes += is->alloc_bytes - was->alloc_bytes;
	s->alloc_objects += is->alloc_objects - was->alloc_objects;
}

/* History gets the cells of the first snapshot, as long as they are what they
 * were then. */
static void
tell_history(const struct profile *p)
{
	struct history *h = p->history;
	struct snapshot first;

	if (!p->late->untold)
		return;
	p->late->untold = false;
	first = *history_at(h, 0);
	history_reopen(h);
	for (size_t i = 0; i < p->cell_count; i++)
		history_put(
		    h, (uint32_t)i, first.totals.now_ns, &p->cells[i].v);
	history_commit(h, &first.totals, &first);
	history_pin(h, first.id, first.pinned);
}

static bool
holds(const struct cell_values *v)
{
	return v->live_bytes > 0 || v->live_objects > 0;
}

static void
count_stacks(struct profile *p, uint32_t cell, const struct cell_values *v)
{
	uint32_t *live = &p->live_cells[p->cells[cell].stack];
	bool was = holds(&p->cells[cell].v), is = holds(v);

	if (is && !was)
		p->live_stacks += (*live)++ == 0;
	else if (was && !is)
		p->live_stacks -= --*live == 0;
}

static void
put_values(struct profile *p, uint32_t cell, const struct cell_values *v)
{
	count_stacks(p, cell, v);
	sums_replace(&p->sums, &p->cells[cell].v, v);
	p->cells[cell].v = *v;
	if (p->is_changed[cell])
		return;
	p->is_changed[cell] = 1;
	VEC_ROOM(p->changed, p->changed_cap, p->changed_count + 1);
	p->changed[p->changed_count++] = cell;
}

int
profile_put_cell(struct profile *p, uint32_t stack, uint16_t slot,
    const struct cell_values *v, struct err *e)
{
	uint32_t id = own_id(p, stack);
	struct cell_values checked = *v;

	tell_history(p);
	if (id == MAP_NONE)
		return err_set(
		    e, "figures for stack %u, which was never told of", stack);
	if (check_values(&checked) < 0)
		return err_set(
		    e, "the figures of stack %u are not numbers", stack);
	put_values(p, cell_of(p, id, slot), &checked);
	return 0;
}

void
profile_put_life(struct profile *p, uint32_t stack, uint16_t slot,
    const uint32_t life[PROFILE_LIVES])
{
	static const uint32_t none[PROFILE_LIVES];
	uint32_t id = own_id(p, stack), cell;
	size_t old = p->life_cap;

	cell = id == MAP_NONE ? MAP_NONE : find_cell(p, id, slot);
	if (cell == MAP_NONE ||
	    (!profile_life(p, cell) && memcmp(life, none, sizeof none) == 0))
		return;
	VEC_ROOM(p->lives, p->life_cap, ((size_t)cell + 1) * PROFILE_LIVES);
	for (size_t i = old; i < p->life_cap; i++)
		p->lives[i] = 0;
	memcpy(p->lives + (size_t)cell * PROFILE_LIVES, life, sizeof none);
}

const uint32_t *
profile_life(const struct profile *p, uint32_t cell)
{
	size_t at = (size_t)cell * PROFILE_LIVES;

	return at + PROFILE_LIVES <= p->life_cap ? p->lives + at : NULL;
}

void
profile_put_totals(struct profile *p, const struct profile_totals *t)
{
	p->pending = *t;
}

static void
set_process(const struct profile *p, struct profile_totals *t)
{
	if (!p->has_process)
		return;
	t->rss_bytes = p->process.rss_bytes;
	t->virtual_bytes = p->process.virtual_bytes;
	t->swap_bytes = p->process.swap_bytes;
	t->major_faults = p->process.major_faults;
}

void
profile_put_process(struct profile *p, uint64_t rss_bytes,
    uint64_t virtual_bytes, uint64_t swap_bytes, uint64_t major_faults)
{
	p->process = (struct process){ rss_bytes, virtual_bytes, swap_bytes,
		major_faults };
	p->has_process = true;
	if (p->commits == 0)
		return;
	set_process(p, &p->now);
	history_set_totals(p->history, &p->now);
}

void
profile_put_seen(struct profile *p, const struct memory_seen *s)
{
	if (!s) {
		free(p->seen);
		p->seen = NULL;
		return;
	}
	if (!p->seen)
		p->seen = xmalloc(sizeof *p->seen);
	*p->seen = *s;
}

const struct memory_seen *
profile_seen(const struct profile *p)
{
	return p->seen;
}

/* Running sums collect roundings, so they are made anew where it costs no more
 * than what changed, and else now and then. */
#define SUMS_AGE_MAX 1024

static void
add_up(struct profile *p, size_t changed)
{
	static const struct cell_values none;

	if (changed < p->cell_count / 8 && p->sums_age++ < SUMS_AGE_MAX)
		return;
	p->sums = (struct snapshot){ 0 };
	p->sums_age = 0;
	for (size_t i = 0; i < p->cell_count; i++)
		sums_replace(&p->sums, &none, &p->cells[i].v);
}

void
profile_clear_rest(struct profile *p)
{
	static const struct cell_values none;

	tell_history(p);
	for (size_t i = 0; i < p->cell_count; i++)
		if (!p->is_changed[i] &&
		    memcmp(&p->cells[i].v, &none, sizeof none) != 0)
			put_values(p, (uint32_t)i, &none);
}

void
profile_keep_nothing(struct profile *p)
{
	p->late->never = true;
}

/* What history is told of it. */
static void
commit_history(struct profile *p)
{
	bool alone = p->commits == 0 && !p->late->wanted;

	tell_history(p);
	for (size_t i = 0; i < p->changed_count && !alone; i++)
		history_put(p->history, p->changed[i], p->now.now_ns,
		    &p->cells[p->changed[i]].v);
	p->late->untold = alone;
	p->sums.stacks = p->live_stacks;
	history_commit(p->history, &p->now, &p->sums);
}

void
profile_commit(struct profile *p)
{
	add_up(p, p->changed_count);
	p->before = p->now;
	p->now = p->pending;
	set_process(p, &p->now);
	if (!p->late->never)
		commit_history(p);
	births_commit(p->births, p->history);
	for (size_t i = 0; i < p->changed_count; i++)
		p->is_changed[p->changed[i]] = 0;
	p->changed_count = 0;
	if (p->commits < 2)
		p->commits++;
}

const struct profile_facts *
profile_facts(const struct profile *p)
{
	return &p->facts;
}

const struct modules *
profile_modules(const struct profile *p)
{
	return p->modules;
}

const struct stacks *
profile_stacks(const struct profile *p)
{
	return p->stacks;
}

struct frames *
profile_frames(struct profile *p)
{
	return p->frames;
}

const struct frames *
profile_frames_const(const struct profile *p)
{
	return p->frames;
}

const struct history *
profile_history(const struct profile *p)
{
	p->late->wanted = true;
	tell_history(p);
	return p->history;
}

struct births *
profile_births(const struct profile *p)
{
	return p->births;
}

uint32_t
profile_find_cell(const struct profile *p, uint32_t stack, uint16_t slot)
{
	uint32_t id = own_id(p, stack);

	return id == MAP_NONE ? MAP_NONE : find_cell(p, id, slot);
}

const struct history *
profile_snapshots(const struct profile *p)
{
	return p->history;
}

uint64_t
profile_first_ns(const struct profile *p, uint32_t cell)
{
	if (p->late->untold && cell < p->cell_count)
		return history_at(p->history, 0)->totals.now_ns;
	return history_first_ns(p->history, cell);
}

const struct profile_cell *
profile_cells(const struct profile *p, size_t *n)
{
	*n = p->cell_count;
	return p->cells;
}

const struct profile_owner *
profile_owners(const struct profile *p)
{
	return p->owners;
}

struct profile_kept *
profile_kept(const struct profile *p)
{
	return p->kept;
}

void
profile_pin(struct profile *p, uint32_t snapshot, int on)
{
	history_pin(p->history, snapshot, on != 0);
}

int
profile_bound(struct profile *p)
{
	if (p->commits < 2 || !history_crowded(p->history))
		return 0;
	history_halve(p->history);
	return 1;
}

const struct profile_totals *
profile_totals(const struct profile *p)
{
	return p->commits >= 1 ? &p->now : NULL;
}

const struct profile_totals *
profile_totals_before(const struct profile *p)
{
	return p->commits >= 2 ? &p->before : NULL;
}

uint32_t
profile_thread_slots(const struct profile *p)
{
	return (uint32_t)p->thread_count;
}

const char *
profile_thread_name(const struct profile *p, uint16_t slot)
{
	return slot < p->thread_count
	    ? strtab_at(p->names, p->threads[slot].name)
	    : "";
}

uint32_t
profile_thread_tid(const struct profile *p, uint16_t slot)
{
	return slot < p->thread_count ? p->threads[slot].tid : 0;
}

int
profile_thread_ended(const struct profile *p, uint16_t slot)
{
	return slot < p->thread_count && p->threads[slot].ended;
}
