#include "io/symbolize.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "base/mem.h"
#include "io/demangle.h"
#include "io/symbolize_unit.h"
#include "io/symtab.h"

struct symbolizer {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	uint64_t bias;      /* of the addresses that libdwfl gives */
	uint64_t dw_delta;  /* DWARF's address - the file's address */
	struct symtab *tab; /* by the file's addresses; NULL before use */
	struct units *units;
	bool units_tried;
	char *kept[SYMBOLIZE_DEPTH]; /* names given out by the last call */
	unsigned kept_count;
};

static int
no_elf(Dwfl_Module *m, void **u, const char *name, Dwarf_Addr base, char **file,
    Elf **elf)
{
	(void)m, (void)u, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

/* Is there a file of that name where debug files are looked for? */
static bool
has_debug_file(const char *file, const char *link)
{
	static const struct {
		const char *before, *after; /* the file's directory */
	} places[] = { { "", "/" }, { "", "/.debug/" },
		{ "/usr/lib/debug", "/" } };
	const char *slash = strrchr(file, '/');
	int len = slash != NULL ? (int)(slash - file) : 0;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		char path[4096];

		snprintf(path, sizeof path, "%s%.*s%s%s", places[i].before, len,
		    file, places[i].after, link);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

/* By build-id, then by name, as the standard does.  That one ends with asking
 * servers, and loads thirty libraries to find that there are none to ask; so
 * it is left alone where there is nothing to be found. */
static int
find_debuginfo(Dwfl_Module *m, void **u, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found)
{
	int fd = dwfl_build_id_find_debuginfo(
	    m, u, name, base, file, link, crc, found);

	if (fd >= 0 || link == NULL || file == NULL ||
	    !has_debug_file(file, link))
		return fd;
	return dwfl_standard_find_debuginfo(
	    m, u, name, base, file, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = no_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* The kernel's own image, which is the same in all processes. */
static int
open_vdso(void)
{
	unsigned long at = getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr eh;
	size_t size;
	int fd;

	if (at == 0)
		return -1;
	memcpy(&eh, (const void *)at, sizeof eh);
	size = eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, (const void *)at, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

static int
open_file(const char *path)
{
	struct stat st;
	int fd;

	if (strcmp(path, "[vdso]") == 0)
		return open_vdso();
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Why a candidate was not taken, the most telling reason last. */
enum miss {
	MISS_GONE,
	MISS_NOT_ELF,
	MISS_OTHER_BUILD
};

static bool
same_build(Dwfl_Module *mod, const struct symbolize_file *f)
{
	const unsigned char *bits;
	GElf_Addr at;
	int len;

	if (f->build_id_len == 0)
		return true;
	len = dwfl_module_build_id(mod, &bits, &at);
	return len == (int)f->build_id_len &&
	    memcmp(bits, f->build_id, f->build_id_len) == 0;
}

/* Debug files are sought beside `name`. */
static bool
open_candidate(struct symbolizer *s, const struct symbolize_file *f,
    const char *path, const char *name, enum miss *why)
{
	int fd = open_file(path);
	GElf_Addr bias;

	if (fd < 0)
		return false;
	s->dwfl = dwfl_begin(&callbacks);
	if (s->dwfl == NULL) {
		close(fd);
		return false;
	}
	dwfl_report_begin(s->dwfl);
	s->mod = dwfl_report_offline(s->dwfl, name, name, fd);
	if (s->mod == NULL)
		close(fd);
	dwfl_report_end(s->dwfl, NULL, NULL);
	if (s->mod == NULL || dwfl_module_getelf(s->mod, &bias) == NULL) {
		*why = *why < MISS_NOT_ELF ? MISS_NOT_ELF : *why;
	} else if (!same_build(s->mod, f)) {
		*why = MISS_OTHER_BUILD;
	} else {
		s->bias = bias;
		return true;
	}
	dwfl_end(s->dwfl);
	s->dwfl = NULL;
	s->mod = NULL;
	return false;
}

/* The end of the section that a symbol without a size lies in. */
static uint64_t
section_end(Elf *elf, GElf_Word index, GElf_Addr bias)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	GElf_Shdr sh;

	if (scn == NULL || gelf_getshdr(scn, &sh) == NULL ||
	    (sh.sh_flags & SHF_EXECINSTR) == 0)
		return 0;
	return sh.sh_addr + sh.sh_size + bias;
}

static enum symtab_bind
bind_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL: return SYMTAB_GLOBAL;
	case STB_WEAK: return SYMTAB_WEAK;
	default: return SYMTAB_LOCAL;
	}
}

static void
load_symbols(struct symbolizer *s)
{
	int n = dwfl_module_getsymtab(s->mod);

	s->tab = symtab_new();
	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr at, bias;
		GElf_Word index;
		Elf *elf;
		const char *name = dwfl_module_getsym_info(
		    s->mod, i, &sym, &at, &index, &elf, &bias);
		int type = GELF_ST_TYPE(sym.st_info);
		uint64_t limit = 0;

		if (name == NULL || index == SHN_UNDEF ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC &&
			type != STT_NOTYPE))
			continue;
		/* $x and the like mark code on some machines */
		if (type == STT_NOTYPE && (name[0] == '$' || name[0] == '.'))
			continue;
		if (type == STT_NOTYPE || sym.st_size == 0) {
			limit = section_end(elf, index, bias);
			if (limit <= at)
				continue;
			limit -= s->bias;
		}
		symtab_add(s->tab, at - s->bias, sym.st_size, limit,
		    bind_of(&sym), name);
	}
	symtab_sort(s->tab);
}

static void
load_units(struct symbolizer *s)
{
	Dwarf_Addr bias;
	Dwarf *dw;

	if (s->units_tried)
		return;
	s->units_tried = true;
	if (s->mod == NULL)
		return;
	dw = dwfl_module_getdwarf(s->mod, &bias);
	if (dw == NULL)
		return;
	s->dw_delta = s->bias - bias;
	s->units = units_new(dw);
}

/* A symbol table of the linker's, or just the dynamic one? */
static bool
has_symtab(struct symbolizer *s)
{
	int n = dwfl_module_getsymtab(s->mod);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr at;

		if (dwfl_module_getsym_info(
			s->mod, i, &sym, &at, NULL, NULL, NULL) != NULL &&
		    GELF_ST_BIND(sym.st_info) == STB_LOCAL &&
		    sym.st_shndx != SHN_UNDEF)
			return true;
	}
	return false;
}

