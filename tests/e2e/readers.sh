# Saved profiles of every kind: totals, names, and which program names them.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# report STATUS ARGUMENT...
report() {
	wanted=$1
	shift
	"$HEAPTOP" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$wanted" ] || fail "heaptop $*: status $got, not $wanted"
}

# has PATTERN: in the report; said PATTERN: on stderr
has() {
	grep -q -e "$1" out || fail "no '$1' in the report"
}
said() {
	grep -q -e "^heaptop: .*$1" err || fail "nothing said of '$1'"
}

data=$SRC/tests/data
corpus=$SRC/tests/fuzz/corpus

# The figures are those that jeprof 5.3.0 and google-pprof 2.10 print.
report 0 --text --show_bytes "$data/gperf.hp.0005.heap"
has '^Total: 74954096 B'
report 0 --text --show_bytes --alloc_objects "$data/gperf.hp.0005.heap"
has '^Total: 110180 objects'
report 0 --text "$data/gperf.s19.sample.heap"
has '^Total: 53.9 MB'
report 0 --text --show_bytes "$data/symbolized.heap"
sort out >mine
sort "$data/basic.bytes.txt" | diff mine - >out ||
    fail 'a symbolized profile: not what jeprof prints'

# How figures became estimates is said with them.
report 0 --top "$data/gperf.hp.0005.heap"
has 'every allocation is counted'
report 0 --top "$data/gperf.s19.sample.heap"
has 'sampled 1/512 KiB; each row unsampled once'
report 0 --top "$corpus/pprof/sampled"
has 'unsampled by who wrote the file'

# A saved report is the same report again.
report 0 --text --show_bytes "$data/basic.bytes.txt"
sort out | diff mine - >err || fail 'a saved report: another one'
report 0 --text --lines "$data/basic.lines.txt"
has '^Total: 3.2 MB'
has ' 3.0  93.3%  .* leak_big /tmp/hd/basic/basic.c:14'

report 0 --text --show_bytes "$corpus/pprof/sampled"
has '^Total: 4032 B'
has ' outer$'
report 0 --text --lines "$corpus/pprof/gzipped"
has ' inner (inline) a.c:11'

# Gzipped, each of them.
for f in "$data/gperf.hp.0005.heap" "$data/symbolized.heap" \
    "$data/basic.bytes.txt" "$corpus/pprof/exact"; do
	report 0 --text --show_bytes "$f"
	mv out plain
	gzip -c "$f" >packed.gz
	report 0 --text --show_bytes packed.gz
	cmp -s plain out || fail "$f: another report when gzipped"
done

# Dumps of one program: stripped, its unstripped twin under another name, its
# debug file, and another build.
cat >prog.c <<'END'
#include <stdlib.h>
void *volatile kept[1000];
__attribute__((noinline)) void *site(void) { return malloc(MORE 4096); }
int main(void)
{
	for (int i = 0; i < 1000; i++)
		kept[i] = site();
	return 0;
}
END
${CC:-cc} -g -O1 -fno-builtin -DMORE= -o twin prog.c || fail 'cc'
strip -o prog twin || fail 'strip'
objcopy --only-keep-debug twin prog.debug || fail 'objcopy'
{ cat prog.c && echo 'char more[9000] = { 1 };' &&
	echo 'int other(int a) { return a * 3 + more[a]; }' &&
	yes 'asm(".skip 512");' | head -20; } >other.c
${CC:-cc} -g -O1 -fno-builtin -DMORE='1 +' -o other other.c || fail 'cc'
mkdir -p there/bin
cp prog there/bin/prog
HEAPTOP_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/p \
    LD_PRELOAD=$LIB there/bin/prog || fail 'the program'
dump=$(echo p.*.heap)
[ -f "$dump" ] || fail 'no dump'
report 0 --text there/bin/prog "$dump"
has ' prog+0x'
for names in twin prog.debug; do
	report 0 --text "./$names" "$dump"
	has ' site$'
	report 0 --text --lines "./$names" "$dump"
	has ' site .*prog.c:3$'
	rm -rf away
	mv there away # wherever the one that ran is now
	report 0 --text "./$names" "$dump"
	has ' site$'
	mv away there
done
# A stripped one elsewhere, with its debug file beside it.
mkdir beside
cp prog beside/prog
cp prog.debug beside/prog.debug
objcopy --add-gnu-debuglink=beside/prog.debug beside/prog || fail 'objcopy'
report 0 --text beside/prog "$dump"
has ' site$'
report 1 --text ./other "$dump"
said './other is another build than the .*/there/bin/prog'
! grep -q ' site$' out || fail 'another build names places'
has ' prog+0x'
report 1 --text "$SRC/README.md" "$dump"
said 'README.md is no program that can be read'

# One that differs by a function is told by its calls, though it lies in
# memory as the other does.
sed 's/^__attribute__.*site/__attribute__((noinline)) int first(int a)\
{ while (a--) kept[a] = kept[a \/ 2]; return a * 3; }\
&/' prog.c >near.c
${CC:-cc} -g -O1 -fno-builtin -DMORE= -o near near.c || fail 'cc'
report 1 --text ./near "$dump"
said './near is another build than the .*/there/bin/prog'
! grep -q -e ' site$' -e ' first$' out || fail 'another build names places'

# Two builds in one place: the one given names; the one there names nothing.
mv there/bin/prog there/bin/was
cp near there/bin/prog
report 0 --text ./twin "$dump"
has ' site$'
report 0 --text "$dump"
! grep -q -e ' site$' -e ' first$' out ||
	fail 'the build that lies there now names places'
said 'there/bin/prog is another build now'

# Of a dump in which each byte was a sample nothing is an estimate.
printf 'heap_v2/1\n  t*: 3: 24 [0: 0]\n@ 0x10 0x20\n  t*: 3: 24 [0: 0]\n' >exact.heap
"$HEAPTOP" --csv exact.heap 2>err | awk -F, '
    NR > 1 && ($7 != "0.0" || $9 != "0.0") { bad = 1 }
    END { exit bad || NR < 3 }' || fail 'an exact dump has errors'
exit 0
