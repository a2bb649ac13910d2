# A program that looks closely sees the descriptors, signals, limits and
# children that it would see without us; and files written at exit add up.

fail() {
	echo "$*"
	exit 1
}

# same COMMAND...: before it what stands between us and the program
same() {
	"$TARGETS/standing" <in >without 2>without.err 5<in 9<in
	"$@" "$TARGETS/standing" <in >with 2>with.err 5<in 9<in
	[ $? = 0 ] || fail "$*: status"
	diff without with || fail "$*: another standing"
	diff without.err with.err || fail "$*: something was said"
}
echo >in
same env LD_PRELOAD="$LIB"
same env LD_PRELOAD="$LIB" HEAPTOP_CONF=lg_prof_sample:0
same env LD_PRELOAD="$LIB" HEAPTOP_CONF=thread:false,lg_prof_sample:0
same "$HEAPTOP" -b -o snap --
same "$HEAPTOP" -b --exact --interval=50ms -o snap --
same "$HEAPTOP" exec --exact
(
	trap '' USR1 PIPE
	# shellcheck disable=SC3045 # every shell of Linux has it
	ulimit -n 64
	same "$HEAPTOP" -b --exact -o snap --
) || exit 1

# The dump at exit, as heaptop and jeprof read it.
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:x LD_PRELOAD=$LIB \
    "$TARGETS/steady" 5 1 >out 2>err || [ $? = 7 ] || fail 'status'
[ ! -s err ] || fail "said: $(cat err)"
set -- x.*
[ $# = 1 ] || fail "files: $*"
case $1 in
x.*.0.f.heap) ;;
*) fail "name: $1" ;;
esac
"$HEAPTOP" --text --show_bytes "$TARGETS/steady" "$1" >ours 2>said ||
    fail "not read: $(cat said)"
head -n 1 ours
# 2 MiB and the 4 KiB of stdio's buffer
grep -q '2097152 .* kept_mib' ours || fail 'kept_mib is not there'
if command -v jeprof >/dev/null; then
	jeprof --text --show_bytes "$TARGETS/steady" "$1" >theirs 2>jeprof.err
	a=$(sed -n 's/^Total: \([0-9]*\).*/\1/p' ours)
	b=$(sed -n 's/^Total: \([0-9]*\).*/\1/p' theirs)
	[ "$a" ] && [ "$a" = "$b" ] || fail "totals: ours $a, jeprof's $b"
	a=$(awk '/kept_mib/ { print $1; exit }' ours)
	b=$(awk '/kept_mib/ { print $1; exit }' theirs)
	[ "$a" = "$b" ] || fail "kept_mib: ours $a, jeprof's $b"
fi

# Sampled: both make the same of the rows, but for what jeprof cuts off each.
MALLOC_CONF=prof:true,lg_prof_sample:12,prof_prefix:y LD_PRELOAD=$LIB \
    "$TARGETS/standing" >out 2>err || fail 'status'
for f in y.*.f.heap; do
	"$HEAPTOP" --text --show_bytes "$TARGETS/standing" "$f" >ours \
	    2>said || fail "$f: not read: $(cat said)"
	command -v jeprof >/dev/null || continue
	jeprof --text --show_bytes "$TARGETS/standing" "$f" >theirs 2>jeprof.err
	a=$(sed -n 's/^Total: \([0-9]*\).*/\1/p' ours)
	b=$(sed -n 's/^Total: \([0-9]*\).*/\1/p' theirs)
	rows=$(grep -c '^@' "$f")
	[ $((${a:-0} - ${b:-0})) -ge 0 ] &&
	    [ $((${a:-0} - ${b:-0})) -le "$rows" ] ||
	    fail "$f: ours $a, jeprof's $b"
done
exit 0
