/*
 * What travels between a profiled program and heaptop.
 *
 * The target's helper thread and heaptop talk over one stream socket and one
 * pipe.  On the socket go small messages both ways (enum msg_kind); through
 * the pipe, which heaptop makes and hands over, come dumps.  A dump is a
 * sequence of frames ended by FRAME_END; a recording is the same bytes.
 *
 * Every frame and every message starts with a struct frame_head and is
 * followed by `size` bytes.  All numbers are little-endian; the structs below
 * have no padding and are copied as they are (both ends are little-endian, a
 * big-endian build is refused at compile time).  A frame is at most
 * FRAME_MAX bytes, so a decoder needs no more memory than that; unknown kinds
 * are skipped, so later versions may add some.  A decoder treats every byte
 * as hostile.  heaptop-stream(5) is this page in prose.
 *
 * Both sides include this header; it includes nothing of either.
 */
#ifndef PROF_FORMAT_H
#define PROF_FORMAT_H

#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#	error "the stream format is written for little-endian machines"
#endif

/* First field of hello; a decoder refuses another major version. */
#define FORMAT_MAGIC   0x50545048u /* "HPTP" */
#define FORMAT_VERSION 1u

#define FRAME_MAX    65536u /* payload bytes of one frame, at most */
#define FRAMES_MAX   4096u  /* call frames of one stack, at most */
#define PATH_BYTES   4096u  /* bytes of a path or a command, at most */
#define BUILD_ID_MAX 32u    /* bytes of a build-id that are kept */

struct frame_head {
	uint32_t size; /* payload bytes that follow, <= FRAME_MAX */
	uint16_t kind; /* enum frame_kind or enum msg_kind */
	uint16_t zero; /* must be 0 */
};

/* Frames of a dump, in this order: hello, then modules, threads, stacks (each
 * before anything that names it), cells, ages, deaths, births, totals, end. */
enum frame_kind {
	FRAME_HELLO = 1,
	FRAME_TOTALS = 2,
	FRAME_MODULE = 3,
	FRAME_THREAD = 4,
	FRAME_STACK = 5,
	FRAME_CELLS = 6,
	FRAME_END = 7,
	FRAME_AGES = 8, /* where it is missing no ages are known */
	FRAME_BIRTHS = 9,
	FRAME_DEATHS = 10,
};

/* Messages on the socket.  MSG_HELLO is the target's first message and
 * carries the table's memfd (SCM_RIGHTS) unless HELLO_NO_TABLE is set; its
 * payload is a struct hello and the strings after it.  heaptop's first
 * message is MSG_PIPE with the write end of a pipe (SCM_RIGHTS).  Each
 * MSG_PULL is answered by exactly one dump in the pipe; at most one is
 * outstanding.  MSG_BYE is the only thing the target says unasked. */
enum msg_kind {
	MSG_HELLO = 1, /* target -> heaptop */
	MSG_BYE = 32,  /* target -> heaptop: no more answers; struct bye */
	MSG_PIPE = 33, /* heaptop -> target, empty payload */
	MSG_PULL = 34, /* heaptop -> target, empty payload */
	MSG_CTL = 35, /* heaptop -> target: struct ctl_request + name + value */
	MSG_CTL_REPLY = 36, /* target -> heaptop: struct ctl_reply + text */
};

enum hello_flag {
	HELLO_NO_TABLE = 1, /* the table is anonymous: no memfd follows */
	HELLO_FORKED = 2, /* child of a fork: accumulated figures start at 0 */
	HELLO_OWN_MALLOC = 4, /* `malloc` of the program is not ours */
	HELLO_SILENT = 8,     /* a seccomp filter: the helper answers no more */
	HELLO_UNWIND_FP = 16, /* frame pointers only (old libc, or asked for) */
};

/*
 * Who speaks.  Followed by the strings image (path of the executable),
 * command (arguments separated by NUL bytes) and build_id (raw bytes), of
 * the lengths given here.
 *
 * `image_ns` is CLOCK_MONOTONIC at which this process image opened its
 * table: (pid, image_ns) names a process image; an exec makes a new one.
 */
