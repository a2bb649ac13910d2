#!/bin/sh
# What it costs to be there: an exec, a fork, a thread's life, and memory at
# the start, with the library and without, in turns.
#
#	LIB=.../libheaptop.so SRC=... [ROUNDS=5] sh start.sh
#
# A claim wants ROUNDS=15 or more.
set -eu
: "${LIB:?}" "${SRC:?}" "${ROUNDS:=5}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$SRC/tests/bench
for p in cost life; do
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -o "$dir/$p" "$here/$p.c" \
	    -lpthread
done
# Any library that is preloaded has to be mapped.
echo 'extern int nothing; int nothing;' >"$dir/empty.c"
"${CC:-cc}" -shared -fPIC -o "$dir/empty.so" "$dir/empty.c"

# one NAME ROUND VARIABLES... : each thing once
one() {
	name=$1 round=$2
	shift 2
	"$dir/cost" -n 100 "$@" true | while read -r cpu kib; do
		echo "$name $round exec $cpu"
		echo "$name $round exec_kib $kib"
	done
	"$dir/cost" "$@" "$dir/life" fork 300 | while read -r cpu _; do
		echo "$name $round fork $cpu"
	done
	"$dir/cost" "$@" "$dir/life" thread 3000 | while read -r cpu _; do
		echo "$name $round thread $cpu"
	done
}

config() {
	case $1 in
	none) one none "$2" -e NONE=1 ;;
	empty) one empty "$2" -e LD_PRELOAD="$dir/empty.so" ;;
	off) one off "$2" -e LD_PRELOAD="$LIB" -e MALLOC_CONF=prof:false ;;
	19) one 19 "$2" -e LD_PRELOAD="$LIB" ;;
	esac
}

r=0
all='none empty off 19'
while [ "$r" -lt "$ROUNDS" ]; do
	r=$((r + 1))
	for c in $all; do
		config "$c" "$r"
	done
	# Who goes first changes, as a busy machine drifts.
	all="${all#* } ${all%% *}"
done >"$dir/all"

for c in empty off 19; do
	awk -v of=$c -v to=none -v each=1.05 -v title='to be there' \
	    -f "$here/ratio.awk" "$dir/all"
done
awk '$3 == "exec_kib" && (!($1 in kib) || $4 < kib[$1]) { kib[$1] = $4 }
	END {
		more = kib[19] - kib["none"]
		over = more > 716 ? "   OVER 716" : ""
		printf "memory at the start: %d KiB more%s\n", more, over
	}' "$dir/all"
