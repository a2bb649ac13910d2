# mallctl: a program steers its own profile.

# shellcheck disable=SC1091,SC2154 # it sets pid, answer and status
. "$SRC/tests/targets/asks.sh"

# says LINE ANSWER
says() {
	tell "$1"
	[ "$answer" = "$2" ] || fail "$1: $answer, not $2"
}

start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/p "$TARGETS/asks"
tell 'grow 16'

# Dumps, numbered m, the name handed back; and under a name.
says dump "0 $PWD/p.$pid.0.m0.heap"
says "do prof.dump" 0
has "p.$pid.1.m1.heap" 1 || fail 'a dump without a place for its name'
says "dump $PWD/own.heap" "0 $PWD/own.heap"
[ "$(total own.heap)" = 'Total: 1.0 MB' ] || fail 'a dump of a name'
says 'dump rel.heap' '0 rel.heap'
says "dump $PWD/own.heap.gz" "0 $PWD/own.heap.gz"
gzip -t own.heap.gz || fail 'a name in .gz is packed'
says 'dump /no/such/x.heap' '14 '
says 'get string prof.dump' "0 $PWD/p.$pid.2.m2.heap"
says "set string prof.prefix $PWD/q" 0
says 'get string prof.prefix' "0 $PWD/q"
says dump "0 $PWD/q.$pid.3.m3.heap"

# Switches and rates.
says 'get bool prof.active' '0 true'
says 'set bool prof.active false' 0
tell 'grow 16'
says 'get bool prof.active' '0 false'
says dump "0 $PWD/q.$pid.4.m4.heap"
[ "$(total "q.$pid.4.m4.heap")" = 'Total: 1.0 MB' ] || fail 'while off'
says 'set bool prof.active true' 0
tell 'grow 16'
says dump "0 $PWD/q.$pid.5.m5.heap"
[ "$(total "q.$pid.5.m5.heap")" = 'Total: 2.0 MB' ] || fail 'on again'
says 'get size prof.lg_sample' '0 0'
says 'set size prof.lg_sample 24' 0
says 'get size prof.lg_sample' '0 24'
says 'set size prof.lg_sample 48' 22
says 'set size prof.lg_sample 0' 0
says 'get bool prof.thread_active_init' '0 true'

# All is forgotten; what is freed then counts nothing; a new rate.
says 'do prof.reset' 0
says dump "0 $PWD/q.$pid.6.m6.heap"
grep -q '^@' "q.$pid.6.m6.heap" && fail 'after reset something is there'
tell give
tell 'grow 32'
says dump "0 $PWD/q.$pid.7.m7.heap"
[ "$(total "q.$pid.7.m7.heap")" = 'Total: 2.0 MB' ] || fail 'after reset'
grep -q '^# heaptop reset_ns=' "q.$pid.7.m7.heap" || fail 'no reset_ns'
says 'set size prof.reset 12' 0
says 'get size prof.lg_sample' '0 12'
says 'set size prof.reset 0' 0

# Threads: a name of its own, and not sampled if it likes.
tell 'thread worker-one'
tell hidden
says dump "0 $PWD/q.$pid.8.m8.heap"
grep -q '^  t[0-9]*: 1[67]: .* worker-one$' "q.$pid.8.m8.heap" ||
    fail "no named thread: $(grep '^  t' "q.$pid.8.m8.heap")"
"$HEAPTOP" --text "$TARGETS/asks" "q.$pid.8.m8.heap" >text 2>text.err
grep -q ' named$' text || fail 'the thread has nothing'
grep -q ' unseen$' text && fail 'thread.prof.active false, and sampled'
says 'set string thread.prof.name main-of-it' 0
says 'get string thread.prof.name' '0 main-of-it'
says 'get bool thread.prof.active' '0 true'

# Options and figures; the figures move with the heap.
says 'get bool opt.prof' '0 true'
says 'get size opt.lg_prof_sample' '0 0'
says 'get ssize opt.lg_prof_interval' '0 -1'
says 'get string opt.prof_dump_signal' '0 both'
says 'get u32 opt.prof_bt_max' '0 128'
says 'get bool config.prof' '0 true'
says 'set size epoch 1' 0
tell 'get size stats.allocated'
first=${answer#0 }
tell 'grow 160'
tell 'get size stats.allocated'
[ $((${answer#0 } - first)) = $((160 * 65536)) ] || fail "allocated $answer"
tell 'get size stats.resident'
[ "${answer#0 }" -ge $((160 * 65536)) ] || fail "resident $answer"
says 'mib arena.0.purge 4096' '0 3 0'
says 'mib no.such.name 1' '2 0 -1'

# What cannot be.
says 'get bool no.such' 2
says 'set bool opt.prof false' 1
says 'set size prof.active 1' 22
says 'get u64 prof.active' 22
finish
[ $status = 0 ] || fail "status $status"
[ "$(grep -c '^heaptop: ' err)" = 0 ] || fail 'something was said'

# prof:false is the bare allocator: no prof.*, the figures stay.
start MALLOC_CONF=prof:false "$TARGETS/asks"
says 'get bool prof.active' 2
says 'do prof.dump' 2
says 'get bool opt.prof' '0 false'
tell 'get size stats.allocated'
[ "${answer% *}" = 0 ] || fail 'prof:false: stats'
finish

# Without file mode a dump that is asked for is written all the same.
start HEAPTOP_CONF=lg_prof_sample:0 "$TARGETS/asks"
tell 'grow 16'
says dump "0 jeprof.$pid.0.m0.heap"
finish
has "jeprof.$pid.*" 1 || fail 'without file mode: files'

# Beside it the rest of jemalloc's functions, sampled and not.
for conf in prof:false prof:true,prof_final:false,lg_prof_sample:0 \
    prof:true,prof_final:false,lg_prof_sample:16; do
	[ "$(MALLOC_CONF=$conf LD_PRELOAD=$LIB "$TARGETS/extended" 2>err)" = fine ] ||
	    fail "extended, $conf"
done

# From outside the same names: the program does prof.reset itself.
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/o "$TARGETS/asks"
tell 'grow 16'
until_true [ -S "r/heaptop/$pid.sock" ] || fail 'not listening'
ctl() {
	"$HEAPTOP" ctl "$pid" "$@" >text 2>text.err
}
ctl prof.gdump prof.interval opt.prof_final thread.prof.name
grep -q -x 'prof.gdump = false' text || fail 'ctl prof.gdump'
grep -q -x 'opt.prof_final = true' text || fail 'ctl opt.prof_final'
grep -q "each thread's own" text.err || fail 'ctl thread.prof.name'
finish
exit 0
