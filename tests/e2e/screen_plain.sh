# --plain: sentences instead of a screen, and commands by line.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# Everything that was printed so far, after the last command.
answer() {
	tm capture-pane -p -J -S - -t t | awk -v line="$asked_line" '
	    $0 == line { found = NR; text = ""; next } { text = text $0 "\n" }
	    END { printf "%s", text }'
}

answered() {
	answer | grep -q -E -e "$1"
}

# ask_line COMMAND REGEX...: lines that come of it
ask_line() {
	asked_line=$1
	shift
	type "$asked_line"
	keys Enter
	for regex; do
		until_true answered "$regex" ||
		    fail "after $asked_line there is no: $regex"
	done
}

screen 120x60 "$HEAPTOP" --plain --exact --interval=100ms \
    --target-output=log "$obeys" "$orders"
prints '^obeys, process [0-9]+: waiting for the first sample\.$'
prints '^Type help for the commands\.$'
tell apple 3072
tell pear 2048
tell plums 1024
told
prints '^The first sample is in; type top\.$'
ask_line top '^Top: live bytes by stack, now, 0:[0-9]+\. 6\.0 MiB live in all' \
    '^1\. apple: 3\.0 MiB, 50\.0 percent, .*; called by obey, main' \
    '^2\. pear: 2\.0 MiB, 33\.3 percent, up 2\.0 MiB, 1 object; called by b' \
    '^3\. plum: 1\.0 MiB, 16\.7 percent, .* 1024 objects'
ask_line 2 '^2\. pear: ' '^The figure is exact\.$' \
    '^Frame 0: pear, .*obeys\.c line [0-9]+, in obeys\.$' '^Frame 1: basket, '
ask_line 7 '^There are rows 1 to 3\.$'
ask_line more '^That is all\.$'
ask_line 'filter pea' '; only what matches /pea: 2\.0 MiB' '^1\. pear: '
ask_line filter '^3\. plum'
ask_line 'group function' '^Top: live bytes by function'
ask_line 'metric live o' '^Top: live objects by function' \
    '^1\. plum: 1024 objects, '
ask_line 'metric live b' 'live bytes'
ask_line 'group stack' 'by stack'
ask_line 'mark a' 'changes since A at'
tell drop apple
told
refreshed() {
	ask_line again '^3\. |^2\. '
	answered '^1\. pear: 2\.0 MiB'
}
until_true refreshed || fail 'what is dropped is still told of'
ask_line status '^obeys, process [0-9]+: live\. 3\.0 MiB live, .* 0 lost\.$'
ask_line help '^sample SIZE\|exact: ' '^more: ' '^status: '
ask_line output '^told 1$|^told 2$|It has printed nothing here'
ask_line dance 'Dance: no such command'
ask_line export '^flamegraph: '
ask_line 'export json x.json' '^Wrote x\.json, [23] stacks\.$'
ask_line 'export json x.json' '^x\.json exists: type overwrite'
ask_line y.json '^Wrote y\.json, [23] stacks\.$'
ask_line 'export csv' '^Which file\? An empty line is heaptop-'
ask_line stay
ask_line 'sample 4K' 'ampling 1/4 KiB from now on'
[ -s x.json ] && [ -s y.json ] || fail 'files are missing'

# Nothing is drawn, and nothing but what was asked for is said.
tm capture-pane -p -e -S - -t t >raw
grep -q "$(printf '\033')" raw && fail 'there is more than text'
[ "$(ask '#{alternate_on} #{mouse_any_flag}')" = '0 0' ] ||
    fail 'the terminal was changed'

# Leaving is asked about; the end is told.
ask_line quit '^obeys is still running: type terminate, leave or stay\.$'
ask_line stay
ask_line terminate '^obeys is still running: type terminate, leave or stay\.$'
ask_line terminate 'obeys was killed by SIGTERM'
left 'signal 15'

# Watched from outside.
"$HEAPTOP" exec --exact "$obeys" "$orders" >log 2>&1 &
other=$!
tell apple 2048
until_true any_watched || fail 'nothing is watched'
screen 120x50 "$HEAPTOP" --plain -p "$other"
prints '^obeys, process [0-9]+: live'
ask_line top '^1\. apple: 2\.0 MiB, 100\.0 percent'
kill -9 "$other"
prints '^obeys, process [0-9]+: .*(SIGKILL|ended|gone)'
ask_line top '^1\. apple: 2\.0 MiB, 100\.0 percent'
ask_line quit
left 'exit 0'

# Saved dumps.
screen 120x50 "$HEAPTOP" --plain "$SRC/tests/data/demo.htd.gz"
prints ': from .*demo\.htd\.gz\.'
ask_line top '^1\. .*, [0-9.]+ percent' '^4\. '
ask_line more '^That is all\.$'
ask_line older ' at [0-9:]+'
keys C-d # the end of what is typed
left 'exit 0'
