/*
 * A small service whose heap is known: what to try heaptop on.
 *
 *     heaptop -- ./demo            watch it
 *     heaptop --text -- ./demo     a report when it has ended
 *
 * Worker threads serve made-up requests.  What lives on the heap:
 *
 *     load_index     one huge block, made at the start and kept on purpose
 *     open_session   a constant leak: nobody ever closes a session
 *     parse_header   a leak on the error path only: 2 requests in 100
 *     cache_page     a bounded cache; looks like a leak until it is full
 *     render_page    churn: much is allocated, nothing stays
 *
 * The service counts what each function has live in usable sizes, which is
 * what a heap profiler sees, and prints that truth at its end.  For one seed
 * and one duration the truth is the same in every run: work is done in ticks
 * of 10 ms, a fixed number of them, and workers share nothing.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORKERS           4
#define TICKS_PER_SECOND  100
#define REQUESTS_PER_TICK 20
#define INDEX_BYTES       (32u << 20)
#define SESSION_BYTES     2560u /* one a tick and worker: 1 MiB a second */
#define CACHE_SLOTS       1024u /* per worker; full after about 5 seconds */
#define NOINLINE          __attribute__((noinline))

/* What one function has live. */
struct truth {
	uint64_t bytes;
	uint64_t objects;
	uint64_t allocated; /* bytes ever */
};

struct page {
	uint32_t number;
	char text[]; /* the rendered page */
};

struct worker {
	pthread_t thread;
	uint64_t random;
	unsigned ticks; /* to do */
	struct timespec start;
	struct page *cache[CACHE_SLOTS]; /* a ring: the oldest is replaced */
	uint32_t cached;
	uint64_t checksum; /* so that no work can be left out */
	struct truth sessions, headers, pages, rendered;
};

/* The work of xorshift64* (Vigna, 2014), enough for made-up requests. */
static uint32_t
random_below(struct worker *w, uint32_t limit)
{
	w->random ^= w->random >> 12;
	w->random ^= w->random << 25;
	w->random ^= w->random >> 27;
	return (uint32_t)((w->random * 2685821657736338717ull >> 32) % limit);
}

static void *
must(void *p)
{
	if (p)
		return p;
	fputs("demo: out of memory\n", stderr);
	exit(1);
}

static void
count_new(struct truth *t, void *p)
{
	t->bytes += malloc_usable_size(p);
	t->allocated += malloc_usable_size(p);
	t->objects++;
}

static void
count_free(struct truth *t, void *p)
{
	t->bytes -= malloc_usable_size(p);
	t->objects--;
}

static NOINLINE char *
load_index(struct truth *t)
{
	char *index = must(malloc(INDEX_BYTES));

	for (size_t i = 0; i < INDEX_BYTES; i += 4096)
		index[i] = (char)i;
	count_new(t, index);
	return index;
}

/* Every session is forgotten: the constant leak. */
static NOINLINE void
open_session(struct worker *w)
{
	unsigned char *session = must(malloc(SESSION_BYTES));

	memset(session, (int)random_below(w, 256), SESSION_BYTES);
	w->checksum += session[SESSION_BYTES / 2];
	count_new(&w->sessions, session);
}

/* 0, or -1 for a malformed request; then the copy of the header is lost. */
static NOINLINE int
parse_header(struct worker *w)
{
	size_t size = 1024 + random_below(w, 3072);
	unsigned char *header = must(malloc(size));

	memset(header, (int)(size & 0xff), size);
	w->checksum += header[size - 1];
	count_new(&w->headers, header);
	if (random_below(w, 100) < 2)
		return -1;
	count_free(&w->headers, header);
	free(header);
	return 0;
}

/* Much work in short-lived blocks: the churn. */
static NOINLINE size_t
render_page(struct worker *w)
{
	size_t size = 64;
	char *text = must(malloc(size));
	size_t want = 2048 + random_below(w, 8192);

	count_new(&w->rendered, text);
	while (size < want) {
		count_free(&w->rendered, text);
		size += size / 2;
		text = must(realloc(text, size));
		text[size - 1] = (char)size;
		count_new(&w->rendered, text);
	}
	w->checksum += (unsigned char)text[size - 1];
	count_free(&w->rendered, text);
	free(text);
	return size;
}

