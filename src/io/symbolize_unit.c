#include "io/symbolize_unit.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "io/ranges.h"
#include "io/symbolize.h"

#define TREE_DEPTH 256 /* nesting of DIEs that is followed */

/* An inlined call. */
struct call {
	Dwarf_Off die;
	uint32_t parent;     /* index + 1 in the function's calls, 0: itself */
	uint32_t file, line; /* where it is called */
};

struct function {
	Dwarf_Die die;
	bool read;
	struct call *calls;
	size_t count, cap;
	struct ranges ranges; /* of the calls; value: index */
};

struct row {
	uint64_t address;
	Dwarf_Line *line; /* NULL: end of a sequence */
};

struct unit {
	Dwarf_Die die;  /* with ranges and line table */
	Dwarf_Die tree; /* with the functions: of the .dwo if it is split */
	bool read;
	struct row *rows;
	size_t row_count;
	Dwarf_Files *files;
	size_t file_count;
	struct function *functions;
	size_t count, cap;
	struct ranges ranges; /* of the functions; value: index */
};

struct units {
	Dwarf *dw;
	struct unit *items;
	size_t count, cap;
	struct ranges ranges; /* value: index */
	struct buf joined;    /* names of files of the last answer */
};

static void
add_ranges(struct ranges *r, Dwarf_Die *die, uint32_t depth, size_t value)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0)
		ranges_add(r, lo, hi, depth, (uint32_t)value);
}

struct units *
units_new(Dwarf *dw)
{
	struct units *u = xcalloc(1, sizeof *u);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;

	u->dw = dw;
	while (dwarf_get_units(dw, cu, &cu, NULL, &type, &die, &sub) == 0) {
		struct unit *n;

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		VEC_ROOM(u->items, u->cap, u->count + 1);
		n = &u->items[u->count];
		*n = (struct unit){ .die = die, .tree = die };
		if (type == DW_UT_skeleton && dwarf_tag(&sub) != DW_TAG_invalid)
			n->tree = sub;
		add_ranges(&u->ranges, &die, 0, u->count++);
	}
	ranges_sort(&u->ranges);
	if (u->ranges.count > 0)
		return u;
	units_free(u);
	return NULL;
}

static void
unit_fini(struct unit *n)
{
	for (size_t i = 0; i < n->count; i++) {
		free(n->functions[i].calls);
		ranges_fini(&n->functions[i].ranges);
	}
	free(n->functions);
	free(n->rows);
	ranges_fini(&n->ranges);
}

void
units_free(struct units *u)
{
	if (u == NULL)
		return;
	for (size_t i = 0; i < u->count; i++)
		unit_fini(&u->items[i]);
	free(u->items);
	ranges_fini(&u->ranges);
	buf_fini(&u->joined);
	free(u);
}

static void
read_lines(struct unit *n)
{
	Dwarf_Lines *lines;
	size_t count;

	if (dwarf_getsrcfiles(&n->die, &n->files, &n->file_count) != 0) {
		n->files = NULL;
		n->file_count = 0;
	}
	if (dwarf_getsrclines(&n->die, &lines, &count) != 0 || count == 0)
		return;
	n->rows = xcalloc(count, sizeof *n->rows);
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		bool end;

		if (dwarf_lineaddr(line, &address) != 0 ||
		    dwarf_lineendsequence(line, &end) != 0)
			continue;
		n->rows[n->row_count].address = address;
		n->rows[n->row_count++].line = end ? NULL : line;
	}
}

/* Things that may hold the definition of a function. */
static bool
may_hold_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	    tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	    tag == DW_TAG_enumeration_type || tag == DW_TAG_module;
}

static void
find_functions(struct unit *n, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die);

	for (; more == 0; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		if (may_hold_functions(tag) && depth < TREE_DEPTH)
			find_functions(n, &die, depth + 1);
		if (tag != DW_TAG_subprogram)
			continue;
		VEC_ROOM(n->functions, n->cap, n->count + 1);
		n->functions[n->count] = (struct function){ .die = die };
		add_ranges(&n->ranges, &die, depth, n->count++);
	}
}

static void
read_unit(struct unit *n)
{
	if (n->read)
		return;
	n->read = true;
	read_lines(n);
	find_functions(n, &n->tree, 0);
	ranges_sort(&n->ranges);
}

static uint32_t
number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (dwarf_attr(die, name, &a) == NULL || dwarf_formudata(&a, &v) != 0 ||
	    v > UINT32_MAX)
		return 0;
	return (uint32_t)v;
}

