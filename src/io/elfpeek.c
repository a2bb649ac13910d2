#include "io/elfpeek.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define TABLE_MAX (64u << 20) /* bytes of one symbol or string table */

#if defined(__x86_64__)
#	define NATIVE EM_X86_64
#elif defined(__aarch64__)
#	define NATIVE EM_AARCH64
#else
#	error "which ELF machine is this?"
#endif

/* An open file with the headers that were read. */
struct peek {
	int fd;
	Elf64_Ehdr eh;
	Elf64_Phdr ph[ELFPEEK_SEGMENTS];
	size_t ph_count;
	struct elfpeek *out;
};

static size_t
read_at(int fd, void *to, size_t size, uint64_t at)
{
	size_t got = 0;

	if (at > INT64_MAX)
		return 0;
	while (got < size) {
		ssize_t n =
		    pread(fd, (char *)to + got, size - got, (off_t)(at + got));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return got;
}

/* A table as memory of its own with a NUL behind it, NULL if it does not lie
 * in the file. */
static char *
read_table(int fd, uint64_t at, uint64_t size)
{
	char *p;

	if (size == 0 || size > TABLE_MAX)
		return NULL;
	p = xmalloc(size + 1);
	if (read_at(fd, p, size, at) != size) {
		free(p);
		return NULL;
	}
	p[size] = 0;
	return p;
}

static int
read_header(struct peek *k)
{
	struct elfpeek *out = k->out;

	size_t got = read_at(k->fd, &k->eh, sizeof k->eh, 0);

	if (got < EI_NIDENT || memcmp(k->eh.e_ident, ELFMAG, SELFMAG) != 0)
		return -1;
	out->bits = k->eh.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	out->damaged = got < (out->bits == 64 ? sizeof k->eh : 52);
	out->machine = k->eh.e_machine;
	out->native = out->bits == 64 && out->machine == NATIVE &&
	    k->eh.e_ident[EI_DATA] == ELFDATA2LSB;
	return 0;
}

/* Copy a string of the file, cut to what fits; false if there is none. */
static bool
read_string(int fd, uint64_t at, uint64_t len, char *out, size_t size)
{
	size_t n = len < size - 1 ? (size_t)len : size - 1;

	n = read_at(fd, out, n, at);
	out[n] = 0;
	return n > 0;
}

static void
read_segments(struct peek *k)
{
	struct elfpeek *out = k->out;
	size_t count = k->eh.e_phnum;

	if (k->eh.e_phentsize != sizeof k->ph[0]) {
		out->damaged = true;
		return;
	}
	if (count > ELFPEEK_SEGMENTS)
		count = ELFPEEK_SEGMENTS;
	k->ph_count =
	    read_at(k->fd, k->ph, count * sizeof k->ph[0], k->eh.e_phoff) /
	    sizeof k->ph[0];
	out->damaged |= k->ph_count < count;
	for (size_t i = 0; i < k->ph_count; i++) {
		const Elf64_Phdr *p = &k->ph[i];

		if (p->p_type == PT_INTERP &&
		    !read_string(k->fd, p->p_offset, p->p_filesz,
			out->interpreter, sizeof out->interpreter))
			out->damaged = true;
		if (p->p_type != PT_LOAD)
			continue;
		out->segment[out->segments].offset = p->p_offset;
		out->segment[out->segments].vaddr = p->p_vaddr;
		out->segment[out->segments].file_size = p->p_filesz;
		out->segment[out->segments].memory_size = p->p_memsz;
		out->segments++;
	}
}

static void
find_build_id(struct elfpeek *out, const char *note, size_t size)
{
	size_t at = 0;

	while (at <= size && size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		size_t name, desc;

		memcpy(&n, note + at, sizeof n);
		name = at + sizeof n;
		desc = name + (((size_t)n.n_namesz + 3) & ~(size_t)3);
		if (desc > size || n.n_descsz > size - desc)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    memcmp(note + name, "GNU", 4) == 0 &&
		    n.n_descsz <= sizeof out->build_id) {
			memcpy(out->build_id, note + desc, n.n_descsz);
			out->build_id_len = n.n_descsz;
			return;
		}
		at = desc + (((size_t)n.n_descsz + 3) & ~(size_t)3);
	}
}