struct hello {
	uint32_t magic;
	uint16_t version;
	uint16_t flags;
	uint32_t pid; /* in the target's own pid namespace */
	uint32_t ppid;
	uint64_t
	    start_ticks;   /* field 22 of /proc/PID/stat; 0 if not readable */
	uint64_t image_ns; /* CLOCK_MONOTONIC when the table was opened */
	uint64_t wall_ns;  /* CLOCK_REALTIME at that same moment */
	uint16_t image_len;
	uint16_t command_len;
	uint8_t build_id_len;
	uint8_t zero[3];
};

/*
 * The process as a whole at one moment.  Byte figures are usable sizes.
 * Fields marked exact are counted at every call; when `exact_ns` is 0 the
 * exact figures are not known (the process died before a pull) and the sums
 * over the cells stand in, which are estimates unless lg_sample was always 0.
 */
struct totals {
	uint64_t now_ns;       /* CLOCK_MONOTONIC of this dump */
	uint64_t exact_ns;     /* when the exact figures were taken, or 0 */
	uint64_t live_bytes;   /* exact */
	uint64_t live_objects; /* exact */
	uint64_t alloc_bytes;  /* exact, since the image started */
	uint64_t mapped_bytes; /* address space the allocator holds */
	uint64_t cached_bytes; /* free objects in thread caches and slabs */
	uint64_t dirty_bytes;  /* free spans not yet given back */
	uint64_t meta_bytes;   /* the allocator's and the profiler's own data */
	uint64_t samples;      /* samples taken since the image started */
	uint64_t samples_live; /* of them still live */
	uint64_t inactive_ns;  /* time that sampling was off */
	uint32_t lg_sample;    /* current rate: mean 2^lg bytes; 0 is exact */
	uint32_t rate_changes; /* how often the rate changed; 0: one rate */
	uint32_t active;       /* 1: sampling is on */
	uint32_t stacks;       /* stacks in the table */
	uint64_t lost[8];      /* enum loss */
};

/* Things that were not recorded, each a count since the image started. */
enum loss {
	LOST_TABLE_FULL = 0, /* samples: no room in the table */
	LOST_STARTING = 1,   /* samples: the table was not ready yet */
	LOST_NESTED = 2,     /* samples: inside our own code (a signal) */
	LOST_NOMEM = 3,      /* samples: no memory for our own records */
	CUT_DEPTH = 4,       /* stacks cut at the depth limit */
	CUT_UNWIND = 5,      /* stacks cut because a frame could not be read */
	GUESSED = 6,     /* stacks with a guessed frame (code without CFI) */
	SHARED_SLOT = 7, /* samples of threads that got no slot of their own */
};

/* A mapped ELF file as first met; ids start at 1, a reload is a new id.
 * Followed by build_id and path, of the lengths given. */
struct module_frame {
	uint32_t id;
	uint16_t path_len;
	uint8_t build_id_len;
	uint8_t zero;
	uint64_t start, end; /* addresses mapped, end exclusive */
	uint64_t bias; /* address - bias = address in the file's symbols */
};

/* A thread slot.  Slot 0 is «other threads».  Followed by the name. */
struct thread_frame {
	uint16_t slot;
	uint8_t ended; /* 1: the thread has ended */
	uint8_t name_len;
	uint32_t tid; /* 0 if not known */
};

enum stack_flag {
	STACK_CUT_DEPTH = 1,  /* callers beyond the limit are missing */
	STACK_CUT_UNWIND = 2, /* the unwinder could not go on */
	STACK_GUESSED = 4,    /* a frame was guessed */
	STACK_POOL = 8, /* the last frame is the pool's module, see pool.h */
};

/*
 * A call stack, leaf first; ids are dense and start at 1.  Followed by
 * `count` frames of 8 bytes: module id in the high 16 bits, offset in the low
 * 48.  The offset is (return address - 1 - module bias), so it lies inside
 * the call instruction; module 0 means that the low bits are the address
 * itself (minus 1).
 */
struct stack_frame {
	uint32_t id;
	uint16_t count; /* 1..FRAMES_MAX */
	uint16_t flags; /* enum stack_flag */
};

#define FRAME_OFFSET_BITS 48
#define FRAME_OFFSET_MASK ((UINT64_C(1) << FRAME_OFFSET_BITS) - 1)

/* Lifetimes of freed samples: bucket b counts those in [4^b, 4^(b+1)) times
 * 1 ms, bucket 0 also what is shorter, the last one also what is longer. */
