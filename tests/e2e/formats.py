#!/usr/bin/env python3
"""Compares each export of a dump with --text of it.

formats.py HEAPTOP DATA [PROGRAM] DUMP...

Figures are compared to the byte where an export holds whole sums, and with
room for rounding where it holds stacks.  Other programs are
asked where they are there.  Needs nothing but the standard library.
"""

import collections
import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys

METRICS = ['inuse_space', 'inuse_objects', 'alloc_space', 'alloc_objects']
heaptop, data, dump = sys.argv[1], sys.argv[2], sys.argv[3:]


def die(text):
    print('%s: %s' % (' '.join(dump), text))
    sys.exit(1)


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        die('%s: status %d: %s' % (' '.join(command), done.returncode,
                                   done.stderr.decode(errors='replace')))
    return done.stdout


def export(*options):
    return run(heaptop, *options, *dump)


ROW = re.compile(r' *(-?\d+) +\S+ +\S+ +(-?\d+) +\S+ (.*)$')


def table(text):
    """Total and rows, [(name, flat, cum)], of a table as jeprof's."""
    total, rows = 0, []
    for line in text.splitlines():
        if line.startswith('Total: '):
            total = int(line.split()[1])
        elif ROW.match(line):
            flat, cum, name = ROW.match(line).groups()
            rows.append((re.sub(r' \(inline\)$', '', name), int(flat), int(cum)))
    return total, rows


def near(a, b, room, what):
    if abs(a - b) > room:
        die('%s: %s, but --text says %s' % (what, a, b))


def room(stacks):
    """What rounding of each does to a sum, four times over."""
    return 2 + 2 * len(stacks) ** .5


def same_figures(what, theirs, ours, slack):
    """Two lists of figures, largest first; what rounds to 0 may be missing."""
    a, b = ([v for v in sorted(x, reverse=True) if abs(v) > slack]
            for x in (theirs, ours))
    if abs(len(a) - len(b)) > sum(abs(v) <= 2 * slack + 1 for v in a + b):
        die('%s: %d rows, --text has %d' % (what, len(a), len(b)))
    for x, y in zip(a, b):
        near(x, y, slack, what)


def sums(rows, column):
    """By name, as rows of overloaded functions look alike."""
    by = collections.Counter()
    for row in rows:
        by[row[0]] += row[column]
    return by


# ---- a validator of as much of JSON Schema as our schemas use ----

TYPES = {'object': dict, 'array': list, 'string': str, 'null': type(None),
         'boolean': bool, 'number': (int, float), 'integer': int}


def validate(v, schema, root, at='$'):
    if '$ref' in schema:
        target = root
        for part in schema['$ref'].split('/')[1:]:
            target = target[part]
        validate(v, target, root, at)
    if 'anyOf' in schema and not any(valid(v, s, root) for s in schema['anyOf']):
        die('%s: %r is none of those' % (at, v))
    if 'const' in schema and v != schema['const']:
        die('%s: %r is not %r' % (at, v, schema['const']))
    if 'enum' in schema and v not in schema['enum']:
        die('%s: %r is not one of %r' % (at, v, schema['enum']))
    if 'type' in schema:
        if not isinstance(v, TYPES[schema['type']]) or \
           (isinstance(v, bool) and schema['type'] != 'boolean'):
            die('%s: %r is no %s' % (at, v, schema['type']))
    if isinstance(v, str) and 'pattern' in schema and \
       not re.search(schema['pattern'], v):
        die('%s: %r does not match %s' % (at, v, schema['pattern']))
    if isinstance(v, (int, float)) and not isinstance(v, bool):
        if v < schema.get('minimum', v) or v > schema.get('maximum', v):
            die('%s: %r is out of range' % (at, v))
    if isinstance(v, list):
        if len(v) < schema.get('minItems', 0):
            die('%s: too few' % at)
        if 'items' in schema:
            for i, item in enumerate(v):
                validate(item, schema['items'], root, '%s[%d]' % (at, i))
    if isinstance(v, dict):
        validate_members(v, schema, root, at)


def validate_members(v, schema, root, at):
    for key in schema.get('required', []):
        if key not in v:
            die('%s: no %s' % (at, key))
    more = schema.get('additionalProperties', True)
    for key, member in v.items():
        if key in schema.get('properties', {}):
            validate(member, schema['properties'][key], root, at + '.' + key)
        elif more is False:
            die('%s: %s is not in the schema' % (at, key))
        elif isinstance(more, dict):
            validate(member, more, root, at + '.' + key)


def valid(v, schema, root):
    try:
        sys.stdout.flush()
        kept, sys.stdout = sys.stdout, io.StringIO()
        validate(v, schema, root)
        return True
    except SystemExit:
        return False
    finally:
        sys.stdout = kept


def checked_json(text, schema):
    v = json.loads(text.decode('utf-8'),
                   parse_constant=lambda c: die('%s is no JSON' % c))
    with open(os.path.join(data, schema)) as f:
        s = json.load(f)
    validate(v, s, s)
    return v


