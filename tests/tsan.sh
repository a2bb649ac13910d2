# The table and its encoder under ThreadSanitizer: many threads count, end
# and begin while others read; no race, and exact sums.

P=$SRC/prof
flags='-std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=thread -pthread'

echo 'int main(void) { return 0; }' >empty.c
# shellcheck disable=SC2086
if ! $CC $flags -o empty empty.c 2>cc.err || ! ./empty 2>/dev/null; then
	echo "$CC has no ThreadSanitizer here"
	exit 77
fi

# gcc says of each fence that TSan does not see it; what the encoder reads
# between two of them are atomics.
# shellcheck disable=SC2086
$CC $flags -Wno-tsan -I"$SRC" -o table "$SRC/tests/tsan/table.c" "$P/cells.c" \
    "$P/encode.c" "$P/tableread.c" "$P/index.c" "$P/lock.c" "$P/maths.c" \
    "$P/mirror.c" "$P/names.c" \
    "$P/os.c" "$P/say.c" "$P/stacktab.c" "$P/tablewrite.c" "$P/weigh.c" \
    -lm || exit 1
for round in 1 2 3; do
	TSAN_OPTIONS='halt_on_error=0 exitcode=66 history_size=4' \
	    ./table >out 2>err || {
		echo "round $round: status $?"
		cat out
		grep -c 'WARNING: ThreadSanitizer' err
		head -n 150 err
		exit 1
	}
done
exit 0