#define LIFE_BUCKETS 12

/*
 * The figures of one (stack, thread slot); absolute, not differences.  A
 * FRAME_CELLS frame holds as many of these as its size says.  `raw` counts
 * samples and their bytes; est figures are unbiased estimates of what the
 * program did (the estimator is in prof/sample.h): objects in 1/65536, bytes
 * in 1/256.  var is an unbiased estimate of the variance of the live
 * estimate, in bytes^2 and objects^2.
 */
struct cell_frame {
	uint32_t stack;
	uint16_t slot;
	uint16_t zero;
	uint64_t live_raw_objects, live_raw_bytes;
	uint64_t live_est_objects, live_est_bytes;
	uint64_t alloc_raw_objects, alloc_raw_bytes;
	uint64_t alloc_est_objects, alloc_est_bytes;
	double live_var_bytes, live_var_objects;
	double alloc_var_bytes, alloc_var_objects;
	uint32_t life[LIFE_BUCKETS];
};

#define EST_OBJECT_SHIFT 16
#define EST_BYTE_SHIFT   8

/*
 * Live samples one by one.  Each has a number below BIRTHS_MAX, which is given
 * to another when it is freed.  FRAME_AGES comes first; then FRAME_DEATHS, as
 * many uint32_t as its size says: numbers that are nobody's now; then
 * FRAME_BIRTHS, as many struct birth_frame.  Both tell what changed since the
 * connection's last dump, and may tell of what did not: a birth under a
 * number that is somebody's else means that this one was freed, one like that
 * which is known says nothing new.  With AGES_WHOLE all that live are told:
 * what is not was freed.
 *
 * Where there are very many, not all new ones are told but some, by chance:
 * one that is told stands for 2^lg_thin times as much.
 */
struct ages_frame {
	uint64_t start_ns; /* CLOCK_MONOTONIC of tick 0 */
	uint32_t untold;   /* live samples that have no number: too many */
	uint32_t flags;    /* enum ages_flag */
};

enum ages_flag {
	AGES_WHOLE = 1
};

struct birth_frame {
	uint32_t number;
	uint32_t stack; /* of its cell */
	uint64_t size;  /* usable */
	uint32_t birth; /* ticks of 10 ms */
	uint16_t slot;  /* of its cell */
	uint8_t lg_sample;
	uint8_t lg_thin; /* it was told by a chance of 1 in 2^lg_thin */
};

#define BIRTHS_MAX (UINT32_C(1) << 18)
#define THIN_MAX   9

/* End of a dump: counts of the frames since its hello, to notice a cut. */
struct end_frame {
	uint32_t modules, threads, stacks, cells;
	uint32_t seq;    /* number of this dump on its connection, from 0 */
	uint32_t births; /* births and deaths */
};

struct bye {
	uint32_t reason; /* enum bye_reason */
	uint32_t zero;
};

enum bye_reason {
	BYE_SECCOMP = 1, /* a filter is being set; read the table instead */
	BYE_REMADE = 2,  /* the helper is made again (unshare, setuid...) */
	BYE_SLOW = 3,    /* the viewer did not read its pipe */
};

/* Read or write a named value.  The name and the new value (empty to read)
 * follow as text. */
struct ctl_request {
	uint16_t name_len;
	uint16_t value_len;
	uint32_t zero;
};

/* 0 and the value as text, or an errno value and a sentence. */
struct ctl_reply {
	uint32_t error;
	uint16_t text_len;
	uint16_t zero;
};

_Static_assert(sizeof(struct frame_head) == 8, "no padding");
_Static_assert(sizeof(struct hello) == 48, "no padding");
_Static_assert(sizeof(struct totals) == 176, "no padding");
_Static_assert(sizeof(struct module_frame) == 32, "no padding");
_Static_assert(sizeof(struct thread_frame) == 8, "no padding");
_Static_assert(sizeof(struct stack_frame) == 8, "no padding");
_Static_assert(sizeof(struct cell_frame) == 152, "no padding");
_Static_assert(sizeof(struct end_frame) == 24, "no padding");
_Static_assert(sizeof(struct ages_frame) == 16, "no padding");
_Static_assert(sizeof(struct birth_frame) == 24, "no padding");

#endif
