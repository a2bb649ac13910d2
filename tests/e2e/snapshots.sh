# Snapshots while a program runs, and what happens when heaptop goes first.

demo=$BUILD/assets/demo
[ -x "$demo" ] || "$MAKE" -C "$BUILD" assets/demo >/dev/null || exit 1

fail() {
	echo "$*"
	cat err out
	exit 1
}

blocks() {
	grep -c "pid $1" err
}

# COUNT of them, and the program runs to its end.
"$HEAPTOP" -b -n 2 --interval=300ms -- "$demo" --seconds=2 >out 2>err ||
    fail "status $?"
[ "$(grep -c -w 'pid' err)" = 2 ] || fail 'not 2 snapshots'
grep -q 'render_page' out || fail 'the program did not end'
grep -q 'open_session' err || fail 'no names'

# One more at the end, of a program shorter than the interval.
"$HEAPTOP" -b --exact --interval=1h -- "$demo" --seconds=1 >out 2>err ||
    fail "status $?"
[ "$(grep -c -w 'pid' err)" = 1 ] || fail 'not 1 snapshot'
grep -q 'exited 0' err || fail 'how it ended is missing'

# A crash: the last profile is there, and the status is the signal's.
"$HEAPTOP" -b --exact --interval=1h -- sh -c \
    "exec timeout -s KILL 1 '$demo'" >out 2>err
grep -q 'load_index' err || fail 'killed: no profile'

# heaptop is killed: the program does not notice.
"$HEAPTOP" -b --interval=200ms -- "$demo" --seconds=3 >out 2>err &
pid=$!
sleep 1
kill -KILL $pid
wait $pid 2>/dev/null
sleep 3
grep -q 'render_page' out || fail 'killed heaptop: the program died with it'

# heaptop is told to go: it says that the program runs on, which it does.
"$HEAPTOP" -b --interval=1h -- "$demo" --seconds=3 >out 2>err &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail 'SIGTERM: not dead of it'
grep -q 'goes on running' err || fail 'SIGTERM: nothing said'
grep -q 'load_index' err || fail 'SIGTERM: no last snapshot'
sleep 3
grep -q 'render_page' out || fail 'SIGTERM: the program died too'

# ^C goes to both: the program decides.
setsid -w "$HEAPTOP" -b -- sh -c \
    'trap "exit 7" INT; kill -INT 0; sleep 2' >out 2>err
[ $? = 7 ] || fail "SIGINT: the program's status is lost"

# heaptop's reader goes away: the program does not notice.
{ "$HEAPTOP" -b --interval=100ms -- "$demo" --seconds=1 2>&1 >out; } | true
sleep 2
grep -q 'render_page' out || fail 'broken pipe: the program died of it'

# More processes than are kept end between two snapshots: none is forgotten
# without a word.  Every tenth of 3,500 children has something to show.
"$HEAPTOP" -b --exact --interval=1h -o many -- "$TARGETS/forks" 3500 >out ||
    fail "status $?"
shown=$(grep -c '^pid ' many)
rest=$(sed -n 's/^\([0-9]*\) more processes ended in between$/\1/p' many)
[ "$((shown + rest))" -ge 351 ] && [ "$rest" -gt 0 ] ||
    fail "$shown blocks and $rest more"
exit 0