static void
read_notes(struct peek *k)
{
	for (size_t i = 0; i < k->ph_count; i++) {
		const Elf64_Phdr *p = &k->ph[i];
		char *note;

		if (p->p_type != PT_NOTE || p->p_filesz > 65536 ||
		    k->out->build_id_len > 0)
			continue;
		note = read_table(k->fd, p->p_offset, p->p_filesz);
		if (note != NULL)
			find_build_id(k->out, note, p->p_filesz);
		free(note);
	}
}

bool
elfpeek_address(const struct elfpeek *p, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < p->segments; i++) {
		uint64_t in = offset - p->segment[i].offset;

		if (offset < p->segment[i].offset ||
		    in >= p->segment[i].file_size)
			continue;
		*vaddr = p->segment[i].vaddr + in;
		return true;
	}
	return false;
}

/* The file offset of an address of the file's own address space. */
static bool
offset_of(const struct elfpeek *p, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < p->segments; i++) {
		uint64_t in = vaddr - p->segment[i].vaddr;

		if (vaddr < p->segment[i].vaddr ||
		    in >= p->segment[i].file_size)
			continue;
		*offset = p->segment[i].offset + in;
		return true;
	}
	return false;
}

static const char *
sanitizer_library(const char *needed)
{
	static const char *const names[][2] = {
		{ "asan", "AddressSanitizer" },
		{ "tsan", "ThreadSanitizer" },
		{ "msan", "MemorySanitizer" },
		{ "lsan", "LeakSanitizer" },
	};

	if (strncmp(needed, "libasan.", 8) != 0 &&
	    strncmp(needed, "libhwasan.", 10) != 0 &&
	    strncmp(needed, "libtsan.", 8) != 0 &&
	    strncmp(needed, "liblsan.", 8) != 0 &&
	    strncmp(needed, "libclang_rt.", 12) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strstr(needed, names[i][0]) != NULL)
			return names[i][1];
	return NULL;
}

static const char *
sanitizer_symbol(const char *name)
{
	if (strcmp(name, "__asan_init") == 0 ||
	    strcmp(name, "__hwasan_init") == 0)
		return "AddressSanitizer";
	if (strcmp(name, "__tsan_init") == 0)
		return "ThreadSanitizer";
	if (strcmp(name, "__msan_init") == 0)
		return "MemorySanitizer";
	return NULL;
}

