"""What one of the two must print: its names, its cuts, and its figures."""
import os
import re
from collections import defaultdict, namedtuple

import refs_model as model
from refs_names import (HEAPTOP_CUTS, JEPROF_CUTS, LIBRARY, NEXT_CUTS, Frame,
                        place, plain)

METRIC = 'inuse_space'
GONE = '(a library that is not here)'
GROUPINGS = 'functions', 'lines', 'files', 'addresses'


class Options:
    """What a command asks for."""

    def __init__(self, words, ref):
        self.next = 'dev-jeprof' in ref  # by the jeprof after 5.3.0
        self.kind = next((k for k in ('text', 'dot', 'collapsed', 'raw')
                          if '--' + k in words), None)
        self.metric, self.grouping = METRIC, 'functions'
        self.value, self.files = {}, []
        for w in words:
            name, _, value = w.partition('=')
            name = name.lstrip('-')
            if not w.startswith('--'):
                self.files.append(w)
            elif name in model.METRICS:
                self.metric = name
            elif name in GROUPINGS:
                self.grouping = name
            else:
                self.value[name] = value
        self.bytes = 'show_bytes' in self.value

    def unit(self):
        if 'objects' in self.metric:
            return 'objects'
        return 'B' if self.bytes else 'MB'


# ---- one side: the figures it must print ----

Spot = namedtuple('Spot', 'frame address key norm')


class Side:
    """Names and cuts of one of the two, and the report they make."""

    def __init__(self, o, who, table, maps, exact_leaf, said=''):
        self.lost = {os.path.basename(x) for x in
                     re.findall(r'(\S+) is another build now', said)}
        self.o, self.who, self.table, self.maps = o, who, table, maps
        self.exact_leaf, self.cuts, self.paths = exact_leaf, {}, {}
        self.parts, self.modules = {}, {}
        self.libraries, self.known, self.cutting = {}, {}, {}

    def address(self, stack, i):
        """heaptop has the leaf of gperftools' stacks inside the call."""
        return stack[i] - (i == 0 and self.exact_leaf and
                           self.who == 'heaptop')

    def frames(self, address):
        f = self.table.get(address)
        if self.who == 'jeprof' and self.gone(address):
            return [Frame(GONE, '', GONE, False)]
        if f:
            return f
        name = f'{address:016x}' if self.who == 'jeprof' else f'0x{address:x}'
        return [Frame(name, '', name, False)]

    def module(self, address):
        if address not in self.modules:
            self.modules[address] = model.module_at(self.maps, address)
        return self.modules[address]

    def gone(self, address):
        """A library that is not on this machine, or in another build: jeprof's
        names for what is in it cannot be had."""
        path = self.module(address)
        return os.path.basename(path) in self.lost or \
            path.startswith('/opt/') and not os.path.exists(path)

    def library(self, address):
        if address not in self.libraries:
            self.libraries[address] = bool(
                LIBRARY.search(self.module(address)))
        return self.libraries[address]

    def cuts_at(self, a):
        """How many frames of an address are cut, from the innermost."""
        if a in self.cutting:
            return self.cutting[a]
        frames, n = self.frames(a), 0
        if self.who == 'jeprof':
            name = re.sub(r'@[0-9a-f]+$', '', frames[0].row)
            if not self.gone(a) and (
                    NEXT_CUTS.search(name.split(' ')[0]) if self.o.next
                    else JEPROF_CUTS.search(name)):
                n = len(frames)
        elif self.library(a):
            n = len(frames)
        else:
            for i, f in enumerate(reversed(frames)):
                n = i + 1 if HEAPTOP_CUTS.search(plain(f.full)) else n
        self.cutting[a] = n
        return n

    def cut(self, stack):
        """How many addresses are an allocator's, from the leaf."""
        if stack not in self.cuts:
            n = part = 0
            for i in range(len(stack)):
                a = self.address(stack, i)
                hit = self.cuts_at(a)
                if hit == len(self.frames(a)):
                    n, part = i + 1, 0
                elif hit:
                    n, part = i, hit
            if n == len(stack) and self.who == 'heaptop':
                n, part = n - 1, len(self.frames(
                    self.address(stack, n - 1))) - 1
            self.cuts[stack] = n
            self.parts[stack] = part
        return self.cuts[stack]

    def path(self, stack):
        """Spots from the leaf out."""
        if stack not in self.paths:
            n = self.cut(stack)
            self.paths[stack] = [
                spot for i in range(n, len(stack))
                for spot in self.spots(self.address(stack, i))
            ][self.parts[stack]:]
        return self.paths[stack]

    def spots(self, address):
        """Its frames from the leaf out, as Spots."""
        if address not in self.known:
            self.known[address] = [
                Spot(f, address, self.key(f, address), self.norm(f, address))
                for f in reversed(self.frames(address))]
        return self.known[address]

    def key(self, frame, address):
        """A row of the report: what it prints, or stands for it."""
        line = frame.line
        if self.who == 'jeprof' and frame.full == '??' and \
                self.o.grouping in ('functions', 'lines'):
            return '?? ??:0', address  # a row for each
        if self.who == 'jeprof':
            if self.o.grouping == 'functions':
                return frame.row
            if self.o.grouping == 'files':
                return re.sub(r':\d+$', '', line) if line else '??'
            text = (frame.row + ' ' + line).strip()
            return f'{address:016x} {text}' \
                if self.o.grouping == 'addresses' else text
        if self.o.grouping == 'functions':
            return frame.full
        if self.o.grouping == 'files':
            module = self.module(address)
            return line.rpartition(':')[0] or os.path.basename(module) or '??'
        if self.o.grouping == 'addresses':
            return f'{address:016x}'
        return frame.full, line

    def filters(self, path):
        """--retain, --exclude, --focus and --ignore."""
        v = self.o.value

        def name(f):
            return f.row if self.who == 'jeprof' else plain(f.full)
        if not v.keys() & {'exclude', 'retain', 'focus', 'ignore'}:
            return path
        if 'exclude' in v:
            path = [x for x in path if not re.search(v['exclude'],
                                                     name(x[0]))]
        if 'retain' in v:
            path = [x for x in path if re.search(v['retain'], name(x[0]))]
        for option, wanted in ('focus', True), ('ignore', False):
            if option in v and wanted != any(
                    re.search(v[option], name(x[0])) for x in path):
                return []
        return path

    def norm(self, frame, address):
        """A row without its spelling."""
        grouping = self.o.grouping
        if grouping == 'addresses':
            return address
        if grouping == 'files':
            return place(frame.line)[0]
        line = place(frame.line) if grouping == 'lines' else ''
        name = plain(frame.full)
        if re.search(r'^\?\?$|\+0x[0-9a-f]+$', name):
            name = f'0x{address:x}'
        return name, line

    def report(self, values):
        return model.report(values, self.path, self.filters,
                            self.who == 'jeprof')


