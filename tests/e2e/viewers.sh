# Viewers cost the program nothing that stays: they come a hundred times, ten
# at once, as somebody else, and of another version.

steady=$TARGETS/steady
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
all=
trap 'kill $all 2>/dev/null' EXIT

fail() {
	echo "$*"
	cat err 2>/dev/null
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

# descriptors of all its threads (the helper has a table of its own), threads
standing() {
	ls "/proc/$1/task" | wc -l
	for task in /proc/"$1"/task/*; do
		echo "$(cat "$task/comm") $(ls "$task/fd" | wc -l)"
	done | sort
}

rss() {
	awk '/^VmRSS/ { print $2 }' "/proc/$1/status"
}

watch() {
	"$HEAPTOP" -b -n 1 -p "$1" >out 2>err && grep -q kept_mib out
}

# as_before: what stands is what stood
as_before() {
	standing $pid >now
	cmp -s before now
}

# as fast as it can, each allocation a sample
HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB "$steady" 100000000 0 \
    >/dev/null 2>&1 &
pid=$! all="$all $!"
until_true listens $pid || fail 'not listening'
for _ in 1 2 3 4 5; do
	watch $pid || fail 'the first ones'
done
standing $pid >before
memory=$(rss $pid)

for i in $(seq 100); do
	watch $pid || fail "viewer $i"
done
until_true as_before || fail "$(diff before now)"
[ $(($(rss $pid) - memory)) -lt 1024 ] ||
    fail "100 viewers: rss from $memory to $(rss $pid) KiB"

pids=
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$HEAPTOP" -b -n 5 --interval=200ms -o out.$i -p $pid >out 2>err.$i &
	pids="$pids $!"
done
for p in $pids; do
	wait "$p" || fail "ten at once: status $?"
done
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(grep -c kept_mib out.$i)" = 5 ] || fail "ten at once: $i"
done
until_true as_before || fail "$(diff before now)"
[ $(($(rss $pid) - memory)) -lt 1024 ] ||
    fail "10 at once: rss from $memory to $(rss $pid) KiB"

# Beside the heaptop that launched it, too.
"$HEAPTOP" -b --interval=300ms -o snapshots "$steady" 500 10 \
    >/dev/null 2>launch.err &
parent=$! all="$all $!"
launched() {
	kid=$(pgrep -P $parent steady) && [ "$kid" ] && listens "$kid"
}
until_true launched || fail 'a launched program does not listen'
for i in 1 2 3; do
	watch "$kid" || fail "launched: viewer $i"
done
wait $parent
[ $? = 7 ] || fail 'launched: its status'
[ ! -s launch.err ] || fail "launched: $(cat launch.err)"
[ "$(grep -c '^pid ' snapshots)" -ge 5 ] || fail 'launched: few snapshots'

# Another version is not guessed at.
if command -v python3 >/dev/null; then
	cat >other.py <<'END'
import os, socket, struct
path = "%s/heaptop/%d.sock" % (os.environ["XDG_RUNTIME_DIR"], os.getpid())
s = socket.socket(socket.AF_UNIX)
s.bind(path)
s.listen(9)
while True:
    c = s.accept()[0]
    hello = struct.pack("<IHH", 0x50545048, 99, 1) + bytes(40)
    c.sendall(struct.pack("<IHH", len(hello), 1, 0) + hello)
    c.recv(1)
END
	HEAPTOP_CONF=thread:false LD_PRELOAD=$LIB python3 other.py &
	other=$! all="$all $!"
	until_true listens $other || fail 'another version: not listening'
	timeout 10 "$HEAPTOP" -b -n 1 -p $other >out 2>err
	[ $? = 1 ] || fail 'another version: not refused'
	grep -q 'version' err || fail 'another version: not said'
	"$HEAPTOP" ctl $other prof.active >out 2>err
	[ $? = 1 ] && grep -q 'version' err || fail 'ctl, another version'
fi

# Another user is told that it is not theirs.
if [ "$(id -u)" = 0 ] && setpriv --version >/dev/null 2>&1; then
	there=$(mktemp -d /tmp/heaptop-viewers.XXXXXX) || exit 1
	chmod 755 "$there"
	cp "$HEAPTOP" "$there"
	(
		unset XDG_RUNTIME_DIR
		setpriv --reuid=54321 --regid=54321 --clear-groups \
		    "$there/heaptop" -b -n 1 -p $pid
	) >out 2>err
	got=$?
	rm -r "$there"
	[ $got = 1 ] && [ ! -s out ] || fail "another user: status $got"
	grep -q "process $pid .* uid 0: watch it as that user" err ||
	    fail 'another user: not said'
fi
until_true as_before || fail "$(diff before now)"
exit 0
