#!/usr/bin/env python3
"""Compare heaptop's reports with reference outputs of jeprof.

    refs.py [--save DIR] HEAPTOP DUMPS [CASE...]

DUMPS has a directory for each case, with the dumps, the programs, a file CMD
that says which jeprof command wrote which file of ref/ ("$ jeprof OPTIONS
[PROGRAM] DUMP... > ref/FILE"), and ref/.  Each command of --text, --dot,
--collapsed and --raw is repeated with heaptop.

Figures of both are proved: a report is worked out anew from the dump
(refs_model.py), once with jeprof's names of addresses and once with
heaptop's, and has to be what is in ref/ and what heaptop prints, every row,
every figure to the printed digit.  So the two can only differ in names and in
which frames are an allocator's.  Every address that they name differently
needs one of the reasons below, shown by nm's symbols or by LLVM's reading of
DWARF; every row that differs needs such an address in the stacks that make
the difference.  Nothing is matched by its figures.

jeprof's names are in DUMPS/CASE/names.json.gz, or the jeprof that is
installed is asked; --save DIR writes them to DIR/CASE/names.json.gz.
"""
import gzip
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter, defaultdict

import refs_model as model
from refs_names import (Frame, Judge, heaptop_names, jeprof_names,
                        jeprof_short, run)
from refs_side import GONE, Options, Side, blocks, check_dot, check_table, \
    read_table
from refs_why import ORDER, Naming, compare_rows

REASONS = {
    'same': 'name and figures as printed',
    'rounds': 'jeprof cuts figures in bytes and objects, heaptop rounds',
    'inline': 'GNU addr2line names an inlined function by what is around it, '
              'or leaves some out; heaptop has what LLVM reads from DWARF',
    'past': 'jeprof takes the symbol before a place, even if that ended '
            'before; heaptop names nothing that the place is not in',
    'static': 'jeprof takes a symbol that the place is not in; heaptop the '
              'one around it, from the symbol table or debug information',
    'alias': 'two names of one symbol',
    'alloc': 'allocator frames: jeprof drops them by name, so that those of '
             'stripped or newer allocators stay (malloc_usable_size, '
             'fallbackNewImpl) and take what the function that allocates '
             'should have; heaptop drops an allocator\'s library whole',
    'line': 'another line of the same function: addr2line\'s discriminators '
            'make rows of their own, its file names of DWARF 5 are off by '
            'one, or jeprof looks at the line behind a call (gperftools)',
    'template': 'jeprof leaves out template arguments and adds up what '
                'differs in them',
    'address': 'jeprof tells functions of one short name apart by address',
    'recursion': 'jeprof counts an arrow once per visit: a stack counts '
                 'several times in it',
    'both': 'jeprof divides what a function has among a row for where it is '
            'inlined and one for where it is not',
    'nofile': 'jeprof has no file for places without lines, heaptop says '
              'which library they are in',
    'merged': 'jeprof writes a line per stack, heaptop adds up those of equal '
              'names',
    'drawn': 'a graph has the heaviest 80 nodes, and by names they differ',
    'build': 'the dump, or what is stored of it, is of another build of this '
             'library than this machine has',
    'known': 'listed at the top, one by one',
    'nothing': 'jeprof says nothing about an empty profile',
}

# Files of ref/ that are no report of heaptop's: why.
NOT_REPORTS = {
    'two-profiles': 'jeprof adds up two dumps of one process by raw address; '
                    'heaptop does so with --sum, see e2e/jeprof',
    'symbolized-lines': 'jeprof refuses --lines of a symbolized profile',
    'symbolized-with-prog': 'jeprof refuses a program there',
    'lg0.noprog': 'an unknown option', 'noprog': 'no such program',
    'nofile': 'no such dump', 'twograin': 'two granularities',
    'twomode': 'two modes', 'twoheap': 'two figures',
    'emptyprofile': 'not a dump at all',
    'after-reset': 'nothing is in it, and jeprof fails',
    'lg0-vs-lg12': 'by design: two ASLR runs subtracted by raw address',
    'jemalloc-basic': 'google-pprof cannot read it',
    'gperf/hp.raw': 'google-pprof writes a binary profile of another kind',
    'heapcheck': 'an option of jeprof\'s that only colours nodes',
}

# Commands that make none of the reports compared here.
NOT_TABLES = {
    '--list': 'jeprof\'s --list: e2e/jeprof',
    '--disasm': 'heaptop does not disassemble',
    '--symbols': 'names of addresses are compared in all reports',
    '--callgrind': 'jeprof\'s has no functions where it knows no lines; '
                   'heaptop\'s is read by callgrind_annotate: e2e/formats',
    '--svg': 'as --dot, which is compared, and graphviz draws',
    '--stacks': 'of google-pprof only',
}

