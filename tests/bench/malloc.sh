#!/bin/sh
# The library's malloc, profiling off, against glibc's: malloc.c run in turns.
#
#	LIB=.../libheaptop.so SRC=... [ROUNDS=15] [SCALE=0.05] sh malloc.sh
#
# A line a pattern: the median and the lower quartile over the rounds of the
# ratio of CPU (or of peak memory) to glibc's.  Fails if a pattern's lower
# quartile is over 1.15, or the geometric mean of the patterns over 0.80.
set -eu
: "${LIB:?}" "${SRC:?}" "${ROUNDS:=15}" "${SCALE:=0.05}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -fno-builtin -o "$dir/malloc" \
    "$SRC/tests/bench/malloc.c" -lpthread

one() {
	env "$2" MALLOC_CONF=prof:false "$dir/malloc" -s "$SCALE" |
	    sed "s/^/$1 $3 /"
}

r=0
while [ "$r" -lt "$ROUNDS" ]; do
	r=$((r + 1))
	# Who goes first changes, as a busy machine drifts.
	if [ $((r % 2)) -eq 0 ]; then
		one libc LD_PRELOAD= "$r"
		one ours LD_PRELOAD="$LIB" "$r"
	else
		one ours LD_PRELOAD="$LIB" "$r"
		one libc LD_PRELOAD= "$r"
	fi
done >"$dir/all"

awk '
	!($3 in seen) { seen[$3] = 1; name[++names] = $3 }
	{ cost[$1, $2, $3] = $4; if ($2 > rounds) rounds = $2 }
	END {
		for (i = 1; i <= names; i++) {
			n = 0
			for (r = 1; r <= rounds; r++) {
				q = cost["ours", r, name[i]] / \
				    cost["libc", r, name[i]]
				for (k = n++; k > 0 && v[k] > q; k--)
					v[k + 1] = v[k]
				v[k + 1] = q
			}
			mid = v[int((n + 1) / 2)]
			low = v[int((n + 3) / 4)]
			bad = ""
			if (name[i] != "peak_kib") {
				sum += log(mid)
				patterns++
				if (low > 1.15)
					bad = "  over 1.15"
			}
			if (bad != "")
				failed = 1
			printf "%-16s %5.2f %5.2f%s\n", name[i], mid, low, bad
		}
		mean = exp(sum / patterns)
		if (mean > 0.80)
			failed = 1
		printf "geometric mean   %5.2f\n", mean
		exit failed
	}' "$dir/all"