/* Keep the newest CACHE_SLOTS pages. */
static NOINLINE void
cache_page(struct worker *w)
{
	size_t size = sizeof(struct page) + 2048 + random_below(w, 4096);
	struct page *page = must(malloc(size));
	struct page **slot = &w->cache[w->cached % CACHE_SLOTS];

	memset(page, 'x', size);
	page->number = w->cached++;
	count_new(&w->pages, page);
	if (*slot) {
		w->checksum += (*slot)->number;
		count_free(&w->pages, *slot);
		free(*slot);
	}
	*slot = page;
}

static NOINLINE void
handle_request(struct worker *w)
{
	if (parse_header(w) < 0) {
		w->checksum++;
		return;
	}
	w->checksum += render_page(w);
	if (random_below(w, 10) == 0) {
		cache_page(w);
		w->checksum++;
	}
}

static void
sleep_until_tick(const struct worker *w, unsigned tick)
{
	struct timespec at = w->start;
	long ns = at.tv_nsec +
	    (long)(tick % TICKS_PER_SECOND) * (1000000000l / TICKS_PER_SECOND);

	at.tv_sec += tick / TICKS_PER_SECOND + ns / 1000000000l;
	at.tv_nsec = ns % 1000000000l;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL))
		;
}

static NOINLINE void *
serve(void *arg)
{
	struct worker *w = arg;

	for (unsigned tick = 0; tick < w->ticks; tick++) {
		sleep_until_tick(w, tick);
		open_session(w);
		for (int i = 0; i < REQUESTS_PER_TICK; i++)
			handle_request(w);
	}
	return NULL;
}

static void
add(struct truth *sum, const struct truth *t)
{
	sum->bytes += t->bytes;
	sum->objects += t->objects;
	sum->allocated += t->allocated;
}

static void
print_truth(const char *function, const struct truth *t, const char *what)
{
	printf("%12llu %8llu %13llu  %-13s %s\n", (unsigned long long)t->bytes,
	    (unsigned long long)t->objects, (unsigned long long)t->allocated,
	    function, what);
}

static void
print_truths(const struct truth *index, const struct worker *workers)
{
	struct truth sessions = { 0 }, headers = { 0 };
	struct truth pages = { 0 }, rendered = { 0 };

	for (int i = 0; i < WORKERS; i++) {
		add(&sessions, &workers[i].sessions);
		add(&headers, &workers[i].headers);
		add(&pages, &workers[i].pages);
		add(&rendered, &workers[i].rendered);
	}
	puts("  live bytes  objects   alloc bytes  function");
	print_truth("load_index", index, "one huge block, kept on purpose");
	print_truth("cache_page", &pages, "a cache of 1024 pages a worker");
	print_truth("open_session", &sessions, "leak: constant");
	print_truth("parse_header", &headers, "leak: only when malformed");
	print_truth("render_page", &rendered, "churn: nothing stays");
}

/* The number after "--NAME=", or `value` if `arg` is another option. */
static unsigned long
number_option(const char *arg, const char *name, unsigned long value, int *ok)
{
	size_t len = strlen(name);
	char *end;
	unsigned long v;

	if (strncmp(arg, name, len) != 0)
		return value;
	v = strtoul(arg + len, &end, 10);
	*ok = *end == '\0' && end != arg + len && v > 0 && v < 1000000;
	return v;
}

int
main(int argc, char **argv)
{
	static struct worker workers[WORKERS];
	struct truth index = { 0 };
	unsigned long seconds = 8, seed = 1;
	struct timespec now;
	char *held;

	for (int i = 1; i < argc; i++) {
		int ok = 0;

		seconds = number_option(argv[i], "--seconds=", seconds, &ok);
		seed = number_option(argv[i], "--seed=", seed, &ok);
		if (!ok) {
			fputs("usage: demo [--seconds=N] [--seed=N]\n", stderr);
			return 2;
		}
	}
	held = load_index(&index);
	clock_gettime(CLOCK_MONOTONIC, &now);
	for (unsigned i = 0; i < WORKERS; i++) {
		struct worker *w = &workers[i];

		w->random = (seed * WORKERS + i) * 0x9e3779b97f4a7c15ull;
		w->ticks = (unsigned)seconds * TICKS_PER_SECOND;
		w->start = now;
		if (pthread_create(&w->thread, NULL, serve, w)) {
			fputs("demo: cannot make a thread\n", stderr);
			return 1;
		}
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	print_truths(&index, workers);
	return held[4096] == (char)4096 ? 0 : 1;
}
