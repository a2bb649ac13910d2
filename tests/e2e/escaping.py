#!/usr/bin/env python3
"""Names that are another language's words, in every format.

escaping.py make FILE     writes a profile.proto with such names
escaping.py check HEAPTOP FILE

Each export is read with a parser of its format, or by the program that it is
for, and has to hold the names whole and nothing made of them.
"""
import csv
import gzip
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml

WIDE = 'wide<' + 'pair<int, ' * 1000 + 'int' + '>' * 1001 + '()'
NAMES = [
    'main', 'über::größe(字)', 'operator--(It&)', '\x1b[31mred\x1b[0m',
    WIDE, 'fn=(1)', '+1', '--', 'a--b', "';drop", '%', '\\', '"', '<!--',
    '$(reboot)', 'tab\tstop', 'carriage\rreturn', 'semi;colon',
    '$dollar {brace} %s %n',
    '<script>alert(1)</script>', 'a<b>::c<"d\\e">(f&, g*)', '# heading',
    'it\'s `quoted` "twice"', 'line\nbreak', '|pipe|', '`id`',
    'back\\slash\\n', '*star* _under_ [link](http://x)', ']]>', '&amp;&lt;',
    ',"a","b"']
FILES = ['/src/dir & "x"\\a<b>|c.c', '/src/new\nline.c', '/src/größe;1.c']
PROGRAM = '/tmp/odd & "quoted" <file>'

if len(sys.argv) < 3:
    sys.exit(__doc__)


def die(text):
    print(text)
    sys.exit(1)


# ---- the profile ----

def varint(v):
    out = b''
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def number(n, v):
    return varint(n << 3) + varint(v)


def message(n, body):
    return varint(n << 3 | 2) + varint(len(body)) + body


def make(path):
    """main calls each, each calls the one before."""
    strings = {'': 0}

    def string(s):
        return strings.setdefault(s, len(strings))
    body = b''
    for kind, unit in ('inuse_objects', 'count'), ('inuse_space', 'bytes'):
        body += message(1, number(1, string(kind)) + number(2, string(unit)))
    for i in range(1, len(NAMES)):
        stack = [i + 1, i % (len(NAMES) - 1) + 2, 1]
        body += message(2, b''.join(number(1, n) for n in stack) +
                        number(2, i) + number(2, i * 100000))
    body += message(3, number(1, 1) + number(2, 0x400000) +
                    number(3, 0x500000) + number(5, string(PROGRAM)))
    for i, name in enumerate(NAMES):
        line = number(1, i + 1) + number(2, i + 1)
        body += message(4, number(1, i + 1) + number(2, 1) +
                        number(3, 0x400010 + 16 * i) + message(4, line))
        body += message(5, number(1, i + 1) + number(2, string(name)) +
                        number(3, string(name)) +
                        number(4, string(FILES[i % len(FILES)])))
    for s in strings:
        body += message(6, s.encode())
    with open(path, 'wb') as f:
        f.write(gzip.compress(body, mtime=0))


# ---- what must be in each ----

def clean(name):
    """Control characters are no part of a name."""
    return re.sub(r'[\x00-\x1f\x7f]', '?', name)


WANTED = [clean(n) for n in NAMES]
TOTAL = sum(range(1, len(NAMES))) * 100000


class Checks:
    def __init__(self, heaptop, profile):
        self.heaptop, self.profile = heaptop, profile

    def export(self, *options, profile=None):
        return run(self.heaptop, *options, profile or self.profile).decode()

    def save(self, path, *options):
        run(self.heaptop, *options, '-o', path, self.profile)
        return path


def run(*command, data=None):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       input=data)
    if p.returncode:
        die(f'{" ".join(command)}: status {p.returncode}: '
            f'{p.stderr.decode(errors="replace")[:500]}')
    return p.stdout


def same(what, got, wanted=None):
    wanted = WANTED if wanted is None else wanted
    if sorted(got) != sorted(wanted):
        die(f'{what}: not its names: '
            f'{[x[:60] for x in sorted(set(got) ^ set(wanted))][:6]}')


