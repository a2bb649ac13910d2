#!/bin/sh
# Two days of a program at a snapshot a second: memory of decoder, profile and
# history together, and the time that a report takes at any moment.  See
# history.c; minutes of CPU time.
#
#	SRC=... [HOURS=48] sh history.sh
#
# Times are CPU times, yet a busy machine makes them longer.
set -eu
: "${SRC:?}" "${HOURS:=48}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -I"$SRC" -I"$SRC/src" \
    -o "$dir/history" "$SRC/tests/bench/history.c" \
    "$SRC/tests/bench/synth.c" "$SRC"/src/base/*.c \
    "$SRC"/src/model/*.c "$SRC/src/io/dumpread.c" "$SRC/src/io/domain.c" -lm

# one STACKS THREADS PERMILLE
one() {
	echo "history: $1 stacks in $2 threads, $3 of 1000 change a second," \
	    "$HOURS h"
	"$dir/history" -n "$1" -t "$2" -p "$3" -h "$HOURS" | awk '{
		printf "  %-28s %10.2f", $2, $3
		if ($4 > 0)
			printf "  %s %d", ($3 > $4 ? "OVER" : "within"), $4
		printf "\n"
	}'
}

one 10000 1 50
one 100000 1 10
