/*
 * The life of the library in its process: start, fork, exit.
 *
 * The first allocation may come before our constructor has run (from ld.so or
 * from the constructors of others); it finds a working allocator, and
 * sampling begins as soon as the constructor is done.
 */
#ifndef PROF_INIT_H
#define PROF_INIT_H

#include <stdbool.h>
#include <stdint.h>

/* When a thread's state is made; does what can be done at this time. */
void init_early(void);

/* Read the options if they can be read by now; true if they have been. */
bool init_conf(void);

/* The constructor has run: sampling may go on. */
bool init_done(void);

/* If this is a fork child that no handler has told so (_Fork, a bare
 * clone), treat it as one now.  No system call. */
void init_check_fork(void);

/* Ticks of 10 ms of CLOCK_MONOTONIC since the library started. */
uint32_t init_ticks(void);

/* CLOCK_MONOTONIC of tick 0. */
uint64_t init_ticks_start_ns(void);

/* CLOCK_MONOTONIC of the start, or of the fork that made this process. */
uint64_t init_start_ns(void);

/* 8 bytes that differ in each process image. */
uint64_t init_entropy(void);

/* This process, as it was at start or fork. */
uint32_t init_pid(void);

/* The calling thread's id, without a system call once the constructor has
 * found where libc keeps it; 0 if it cannot be had. */
uint32_t init_own_tid(void);

#endif
