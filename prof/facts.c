#include "facts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>

#include "conf.h"
#include "control.h"
#include "extents.h"
#include "inherit.h"
#include "init.h"
#include "lock.h"
#include "meta.h"
#include "modinfo.h"
#include "os.h"
#include "rate.h"
#include "span.h"
#include "stats.h"
#include "tablewrite.h"
#include "unwind.h"

/* Fields of /proc/PID/stat, counted after the command's ')': 22 and 12. */
#define START_FIELD 20
#define MAJOR_FIELD 10

/* The path of the program, "" if that cannot be had. */
static char exe[PATH_BYTES] BIG_BSS;
static uint16_t own_malloc; /* HELLO_OWN_MALLOC if `malloc` is not ours */

/* An executable that is not position-independent and takes malloc's address
 * has one of its own for it, of an entry of its linkage table, without
 * defining it. */
static bool
malloc_is_ours(void)
{
	void *p = dlsym(RTLD_DEFAULT, "malloc");
	void *sym = NULL;
	Dl_info info;

	if (unwind_is_own((uintptr_t)p))
		return true;
	return dladdr1(p, &info, &sym, RTLD_DL_SYMENT) != 0 && sym &&
	    ((const ElfW(Sym) *)sym)->st_shndx == SHN_UNDEF;
}

/* The path that the program was started by; asking for the true one takes the
 * kernel too long to do it in every short-lived process. */
void
facts_start(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN);

	if (name)
		strncpy(exe, name, sizeof exe - 1);
	modinfo_set_exe(exe);
	if (!malloc_is_ours())
		own_malloc = HELLO_OWN_MALLOC;
}

bool
facts_own_malloc(void)
{
	return own_malloc != 0;
}

/* The true path; where there is no /proc, what it was. */
static void
find_exe(char path[PATH_BYTES])
{
	long n = os_syscall(
	    SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, PATH_BYTES - 1);

	if (n <= 0)
		return;
	memcpy(exe, path, (size_t)n);
	exe[n] = '\0';
	modinfo_set_exe(exe);
}

uint32_t
facts_read(const char *path, char *buf, uint32_t cap)
{
	long fd = os_syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	uint32_t len = 0;
	long n = 1;

	if (fd < 0)
		return 0;
	while (n > 0 && len < cap) {
		n = os_syscall(SYS_read, fd, buf + len, cap - len);
		if (n > 0)
			len += (uint32_t)n;
	}
	os_syscall(SYS_close, fd);
	return len;
}

static uint64_t
number_at(const char *p, const char *end)
{
	uint64_t n = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	return n;
}

/* The number behind "KEY:\t" in a status file, 0 if it is not there. */
static uint64_t
status_number(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (!at)
		return 0;
	at += strlen(key);
	while (*at == ' ')
		at++;
	return number_at(at, at + strlen(at));
}

/* Seccomp filters of the calling thread, 0 if they cannot be told. */
static uint32_t
filters(void)
{
	char buf[4096];
	uint32_t n = facts_read("/proc/self/status", buf, sizeof buf - 1);

	buf[n] = '\0';
	n = (uint32_t)status_number(buf, "\nSeccomp_filters:\t");
	/* Linux before 5.9 does not count them */
	return n == 0 && status_number(buf, "\nSeccomp:\t") == 2 ? 1 : n;
}

/* A field of /proc/self/stat, 0 if it cannot be read. */
static uint64_t
stat_field(int field)
{
	char buf[1024];
	const char *end = buf + facts_read("/proc/self/stat", buf, sizeof buf);
	const char *p = end;
	int blanks = 0;

	while (p > buf && p[-1] != ')')
		p--;
	while (p < end && blanks < field)
		blanks += *p++ == ' ';
	return number_at(p, end);
}

bool
facts_process(struct process_facts *out)
{
	/* a list of many groups stands before what is wanted */
	static char text[65536] BIG_BSS;
	uint32_t n = facts_read("/proc/self/status", text, sizeof text - 1);

	text[n] = '\0';
	out->rss_bytes = status_number(text, "\nVmRSS:\t") << 10;
	out->virtual_bytes = status_number(text, "\nVmSize:\t") << 10;
	out->swap_bytes = status_number(text, "\nVmSwap:\t") << 10;
	out->anon_bytes = status_number(text, "\nRssAnon:\t") << 10;
	out->file_bytes = status_number(text, "\nRssFile:\t") << 10;
	out->shmem_bytes = status_number(text, "\nRssShmem:\t") << 10;
	out->major_faults = stat_field(MAJOR_FIELD);
	return out->rss_bytes > 0;
}

