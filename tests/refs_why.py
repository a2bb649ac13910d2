"""Why rows of jeprof's and of heaptop's differ; see refs.py for the words."""
import re
import shutil
from collections import Counter, defaultdict

from refs_names import place, plain, whole, other_build

class Naming:
    """Why the two call the frames of a stack differently."""

    def __init__(self, case, sides, judge, said, problems):
        self.case, self.judge = case, judge
        self.theirs, self.ours = sides
        self.said, self.problems = said, problems
        self.by_address, self.by_stack = {}, {}

    def address(self, a, b):
        """Reasons for address a of theirs, b of ours; empty: no difference."""
        key = a, b
        if key not in self.by_address:
            self.by_address[key] = self.compare(a, b)
        return self.by_address[key]

    def compare(self, a, b):
        t, o = self.theirs.frames(a), self.ours.frames(b)
        if self.case.other_build(self.ours.module(b)):
            return set() if t == o else {'build'}
        names = [plain(f.full) for f in t], [plain(f.full) for f in o]
        why = set()
        if names[0] != names[1] and not self.nameless(t, o):
            why |= self.names(names[0], names[1], a, b)
        elif [whole(f.full) for f in t] != [whole(f.full) for f in o] and \
                not self.nameless(t, o):
            why |= self.wholes(t, o, b)
        if not why and self.theirs.o.grouping in ('lines', 'files') and \
                [place(f.line) for f in t] != [place(f.line) for f in o]:
            why |= self.lines(o, b)
        return why

    @staticmethod
    def nameless(t, o):
        return len(t) == len(o) == 1 and \
            re.match(r'(0x)?0*[0-9a-f]+$|\?\?', t[0].full) and \
            re.search(r'\+0x[0-9a-f]+$|^0x', o[0].full)

    def fail(self, text):
        self.problems.append(text)
        return {'UNPROVED'}

    def names(self, t, o, a, b):
        if other_build(self.said, b, self.judge.modules, self.ours.maps):
            return {'build'}
        around = self.judge.around(b)
        if re.search(r'\+0x[0-9a-f]+$|^0x[0-9a-f]+$', o[0]):
            if around:
                return self.fail(f'{b:x} is {o}, but in {around}')
            return {'past'}
        why = set()
        chain = self.judge.chain(b)
        if o[0] not in around and not (chain and chain[0][0] == o[0]):
            return self.fail(f'{b:x} is {o}, but in {around} ({t})')
        if t[0] != o[0]:
            why.add('alias' if t[0] in around else 'static')
        if t[1:] != o[1:]:
            if not chain and len(o) > 1 and shutil.which('llvm-symbolizer'):
                return self.fail(f'{b:x} is {o}, LLVM has nothing there')
            if chain and [n for n, _ in chain] != o and \
                    [n for n, _ in chain[1:]] != o[1:]:
                return self.fail(f'{b:x} is {o}, LLVM says '
                                 f'{[n for n, _ in chain]}')
            why.add('inline')
        return why

    def wholes(self, t, o, b):
        """Only arguments differ: nm's or LLVM's are heaptop's."""
        if not self.judge.modules:  # the names are the dump's own
            return set()
        chain = self.judge.whole_chain(b) or []
        around = self.judge.around(b, True)
        for i, (x, y) in enumerate(zip(t, o)):
            mine = whole(y.full)
            if whole(x.full) == mine or i == 0 and mine in around or \
                    i < len(chain) and mine == chain[i]:
                continue
            return self.fail(f'{b:x} is {mine}, nm says {around}, LLVM '
                             f'{chain[i:i + 1]}')
        return {'inline'}

    def lines(self, o, b):
        chain = self.judge.chain(b)
        mine = [place(f.line) for f in o]
        if other_build(self.said, b, self.judge.modules, self.ours.maps):
            return {'build'}
        if chain and [p for _, p in chain] != mine:
            return self.fail(f'{b:x} is at {mine}, LLVM says '
                             f'{[p for _, p in chain]}')
        if not chain and any(m[0] for m in mine) and \
                shutil.which('llvm-symbolizer'):
            return self.fail(f'{b:x} is at {mine}, LLVM has no line')
        return {'line'}

    def at(self, stack, i):
        """Reasons for position i of a stack; perhaps only one cuts it."""
        if (i < self.theirs.cut(stack)) != (i < self.ours.cut(stack)) or \
                i == self.ours.cut(stack) and self.ours.parts[stack]:
            return {'alloc'}
        return self.address(self.theirs.address(stack, i),
                            self.ours.address(stack, i))

    def missing(self, stack, side, norm, leaf):
        """Why `side` has this row in the stack and the other has not."""
        if leaf:
            if self.theirs.cut(stack) != self.ours.cut(stack) or \
                    self.ours.parts[stack]:
                return {'alloc'}
            return self.at(stack, side.cut(stack))
        why = set()
        for i in range(side.cut(stack), len(stack)):
            a = side.address(stack, i)
            if any(spot.norm == norm for spot in side.spots(a)):
                why |= self.at(stack, i)
        return why


