#include "modinfo.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "pagemap.h"
#include "readmem.h"

/* Weak, so that the library loads with a libc that lacks it.  It lives in
 * the dynamic linker and, linked with -z now, is bound before any call. */
#pragma weak _dl_find_object

static struct {
	bool works;
	uint64_t vdso;
	uint64_t exe_lo, exe_hi; /* the main program, gaps included */
	char exe[1024];
} self;

/* Tables are named by 32-bit distances, so this is how far they can be. */
#define TABLE_REACH UINT64_C(0x80000000)

/*
 * The whole of the main program.  Of a module whose segments have gaps the
 * dynamic linker gives one segment instead; only the kernel leaves gaps when
 * it maps a program, ld.so fills those of libraries.
 */
static void
init_exe(void)
{
	const ElfW(Phdr) *ph = (const void *)getauxval(AT_PHDR);
	unsigned long i, n = ph ? getauxval(AT_PHNUM) : 0;
	uint64_t bias = 0, lo = ~UINT64_C(0), hi = 0;

	for (i = 0; i < n; i++) {
		uint64_t start = ph[i].p_vaddr & ~(READMEM_PAGE - 1);
		uint64_t end = ph[i].p_vaddr + ph[i].p_memsz;

		if (ph[i].p_type == PT_PHDR)
			bias = (uintptr_t)ph - ph[i].p_vaddr;
		if (ph[i].p_type == PT_LOAD && start < lo)
			lo = start;
		if (ph[i].p_type == PT_LOAD && end > hi)
			hi = end;
	}
	if (lo < hi) {
		self.exe_lo = lo + bias;
		self.exe_hi = hi + bias;
	}
}

bool
modinfo_init(void)
{
	self.works = _dl_find_object != NULL;
	self.vdso = getauxval(AT_SYSINFO_EHDR);
	init_exe();
	return self.works;
}

void
modinfo_set_exe(const char *path)
{
	size_t n = strnlen(path, sizeof self.exe - 1);

	memcpy(self.exe, path, n);
	self.exe[n] = '\0';
}

/*
 * A link_map that ld.so made before it used our calloc belongs to a module
 * loaded at the start, which is never unloaded.
 *
 * Every non-zero return is "not found": glibc before the fix of its bug
 * 30515 returned 1 early at start-up.  A concurrent dlclose may leave the
 * link_map NULL for a moment.
 */
static bool
find(uint64_t pc, struct dl_find_object *o, bool *closeable)
{
	uint64_t in_exe;

	if (!self.works || _dl_find_object((void *)(uintptr_t)pc, o) != 0 ||
	    !o->dlfo_link_map)
		return false;
	*closeable = pagemap_owns(o->dlfo_link_map);
	in_exe = (uintptr_t)o->dlfo_map_start - self.exe_lo;
	if (in_exe < self.exe_hi - self.exe_lo) {
		o->dlfo_map_start = (void *)(uintptr_t)self.exe_lo;
		o->dlfo_map_end = (void *)(uintptr_t)self.exe_hi;
	}
	return true;
}

bool
modinfo_tables(uint64_t pc, struct modinfo_tables *out)
{
	struct dl_find_object o;

	if (!find(pc, &o, &out->closeable))
		return false;
	out->start = (uintptr_t)o.dlfo_map_start;
	out->end = (uintptr_t)o.dlfo_map_end;
	out->eh_frame_hdr = (uintptr_t)o.dlfo_eh_frame;
	if (out->eh_frame_hdr - out->start >= out->end - out->start) {
		out->start = out->eh_frame_hdr > TABLE_REACH
		    ? out->eh_frame_hdr - TABLE_REACH
		    : 0;
		out->end = out->eh_frame_hdr + TABLE_REACH;
	}
	return true;
}

bool
modinfo_ldso(struct modinfo_tables *out)
{
	return self.works && modinfo_tables((uintptr_t)_dl_find_object, out);
}

uintptr_t
modinfo_key(uint64_t pc)
{
	struct dl_find_object o;
	bool closeable;

	return find(pc, &o, &closeable) ? (uintptr_t)o.dlfo_map_start : 0;
}

/* A module loaded at the start may be read directly, and is when the kernel
 * will not do it. */
static bool
copy(void *dst, uint64_t src, size_t n, bool closeable)
{
	if (readmem(dst, src, n))
		return true;
	if (closeable || readmem_works())
		return false;
	memcpy(dst, (const void *)(uintptr_t)src, n);
	return true;
}

/* Copies a string in pieces that end at a page, so that a short one at the
 * end of a mapping is read too. */