# Rows that differ for a reason of their own: part of case/file, row, why.
KNOWN = [
    ('gperf/hp.alloc_space', 'main', 'google-pprof drops a frame of '
     'libtcmalloc amid a stack, and what that calls for jeprof only'),
    ('gperf/hp.collapsed', 'main', 'likewise'),
]


def read(path):
    if not os.path.exists(path) and os.path.exists(path + '.gz'):
        with gzip.open(path + '.gz', 'rt', errors='surrogateescape') as f:
            return f.read()
    with open(path, errors='surrogateescape') as f:
        return f.read()


def commands(case):
    with open(os.path.join(case, 'CMD')) as f:
        for line in f:
            m = re.match(r'\$ jeprof (.*?) > ref/(\S+)', line)
            if m:
                yield shlex.split(m[1]), m[2]


def prepare(source, target):
    shutil.copytree(source, target, copy_function=shutil.copy)
    for path, _, files in os.walk(target):
        os.chmod(path, 0o755)
        for f in files:
            f = os.path.join(path, f)
            if f.endswith('.gz') and '/ref/' not in f and 'json' not in f:
                with gzip.open(f) as i, open(f[:-3], 'wb') as o:
                    shutil.copyfileobj(i, o)
                os.chmod(f[:-3], 0o755)
    # jeprof knows the program by its path
    for f in os.listdir(target):
        path = os.path.join(target, f)
        if f.endswith('.heap'):
            with open(path, 'r+b') as f:
                text = f.read().replace(
                    b' /tmp/hd/' + os.path.basename(source).encode() + b'/',
                    b' ' + target.encode() + b'/')
                f.seek(0)
                f.write(text)
                f.truncate()
    program = os.path.join(target, 'big-prog')
    if os.path.exists(program):
        os.rename(program, os.path.join(target, 'big'))


def build_id(path):
    out, _ = run(['readelf', '-nW', path], '/')
    m = re.search(r'Build ID: (\w+)', out)
    return m[1] if m else ''


def why_not(name):
    for part, reason in NOT_REPORTS.items():
        if part in name:
            return reason
    return None


class Case:
    def __init__(self, heaptop, name, where, stored):
        self.heaptop, self.name, self.where = heaptop, name, where
        self.dumps, self.tables, self.stored = {}, {}, stored
        self.judges = {}
        self.builds = stored.setdefault('builds', {})
        self.other = {}

    def dump(self, path):
        if path not in self.dumps:
            self.dumps[path] = model.Dump(read(os.path.join(self.where,
                                                            path)))
        return self.dumps[path]

    def other_build(self, path):
        """Names are stored for another build of this file?"""
        if path not in self.other:
            self.other[path] = path.startswith('/usr/') and \
                self.builds.setdefault(path, build_id(path)) != build_id(path)
        return self.other[path]

    def theirs(self, ref, program, files, addresses, maps):
        """jeprof's names; by the dumps of a command, since two functions of
        one short name have the address in it."""
        tool = 'google-pprof' if self.name == 'gperf' and \
            '.jeprof.' not in ref else 'jeprof'
        key = ' '.join([tool] + program + files)
        if key not in self.stored:
            if not shutil.which(tool):
                sys.exit(f'neither {tool} nor names.json.gz is here')
            table = jeprof_names(tool, program[0], addresses, maps,
                                 self.where)
            self.stored[key] = {f'{a:x}': f for a, f in table.items()}
        return {int(a, 16): [Frame(*f) for f in frames]
                for a, frames in self.stored[key].items()}

    def ours(self, program, files, addresses, maps):
        key = ' '.join(program + files)
        if key not in self.tables:
            self.tables[key] = heaptop_names(
                self.heaptop, program, addresses, maps, self.where)
        return self.tables[key]


def symbolized(dump):
    """Names that are in the dump."""
    return {a: [Frame(jeprof_short(n) + ' (inline)' * (i > 0), '', n, i > 0)
                for i, n in enumerate(names)]
            for a, names in dump.symbols.items()}


def check(case, words, ref):
    o = Options(words, ref)
    line = ' '.join(words)
    other = next((why for w, why in NOT_TABLES.items() if w in line), None)
    if o.kind is None and other:
        return 'no', other, []
    if why_not(case.name + '/' + ref):
        return 'no', why_not(case.name + '/' + ref), []
    beside = os.path.join(case.where, 'basic.debug')
    if ref.startswith('without') and os.path.exists(beside):
        os.rename(beside, beside + '.away')
    try:
        return compare(case, o, words, ref)
    finally:
        if os.path.exists(beside + '.away'):
            os.rename(beside + '.away', beside)


