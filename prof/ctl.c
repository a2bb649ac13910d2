#include "ctl.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "conf.h"
#include "ctlnode.h"
#include "dump.h"
#include "format.h"
#include "rate.h"
#include "reset.h"
#include "say.h"

static void
put(char *out, size_t cap, const char *text)
{
	size_t len = strlen(out);

	strncpy(out + len, text, cap - 1 - len);
}

static int
failed(char *out, size_t cap, int error, const char *why)
{
	put(out, cap, why);
	return error;
}

static bool
is(const char *p, size_t len, const char *s)
{
	return len == strlen(s) && memcmp(p, s, len) == 0;
}

static int
wrong(const struct ctl_node *n, char *out, size_t cap)
{
	put(out, cap, n->name);
	put(out, cap, " is ");
	put(out, cap, n->wants ? n->wants : "something else");
	return EINVAL;
}

static bool
number(const char *p, size_t len, uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9' || n > UINT64_MAX / 100)
			return false;
		n = n * 10 + (uint64_t)(p[i] - '0');
	}
	*out = n;
	return len > 0;
}

/* A value from text; `room` keeps a string. */
static bool
parse(const struct ctl_node *n, const char *p, size_t len, char *room,
    size_t cap, union ctl_value *v)
{
	uint64_t u = 0;

	if (n->type == CTL_BOOL) {
		v->b = is(p, len, "true");
		return v->b || is(p, len, "false");
	}
	if (n->type == CTL_STRING) {
		if (len >= cap)
			return false;
		memcpy(room, p, len);
		room[len] = '\0';
		v->string = room;
		return true;
	}
	if (n->type == CTL_VOID || !number(p, len, &u))
		return false;
	v->u64 = u; /* little-endian: the narrower ones as well */
	return n->type != CTL_U32 || u <= UINT32_MAX;
}

static void
print(const struct ctl_node *n, const union ctl_value *v, char *out, size_t cap)
{
	struct say_number num;

	switch (n->type) {
	case CTL_BOOL: put(out, cap, v->b ? "true" : "false"); break;
	case CTL_U32: put(out, cap, say_number(&num, v->u32)); break;
	case CTL_SIZE: put(out, cap, say_number(&num, v->size)); break;
	case CTL_U64: put(out, cap, say_number(&num, v->u64)); break;
	case CTL_SSIZE:
		if (v->ssize < 0)
			put(out, cap, "-");
		put(out, cap,
		    say_number(&num,
			v->ssize < 0 ? -(uint64_t)v->ssize
				     : (uint64_t)v->ssize));
		break;
	case CTL_STRING: put(out, cap, v->string); break;
	case CTL_VOID: break;
	}
}

/* A dump to the absolute path given, or under the next name of our own. */
static int
dump(const char *value, size_t len, char *out, size_t cap)
{
	char path[PATH_BYTES];
	int error;

	if (len == 0)
		error =
		    conf.prefix[0] == '/' ? dump_auto('m', path, cap) : EINVAL;
	else if (value[0] != '/')
		error = EINVAL;
	else if (len >= sizeof path)
		return failed(out, cap, ENAMETOOLONG, "the path is too long");
	else {
		memcpy(path, value, len);
		path[len] = '\0';
		error = dump_to(path);
	}
	if (error == EINVAL)
		return failed(out, cap, error,
		    "prof.dump wants the absolute path of a file to write");
	if (error != 0)
		return failed(out, cap, error, "the dump could not be written");
	put(out, cap, path);
	return 0;
}

/* The program's threads do it, as the helper may not count. */
static int
reset(size_t value_len, char *out, size_t cap)
{
	if (value_len > 0)
		return failed(out, cap, EINVAL,
		    "prof.reset takes no value here; write prof.lg_sample for "
		    "another rate");
	reset_ask();
	return 0;
}

static int
get(const struct ctl_node *n, char *out, size_t cap)
{
	union ctl_value v = { .u64 = 0 };
	int error;

	if (!n->get)
		return failed(out, cap, EPERM, "it cannot be read");
	error = n->get(n, &v);
	if (error != 0)
		return failed(out, cap, error, "it is not known");
	print(n, &v, out, cap);
	return 0;
}

int
ctl_do(const char *name, size_t name_len, const char *value, size_t value_len,
    char *out, size_t cap)
{
	size_t numbers[CTL_PARTS];
	const struct ctl_node *n = ctlnode_find(name, name_len, numbers);
	char room[sizeof conf.prefix];
	union ctl_value v = { .u64 = 0 };

	memset(out, 0, cap);
	if (!n)
		return failed(out, cap, ENOENT, "there is no such name");
	if (n->own)
		return failed(
		    out, cap, EPERM, "it is a thing of each thread's own");
	if (ctlnode_is_dump(n))
		return dump(value, value_len, out, cap);
	if (is(name, name_len, "prof.reset"))
		return reset(value_len, out, cap);
	if (n->type == CTL_VOID)
		return n->set(n, NULL);
	if (value_len == 0)
		return get(n, out, cap);
	if (!n->set)
		return failed(out, cap, EPERM, "it can only be read");
	if (!parse(n, value, value_len, room, sizeof room, &v))
		return wrong(n, out, cap);
	if (n->set(n, &v) != 0)
		return wrong(n, out, cap);
	return get(n, out, cap);
}
