#include "io/symbols.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "io/loop.h"
#include "io/symbolize.h"
#include "io/symcand.h"
#include "io/symproc.h"
#include "io/symwire.h"
#include "model/frames.h"
#include "model/modules.h"
#include "model/profile.h"

#define MEMORY_BYTES (UINT64_C(4) << 30)
/* Without a byte from the child for so long, it is given up. */
#define PATIENCE_NS UINT64_C(30000000000)

/* Places of one module that wait. */
struct waiting {
	frame_id *ids;
	size_t count, cap;
	size_t named;  /* of ids: the symbol table was asked up to here */
	size_t lined;  /* and DWARF up to here; <= named */
	bool no_lines; /* there are none, or reading them failed */
	bool broken;   /* the file cannot be read at all */
	char note[SYMBOLIZE_NOTE];
};

struct source {
	struct profile *profile;
	pid_t pid;
	char *program;
	frame_id seen; /* places up to here are in `modules` or answered */
	struct waiting *modules; /* by id */
	uint32_t module_count;
	struct source *next;
};

/* The request that the child is at. */
struct job {
	struct source *source; /* NULL: none */
	uint32_t module;
	bool lines;
	size_t first, count; /* of the module's ids */
};

struct symbols {
	struct loop *loop;
	struct symbols_options o;
	char *lib_prefix;
	struct source *sources;
	struct job job;
	uint32_t asked, answered;
	struct symproc child;
	loop_timer patience;
	struct buf in;
};

static void start_job(struct symbols *s);

struct symbols *
symbols_new(struct loop *l, const struct symbols_options *o)
{
	struct symbols *s = xcalloc(1, sizeof *s);

	s->loop = l;
	s->o = *o;
	if (s->o.memory_bytes == 0)
		s->o.memory_bytes = MEMORY_BYTES;
	if (o->lib_prefix != NULL)
		s->lib_prefix = xstrdup(o->lib_prefix);
	s->child.fd = -1;
	return s;
}

static void
end_child(struct symbols *s)
{
	loop_cancel(s->loop, s->patience);
	s->patience = 0;
	if (s->child.fd < 0)
		return;
	loop_unwatch(s->loop, s->child.fd);
	symproc_end(&s->child);
	buf_clear(&s->in);
}

static void
source_free(struct source *c)
{
	for (uint32_t i = 0; i < c->module_count; i++)
		free(c->modules[i].ids);
	free(c->modules);
	free(c->program);
	free(c);
}

void
symbols_free(struct symbols *s)
{
	if (s == NULL)
		return;
	end_child(s);
	while (s->sources != NULL) {
		struct source *c = s->sources;

		s->sources = c->next;
		source_free(c);
	}
	buf_fini(&s->in);
	free(s->lib_prefix);
	free(s);
}

void
symbols_add(
    struct symbols *s, struct profile *p, pid_t pid, const char *program)
{
	struct source *c = xcalloc(1, sizeof *c);

	c->profile = p;
	c->pid = pid;
	if (program != NULL)
		c->program = xstrdup(program);
	c->next = s->sources;
	s->sources = c;
}

static struct source *
find_source(const struct symbols *s, const struct profile *p)
{
	for (struct source *c = s->sources; c != NULL; c = c->next)
		if (c->profile == p)
			return c;
	return NULL;
}

void
symbols_dead(struct symbols *s, struct profile *p)
{
	struct source *c = find_source(s, p);

	if (c != NULL)
		c->pid = 0;
}

void
symbols_remove(struct symbols *s, struct profile *p)
{
	struct source **at = &s->sources, *c = find_source(s, p);

	if (c == NULL)
		return;
	if (s->job.source == c) {
		/* Its answer would go nowhere: begin anew with the rest. */
		end_child(s);
		s->job.source = NULL;
	}
	while (*at != c)
		at = &(*at)->next;
	*at = c->next;
	source_free(c);
	start_job(s);
}

static void on_answer(void *arg, int fd, unsigned events);

