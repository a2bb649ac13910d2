# Values of running processes, read and written; dumps on request.

steady=$TARGETS/steady
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
all=
trap 'kill -CONT $all 2>/dev/null; kill $all 2>/dev/null' EXIT

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

until_true() {
	for _ in $(seq 100); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

listens() {
	[ -S "$XDG_RUNTIME_DIR/heaptop/$1.sock" ]
}

# ctl STATUS WORD...
ctl() {
	wanted=$1
	shift
	timeout 20 "$HEAPTOP" ctl "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$wanted" ] || fail "ctl $*: status $got, not $wanted"
}

says() {
	grep -q -e "$1" err || fail "not said: $1"
}

reads() {
	[ "$(cat out)" = "$1" ] || fail "not read: $1"
}

name=ctl$$
cp "$steady" $name
HEAPTOP_CONF=lg_prof_sample:12 LD_PRELOAD=$LIB ./$name 1000 >/dev/null 2>&1 &
pid=$! all="$all $!"
until_true listens $pid || fail 'not listening'

# Each way to say it.
ctl 0 $pid prof.active && reads 'prof.active = true'
ctl 0 $name prof.active=false && reads ''
ctl 0 $pid -r prof.active && reads 'prof.active = false'
ctl 0 $pid prof.active:true prof.lg_sample && reads 'prof.lg_sample = 12'
ctl 0 $pid -w prof.lg_sample:14 -r prof.lg_sample && reads 'prof.lg_sample = 14'
(env -i "XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR" "$HEAPTOP" ctl $name \
    prof.lg_sample=24 </dev/null >out 2>err) || fail 'as cron: status'
ctl 0 $pid prof.lg_sample && reads 'prof.lg_sample = 24'
ctl 0 $pid stats.allocated
live=$(sed -n 's/^stats.allocated = //p' out)
[ "$live" -ge 2097152 ] && [ "$live" -lt 2500000 ] || fail 'live bytes'
ctl 0 $pid opt.lg_prof_sample && reads 'opt.lg_prof_sample = 12'

# What cannot be: said, and nothing is changed.
ctl 1 $pid prof.lg_sample=48 && says "process $pid: prof.lg_sample=48: .*0 to 47"
ctl 1 $pid prof.active=maybe && says 'true or false'
ctl 1 $pid no.such.name=1 && says 'there is no such name'
ctl 1 $pid stats.allocated=1 && says 'only be read'
ctl 0 $pid prof.lg_sample prof.active
reads "$(printf 'prof.lg_sample = 24\nprof.active = true')"
ctl 1 $pid prof.nothing prof.active && says 'no such name'
reads 'prof.active = true'

# Bad usage.
ctl 2 $pid && says "ctl $pid wants a name behind it"
ctl 2 --all $pid prof.active && says 'give one of them'
ctl 2 $pid -x prof.active && says 'ctl has no option -x'
ctl 2 $pid prof.active= && says 'wants a value behind it'
ctl 2 $pid -r prof.active=true && says '-r reads'
ctl 2 $pid -w prof.active && says '-w writes'
ctl 2 $pid 'prof active=1' && says 'is no name of a value'
ctl 2 $pid prof.dump && says 'wants the name of a file'
ctl 2 $pid =1 && says 'is no name of a value'

# Dumps, by a path as it is meant here; whole or not at all.
mkdir sub
(cd sub && ctl 0 $pid prof.dump=x.heap) || exit 1
[ ! -s out ] || fail 'a dump is no reason to print'
head -n 1 sub/x.heap | grep -q -x 'heap_v2/4096' || fail 'no dump'
"$HEAPTOP" --text sub/x.heap >out 2>err || fail 'the dump cannot be read'
grep -q kept_mib out || fail 'the dump has no kept_mib'
ctl 0 $pid "prof.dump:$PWD/with blanks: and = .heap"
[ -s 'with blanks: and = .heap' ] || fail 'a dump of another name'
fds=$(ls /proc/$pid/task/*/fd | wc -l)
for _ in 1 2 3 4 5 6 7 8 9 10; do
	ctl 1 $pid prof.dump=no/such/x.heap
	says "process $pid cannot write $PWD/no/such/x.heap: No such file"
	ctl 1 $pid prof.dump=sub
	says "cannot write $PWD/sub: Is a directory"
done
# the last visitor's are closed soon
tries=0
until [ "$(ls /proc/$pid/task/*/fd | wc -l)" -le "$fds" ]; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || fail 'descriptors grew'
	sleep 0.05
