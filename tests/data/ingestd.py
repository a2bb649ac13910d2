#!/usr/bin/env python3
"""The invented run that screens are tested with, as files.

    ingestd.py DIRECTORY

writes
    ingestd.htd.gz   a recording: a dump a second, 0:04 to 12:41
    ingestd.names    what its places in code are called
    whole.htd.gz     the same with stacks that go to where threads begin,
    whole.names      for the shapes of tree and flame
    aged.htd.gz      whole stacks every ten seconds, and when each sampled
    aged.names       object was born
    ingestd.out      what the program printed
    src/decode.c     the source of its largest site

A recording holds modules and offsets; names come from elsewhere, here from
ingestd.names: module, offset, function, file and line, with tabs between.
An empty function means that there is no name; a place with several lines has
functions that were inlined there, the innermost first.

"ingestd" holds 412.6 MiB in 317 stacks 12:41 after its start; mark A of the
screens is 8:02.  The 19 largest stacks are the table below, 298 small ones
hold 9.2 MiB, 512 KiB of them since 8:02.  All stacks add up to the exact
total at every moment: a request's buffers (read_body) take what the others
leave, which is how the peak of 438.1 MiB at 9:15 comes and goes.  Stacks
change every ten seconds and at the moments of MOMENTS.

The same run always gives the same bytes.
"""
import gzip
import math
import os
import struct
import sys

MIB = 1 << 20
START = 1_000_000_000           # CLOCK_MONOTONIC ns of 0:00
WALL = 1_790_000_000 * 10**9    # CLOCK_REALTIME then
LG_SAMPLE = 19
A, NOW = 482, 761               # seconds
MOMENTS = {4, 300, A, 555, 556, NOW}
SMALL = 298

# Live MiB at a second, straight lines between; then objects likewise.
LIVE = [(4, 12), (300, 318), (482, 360.9), (555, 438.1), (556, 352),
        (760, 412.2), (761, 412.6)]
OBJECTS = [(4, 40100), (300, 811000), (482, 902000), (555, 1310000),
           (556, 640000), (760, 1179000), (761, 1180000)]
ALLOCATED = [(4, 14), (482, 12000), (761, 18.4 * 1024)]  # MiB
# When small stacks came: how many of all there are.
STACKS = [(4, 96), (300, 288), (482, 309), (555, 316), (761, 317)]

VECTOR = ("std::vector<std::shared_ptr<Posting>, "
          "std::allocator<std::shared_ptr<Posting> > >"
          "::_M_realloc_insert<std::shared_ptr<Posting> const&>"
          "(std::shared_ptr<Posting> const&)")
SHARED = ("std::shared_ptr<http::Connection> std::make_shared<"
          "http::Connection, asio::basic_stream_socket<asio::ip::tcp> "
          ">(asio::basic_stream_socket<asio::ip::tcp>&&)")

BUILD_ID = bytes.fromhex("5f0c11be9a4e27d3b86012c4f95ae1780d3c66b2")


def build_id(i):
    """One that no file of this machine has."""
    return BUILD_ID[i - 1:] + BUILD_ID[:i - 1]


MODULES = [
    "/usr/local/bin/ingestd",
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/libcrypto.so.3",
    "/usr/lib/libssl.so.3",
    "/usr/lib/libz.so.1",
    "/usr/lib/libsqlite3.so.0",
    "/usr/lib/libheaptop.so.1",
]
INGESTD, LIBC, LIBCRYPTO, LIBSSL, LIBZ, LIBSQLITE, HEAPTOP = range(1, 8)

