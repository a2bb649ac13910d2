# Saved dumps on the screen: the last one is shown, and what has changed since
# the first; one steps through those between.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

HEAPTOP_SOURCE_PATH=$SRC
export HEAPTOP_SOURCE_PATH

"$HEAPTOP" exec --exact "$obeys" "$orders" >log 2>&1 &
program=$!

# dump NAME: of the heap as it is now
dump() {
	told
	"$HEAPTOP" ctl $program "prof.dump=$PWD/$1" >/dev/null ||
	    fail "no dump $1"
}

tell apple 3072
until_true any_watched || fail 'nothing is watched'
dump one.heap
tell pear 2048
dump two.heap
tell drop apple
tell plums 1024
dump three.heap
tell exit 0
wait $program || fail 'the program has failed'

# a file's time is the moment
touch -d '2026-01-01 12:00:00' one.heap
touch -d '2026-01-01 12:00:10' two.heap
touch -d '2026-01-01 12:00:30' three.heap

# Three, in their order, whatever their names.
screen 100x30 "$HEAPTOP" "$obeys" one.heap two.heap three.heap
shows '2\.0 MiB .*pear'
shows '▸ three\.heap( |$)'
shows '^ A 0:00 ━+ B 0:30$'
shows '^ live 3\.0 MiB '
shows '^\[1 Top\] .* live bytes · by stack · A→B$'
shows '2\.0 MiB .* \+2\.0 MiB +1  pear ← basket ← obey ← main'
shows '1\.0 MiB .* \+1\.0 MiB +1024  plum ← obey'
shows ' · .* -3\.0 MiB +·  apple ← obey'
press '[' '▸ two\.heap'
shows '^ live 5\.0 MiB '
press '[' '▸ one\.heap'
shows '^ live 3\.0 MiB '
shows '^. +3\.0 MiB 100\.0 .*apple'
press ']' '▸ two\.heap'
press a '^ 0:00 ─+A 0:10 ━+ B 0:10 ─+$|^ 0:00 ─+A 0:10 '
press F '▸ three\.heap'
shows ' -3\.0 MiB +·  apple'

# Names and source are those of the program; what needs a process is told.
shows '^▌ +2\.0 MiB .*pear'
press Enter '^▌#0 pear '
shows '▸ +kept = put\(&pears, malloc\(size\)\);'
press Escape 'A→B$'
press d 'there is no process to ask'
press e '┌─ Export what is shown ─'
press f '^ write to heaptop-.*\.folded '
press Enter '^ wrote .*\.folded, 3 stacks$'
grep -q ';basket;pear 2' ./*.folded || fail 'what was exported is not there'
keys q
left 'exit 0'
restored

# One alone; without the program's name; a shell's pattern.
screen 80x24 "$HEAPTOP" one.heap
shows '^▌ +3\.0 MiB 100\.0 .*apple'
shows '▸ one\.heap( |$)'
keys q
left 'exit 0'
screen 80x24 "$HEAPTOP" one.heap two.heap
shows '^▌ +3\.0 MiB  60\.0 .*apple'
shows '▸ two\.heap( |$)'
keys q
left 'exit 0'

# What can't be read is said, not shown.
screen 80x24 sh -c "'$HEAPTOP' nowhere.heap; echo \"status \$?\"; read x"
shows '^status 2$'
shows '^heaptop: .*nowhere\.heap'
