# A thousand dumps of one process: what they have in common is read once, and
# each moment has its own figures.
LC_ALL=C
export LC_ALL

fail() {
	echo "$*"
	exit 1
}

# m.7.K.iK.heap for K below 1000: grows has K + 1 KiB, stays 512 KiB, goes
# 256 KiB in the first 500, comes 128 KiB from then on; from 900 on the
# program's library is mapped elsewhere.
awk 'BEGIN {
	for (k = 0; k < 1000; k++) {
		base = k < 900 ? 4194304 : 8388608
		f = "m.7." k ".i" k ".heap"
		print "heap_v2/1\n  t*: 0: 0 [0: 0]" >f
		stack(f, base + 256, base, k + 1)
		stack(f, base + 512, base, 512)
		if (k < 500)
			stack(f, base + 768, base, 256)
		else
			stack(f, base + 1024, base, 128)
		printf "\nMAPPED_LIBRARIES:\n" >f
		printf "%x-%x r-xp 0 08:01 1 /nonexistent/fruit\n", base,
		    base + 4096 >f
		printf "%x-%x rw-p 0 00:00 0 [heap]\n", 16777216,
		    16777216 + k * 4096 + 4096 >f
		close(f)
	}
}
function stack(f, at, base, kib) {
	printf "@ 0x%x 0x%x\n", at, base + 1281 >f
	printf "  t*: 1: %d [0: 0]\n  t0: 1: %d [0: 0]\n", kib * 1024,
	    kib * 1024 >f
}'
i=0
for k in 0 250 499 500 899 900 999; do
	touch -d "2026-01-01 12:0$i:00" m.7.$k.i$k.heap
	cp -p m.7.$k.i$k.heap few.7.$k.i$k.heap
	i=$((i + 1))
done

# row OFFSET: its row of the table
row() {
	grep -F "fruit+0x$1" growth || fail "no row of 0x$1"
}

"$HEAPTOP" --growth --show_bytes m.7.*.heap >growth 2>said ||
    fail "status $?: $(cat said)"
cat growth
row 100 | grep -q ' 1024 .* 1024000 .* 31 of 31 ' ||
    fail 'grows: 1 KiB to 1000 KiB'
grep -q ' 1000 snapshots (32 of them looked at)' growth ||
    fail 'how many were looked at'
row 400 | grep -q ' 0 .* 131072 ' || fail 'comes: 0 to 128 KiB'

# the last of them, and the seven alone
"$HEAPTOP" --text --show_bytes m.7.*.heap >text 2>said
grep -q '^Total: 1679360 B$' text || fail "the last one: $(head -1 text)"
"$HEAPTOP" --growth --show_bytes few.7.*.heap >growth 2>said ||
    fail "few: status $?"
row 100 | grep -q ' 1024 .* 1024000 ' || fail 'few: 1 KiB to 1000 KiB'

# One that is cut in between is said, and the others are what they were.
head -c 150 m.7.300.i300.heap >cut.heap && mv cut.heap m.7.300.i300.heap
"$HEAPTOP" --growth --show_bytes m.7.*.heap >growth 2>said
[ $? -eq 1 ] || fail 'a cut dump: status'
grep -q 'm\.7\.300\.i300\.heap' said || fail "a cut dump: $(cat said)"
row 100 | grep -q ' 1024 .* 1024000 ' || fail 'a cut dump: 1 KiB to 1000 KiB'
