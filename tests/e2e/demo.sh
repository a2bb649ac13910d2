# The demo knows its heap: what heaptop reports must be that.

demo=$BUILD/assets/demo
[ -x "$demo" ] || "$MAKE" -C "$BUILD" assets/demo >/dev/null || exit 1

fail() {
	echo "$*"
	cat truth err
	exit 1
}

# of FUNCTION: live bytes by a collapsed report, in which it is the leaf
of() {
	awk -v f="$1" '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, s, ";") }
	    s[k] == f { sum += n } END { print sum + 0 }' report
}

# true_of FUNCTION: live bytes as the demo has it
true_of() {
	awk -v f="$1" '$4 == f { sum += $1 } END { print sum + 0 }' truth
}

# Exact: equal to the byte.
"$HEAPTOP" --exact --collapsed -o report -- "$demo" --seconds=2 >truth 2>err ||
    fail "status $?"
for f in load_index cache_page open_session parse_header render_page; do
	a=$(of $f) b=$(true_of $f)
	[ "$a" = "$b" ] || fail "$f: reported $a, true $b"
done

# Sampled: the estimates of one sample in 64 KiB.  A stack of N live bytes in
# small blocks has a standard deviation of about sqrt(N * 64 KiB); five of
# them are allowed.  The one huge block is always seen.
"$HEAPTOP" --collapsed -o report -- "$demo" --seconds=3 >truth 2>err ||
    fail "status $?"
for f in load_index cache_page open_session; do
	a=$(of $f) b=$(true_of $f)
	awk -v a="$a" -v b="$b" 'BEGIN {
	    d = a - b; exit !(d * d <= 25 * b * 65536) }' ||
	    fail "$f: estimated $a, true $b"
done
a=$(of load_index) b=$(true_of load_index)
awk -v a="$a" -v b="$b" 'BEGIN { d = a / b; exit !(d > .99 && d < 1.01) }' ||
    fail "the huge block: $a, true $b"

# Several processes: the report is about the launched one, and says so.
"$HEAPTOP" --exact --collapsed -o report -- sh -c \
    "'$demo' --seconds=1 & '$demo' --seconds=1 --seed=2; wait" >truth 2>err ||
    fail "status $?"
grep -q -e --sum err || fail 'other processes are not named'
"$HEAPTOP" --exact --collapsed --sum -o report -- sh -c \
    "'$demo' --seconds=1 & '$demo' --seconds=1 --seed=2; wait" >truth 2>err ||
    fail "status $?"
for f in load_index open_session parse_header; do
	a=$(of $f) b=$(true_of $f)
	[ "$a" = "$b" ] || fail "sum of $f: reported $a, true $b"
done

# An exec chain is one run: the last image is what is reported.
"$HEAPTOP" --exact --collapsed -o report -- sh -c \
    "exec env '$demo' --seconds=1" >truth 2>err || fail "status $?"
[ "$(of open_session)" = "$(true_of open_session)" ] || fail 'exec chain'
exit 0
