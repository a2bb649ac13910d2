# Reports for other programs: what callgrind_annotate, jeprof, google-pprof and
# `go tool pprof' make of them is what --text says, and JSON is what its
# schemas say.  See formats.py.

command -v python3 >/dev/null || { echo 'python3 is not here'; exit 77; }
export HOME="$PWD" PPROF_TMPDIR="$PWD"

fail() {
	echo "$*"
	exit 1
}

check() {
	python3 "$SRC/tests/e2e/formats.py" "$HEAPTOP" "$SRC/tests/data" "$@" ||
	    fail "formats.py $*"
}

data=$SRC/tests/data

# Every block was counted, names come along; allocated is more than live.
check "$data/symbolized.heap"
check "$data/gperf.hp.0005.heap"

# Sampled, no names at all.
check "$data/gperf.s19.sample.heap"
check "$data/three-stacks.heap"

# Names that want to be escaped, and one of 10 kB; sampled at 512 KiB.
python3 - <<'END' >odd.heap || fail 'no odd names'
names = ['a<b>::c<"d\\e">(f&, g*)', 'über::größe(字)', '(anonymous namespace)::f()',
         "it's; 100% {a,b} [c]", 'wide<' + 'pair<int, ' * 1000 + 'int' + '>' * 1001 + '()',
         'operator--(It&)', 'back\\slash', 'main']
print('--- symbol\nbinary=/tmp/odd & "quoted"')
for i, name in enumerate(names):
    print('0x%016x %s' % (0x1000 + 16 * i, name))
print('---\n--- heap\nheap_v2/524288\n  t*: 21: 11010048 [21: 11010048]')
for i in range(7):
    stack = [0x1000 + 16 * i] + [0x1001 + 16 * ((i + k) % 7) for k in (1, 2)]
    stack.append(0x1071)
    figures = '%d: %d [%d: %d]' % (i + 1, (i + 1) * 100000, i + 3, (i + 3) * 90000)
    print('@ ' + ' '.join('0x%x' % a for a in stack))
    print('  t*: %s\n  t0: %s' % (figures, figures))
END
check odd.heap

# A real program, sampled by our library.
cat >keep.py <<'END'
import json
kept = [json.loads('{"k%d": [1.5, "text %d"]}' % (i, i)) for i in range(20000)]
big = [bytearray(3000 + i) for i in range(1000)]
END
MALLOC_CONF=prof:true,prof_accum:true,lg_prof_sample:13,prof_prefix:keep \
    LD_PRELOAD=$LIB /usr/bin/python3 keep.py >out 2>err || fail "$(cat err)"
check /usr/bin/python3 keep.*.f.heap

# The same twice gives the same bytes.
for kind in callgrind raw pprof speedscope json csv; do
	"$HEAPTOP" --$kind odd.heap >one 2>err || fail "$(cat err)"
	"$HEAPTOP" --$kind odd.heap >two 2>err || fail "$(cat err)"
	cmp one two || fail "--$kind is another every time"
done

command -v go >/dev/null || { echo 'go is not here'; exit 77; }