# ---- the formats ----

def check_json(metric, total, rows):
    v = checked_json(export('--json', '--' + metric), 'heaptop-report.schema.json')
    if v['query']['metric'] != metric or v['total']['value'] != total:
        die('--json: %r is not --text' % v['total'])
    ours = [(r['flat']['value'], r['cum']['value']) for r in v['rows']
            if r['flat']['value'] or r['cum']['value']]
    if ours != [(r[1], r[2]) for r in rows if r[1] or r[2]]:
        die('--json: rows are not those of --text')
    near(sum(r['flat']['value'] for r in v['rows']) + v['left_out']['value'],
         v['local']['value'], len(v['rows']) + 1, '--json: sum')
    for r in v['rows']:
        if not r['stack'] or r['name'] != r['stack'][0]['function']:
            die('--json: %s is not its own stack' % r['name'])
    return [r['name'] for r in v['rows']]


def check_csv(metric, rows, names):
    text = export('--csv', '--' + metric).decode('utf-8')
    if text.count('\n') != text.count('\r\n'):
        die('--csv: lines do not end as RFC 4180 wants')
    v = list(csv.reader(io.StringIO(text, newline=''), strict=True))
    if any(len(r) != len(v[0]) for r in v):
        die('--csv: records differ in length')
    unit = 'bytes' if metric.endswith('space') else 'objects'
    name, flat, cum = (v[0].index(s) for s in
                       ('name', 'flat_' + unit, 'cum_' + unit))
    if [r[name] for r in v[1:]] != names:
        die('--csv: names are not those of --json')
    if [(int(r[flat]), int(r[cum])) for r in v[1:]
            if int(r[flat]) or int(r[cum])] != \
       [(r[1], r[2]) for r in rows if r[1] or r[2]]:
        die('--csv: rows are not those of --text')


def by_function(stacks):
    """(flat, cum) by name of [(names leaf first, value)]."""
    flat, cum = collections.Counter(), collections.Counter()
    for names, value in stacks:
        flat[names[0]] += value
        for name in set(names):
            cum[name] += value
    return flat, cum


def check_stacks(what, stacks, total, rows, room):
    flat, cum = by_function(stacks)
    near(sum(flat.values()), total, 1, what + ': total')
    same_figures(what + ', flat', flat.values(), [r[1] for r in rows], room)
    same_figures(what + ', cum', cum.values(), [r[2] for r in rows], room)
    return flat


def check_speedscope(metric, total, rows, names):
    v = checked_json(export('--speedscope', '--' + metric),
                     'speedscope.schema.json')
    frames = [f['name'] for f in v['shared']['frames']]
    if set(frames) != set(names):
        die('--speedscope: names are not those of --json')
    p = v['profiles'][v['activeProfileIndex']]
    if len(p['samples']) != len(p['weights']) or \
       sum(p['weights']) != p['endValue']:
        die('--speedscope: weights do not fit')
    stacks = [([frames[i] for i in reversed(s)], w)
              for s, w in zip(p['samples'], p['weights'])]
    check_stacks('--speedscope', stacks, total, rows, room(stacks))


def commas(s):
    return 0 if s == '.' else int(s.replace(',', ''))


def annotated(path, *options):
    text = run('callgrind_annotate', '--threshold=100', '--auto=no', *options,
               path).decode(errors='replace')
    line = re.compile(r' *([\d,.]+) (?:\([ \d.]+%\))? +[\d,.]+ (?:\([ \d.]+%\))? *(.*)')
    total, rows = None, []
    for m in filter(None, map(line.match, text.splitlines())):
        if m.group(2) == 'PROGRAM TOTALS':
            total = commas(m.group(1))
        elif total is not None:
            rows.append(commas(m.group(1)))
    return total, rows


def check_callgrind(metric, total, rows):
    text = export('--callgrind', '--' + metric)
    with open('callgrind.out', 'wb') as f:
        f.write(text)
    lines = text.decode('utf-8').splitlines()
    own = re.compile(r'\d+ (-?\d+)')
    flat = sum(int(own.match(b).group(1)) for a, b in zip(lines, lines[1:])
               if own.match(b) and not a.startswith('calls='))
    near(flat, total, len(rows), '--callgrind: sum of costs')
    if not total or not shutil.which('callgrind_annotate'):
        return
    got, flats = annotated('callgrind.out')
    if got != total:
        die('callgrind_annotate: total %s, --text says %d' % (got, total))
    same_figures('callgrind_annotate', flats, [r[1] for r in rows], 1)
    got, cums = annotated('callgrind.out', '--inclusive=yes')
    # a root's is the sum of its calls, which were rounded one by one
    same_figures('callgrind_annotate --inclusive', cums, [r[2] for r in rows],
                 len(rows))


