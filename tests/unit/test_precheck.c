/* needs: src/io/precheck.c src/io/elfpeek.c src/base/mem.c src/base/err.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/elfpeek.h"
#include "io/precheck.h"

static char dir[] = "/tmp/test-precheck.XXXXXX";
static char path[64];

static int
set_up(void **state)
{
	(void)state;
	if (mkdtemp(dir) == NULL)
		return 1;
	snprintf(path, sizeof path, "%s/prog", dir);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

/*
 * A small ELF file: headers, a program header for everything, one for the
 * interpreter, one for the dynamic section, and two sections, .dynsym and
 * .dynstr, with one function each.
 */
struct image {
	Elf64_Ehdr eh;
	Elf64_Phdr ph[3];
	Elf64_Shdr sh[3];
	Elf64_Dyn dyn[4];
	Elf64_Sym sym[2];
	char interpreter[64];
	char strings[64]; /* "", needed, function */
};

#define NEEDED   1
#define FUNCTION 32

static void
image_init(struct image *m)
{
	memset(m, 0, sizeof *m);
	memcpy(m->eh.e_ident, ELFMAG, SELFMAG);
	m->eh.e_ident[EI_CLASS] = ELFCLASS64;
	m->eh.e_ident[EI_DATA] = ELFDATA2LSB;
	m->eh.e_type = ET_DYN;
#ifdef __x86_64__
	m->eh.e_machine = EM_X86_64;
#else
	m->eh.e_machine = EM_AARCH64;
#endif
	m->eh.e_phoff = offsetof(struct image, ph);
	m->eh.e_phentsize = sizeof m->ph[0];
	m->eh.e_phnum = 3;
	m->eh.e_shoff = offsetof(struct image, sh);
	m->eh.e_shentsize = sizeof m->sh[0];
	m->eh.e_shnum = 3;
	m->ph[0] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_filesz = sizeof *m, .p_memsz = sizeof *m
	};
	m->ph[1] = (Elf64_Phdr){ .p_type = PT_INTERP,
		.p_offset = offsetof(struct image, interpreter),
		.p_filesz = sizeof m->interpreter };
	m->ph[2] = (Elf64_Phdr){ .p_type = PT_DYNAMIC,
		.p_offset = offsetof(struct image, dyn),
		.p_filesz = sizeof m->dyn };
	m->dyn[0].d_tag = DT_STRTAB;
	m->dyn[0].d_un.d_val = offsetof(struct image, strings);
	m->dyn[1].d_tag = DT_STRSZ;
	m->dyn[1].d_un.d_val = sizeof m->strings;
	m->dyn[2].d_tag = DT_NEEDED;
	m->dyn[2].d_un.d_val = NEEDED;
	m->sh[1] = (Elf64_Shdr){ .sh_type = SHT_DYNSYM,
		.sh_offset = offsetof(struct image, sym),
		.sh_size = sizeof m->sym,
		.sh_link = 2 };
	m->sh[2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct image, strings),
		.sh_size = sizeof m->strings };
	m->sym[1].st_name = FUNCTION;
	m->sym[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
	m->sym[1].st_shndx = 1;
	strcpy(m->interpreter, "/lib64/ld-linux-x86-64.so.2");
	strcpy(m->strings + NEEDED, "libc.so.6");
	strcpy(m->strings + FUNCTION, "main");
}

static void
put(const void *data, size_t len, mode_t mode)
{
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	assert_int_equal(write(fd, data, len), len);
	fchmod(fd, mode);
	close(fd);
}

static void
check(const struct image *m, enum precheck_kind kind,
    enum precheck_verdict verdict, const char *word)
{
	struct precheck p;

	if (m != NULL)
		put(m, sizeof *m, 0755);
	precheck_file(path, "./prog", &p);
	assert_int_equal(p.kind, kind);
	assert_int_equal(p.verdict, verdict);
	if (word == NULL) {
		assert_string_equal(p.sentence, "");
		return;
	}
	assert_int_equal(strncmp(p.sentence, "./prog ", 7), 0);
	if (strstr(p.sentence, word) == NULL)
		fail_msg("'%s' does not say '%s'", p.sentence, word);
}

static void
test_kinds(void **state)
{
	struct image m;

	(void)state;
	image_init(&m);
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);
	m.ph[1].p_type = PT_NULL;
	check(&m, PRECHECK_STATIC, PRECHECK_UNWATCHED, "static");
	m.dyn[3].d_tag = DT_SONAME; /* ld.so itself may be run */
	m.dyn[3].d_un.d_val = NEEDED;
	strcpy(m.strings + NEEDED, "ld-linux-x86-64.so.2");
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);

	image_init(&m);
	strcpy(m.interpreter, "/lib/ld-musl-x86_64.so.1");
	check(&m, PRECHECK_MUSL, PRECHECK_REFUSE, "musl");
	image_init(&m);
	m.eh.e_ident[EI_CLASS] = ELFCLASS32;
	check(&m, PRECHECK_MACHINE, PRECHECK_UNWATCHED, "32-bit");
	image_init(&m);
	m.eh.e_machine = EM_PPC64;
	check(&m, PRECHECK_MACHINE, PRECHECK_UNWATCHED, "another machine");
}