def compare(case, o, words, ref):
    files = [f for f in o.files if f.endswith('.heap')]
    program = [f for f in o.files if f not in files][:1]
    base = [o.value['base']] if 'base' in o.value else []
    dumps = [case.dump(f) for f in files]
    bases = [case.dump(f) for f in base]
    addresses, maps = set(), dumps[0].maps
    for d in dumps + bases:
        for s in d.stacks:
            addresses.update(s.addresses)
            addresses.update([s.addresses[0] - 1] if d.exact_leaf else [])
    # a stand-in for another file may come and go
    tag = [ref.split('.')[0]] if case.name == 'stripped' else []
    if dumps[0].symbols:
        theirs = symbolized(dumps[0])
        ours = {a: [f._replace(full=re.sub(r'<[0-9a-f]{16}>$', '', f.full))
                    for f in frames] for a, frames in theirs.items()}
        said, modules = '', []
    else:
        theirs = case.theirs(ref, program, files + base + tag, addresses, maps)
        ours, said, modules = case.ours(program, files + base + tag,
                                        addresses, maps)
    judge = case.judges.setdefault(' '.join(tag),
                                   Judge(modules, case.where))
    judge.modules = modules
    sides = [Side(o, 'jeprof', theirs, maps, dumps[0].exact_leaf, said),
             Side(o, 'heaptop', ours, maps, dumps[0].exact_leaf)]
    problems = []
    if o.kind == 'raw':
        return compare_raw(case, o, words, ref, sides, judge, said)
    out, errors = run([case.heaptop] + words, case.where)
    wanted = read(os.path.join(case.where, 'ref', ref))
    judge.chains(addresses)
    if 'thread' in o.value:
        return compare_threads(case, o, (words, wanted, out), dumps, sides,
                               Naming(case, sides, judge, said, problems))
    values = model.profile(dumps, bases, o.metric, None,
                           'drop_negative' in o.value)
    if not any(abs(v) > 1e-6 for v in values.values()):
        if wanted.strip() and 'Total' in wanted:
            problems.append('jeprof has something')
        return 'ok', Counter(nothing=1), problems
    naming = Naming(case, sides, judge, said, problems)
    counts = compare_outputs(case, o, (words, wanted, out), values, sides,
                             naming, problems)
    return 'ok', counts, problems


def row_keys(case, o, words):
    """heaptop's rows as keys of the model, in their order: JSON has whole
    names."""
    words = ['--json' if w in ('--text', '--dot') else w for w in words]
    out, _ = run([case.heaptop, '--nodecount=1000000', '--nodefraction=0'] +
                 words, case.where)
    keys = []
    for row in json.loads(out)['rows']:
        line = f"{row['file']}:{row['line']}"
        if o.grouping == 'functions':
            keys.append(row['name'])
        elif o.grouping == 'lines':
            keys.append((row['name'], line))
        elif o.grouping == 'files':
            keys.append(row['name'])
        else:
            keys.append(row['key'])
    return keys


def compare_outputs(case, o, texts, values, sides, naming, problems):
    words, wanted, out = texts
    theirs, ours = sides
    a, b = theirs.report(values), ours.report(values)
    if o.kind == 'collapsed':
        return compare_folded(wanted, out, a, b, values, sides, naming,
                              problems)
    keys = row_keys(case, o, words)
    if o.kind == 'text':
        figures = (check_table(wanted, a, theirs, None, problems),
                   check_table(out, b, ours, keys, problems))
        return compare_rows(theirs, ours, figures, values, naming, problems)
    text = ['--text' if w == '--dot' else w for w in words
            if not w.startswith(('--nodecount', '--maxdegree'))]
    _, rows = read_table(run([case.heaptop] + text, case.where)[0])
    keys = row_keys(case, o, text)
    labels = defaultdict(str, {k: w[5] for k, w in zip(keys, rows)})
    first, arrows = check_dot(wanted, a, theirs, None, problems)
    second, own = check_dot(out, b, ours, labels, problems)
    counts = compare_rows(theirs, ours, (first, second), values, naming,
                          problems)
    return counts


def compare_threads(case, o, texts, dumps, sides, naming):
    words, wanted, out = texts
    theirs, mine = blocks(wanted), blocks(out)
    counts, problems = Counter(), naming.problems
    if sorted(theirs) != sorted(mine):
        problems.append(f'threads: ref {sorted(theirs)}, ours {sorted(mine)}')
    for t in theirs:
        values = model.profile(dumps, [], o.metric, t)
        rest = [w for w in words if not w.startswith('--thread')]
        rest.insert(0, '--thread=' + t)
        counts += compare_outputs(case, o, (rest, theirs[t], mine.get(t, '')),
                                  values, sides, naming, problems)
    return 'ok', counts, problems