static void
say_missing(const struct symbolize_file *f, enum miss why, char *note)
{
	const char *path = f->path[0] != 0 ? f->path : "a module";

	switch (why) {
	case MISS_GONE:
		snprintf(note, SYMBOLIZE_NOTE,
		    "%.300s is not there any more: put it back, or give the "
		    "program's file before the dump",
		    path);
		break;
	case MISS_NOT_ELF:
		snprintf(note, SYMBOLIZE_NOTE,
		    "%.300s is no ELF file that can be read", path);
		break;
	case MISS_OTHER_BUILD:
		snprintf(note, SYMBOLIZE_NOTE,
		    "%.300s was replaced by another build since (build-ids "
		    "differ): put the old one back to see its names",
		    path);
		break;
	}
}

static void
say_stripped(struct symbolizer *s, const struct symbolize_file *f, char *note)
{
	char id[2 * 32 + 1] = "";
	const unsigned char *bits;
	GElf_Addr at;
	int len = dwfl_module_build_id(s->mod, &bits, &at);

	if (strcmp(f->path, "[vdso]") == 0 || has_symtab(s))
		return;
	for (int i = 0; i < len && i < 32; i++)
		snprintf(id + 2 * i, 3, "%02x", bits[i]);
	snprintf(note, SYMBOLIZE_NOTE,
	    "%.300s is stripped and has only exported names: install its "
	    "debug symbols%s%s",
	    f->path, id[0] != 0 ? " for build-id " : "", id);
}

/* A stripped file that lies elsewhere than it was mapped from may have its
 * debug file beside it. */
static bool
look_beside(struct symbolizer *s, const struct symbolize_file *f,
    const char *path, const char *name, enum miss *why)
{
	if (strcmp(path, name) == 0 || strncmp(path, "/proc/", 6) == 0 ||
	    has_symtab(s))
		return true;
	dwfl_end(s->dwfl);
	if (open_candidate(s, f, path, path, why)) {
		if (has_symtab(s))
			return true;
		dwfl_end(s->dwfl);
	}
	return open_candidate(s, f, path, name, why);
}

struct symbolizer *
symbolize_open(const struct symbolize_file *f, char note[SYMBOLIZE_NOTE])
{
	struct symbolizer *s = xcalloc(1, sizeof *s);
	enum miss why = MISS_GONE;
	bool found = false;

	note[0] = 0;
	for (size_t i = 0; i < f->count && !found; i++) {
		const char *path = f->paths[i];
		const char *name = f->path[0] == '/' ? f->path : path;

		found = open_candidate(s, f, path, name, &why) &&
		    look_beside(s, f, path, name, &why);
	}
	if (!found) {
		say_missing(f, why, note);
		return s;
	}
	load_symbols(s);
	say_stripped(s, f, note);
	return s;
}

static void
forget_kept(struct symbolizer *s)
{
	while (s->kept_count > 0)
		free(s->kept[--s->kept_count]);
}

void
symbolize_close(struct symbolizer *s)
{
	if (s == NULL)
		return;
	forget_kept(s);
	units_free(s->units);
	symtab_free(s->tab);
	if (s->dwfl != NULL)
		dwfl_end(s->dwfl);
	free(s);
}

int
symbolize_has_lines(const struct symbolizer *s)
{
	/* asked before any line is wanted, too: the flag is only kept */
	load_units((struct symbolizer *)(uintptr_t)s);
	return s->units != NULL;
}

static const char *
keep(struct symbolizer *s, const char *raw)
{
	if (raw == NULL)
		return NULL;
	return s->kept[s->kept_count++] = demangle(raw);
}

unsigned
symbolize_at(struct symbolizer *s, uint64_t offset, int lines,
    struct symbolize_name out[SYMBOLIZE_DEPTH])
{
	const char *outer;
	unsigned n = 0;

	forget_kept(s);
	if (s->mod == NULL)
		return 0;
	outer = symtab_find(s->tab, offset);
	if (lines) {
		load_units(s);
		if (s->units != NULL)
			n = units_at(s->units, offset + s->dw_delta, out,
			    SYMBOLIZE_DEPTH);
	}
	if (n == 0) {
		if (outer == NULL)
			return 0;
		out[0].function = NULL;
		out[0].file = NULL;
		out[0].line = 0;
		n = 1;
	}
	/* The function that has the code is named by the symbol table: DWARF
	 * does not know of clones and gives constructors one name. */
	if (outer != NULL)
		out[n - 1].function = outer;
	for (unsigned i = 0; i < n; i++)
		out[i].function = keep(s, out[i].function);
	return n;
}