# Functions that are elsewhere, or whose place is known: module, offset (0:
# any), file, line.  A name may go on with "@" to be at several places.
KNOWN = {
    "decode_batch": (INGESTD, 0x1b2e4, "src/decode.c", 214),
    "decode_batch@2": (INGESTD, 0x1b3a0, "src/decode.c", 224),
    "ingest_loop": (INGESTD, 0x19c10, "src/ingest.c", 88),
    "worker_main": (INGESTD, 0x19380, "src/worker.c", 51),
    "main": (INGESTD, 0, "src/main.c", 33),
    "xstrdup": (INGESTD, 0, "src/util.c", 19),
    "intern_key": (INGESTD, 0, "src/intern.c", 40),
    "http::Session::read_body": (INGESTD, 0x22a90, "", 0),
    "http::Session::run": (INGESTD, 0x22410, "", 0),
    "lru_cache_grow": (INGESTD, 0x41c08, "", 0),
    "lru_cache_put": (INGESTD, 0x41d55, "", 0),
    VECTOR: (INGESTD, 0xf3c2, "", 0),
    "Index::append": (INGESTD, 0xf9aa, "", 0),
    "start_thread": (LIBC, 0, "", 0),
    "clone3": (LIBC, 0, "", 0),
    "getline": (LIBC, 0, "", 0),
    "gaih_inet": (LIBC, 0, "", 0),
    "getaddrinfo": (LIBC, 0, "", 0),
    "setvbuf": (LIBC, 0, "", 0),
    "EVP_CIPHER_CTX_new": (LIBCRYPTO, 0, "", 0),
    "SSL_new": (LIBSSL, 0, "", 0),
    "inflateInit2_": (LIBZ, 0, "", 0),
    "pcache1Alloc": (LIBSQLITE, 0, "", 0),
    "sqlite3PcacheFetch": (LIBSQLITE, 0, "", 0),
    "getPageNormal": (LIBSQLITE, 0, "", 0),
    "malloc": (HEAPTOP, 0x4c10, "", 0),
    # places without a name
    "+0x1b2e40": (LIBCRYPTO, 0x1b2e40, "", 0),
    "+0xc11f0": (LIBCRYPTO, 0xc11f0, "", 0),
    "+0x2a110": (LIBSSL, 0x2a110, "", 0),
}

# What is inlined at a place.
INLINED = {"decode_batch": ("xmalloc", "src/util.h", 12)}

THREADS = ["ingestd", "worker/0", "worker/1", "worker/2", "worker/3",
           "net/0", "net/1", "flush", "log"]
MAIN, WORKERS, NET, FLUSH, LOG = [1], [2, 3, 4, 5], [6, 7], [8], [9]

# MiB, MiB since A, objects, objects since A, samples, threads; stack, leaf
# first.  A few bytes more or less keep the last four in their order.
ROWS = [
    (118.4, 21.5, 312000, 57000, 231, WORKERS,
     ["malloc", "decode_batch", "ingest_loop", "worker_main",
      "start_thread", "clone3"]),
    (86.1, 1, 1310, 15, 168, NET,
     ["http::Session::read_body", "http::Session::run",
      "asio::io_context::run", "start_thread", "clone3"]),
    (64, 0, 2, 0, 2, WORKERS[:1],
     ["lru_cache_grow", "lru_cache_put", "store_put", "ingest_loop",
      "worker_main"]),
    (41.7, -3.2, 96, -4, 82, MAIN,
     [VECTOR, "Index::append", "Index::build", "main"]),
    (33.9, 9.8, 542, 157, 67, WORKERS[1:2],
     ["arena_new_block", "arena_alloc", "json_parse_value", "json_parse",
      "decode_batch@2"]),
    (18.2, 14.6, 611000, 490000, 36, WORKERS[2:3],
     ["xstrdup", "intern_key", "decode_batch@2", "ingest_loop"]),
    (9.4, 0, 118000, 0, 18, MAIN,
     ["std::string::_M_create", "Config::load", "main"]),
    (7.8, 0.5, 204, 13, 15, NET[:1],
     ["inflateInit2_", "gz_stream_open", "http::Session::read_body",
      "http::Session::run"]),
    (6, 6, 1, 1, 1, WORKERS[3:4],
     ["hashtab_resize", "hashtab_insert", "intern_key", "decode_batch@2"]),
    (4.9, 0.5, 61, 6, 9, NET[1:2],
     ["SSL_new", "tls_accept", "http::Listener::on_accept"]),
    (3.7, 0, 902, 0, 7, FLUSH,
     ["pcache1Alloc", "sqlite3PcacheFetch", "getPageNormal",
      "store_commit"]),
    (3.1, 0, 4, 0, 6, MAIN, ["ring_new", "metrics_init", "main"]),
    (2.2, 0.5, 1940, 440, 5, NET[:1],
     [SHARED, "http::Listener::on_accept"]),
    (1.4, 0, 511, 0, 4, NET[1:2], ["+0x1b2e40", "+0xc11f0", "+0x2a110"]),
    (0.6, 0, 12, 0, 4, MAIN,
     ["getline", "read_hosts", "resolver_init", "main"]),
    (0.5 + 3 / MIB, 0, 1, 0, 1, LOG, ["log_ring_new", "log_init", "main"]),
    (0.5 + 2 / MIB, 0, 1, 0, 1, NET[:1],
     ["gaih_inet", "getaddrinfo", "resolver_lookup"]),
    (0.5 + 1 / MIB, 0, 1, 0, 1, NET[1:2],
     ["EVP_CIPHER_CTX_new", "tls_accept"]),
    (0.5, 0, 1, 0, 1, LOG, ["setvbuf", "log_init", "main"]),
]
REST = 1  # the row that takes what the others leave

