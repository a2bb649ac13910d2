# A program's input, output, environment and standing are the same with
# heaptop as without.

# same NAME COMMAND...: equal stdout, stderr and status
same() {
	name=$1
	shift
	printf 'line 1\n\000\377 line 2' >in
	"$@" <in >out.without 2>err.without
	a=$?
	"$HEAPTOP" -b -o snapshots -- "$@" <in >out.with 2>err.all
	b=$?
	grep -v '^heaptop: ' err.all >err.with # its own words
	if [ $a != $b ] || ! cmp out.without out.with ||
	    ! cmp err.without err.with; then
		echo "$name: status $a and $b"
		head -c 2000 err.with
		exit 1
	fi
}

same cat cat
same stderr sh -c 'echo out; echo err >&2; exit 3'
same partial printf 'no newline at the end'
same binary head -c 300000 "$HEAPTOP"
same closed sh -c 'exec 0<&- 1>&- 2>&-; true'
same descriptors sh -c 'ls /proc/$$/fd'
same session sh -c 'ps -o sid=,pgid= -p $$ 2>/dev/null || echo'
same signals grep -E '^Sig(Ign|Blk)' /proc/self/status
same umask sh -c 'umask; ulimit -c; pwd'
same sort sh -c 'seq 20000 | sort -r | tail -n 3'
(
	trap '' HUP USR1
	same ignored grep -E '^SigIgn' /proc/self/status
) || exit 1

# Nothing but our four variables differs in the environment.
env | grep -v -e '^LD_PRELOAD=' -e '^HEAPTOP_' -e '^_=' | sort >env.without
"$HEAPTOP" -b -o snapshots -- env |
    grep -v -e '^LD_PRELOAD=' -e '^HEAPTOP_' -e '^_=' | sort >env.with
cmp env.without env.with || exit 1

# Standard descriptors that heaptop was started without stay closed.
"$HEAPTOP" -b -o snapshots -- sh -c 'ls /proc/$$/fd >list' <&- >&- 2>&-
grep -q -x -e 0 list && { echo 'there is a stdin' && exit 1; }
grep -q -x -e 2 list && { echo 'there is a stderr' && exit 1; }

# A snapshot goes to stderr and not among the program's output.
"$HEAPTOP" -b --exact -- "$BUILD/assets/demo" --seconds=1 >out 2>err || exit 1
"$BUILD/assets/demo" --seconds=1 | sed 's/[0-9]/#/g; s/  */ /g' >plain
sed 's/[0-9]/#/g; s/  */ /g' out >with
cmp plain with || exit 1
grep -q 'open_session' err || { cat err && exit 1; }
exit 0
