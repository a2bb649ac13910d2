# Each format that the screen exports, read by the tool that it is for, and
# that it is exactly what is shown: filter, metric, moment.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# written KEY NAME: the export of that key, as heaptop-PID-TIME.NAME
written() {
	press e '┌─ Export what is shown ─'
	ending=$(echo "$2" | sed 's/\./\\./g')
	press "$1" "^ write to heaptop-[0-9]+-[0-9]+\\.$ending "
	press Enter "^ wrote heaptop-.*, 3 stacks\$"
	set -- heaptop-*[0-9]."$2"
	[ -s "$1" ] && [ $# = 1 ] || fail "there is not one file: $*"
	[ "$(echo *.part)" = '*.part' ] || fail 'a part is left'
	file=$1
}

# has FILE REGEX...
has() {
	of=$1
	shift
	for regex; do
		grep -a -q -E -e "$regex" "$of" ||
		    fail "$of lacks $regex: $(head -c 2000 "$of")"
	done
}

# starts FILE BYTES
starts() {
	[ "$(head -c "${#2}" "$1")" = "$2" ] || fail "$1 does not start with $2"
}

screen 100x36 "$HEAPTOP" --exact --interval=100ms --target-output=log \
    "$obeys" "$orders"
tell apple 3072
tell pear 2048
tell plums 1024
shows '1\.0 MiB .*plum'
sleep 0.4 # two snapshots and more, for growth
press Space '‖ paused'

written t txt
has "$file" '3\.0 MiB .*apple' '2\.0 MiB .*pear' '1\.0 MiB .*plum'
written x text
has "$file" '^ +3\.0 .* apple' '^ +1\.0 .* plum'
written s csv
python3 - "$file" <<'END' || fail 'the table of commas is wrong'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline='')))
assert len({len(r) for r in rows}) == 1, rows
assert any('pear' in field for r in rows for field in r)
END
written m md
has "$file" '^#' 'apple'
written d json
python3 - "$file" <<'END' || fail 'the figures are wrong'
import json, sys
assert 'apple' in json.dumps(json.load(open(sys.argv[1])))
END
written r tree
has "$file" basket
written g flame.svg
xmllint --noout "$file" || fail 'the flame graph is no XML'
has "$file" basket
rm "$file" # which ends like the next one
written v svg
xmllint --noout "$file" || fail 'the graph is no XML'
has "$file" basket
written n png
starts "$file" "$(printf '\211PNG')"
written p pdf
starts "$file" %PDF-
written i ps
starts "$file" %!PS
written o dot
dot -Tsvg "$file" >svg || fail 'dot does not read it'
written f folded
[ "$(wc -l <"$file")" = 3 ] || fail "$file has not three stacks"
written e speedscope.json
python3 - "$file" <<'END' || fail 'it is no profile of speedscope'
import json, sys
p = json.load(open(sys.argv[1]))
assert 'speedscope' in p['$schema']
assert any(f['name'] == 'apple' for f in p['shared']['frames'])
END
written b pb.gz
gzip -t "$file" || fail 'it is not gzipped'
"$HEAPTOP" --text "$file" >text || fail 'it does not read it'
has text ' apple$'
written c callgrind
has "$file" '^events:' 'fn=.*apple'
written u growth.txt
written z sizes.txt
written a stats.txt
written y memory.txt
has "$file" '[0-9] MiB'
written h heap
has "$file" '^heap_v2/1$'
written l raw
has "$file" 'apple'
"$HEAPTOP" --text "$file" >text || fail 'it does not read its raw profile'
has text ' apple$'

# Exactly what is shown: a filter, objects, and a moment that is gone.
press / '^ / '
type 'pear|plum'
keys Enter
press m 'live objects'
press : '^ :  '
type 'export json shown.json'
press Enter '^ wrote shown\.json, 2 stacks$'
python3 - shown.json <<'END' || fail 'it is not what is shown'
import json, sys
text = json.dumps(json.load(open(sys.argv[1])))
assert 'plum' in text and 'pear' in text and 'apple' not in text
END
press : '^ :  '
type 'export collapsed shown.folded'
press Enter '^ wrote shown\.folded, 2 stacks$'
sort shown.folded | awk '{ print $NF }' | tr '\n' ' ' >counts
[ "$(cat counts)" = '1 1024 ' ] || [ "$(cat counts)" = '1024 1 ' ] ||
    fail "these are no objects: $(cat shown.folded)"

# From the root that is shown, where one was chosen.
press 4 '\[4 Flame\]'
keys Down Down Down Down Down Down Down Down
keys z
hides '▏obey'
press : '^ :  '
type 'export tree root.tree'
press Enter '^ wrote root\.tree'
has root.tree '1024 .*plum'
grep -q 'basket\|obey' root.tree && fail "more than shown: $(cat root.tree)"
press 1 '\[1 Top\]'
press Space '● live'
tell drop pear
told
shows '1.2 of 2$|1.1 of 1$'

# What cannot be written is said, and nothing is left.
press : '^ :  '
type 'export csv /nowhere/x.csv'
press Enter 'cannot write /nowhere/x\.csv'
press : '^ :  '
type 'export cvs x'
press Enter 'cvs: no such format'
mkdir dir.csv
press : '^ :  '
type 'export csv dir.csv'
press Enter 'dir\.csv exists'
press o 'cannot write dir\.csv'
ln -s real.csv link.csv
echo old >real.csv
press : '^ :  '
type 'export csv link.csv'
press Enter 'link\.csv exists'
press o 'wrote link\.csv'
[ -L link.csv ] || fail 'the link was replaced'
has real.csv plum
press q 'is still running'
keys t
left 'signal 15'

# Without graphviz it is said what to install.
mkdir bin
screen 100x30 env PATH="$here/bin" "$HEAPTOP" --exact "$obeys" "$orders"
tell apple 1024
shows apple
press : '^ :  '
type 'export svg x.svg'
press Enter 'there is no program dot'
[ ! -e x.svg ] || fail 'a file is there'
press q 'is still running'
keys t
left 'signal 15'