# What whole stacks go on with behind their last function above, down to where
# a thread begins; start_thread and clone3 are left out of these.
WORKER = ["ingest_loop", "worker_main"]
SERVER = ["asio::detail::scheduler::run", "asio::io_context::run"]
WHOLE = {
    "decode_batch@2": WORKER,
    "ingest_loop": WORKER[1:],
    "http::Session::run": SERVER,
    "http::Listener::on_accept": SERVER,
}
MINOR_OF_MAIN = 104  # small stacks of main, 3.2 MiB; others begin a thread


def between(points, s):
    """Straight lines between the points."""
    for (s0, v0), (s1, v1) in zip(points, points[1:]):
        if s <= s1:
            return v0 + (v1 - v0) * max(0, s - s0) / (s1 - s0)
    return points[-1][1]


# ---- places -----------------------------------------------------------------


class Places:
    """(module, offset) of functions, in order of first use."""

    def __init__(self):
        self.of = {}

    def place(self, name):
        if name not in self.of:
            module, offset, file, line = KNOWN.get(name, (INGESTD, 0, "", 0))
            offset = offset or 0x1000 + len(self.of) * 0x40
            self.of[name] = (module, offset, file, line)
        return self.of[name][:2]

    def names(self):
        for name, (module, offset, file, line) in self.of.items():
            shown = "" if name.startswith("+") else name.split("@")[0]
            at = f"{MODULES[module - 1]}\t{offset:#x}"
            if name in INLINED:
                inner, inner_file, inner_line = INLINED[name]
                yield f"{at}\t{inner}\t{inner_file}\t{inner_line}\n"
            yield f"{at}\t{shown}\t{file}\t{line}\n"


def whole(names):
    """Down to where its thread begins."""
    names = [n for n in names if n not in ("start_thread", "clone3")]
    if names[-1] == "asio::io_context::run":
        names = names[:-1]
    return names + WHOLE.get(names[-1], [])


def stack_names(complete):
    for row in ROWS:
        yield whole(row[6]) if complete else row[6]
    for i in range(SMALL):
        alone = complete and i >= MINOR_OF_MAIN
        yield [f"minor_{i:03}"] if alone else [f"minor_{i:03}", "main"]


# ---- figures ----------------------------------------------------------------


def small_came(i):
    """The second at which a small stack is first seen."""
    for s in range(4, NOW + 1):
        # one of all, hashtab_resize, comes after A
        if between(STACKS, s) >= i + len(ROWS) + (s >= A + 60):
            return s
    return NOW


CAME = [small_came(i) for i in range(SMALL)]
GROWN = 0.5 * MIB - sum(32372 for s in CAME if s > A)  # of the older ones


def share(i, s):
    """A row's part of what it will be at A; from A on, of its change."""
    if s <= A:
        return between(LIVE, s) / 360.9
    return (s - A) / (NOW - A)


def small_live(i, s):
    # 9.2 MiB are 298 * 32372 and 43.2 bytes
    now = 32372 + (43.2 if i == 0 else 0)
    if s < CAME[i]:
        return 0
    if CAME[i] > A:
        return now
    then = now - GROWN / sum(1 for c in CAME if c <= A)
    return then if s <= A else then + (now - then) * share(i, s)