static int
start_child(struct symbols *s)
{
	if (s->child.fd >= 0)
		return 0;
	if (symproc_start(&s->child, s->o.memory_bytes) < 0)
		return -1;
	loop_watch(s->loop, s->child.fd, POLLIN, on_answer, s);
	return 0;
}

void
symbols_start(struct symbols *s)
{
	(void)start_child(s); /* tried again when it is needed */
}

static void
write_request(const struct symbols *s, const struct job *j, struct buf *b)
{
	const struct source *c = j->source;
	const struct module *m =
	    modules_find(profile_modules(c->profile), j->module);
	const struct frames *f = profile_frames_const(c->profile);
	const struct waiting *w = &c->modules[j->module];
	const struct profile_facts *facts = profile_facts(c->profile);
	size_t start;
	struct symcand cand;
	char *plain = symcand_plain(m->path);

	symcand_find(&cand, m, c->pid, facts->image != NULL ? facts->image : "",
	    c->program, s->lib_prefix);
	start = symwire_begin(b, j->lines ? ASK_LINES : ASK_NAMES);
	buf_putc(b, (char)m->build_id_len);
	buf_put(b, m->build_id, m->build_id_len);
	symwire_put_string(b, plain);
	symwire_put_u32(b, (uint32_t)cand.count);
	for (size_t i = 0; i < cand.count; i++)
		symwire_put_string(b, cand.path[i]);
	symwire_put_u32(b, (uint32_t)j->count);
	for (size_t i = 0; i < j->count; i++) {
		uint64_t offset = frames_offset(f, w->ids[j->first + i]);

		buf_put(b, &offset, sizeof offset);
	}
	symwire_end(b, start);
	symcand_fini(&cand);
	free(plain);
}

/* Nobody will name these any more: what is not named is nameless, and there is
 * nothing more to come. */
static void
settle(struct symbols *s, struct source *c, struct waiting *w, size_t first,
    size_t end)
{
	struct frames *f = profile_frames(c->profile);

	for (size_t i = first; i < end; i++) {
		if (frames_state(f, w->ids[i]) == FRAME_ASKED)
			frames_set_names(f, w->ids[i], NULL, 0);
		frames_set_half(f, w->ids[i], false);
		s->answered++;
	}
}

/* Everything of the module that waits is done with. */
static void
give_up(struct symbols *s, struct source *c, struct waiting *w)
{
	settle(s, c, w, w->lined, w->count);
	w->named = w->lined = w->count;
}

/* The next piece of work: names go before lines. */
static bool
next_job(struct symbols *s, struct job *j, bool lines)
{
	for (struct source *c = s->sources; c != NULL; c = c->next) {
		for (uint32_t i = 1; i < c->module_count; i++) {
			struct waiting *w = &c->modules[i];
			size_t first = lines ? w->lined : w->named;
			size_t end = lines ? w->named : w->count;

			if (first == end)
				continue;
			if (end - first > SYMWIRE_PLACES)
				end = first + SYMWIRE_PLACES;
			*j = (struct job){ c, i, lines, first, end - first };
			return true;
		}
	}
	return false;
}

/* The child is gone or hangs: what it was at is not asked again. */
static void
job_failed(struct symbols *s)
{
	struct source *c = s->job.source;
	struct waiting *w;
	const struct module *m;

	end_child(s);
	if (c == NULL)
		return;
	w = &c->modules[s->job.module];
	m = modules_find(profile_modules(c->profile), s->job.module);
	snprintf(w->note, sizeof w->note,
	    "reading the %s of %.300s took too much memory or time, or it is "
	    "damaged",
	    s->job.lines ? "debug information" : "symbols", m->path);
	w->no_lines = true;
	w->broken = !s->job.lines;
	s->job.source = NULL;
}

/* Modules without lines have nothing to wait for once they are named. */
static void
settle_finished(struct symbols *s)
{
	for (struct source *c = s->sources; c != NULL; c = c->next) {
		for (uint32_t i = 1; i < c->module_count; i++) {
			struct waiting *w = &c->modules[i];

			if (w->broken)
				give_up(s, c, w);
			if (!w->no_lines && !s->o.names_only)
				continue;
			settle(s, c, w, w->lined, w->named);
			w->lined = w->named;
		}
	}
}

