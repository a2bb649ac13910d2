/* flags: -pthread */
/*
 * The server of the first guide.  Two threads, producer and consumer, do what
 * it is told on stdin, a word a line, each answered with one line after its
 * pid:
 *
 *	base       MiB     block    by whom
 *	            40     64 KiB   handle_user_profile > process_request
 *	            24      4 KiB   message_process > process_request
 *	            32      4 KiB   message_process > parse_json
 *	            16    512 B     index_insert > cache_lookup
 *	             8     64 KiB   buffer_pool_get > logger_write
 *	             8      4 KiB   other_functions
 *	grow        32      4 KiB   new_cache_entry
 *	            16     64 KiB   handle_new_connection
 *	dump       prof.dump, and the name it hands back
 *	cd DIR     lives there from now on
 *
 * The first three and handle_new_connection are the producer's.  Nothing is
 * ever freed.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KIB      ((size_t)1024)

extern int je_mallctl(const char *, void *, size_t *, void *, size_t)
    __attribute__((weak));

static _Thread_local void *volatile kept;

/* A macro: it is the function itself that is to be seen to allocate. */
#define KEEP(mib, size)                                            \
	for (size_t n_ = (mib)*KIB * KIB / (size); n_ > 0; n_--) { \
		void **p_ = malloc(size);                          \
		*p_ = kept;                                        \
		kept = p_;                                         \
	}

NOINLINE static void
process_request(size_t mib, size_t size){ KEEP(mib, size) }

NOINLINE static void parse_json(void){ KEEP(32, 4 * KIB) }

NOINLINE static void handle_user_profile(void)
{
	process_request(40, 64 * KIB);
}

NOINLINE static void
message_process(void)
{
	process_request(24, 4 * KIB);
	parse_json();
}

NOINLINE static void
cache_lookup(void){ KEEP(16, 512) }

NOINLINE static void index_insert(void)
{
	cache_lookup();
}

NOINLINE static void
logger_write(void){ KEEP(8, 64 * KIB) }

NOINLINE static void buffer_pool_get(void)
{
	logger_write();
}

NOINLINE static void
other_functions(void){ KEEP(8, 4 * KIB) }

NOINLINE static void new_cache_entry(void){ KEEP(32, 4 * KIB) }

NOINLINE static void handle_new_connection(void)
{
	KEEP(16, 64 * KIB)
}

static sem_t go[2], done;
static bool growing;

NOINLINE static void *
producer(void *arg)
{
	pthread_setname_np(pthread_self(), "producer");
	for (;;) {
		sem_wait(&go[0]);
		if (growing)
			handle_new_connection();
		else {
			handle_user_profile();
			message_process();
		}
		sem_post(&done);
	}
	return arg;
}

NOINLINE static void *
consumer(void *arg)
{
	pthread_setname_np(pthread_self(), "consumer");
	for (;;) {
		sem_wait(&go[1]);
		if (growing)
			new_cache_entry();
		else {
			index_insert();
			buffer_pool_get();
			other_functions();
		}
		sem_post(&done);
	}
	return arg;
}

static void
work(bool grow)
{
	growing = grow;
	sem_post(&go[0]);
	sem_post(&go[1]);
	sem_wait(&done);
	sem_wait(&done);
	puts("done");
}

static void
dump(void)
{
	char buffer[4096];
	size_t length = sizeof buffer;

	if (!je_mallctl || je_mallctl("prof.dump", buffer, &length, NULL, 0))
		puts("no dump");
	else
		puts(buffer);
}

static void
obey(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (!strcmp(line, "base") || !strcmp(line, "grow"))
		work(line[0] == 'g');
	else if (!strcmp(line, "dump"))
		dump();
	else if (!strncmp(line, "cd ", 3))
		puts(chdir(line + 3) == 0 ? "done" : "no such directory");
	else
		puts("?");
}

int
main(void)
{
	static char line[4096], out[4096];
	pthread_t t;

	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, out, _IOLBF, sizeof out);
	printf("%d\n", (int)getpid());
	sem_init(&go[0], 0, 0);
	sem_init(&go[1], 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&t, NULL, producer, NULL);
	pthread_create(&t, NULL, consumer, NULL);
	while (fgets(line, sizeof line, stdin))
		obey(line);
	return 0;
}