def check_texts(c):
    """For people: lines are lines, and nothing speaks to the terminal."""
    for options in (['--text'], ['--text', '--lines'], ['--text', '--files'],
                    ['--top=50'], ['--tree'], ['--tree', '--invert'],
                    ['--sizes'], ['--stats'], ['--memory'],
                    ['--list=.'], ['--text', '--stacks']):
        p = subprocess.run([c.heaptop, *options, c.profile],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        bad = re.search(r'[\x00-\x09\x0b-\x1f\x7f]',
                        (p.stdout + p.stderr).decode())
        if bad and options != ['--list=.']:
            die(f'{options}: {bad[0]!r} in it')
    rows = re.findall(r'^ *[\d.]+ +[\d.]+% +[\d.]+% +[\d.]+ +[\d.]+% .+$',
                      c.export('--text'), re.M)
    if len(rows) != len(NAMES):
        die(f'--text: {len(rows)} rows')


def check_json(c):
    v = json.loads(c.export('--json'))
    same('--json', [r['name'] for r in v['rows']])
    if v['total']['value'] != TOTAL or \
            v['profiles'][0]['image'] != PROGRAM:
        die('--json: total or program')
    v = json.loads(c.export('--speedscope'))
    same('--speedscope', [f['name'] for f in v['shared']['frames']])


def check_csv(c):
    rows = list(csv.reader(io.StringIO(c.export('--csv'), newline=''),
                           strict=True))
    same('--csv', [r[rows[0].index('name')] for r in rows[1:]])
    if {len(r) for r in rows} != {len(rows[0])}:
        die('--csv: records differ in length')
    same('--csv: files', {r[rows[0].index('file')] for r in rows[1:]},
         {clean(f) for f in FILES})


def check_collapsed(c):
    lines = c.export('--collapsed').splitlines()
    wanted = [n.replace(';', ':') for n in WANTED]
    stacks = [line.rpartition(' ') for line in lines]
    total = sum(int(value) for _, _, value in stacks)
    if len(lines) != len(NAMES) - 1 or total != TOTAL:
        die(f'--collapsed: {len(lines)} lines, {total}')
    for names, _, _ in stacks:
        frames = names.split(';')
        if len(frames) != 3 or not set(frames) <= set(wanted):
            die(f'--collapsed: {names[:90]}')
    same('--collapsed', {n.split(';')[2] for n, _, _ in stacks}, wanted[1:])


def titles(path):
    """First lines of all <title>s, by an XML parser."""
    if shutil.which('xmllint'):
        run('xmllint', '--noout', '--nonet', path)
    root = xml.parse(path).getroot()
    tags = {e.tag.rpartition('}')[2] for e in root.iter()}
    scripts = [e for e in root.iter() if e.tag.endswith('}script')]
    if len(scripts) > 1 or tags & {'b', 'foreignObject', 'image', 'iframe'}:
        die(f'{path}: {len(scripts)} scripts, {tags}')
    return {(e.text or '').split('\n')[0] for e in root.iter()
            if e.tag.endswith('}title')}


def check_flamegraph(c):
    found = titles(c.save('flame.svg', '--flamegraph', '--nodefraction=0'))
    for name in ('back\\slash\\n', ']]>', '&amp;&lt;', ',"a","b"', '<!--',
                 'it\'s `quoted` "twice"', 'line?break', '|pipe|'):
        if name not in found:
            die(f'--flamegraph: no {name}: {sorted(found)[:9]}')


def check_graphs(c):
    path = c.save('graph.dot', '--dot', '--nodefraction=0')
    if not shutil.which('dot'):
        return 'dot'
    p = subprocess.run(['dot', '-Tplain', path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    if p.returncode or p.stderr:
        die(f'dot: {p.stderr.decode()[:300]}')
    nodes = re.findall(r'^node N\d+ ', p.stdout.decode(), re.M)
    if len(nodes) != len(NAMES):
        die(f'--dot: {len(nodes)} nodes')
    found = titles(c.save('graph.svg', '--svg', '--nodefraction=0'))
    for name in ('back\\slash\\n', ']]>', '&amp;&lt;', '<!--', '|pipe|',
                 'line?break', '%', '\\', '"'):
        if name not in found:
            die(f'--svg: no {name}: {sorted(found)[:9]}')
    return None


def check_callgrind(c):
    path = c.save('callgrind.out', '--callgrind')
    with open(path, encoding='utf-8') as f:
        found = set(re.findall(r'^c?fn=\(\d+\) (.*)$', f.read(), re.M))
    same('--callgrind', found)
    if not shutil.which('callgrind_annotate'):
        return 'callgrind_annotate'
    text = run('callgrind_annotate', '--threshold=100', '--auto=no',
               path).decode()
    for name in WANTED[1:]:
        if f':{name} [' not in text:
            die(f'callgrind_annotate: no {name[:60]}')
    if f'{TOTAL:,} (100.0%)' not in text:
        die('callgrind_annotate: another total')
    return None


def check_raw(c):
    """It can't hold "--" in a name, which parts inlined functions."""
    path = c.save('raw.heap', '--raw')
    back = json.loads(c.export('--json', profile=path))
    if back['total']['value'] != TOTAL or len(back['rows']) != len(NAMES):
        die(f'--raw: {back["total"]["value"]}, {len(back["rows"])} rows')
    same('--raw', {r['name'].replace('- -', '--') for r in back['rows']})
    if not shutil.which('jeprof'):
        return 'jeprof'
    text = run('jeprof', '--text', '--show_bytes', path).decode()
    if f'Total: {TOTAL} B' not in text:
        die('jeprof of --raw: ' + text[:80])
    return None


def check_pprof(c):
    path = c.save('again.pb.gz', '--pprof')
    with gzip.open(path) as f:
        text = f.read()
    for name in WANTED:  # besides as they are shown
        size = varint(len(name.encode()))
        if size + name.encode() not in text:
            die(f'--pprof: no {name[:60]}')
    back = json.loads(c.export('--json', profile=path))
    if back['total']['value'] != TOTAL or len(back['rows']) != len(NAMES):
        die(f'--pprof: {back["total"]["value"]}, {len(back["rows"])} rows')
    if not shutil.which('go'):
        return 'go'
    text = run('go', 'tool', 'pprof', '-top', '-nodecount=1000000',
               '-nodefraction=0', '-unit=B', path).decode()
    rows = re.findall(r'^ *\d+B? +\S+% +\S+% +\d+B? +\S+% ', text, re.M)
    if len(rows) != len(NAMES) or f'of {TOTAL}B total' not in text:
        die(f'go tool pprof: {len(rows)} rows')
    return None


class Page(html.parser.HTMLParser):
    """Tags of a page, and what is in <code> or <pre>."""

    def __init__(self):
        super().__init__()
        self.tags, self.code, self.inside = set(), [''], 0
        self.widths = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.inside += tag == 'code'
        if tag == 'tr':
            self.widths.append(0)
        elif tag in ('td', 'th'):
            self.widths[-1] += 1

    def handle_endtag(self, tag):
        if tag == 'code':
            self.inside -= 1
            self.code.append('')

    def handle_data(self, data):
        if self.inside:
            self.code[-1] += data


def check_markdown(c):
    text = c.export('--markdown', '--nodefraction=0')
    renderer = next((r for r in ('cmark-gfm', 'pandoc')
                     if shutil.which(r)), None)
    if not renderer:
        return 'cmark-gfm'
    options = ['-e', 'table', '--unsafe'] if renderer == 'cmark-gfm' else \
        ['-f', 'gfm', '-t', 'html']
    page = Page()
    page.feed(run(renderer, *options, data=text.encode()).decode())
    allowed = {'h1', 'h2', 'h3', 'p', 'strong', 'em', 'ol', 'ul', 'li', 'code',
               'pre', 'table', 'thead', 'tbody', 'tr', 'td', 'th', 'hr',
               'colgroup', 'col', 'div', 'span'}
    if page.tags - allowed:
        die(f'--markdown: {page.tags - allowed} made of names')
    # tables of 2, 6 and 2 columns, and no row of another width
    if set(page.widths) - {2, 6}:
        die(f'--markdown: rows of {set(page.widths)} cells')
    for name in (',"a","b"', '&amp;&lt;', ']]>', '|pipe|', 'line?break',
                 'back\\slash\\n', '`id`'):
        if name not in page.code:
            die(f'--markdown: no {name}')
    return None


def main():
    if sys.argv[1] == 'make':
        make(sys.argv[2])
        return
    c = Checks(*sys.argv[2:4])
    missing = {check(c) for check in (
        check_texts, check_json, check_csv, check_collapsed, check_flamegraph,
        check_graphs, check_callgrind, check_raw, check_pprof,
        check_markdown)} - {None}
    if missing:
        print('not here: ' + ', '.join(sorted(missing)))
        sys.exit(77)


main()
