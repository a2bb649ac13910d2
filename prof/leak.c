#include "leak.h"

#include <string.h>

#include "dumptext.h"
#include "encode.h"
#include "path.h"
#include "say.h"
#include "tablewrite.h"

#define STACKS 5 /* told of, at most */
#define FRAMES 4 /* of each, at most */
#define LINE   400

struct left {
	uint32_t stack;
	double bytes, objects;
};

/* The largest, in order. */
struct most {
	struct left at[STACKS + 1];
	unsigned n;
};

static void
consider(uint32_t stack, double bytes, double objects, void *arg)
{
	struct most *m = arg;
	unsigned i = m->n;

	while (i > 0 && m->at[i - 1].bytes < bytes) {
		m->at[i] = m->at[i - 1];
		i--;
	}
	m->at[i] = (struct left){ stack, bytes, objects };
	if (m->n < STACKS)
		m->n++;
}

static void
append_hex(char *line, uint64_t n)
{
	char text[20];
	int i = sizeof text - 1;

	text[i] = '\0';
	do {
		text[--i] = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n > 0);
	path_append(line, LINE, "0x");
	path_append(line, LINE, text + i);
}

/* "module+0xoffset", the offset being the one in the file's symbols. */
static void
append_frame(char *line, const struct table_view *v, uint64_t frame)
{
	const struct table_module *m =
	    table_module_at(v, (uint32_t)(frame >> FRAME_OFFSET_BITS));
	const char *path = m ? table_at(v, m->path, m->path_len) : NULL;
	uint32_t len = path ? m->path_len : 0, at = len;
	char name[64];

	while (at > 0 && path[at - 1] != '/')
		at--;
	if (len > at && len - at < sizeof name) {
		memcpy(name, path + at, len - at);
		name[len - at] = '\0';
		path_append(line, LINE, name);
		path_append(line, LINE, "+");
	}
	append_hex(line, frame & FRAME_OFFSET_MASK);
}

static void
tell_stack(const struct left *l)
{
	struct table_view v = table_view();
	const struct table_stack *s = table_stack_at(&v, l->stack);
	const uint64_t *f =
	    s ? table_at(&v, s->frames, s->count * sizeof *f) : NULL;
	struct say_number bytes, objects;
	char line[LINE] = "";

	for (unsigned i = 0; f && i < s->count && i < FRAMES; i++) {
		path_append(line, LINE, i > 0 ? " < " : "");
		append_frame(line, &v, f[i]);
	}
	say("  ~", say_number(&bytes, (uint64_t)(l->bytes + 0.5)), " bytes, ~",
	    say_number(&objects, (uint64_t)(l->objects + 0.5)),
	    " objects: ", line, NULL);
}

/* jemalloc's words, and its plurals. */
static void
tell_sums(const struct dump_sums *s)
{
	struct say_number b, n, k;
	uint64_t bytes = (uint64_t)(s->bytes + 0.5);
	uint64_t objects = (uint64_t)(s->objects + 0.5);

	say("Leak approximation summary: ~", say_number(&b, bytes), " byte",
	    bytes == 1 ? "" : "s", ", ~", say_number(&n, objects), " object",
	    objects == 1 ? "" : "s", ", >= ", say_number(&k, s->stacks),
	    " context", s->stacks == 1 ? "" : "s", NULL);
}

static void
tell_command(const char *dump)
{
	const struct table_head *h = table_head();
	char image[LINE] = "PROGRAM";

	if (h->image && h->hello.image_len < sizeof image) {
		memcpy(image, table_ptr(h->image), h->hello.image_len);
		image[h->hello.image_len] = '\0';
	}
	if (dump[0])
		say("Run heaptop --text ", image, " ", dump,
		    " for names and more", NULL);
	else
		say("Run heaptop --text -- ", image, " ... for names and more",
		    NULL);
}

bool
leak_tell(const char *dump)
{
	struct dump_sums sums;
	struct most most = { .n = 0 };

	if (dumptext_live(&sums, consider, &most) != 0 || sums.stacks == 0)
		return false;
	tell_sums(&sums);
	for (unsigned i = 0; i < most.n; i++)
		tell_stack(&most.at[i]);
	tell_command(dump);
	return true;
}
