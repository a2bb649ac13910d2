#!/bin/sh
# What a frame of each view costs with 10,000 and 100,000 stacks, see
# redraw.c.
#
#	SRC=... sh redraw.sh
#
# Times are CPU times, yet a busy machine makes them longer.
set -eu
: "${SRC:?}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ui=$(find "$SRC/ui" -name '*.c' ! -name term.c)
# shellcheck disable=SC2086 # names of files
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -I"$SRC" -I"$SRC/src" \
    -o "$dir/redraw" "$SRC/tests/bench/redraw.c" "$SRC/tests/bench/synth.c" \
    "$SRC"/src/base/*.c "$SRC"/src/model/*.c "$SRC/src/io/dumpread.c" \
    "$SRC/src/io/domain.c" $ui -lm

for stacks in 10000 100000; do
	echo "redraw: $stacks stacks, 200x60, lower quartile, median, worst"
	"$dir/redraw" -n $stacks | awk '{
		printf "  %-24s %8.2f %8.2f %8.2f  %s %d\n", $1, $2, $3, $4,
		    ($2 > $5 ? "OVER" : "within"), $5
	}'
done
