/*
 * jemalloc's mallctl(), for programs that steer their profile themselves.
 *
 * Names and errors are jemalloc's: EINVAL for a wrong size (what fits is
 * copied), ENOENT, EPERM, EFAULT.  The parts of a mib stand where those of the
 * name do, and numbers may be changed in their places; the first tells the
 * name.  prof.dump also hands back what it wrote, which jemalloc does not:
 * into a buffer of characters, or as a pointer if oldlen is that of a
 * pointer.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "conf.h"
#include "ctlnode.h"
#include "dump.h"
#include "heaptop.h"
#include "init.h"

#define EXPORT __attribute__((visibility("default")))

/* The program's side of a call. */
struct request {
	void *old;
	size_t *old_len;
	const void *new;
	size_t new_len;
};

/* Hand a value of `size` bytes out. */
static int
hand_back(const struct request *r, const void *p, size_t size)
{
	if (!r->old || !r->old_len)
		return 0;
	if (*r->old_len != size) {
		if (*r->old_len > size)
			*r->old_len = size;
		memcpy(r->old, p, *r->old_len);
		return EINVAL;
	}
	memcpy(r->old, p, size);
	return 0;
}

static int
hand_back_name(const struct request *r, const char *name)
{
	static char kept[DUMP_PATH]; /* what the pointer points at */
	const char *p = kept;
	size_t n = strlen(name) + 1;

	if (!r->old || !r->old_len)
		return 0;
	if (*r->old_len == sizeof p) {
		memcpy(kept, name, n);
		return hand_back(r, &p, sizeof p);
	}
	if (*r->old_len < n)
		return EINVAL;
	memcpy(r->old, name, n);
	*r->old_len = n - 1;
	return 0;
}

static int
dump(const struct request *r)
{
	char name[DUMP_PATH];
	const char *given = NULL;
	int error;

	if (r->new && r->new_len != sizeof given)
		return EINVAL;
	if (r->new)
		memcpy(&given, r->new, sizeof given);
	if (!given) {
		error = dump_auto('m', name, sizeof name);
	} else if (strlen(given) >= sizeof name) {
		error = ENAMETOOLONG;
	} else {
		strcpy(name, given);
		error = dump_to(name);
	}
	if (error != 0)
		return error == EDEADLK ? EAGAIN : EFAULT;
	return hand_back_name(r, name);
}

static int
set_new(const struct ctl_node *n, const struct request *r)
{
	union ctl_value v = { .u64 = 0 };

	if (!r->new)
		return n->set(n, NULL);
	if (r->new_len != ctlnode_size(n->type))
		return EINVAL;
	memcpy(&v, r->new, r->new_len);
	return n->set(n, &v);
}

/* The old value is the one from before. */
static int
handle(const struct ctl_node *n, const struct request *r)
{
	bool sets = r->new || n->type == CTL_VOID || !n->get;
	union ctl_value v = { .u64 = 0 };
	int error;

	init_check_fork(); /* a parent's table is not to be changed */
	if (ctlnode_is_dump(n))
		return dump(r);
	if (r->new && !n->set)
		return EPERM;
	if (r->old && r->old_len && !n->get)
		return EPERM;
	if (n->get && (error = n->get(n, &v)) != 0)
		return error;
	if (sets && (error = set_new(n, r)) != 0)
		return error;
	return n->get ? hand_back(r, &v, ctlnode_size(n->type)) : 0;
}

/* Without a profiler there is no prof.* */
static bool
is_there(const struct ctl_node *n)
{
	if (!n || !init_conf())
		return false;
	return conf.prof ||
	    (strncmp(n->name, "prof.", 5) != 0 &&
		strncmp(n->name, "thread.prof.", 12) != 0);
}

EXPORT int
mallctl(
    const char *name, void *oldp, size_t *oldlenp, void *newp, size_t newlen)
{
	struct request r = { oldp, oldlenp, newp, newlen };
	size_t numbers[CTL_PARTS];
	const struct ctl_node *n;
	int saved = errno, error = ENOENT;

	n = ctlnode_find(name, strlen(name), numbers);
	if (is_there(n))
		error = handle(n, &r);
	errno = saved;
	return error;
}

EXPORT int
mallctlnametomib(const char *name, size_t *mib, size_t *miblen)
{
	size_t numbers[CTL_PARTS] = { 0 }, parts = 0, used = 0;
	const struct ctl_node *n = ctlnode_find(name, strlen(name), numbers);

	if (!is_there(n))
		return ENOENT;
	for (const char *p = n->name; p; parts++) {
		if (parts >= *miblen)
			return EINVAL;
		mib[parts] = parts == 0 ? ctlnode_index(n)
		    : *p == '*'         ? numbers[used++]
					: 0;
		p = strchr(p, '.');
		p = p ? p + 1 : NULL;
	}
	*miblen = parts;
	return 0;
}

EXPORT int
mallctlbymib(const size_t *mib, size_t miblen, void *oldp, size_t *oldlenp,
    void *newp, size_t newlen)
{
	struct request r = { oldp, oldlenp, newp, newlen };
	const struct ctl_node *n = miblen > 0 ? ctlnode_at(mib[0]) : NULL;
	size_t parts = 1;
	int saved = errno, error;

	if (!is_there(n))
		return ENOENT;
	for (const char *p = n->name; *p; p++)
		parts += *p == '.';
	if (parts != miblen)
		return ENOENT;
	error = handle(n, &r);
	errno = saved;
	return error;
}

EXPORT int je_mallctl(const char *name, void *oldp, size_t *oldlenp, void *newp,
    size_t newlen) __attribute__((alias("mallctl")));
EXPORT int je_mallctlnametomib(const char *name, size_t *mib, size_t *miblen)
    __attribute__((alias("mallctlnametomib")));
EXPORT int je_mallctlbymib(const size_t *mib, size_t miblen, void *oldp,
    size_t *oldlenp, void *newp, size_t newlen)
    __attribute__((alias("mallctlbymib")));
