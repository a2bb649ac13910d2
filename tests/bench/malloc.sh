#!/bin/sh
# The library's malloc, profiling off, against glibc's: malloc.c run in turns.
#
#	LIB=.../libheaptop.so SRC=... [ROUNDS=5] [SCALE=0.02] sh malloc.sh
#
# A claim wants ROUNDS=15 or more, and SCALE=0.05.
set -eu
: "${LIB:?}" "${SRC:?}" "${ROUNDS:=5}" "${SCALE:=0.02}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$SRC/tests/bench
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -fno-builtin -o "$dir/malloc" \
    "$here/malloc.c" -lpthread

one() {
	env "$2" MALLOC_CONF=prof:false "$dir/malloc" -s "$SCALE" |
	    sed "s/^/$1 $3 /"
}

r=0
while [ "$r" -lt "$ROUNDS" ]; do
	r=$((r + 1))
	# Who goes first changes, as a busy machine drifts.
	if [ $((r % 2)) -eq 0 ]; then
		one glibc LD_PRELOAD= "$r"
		one off LD_PRELOAD="$LIB" "$r"
	else
		one off LD_PRELOAD="$LIB" "$r"
		one glibc LD_PRELOAD= "$r"
	fi
done >"$dir/all"
awk -v of=off -v to=glibc -v each=1.15 -v mean=0.80 -v title='malloc alone' \
    -f "$here/ratio.awk" "$dir/all"
