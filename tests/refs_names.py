"""Names of addresses, as jeprof and as heaptop have them, and who is right.

Both are asked through a dump with one stack for each address.  Where they
differ, binutils' nm and LLVM's symbolizer, which are neither, decide.
"""
import functools
import json
import os
import re
import shutil
import subprocess
from collections import defaultdict

from refs_model import Frame, module_at

ROOT = 0x10  # calls all of them

# Names that jeprof cuts, with all that they call.
JEPROF_CUTS = re.compile(
    r'^_?((je_)?(calloc|malloc|free|memalign|posix_memalign|aligned_alloc|'
    r'valloc|realloc|mallocx|rallocx|xallocx|dallocx|sdallocx|'
    r'sdallocx_noflags)|cfree|pvalloc|newImpl|void\* newImpl|'
    r'tc_(calloc|cfree|malloc|free|memalign|posix_memalign|pvalloc|valloc|'
    r'realloc|new|delete|newarray|deletearray|new_nothrow|'
    r'newarray_nothrow)|do_malloc|::do_malloc|::do_malloc_or_cpp_alloc|'
    r'DoSampledAllocation|simple_alloc::allocate|'
    r'__malloc_alloc_template::allocate|__builtin_(delete|new|vec_delete|'
    r'vec_new)|operator new(\[\])?)$|TCMalloc|^tcmalloc::')
# The next release looks at names up to a blank only, and has more of them.
NEXT_CUTS = re.compile(
    JEPROF_CUTS.pattern.replace(r'|operator new(\[\])?)$',
    r'|je_malloc_default|fallbackNewImpl|fallback_impl|imalloc|imalloc_body|'
    r'prof_alloc_prep|prof_backtrace_impl|je_prof_backtrace|'
    r'je_prof_tctx_create|irallocx_prof|do_rallocx|ixallocx_prof)$'))
# Those of heaptop, besides all in an allocator's library.
LIBRARY = re.compile(r'/lib(jemalloc|tcmalloc|heaptop)[\w.-]*$')
HEAPTOP_CUTS = re.compile(
    r'^((__libc_)?(malloc|calloc|realloc|memalign)|aligned_alloc|'
    r'posix_memalign|valloc|pvalloc|reallocarray|operator new(\[\])?)$')


@functools.lru_cache(None)
def plain(name):
    """Without parameters, template arguments, return type and address."""
    name = re.sub(r'<[0-9a-f]{16}>$', '', name)
    if re.match(r'0x[0-9a-f]+$|[0-9a-f]{16}$', name):
        return f'0x{int(name, 16):x}'
    name = name.replace('operator()', 'operator\1')
    for pattern in (r'\((?!anonymous)[^()]*\)(\s*const)?', r'<[^<>]*>'):
        kept = name.replace('operator<', 'operator\2').replace('->', '\3')
        while True:
            cut = re.sub(pattern, '', kept)
            if cut == kept:
                break
            kept = cut
        name = kept.replace('\2', '<').replace('\3', '->')
    name = re.sub(r' ?\[clone [^\]]*\]|\[abi:\w+\]|@@?[A-Z]\w+[\d.]*$', '',
                  name)
    name = re.sub(r'(\.(isra|part|constprop|cold|lto_priv|llvm)\b[.\d]*)+$',
                  '', name)
    name = re.sub(r'@[0-9a-f]+$', '', name.replace('\1', ''))
    if ' ' in name and not name.startswith('operator'):
        name = re.sub(r'^.*\s+(?=[\w~]*(::|$))', '', name)
    return name.replace('__cxx11::basic_string', 'string').strip(' :')


def whole(name):
    """With all its arguments, however they are spaced."""
    name = re.sub(r'<[0-9a-f]{16}>$|@@?[A-Z]\w+[\d.]*$|'
                  r' ?\[clone [^\]]*\]|\[abi:\w+\]', '', name)
    if re.match(r'(0x)?[0-9a-f]+$', name):
        return plain(name)
    return re.sub(r'\s', '', name)


def place(path):
    """A file and line, however they are spelt: its base name, the number."""
    path = re.sub(r' \(discriminator \d+\)$', '', path.strip())
    m = re.match(r'(.*):(\d+|\?)$', path)
    name, line = (m[1], m[2]) if m else (path, '0')
    if name in ('', '??', '?') or line in ('?', '0'):
        return '', '0'
    return os.path.basename(name), line


