#include "io/symchild.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "io/symbolize.h"
#include "io/symwire.h"

#define REPLY_BYTES 32768 /* answers are sent in pieces of this size */

/* A file that was asked about before, by the bytes that name it. */
struct known {
	char *key;
	size_t key_len;
	struct symbolizer *symbolizer;
	char note[SYMBOLIZE_NOTE];
};

struct server {
	int in, out;
	struct known *known;
	size_t count, cap;
	struct buf reply;
};

static int
read_whole(int fd, void *to, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, (char *)to + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		got += (size_t)n;
	}
	return 0;
}

static int
flush_reply(struct server *s, size_t keep)
{
	int r = 0;

	if (s->reply.len <= keep)
		return 0;
	r = buf_write(&s->reply, s->out, "answers", NULL);
	buf_clear(&s->reply);
	return r;
}

/* A request taken apart; strings are copies. */
struct request {
	uint8_t build_id[32];
	uint8_t build_id_len;
	char *path;
	char **candidates;
	uint32_t candidate_count;
	uint32_t count;
	const char *offsets; /* count times uint64_t, perhaps unaligned */
	size_t key_len;      /* bytes of the request that name the file */
};

static void
request_fini(struct request *r)
{
	for (uint32_t i = 0; i < r->candidate_count; i++)
		free(r->candidates[i]);
	free(r->candidates);
	free(r->path);
}

static bool
parse_request(struct request *r, const char *p, size_t size)
{
	const char *start = p, *end = p + size;
	uint32_t n;

	memset(r, 0, sizeof *r);
	if (!symwire_take(&p, end, &r->build_id_len, 1) ||
	    r->build_id_len > sizeof r->build_id ||
	    !symwire_take(&p, end, r->build_id, r->build_id_len))
		return false;
	r->path = symwire_take_string(&p, end);
	if (r->path == NULL || !symwire_take(&p, end, &n, sizeof n) || n > 64)
		return false;
	r->candidates = xcalloc(n + 1, sizeof *r->candidates);
	for (; r->candidate_count < n; r->candidate_count++)
		if ((r->candidates[r->candidate_count] =
			    symwire_take_string(&p, end)) == NULL)
			return false;
	r->key_len = (size_t)(p - start);
	if (!symwire_take(&p, end, &r->count, sizeof r->count) ||
	    (size_t)(end - p) != r->count * sizeof(uint64_t))
		return false;
	r->offsets = p;
	return true;
}

static struct known *
find_file(struct server *s, const struct request *r, const char *key)
{
	struct symbolize_file f = {
		.path = r->path,
		.paths = (const char *const *)r->candidates,
		.count = r->candidate_count,
		.build_id = r->build_id,
		.build_id_len = r->build_id_len,
	};
	struct known *k;

	for (size_t i = 0; i < s->count; i++) {
		k = &s->known[i];
		if (k->key_len == r->key_len &&
		    memcmp(k->key, key, k->key_len) == 0)
			return k;
	}
	VEC_ROOM(s->known, s->cap, s->count + 1);
	k = &s->known[s->count++];
	k->key_len = r->key_len;
	k->key = xmalloc(r->key_len + 1);
	memcpy(k->key, key, r->key_len);
	k->symbolizer = symbolize_open(&f, k->note);
	return k;
}

static void
put_place(struct buf *b, struct symbolizer *z, uint32_t index, uint64_t offset,
    int lines)
{
	struct symbolize_name names[SYMBOLIZE_DEPTH];
	unsigned n = symbolize_at(z, offset, lines, names);
	size_t start = symwire_begin(b, ANSWER_PLACE);

	symwire_put_u32(b, index);
	symwire_put_u32(b, n);
	for (unsigned i = 0; i < n; i++) {
		symwire_put_string(b, names[i].function);
		symwire_put_string(b, names[i].file);
		symwire_put_u32(b, names[i].line);
	}
	symwire_end(b, start);
}

static int
answer(struct server *s, int lines, const char *payload, size_t size)
{
	struct request r;
	struct known *k;
	size_t start;
	int ret = -1;

	if (!parse_request(&r, payload, size))
		goto out;
	k = find_file(s, &r, payload);
	start = symwire_begin(&s->reply, ANSWER_NOTE);
	symwire_put_u32(&s->reply, lines && symbolize_has_lines(k->symbolizer));
	symwire_put_string(&s->reply, k->note);
	symwire_end(&s->reply, start);
	for (uint32_t i = 0; i < r.count; i++) {
		uint64_t offset;

		memcpy(&offset, r.offsets + i * sizeof offset, sizeof offset);
		put_place(&s->reply, k->symbolizer, i, offset, lines);
		if (flush_reply(s, REPLY_BYTES) < 0)
			goto out;
	}
	symwire_end(&s->reply, symwire_begin(&s->reply, ANSWER_DONE));
	ret = flush_reply(s, 0);
out:
	request_fini(&r);
	return ret;
}

/* The address space it may have, beyond what it was born with. */
static void
limit_memory(uint64_t bytes)
{
	struct rlimit none = { 0, 0 }, as;
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	setrlimit(RLIMIT_CORE, &none);
	if (f != NULL) {
		if (fscanf(f, "%llu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
#ifdef __SANITIZE_ADDRESS__
	bytes = 0; /* its shadow alone is larger than any limit */
#endif
	if (bytes == 0 || getrlimit(RLIMIT_AS, &as) < 0)
		return;
	bytes += pages * (uint64_t)sysconf(_SC_PAGESIZE);
	if (as.rlim_cur == RLIM_INFINITY || as.rlim_cur > bytes)
		as.rlim_cur = bytes;
	setrlimit(RLIMIT_AS, &as);
}

int
symchild_run(int in, int out, uint64_t memory)
{
	struct server s = { .in = in, .out = out };
	struct symwire_head h;
	char *payload = NULL;
	int status = 0;

	/* Asking servers for debug files is for who asks for it. */
	unsetenv("DEBUGINFOD_URLS");
	limit_memory(memory);
	while (status == 0 && read_whole(in, &h, sizeof h) == 0) {
		if (h.size > SYMWIRE_MAX ||
		    (h.kind != ASK_NAMES && h.kind != ASK_LINES)) {
			status = 1;
			break;
		}
		payload = xreallocarray(payload, h.size + 1, 1);
		if (read_whole(in, payload, h.size) < 0 ||
		    answer(&s, h.kind == ASK_LINES, payload, h.size) < 0)
			status = 1;
	}
	free(payload);
	for (size_t i = 0; i < s.count; i++) {
		symbolize_close(s.known[i].symbolizer);
		free(s.known[i].key);
	}
	free(s.known);
	buf_fini(&s.reply);
	return status;
}