def row_live(i, s):
    mib, change = ROWS[i][0], ROWS[i][1]
    if i == 8 and s < A + 60:  # one block of 6 MiB: there or not
        return 0
    if s <= A:
        return (mib - change) * MIB * share(i, s)
    if i == 8:
        return 6 * MIB
    return (mib - change + change * share(i, s)) * MIB


def lives(s):
    v = [row_live(i, s) for i in range(len(ROWS))]
    v += [small_live(i, s) for i in range(SMALL)]
    v[REST] = 0
    v[REST] = between(LIVE, s) * MIB - sum(v)
    return v


def objects(i, s, live):
    if live == 0:
        return 0
    if i >= len(ROWS):
        return 451 + (100 if i == len(ROWS) else 0)
    now, new = ROWS[i][2], ROWS[i][3]
    if now == 1:
        return 1
    if s <= A or i == REST:
        then = (ROWS[i][0] - ROWS[i][1]) * MIB
        return max(1, round((now - new) * live / then))
    return round(now - new + new * share(i, s))


def samples(i, s, live):
    """Live samples: 231 of the first row at 12:41, 43 of them since A."""
    if live == 0:
        return 0
    if i == 0:
        return max(1, round(188 * share(i, s))) if s <= A else \
            188 + round(43 * share(i, s))
    now = (ROWS[i][4], ROWS[i][0] * MIB) if i < len(ROWS) else (1, live)
    return max(1, round(now[0] * live / now[1]))


def variance(i, live, count):
    """1.96 standard deviations are 6.6 % at 12:41; large objects are sure."""
    if live == 0 or live / count > 8 << LG_SAMPLE:
        return 0.0
    now = ROWS[i][0] * MIB if i < len(ROWS) else 32372
    return (now * 0.066 / 1.96) ** 2 * live / now


def allocated(i, s, live, all_others):
    """Bytes since the start, never less than before."""
    if i == REST:
        return between(ALLOCATED, s) * MIB - all_others
    now = 2 * ROWS[i][0] * MIB if i < len(ROWS) else 40000
    change = max(0, ROWS[i][1]) * MIB if i < len(ROWS) else 1759
    at_a = now - change - (MIB if i == 0 else 0)
    if i >= len(ROWS):
        return live if s <= A else max(live, at_a + (now - at_a) *
                                       share(i, s))
    if s <= A:
        return at_a * share(i, s)
    return max(live, at_a + (now - at_a) * share(i, s))


class Stack:
    """The figures of one stack at a second."""

    def __init__(self, i, s, live, alloc):
        self.live, self.alloc = live, max(alloc, live)
        self.objects = objects(i, s, live)
        self.samples = samples(i, s, live)
        self.var = variance(i, live, self.objects)
        self.alloc_samples = max(self.samples,
                                 round(self.alloc / (1 << LG_SAMPLE)))
        if i == 0:
            # 45 came since A, two of them went again
            freed = round(240 * share(0, min(s, A)))
            self.alloc_samples = self.samples + freed + 2 * (s == NOW)
        self.alloc_objects = self.objects * self.alloc / live if live else 0


def stacks_at(s):
    v = lives(s)
    others = [allocated(i, s, live, 0) for i, live in enumerate(v)
              if i != REST]
    out = []
    for i, live in enumerate(v):
        out.append(Stack(i, s, live, allocated(i, s, live, sum(others))))
    return out


# ---- the stream (heaptop-stream(5)) -----------------------------------------

(HELLO, TOTALS, MODULE, THREAD, STACK, CELLS, END, AGES, BIRTHS,
 DEATHS) = range(1, 11)


def frame(kind, payload):
    return struct.pack("<IHH", len(payload), kind, 0) + payload


def hello():
    image = MODULES[0].encode()
    command = b"ingestd\0--config\0prod.toml\0"
    head = struct.pack("<IHHIIQQQHHB3x", 0x50545048, 1, 0, 41237, 1, 0, START,
                       WALL, len(image), len(command), len(BUILD_ID))
    return frame(HELLO, head + image + command + BUILD_ID)


