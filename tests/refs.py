#!/usr/bin/env python3
"""Compare heaptop's reports with reference outputs of jeprof.

    refs.py HEAPTOP DUMPS [CASE...]

DUMPS has a directory for each case, with the dumps, the programs, a file CMD
that says which jeprof command wrote which file of ref/ ("$ jeprof OPTIONS
[PROGRAM] DUMP... > ref/FILE"), and ref/.  Every command of --text, --dot and
--collapsed is repeated with heaptop and each figure compared as printed.

A row is the same if its name is, apart from spelling (arguments, templates,
return types, symbol versions), and if its figures are.  What differs must
have one of the reasons below, in each of which jeprof is wrong; anything else
fails.  The table counts them per file.
"""
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

REASONS = {
    'rounds': 'jeprof cuts figures in bytes and objects, heaptop rounds',
    'named': 'the same figures under another name of the same symbol, an '
             'inlined function that addr2line gives the name around it, or a '
             'place in a stripped file, where jeprof takes whatever exported '
             'symbol stands before it',
    'inline': 'addr2line names an inlined function by what is around it, or '
              'not at all; DWARF has more of them',
    'alloc': 'allocator frames: jeprof drops them by name, so that stripped '
             'ones (malloc_usable_size, fallbackNewImpl) stay and take the '
             'flat figures of the function that allocates',
    'template': 'jeprof leaves out template arguments, then tells different '
                'functions apart by address or not at all',
    'merged': 'jeprof keeps stacks of equal names apart, heaptop adds them '
              'up',
    'lines': 'one line is several rows, by addr2line\'s discriminators; or '
             'jeprof looks at the line behind a call',
    'stripped': 'places of a stripped file that jeprof takes for one function',
    'build': 'this machine has another build of a program or library, which '
             'must name nothing; totals agree',
    'known': 'listed one by one at the top of this file',
    'left out': 'light nodes of a graph, of which only so many are drawn',
    'edge': 'jeprof counts recursion more than once in an arrow',
}

# Leaves that are an allocator's own, whatever name they got.
ALLOCATOR = re.compile(
    r'^(malloc_usable_size|prof_backtrace_impl|je_\w+|imalloc\w*|malloc|'
    r'fallbackNewImpl|fallback_impl|newImpl|prof_alloc_prep|operator new|'
    r'aligned_alloc|calloc|realloc|irallocx_prof|do_rallocx|'
    r'tcmalloc::.*|MallocExtension.*|TCMalloc.*)(\[\])?$')

# Single rows that differ: part of the case and file, name, why.
KNOWN = [
    ('basic/lg0.files', '??:?', 'jeprof has no file for places without '
     'lines, heaptop says which library they are in'),
    ('basic/lg0.files', 'libstdc++.so.6.0.30', 'likewise'),
    ('deep/', 'main (inline)', 'addr2line gives three inlined functions the '
     'name of the one around them; they are inl3 and two lambdas'),
    ('gperf/hp.alloc_space', 'std::__cxx11::basic_string::_M_mutate',
     'the profiler writes its own dump in libtcmalloc; frames up to there '
     'are the allocator\'s, so main allocates that'),
    ('gperf/hp.alloc_space', 'std::__cxx11::basic_string::_M_replace_aux',
     'likewise'),
]

# Files of ref/ that hold no report of the file: why.
NOT_REPORTS = {
    'two-profiles': 'jeprof adds up two dumps of one process by raw address',
    'symbolized-lines': 'jeprof refuses --lines of a symbolized profile',
    'symbolized-with-prog': 'jeprof refuses a program there',
    'noprog': 'a test of jeprof\'s errors', 'nofile': 'likewise',
    'twograin': 'likewise', 'twomode': 'likewise', 'twoheap': 'likewise',
    'emptyprofile': 'likewise', 'empty.': 'an empty dump is an empty report',
    'after-reset': 'likewise', 'lg0-vs-lg12': 'by design: two ASLR runs '
    'subtracted by raw address',
    'jemalloc-basic': 'google-pprof cannot read it', 'nosuch': 'likewise',
    'thread': 'by thread: other numbers of rows',
}