def jeprof_short(name):
    while True:
        cut = re.sub(r'\([^()]*\)(\s*const)?', '', name)
        if cut == name:
            break
        name = cut
    name = re.sub(r'<[0-9a-f]*>$', '', name)
    while True:
        cut = re.sub(r'<[^<>]*>', '', name)
        if cut == name:
            break
        name = cut
    return re.sub(r'^.*\s+(\w+::)', r'\1', name)


def probe(addresses, maps, path, gperftools=False):
    """A dump with one stack for each address."""
    n = len(addresses)
    with open(path, 'w', encoding='latin-1') as f:
        if gperftools:
            f.write(f'heap profile: {n}: {n} [{n}: {n}] @ heapprofile\n')
            for a in sorted(addresses):
                f.write(f'1: 1 [1: 1] @ 0x{a:x} 0x{ROOT + 1:x}\n')
            f.write('\nMAPPED_LIBRARIES:\n' + maps)
            return
        f.write(f'heap_v2/1\n  t*: {n}: {n} [{n}: {n}]\n')
        for a in sorted(addresses):
            f.write(f'@ 0x{a:x} 0x{ROOT + 1:x}\n  t*: 1: 1 [1: 1]\n')
        f.write('\nMAPPED_LIBRARIES:\n' + maps)


def run(words, where, **more):
    p = subprocess.run(words, cwd=where, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, check=False,
                       errors='surrogateescape', **more)
    return p.stdout, p.stderr


def jeprof_names(tool, program, addresses, maps, where):
    """{address: frames}, by the jeprof that is installed, or google-pprof."""
    path = os.path.join(where, 'probe.heap')
    probe(addresses, maps, path, tool != 'jeprof')
    names, rows = {}, defaultdict(list)
    env = dict(os.environ, PERL_HASH_SEED='0', LC_ALL='C')
    out, _ = run([tool, '--raw', program, path], where, env=env)
    for m in re.finditer(r'^0x([0-9a-f]+) (.*)$', out, re.M):
        names[int(m[1], 16)] = m[2]
    out, _ = run([tool, '--text', '--show_bytes',
                  '--addresses', program, path], where,
                 env=env)
    for line in out.splitlines():
        m = re.match(r' *(\S+)(?: +\S+){4} ([0-9a-f]{16}) (.*)', line)
        if m:  # the innermost has what is allocated there
            rows[int(m[2], 16)].insert(0 if m[1] == '0' else 999, m[3])
    return {a: group(name, rows[a]) for a, name in names.items()}


def group(name, rows):
    """Frames of an address from its names and its rows of a table."""
    if name == '??':
        return [Frame('??', '', '??', False)]
    out, rows, taken = [], list(rows), {}
    for i, full in reversed(list(enumerate(split_group(name)))):
        short = jeprof_short(full)
        mark = ' (inline)' if i else ''
        of = re.compile(re.escape(short) + r'(@[0-9a-f]+)?' +
                        re.escape(mark) + r'(?: (.*))?$')
        # two with the same name and line are one row
        row, line = taken.get(short + mark, (short + mark, ''))
        for r in reversed(rows):
            m = of.match(r)
            if m:
                row, line = short + (m[1] or '') + mark, m[2] or ''
                taken[short + mark] = row, line
                rows.remove(r)
                break
        out.insert(0, Frame(row, line, full, i > 0))
    return out


def split_group(name):
    """Names of an inlined group, with operator-- as it is."""
    name = name.replace('operator--(', 'operator\1(')
    return [x.replace('\1', '--') for x in name.split('--')]


def heaptop_names(heaptop, program, addresses, maps, where):
    """The same by heaptop; also what it says, and its modules."""
    path = os.path.join(where, 'probe.heap')
    probe(addresses, maps, path)
    words = [heaptop] + program + [path]
    out, said = run(words[:1] + ['--raw'] + words[1:], where)
    names = {int(m[1], 16): split_group(m[2]) for m in
             re.finditer(r'^0x([0-9a-f]+) (.*)$', out, re.M)}
    out, _ = run(words[:1] + ['--json', '--stacks'] + words[1:], where)
    report = json.loads(out)
    modules = [(m['path'], int(m['start'], 16), int(m['end'], 16),
                int(m['bias'], 16))
               for p in report['profiles'] for m in p['modules']]
    lines = {}
    for row in report['rows']:
        frames = [f for f in row['stack']
                  if f['module'] or int(f['offset'], 16) != ROOT]
        if frames:
            lines[frame_address(frames[-1], modules, names)] = frames
    table = {}
    for a, fulls in names.items():
        at = lines.get(a, [])[::-1]
        table[a] = []
        for i, full in enumerate(fulls):
            f = at[i] if i < len(at) and at[i]['function'] == full else {}
            line = f"{f.get('file', '')}:{f.get('line', 0)}"
            table[a].append(Frame(full, line, full, i > 0))
    return table, said, modules


