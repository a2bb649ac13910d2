#!/bin/sh
# What the view Growth costs with very many stacks, see growth.c.
#
#	SRC=... sh growth.sh
#
# Times are CPU times, yet a busy machine makes them longer.
set -eu
: "${SRC:?}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ui=
for f in "$SRC"/ui/*.c; do
	[ "${f##*/}" = term.c ] || ui="$ui $f"
done
# shellcheck disable=SC2086
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -I"$SRC" -I"$SRC/src" \
    -o "$dir/growth" "$SRC/tests/bench/growth.c" "$SRC"/src/base/*.c \
    "$SRC"/src/model/*.c $ui -lm

# one STACKS PERMILLE OPTION
one() {
	echo "growth: $1 stacks, $2 of 1000 change a second $3"
	# shellcheck disable=SC2086
	"$dir/growth" -n "$1" -p "$2" $3 | awk '{
		printf "  %-28s %10.2f", $1, $2
		if ($3 > 0)
			printf "  %s %d", ($2 > $3 ? "OVER" : "within"), $3
		printf "\n"
	}'
}

one 100000 10 ''
one 100000 10 -f
one 10000 50 ''
