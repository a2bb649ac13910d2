# A dump of very many places without a name: every one of them has its row in
# --text and --csv, which are made and written piece by piece.

STACKS=20000
DEPTH=30
PLACES=$((STACKS * DEPTH + 1))

fail() {
	echo "$*"
	cat err
	exit 1
}

# No two frames are at one address, but for the root.
awk -v n=$STACKS -v depth=$DEPTH 'BEGIN {
	printf "heap_v2/1\n  t*: %d: %d [0: 0]\n", n, n * 1000
	for (i = 0; i < n; i++) {
		printf "@"
		for (k = 0; k < depth; k++)
			printf " 0x%x", 4259840 + (i * depth + k) * 16
		printf " 0x401000\n  t*: 1: 1000 [0: 0]\n"
	}
	print "\nMAPPED_LIBRARIES:"
	print "00400000-7fffffff r-xp 00000000 08:01 1 /nonexistent/prog"
}' >big.heap

# made OPTION...: within bounded memory and time; what a row and all there is
# to it took, were it kept, would not fit
# shellcheck disable=SC3045 # every sh of Linux has it
made() {
	(ulimit -v 200000 && exec timeout 60 "$HEAPTOP" "$@" big.heap) \
	    >out 2>err </dev/null || fail "$*: status $?"
}

made --text --show_bytes
[ "$(head -n 1 out)" = "Total: $((STACKS * 1000)) B" ] ||
    fail "the total is $(head -n 1 out)"
rows=$(grep -c ' prog+0x[0-9a-f]*$' out)
[ "$rows" = $PLACES ] || fail "$rows rows of text"
# a caller is told by the byte before the address that it returns to
grep -q "^ *0 *0.0% *100.0% *$((STACKS * 1000)) *100.0% prog+0xfff$" out ||
    fail "no row of the root"
[ "$(grep -c '^ *1000 .* 1000 ' out)" = $STACKS ] ||
    fail "no row for each that allocates"
[ "$(sed 's/.* //' out | sort | uniq -d | wc -l)" = 0 ] ||
    fail "a row comes twice"

made --csv
rows=$(grep -c '^prog+0x' out)
[ "$rows" = $PLACES ] || fail "$rows rows of CSV"

# the order is that of names where figures are the same, whatever the piece
made --text --cum --show_bytes
LC_ALL=C
export LC_ALL
sed '1,2d; s/.* //' out >names
sort -c names 2>/dev/null || sort names | cmp -s - names ||
    fail "rows of the same figures are not in the order of names"
