/* needs: prof/lock.c prof/os.c */
/* libs: -lpthread */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "prof/lock.h"

#define ROUNDS 200000

static struct lock lock;
static unsigned long counter;
static _Atomic unsigned passed;

static void *
count(void *arg)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		lock_acquire(&lock);
		counter++;
		lock_release(&lock);
	}
	return arg;
}

static void
excludes(void **state)
{
	pthread_t t[4];
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (unsigned i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(counter, 4ul * ROUNDS);
	assert_int_equal(lock.word, LOCK_FREE);
}

static void *
pass_once(void *arg)
{
	lock_acquire(&lock);
	passed++;
	lock_release(&lock);
	return arg;
}

/* While a fork is under way only the thread that forks gets through. */
static void
fork_holds(void **state)
{
	pthread_t t[2];
	(void)state;
	lock_fork_begin();
	lock_fork_hold(&lock);
	lock_acquire(&lock);
	lock_release(&lock);
	assert_int_equal(lock.word, LOCK_FORKING);
	for (unsigned i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, pass_once, NULL);
	usleep(20000);
	assert_int_equal(passed, 0);
	lock_reset(&lock);
	lock_fork_end(false);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(passed, 2);
}

static void
reset(void)
{
	lock_reset(&lock);
}

/* A child that had no handlers doesn't wait for a thread it hasn't got. */
static void
bare_child(void **state)
{
	int status;
	(void)state;
	lock_fork_init(reset);
	lock_acquire(&lock);
	pid_t pid = (pid_t)syscall(SYS_fork);
	if (pid == 0) {
		alarm(5);
		lock_acquire(&lock);
		lock_release(&lock);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	lock_release(&lock);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(excludes),
		cmocka_unit_test(fork_holds),
		cmocka_unit_test(bare_child),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