def common_names(what, theirs, ours, stacks):
    """Those that jeprof does not shorten further, so that they fall together.

    It knows less of what is inside an allocator: that shows in what was
    allocated and freed while the heap was looked at, so only what is live is
    compared."""
    a, b = sums(theirs, 1), sums(ours, 1)
    whole = {name for name in a if name in b and '<' not in name}
    # it looks at the outermost of inlined functions only
    inlined = sum(a[name] for name in ('malloc', 'calloc', 'realloc')
                  if name not in b)
    for name in whole:
        near(a[name], b[name], inlined + stacks,
             what + ', ' + name[:60])
    if not whole:
        die(what + ': no name is ours')


def check_raw(tables):
    with open('raw.prof', 'wb') as f:
        text = export('--raw')
        f.write(text)
    stacks = room(text.splitlines())
    for reader in ('jeprof', 'google-pprof'):
        if not shutil.which(reader):
            continue
        for metric, (total, rows) in tables.items():
            text = run(reader, '--text', '--show_bytes', '--' + metric,
                       'raw.prof').decode(errors='replace')
            got, theirs = table(text)
            near(got, total, 1, reader + ' --' + metric)
            if metric == 'inuse_space':
                common_names(reader, theirs, rows, stacks)
    got, _ = table(run(heaptop, '--text', '--show_bytes', 'raw.prof').decode())
    near(got, tables['inuse_space'][0], 1, 'heaptop of --raw')


def varint(b, i):
    v = shift = 0
    while True:
        v |= (b[i] & 0x7f) << shift
        shift += 7
        i += 1
        if not b[i - 1] & 0x80:
            return v, i


def fields(b):
    i = 0
    while i < len(b):
        key, i = varint(b, i)
        if key & 7 == 0:
            v, i = varint(b, i)
        elif key & 7 == 2:
            n, i = varint(b, i)
            v, i = b[i:i + n], i + n
        else:
            die('--pprof: a field of kind %d' % (key & 7))
        yield key >> 3, v


def packed(b):
    i = 0
    while i < len(b):
        v, i = varint(b, i)
        yield v - (1 << 64) if v >> 63 else v


def check_pprof(tables):
    text = export('--pprof')
    with open('pprof.gz', 'wb') as f:
        f.write(text)
    messages = collections.defaultdict(list)
    for number, v in fields(gzip.decompress(text)):
        messages[number].append(v)
    strings = [s.decode('utf-8') for s in messages[6]]
    types = [strings[dict(fields(m))[1]] for m in messages[1]]
    functions = {}
    for m in map(dict, map(fields, messages[5])):
        functions[m[1]] = strings[m.get(3) or m[2]] + '\0' + strings[m.get(4, 0)]
    mappings = {dict(fields(m))[1] for m in messages[3]}
    locations = {}
    for m in messages[4]:
        one = dict(fields(m))
        if one.get(2, 0) not in mappings | {0}:
            die('--pprof: a location in no mapping')
        locations[one[1]] = [functions[dict(fields(v))[1]]
                             for n, v in fields(m) if n == 4]
    if strings[0] or sorted(types) != sorted(METRICS) or \
       strings[messages[14][0]] != 'inuse_space' or len(messages[12]) != 1:
        die('--pprof: head')
    samples = [({n: list(packed(v)) for n, v in fields(m)}) for m in messages[2]]
    for metric, (total, rows) in tables.items():
        stacks = [([name.split('\0')[0] for i in s[1] for name in locations[i]],
                   s[2][types.index(metric)]) for s in samples]
        check_stacks('--pprof, ' + metric, stacks, total, rows, room(samples))
        if shutil.which('go'):
            check_go(metric, total, rows, room(samples))
    got, _ = table(run(heaptop, '--text', '--show_bytes', 'pprof.gz').decode())
    near(got, tables['inuse_space'][0], 1, 'heaptop of --pprof')


GO = re.compile(r' *(-?\d+)B? +\S+% +\S+% +(-?\d+)B? +\S+%  (.*)$')


def check_go(metric, total, rows, room):
    text = run('go', 'tool', 'pprof', '-top', '-nodecount=1000000',
               '-nodefraction=0', '-unit=B', '-sample_index=' + metric,
               'pprof.gz').decode()
    shown = re.search(r'of (\d+)B? total', text)
    near(int(shown.group(1)) if shown else 0, total, 1, 'go tool pprof: total')
    theirs = []
    for m in filter(None, map(GO.match, text.splitlines())):
        theirs.append((m.group(3).replace(' (inline)', '').replace(
            ' (partial-inline)', ''), int(m.group(1)), int(m.group(2))))
    for column in (1, 2):
        a, b = sums(theirs, column), sums(rows, column)
        for name in set(a) | set(b):
            near(a[name], b[name], room,
                 'go tool pprof, %s, %s' % (metric, name[:60]))


def main():
    tables = {}
    for metric in METRICS:
        tables[metric] = table(export('--text', '--show_bytes',
                                      '--' + metric).decode('utf-8'))
    for metric in ('inuse_space', 'alloc_objects'):
        total, rows = tables[metric]
        names = check_json(metric, total, rows)
        check_csv(metric, rows, names)
        check_speedscope(metric, total, rows, names)
        check_callgrind(metric, total, rows)
    check_raw(tables)
    check_pprof(tables)


main()