def prints(text, exact, unit, cuts):
    """Is `text` the figure as it is printed?"""
    try:
        shown = float(text)
    except ValueError:
        return False
    if unit == 'MB':
        return abs(shown - exact / 1048576) <= .05 + 1e-6
    if cuts:  # towards 0
        return int(exact - 1e-4) <= shown <= int(exact + 1e-4) or \
            int(exact) == shown
    return abs(shown - exact) <= .5 + 1e-3


def percent(text, part, whole):
    if not whole:
        return True
    return abs(float(text.rstrip('%')) - 100 * part / whole) <= .05 + 1e-6


# ---- tables ----

def read_table(text):
    total, rows = None, []
    for line in text.splitlines():
        if line.startswith('Total'):
            total = line
            continue
        words = line.split(None, 5)
        if len(words) == 6 and re.match(r'-?\d+(\.\d+)?$', words[0]) and \
                re.match(r'\S*%$|nan$|[+-]inf$', words[4]):
            rows.append(words)
    return total, rows


def blocks(text):
    """--thread='*' prints a table for each."""
    out = re.findall(r'Total \(t(\d+)\): .*\n((?:(?!Total).*\n)*)', text)
    heads = re.findall(r'Total \(t\d+\): .*', text)
    return {t: h + '\n' + body for (t, body), h in zip(out, heads)}


def check_table(text, result, side, labels, problems):
    """The table is what the model says; {row: printed figures}."""
    unit, cuts = side.o.unit(), side.who == 'jeprof'
    total, rows = read_table(text)
    figures = {}
    gone = {k for k in result.cum if isinstance(k, str) and GONE in k}
    if total:
        m = re.search(r'(-?[\d.]+) (\S+)$', total)
        if not m or m[2] != unit or \
                not prints(m[1], result.total, unit, cuts):
            problems.append(f'{side.who}: {total}, but it is '
                            f'{result.total:.2f}')
    elif rows:
        problems.append(f'{side.who}: no total')
    running, last = 0.0, None
    nameless = sorted((k for k, v in result.cum.items()
                       if k[0] == '?? ??:0' and v),
                      key=lambda k: (-result.flat[k], -result.cum[k]))
    for i, words in enumerate(rows):
        key = labels[i] if labels else words[5]
        if key == '?? ??:0':  # which of them does not show
            key = next((k for k in nameless
                        if prints(words[0], result.flat[k], unit, cuts) and
                        percent(words[1], result.flat[k], result.local) and
                        prints(words[3], result.cum[k], unit, cuts) and
                        percent(words[4], result.cum[k], result.local)), key)
            nameless = [k for k in nameless if k != key]
        if gone and key not in result.cum:
            continue
        if key not in result.cum:
            problems.append(f'{side.who}: no such row: {words[5][:90]}')
            continue
        flat, cum = result.flat[key], result.cum[key]
        running += flat
        if not ((gone or prints(words[0], flat, unit, cuts) and
                 percent(words[1], flat, result.local) and
                 percent(words[2], running, result.local)) and
                prints(words[3], cum, unit, cuts) and
                percent(words[4], cum, result.local)):
            problems.append(f'{side.who}: {" ".join(words)[:100]}, but it '
                            f'is {flat:.2f} {cum:.2f}')
        by = cum if 'cum' in side.o.value else flat
        if last is not None and by > last + 1e-3 and not gone:
            problems.append(f'{side.who}: out of order: {words[5][:90]}')
        last = by
        if key in figures:
            problems.append(f'{side.who}: twice: {words[5][:90]}')
        figures[key] = words[0], words[3]
    for key, cum in result.cum.items():
        if key not in figures and key not in gone and (
                                   abs(cum) > 1e-6 or
                                   abs(result.flat[key]) > 1e-6):
            problems.append(f'{side.who}: missing: {str(key)[:90]} {cum:.2f}')
    return figures