def short(name):
    """The name as jeprof would shorten it, and whether it is inlined."""
    inline = '(inline)' in name or '[inline]' in name
    name = name.replace(' (inline)', '').replace('[inline]', '')
    name = re.sub(r'<[0-9a-f]{16}>$', '', name)
    name = re.sub(r' ?\[clone [^\]]*\]', '', name)
    name = re.sub(r'@[0-9a-f]+$', '', re.sub(r'@@?[A-Z]\w+[\d.]*$', '', name))
    name = name.replace('operator()', 'operator ')
    while True:
        cut = re.sub(r'\((?!anonymous)[^()]*\)(\s*const)?', '', name)
        if cut == name:
            break
        name = cut
    name = re.sub(r'\[abi:\w+\]', '', name)
    name = name.replace('operator<', 'operator{').replace('->', '-}')
    while True:
        cut = re.sub(r'<[^<>]*>', '', name)
        if cut == name:
            break
        name = cut
    name = name.replace('operator{', 'operator<').replace('-}', '->')
    if not name.startswith('operator') and ' ' in name:
        name = name.split(' ')[-1] or name
    name = name.replace('std::__cxx11::basic_string', 'std::string')
    return name.strip(' :'), inline


class Row:
    def __init__(self, name, flat, cum):
        self.text, self.flat, self.cum = name, flat, cum
        line = re.search(r' (\S*):(\d+|\?)( \(discriminator \d+\))?$', name)
        self.line = ''
        if line:
            self.line = os.path.basename(line[1]) + ':' + line[2]
            name = name[:line.start()]
        self.address = ''
        where = re.match(r'([0-9a-f]{16}) ', name)
        if where:
            self.address, name = where[1], name[17:]
        if re.match(r'(\?\?|\.?/\S*)(:|$)', name):  # of --files
            name = re.sub(r'(:(\d+|\?))?( \(discriminator \d+\))?$', '', name)
        self.short, self.inline = short(name)
        self.nameless = bool(re.search(r'\+0x[0-9a-f]+$', self.short)) or \
            self.short.startswith('0x')

    def key(self):
        return self.short, self.line, self.address

    def __str__(self):
        return f'{self.flat:g} {self.cum:g} {self.text[:90]}'


def number(word):
    try:
        return float(word.rstrip('%'))
    except ValueError:
        return float('nan')


def parse_text(text):
    total, rows = None, []
    for line in text.splitlines():
        if line.startswith('Total'):
            total = line
            continue
        words = line.split(None, 5)
        if len(words) == 6:
            rows.append(Row(words[5], number(words[0]), number(words[3])))
    return total, rows


def parse_dot(text):
    total = re.search(r'digraph ".*; (\S+ \S+)" \{', text)
    rows, edges, names = [], {}, {}
    for n, label in re.findall(r'^(N\d+) \[label="(.*?)",shape', text, re.M):
        m = re.match(r'(.*)\\n(-?[\d.]+) \(\S+?\)\\r(?:of (-?[\d.]+) )?', label)
        if not m:
            continue
        flat = float(m[2])
        name = m[1].replace('\\n', ' ')
        rows.append(Row(name.replace(' ', '::') if ' (inline)' not in name
                        else name, flat, float(m[3]) if m[3] else flat))
        names[n] = rows[-1].short
    for a, b, v in re.findall(r'^(N\d+) -> (N\d+) \[label=(-?[\d.]+)', text,
                              re.M):
        edges[names.get(a), names.get(b)] = float(v)
    return total[1] if total else None, rows, edges


def same(a, b, unit):
    """Equal as printed; jeprof cuts bytes and objects."""
    if a == b or (a != a and b != b):
        return 'same'
    return 'rounds' if not unit and abs(a - b) <= 1 else None


def same_row(a, b, mb):
    flat, cum = same(a.flat, b.flat, mb), same(a.cum, b.cum, mb)
    if flat and cum:
        return 'same' if flat == cum == 'same' else 'rounds'
    return None


def pair(theirs, ours, equal, mb, why, counts):
    """Take equal ones off both lists."""
    for a in list(theirs):
        for b in ours:
            how = equal(a, b) and same_row(a, b, mb)
            if how:
                counts[why if how == 'same' or why != 'same' else how] += 1
                theirs.remove(a)
                ours.remove(b)
                break


def groups(rows, key):
    out = defaultdict(list)
    for r in rows:
        out[key(r)].append(r)
    return out


def within(a, bs, mb, flat_too):
    """One of theirs is what several of ours are together."""
    slack = (.06 if mb else 1) * (len(bs) + 1)
    most = max(b.cum for b in bs)
    if not most - slack <= a.cum <= sum(b.cum for b in bs) + slack:
        return False
    return not flat_too or abs(a.flat - sum(b.flat for b in bs)) <= slack


def pair_groups(theirs, ours, key, mb, flat_too, why, counts):
    """Several rows of one that are one row, or several, of the other."""
    a, b = groups(theirs, key), groups(ours, key)
    for k in a:
        if k not in b:
            continue
        whole = Row('', sum(r.flat for r in a[k]), max(r.cum for r in a[k]))
        back = Row('', sum(r.flat for r in b[k]), max(r.cum for r in b[k]))
        if within(whole, b[k], mb, flat_too) or \
                within(back, a[k], mb, flat_too):
            counts[why] += len(a[k])
            for r in a[k]:
                theirs.remove(r)
            for r in b[k]:
                ours.remove(r)