static void
on_patience(void *arg)
{
	struct symbols *s = arg;

	s->patience = 0;
	job_failed(s);
	start_job(s);
}

static void
be_patient(struct symbols *s)
{
	loop_cancel(s->loop, s->patience);
	s->patience = loop_after(s->loop, PATIENCE_NS, on_patience, s);
}

static void
start_job(struct symbols *s)
{
	while (s->job.source == NULL) {
		struct buf b = BUF_INIT;
		int r;

		settle_finished(s);
		if (!next_job(s, &s->job, false) && !next_job(s, &s->job, true))
			break;
		r = start_child(s);
		if (r == 0) {
			write_request(s, &s->job, &b);
			r = send(s->child.fd, b.data, b.len,
				MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)b.len
			    ? 0
			    : -1;
		}
		buf_fini(&b);
		if (r < 0)
			job_failed(s);
		else
			be_patient(s);
	}
}

static bool
take_note(struct symbols *s, const char *p, const char *end)
{
	struct waiting *w = &s->job.source->modules[s->job.module];
	uint32_t has_lines;
	char *note;

	if (!symwire_take(&p, end, &has_lines, sizeof has_lines))
		return false;
	note = symwire_take_string(&p, end);
	if (note == NULL)
		return false;
	if (s->job.lines && !has_lines)
		w->no_lines = true;
	snprintf(w->note, sizeof w->note, "%s", note);
	free(note);
	return true;
}

static bool
take_place(struct symbols *s, const char *p, const char *end)
{
	struct source *c = s->job.source;
	struct waiting *w = &c->modules[s->job.module];
	struct frames *f = profile_frames(c->profile);
	struct frame_name names[SYMBOLIZE_DEPTH];
	char *text[2 * SYMBOLIZE_DEPTH];
	uint32_t index, count, got = 0;
	bool ok = false;

	if (!symwire_take(&p, end, &index, sizeof index) ||
	    !symwire_take(&p, end, &count, sizeof count) ||
	    index >= s->job.count || count > SYMBOLIZE_DEPTH)
		return false;
	for (; got < count; got++) {
		text[2 * got] = symwire_take_string(&p, end);
		text[2 * got + 1] = symwire_take_string(&p, end);
		if (text[2 * got] == NULL || text[2 * got + 1] == NULL ||
		    !symwire_take(
			&p, end, &names[got].line, sizeof names[got].line)) {
			got++;
			goto out;
		}
		names[got].function = text[2 * got];
		names[got].file = text[2 * got + 1];
	}
	ok = p == end;
	/* A place with lines alone (assembly) is named by what it is in. */
	if (ok && count > 0 && names[count - 1].function[0] != 0) {
		frame_id id = w->ids[s->job.first + index];

		frames_set_names(f, id, names, count);
		frames_set_half(f, id, !s->job.lines);
	}
out:
	for (uint32_t i = 0; i < 2 * got; i++)
		free(text[i]);
	return ok;
}

static void
job_done(struct symbols *s)
{
	struct source *c = s->job.source;
	struct waiting *w = &c->modules[s->job.module];
	size_t end = s->job.first + s->job.count;

	if (s->job.lines) {
		settle(s, c, w, s->job.first, end);
		w->lined = end;
	} else {
		w->named = end;
	}
	s->job.source = NULL;
	loop_cancel(s->loop, s->patience);
	s->patience = 0;
}

/* Take one record off; 1, 0 if there is none yet, -1 if it is nonsense. */
static int
take_record(struct symbols *s, size_t *at)
{
	const char *p = s->in.data + *at;
	struct symwire_head h;
	bool ok;

	if (s->in.len - *at < sizeof h)
		return 0;
	memcpy(&h, p, sizeof h);
	if (h.size > SYMWIRE_MAX || s->job.source == NULL)
		return -1;
	if (s->in.len - *at - sizeof h < h.size)
		return 0;
	p += sizeof h;
	*at += sizeof h + h.size;
	switch (h.kind) {
	case ANSWER_NOTE: ok = take_note(s, p, p + h.size); break;
	case ANSWER_PLACE: ok = take_place(s, p, p + h.size); break;
	case ANSWER_DONE:
		job_done(s);
		ok = true;
		break;
	default: ok = false; break;
	}
	return ok ? 1 : -1;
}