class Groups:
    """Rows of one side, by name without its spelling."""

    def __init__(self, side, values):
        self.cum, self.flat = defaultdict(set), defaultdict(set)
        self.keys = defaultdict(set)
        self.at, self.leaf = defaultdict(set), defaultdict(set)
        for stack, value in values.items():
            path = side.filters(side.path(stack))
            for spot in path:
                self.keys[spot.norm].add(spot.key)
                self.cum[spot.norm].add(stack)
                self.at[spot.key].add(stack)
            if path:
                self.leaf[path[0].key].add(stack)
                self.flat[path[0].norm].add(stack)


ORDER = ('UNPROVED', 'alloc', 'build', 'past', 'static', 'alias', 'inline',
         'line')


def compare_rows(theirs, ours, figures, values, naming, problems):
    """Counts reasons of jeprof's rows, and of ours that jeprof has not."""
    counts = Counter()
    a, b = Groups(theirs, values), Groups(ours, values)
    for norm in set(a.keys) | set(b.keys):
        drawn = [k for k in a.keys[norm] if k in figures[0]]
        own = [k for k in b.keys[norm] if k in figures[1]]
        if not drawn and not own:
            continue
        if a.cum[norm] == b.cum[norm] and a.flat[norm] == b.flat[norm]:
            counts += same_stacks(norm, a, b, figures, theirs.o, problems)
            continue
        why = set()
        for side, have, other in (theirs, a, b), (ours, b, a):
            for leaf in False, True:
                x, y = (have.flat, other.flat) if leaf else \
                    (have.cum, other.cum)
                for stack in x[norm] - y[norm]:
                    found = naming.missing(stack, side, norm, leaf)
                    if not found:
                        problems.append(f'no reason for {norm} in a stack of '
                                        f'{values[stack]:.0f}')
                        found = {'UNPROVED'}
                    why |= found
        counts[min(why, key=ORDER.index)] += max(len(drawn), 1)
    return counts


def same_stacks(norm, a, b, figures, o, problems):
    """The same stacks have this name for both."""
    theirs = [k for k in a.keys[norm] if k in figures[0]]
    ours = [k for k in b.keys[norm] if k in figures[1]]
    if not theirs or not ours:
        if o.kind == 'dot':
            return Counter(drawn=max(len(theirs), 1))
        if not theirs and not ours or o.kind == 'text':
            problems.append(f'{norm}: a row of one only')
        return Counter()
    if len(a.keys[norm]) > 1 or len(b.keys[norm]) > 1:
        return several(norm, a, b, figures, o, problems)
    return same_figures(norm, theirs[0], ours[0], figures, o, problems)


def several(norm, a, b, figures, o, problems):
    """Rows that look alike: who has the same stacks?"""
    counts = Counter()
    for k in a.keys[norm]:
        if k not in figures[0]:
            continue
        twins = [x for x in b.keys[norm] if b.at[x] <= a.at[k]]
        if len(twins) == 1 and b.at[twins[0]] == a.at[k] and \
                b.leaf[twins[0]] == a.leaf[k] and twins[0] in figures[1]:
            counts += same_figures(norm, k, twins[0], figures, o, problems)
        elif o.grouping == 'files':
            counts['line' if norm else 'nofile'] += 1
        elif twins and set().union(*(b.at[x] for x in twins)) == a.at[k]:
            counts['template'] += 1
        elif {str(x).replace(' (inline)', '') for x in a.keys[norm]} == \
                {str(k).replace(' (inline)', '')}:
            counts['both'] += 1
        elif len(b.keys[norm]) == 1:
            counts['line' if o.grouping == 'lines' else 'address'] += 1
        else:
            counts['template'] += 1
    return counts


def same_figures(norm, theirs, ours, figures, o, problems):
    x, y = figures[0][theirs], figures[1][ours]
    if [float(v) for v in x] == [float(v) for v in y]:
        return Counter(same=1)
    if o.unit() == 'MB':
        problems.append(f'{norm}: ref {x}, ours {y}')
    return Counter(rounds=1)
