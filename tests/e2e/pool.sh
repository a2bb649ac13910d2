# A pool of the program's own: its objects by stack, and none among malloc's.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# Without the library.
"$TARGETS/pool" 1000 >out 2>err || fail 'without the library'

# Exact: 1,000 nodes of 1,000 bytes, 250 of 500 leaves, 1,000 words of 100.
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/p LD_PRELOAD=$LIB \
    "$TARGETS/pool" 1000 >out 2>err || fail 'with it'
[ -s err ] && fail 'something was said'
dump=$(echo p.*.f.heap)
"$HEAPTOP" --text --show_bytes --pool=nodes "$TARGETS/pool" "$dump" >out \
    2>err || fail 'status of --pool'
grep -q '^Total: 1250000 B$' out || fail 'not 1250000 bytes of nodes'
grep -q ' 1000000  80.0% make_node$' out || fail 'make_node'
grep -q ' 250000  20.0% make_leaf$' out || fail 'make_leaf'
"$HEAPTOP" --text --show_bytes --pool=words "$TARGETS/pool" "$dump" >out \
    2>err || fail 'status'
grep -q '^Total: 100000 B$' out || fail 'not 100000 bytes of words'
"$HEAPTOP" --text --inuse_objects --pool=words "$TARGETS/pool" "$dump" >out \
    2>err || fail 'status'
grep -q '^Total: 1000 objects$' out || fail 'not 1000 words'
# of what malloc handed out they are no part
"$HEAPTOP" --text --show_bytes "$TARGETS/pool" "$dump" >out 2>err || fail status
total=$(sed -n 's/^Total: \([0-9]*\) B/\1/p' out)
[ "$total" -ge 8388608 ] && [ "$total" -lt 8500000 ] || fail "malloc: $total"
grep -qE 'make_(node|word)' out && fail 'a pool among malloc'
if command -v jeprof >/dev/null; then
	jeprof --text --show_bytes "$TARGETS/pool" "$dump" >out 2>err
	grep -q "^Total: $total B" out || fail 'jeprof has another total'
fi
"$HEAPTOP" --text --pool=none "$TARGETS/pool" "$dump" >out 2>err
grep -q 'no objects of a pool called none' err || fail 'no such pool'

# Four threads and children: to the byte.
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_children:false,prof_prefix:$PWD/b \
    LD_PRELOAD=$LIB "$TARGETS/pool" busy >busy 2>err || fail 'busy'
"$HEAPTOP" --text --show_bytes --pool=busy "$TARGETS/pool" b.*.f.heap >out \
    2>err || fail 'status of busy'
grep -qx "Total: $(cat busy) B" out || fail "busy: not $(cat busy)"

# While it runs, sampled; and what is left of it after a kill: 4,000 nodes and
# 1,000 leaves, 5,000,000 bytes; with 1,200 samples the deviation is 3 %.
"$HEAPTOP" -b --text --show_bytes -s 4K --interval=200ms --pool=nodes \
    -o live -- "$TARGETS/pool" 4000 wait >out 2>err &
heaptop=$!
sleep 1
kill -KILL "$(sed -n 's/^pid //p' out)"
wait $heaptop
[ $? = 137 ] || fail 'not its status'
[ "$(grep -c '^Total' live)" -ge 3 ] || fail 'no snapshots'
grep -q make_node live || fail 'live: no names'
for total in $(sed -n 's/^Total: \([0-9]*\) B/\1/p' live); do
	[ "$total" -gt 4400000 ] && [ "$total" -lt 5600000 ] ||
	    fail "live: $total"
done
exit 0
