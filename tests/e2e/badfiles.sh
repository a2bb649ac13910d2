# Damaged profiles of the kinds that badinput.sh leaves out: gperftools',
# symbolized, pprof's, saved reports.  What can be read is used, one sentence
# names the file and what is wrong with it, status 1.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# read_as STATUS PATTERN FILE...: within bounded memory and time
# shellcheck disable=SC3045 # every sh of Linux has it
read_as() {
	wanted=$1 pattern=$2
	shift 2
	(ulimit -v 1000000 && exec timeout 20 "$HEAPTOP" --text "$@") \
	    >out 2>err </dev/null
	got=$?
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
	[ -z "$pattern" ] || grep -q -e "^heaptop: $pattern" err ||
	    fail "$*: no '$pattern'"
	! grep -v -q '^heaptop: ' err || fail "$*: not a sentence"
}

has_total() {
	grep -q "^Total: $1 MB" out || fail "the total is not $1"
}

maps='
MAPPED_LIBRARIES:
00400000-00401000 r-xp 00000000 00:00 0 '

# Ten stacks of 1 MiB in each.
{
	echo 'heap profile: 10: 10485760 [10: 10485760] @ heapprofile'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "  1:  1048576 [  1:  1048576] @ 0x${i}001 0x9001"
	done
	echo "$maps"
} >gperf.heap
{
	echo '--- symbol'
	echo 'binary=prog'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "0x000000000000${i}000 f$i"
	done
	printf -- '---\n--- heap\nheap_v2/1\n  t*: 10: 10485760 [0: 0]\n'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		printf '@ 0x%d000\n  t*: 1: 1048576 [0: 0]\n' $i
	done
	echo "$maps"
} >sym.heap
{
	echo 'Total: 10.0 MB'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo "     1.0  10.0% ${i}0.0%      1.0  10.0% f$i"
	done
} >text.txt
cp "$SRC/tests/fuzz/corpus/pprof/exact" pprof.pb

for f in gperf.heap sym.heap text.txt; do
	read_as 0 '' $f
	has_total 10.0
	[ ! -s err ] || fail "$f: something is said of a good one"
	# Lines end in CR LF.
	sed 's/$/\r/' $f >crlf.$f
	read_as 0 '' crlf.$f
	has_total 10.0
	# A line of it is rubbish.
	sed '$d' $f >rubbish.$f
	echo rubbish >>rubbish.$f
	read_as 1 "rubbish.$f, line [0-9]*: this is no" rubbish.$f
	# It ends in the middle of a line.
	size=$(wc -c <$f)
	n=30
	while [ $n -lt $((size - 45)) ]; do
		head -c $n $f >cut.heap
		if [ "$(tail -c 1 cut.heap | wc -l)" = 0 ]; then
			read_as 1 'cut.heap' cut.heap
		fi
		n=$((n + 61))
	done
	# A line without end, in a file that takes no room; and the other way
	# round, packed.
	cp $f sparse.heap
	truncate -s 4G sparse.heap
	read_as 1 'sparse.heap.* without an end of the line' sparse.heap
	has_total 10.0
	rm sparse.heap
	{ cat $f && head -c 200000000 /dev/zero; } | gzip -1 >bomb.heap.gz
	read_as 1 'bomb.heap.gz' bomb.heap.gz
	has_total 10.0
	gzip -c $f >packed.gz
	head -c 100 packed.gz >cut.heap.gz
	read_as 1 'cut.heap.gz' cut.heap.gz
	{ head -c 100 packed.gz && head -c 100 "$HEAPTOP"; } >bad.heap.gz
	read_as 1 'bad.heap.gz' bad.heap.gz
done

# changed FILE LINE TEXT: with another line
changed() {
	awk -v line="$2" -v text="$3" 'NR == line { $0 = text } { print }' \
	    "$1" >changed
}

for n in 18446744073709551616 x; do
	changed gperf.heap 4 "$n: 1048576 [1: 1] @ 0x3001"
	read_as 1 'changed, line 4: the figures' changed
	has_total 9.0
done
changed gperf.heap 4 '-1: -1048576 [-1: -1048576] @ 0x3001'
read_as 0 'changed, line 4: negative' changed
has_total 8.0
changed gperf.heap 4 '1: 1048576 [1: 1048576] @ 0x12345678123456789'
read_as 1 'changed, line 4: an address' changed
has_total 9.0
for rate in 0 -5 nan x 99999999999999999999; do
	changed gperf.heap 1 \
	    "heap profile: 10: 1 [10: 1] @ heap_v2/$rate"
	if [ $rate = 0 ]; then
		read_as 1 'changed, line 2: the sampling rate is 0' changed
		has_total 10.0
	else
		read_as 1 'changed, line 1: the sampling rate' changed
	fi
done
for rate in 0 -5 nan x 99999999999999999999; do
	changed sym.heap 15 "heap_v2/$rate"
	read_as 1 'changed, line 15: the sampling rate' changed
done
changed sym.heap 15 'cpu profile'
read_as 1 'changed, line 15: no heap dump follows' changed
head -n 12 sym.heap >changed
read_as 1 'changed is cut: its symbol section' changed
head -n 13 sym.heap >changed
read_as 1 'changed has symbols but no dump' changed
changed text.txt 1 'Total: 1x MB'
read_as 1 'changed, line 1: the total cannot be read' changed
changed text.txt 3 '     1e99  10.0%  20.0%      1.0  10.0% f2'
read_as 1 'changed, line 3: this is no row' changed

# What is read of them is used beside what is whole.
head -n 5 gperf.heap >cut.heap
read_as 1 'cut.heap, line 5: the file ends without' cut.heap
has_total 4.0
read_as 1 'changed, line 3' --sum changed gperf.heap
has_total 20.0

# pprof's cut at every 7th byte, of another kind, or not that at all.  It has
# no end of its own: without its last messages it is as whole as before.
read_as 0 '' pprof.pb
mv out whole
n=7
size=$(wc -c <pprof.pb)
while [ $n -lt "$size" ]; do
	head -c $n pprof.pb >cut.pb
	if ! "$HEAPTOP" --text cut.pb >out 2>err || ! cmp -s whole out; then
		read_as 1 'cut.pb' cut.pb
	fi
	n=$((n + 7))
done
read_as 1 '.*/pprof/cpu is no profile of a heap: it measures cpu' \
    "$SRC/tests/fuzz/corpus/pprof/cpu"
{ cat pprof.pb && head -c 300 "$HEAPTOP"; } >mangled.pb
read_as 1 'mangled.pb: ' mangled.pb
{ cat pprof.pb && printf '\022\377\377\377\377\017'; } >long.pb
read_as 1 'long.pb: the file is damaged.* is too long' long.pb
cp pprof.pb sparse.pb
truncate -s 4G sparse.pb
read_as 1 'sparse.pb' sparse.pb
rm sparse.pb
truncate -s 4G zeros.heap
read_as 1 'zeros.heap is in a format' ./gperf.heap zeros.heap
rm zeros.heap
exit 0
