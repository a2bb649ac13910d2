# Watching a program that runs already.

demo=$BUILD/assets/demo
[ -x "$demo" ] || "$MAKE" -C "$BUILD" assets/demo >/dev/null || exit 1

# A name that no other process has, at most 15 bytes long.
name=demo$$
cp "$demo" "./$name" || exit 1
demo=$PWD/$name

fail() {
	echo "$*"
	cat err out
	exit 1
}

"$HEAPTOP" exec -s 4K "$demo" --seconds=8 >truth 2>exec.err &
pid=$!
sleep 1

"$HEAPTOP" -b -n 2 --interval=200ms -p $pid >out 2>err || fail "status $?"
[ "$(grep -c -w "pid $pid" out)" = 2 ] || fail 'not 2 snapshots'
grep -q 'open_session' out || fail 'no names'
"$HEAPTOP" --collapsed -p $pid >out 2>err || fail "report: status $?"
grep -q 'open_session' out || fail 'report: no names'
"$HEAPTOP" --text -p "$name" >out 2>err || fail "by name: status $?"
# Two at a time.
"$HEAPTOP" -b -n 3 --interval=200ms -p $pid >out 2>err &
other=$!
"$HEAPTOP" -b -n 3 --interval=200ms -p $pid >out.2 2>err.2 ||
    fail "two viewers: status $?"
wait $other || fail 'two viewers: the other one failed'

# Until the process ends.
"$HEAPTOP" -b --interval=500ms -p $pid >out 2>err || fail "end: status $?"
grep -q "process $pid ended" out || fail 'the end is not told'
wait $pid || fail "the program's status"
grep -q 'render_page' truth || fail "the program's output"

# Nothing to watch.
"$HEAPTOP" -b -p $pid >out 2>err
[ $? = 1 ] || fail 'no such process: not 1'
"$HEAPTOP" -b -p $$ >out 2>err
[ $? = 1 ] || fail 'not preloaded: not 1'
grep -q 'heaptop exec' err || fail 'not preloaded: not said what to do'
exit 0
