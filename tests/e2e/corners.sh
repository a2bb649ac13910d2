# What programs seldom do: resize in place, fork at any moment and behind libc's
# back, hand down more than fits, filter in a child of vfork, change stacks and
# users.

corners=$TARGETS/corners
CORNERS=$PWD/dump.heap
export CORNERS
mkfifo hold

fail() {
	echo "$*"
	cat out err
	exit 1
}

# run CONF MODE...: the status is the target's own, and nothing is said.
run() {
	conf=$1
	shift
	MALLOC_CONF=prof:true,prof_final:false,$conf LD_PRELOAD=$LIB \
	    "$corners" "$@" >out 2>err || fail "$*: status $?"
	[ ! -s err ] || fail "$*: something was said"
}

# live DUMP: the bytes that live by it.
live() {
	"$HEAPTOP" --text --show_bytes "$corners" "$1" >out 2>err ||
	    fail "status of --text"
	sed -n 's/^Total: \([0-9]*\) B.*/\1/p' out
}

# Each block resized where it lies is counted once, to a page in 50.
run lg_prof_sample:0 resize 300 </dev/null
of=$(sed -n 's/^[0-9]* moved, \([0-9]*\) of 1000$/\1/p' out)
[ "$of" -ge 1000 ] && [ "$of" -lt 1030 ] || fail "counted $of of 1000"

# Sampled, the small block that comes next does not stand for it: 2,000 of 32
# bytes live and one of 300 KiB.  At R = 512 KiB the large one is sampled with
# p = 0.44 and then stands for 0.7 MB, one of the small ones for R; 0.12 of them
# are sampled on average, four or more in one run of 100,000.
for seed in 1 2 3; do
	rm -f said
	HEAPTOP_CONF=lg_prof_sample:19,prof_seed:$seed LD_PRELOAD=$LIB \
	    "$corners" resize 2000 <hold >said 2>err &
	exec 3>hold
	until [ -s said ] || ! kill -0 $!; do sleep 0.05; done
	"$HEAPTOP" --text --show_bytes -p $! >out 2>err
	exec 3>&-
	wait
	total=$(sed -n 's/^Total: \([0-9]*\) B.*/\1/p' out)
	[ "${total:-0}" -lt 2300000 ] || fail "$total bytes are said to live"
done

# Blocks that a thread was giving back are in one place in the child.
run prof:false forks 40
[ "$(cat out)" = '40 of 40' ] || fail 'blocks were not their own'

# What is freed while the child's table is being opened is gone from it.
run lg_prof_sample:0 inherit
total=$(live dump.heap)
[ "$total" -lt 20000 ] || fail "$total bytes live in the child"

# What does not fit into the child's table is counted as lost.
rm -f said
HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB "$corners" full <hold >said \
    2>err &
exec 3>hold
until [ -s said ] || ! kill -0 $!; do sleep 0.05; done
"$HEAPTOP" --json -p "$(cat said)" >out 2>err || fail 'status of --json'
exec 3>&-
wait
lost=$(sed -n 's/.*"table_full":\([0-9]*\).*/\1/p' out)
[ "${lost:-0}" -gt 1000 ] || fail "only ${lost:-none} are said to be lost"

run lg_prof_sample:0 behind
run lg_prof_sample:0 filter
run lg_prof_sample:0 stacks 400
run lg_prof_sample:0 users 10

# A dump does not take the place of a device or a pipe.
mkfifo pipe
CORNERS=$PWD/pipe
run lg_prof_sample:0 special
[ -p pipe ] || fail 'a dump is where a pipe was'

# A stack of modules that stay is one stack, however many others went away.
rm -f said
HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB "$corners" closes 300 <hold \
    >said 2>err &
exec 3>hold
until [ -s said ] || ! kill -0 $!; do sleep 0.05; done
"$HEAPTOP" --text --stacks --alloc_objects --nodefraction=0 -p $! >out 2>err ||
    fail 'status of --stacks'
exec 3>&-
wait
[ "$(wc -l <out)" -lt 50 ] || fail 'a stack was told again and again'
