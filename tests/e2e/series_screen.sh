# A series on the screen: its ends are there first, the rest is read while keys
# are answered, and View 5 lists it.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# jemalloc's, one of them packed.
for f in mt.6930.0.i0 mt.6930.1.i1 mt.6930.2.f; do
	cp "$SRC/tests/data/$f.heap" .
done
touch -d '2026-01-01 12:00:00' mt.6930.0.i0.heap
touch -d '2026-01-01 12:00:10' mt.6930.1.i1.heap
touch -d '2026-01-01 12:00:30' mt.6930.2.f.heap
gzip mt.6930.1.i1.heap

screen 100x30 "$HEAPTOP" mt.6930.2.f.heap mt.6930.0.i0.heap \
    mt.6930.1.i1.heap.gz
shows '▸ mt\.6930\.2\.f\.heap  at 0:30$'
shows '^ A 0:00 ━+ B 0:30$'
press 5 '\[5 Snapshots\] .* 3 snapshots in .*B$'
shows '^▌B +0:30 .*  largest drop  .*6930\.2\.f\.heap$'
shows '^ +0:10 .*  mt\.6930\.1\.i1\.heap\.gz$'
shows '^ A +0:00 .*  first  mt\.6930\.0\.i0\.heap$'
shows '^─ A 0:00 → B 0:30  30s ─'
keys j
press Enter '▸ mt\.6930\.1\.i1\.heap\.gz  at 0:10$'
shows '^▌◆ +0:10 '
shows '^─ A 0:00 → ◆ 0:10  10s ─'
shows '^ A 0:00 ━+ ◆ 0:10 ─+ B 0:30$'
press 1 '^\[1 Top\]'
shows '▸ mt\.6930\.1\.i1\.heap\.gz  at 0:10$'
press Escape '▸ mt\.6930\.2\.f\.heap  at 0:30$'
# marks at the selected row; the two change places; stepping
press 5 '\[5 Snapshots\]'
keys j
press a '^▌A +0:10 '
press x '^─ A 0:30 → B 0:10  20s ─'
press x '^─ A 0:10 → B 0:30  20s ─'
press '[' '^─ A 0:10 → ◆ 0:10  '
press '{' '^▌◆ +0:00 '
press ']' '▸ mt\.6930\.1\.i1\.heap\.gz  at 0:10$'
# over the timeline, from the beginning to 0:10
press F '▸ mt\.6930\.2\.f\.heap'
type "$(printf '\033[<0;2;3M\033[<32;40;3M\033[<0;40;3m')"
shows '^─ A 0:00 → B 0:10  10s ─'
keys q
left 'exit 0'
restored

# A thousand, as in series_many; two are broken.  They were all made just now,
# so they are counted.
awk 'BEGIN {
	for (k = 0; k < 1000; k++) {
		f = "m.7." k ".i" k ".heap"
		print "heap_v2/1\n  t*: 0: 0 [0: 0]" >f
		stack(f, 4194560, k + 1)
		stack(f, 4194816, 512)
		stack(f, k < 500 ? 4195072 : 4195328, k < 500 ? 256 : 128)
		printf "\nMAPPED_LIBRARIES:\n" >f
		print "400000-401000 r-xp 0 08:01 1 /nonexistent/fruit" >f
		close(f)
	}
}
function stack(f, at, kib) {
	printf "@ 0x%x 0x400501\n", at >f
	printf "  t*: 1: %d [0: 0]\n  t0: 1: %d [0: 0]\n", kib * 1024,
	    kib * 1024 >f
}'
echo 'heap_v2/x' >m.7.321.i321.heap
echo 'nothing' >m.7.322.i322.heap
touch -d '2026-01-01 12:00:00' m.7.*.heap

# 769 KiB in the first, 1640 in the last, 1268 in 499, 1141 in 500, which is
# the 499th that can be read.
screen 100x30 sh -c 'exec "$0" m.7.*.heap' "$HEAPTOP"
shows '^ 2 of 1000 dumps could not be read$'
shows '^ A 1 ━+ B 998$'
shows '▸ m\.7\.999\.i999\.heap  998 of 998$'
press 5 '\[5 Snapshots\] .* 998 snapshots in .*B$'
shows '^▌B +998 +1\.6 MiB .*  peak  m\.7\.999\.i999\.heap$'
shows '^ +499 +1\.1 MiB +-127\.0 KiB .*  largest drop  .*00\.i500\.heap$'
shows '^ A +1 +769\.0 KiB .*  first  m\.7\.0\.i0\.heap$'
keys End k k
press Enter '▸ m\.7\.500\.i500\.heap  499 of 998$'
press 1 '^\[1 Top\]'
shows '^ live 1\.1 MiB '
press '[' '▸ m\.7\.499\.i499\.heap  498 of 998$'
press Escape '▸ m\.7\.999\.i999\.heap  998 of 998$'
# what lies between unfolds
press 5 '\[5 Snapshots\]'
keys End k
shows '^▌ +⋮ .* 497 more, ↵ shows them$'
press Enter '^▌ +498 '
press Left '^▌ +⋮ .* 497 more'
keys q
left 'exit 1'
restored
prints '^heaptop: m\.7\.321\.i321\.heap'
prints '^heaptop: m\.7\.322\.i322\.heap'

# One need not wait for the rest.
rm m.7.321.i321.heap m.7.322.i322.heap
screen 80x24 sh -c 'exec "$0" m.7.*.heap' "$HEAPTOP"
shows 'live 1\.6 MiB'
keys q
left 'exit 0'
restored
