# Dumps every so many bytes, and at each new peak of the heap.

# shellcheck disable=SC1091,SC2154 # it sets pid, answer and status
. "$SRC/tests/targets/asks.sh"

# Every MiB: as many files as MiB, each a moment of its own.
mkdir i
start MALLOC_CONF=prof:true,lg_prof_sample:0,lg_prof_interval:20,prof_prefix:$PWD/i/x \
    "$TARGETS/asks"
tell 'grow 512'
tell 'churn 512'
finish
n=$(files "i/x.$pid.*.i*.heap")
[ "$n" -ge 62 ] && [ "$n" -le 66 ] || fail "64 MiB allocated, $n files"
last=0
for k in 3 11 19 27; do
	t=$(total "i/x.$pid.$k.i$k.heap" | sed 's/^Total: \([0-9]*\)\..*/\1/')
	[ "$t" -ge "$k" ] && [ "$t" -le $((k + 2)) ] && [ "$t" -gt $last ] ||
	    fail "file $k has $t MiB"
	last=$t
done
tell_interval=$(sed -n 's/^# heaptop type=//p' "i/x.$pid.3.i3.heap")
[ "$tell_interval" = i ] || fail 'their type'

# Its threads wait for it; they have all they allocated between.
start MALLOC_CONF=prof:true,lg_prof_interval:20,prof_prefix:j "$TARGETS/asks"
tell 'get u64 prof.interval'
[ "$answer" = '0 1048576' ] || fail "prof.interval: $answer"
tell 'set bool prof.active false'
tell 'churn 320'
finish
has "j.$pid.*.i*.heap" 0 || fail 'dumps while it is off'

# Peaks: one at least, at most one a second, each 5 % above the last.
start MALLOC_CONF=prof:true,prof_gdump:true,lg_prof_sample:0,prof_prefix:u \
    "$TARGETS/asks"
begin=$(date +%s)
for _ in $(seq 10); do
	tell 'grow 80'
	sleep 0.3
done
tell give
sleep 1.2
peaks=$(files "u.$pid.*.u*.heap")
tell 'grow 400'
sleep 1.2
[ "$(files "u.$pid.*.u*.heap")" = "$peaks" ] || fail 'no new peak, and a dump'
finish
took=$(($(date +%s) - begin))
[ "$peaks" -ge 3 ] && [ "$peaks" -le $((took + 1)) ] ||
    fail "$peaks peaks in $took s"
last=0
k=0
while [ $k -lt "$peaks" ]; do
	file=$(echo u."$pid".*.u$k.heap)
	k=$((k + 1))
	live=$(sed -n 's/^# heaptop live_bytes=//p' "$file")
	[ "$live" -gt $((last + last / 20)) ] || fail "$file: $live after $last"
	last=$live
done

# Short and steep: its peak is there all the same.
MALLOC_CONF=prof:true,prof_gdump:true,lg_prof_sample:0,prof_prefix:s \
    LD_PRELOAD=$LIB "$TARGETS/asks" >out 2>err <<'END'
grow 1000
END
n=$(files 's.*.u*.heap')
[ "$n" -ge 1 ] && [ "$n" -le 2 ] || fail "short: $n peaks"

# Turned on and off while it runs.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:v "$TARGETS/asks"
tell 'grow 10'
tell 'get bool prof.gdump'
[ "$answer" = '0 false' ] || fail "prof.gdump: $answer"
has "v.$pid.*.u*.heap" 0 || fail 'peaks unasked'
tell 'set bool prof.gdump true'
tell 'grow 10'
until_true has "v.$pid.*.u*.heap" 1 || fail 'turned on: no peak'
tell 'set bool prof.gdump false'
sleep 1.1
tell 'grow 100'
finish
has "v.$pid.*.u*.heap" 1 || fail 'turned off, and a peak'

# Nobody to write them: told at the start.
MALLOC_CONF=prof:true,thread:false,lg_prof_interval:20,prof_prefix:t \
    LD_PRELOAD=$LIB "$TARGETS/asks" >out 2>err <<'END'
grow 100
END
[ "$(grep -c 'lg_prof_interval and prof_gdump do nothing' err)" = 1 ] ||
    fail 'thread:false: not told'
has 't.*.i*.heap' 0 && has 't.*.f.heap' 1 || fail 'thread:false: files'
exit 0