static bool
allocator_symbol(const char *name)
{
	static const char *const names[] = { "malloc", "_rjem_malloc",
		"_rjem_mallocx", "je_malloc", "je_mallocx", "mi_malloc",
		"tc_malloc" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void
look_at_symbols(struct elfpeek *out, const char *syms, size_t size,
    const char *strings, size_t strings_size)
{
	for (size_t at = 0; size - at >= sizeof(Elf64_Sym);
	     at += sizeof(Elf64_Sym)) {
		Elf64_Sym s;
		const char *name;

		memcpy(&s, syms + at, sizeof s);
		if (s.st_shndx == SHN_UNDEF || s.st_name >= strings_size)
			continue;
		name = strings + s.st_name;
		if (out->sanitizer == NULL)
			out->sanitizer = sanitizer_symbol(name);
		if (out->allocator[0] == 0 &&
		    ELF64_ST_TYPE(s.st_info) == STT_FUNC &&
		    allocator_symbol(name))
			strcpy(out->allocator, name);
	}
}

/* Debuggers' sections are known by their names alone. */
static void
find_lines(struct peek *k, const Elf64_Shdr *sh, size_t count)
{
	size_t at = k->eh.e_shstrndx, size;
	char *names;

	if (at >= count)
		return;
	size = sh[at].sh_size;
	names = read_table(k->fd, sh[at].sh_offset, size);
	for (size_t i = 0; names != NULL && i < count; i++)
		if (sh[i].sh_name < size && sh[i].sh_type != SHT_NOBITS &&
		    sh[i].sh_size > 0 &&
		    (strcmp(names + sh[i].sh_name, ".debug_line") == 0 ||
			strcmp(names + sh[i].sh_name, ".zdebug_line") == 0))
			k->out->lines = true;
	free(names);
}

/* Both .dynsym and .symtab: an allocator linked in need not be exported. */
static void
read_symbols(struct peek *k)
{
	size_t count = k->eh.e_shnum, size = count * sizeof(Elf64_Shdr);
	Elf64_Shdr *sh;

	if (k->eh.e_shentsize != sizeof *sh || count == 0 || count > 65280)
		return;
	sh = xmalloc(size);
	count = read_at(k->fd, sh, size, k->eh.e_shoff) / sizeof *sh;
	find_lines(k, sh, count);
	for (size_t i = 0; i < count; i++) {
		char *syms, *strings;

		if ((sh[i].sh_type != SHT_DYNSYM &&
			sh[i].sh_type != SHT_SYMTAB) ||
		    sh[i].sh_link >= count)
			continue;
		syms = read_table(k->fd, sh[i].sh_offset, sh[i].sh_size);
		strings = read_table(k->fd, sh[sh[i].sh_link].sh_offset,
		    sh[sh[i].sh_link].sh_size);
		if (syms != NULL && strings != NULL)
			look_at_symbols(k->out, syms, sh[i].sh_size, strings,
			    sh[sh[i].sh_link].sh_size);
		if (syms != NULL && sh[i].sh_type == SHT_SYMTAB)
			k->out->symbols = true;
		free(syms);
		free(strings);
	}
	free(sh);
}

static void
look_at_dynamic(struct peek *k, const Elf64_Dyn *dyn, size_t count,
    const char *strings, size_t size)
{
	struct elfpeek *out = k->out;

	for (size_t i = 0; i < count; i++) {
		const char *s;

		if (dyn[i].d_un.d_val >= size)
			continue;
		s = strings + dyn[i].d_un.d_val;
		if (dyn[i].d_tag == DT_NEEDED && out->sanitizer == NULL)
			out->sanitizer = sanitizer_library(s);
		if (dyn[i].d_tag == DT_SONAME) {
			strncpy(out->soname, s, sizeof out->soname - 1);
			out->soname[sizeof out->soname - 1] = 0;
		}
	}
}

static uint64_t
dynamic_value(const Elf64_Dyn *dyn, size_t count, int64_t tag)
{
	for (size_t i = 0; i < count && dyn[i].d_tag != DT_NULL; i++)
		if (dyn[i].d_tag == tag)
			return dyn[i].d_un.d_val;
	return 0;
}

static void
read_dynamic(struct peek *k)
{
	for (size_t i = 0; i < k->ph_count; i++) {
		const Elf64_Phdr *p = &k->ph[i];
		size_t count = p->p_filesz / sizeof(Elf64_Dyn);
		uint64_t at, size;
		Elf64_Dyn *dyn;
		char *strings = NULL;

		if (p->p_type != PT_DYNAMIC || count == 0 || count > 4096)
			continue;
		dyn = xcalloc(count, sizeof *dyn);
		count = read_at(k->fd, dyn, count * sizeof *dyn, p->p_offset) /
		    sizeof *dyn;
		size = dynamic_value(dyn, count, DT_STRSZ);
		if (offset_of(
			k->out, dynamic_value(dyn, count, DT_STRTAB), &at))
			strings = read_table(k->fd, at, size);
		if (strings != NULL)
			look_at_dynamic(k, dyn, count, strings, size);
		free(strings);
		free(dyn);
	}
}

static int
read_file(int fd, struct elfpeek *out, bool symbols)
{
	struct peek k = { .fd = fd, .out = out };

	memset(out, 0, sizeof *out);
	if (read_header(&k) < 0)
		return -1;
	if (out->bits != 64 || k.eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	read_segments(&k);
	read_notes(&k);
	if (!symbols)
		return 0;
	read_dynamic(&k);
	read_symbols(&k);
	return 0;
}

int
elfpeek_read(int fd, struct elfpeek *out)
{
	return read_file(fd, out, true);
}

int
elfpeek_headers(int fd, struct elfpeek *out)
{
	return read_file(fd, out, false);
}
