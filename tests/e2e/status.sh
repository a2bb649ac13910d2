# heaptop's exit status is the program's own: status, signal, 125 to 127.

fail() {
	echo "$*"
	cat err
	exit 1
}

# status WANTED COMMAND...: run it under heaptop, compare the status
status() {
	wanted=$1
	shift
	"$HEAPTOP" -b -- "$@" >out 2>err
	got=$?
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
}

status 0 true
status 1 false
for n in 0 1 2 3 42 124 125 126 127 128 143 255; do
	status $n sh -c "exit $n"
done

# Death by a signal is passed on as such: the shell says so itself.
for sig in TERM:Terminated KILL:Killed SEGV:Segmentation; do
	sh -c '"$0" -b -- sh -c "$1"; exit $?' \
	    "$HEAPTOP" "kill -${sig%:*} \$\$" >out 2>err
	got=$?
	[ $got -gt 128 ] || fail "$sig: status $got"
	grep -q "${sig#*:}" err || fail "$sig: not dead by it"
done

status 127 no-such-program-here
grep -q 'no-such-program-here' err || fail 'no name in the sentence'
[ "$(grep -c ^heaptop: err)" = 1 ] || fail 'not one sentence'
status 127 ./no-such-file
echo text >plain
status 126 ./plain
mkdir directory
status 126 ./directory
printf '#!/no/such/interpreter\n' >script
chmod +x script
"$HEAPTOP" -b -- ./script >out 2>err
got=$?
[ $got = 126 ] || [ $got = 127 ] || fail "no interpreter: status $got"

# A script without #! is run by the shell, as execvp(3) does.
printf 'exit 5\n' >bare
chmod +x bare
status 5 ./bare

# The same for exec.
for n in 0 1 42 255; do
	"$HEAPTOP" exec sh -c "exit $n" 2>err
	got=$?
	[ $got = $n ] || fail "exec: status $got, not $n"
done
"$HEAPTOP" exec no-such-program-here 2>err
[ $? = 127 ] || fail 'exec: not 127'
"$HEAPTOP" exec ./plain 2>err
[ $? = 126 ] || fail 'exec: not 126'

# heaptop's own output fails: 125 only if the program's status was 0.
"$HEAPTOP" -b -o /no/such/directory/file -- true 2>err
[ $? = 125 ] || fail 'no output file: not 125'
if [ -c /dev/full ]; then
	"$HEAPTOP" -b --exact -o /dev/full -- \
	    "$BUILD/assets/demo" --seconds=1 >out 2>err
	got=$?
	[ $got = 125 ] || fail "full disk: status $got"
	[ "$(grep -c 'dev/full' err)" = 1 ] || fail 'not said once'
	"$HEAPTOP" -b --exact -o /dev/full -- sh -c \
	    "'$BUILD/assets/demo' --seconds=1; exit 3" >out 2>err
	got=$?
	[ $got = 3 ] || fail "full disk: status $got, not 3"
fi
exit 0
