#include "wrap.h"

#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "control.h"
#include "creds.h"
#include "meta.h"
#include "os.h"
#include "unwind.h"

#define EXPORT __attribute__((visibility("default")))

/* Below the lowest address taken for a thread's stack lie its guard pages,
 * which libc counts in the size; one page is its least. */
#define GUARD_BYTES 4096

static _Thread_local uintptr_t stack_lo, stack_hi;

/* The function behind ours of that name; these are called where dlsym may
 * be, never from malloc. */
static void *
behind(void *_Atomic *cache, const char *name)
{
	if (!*cache)
		*cache = dlsym(RTLD_NEXT, name);
	return *cache;
}

void
wrap_stack_bounds(uintptr_t *lo, uintptr_t *hi)
{
	*lo = stack_lo;
	*hi = stack_hi;
}

struct start {
	void *(*fn)(void *);
	void *arg;
	size_t stack_size;
};

/* libc puts the thread control block at the top of a thread's stack, also of
 * one that the program provides. */
static void *
thread_main(void *arg)
{
	struct start s = *(struct start *)arg;

	meta_free(arg, sizeof s);
	stack_hi = (uintptr_t)__builtin_thread_pointer();
	if (s.stack_size > GUARD_BYTES && s.stack_size < stack_hi)
		stack_lo = stack_hi - s.stack_size + GUARD_BYTES;
	return s.fn(s.arg);
}

static size_t
default_stack_size(void)
{
	pthread_attr_t attr;
	size_t n = 0;

	if (pthread_getattr_default_np(&attr) != 0)
		return 0;
	pthread_attr_getstacksize(&attr, &n);
	pthread_attr_destroy(&attr);
	return n;
}

EXPORT int
pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
    void *(*fn)(void *), void *restrict arg)
{
	static void *_Atomic cache;
	static size_t usual;
	int (*next)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	struct start *s = meta_alloc(sizeof *s);
	int r;

	*(void **)&next = behind(&cache, "pthread_create");
	if (!s)
		return next(thread, attr, fn, arg);
	if (usual == 0)
		usual = default_stack_size();
	*s = (struct start){ fn, arg, usual };
	if (attr)
		pthread_attr_getstacksize(attr, &s->stack_size);
	r = next(thread, attr, thread_main, s);
	if (r != 0)
		meta_free(s, sizeof *s);
	return r;
}

EXPORT int
unshare(int flags)
{
	bool user = flags & CLONE_NEWUSER;
	long r;

	if (user)
		control_request(ASK_STOP);
	r = os_syscall(SYS_unshare, flags);
	if (user)
		control_resume();
	if (r < 0)
		errno = (int)-r;
	return r < 0 ? -1 : 0;
}

EXPORT int
setns(int fd, int type)
{
	bool user = type == 0 || (type & CLONE_NEWUSER);
	long r;

	if (user)
		control_request(ASK_STOP);
	r = os_syscall(SYS_setns, fd, type);
	if (user)
		control_resume();
	if (r < 0)
		errno = (int)-r;
	return r < 0 ? -1 : 0;
}

/* A filter is about to be set in this thread, or in all. */
static void
before_filter(void)
{
	control_silence();
	unwind_no_syscalls();
}

static bool
sets_filter(long n, long a)
{
	return (n == SYS_prctl && a == PR_SET_SECCOMP) ||
	    (n == SYS_seccomp &&
		(a == SECCOMP_SET_MODE_FILTER || a == SECCOMP_SET_MODE_STRICT));
}

EXPORT int
prctl(int option, ...)
{
	unsigned long a[4];
	va_list ap;
	long r;

	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (sets_filter(SYS_prctl, option))
		before_filter();
	r = os_syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
	if (r < 0) {
		errno = (int)-r;
		return -1;
	}
	return (int)r;
}

/* What syscall() below hands on: the calls that have a wrapper here. */
long wrap_syscall(long n, long a, long b, long c, long d, long e, long f);
/* -errno to -1 and errno. */
long wrap_failed(long r);

long
wrap_failed(long r)
{
	errno = (int)-r;
	return -1;
}

long
wrap_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	long r;

	if (n == SYS_unshare)
		return unshare((int)a);
	if (n == SYS_setns)
		return setns((int)a, (int)b);
	if (sets_filter(n, a))
		before_filter();
	r = os_syscall6(n, a, b, c, d, e, f);
	return r < 0 && r >= -4095 ? wrap_failed(r) : r;
}