def totals(s, taken, live):
    now = START + s * 10**9
    return frame(TOTALS, struct.pack(
        "<12Q4I8Q", now, now, int(between(LIVE, s) * MIB),
        int(between(OBJECTS, s)), int(between(ALLOCATED, s) * MIB),
        int(between(LIVE, s) * 1.15 * MIB), 4 * MIB, 9 * MIB, 3 * MIB, taken,
        live, 0, LG_SAMPLE, 0, 1, round(between(STACKS, s)), *[0] * 8))


def module(i):
    path = MODULES[i - 1].encode()
    head = struct.pack("<IHBxQQQ", i, len(path), len(BUILD_ID), i << 28,
                       (i + 1) << 28, i << 28)
    return frame(MODULE, head + build_id(i) + path)


def thread(slot):
    name = THREADS[slot - 1].encode()
    return frame(THREAD,
                 struct.pack("<HBBI", slot, 0, len(name), 41236 + slot) + name)


def stack(number, names, places):
    words = []
    for name in names:
        at, offset = places.place(name)
        words.append(at << 48 | offset)
    return frame(STACK, struct.pack(f"<IHH{len(words)}Q", number, len(words),
                                    0, *words))


def parts(total, n):
    """A whole number as n about equal ones."""
    return [total // n + (k < total % n) for k in range(n)]


def lifetimes(freed):
    """Most live for a second or so: buckets 4 to 6 of 4^b ms."""
    life = [0] * 12
    life[4], life[6] = freed // 4, freed // 8
    life[5] = freed - life[4] - life[6]
    return life


def cells(number, slots, f):
    n = len(slots)
    live = round(f.live * 256)
    if number == 1:
        live -= live % 32  # 32 times as much as the eleventh, to the bit
    split = zip(parts(f.samples, n), parts(live, n),
                parts(f.objects << 16, n), parts(f.alloc_samples, n),
                parts(round(f.alloc * 256), n),
                parts(round(f.alloc_objects) << 16, n))
    for slot, (took, live, objs, all_, alloc, alloc_objs) in zip(slots, split):
        yield struct.pack(
            "<IHH8Q4d12I", number, slot, 0, took, live // 256, objs, live,
            all_, alloc // 256, alloc_objs, alloc, f.var / n, 0.0, f.var / n,
            0.0, *lifetimes(all_ - took))


# Sizes of the rows of decode_batch, in turns: 398 B on average, of 118.4 MiB
# 21.3 up to 256 B and 13.0 above 512 B.
DECODED = [360, 360, 200, 400, 360, 700, 380, 230, 400]


class Births:
    """Which samples live, of each stack: the oldest is freed first, of the
    largest one that has lived for a little while."""

    def __init__(self):
        self.alive = {}   # stack: numbers, oldest first
        self.free = []
        self.numbers = 0
        self.before = 3   # the second of the dump before
        self.count = {}   # stack: how many there have been

    def number(self):
        if self.free:
            return self.free.pop()
        self.numbers += 1
        return self.numbers - 1

    def birth(self, i, s, f):
        slots = ROWS[i][5] if i < len(ROWS) else MAIN
        k = self.count[i] = self.count.get(i, -1) + 1
        size = DECODED[k % len(DECODED)] if i == 0 else round(
            f.live / f.objects)
        number = self.number()
        self.alive[i].append(number)
        # spread over the seconds since the dump before
        born = s - k % (s - self.before)
        return struct.pack("<IIQIHBB", number, i + 1, max(1, size),
                           born * 100, slots[k % len(slots)], LG_SAMPLE, 0)

    def dump(self, s, current):
        deaths, births = [], []
        for i, f in enumerate(current):
            alive = self.alive.setdefault(i, [])
            while len(alive) > f.samples:
                number = alive.pop(-8 if i == 0 and len(alive) > 8 else 0)
                deaths.append(number)
            while len(alive) < f.samples:
                births.append(self.birth(i, s, f))
        self.free += deaths
        self.before = s
        out = frame(AGES, struct.pack("<QII", START, 0, 0))
        if deaths:
            out += frame(DEATHS, struct.pack(f"<{len(deaths)}I", *deaths))
        if births:
            out += frame(BIRTHS, b"".join(births))
        return out, len(deaths) + len(births)


class Stream:
    def __init__(self, complete=False, births=None):
        self.complete = complete  # stacks are whole
        self.births = births
        self.places = Places()
        self.told = set()
        self.before = {}
        self.dumps = 0
        self.current = None

    def new_stacks(self, current):
        for i, names in enumerate(stack_names(self.complete)):
            if i not in self.told and current[i].live > 0:
                self.told.add(i)
                yield stack(i + 1, names, self.places)

    def changed_cells(self, current):
        for i in sorted(self.told):
            slots = ROWS[i][5] if i < len(ROWS) else MAIN
            packed = list(cells(i + 1, slots, current[i]))
            if self.before.get(i) != packed:
                self.before[i] = packed
                yield from packed

    def dump(self, s):
        first = self.dumps == 0
        fresh = s % 10 == 0 or s in MOMENTS
        if fresh:
            self.current = stacks_at(s)
        modules = [module(i + 1) for i in range(len(MODULES))] if first else []
        threads = [thread(i + 1) for i in range(len(THREADS))] if first else []
        stacks = list(self.new_stacks(self.current)) if fresh else []
        figures = list(self.changed_cells(self.current)) if fresh else []
        out = [hello(),
               totals(s, sum(f.alloc_samples for f in self.current),
                      sum(f.samples for f in self.current))]
        out += modules + threads + stacks
        for k in range(0, len(figures), 400):
            out.append(frame(CELLS, b"".join(figures[k:k + 400])))
        changed = 0
        if self.births:
            told, changed = self.births.dump(s, self.current)
            out.append(told)
        out.append(frame(END, struct.pack("<6I", len(modules), len(threads),
                                          len(stacks), len(figures),
                                          self.dumps, changed)))
        self.dumps += 1
        return b"".join(out)


# ---- source and output ------------------------------------------------------

SOURCE = """
/* Decode one batch; the caller owns every row. */
static int
decode_batch(struct batch *batch, struct row **out)
{
    for (size_t i = 0; i < batch->count; i++) {
        out[i] = malloc(sizeof(struct row) + len[i]);
        if (!out[i])
            return -1;
        row_init(out[i], batch, i);
    }
    return 0;
}

int
decode(struct batch *batch, struct row **out)
{
\tmeasure(batch, len);\t/* tabs are eight wide */
\treturn decode_batch(batch, out);
}
"""


def source():
    """decode_batch begins at line 211."""
    head = ["/* What a batch is made of. */",
            "static const char *const fields[] = {"]
    head += [f'    "field_{n:03}",' for n in range(1, 205)] + ["};"]
    return "\n".join(head[:207]) + "\n" + SOURCE


def output():
    """Lines with what terminals get: colours, tabs, progress, any bytes."""
    out = ["ingestd 2.3: reading prod.toml\n",
           "\033[1;32mok\033[0m  4 workers, 2 listeners\n",
           "store:\t64 MiB cache\tgrown twice\n",
           "index: 10%\rindex: 55%\rindex: 100%\n",
           "r\u00e9solveur \u65e5\u672c\u8a9e: 12 hosts\n",
           "payload " + "0123456789abcdef" * 20 + "\n"]
    out += [f"ingest: batch {n}: 4096 rows\n" for n in range(8761, 8812)]
    out = "".join(out).encode()
    out += b"raw \xff\xfe\x00\x1b]0;title\x07 bytes\n"
    return out + b"ingest: batch 8812: row 41 has no key\n"


def write(directory, name, data):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    to = sys.argv[1]
    for name in "ingestd", "whole":
        stream = Stream(name == "whole")
        data = b"".join(stream.dump(s) for s in range(4, NOW + 1))
        write(to, f"{name}.htd.gz", gzip.compress(data, 6, mtime=0))
        write(to, f"{name}.names", "".join(stream.places.names()).encode())
    stream = Stream(True, Births())
    data = b"".join(stream.dump(s) for s in range(4, NOW + 1)
                    if s % 10 == 0 or s in MOMENTS)
    write(to, "aged.htd.gz", gzip.compress(data, 6, mtime=0))
    write(to, "aged.names", "".join(stream.places.names()).encode())
    write(to, "ingestd.out", output())
    write(to, "src/decode.c", source().encode())


if __name__ == "__main__":
    assert math.isclose(sum(lives(NOW)), 412.6 * MIB)
    main()
