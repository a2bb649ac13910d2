# Reports of saved dumps: which mode, which of several, totals, statuses.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# dump FILE BYTES...: one stack of so many bytes in blocks of 1 MiB for each.
# Sampled at a mean distance of 1 byte, so the figures are exact.
dump() {
	file=$1
	shift
	sum=0 stacks='' n=0
	for mib; do
		sum=$((sum + mib)) n=$((n + 1))
		stacks="$stacks@ 0x$((n))000 0x9000
  t*: $mib: $((mib * 1048576)) [0: 0]
  t0: $mib: $((mib * 1048576)) [0: 0]
"
	done
	cat >"$file" <<END
heap_v2/1
  t*: $sum: $((sum * 1048576)) [0: 0]
  t0: $sum: $((sum * 1048576)) [0: 0]
$stacks
MAPPED_LIBRARIES:
00400000-00401000 r-xp 00000000 00:00 0 
END
}

# total WANTED ARGUMENT...: status 0 and this total in megabytes
total() {
	wanted=$1
	shift
	"$HEAPTOP" "$@" >out 2>err || fail "heaptop $*: status $?"
	grep -q "^Total: $wanted MB" out || fail "heaptop $*: not $wanted"
}

dump p.77.2.i2.heap 20 5
dump p.77.10.f.heap 40 10
dump p.88.0.f.heap 100
dump a.heap.1 3
cp "$HEAPTOP" program

total 25.0 --text p.77.2.i2.heap
[ ! -s err ] || fail 'something said of one dump'
total 25.0 --text ./program p.77.2.i2.heap
total 25.0 p.77.2.i2.heap --text
total 3.0 --text a.heap.1

# A series: the last one, by number, and said; processes add up; --sum all.
total 50.0 --text p.77.10.f.heap p.77.2.i2.heap
grep -q 'p.77.10.f.heap' err || fail 'the dump taken is not named'
total 150.0 --text p.*.heap
total 175.0 --text --sum p.*.heap

gzip -k p.88.0.f.heap
total 100.0 --text p.88.0.f.heap.gz

# -o takes the report instead of stdout.
"$HEAPTOP" --text -o report p.88.0.f.heap >out 2>err || fail 'status'
[ ! -s out ] || fail 'stdout although -o'
grep -q '^Total: 100.0 MB' report || fail 'no report in the file'

# Each kind says the same total in its own way.
"$HEAPTOP" --collapsed p.77.2.i2.heap >out 2>err || fail '--collapsed'
[ "$(awk '{ s += $NF } END { print s }' out)" = $((25 * 1048576)) ] ||
    fail '--collapsed: another sum'
"$HEAPTOP" --heap p.77.2.i2.heap >again.heap 2>err || fail '--heap'
total 25.0 --text again.heap
"$HEAPTOP" --dot p.77.2.i2.heap >out 2>err || fail '--dot'
grep -q '^digraph' out || fail '--dot: no graph'
for kind in --top --top=1 --tree; do
	"$HEAPTOP" $kind p.77.2.i2.heap >out 2>err || fail $kind
	[ -s out ] || fail "$kind: nothing"
done
# Without a report option: a block of text for each.
"$HEAPTOP" -b p.77.*.heap >out 2>err || fail '-b'
grep -q 'p.77.2.i2.heap' out || fail '-b: no first block'
grep -q 'p.77.10.f.heap' out || fail '-b: no second block'
"$HEAPTOP" -b -n 1 p.77.*.heap >out 2>err || fail '-b -n 1'
[ "$(grep -c 'p.77' out)" = 1 ] || fail '-b -n 1: not one block'

# An empty dump is a report all the same, and a sentence what to do.
printf 'heap_v2/524288\n  t*: 0: 0 [0: 0]\n\nMAPPED_LIBRARIES:\n' >empty.heap
"$HEAPTOP" --text empty.heap >out 2>err || fail 'empty dump'
grep -q '512 KiB' err || fail 'empty dump: nothing said'

# What cannot be read is told; the rest is done, and the status is 1.
printf 'heap_v2/x\n' >broken.heap
"$HEAPTOP" --text p.88.0.f.heap broken.heap >out 2>err
[ $? = 1 ] || fail 'broken: not 1'
grep -q 'broken.heap' err || fail 'broken: not named'
grep -q '^Total: 100.0 MB' out || fail 'broken: the rest is missing'
"$HEAPTOP" --text missing.heap >out 2>err
[ $? = 2 ] || fail 'missing: not 2'
"$HEAPTOP" --text no-such-program p.88.0.f.heap >out 2>err
[ $? = 2 ] || fail 'missing program: not 2'
"$HEAPTOP" --text p.88.0.f.heap >&- 2>err
[ $? = 1 ] || fail 'closed stdout: not 1'
if [ -c /dev/full ]; then
	"$HEAPTOP" --text p.88.0.f.heap >/dev/full 2>err
	[ $? = 1 ] || fail 'full disk: not 1'
	[ "$(wc -l <err)" = 1 ] || fail 'full disk: not one sentence'
fi

# What --heap writes has its names when it is read again.
"$HEAPTOP" --heap --exact -o again.heap -- "$TARGETS/steady" 1 1 >/dev/null
[ $? = 7 ] || fail '--heap: not the status of the program'
"$HEAPTOP" --text again.heap >again.text 2>err || fail "--text: status $?"
grep -q ' kept_mib$' again.text || { cat err; fail 'no names in again.heap'; }