static void
take_records(struct symbols *s)
{
	size_t at = 0;
	int r;

	while ((r = take_record(s, &at)) > 0)
		;
	if (r < 0) {
		job_failed(s);
		return;
	}
	memmove(s->in.data, s->in.data + at, s->in.len - at);
	s->in.len -= at;
}

static void
on_answer(void *arg, int fd, unsigned events)
{
	struct symbols *s = arg;
	char piece[8192];
	/* symbols_finish may have read it all since the loop saw it */
	ssize_t n = recv(fd, piece, sizeof piece, MSG_DONTWAIT);

	(void)events;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		job_failed(s);
	} else {
		buf_put(&s->in, piece, (size_t)n);
		if (s->job.source != NULL)
			be_patient(s);
		take_records(s);
	}
	start_job(s);
	if (s->o.changed != NULL)
		s->o.changed(s->o.arg);
}

static void
put_waiting(struct source *c, uint32_t module, frame_id id)
{
	struct waiting *w;

	if (module >= c->module_count) {
		uint32_t n = module + 16;

		c->modules = xreallocarray(c->modules, n, sizeof *w);
		memset(c->modules + c->module_count, 0,
		    (n - c->module_count) * sizeof *w);
		c->module_count = n;
	}
	w = &c->modules[module];
	VEC_ROOM(w->ids, w->cap, w->count + 1);
	w->ids[w->count++] = id;
}

static void
ask_new(struct symbols *s, struct source *c)
{
	struct frames *f = profile_frames(c->profile);
	const struct modules *m = profile_modules(c->profile);
	uint32_t count = frames_count(f);

	while (c->seen < count) {
		frame_id id = ++c->seen;
		uint32_t module = frames_module(f, id);

		/* named by the file it came from; of another profile that has
		 * gone it may have half of it */
		if (frames_state(f, id) != FRAME_UNKNOWN && !frames_half(f, id))
			continue;
		s->asked++;
		frames_set_asked(f, id);
		if (module != 0 && modules_find(m, module) != NULL) {
			put_waiting(c, module, id);
			continue;
		}
		frames_set_names(f, id, NULL, 0);
		s->answered++;
	}
}

void
symbols_ask(struct symbols *s)
{
	for (struct source *c = s->sources; c != NULL; c = c->next)
		ask_new(s, c);
	start_job(s);
}

int
symbols_finish(struct symbols *s, int timeout_ms)
{
	uint64_t end = loop_clock_ns() + (uint64_t)timeout_ms * 1000000u;

	symbols_ask(s);
	while (s->job.source != NULL) {
		struct pollfd p = { .fd = s->child.fd, .events = POLLIN };
		int wait = (int)(PATIENCE_NS / 1000000u), n;
		bool mine = false;

		if (timeout_ms >= 0) {
			uint64_t now = loop_clock_ns();
			uint64_t left = now < end ? (end - now) / 1000000u : 0;

			if (left < (uint64_t)wait) {
				wait = (int)left;
				mine = true;
			}
		}
		n = poll(&p, 1, wait);
		if (n > 0)
			on_answer(s, s->child.fd, (unsigned)p.revents);
		else if (n == 0 && mine)
			return 1;
		else if (n == 0)
			on_patience(s);
	}
	return 0;
}

void
symbols_progress(const struct symbols *s, uint32_t *answered, uint32_t *asked)
{
	*answered = s->answered;
	*asked = s->asked;
}

const char *
symbols_note(const struct symbols *s, const struct profile *p, uint32_t module)
{
	const struct source *c = find_source(s, p);

	if (c == NULL || module >= c->module_count)
		return "";
	return c->modules[module].note;
}
