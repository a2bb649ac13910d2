# Dumps and recordings that are damaged, cut or none: what can be read is
# used, one sentence names the file and what is wrong with it, status 1.

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

# has_total MEGABYTES: the report has this total
has_total() {
	grep -q "^Total: $1 MB" out || fail "the total is not $1"
}

# Ten stacks of 1 MiB, sampled at a mean distance of 1 byte.
{
	printf 'heap_v2/1\n  t*: 10: 10485760 [0: 0]\n'
	for i in 1 2 3 4 5 6 7 8 9 10; do
		printf '@ 0x%d000 0x9000\n  t*: 1: 1048576 [0: 0]\n' $i
	done
	printf '\nMAPPED_LIBRARIES:\n'
	printf '00400000-00401000 r-xp 00000000 00:00 0 \n'
} >whole.heap
read_as 0 '' whole.heap
has_total 10.0

# No dump at all, though named like one.
: >empty.heap
read_as 1 'empty.heap is empty' empty.heap
head -c 1000 "$HEAPTOP" >binary.heap
read_as 1 'binary.heap is in a format' binary.heap
sed 's/heap_v2/heap_v9/' whole.heap >magic.heap
read_as 1 'magic.heap is in a format' magic.heap
mkdir directory.heap
read_as 1 'directory.heap is a directory' directory.heap
mkfifo fifo.heap
read_as 1 'fifo.heap is a FIFO' fifo.heap
read_as 2 "no file 'missing.heap'" missing.heap
ln -s loop.heap loop.heap
read_as 2 "no file 'loop.heap'" loop.heap
cp whole.heap unreadable.heap
chmod 0 unreadable.heap
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 711 . .. 2>/dev/null
	cp "$HEAPTOP" heaptop && chmod 755 heaptop
	if setpriv --reuid=12345 --regid=12345 --clear-groups ./heaptop \
	    --version >out 2>err; then
		setpriv --reuid=12345 --regid=12345 --clear-groups ./heaptop \
		    --text "$PWD/unreadable.heap" >out 2>err
		[ $? = 1 ] || fail 'unreadable: not 1'
		grep -q 'cannot read .*unreadable.heap: Permission' err ||
		    fail 'unreadable: no reason'
	fi
	rm heaptop
fi
# The others are read all the same.
read_as 1 'empty.heap is empty' whole.heap empty.heap
has_total 10.0
read_as 1 'directory.heap is a directory' directory.heap whole.heap
has_total 10.0
# Without a report, too; and what is a program stays one.
"$HEAPTOP" empty.heap >out 2>err
[ $? = 1 ] || fail 'empty.heap alone: not 1'
grep -q 'empty.heap is empty' err || fail 'empty.heap alone: no reason'
"$HEAPTOP" -b -- cat empty.heap >out 2>err || fail 'cat: status'
"$HEAPTOP" -b cat empty.heap >out 2>err || fail 'cat without --: status'

# Lines end in CR LF.
sed 's/$/\r/' whole.heap >crlf.heap
read_as 0 '' crlf.heap
has_total 10.0

for rate in 0 -5 nan x 99999999999999999999 0x10 ''; do
	sed "1s,.*,heap_v2/$rate," whole.heap >rate.heap
	read_as 1 'rate.heap, line 1: the sampling rate' rate.heap
done

# changed LINE TEXT: whole.heap with another line
changed() {
	awk -v line="$1" -v text="$2" 'NR == line { $0 = text } { print }' \
	    whole.heap >changed.heap
}
changed 4 '  t*: 18446744073709551616: 1 [0: 0]'
read_as 1 'changed.heap, line 4: the figures' changed.heap
has_total 9.0
changed 4 '  t*: 1: x [0: 0]'
read_as 1 'changed.heap, line 4: the figures' changed.heap
has_total 9.0
changed 3 '@ 0x12345678123456789'
read_as 1 'changed.heap, line 3: an address' changed.heap
has_total 9.0
changed 2 'rubbish'
read_as 1 'changed.heap, line 2: this is no line' changed.heap
has_total 10.0
changed 24 'rubbish'
read_as 1 '' changed.heap
has_total 10.0
changed 4 '  t*: -1: -1048576 [0: 0]'
read_as 0 'changed.heap, line 4: negative' changed.heap
has_total 8.0

# Cut at every 97th byte: never more than there is, one file named.
size=$(wc -c <whole.heap)
n=97
while [ $n -lt $((size - 45)) ]; do
	head -c $n whole.heap >cut.heap
	read_as 1 'cut.heap, line [0-9]*: ' cut.heap
	n=$((n + 97))
done

# A line without end, in a file that takes no room.
(echo heap_v2/1 && printf '@ 0x1000\n  t*: 1: 1048576 [0: 0]\n') >sparse.heap
truncate -s 4G sparse.heap
read_as 1 'sparse.heap.* without an end of the line' sparse.heap
has_total 1.0
rm sparse.heap
{
	sed '/^$/,$d' whole.heap
	printf '@'
	head -c 10000000 /dev/zero | tr '\0' ' '
	printf '\n  t*: 1: 1048576 [0: 0]\n'
	sed -n '/^$/,$p' whole.heap
} >line.heap
read_as 1 'line.heap, line 23: a line of more than' line.heap
has_total 10.0

gzip -k whole.heap
read_as 0 '' whole.heap.gz
head -c 100 whole.heap.gz >cut.heap.gz
read_as 1 'cut.heap.gz' cut.heap.gz
{ head -c 100 whole.heap.gz && head -c 100 "$HEAPTOP"; } >bad.heap.gz
read_as 1 'bad.heap.gz' bad.heap.gz
{ echo heap_v2/1 && head -c 200000000 /dev/zero; } | gzip -1 >bomb.heap.gz
read_as 1 'bomb.heap.gz' bomb.heap.gz

# Recordings: two dumps, cut at every 13th byte; the first ends at 544.
tail -c +2 "$SRC/tests/fuzz/corpus/dumpread/two" >stream
read_as 0 '' stream
n=13
size=$(wc -c <stream)
while [ $n -lt "$size" ]; do
	head -c $n stream >half
	if [ $n -lt 544 ]; then
		read_as 1 'the stream of half ends inside a dump, at byte' half
		[ ! -s out ] || fail "cut at $n: a report"
	elif [ $n -gt 544 ]; then
		read_as 1 '.*; the 1 dump before that is used' half
		grep -q '^Total' out || fail "cut at $n: no report"
	fi
	n=$((n + 13))
done
head -c 544 stream >first
read_as 0 '' first
tail -c +2 "$SRC/tests/fuzz/corpus/dumpread/version" >other
read_as 1 'other speaks version 2 of the stream' other
{ cat first && head -c 500 "$HEAPTOP"; } >mangled
read_as 1 'the stream of mangled is damaged at byte 544: .*1 dump' mangled
# behind the hello, 8 + 60 bytes, stands the size of the next frame
{ head -c 68 stream && printf '\377\377\377\377' && tail -c +73 stream; } \
    >mangled
read_as 1 'the stream of mangled is damaged at byte 68: no frame' mangled
exit 0