static void
copy_string(char *dst, size_t size, uint64_t src, bool closeable)
{
	size_t n = 0;

	while (n + 1 < size) {
		size_t part = 64 - (size_t)((src + n) % 64);

		if (part > size - 1 - n)
			part = size - 1 - n;
		if (!copy(dst + n, src + n, part, closeable))
			break;
		if (memchr(dst + n, '\0', part))
			return;
		n += part;
	}
	dst[0] = '\0'; /* unreadable or too long: no name beats half a one */
}

static void
read_path(struct modinfo *m)
{
	struct link_map map;

	m->path[0] = '\0';
	if (!copy(&map, m->link_map, sizeof map, m->closeable))
		return;
	m->bias = map.l_addr;
	if (m->start == self.vdso && self.vdso != 0) {
		memcpy(m->path, "[vdso]", sizeof "[vdso]");
		return;
	}
	if (map.l_name)
		copy_string(m->path, sizeof m->path, (uintptr_t)map.l_name,
		    m->closeable);
	if (m->path[0] == '\0' && !m->closeable)
		memcpy(m->path, self.exe, sizeof self.exe);
}

/* Looks for the build-id among the notes in [at, at + size). */
static void
read_notes(struct modinfo *m, uint64_t at, uint64_t size)
{
	uint64_t end = at + size;
	ElfW(Nhdr) note;
	char name[4];

	if (at < m->start || end > m->end || end < at)
		return;
	while (end - at >= sizeof note) {
		uint64_t desc;

		if (!copy(&note, at, sizeof note, m->closeable))
			return;
		desc = at + sizeof note + ((uint64_t)note.n_namesz + 3) / 4 * 4;
		if (desc > end || note.n_descsz > end - desc)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    copy(name, at + sizeof note, 4, m->closeable) &&
		    memcmp(name, "GNU", 4) == 0) {
			uint32_t n = note.n_descsz;

			if (n > sizeof m->build_id)
				n = sizeof m->build_id;
			if (copy(m->build_id, desc, n, m->closeable))
				m->build_id_len = n;
			return;
		}
		at = desc + ((uint64_t)note.n_descsz + 3) / 4 * 4;
		if (at > end)
			return;
	}
}

static bool
read_header(uint64_t base, bool closeable, ElfW(Ehdr) * head)
{
	return copy(head, base, sizeof *head, closeable) &&
	    memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
	    head->e_phentsize == sizeof(ElfW(Phdr));
}

/* The lowest segment of a shared object starts with the ELF header; where
 * it doesn't, the file stays without a build-id. */
static void
read_build_id(struct modinfo *m)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) ph;
	unsigned i;

	m->build_id_len = 0;
	if (!read_header(m->start, m->closeable, &head))
		return;
	for (i = 0; i < head.e_phnum && m->build_id_len == 0; i++) {
		if (!copy(&ph, m->start + head.e_phoff + i * sizeof ph,
			sizeof ph, m->closeable))
			return;
		if (ph.p_type == PT_NOTE)
			read_notes(m, m->bias + ph.p_vaddr, ph.p_memsz);
	}
}

bool
modinfo_find(uint64_t pc, struct modinfo *out)
{
	struct dl_find_object o;

	if (!find(pc, &o, &out->closeable))
		return false;
	out->start = (uintptr_t)o.dlfo_map_start;
	out->end = (uintptr_t)o.dlfo_map_end;
	out->link_map = (uintptr_t)o.dlfo_link_map;
	out->bias = out->start;
	read_path(out);
	read_build_id(out);
	return true;
}

bool
modinfo_of_image(uint64_t base, struct modinfo_tables *out)
{
	const ElfW(Ehdr) *head = (const void *)(uintptr_t)base;
	const ElfW(Phdr) * ph;
	uint64_t end = 0;
	unsigned i;

	if (base == 0 || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	out->eh_frame_hdr = 0;
	out->closeable = false;
	ph = (const void *)(uintptr_t)(base + head->e_phoff);
	for (i = 0; i < head->e_phnum; i++) {
		if (ph[i].p_type == PT_GNU_EH_FRAME)
			out->eh_frame_hdr = base + ph[i].p_vaddr;
		if (ph[i].p_type == PT_LOAD &&
		    ph[i].p_vaddr + ph[i].p_memsz > end)
			end = ph[i].p_vaddr + ph[i].p_memsz;
	}
	out->start = base;
	out->end = base + ((end + 4095) & ~UINT64_C(4095));
	return true;
}