def tail(row):
    return row.short.split('::')[-1].lstrip('_')


def explain(theirs, ours, mb):
    """Counts per reason; what has none stays in the lists."""
    counts = Counter()
    all_theirs, all_ours = list(theirs), list(ours)
    bogus = [a for a in theirs if ALLOCATOR.match(a.short)]
    many = [k for k, v in groups(theirs, Row.key).items() if len(v) > 1]
    split = [a for a in theirs if a.key() in many and a.line]
    if split:
        mine = [b for b in ours if b.key() in many]
        for r in split + mine:
            (theirs if r in theirs else ours).remove(r)
        pair_groups(split, mine, Row.key, mb, not bogus, 'lines', counts)
        theirs += split
        ours += mine
    pair(theirs, ours, lambda a, b: a.key() == b.key() and
         a.inline == b.inline, mb, 'same', counts)
    pair(theirs, ours, lambda a, b: a.key() == b.key(), mb, 'inline', counts)
    pair(theirs, ours, lambda a, b: a.short == b.short, mb, 'lines', counts)
    for a in bogus:
        if a in theirs:
            theirs.remove(a)
            counts['alloc'] += 1
    pair_groups(theirs, ours, Row.key, mb, not bogus,
                'alloc' if bogus else 'template', counts)
    pair_groups(theirs, ours, lambda r: r.short, mb, not bogus,
                'alloc' if bogus else 'lines', counts)
    pair(theirs, ours, lambda a, b: tail(a) == tail(b), mb, 'named', counts)
    pair(theirs, ours, lambda a, b: b.nameless or a.nameless, mb, 'named',
         counts)
    pair(theirs, ours, lambda a, b: True, mb, 'named', counts)
    stripped = any(b.nameless for b in all_ours)
    for a in list(theirs):
        if any(same_row(a, b, mb) for b in all_ours):
            why = 'named'
        elif stripped and a.cum <= sum(b.cum for b in all_ours if b.nameless):
            why = 'stripped'  # one of theirs is several places of ours
        elif bogus and any(same(a.cum, b.cum, mb) for b in all_ours):
            why = 'alloc'
        else:
            continue
        theirs.remove(a)
        counts[why] += 1
    for b in list(ours):
        namesake = any(a.short == b.short and a.cum >= b.cum
                       for a in all_theirs)
        if b.nameless or stripped and namesake:
            why = 'stripped'
        elif any(same(a.cum, b.cum, mb) for a in all_theirs) and \
                (b.flat == 0 or bogus):
            why = 'alloc' if b.flat else 'inline'
        elif b.inline:
            why = 'inline'
        else:
            continue
        ours.remove(b)
        counts[why] += 1
    return counts


def known(where, row):
    return any(part in where and row.text.startswith(name)
               for part, name, _ in KNOWN)


def compare_rows(where, theirs, ours, mb, problems):
    counts = explain(theirs, ours, mb)
    for rows in theirs, ours:
        for r in [r for r in rows if known(where, r)]:
            rows.remove(r)
            counts['known'] += 1
    problems += [f'only in ref:  {a}' for a in theirs]
    problems += [f'only in ours: {b}' for b in ours]
    return counts


def compare_total(a, b, problems):
    if a == b or not a:
        return Counter()
    x, y = (re.search(r'(-?[\d.]+) (\w+)', t or '') for t in (a, b))
    if x and y and x[2] == y[2] and x[2] != 'MB' and \
            abs(float(x[1]) - float(y[1])) <= 1:
        return Counter(rounds=1)
    problems.append(f'total: ref {a}, ours {b}')
    return Counter()


def compare_text(where, ref, out, problems):
    (total, theirs), (mine, ours) = parse_text(ref), parse_text(out)
    mb = 'MB' in (total or 'MB')
    counts = compare_total(total, mine, problems)
    return counts + compare_rows(where, theirs, ours, mb, problems)


def compare_dot(where, ref, out, problems):
    total, theirs, edges = parse_dot(ref)
    mine, ours, own = parse_dot(out)
    mb = 'MB' in (total or 'MB')
    counts = compare_total(total, mine, problems)
    # Only so many nodes are drawn: those that are in both must agree, and
    # what is too light in one of them may be missing in the other.
    rows = compare_rows(where, theirs, ours, mb, [])
    rows['left out'] = len(theirs) + len(ours)
    counts += rows
    for k, v in edges.items():
        if k in own and own[k] != v:
            if own[k] < v:
                counts['edge'] += 1
            else:
                counts['inline'] += 1
    return counts