uint64_t
facts_clock_ns(clockid_t id)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Copy a string into the table; its offset. */
static uint32_t
put(const char *s, size_t len)
{
	void *at;
	uint32_t off = len ? table_append(len, &at) : 0;

	if (off)
		memcpy(at, s, len);
	return off;
}

static void
fill_strings(struct table_head *h)
{
	static char command[PATH_BYTES] BIG_BSS; /* one opener at a time */
	uint32_t len;

	find_exe(command);
	len = facts_read("/proc/self/cmdline", command, sizeof command);
	while (len > 0 && command[len - 1] == '\0')
		len--;
	h->image = put(exe, strlen(exe));
	h->hello.image_len = h->image ? (uint16_t)strlen(exe) : 0;
	h->command = put(command, len);
	h->hello.command_len = h->command ? (uint16_t)len : 0;
}

static void
fill_build_id(struct table_head *h)
{
	static struct modinfo mi;
	uint64_t entry = getauxval(AT_ENTRY);

	if (!modinfo_find(entry, &mi) || mi.build_id_len > BUILD_ID_MAX)
		return;
	memcpy(h->build_id, mi.build_id, mi.build_id_len);
	h->hello.build_id_len = (uint8_t)mi.build_id_len;
}

void
facts_fill(struct table_head *h)
{
	bool quiet = control_is_silent();

	h->hello = (struct hello){
		.magic = FORMAT_MAGIC,
		.version = FORMAT_VERSION,
		.flags = (uint16_t)(own_malloc |
		    (unwind_uses_fp() ? HELLO_UNWIND_FP : 0)),
		.pid = init_pid(),
		.ppid = quiet ? 0 : (uint32_t)os_syscall(SYS_getppid),
		.start_ticks = quiet ? 0 : stat_field(START_FIELD),
		.image_ns = facts_clock_ns(CLOCK_MONOTONIC),
		.wall_ns = facts_clock_ns(CLOCK_REALTIME),
	};
	fill_build_id(h);
	if (quiet)
		return;
	fill_strings(h);
	if (filters() > conf.probe)
		unwind_no_syscalls();
}

static void
copy_extents(struct table_extents *to, enum extents_kind k, struct lock *l)
{
	const struct table_extents *from = &extents[k];

	lock_acquire(l);
	to->missed = from->missed;
	to->count = from->count;
	memcpy(to->at, from->at, from->count * sizeof from->at[0]);
	lock_release(l);
}

static void
tell_extents(struct table_head *h)
{
	copy_extents(&h->extents[EXTENTS_HEAP], EXTENTS_HEAP, span_lock());
	copy_extents(&h->extents[EXTENTS_OWN], EXTENTS_OWN, meta_lock());
	h->extents_magic = EXTENTS_MAGIC;
}

void
facts_totals(void)
{
	struct table_head *h = table_head();
	struct alloc_stats s;
	uint64_t now = facts_clock_ns(CLOCK_MONOTONIC);

	uint32_t seq = h ? __atomic_load_n(&h->exact_seq, __ATOMIC_RELAXED) : 1;

	/* odd: someone else is writing them at this moment */
	if (seq % 2 == 1)
		return;
	alloc_stats(&s);
	if (!__atomic_compare_exchange_n(&h->exact_seq, &seq, seq + 1, false,
		__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	h->exact.exact_ns = now;
	h->exact.live_bytes = s.live_bytes;
	h->exact.live_objects = s.live_objects;
	h->exact.alloc_bytes = s.alloc_bytes;
	h->exact.mapped_bytes = s.mapped_bytes;
	h->exact.cached_bytes = s.cached_bytes;
	h->exact.dirty_bytes = s.dirty_bytes;
	h->exact.meta_bytes = s.meta_bytes;
	h->exact.inactive_ns = rate_inactive_ns(now);
	tell_extents(h);
	__atomic_add_fetch(&h->exact_seq, 1, __ATOMIC_RELEASE);
}