def frame_address(frame, modules, names):
    offset = int(frame['offset'], 16)
    if not frame['module']:
        return offset
    for path, start, end, bias in modules:
        if os.path.basename(path) == frame['module'] and \
                start <= offset + bias < end and offset + bias in names:
            return offset + bias
    return None


# ---- who is right ----

class Judge:
    """What nm and llvm-symbolizer say of addresses in files."""

    def __init__(self, modules, where):
        self.modules, self.where = modules, where
        self.symbols, self.inlined = {}, {}

    def module(self, address):
        for path, start, end, bias in self.modules:
            if start <= address < end:
                return path, address - bias
        return None, address

    def debug_files(self, path):
        out, _ = run(['readelf', '-nW', '--string-dump=.gnu_debuglink', path],
                     self.where)
        m = re.search(r'Build ID: (\w\w)(\w+)', out)
        files = [path]
        if m:
            files.append(f'/usr/lib/debug/.build-id/{m[1]}/{m[2]}.debug')
        files += [path + '.debug', '/usr/lib/debug' + path]
        return [f for f in files if os.path.exists(f)]

    def table(self, path):
        """(start, end, name) of every function; those without a size end
        where the next begins."""
        if path not in self.symbols:
            rows = {}
            for f in self.debug_files(path) if path else []:
                for flag in [], ['-D']:
                    out, _ = run(['nm', '-S', '-C', '--defined-only', *flag,
                                  f], self.where)
                    for line in out.splitlines():
                        m = re.match(r'(\w{16}) (?:(\w{16}) )?([tTwWiVuD]) '
                                     r'(.*)', line)
                        if m:
                            rows[int(m[1], 16), m[4]] = int(m[2] or '0', 16)
            starts = sorted({s for s, _ in rows})
            after = dict(zip(starts, starts[1:]))
            self.symbols[path] = [
                (s, s + size if size else after.get(s, s + 1), n)
                for (s, n), size in rows.items()]
        return self.symbols[path]

    def around(self, address, in_full=False):
        """Names of the symbols that the address is in."""
        path, offset = self.module(address)
        return {whole(n) if in_full else plain(n)
                for s, e, n in self.table(path) if s <= offset < e}

    def chains(self, addresses):
        """What llvm-symbolizer has for these, asked at once."""
        wanted = defaultdict(list)
        for a in addresses:
            path, offset = self.module(a)
            if path and a not in self.inlined and os.path.exists(path):
                wanted[path].append((a, offset))
        self.inlined.update({a: None for spots in wanted.values()
                             for a, _ in spots})
        for path, spots in wanted.items():
            if not shutil.which('llvm-symbolizer'):
                break
            # the file with debug information, if it is another
            file = self.debug_files(path)[-1]
            for name in dict.fromkeys([path, file]):
                out, _ = run(['llvm-symbolizer', '--inlines', '--demangle',
                              '--obj=' + name], self.where,
                             input=''.join(f'0x{o:x}\n' for _, o in spots))
                for (a, _), text in zip(spots, out.split('\n\n')):
                    lines = text.strip('\n').split('\n')
                    chain = [(n, place(re.sub(r':\d+$', '', p)))
                             for n, p in zip(lines[::2], lines[1::2])][::-1]
                    if chain and chain[0][0] != '??':
                        self.inlined[a] = chain

    def chain(self, address):
        self.chains([address])
        return [(plain(n), p) for n, p in self.inlined.get(address) or []]

    def whole_chain(self, address):
        self.chains([address])
        return [whole(n) for n, _ in self.inlined.get(address) or []]


def other_build(said, address, modules, maps):
    """heaptop found another file there than the dump was made with."""
    path = module_at(maps, address)
    if not path:
        return False
    for m in re.finditer(r'(\S+) is another build now', said):
        if os.path.basename(m[1]) == os.path.basename(path):
            return True
    return False
