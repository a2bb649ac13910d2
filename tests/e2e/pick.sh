# `-p' alone: a list on the terminal, and a question.

command -v script >/dev/null || { echo 'no script(1)' && exit 77; }
for rights in '' -Ur none; do
	[ "$rights" = none ] && { echo 'no namespaces here' && exit 77; }
	unshare $rights -pf --mount-proc true 2>/dev/null && break
done
XDG_RUNTIME_DIR=$PWD/r
TERM=xterm-256color
export XDG_RUNTIME_DIR TERM
mkdir -m 700 r

# Without a terminal it is bad usage.
setsid -w "$HEAPTOP" -p >out 2>err </dev/null
[ $? = 2 ] && grep -q '^heaptop: -p wants a value' err || { cat err && exit 1; }

cat >inner <<'END'
fail() {
	echo "$*"
	cat log
	exit 1
}
# on_tty ANSWERS: heaptop -p at a terminal that types them; $got
on_tty() {
	(sleep 0.5; printf "$1"; sleep 2) | timeout -k 1 10 \
	    script -qec "timeout --foreground 6 $HEAPTOP -p; echo status \$?" log \
	    >/dev/null 2>&1
	got=$(sed -n 's/.*status \([0-9]*\).*/\1/p' log | tail -n 1)
}
on_tty ''
[ "$got" = 1 ] && grep -q 'heaptop exec' log || fail 'none: not said'
start() {
	LD_PRELOAD=$LIB "$1" 2000 >/dev/null 2>&1 &
	for _ in $(seq 100); do
		[ -S "$XDG_RUNTIME_DIR/heaptop/$!.sock" ] && return
		sleep 0.05
	done
}
cp "$TARGETS/steady" pick_one
cp "$TARGETS/steady" pick_two
start ./pick_one
one=$!
on_tty ''
grep -q "process $one (./pick_one 2000), the only one" log ||
    fail 'the only one is not taken'
start ./pick_two
two=$!
on_tty 'q\n'
[ "$got" = 1 ] || fail "q: status $got"
grep -q 'Which? \[1-2, q\]' log || fail 'not asked'
grep -q "^1  *$one " log && grep -q "^2  *$two " log || fail 'no list'
on_tty '\004'
[ "$got" = 1 ] || fail "end of input: status $got"
on_tty '3\nnobody\nq\n'
[ "$(grep -c 'A number from 1 to 2' log)" = 2 ] || fail 'not asked again'
for answer in 2 $two pick_two ' 2 '; do
	on_tty "$answer\n"
	grep -q 'A number from' log && fail "$answer was not understood"
	sed '1,/Which/d' log | grep -q -a pick_two ||
	    fail "$answer: not the second one"
done
kill $one $two
END
export HEAPTOP LIB TARGETS
exec unshare $rights -pf --mount-proc sh inner