static void
find_calls(struct function *f, Dwarf_Die *parent, uint32_t call, unsigned depth)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die);

	for (; more == 0; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		uint32_t inside = call;

		if (tag == DW_TAG_inlined_subroutine) {
			VEC_ROOM(f->calls, f->cap, f->count + 1);
			f->calls[f->count].die = dwarf_dieoffset(&die);
			f->calls[f->count].parent = call;
			f->calls[f->count].file = number(&die, DW_AT_call_file);
			f->calls[f->count].line = number(&die, DW_AT_call_line);
			add_ranges(&f->ranges, &die, depth, f->count);
			inside = (uint32_t)++f->count;
		} else if (tag != DW_TAG_lexical_block) {
			continue;
		}
		if (depth < TREE_DEPTH)
			find_calls(f, &die, inside, depth + 1);
	}
}

static void
read_function(struct function *f)
{
	if (f->read)
		return;
	f->read = true;
	find_calls(f, &f->die, 0, 0);
	ranges_sort(&f->ranges);
}

/* The last row at or before the address. */
static void
find_line(
    const struct unit *n, uint64_t address, const char **file, uint32_t *line)
{
	size_t lo = 0, hi = n->row_count;
	int l = 0;

	*file = NULL;
	*line = 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (n->rows[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || n->rows[lo - 1].line == NULL)
		return;
	*file = dwarf_linesrc(n->rows[lo - 1].line, NULL, NULL);
	if (dwarf_lineno(n->rows[lo - 1].line, &l) == 0 && l > 0)
		*line = (uint32_t)l;
}

/* The linkage name of what a DIE is an instance of, else its plain name. */
static const char *
name_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a) != NULL ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a) != NULL)
		name = dwarf_formstring(&a);
	if (name == NULL && dwarf_attr_integrate(die, DW_AT_name, &a) != NULL)
		name = dwarf_formstring(&a);
	return name;
}

/* The function and what is inlined at the address, innermost first. */
static unsigned
at_function(struct unit *n, struct function *f, uint64_t address,
    struct symbolize_name *out, unsigned max)
{
	Dwarf *dw = dwarf_cu_getdwarf(n->tree.cu);
	const char *file;
	uint32_t line, call = 0;
	unsigned k = 0;
	size_t i;

	read_function(f);
	find_line(n, address, &file, &line);
	i = ranges_find(&f->ranges, address, RANGES_END);
	if (i != RANGES_END)
		call = f->ranges.items[i].value + 1;
	while (call != 0 && k + 1 < max) {
		const struct call *c = &f->calls[call - 1];
		Dwarf_Die die;

		out[k].function = dwarf_offdie(dw, c->die, &die) != NULL
		    ? name_of(&die)
		    : NULL;
		out[k].file = file;
		out[k++].line = line;
		file = c->file < n->file_count
		    ? dwarf_filesrc(n->files, c->file, NULL, NULL)
		    : NULL;
		line = c->line;
		call = c->parent;
	}
	out[k].function = name_of(&f->die);
	out[k].file = file;
	out[k].line = line;
	return k + 1;
}

static unsigned
at_unit(
    struct unit *n, uint64_t address, struct symbolize_name *out, unsigned max)
{
	size_t i;

	read_unit(n);
	i = ranges_find(&n->ranges, address, RANGES_END);
	if (i != RANGES_END)
		return at_function(n, &n->functions[n->ranges.items[i].value],
		    address, out, max);
	/* Assembly has lines without functions. */
	out[0].function = NULL;
	find_line(n, address, &out[0].file, &out[0].line);
	return out[0].file != NULL;
}

static bool
is_relative(const char *file)
{
	return file != NULL && file[0] != '/';
}

/* A name is relative to where the compiler ran. */
static void
join_files(
    struct units *u, struct unit *n, struct symbolize_name *out, unsigned count)
{
	Dwarf_Attribute a;
	const char *dir =
	    dwarf_formstring(dwarf_attr(&n->die, DW_AT_comp_dir, &a));
	size_t at = 0;

	if (dir == NULL || *dir == '\0')
		return;
	buf_clear(&u->joined);
	for (unsigned i = 0; i < count; i++)
		if (is_relative(out[i].file)) {
			buf_printf(&u->joined, "%s/%s", dir, out[i].file);
			buf_putc(&u->joined, '\0');
		}
	for (unsigned i = 0; i < count; i++)
		if (is_relative(out[i].file)) {
			out[i].file = u->joined.data + at;
			at += strlen(out[i].file) + 1;
		}
}

unsigned
units_at(
    struct units *u, uint64_t address, struct symbolize_name *out, unsigned max)
{
	size_t i = RANGES_END;

	while ((i = ranges_find(&u->ranges, address, i)) != RANGES_END) {
		struct unit *unit = &u->items[u->ranges.items[i].value];
		unsigned k = at_unit(unit, address, out, max);

		if (k > 0) {
			join_files(u, unit, out, k);
			return k;
		}
	}
	return 0;
}
