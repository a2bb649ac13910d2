# What the screen writes: some exports, of exactly what is shown (all of them
# are in screen_export.sh), recordings, and stacks that are printed after the
# end.  Each file is read again by heaptop itself, or by the tool that it is
# for.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# written KEY NAME: the export of that key is there and the screen says so
written() {
	press e '┌─ Export what is shown ─'
	press "$1" '^ write to heaptop-[0-9]+-[0-9]+\.'"$2 "
	press Enter '^ wrote heaptop-[0-9]+-[0-9]+\.'"$2, 3 stacks\$"
	set -- heaptop-*."$2"
	[ -s "$1" ] && [ $# = 1 ] || fail "there is not one file: $*"
	file=$1
}

# has FILE REGEX
has() {
	grep -q -E -e "$2" "$1" || fail "$1 lacks $2: $(cat "$1")"
}

screen 80x24 "$HEAPTOP" --exact --interval=100ms --target-output=log \
    "$obeys" "$orders"
tell apple 3072
tell pear 2048
tell plums 1024
shows '1\.0 MiB .*plum'
pid=$(target)
press Space '‖ paused'

written t txt
table=$file
has "$file" '3\.0 MiB .*apple'
has "$file" '1\.0 MiB .*plum'
written x text
has "$file" 'apple'
written r tree
has "$file" 'basket'
written o dot
has "$file" '^digraph '
dot -Tsvg "$file" >svg || fail 'dot does not read it'
has svg 'basket'
written f folded
# root first, as usable sizes: not less than was asked for
awk '{ n = $NF; sub(/ [0-9]+$/, ""); k = split($0, s, ";"); v[s[k]] = n }
    END { exit !(v["apple"] >= 3145728 && v["apple"] < 3155000 &&
	v["pear"] >= 2097152 && v["pear"] < 2106000 &&
	v["plum"] >= 1048576 && v["plum"] < 1100000) }' "$file" ||
    fail "$file: $(cat "$file")"
[ "$(wc -l <"$file")" = 3 ] || fail "$file has not three stacks"
"$HEAPTOP" --collapsed -p "$pid" | sort >collapsed
sort "$file" | cmp - collapsed || fail "$file is not what --collapsed says"
written h heap
has "$file" '^heap_v2/1$'
"$HEAPTOP" --text "$obeys" "$file" >text || fail 'it does not read its dump'
has text '^ +3\.0 .* apple$'
has text '^ +2\.0 .* pear$'
has text '^ +1\.0 .* plum$'

# A second one of the same moment replaces the first only if one says so.
press e '┌─ Export what is shown ─'
press t '^ write to '
press Enter "^ $table exists +o overwrite +↵ other name +esc cancel\$"
press Enter '^ write to '
keys C-u
type second.txt
press Enter '^ wrote second\.txt, 3 stacks$'
cmp second.txt "$table" || fail 'two exports of one moment differ'
echo mine >"$table"
press e '┌─ Export what is shown ─'
press t '^ write to '
press Enter ' exists '
press Escape '1.3 of 3$'
has "$table" '^mine$'
press e '┌─ Export what is shown ─'
press t '^ write to '
press Enter ' exists '
press o '^ wrote '
cmp second.txt "$table" || fail 'it was not overwritten'

# Of what is shown: one stack of a filter, by its objects.
press / '^ / '
type pear
keys Enter
press m 'live objects'
press e '┌─ Export what is shown ─'
press f '^ write to '
keys C-u
type pear.folded
press Enter 'wrote pear\.folded, 1 stack$'
awk '{ exit !($NF == 1 && /;basket;pear /) }' pear.folded ||
    fail "not what was shown: $(cat pear.folded)"
press Escape '1.3 of 3$'
keys m m m Space

# A recording.
press w '^ record to heaptop-'
press Enter "^ recording to heaptop-$pid"
tell pear 4096
shows '6\.0 MiB .*pear'
tell drop apple
tell apple 1024
shows '1\.0 MiB .*apple'
press w '^ wrote heaptop-.*, [0-9]+ snapshots$'
recording=$(echo heaptop-"$pid".h*)
[ -s "$recording" ] || fail "there is no recording: $recording"
keys w
shows '^ record to heaptop-'
keys C-u
type /nowhere/rec.htd
keys Enter
shows 'nowhere'
press Escape '1.3 of 3$'

# Printed after the end.
shows '^▌.*pear'
press Enter 'esc back'
press y '^ this stack is printed when heaptop ends'
press Escape '1.3 of 3$'
press q 'is still running'
keys t
left 'signal 15'
restored
prints '^ +#0 pear  .*obeys\.c:[0-9]+  \(obeys\)$'
prints '^ +#1 basket '
gone "$pid"

# The recording on a screen of its own; one ends with q, nothing is asked.
screen 80x24 "$HEAPTOP" "$recording"
shows '6\.0 MiB .*pear'
shows "▸ $recording"
shows '1\.0 MiB .*apple'
shows '1\.0 MiB .*plum'
keys '{' '{' '{'
shows '3\.0 MiB .*apple'
shows '2\.0 MiB .*pear'
press F '1\.0 MiB .*apple'
keys q
left 'exit 0'
restored

# And as a report.
"$HEAPTOP" --text "$recording" >text || fail 'no report of the recording'
has text '^ +6\.0 .* pear$'
