"""What jeprof and heaptop must print of a dump, worked out from the dump.

A report is arithmetic (scaling, base, sums by name) upon names of addresses.
The arithmetic is done here once more; the names come from outside as tables,
{address: [Frame...]} with the outermost of an inlined group first.
"""
import math
import re
from collections import Counter, defaultdict, namedtuple

# One function at an address.  `row` is its name in a table, `line` what
# --lines shows behind it, `full` its name as folded stacks have it.
Frame = namedtuple('Frame', 'row line full inlined')

# A stack: raw addresses, those that stand for calls, figures of the dump as
# (objects, bytes, objects ever, bytes ever), and the same by thread.
Stack = namedtuple('Stack', 'addresses raw figures threads')

METRICS = {'inuse_objects': 0, 'inuse_space': 1,
           'alloc_objects': 2, 'alloc_space': 3}


def scaled(n, s, rate):
    """A row's figures by the formula of sampling, once per row."""
    if n == 0 or rate == 0:
        return 0.0 if n == 0 else n, 0.0 if n == 0 else s
    factor = 1 / (1 - math.exp(-(s / n) / rate))
    return n * factor, s * factor


class Dump:
    """A heap_v2 or gperftools dump, with its symbols if it has some."""

    def __init__(self, text):
        self.rate, self.stacks, self.symbols = 0, [], {}
        self.exact_leaf = False
        body = text
        if text.startswith('--- symbol'):
            head, body = text.split('\n---\n--- heap\n', 1)
            for line in head.splitlines():
                m = re.match(r'0x([0-9a-f]+) (.*)', line)
                if m:
                    self.symbols[int(m[1], 16)] = m[2].split('--')
        body, _, self.maps = body.partition('\nMAPPED_LIBRARIES:\n')
        lines = body.splitlines()
        head = next((x for x in lines if x.startswith('heap')), '')
        m = re.match(r'heap_v2/(\d+)', head)
        if m:
            self.rate = int(m[1])
            self.read_v2(lines)
        else:
            m = re.search(r'@ heapz?_v2/(\d+)', head)
            self.rate = int(m[1]) if m else 0
            self.exact_leaf = True
            self.read_gperf(lines)

    def add(self, words, figures, threads):
        raw = [int(w, 16) for w in words]
        addresses = tuple(a - (i > 0) for i, a in enumerate(raw))
        self.stacks.append(Stack(addresses, tuple(raw), figures, threads))

    def figures(self, m):
        a = [int(x) for x in m.groups()]
        return scaled(a[0], a[1], self.rate) + scaled(a[2], a[3], self.rate)

    def read_v2(self, lines):
        row = re.compile(r'\s*t(\*|\d+): (\d+): (\d+) \[(\d+): (\d+)\]')
        words, figures, threads = None, None, {}
        for line in lines + ['@']:
            if line.startswith('@'):
                if words and figures:
                    self.add(words, figures, threads)
                words, figures, threads = line.split()[1:], None, {}
                continue
            m = row.match(line)
            if not m or words is None:
                continue
            a = [int(x) for x in m.groups()[1:]]
            f = scaled(a[0], a[1], self.rate) + scaled(a[2], a[3], self.rate)
            if m[1] == '*':
                figures = f
            else:
                before = threads.get(m[1], (0, 0, 0, 0))
                threads[m[1]] = tuple(x + y for x, y in zip(before, f))

    def read_gperf(self, lines):
        row = re.compile(r'\s*(\d+):\s*(\d+)\s*\[\s*(\d+):\s*(\d+)\] @ (0x.*)')
        for line in lines:
            m = row.match(line)
            if m:
                a = [int(x) for x in m.groups()[:4]]
                self.add(m[5].split(), scaled(a[0], a[1], self.rate) +
                         scaled(a[2], a[3], self.rate), {})


def module_at(maps, address):
    for line in maps.splitlines():
        m = re.match(r'([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+\s*(\S.*)?$',
                     line)
        if m and int(m[1], 16) <= address < int(m[2], 16):
            return m[3] or ''
    return ''


def profile(dumps, base, metric, thread=None, clamp=False):
    """{raw stack: value}: sums of the dumps less a base, as jeprof."""
    out, index = defaultdict(float), METRICS[metric]
    for sign, group in ((1, dumps), (-1, base)):
        for d in group:
            for s in d.stacks:
                if sign < 0 and clamp and s.addresses not in out:
                    continue
                f = s.threads.get(thread) if thread else s.figures
                if f:
                    out[s.addresses] += sign * f[index]
    if clamp:
        out = {k: max(v, 0.0) for k, v in out.items()}
    return dict(out)


Result = namedtuple('Result', 'total local flat cum edges folded')


def folded(path):
    """One line of --collapsed."""
    return ';'.join((x.frame.full if x.frame.full != '??' else '??:0') +
                    '[inline]' * x.frame.inlined for x in reversed(path))


def report(values, path_of, filters, per_visit):
    """Sums by key.  path_of(stack) has spots from the leaf out; an arrow
    counts once a stack, or once `per_visit`."""
    flat, cum, edges, lines = Counter(), Counter(), Counter(), Counter()
    total = local = 0.0
    for stack, value in values.items():
        total += value
        path = filters(path_of(stack))
        if not path:
            continue
        local += value
        rows = [x.key for x in path]
        flat[rows[0]] += value
        for r in set(rows):
            cum[r] += value
        pairs = [(c, l) for l, c in zip(rows, rows[1:])]
        for pair in pairs if per_visit else set(pairs):
            edges[pair] += value
        lines[folded(path)] += value
    return Result(total, local, flat, cum, edges, lines)
