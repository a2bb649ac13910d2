# Saved dumps on a screen: a series in the order of time, marks on the first
# and the last, each moment with its own figures.
. "$SRC/tests/tmux.sh"

# dump FILE BASE APPLE PEAR: bytes in MiB, exact, of a file loaded at BASE
# that is not there; apple at 0x100, pear at 0x200
dump() {
	base=$((0x$2))
	sum=$((($3 + $4) * 1048576))
	cat >"$1" <<END
heap_v2/1
  t*: 2: $sum [0: 0]
$(printf '@ 0x%x 0x%x' $((base + 0x100)) $((base + 0x501)))
  t*: 1: $(($3 * 1048576)) [0: 0]
  t0: 1: $(($3 * 1048576)) [0: 0]
END
	[ "$4" = 0 ] || cat >>"$1" <<END
$(printf '@ 0x%x 0x%x' $((base + 0x200)) $((base + 0x501)))
  t*: 1: $(($4 * 1048576)) [0: 0]
  t0: 1: $(($4 * 1048576)) [0: 0]
END
	printf '\nMAPPED_LIBRARIES:\n%x-%x r-xp 00000000 08:01 1 %s\n' \
	    "$base" $((base + 0x1000)) /nonexistent/fruit >>"$1"
	touch -d "2026-01-01 12:00:${5:-00}" "$1"
}

dump f.7.2.i2.heap 400000 10 5 10
dump f.7.9.i9.heap 7f5500000 12 0 20
dump f.7.10.f.heap 5600000 17 3 40

screen 80x24 "$HEAPTOP" f.7.*.heap
shows '▸ f\.7\.10\.f\.heap'
shows '17\.0 MiB .*\+7\.0 MiB .*fruit\+0x100'
shows '3\.0 MiB .*[-−]2\.0 MiB .*fruit\+0x200'
press [ "▸ f\.7\.9\.i9\.heap  at 0:10"
shows '12\.0 MiB .*fruit\+0x100'
press [ "▸ f\.7\.2\.i2\.heap  at 0:00"
shows '5\.0 MiB .*fruit\+0x200'
press ] "▸ f\.7\.9\.i9\.heap  at 0:10"
keys q
left 'exit 0'

# PROGRAM before them, and one that cannot be read: said, and status 1.
printf 'heap_v2/x\n' >f.7.11.f.heap
cp "$HEAPTOP" fruit
screen 80x24 "$HEAPTOP" ./fruit f.7.*.heap
shows '17\.0 MiB .*\+7\.0 MiB .*fruit\+0x100'
shows '^ f\.7\.11\.f\.heap, line 1: '
keys q
left 'exit 1'

# Of two processes the one with more, which is said.
cp f.7.2.i2.heap f.8.0.f.heap
screen 80x24 "$HEAPTOP" f.7.2.i2.heap f.8.0.f.heap f.7.10.f.heap
shows '17\.0 MiB .*\+7\.0 MiB'
shows 'the 2 of process 7 are shown'
keys q
left 'exit 0'

# None of them: a sentence, no screen.
screen 80x24 "'$HEAPTOP' f.7.11.f.heap 2>err; echo status \$?; read wait"
shows '^status 1$'
grep -q 'f\.7\.11\.f\.heap' err || fail "not said: $(cat err)"

# A report takes the last of them, by number, however they are given.
"$HEAPTOP" --text f.7.10.f.heap f.7.9.i9.heap f.7.2.i2.heap >out 2>err ||
    fail 'a report of a series'
grep -q '^Total: 20.0 MB' out || fail "not the last: $(cat out)"