# ---- graphs ----

def read_dot(text):
    total = re.search(r'digraph ".*; (\S+) (\S+)" \{', text)
    nodes, edges = {}, []
    for n, label in re.findall(r'^(N\d+) \[label="(.*?)",shape', text, re.M):
        m = re.match(r'(.*)\\n(-?[\d.]+) \((\S+?)\)\\r'
                     r'(?:of (-?[\d.]+) \((\S+?)\)\\r)?', label)
        nodes[n] = (m[1], m[2], m[3], m[4] or m[2], m[5] or m[3])
    for a, b, v in re.findall(r'^(N\d+) -> (N\d+) \[label=(-?[\d.]+)', text,
                              re.M):
        edges.append((a, b, v))
    return total, nodes, edges


def dot_label(name):
    return name.replace('::', ' ').replace(' ', '\\n')


def check_dot(text, result, side, labels, problems):
    unit, cuts = side.o.unit(), side.who == 'jeprof'
    total, nodes, edges = read_dot(text)
    if not total or total[2] != unit or \
            not prints(total[1], result.total, unit, cuts):
        problems.append(f'{side.who}: total of the graph')
    by_label = defaultdict(list)
    for key in result.cum:
        label = labels[key] if labels else key
        by_label[f'{label[1]:016x}' if isinstance(label, tuple) else
                 dot_label(label)].append(key)
    figures, at = {}, {}
    for n, (label, flat, flat_share, cum, cum_share) in nodes.items():
        label = label.replace('&lt;', '<').replace('&gt;', '>') \
            .replace('&quot;', '"').replace('&amp;', '&')
        if label not in by_label:  # a long name, cut in the middle
            cut = re.compile('.*'.join(map(re.escape, label.split('…'))) +
                             '$')
            by_label[label] = [k for x in list(by_label) for k in by_label[x]
                               if '…' in label and cut.match(x)]
        fits = [k for k in by_label[label] if k not in figures and
                prints(flat, result.flat[k], unit, cuts) and
                prints(cum, result.cum[k], unit, cuts) and
                percent(flat_share, result.flat[k], result.local) and
                percent(cum_share, result.cum[k], result.local)]
        if not fits and cuts and GONE in result.cum:
            continue
        if not fits:
            exact = [(result.flat[k], result.cum[k]) for k in by_label[label]]
            problems.append(f'{side.who}: node {label} {flat} {cum}, but it '
                            f'is {exact}')
            continue
        at[n] = fits[0]
        figures[fits[0]] = flat, cum
    if cuts and GONE in result.cum:
        return figures, {}
    for a, b, v in edges:
        exact = result.edges.get((at.get(a), at.get(b)))
        if exact is None or not prints(v, exact, unit, cuts):
            problems.append(f'{side.who}: arrow {at.get(a)} -> {at.get(b)}: '
                            f'{v}, but it is {exact}')
    check_drawn(figures, result, side, problems)
    return figures, {(at.get(a), at.get(b)): v for a, b, v in edges}


def check_drawn(figures, result, side, problems):
    """The heaviest so many, of these what is above the least."""
    most = int(side.o.value.get('nodecount', 80))
    # jeprof takes the sign of a difference along: then it leaves out none
    whole = result.local if side.who == 'jeprof' else abs(result.local)
    least = int(.005 * whole + 1e-6)
    weights = sorted((abs(c) for c in result.cum.values()), reverse=True)
    wanted = sum(w > least for w in weights[:most])
    if len(figures) != wanted:
        problems.append(f'{side.who}: {len(figures)} nodes, not {wanted}')
    if figures and min(abs(result.cum[k]) for k in figures) + 1e-6 < \
            weights[wanted - 1]:
        problems.append(f'{side.who}: a heavier node is not drawn')