def parse_collapsed(text):
    out = Counter()
    for line in text.splitlines():
        names, _, value = line.rpartition(' ')
        out[names] += int(value)
    return out


def compare_collapsed(_, ref, out, problems):
    theirs, ours = parse_collapsed(ref), parse_collapsed(out)
    lines = len(ref.splitlines()) + len(out.splitlines())
    a, b = sum(theirs.values()), sum(ours.values())
    if abs(a - b) > lines:
        problems.append(f'sum of stacks: ref {a}, ours {b}')
    # Names are spelt in full there: the figures tell which is which.
    left = Counter(ours.values())
    counts = Counter()
    for name, v in theirs.items():
        for w in (v, v + 1, v - 1):
            if left[w] > 0:
                left[w] -= 1
                counts['same' if w == v else 'rounds'] += 1
                break
        else:
            counts['merged'] += 1
    return counts


def commands(case):
    with open(os.path.join(case, 'CMD')) as f:
        for line in f:
            m = re.match(r'\$ jeprof (.*?) > ref/(\S+)', line)
            if m:
                yield shlex.split(m[1]), m[2]


def read(path):
    if os.path.exists(path + '.gz'):
        with gzip.open(path + '.gz', 'rt', errors='replace') as f:
            return f.read()
    with open(path, errors='replace') as f:
        return f.read()


def prepare(source, target):
    shutil.copytree(source, target, copy_function=shutil.copy)
    for path, _, files in os.walk(target):
        os.chmod(path, 0o755)
        for f in files:
            f = os.path.join(path, f)
            if f.endswith('.gz') and '/ref/' not in f and \
                    'json' not in f:
                plain = f[:-3]
                with gzip.open(f) as i, open(plain, 'wb') as o:
                    shutil.copyfileobj(i, o)
                os.chmod(plain, 0o755)
    program = os.path.join(target, 'big-prog')
    if os.path.exists(program):
        os.rename(program, os.path.join(target, 'big'))


def why_not(ref):
    for part, reason in NOT_REPORTS.items():
        if part in ref:
            return reason
    return None


def check(heaptop, case, where, words, ref):
    kinds = {'--text': compare_text, '--dot': compare_dot,
             '--collapsed': compare_collapsed}
    kind = next((k for k in kinds if k in words), None)
    if kind is None or why_not(ref):
        return None
    beside = os.path.join(where, 'basic.debug')
    if ref.startswith('without') and os.path.exists(beside):
        os.rename(beside, beside + '.away')
    p = subprocess.run([heaptop] + words, cwd=where,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True, errors='replace', check=False)
    if os.path.exists(beside + '.away'):
        os.rename(beside + '.away', beside)
    if p.returncode == 2 and 'option' in p.stderr:
        return 'not yet', Counter(), [p.stderr.splitlines()[0]]
    problems = []
    if p.returncode not in (0, 1):
        problems.append(f'status {p.returncode}: {p.stderr[:200]}')
    wanted = read(os.path.join(where, 'ref', ref))
    if not wanted and not p.stdout:
        return 'ok', Counter(), []
    counts = kinds[kind](f'{case}/{ref}', wanted, p.stdout, problems)
    if 'is another build now' in p.stderr:
        names = [x for x in problems if x.startswith('only in')]
        counts['build'] += len(names)
        problems = [x for x in problems if x not in names]
    return ('ok' if not problems else 'DIFFERS'), counts, problems


def main():
    heaptop, dumps = os.path.abspath(sys.argv[1]), sys.argv[2]
    failed = 0
    used = Counter()
    for name in sorted(os.listdir(dumps)):
        source = os.path.join(dumps, name)
        if not os.path.exists(os.path.join(source, 'CMD')) or \
                (sys.argv[3:] and name not in sys.argv[3:]):
            continue
        with tempfile.TemporaryDirectory() as tmp:
            where = os.path.join(tmp, name)
            prepare(source, where)
            for words, ref in commands(where):
                result = check(heaptop, name, where, words, ref)
                if result is None:
                    continue
                state, counts, problems = result
                used += counts
                said = ' '.join(f'{k}:{v}' for k, v in counts.most_common())
                print(f'{state:8} {name + "/" + ref:40} {said}', flush=True)
                for line in problems[:12]:
                    print('         ', line)
                failed += state == 'DIFFERS'
    print('\nReasons:')
    for k, v in used.most_common():
        print(f'{v:7} {k}: {REASONS.get(k, "")}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
