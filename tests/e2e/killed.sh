# heaptop is killed with SIGKILL while its program prints: the program runs
# to its end, its output is whole and its status its own.

fail() {
	echo "$*"
	cat reaped
	exit 1
}

# runs HOW COMMAND...: under a reaper that kills the command after 700 ms
runs() {
	how=$1
	shift
	rm -f out snap
	"$TARGETS/reaper" 700 "$@" >reaped 2>err
	[ "$(tail -n 1 out)" = '100 lines' ] ||
	    fail "$how: output ends with $(tail -n 1 out)"
	[ "$(grep -c '^line ' out)" = 100 ] || fail "$how: lines are missing"
	# what wait(2) says of exit(7)
	grep -q -x "orphan $((7 * 256))" reaped || fail "$how: another status"
}

steady="'$TARGETS/steady' 100 20"
runs '-b' sh -c "exec '$HEAPTOP' -b --interval=50ms -o snap -- $steady >out"
runs 'exact' sh -c \
    "exec '$HEAPTOP' -b --exact --interval=50ms -o snap -- $steady >out"
runs 'report' sh -c "exec '$HEAPTOP' --text -o snap -- $steady >out"
runs 'a pipe' sh -c \
    "exec '$HEAPTOP' -b --interval=50ms -o snap -- sh -c \"$steady | cat; \
     exit 7\" >out"

# Afterwards it can be watched again.
"$TARGETS/reaper" 500 "$HEAPTOP" -b -o snap -- "$TARGETS/steady" 150 20 \
    >reaped 2>err &
reaper=$!
sleep 1
set -- "$XDG_RUNTIME_DIR"/heaptop/*.sock
[ -S "$1" ] || fail 'it does not listen'
pid=${1##*/}
"$HEAPTOP" -b -n 1 -p "${pid%.sock}" >snap 2>err || fail "attach: $(cat err)"
grep -q 'kept_mib' snap || fail 'attach: nothing seen'
wait $reaper
grep -q -x "orphan $((7 * 256))" reaped || fail 'attach: another status'
exit 0