/*
 * syscall() has no frame of its own in libc either: whoever makes a vfork or
 * a clone through it comes back twice, or on another stack.  So all but the
 * few calls above go straight to the kernel, in assembly.
 */
#define TEXT(x)  TEXT_(x)
#define TEXT_(x) #x
#if defined __x86_64__
__asm__(
    ".pushsection .text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    ".cfi_startproc\n"
    "cmp $" TEXT(
	__NR_seccomp) ", %rdi\n"
		      "je 2f\n"
		      "cmp $" TEXT(
			  __NR_prctl) ", %rdi\n"
				      "je 2f\n"
				      "cmp $" TEXT(
					  __NR_unshare) ", %rdi\n"
							"je 2f\n"
							"cmp $" TEXT(
							    __NR_setns) ", %rdi\n"
									"je 2f\n"
									"mov %rdi, %rax\n"
									"mov %rsi, %rdi\n"
									"mov %rdx, %rsi\n"
									"mov %rcx, %rdx\n"
									"mov %r8, %r10\n"
									"mov %r9, %r8\n"
									"mov 8(%rsp), %r9\n"
									"syscall\n"
									"cmp $-4095, %rax\n"
									"jae 1f\n"
									"ret\n"
									"1: mov %rax, %rdi\n"
									"jmp wrap_failed\n"
									"2: jmp wrap_syscall\n"
									".cfi_endproc\n"
									".size syscall, .-syscall\n"
									".popsection\n");
#elif defined __aarch64__
__asm__(
    ".pushsection .text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    ".cfi_startproc\n"
    "cmp x0, #" TEXT(
	__NR_seccomp) "\n"
		      "b.eq 2f\n"
		      "cmp x0, #" TEXT(
			  __NR_prctl) "\n"
				      "b.eq 2f\n"
				      "cmp x0, #" TEXT(
					  __NR_unshare) "\n"
							"b.eq 2f\n"
							"cmp x0, #" TEXT(
							    __NR_setns) "\n"
									"b.eq 2f\n"
									"mov x8, x0\n"
									"mov x0, x1\n"
									"mov x1, x2\n"
									"mov x2, x3\n"
									"mov x3, x4\n"
									"mov x4, x5\n"
									"mov x5, x6\n"
									"svc 0\n"
									"cmn x0, #4095\n"
									"b.cs 1f\n"
									"ret\n"
									"1: b wrap_failed\n"
									"2: b wrap_syscall\n"
									".cfi_endproc\n"
									".size syscall, .-syscall\n"
									".popsection\n");
#endif

/* Define a wrapper of a function that changes credentials: call what is
 * behind, and if it succeeded let the helper follow. */
#define FOLLOWED(name, params, args, types)              \
	EXPORT int name params                           \
	{                                                \
		static void *_Atomic cache;              \
		int(*next) types;                        \
		int r;                                   \
                                                         \
		*(void **)&next = behind(&cache, #name); \
		if (!next) {                             \
			errno = ENOSYS;                  \
			return -1;                       \
		}                                        \
		r = next args;                           \
		if (r == 0)                              \
			creds_follow();                  \
		return r;                                \
	}

FOLLOWED(setuid, (uid_t a), (a), (uid_t))
FOLLOWED(setgid, (gid_t a), (a), (gid_t))
FOLLOWED(seteuid, (uid_t a), (a), (uid_t))
FOLLOWED(setegid, (gid_t a), (a), (gid_t))
FOLLOWED(setreuid, (uid_t a, uid_t b), (a, b), (uid_t, uid_t))
FOLLOWED(setregid, (gid_t a, gid_t b), (a, b), (gid_t, gid_t))
FOLLOWED(
    setresuid, (uid_t a, uid_t b, uid_t c), (a, b, c), (uid_t, uid_t, uid_t))
FOLLOWED(
    setresgid, (gid_t a, gid_t b, gid_t c), (a, b, c), (gid_t, gid_t, gid_t))
FOLLOWED(setgroups, (size_t n, const gid_t *list), (n, list),
    (size_t, const gid_t *))
FOLLOWED(initgroups, (const char *user, gid_t group), (user, group),
    (const char *, gid_t))

/* libcap's way down; libc exports it without a header. */
EXPORT int capset(cap_user_header_t head, const cap_user_data_t data);
FOLLOWED(capset, (cap_user_header_t head, const cap_user_data_t data),
    (head, data), (cap_user_header_t, const cap_user_data_t))