static void
test_symbols(void **state)
{
	struct image m;

	(void)state;
	image_init(&m);
	strcpy(m.strings + NEEDED, "libasan.so.8");
	check(&m, PRECHECK_ASAN, PRECHECK_REFUSE, "AddressSanitizer");
	image_init(&m);
	strcpy(m.strings + NEEDED, "libubsan.so.1"); /* does no harm */
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);
	strcpy(m.strings + FUNCTION, "__asan_init");
	check(&m, PRECHECK_ASAN, PRECHECK_REFUSE, "AddressSanitizer");
	strcpy(m.strings + FUNCTION, "malloc");
	check(&m, PRECHECK_OWN_MALLOC, PRECHECK_RUN, "(malloc)");
	strcpy(m.strings + FUNCTION, "_rjem_malloc");
	check(&m, PRECHECK_OWN_MALLOC, PRECHECK_RUN, "(_rjem_malloc)");
	m.sym[1].st_shndx = SHN_UNDEF; /* only used, not defined */
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);
}

static void
test_rights(void **state)
{
	struct image m;

	(void)state;
	if (getuid() != 0)
		skip();
	image_init(&m);
	put(&m, sizeof m, 0755);
	assert_int_equal(chown(path, 12, 12), 0);
	assert_int_equal(chmod(path, 04755), 0);
	check(NULL, PRECHECK_SETID, PRECHECK_UNWATCHED, "set-user-ID");
	assert_int_equal(chmod(path, 02755), 0);
	check(NULL, PRECHECK_SETID, PRECHECK_UNWATCHED, "set-group-ID");
	/* nothing changes hands: it is ours already */
	assert_int_equal(chown(path, 0, 0), 0);
	assert_int_equal(chmod(path, 04755), 0);
	check(NULL, PRECHECK_OK, PRECHECK_RUN, NULL);
}

static void
test_other_files(void **state)
{
	struct precheck p;
	char text[128];

	(void)state;
	put("just text", 9, 0755);
	check(NULL, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	put("#! \n", 4, 0755);
	check(NULL, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	/* a script that names itself is followed for a while only */
	snprintf(text, sizeof text, "#!%s -x\n", path);
	put(text, strlen(text), 0755);
	precheck_file(path, "./prog", &p);
	assert_int_equal(p.verdict, PRECHECK_RUN);
	unlink(path);
	assert_int_equal(mkfifo(path, 0700), 0);
	check(NULL, PRECHECK_UNREADABLE, PRECHECK_RUN, NULL);
	precheck_file("/nonexistent", "x", &p);
	assert_int_equal(p.kind, PRECHECK_UNREADABLE);
}

static void
test_script(void **state)
{
	char interpreter[80], text[128];
	struct precheck p;
	struct image m;

	(void)state;
	image_init(&m);
	m.ph[1].p_type = PT_NULL;
	put(&m, sizeof m, 0755);
	snprintf(interpreter, sizeof interpreter, "%s/static", dir);
	assert_int_equal(rename(path, interpreter), 0);
	snprintf(text, sizeof text, "#! %s -x\nbody\n", interpreter);
	put(text, strlen(text), 0755);
	precheck_file(path, "./prog", &p);
	assert_int_equal(p.kind, PRECHECK_STATIC);
	snprintf(
	    text, sizeof text, "./prog (run by %s) is a static", interpreter);
	assert_int_equal(strncmp(p.sentence, text, strlen(text)), 0);
	unlink(interpreter);
}

/* Headers that lie outside the file: the kernel decides, and says. */
static void
test_damaged(void **state)
{
	static const size_t cuts[] = { 4, 15, 16, 40, 63, 100 };
	struct image m;

	(void)state;
	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		image_init(&m);
		put(&m, cuts[i], 0755);
		check(NULL, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	}
	image_init(&m);
	m.eh.e_phoff = INT64_MAX;
	check(&m, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	m.eh.e_phoff = UINT64_MAX - 8;
	check(&m, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	image_init(&m);
	m.eh.e_phentsize = 1;
	check(&m, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	image_init(&m);
	m.ph[1].p_offset = UINT64_C(1) << 62;
	check(&m, PRECHECK_NOT_ELF, PRECHECK_RUN, NULL);
	/* sections are not what the loader looks at */
	image_init(&m);
	m.eh.e_shoff = UINT64_MAX - 64;
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);
	image_init(&m);
	m.sh[1].sh_size = UINT64_MAX;
	m.dyn[0].d_un.d_val = UINT64_MAX;
	check(&m, PRECHECK_OK, PRECHECK_RUN, NULL);
}

/* Any byte may be any other: nothing worse than a wrong answer. */
static void
test_hostile(void **state)
{
	struct precheck p;
	struct image m;

	(void)state;
	srand(1);
	for (int i = 0; i < 3000; i++) {
		unsigned char *bytes = (unsigned char *)&m;
		size_t len = sizeof m;

		image_init(&m);
		for (int k = 0; k < 4; k++)
			bytes[(size_t)rand() % sizeof m] =
			    rand() % 2 ? 0xff : (unsigned char)rand();
		if (i % 3 == 0)
			len = (size_t)rand() % sizeof m;
		put(&m, len, 0755);
		precheck_file(path, "./prog", &p);
	}
}

static void
test_address(void **state)
{
	struct elfpeek p = { .segments = 2 };
	uint64_t v;

	(void)state;
	p.segment[0].vaddr = 0x400000;
	p.segment[0].file_size = 0x1000;
	p.segment[1].offset = 0x1000;
	p.segment[1].vaddr = 0x402000;
	p.segment[1].file_size = 0x500;
	assert_true(elfpeek_address(&p, 0xfff, &v));
	assert_int_equal(v, 0x400fff);
	assert_true(elfpeek_address(&p, 0x1010, &v));
	assert_int_equal(v, 0x402010);
	assert_false(elfpeek_address(&p, 0x1500, &v));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_rights),
		cmocka_unit_test(test_other_files),
		cmocka_unit_test(test_script),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_address),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