done
[ -z "$(ls ./*.part sub/*.part 2>/dev/null)" ] || fail 'a part of a file is left'
long=$(printf '%0300d' 0)
ctl 1 $pid prof.dump="$long" && says 'File name too long'
ctl 2 $pid prof.dump="$long$long$long$long$long$long$long$long$long$long$long$long$long$long"
says 'too long'
ctl 1 $pid prof.dump=/dev/full/x && says 'Not a directory'

# Processes that are not there, not preloaded, not answering.
ctl 1 99999999 prof.active && says 'there is no process 99999999'
ctl 1 nosuch$$ prof.active && says "no process named nosuch$$"
sleep 60 &
other=$! all="$all $!"
ctl 1 $other prof.active
says "process $other .* does not run under libheaptop.so"
kill -STOP $pid
before=$(date +%s)
ctl 1 $pid prof.active
[ $(($(date +%s) - before)) -le 4 ] || fail 'waited long'
says "process $pid has not answered within 2 s"
kill -CONT $pid
ctl 0 $pid prof.active

# Two of one name.
HEAPTOP_CONF=lg_prof_sample:12 LD_PRELOAD=$LIB ./$name 1000 >/dev/null 2>&1 &
second=$! all="$all $!"
until_true listens $second || fail 'not listening'
ctl 2 $name prof.active && says "several processes are named $name:.* $second"

# Who else there is may not be ours: among ourselves, the only one, none, all.
cat >inner <<'END'
ctl() {
	wanted=$1
	shift
	"$HEAPTOP" ctl "$@" >out 2>err
	got=$?
	[ $got = "$wanted" ] || {
		echo "inside: ctl $*: status $got, not $wanted"
		cat out err
		exit 1
	}
}
ctl 1 prof.active
grep -q 'heaptop exec' err || { cat err; exit 1; }
ctl 1 --all prof.active
start() {
	LD_PRELOAD=$LIB "$1" 1000 >/dev/null 2>&1 &
	for _ in $(seq 100); do
		[ -S "$XDG_RUNTIME_DIR/heaptop/$!.sock" ] && return
		sleep 0.05
	done
}
start "$TARGETS/steady"
one=$!
ctl 0 prof.lg_sample
[ "$(cat out)" = 'prof.lg_sample = 19' ] || { cat out; exit 1; }
start "$TARGETS/steady"
two=$!
ctl 2 prof.lg_sample=3
grep -q -w "$one" err && grep -q -w "$two" err && grep -q PARENT err &&
    [ ! -s out ] || { cat err; exit 1; }
ctl 0 --all prof.lg_sample
printf '%d: prof.lg_sample = 19\n' $one $two | sort -n | cmp - out || exit 1
ctl 0 --all prof.lg_sample=20
ctl 0 $two prof.lg_sample
[ "$(cat out)" = 'prof.lg_sample = 20' ] || { cat out; exit 1; }
ctl 2 --all prof.dump=x.heap
[ ! -e x.heap ] || exit 1
kill $one $two
END
export HEAPTOP LIB TARGETS
mkdir inside
for rights in '' -Ur; do
	unshare $rights -pf --mount-proc true 2>/dev/null || continue
	(cd inside && unshare $rights -pf --mount-proc sh ../inner) ||
	    fail 'in a namespace of its own'
	break
done
exit 0