def compare_folded(wanted, out, a, b, values, sides, naming, problems):
    """Each line of both is the sum of the stacks with these names."""
    counts = Counter()
    theirs = Counter()
    for line in wanted.splitlines():
        names, _, value = line.rpartition(' ')
        theirs[names, int(value)] += 1
    expected, sums, at = Counter(), Counter(), defaultdict(set)
    for stack, value in values.items():
        rest = stack[sides[0].cut(stack):]
        names = model.folded(sides[0].path(stack))
        sums[names, rest] += value
        at[names].add(rest)
    for (names, _), value in sums.items():
        expected[names, int(value + math_edge(value))] += 1
    if any(GONE in names for names, _ in expected):
        theirs, expected = (Counter(('', v) for _, v in x.elements())
                            for x in (theirs, expected))
    for key in set(theirs) | set(expected):
        if theirs[key] != expected[key] and not any(
                theirs[key[0], key[1] + d] for d in (-1, 0, 1)):
            problems.append(f'jeprof: folded {key[0][-60:]} {key[1]}: '
                            f'{theirs[key]} and {expected[key]} times')
    mine = {}
    for line in out.splitlines():
        names, _, value = line.rpartition(' ')
        if names in mine:
            problems.append(f'heaptop: twice: {names[-80:]}')
        mine[names] = int(value)
    sums = b.folded
    for names in set(mine) | set(sums):
        if abs(mine.get(names, 0) - sums[names]) > .5 + 1e-3:
            problems.append(f'heaptop: folded {names[-80:]} '
                            f'{mine.get(names)}, but it is {sums[names]:.2f}')
    # names: every position of every stack
    for stack in values:
        why = set()
        for i in range(min(side.cut(stack) for side in sides), len(stack)):
            why |= naming.at(stack, i)
        lines = len(at[model.folded(sides[0].path(stack))])
        counts[min(why, key=ORDER.index) if why else
               'merged' if lines > 1 else 'same'] += 1
    return counts


def math_edge(value):
    return 1e-6 if value > 0 else -1e-6


def compare_raw(case, o, words, ref, sides, judge, said):
    """Symbols: the same addresses, and names that can be told apart only for
    a reason."""
    problems = []
    wanted = read(os.path.join(case.where, 'ref', ref))
    out, _ = run([case.heaptop] + words, case.where)
    naming = Naming(case, sides, judge, said, problems)
    counts = Counter()
    theirs, mine = (dict(re.findall(r'^0x([0-9a-f]{16}) (.*)$', text, re.M))
                    for text in (wanted, out))
    for a, name in theirs.items():
        if '--'.join(f.full for f in sides[0].frames(int(a, 16))) != name:
            problems.append(f'jeprof: {a} is {name}')
        if a in mine:
            why = naming.address(int(a, 16), int(a, 16))
            counts[min(why, key=ORDER.index) if why else 'same'] += 1
        elif sides[1].library(int(a, 16)):
            counts['alloc'] += 1
        else:
            problems.append(f'{a} {name}: not in ours')
    problems += [f'{a}: not in ref' for a in mine if a not in theirs]
    return 'ok', counts, problems


def main():
    args = sys.argv[1:]
    save = args[1] if args[0] == '--save' else None
    args = args[2:] if save else args
    heaptop, dumps = os.path.abspath(args[0]), args[1]
    failed, used = 0, Counter()
    for name in sorted(os.listdir(dumps)):
        source = os.path.join(dumps, name)
        if not os.path.exists(os.path.join(source, 'CMD')) or \
                (args[2:] and name not in args[2:]):
            continue
        stored = {}
        if os.path.exists(os.path.join(source, 'names.json.gz')):
            stored = json.loads(read(os.path.join(source, 'names.json')))
        with tempfile.TemporaryDirectory() as tmp:
            where = os.path.join(tmp, name)
            prepare(source, where)
            case = Case(heaptop, name, where, stored)
            for words, ref in commands(where):
                result = check(case, words, ref)
                if result is None:
                    continue
                state, counts, problems = result
                if state == 'no':
                    print(f'-        {name + "/" + ref:40} {counts}')
                    continue
                for part, text, _ in KNOWN:
                    if part in f'{name}/{ref}':
                        counts['known'] += len(problems)
                        problems = [p for p in problems if text not in p]
                        counts['known'] -= len(problems)
                if problems or counts['UNPROVED']:
                    state, failed = 'DIFFERS', failed + 1
                used += counts
                said = ' '.join(f'{k}:{v}' for k, v in counts.most_common())
                print(f'{state:8} {name + "/" + ref:40} {said}', flush=True)
                for line in list(dict.fromkeys(problems))[:12]:
                    print('         ', line[:400])
        if save:
            os.makedirs(os.path.join(save, name), exist_ok=True)
            path = os.path.join(save, name, 'names.json.gz')
            with gzip.GzipFile(path, 'wb', mtime=0) as f:
                f.write(json.dumps(case.stored, sort_keys=True).encode())
    print('\nReasons:')
    for k, v in used.most_common():
        print(f'{v:7} {k}: {REASONS.get(k, "")}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
