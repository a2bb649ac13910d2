# Bad usage is status 2 with one sentence, and nothing is started.

# bad PATTERN ARGUMENT...: refused, and the sentence has PATTERN
bad() {
	pattern=$1
	shift
	rm -f started
	"$HEAPTOP" "$@" >out 2>err
	got=$?
	if [ $got != 2 ] || [ -e started ] || [ -s out ] ||
	    [ "$(wc -l <err)" != 1 ] || ! grep -q -e "$pattern" err; then
		echo "heaptop $*: status $got"
		ls started 2>/dev/null
		cat out err
		exit 1
	fi
}

start='touch started'
bad 'a program, a dump or -p'
bad '--nothing' --nothing -- sh -c "$start"
bad '-n takes' -n 0 -b -- sh -c "$start"
bad '-n takes' -n x -b -- sh -c "$start"
bad '--interval takes' --interval=soon -- sh -c "$start"
bad '-s takes' -s big -- sh -c "$start"
bad '--max-depth takes' --max-depth=0 -- sh -c "$start"
bad '--conf takes' --conf=x -- sh -c "$start"
bad '--text takes no value' --text=3 -- sh -c "$start"
bad 'two reports' --text --tree -- sh -c "$start"
bad 'one report' -b --text -- sh -c "$start"
bad 'put -- before it' --text sh -c "$start"
bad "no file '\*.heap'" sh -c "$start" '*.heap'
bad 'no file' sh -c "$start" lost.heap.1
bad 'exec wants a program' exec
bad 'leave -b away' exec -b sh -c "$start"
bad 'has no place' -p 1 sh -c "$start"
bad 'live screen' ps

"$HEAPTOP" --version >out 2>err || exit 1
grep -q '^heaptop [0-9]' out || exit 1
"$HEAPTOP" --help >out 2>err || exit 1
grep -q '^Usage: heaptop' out || exit 1
[ ! -s err ] || exit 1
# Every option that help names is one.
for option in $(grep -o -e '--[a-z][a-z_-]*' out | sort -u); do
	"$HEAPTOP" "$option" >out 2>err
	if grep -q 'no option' err; then
		cat err
		exit 1
	fi
done
# Output that cannot be written is told.
"$HEAPTOP" --version >&- 2>err
[ $? = 1 ] || { echo 'closed stdout: not 1' && exit 1; }
grep -q 'cannot write stdout' err || exit 1
exit 0
