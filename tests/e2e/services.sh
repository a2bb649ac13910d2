# A plain start under the library, with the lines that README has for it.

XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
trap 'kill "$(cat pid)" 2>/dev/null' EXIT

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

# A name that no other process has, for README's `server'.
name=server$$
cp "$TARGETS/steady" $name
lib=/usr/local/lib/libheaptop.so
grep -q -x "LD_PRELOAD=$lib ./server &" "$SRC/README.md" || fail 'no start'
grep -q -x "Environment=LD_PRELOAD=$lib" "$SRC/README.md" || fail 'no drop-in'
grep -q -x "ENV LD_PRELOAD=$lib" "$SRC/README.md" || fail 'no image'

# The block that begins with the start, its program and paths being ours.
awk -v start="LD_PRELOAD=$lib ./server &" '
    $0 == start { on = 1 } /^```/ { on = 0 } on' "$SRC/README.md" |
    sed -e "s|$lib|$LIB|; s|server|$name|; s|^heaptop|\"\$HEAPTOP\"|" \
	-e "s|^\(LD_PRELOAD=.*\) &|\1 1000 10 >/dev/null \&\necho \$! >pid; sleep 1|" >lines
[ "$(grep -c . lines)" = 5 ] || fail "lines: $(cat lines)"
sh -e lines >out 2>err || fail "status $?"
grep -q "  ./$name 1000 10$" out || fail 'ps does not list it'
grep -q kept_mib out || fail 'no report'
head -n 1 now.heap | grep -q -x heap_v2/524288 || fail 'no dump'
[ ! -s err ] || grep -q 'cannot be looked into' err || fail 'something was said'

# One that was not started so is told how.
"$TARGETS/steady" 200 10 >/dev/null &
pid=$!
until tr '\0' ' ' </proc/$pid/cmdline | grep -q 'steady 200 10'; do :; done
for how in --top '-b -n1'; do
	"$HEAPTOP" $how -p $pid >out 2>err
	[ $? = 1 ] || fail 'not preloaded: not 1'
	grep -q "^heaptop: process $pid (.*steady 200 10) does not run under" err &&
	    grep -q 'heaptop exec' err || fail 'not preloaded: what to do'
done
wait $pid
[ $? = 7 ] || fail 'its status'
exit 0
