# Threads of several processes, and of what has changed: whatever is asked, a
# thread's row is what its lines in the dumps add up to.

fail() {
	echo "$*"
	cat err
	exit 1
}

# dump FILE T1 T2 T3: objects of 100 bytes that each thread has of one stack,
# and a stack of the first alone that never changes
dump() {
	cat >"$1" <<-EOF
		heap_v2/1
		  t*: $(($2 + $3 + $4 + 1)): $(($2 + $3 + $4 + 1))00 [0: 0]
		  t1: $(($2 + 1)): $(($2 + 1))00 [0: 0] reader
		  t2: $3: ${3}00 [0: 0] $5
		  t3: $4: ${4}00 [0: 0] $6
		@ 0x401001 0x402001
		  t*: $(($2 + $3 + $4)): $(($2 + $3 + $4))00 [0: 0]
		  t1: $2: ${2}00 [0: 0]
		  t2: $3: ${3}00 [0: 0]
		  t3: $4: ${4}00 [0: 0]
		@ 0x403001 0x402001
		  t*: 1: 100 [0: 0]
		  t1: 1: 100 [0: 0]

		MAPPED_LIBRARIES:
		00400000-00500000 r-xp 00000000 08:01 1 /nonexistent/prog
	EOF
}

# rows OPTION...: name, flat, cum of each row
rows() {
	"$HEAPTOP" --csv "$@" >out 2>err || fail "$*: status $?"
	tail -n +2 out | tr -d '\r' | cut -d, -f1,6,8 | sort | tr '\n' ' '
}

is() {
	[ "$1" = "$2" ] || fail "got  $1
want $2"
}

dump p.1.0.f.heap 1 4 0 writer ''
dump p.2.0.f.heap 2 0 7 '' flusher
is "$(rows --threads p.1.0.f.heap p.2.0.f.heap)" \
    'flusher,700,700 reader,500,500 writer,400,400 '

# one that only the second process has
rows --thread=3 p.1.0.f.heap p.2.0.f.heap >/dev/null
sed -n 2p out | grep -q '^prog+0x1001,.*,700,' || fail "$(cat out)"
"$HEAPTOP" --text --thread=9 p.1.0.f.heap p.2.0.f.heap >out 2>err &&
    fail "a thread that is in neither"
"$HEAPTOP" -b --thread=9 p.1.0.f.heap >out 2>err || fail "status $?"
grep -q 'nothing that lives was sampled' out || fail "-b: $(cat out)"

# in the same process: one gained what another one lost
dump q.1.0.i0.heap 5 1 0 writer ''
dump q.1.1.f.heap 2 4 3 writer ''
is "$(rows --threads --base=q.1.0.i0.heap q.1.1.f.heap)" \
    'reader,-300,-300 thread 3,300,300 writer,300,300 '
dump q.1.1.f.heap 2 4 0 writer ''
is "$(rows --threads --base=q.1.0.i0.heap q.1.1.f.heap)" \
    'reader,-300,-300 writer,300,300 '
is "$(rows --threads --drop_negative --base=q.1.0.i0.heap q.1.1.f.heap)" ''

# of the process as a whole: nothing leaves something out of it
"$HEAPTOP" --memory p.1.0.f.heap >all 2>err || fail "status $?"
"$HEAPTOP" --memory --thread=2 p.1.0.f.heap >out 2>err || fail "status $?"
cmp -s all out || fail "--memory of a thread"
grep -q -- '--thread changes nothing' err || fail "nothing was said"

# the last of a series by its number, however old the file is and whatever
# the prefix is called
dump app.heap.1.9.i9.heap 1 1 1 '' ''
dump app.heap.1.10.i10.heap 2 2 2 '' ''
touch -d '2020-01-01' app.heap.1.10.i10.heap
"$HEAPTOP" --text --show_bytes app.heap.1.10.i10.heap app.heap.1.9.i9.heap \
    >out 2>err || fail "status $?"
is "$(head -n 1 out)" 'Total: 700 B'
