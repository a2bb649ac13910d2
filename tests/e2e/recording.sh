# Recordings begun in the middle of a run: what they replay to is what a
# report of the living process says, they hold the last moment of one that is
# killed, and all but the last moment if heaptop is.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

pid=
end() {
	[ ! "$pid" ] || kill -9 "$pid" 2>/dev/null
	clean_up
}
trap end EXIT

begin() {
	tm kill-session -t t 2>/dev/null
	[ ! "$pid" ] || kill -9 "$pid" 2>/dev/null
	rm -f heaptop-*.htd* log
	screen 80x24 "$HEAPTOP" --exact --interval=50ms --target-output=log \
	    "$obeys" "$orders"
	tell apple 3072
	tell pear 2048
	tell plums 1024
	shows '1\.0 MiB .*plum'
	pid=$(look | sed -n 's/.* pid \([0-9]*\) .*/\1/p' | head -n 1)
	[ "$pid" ] || fail 'no pid'
}

record() {
	press w '^ record to heaptop-'
	press Enter "^ recording to heaptop-$pid"
	recording=$(echo heaptop-"$pid"*)
}

# report FILE ARGUMENT...: sorted; of what is exact at any moment
report() {
	to=$1
	shift
	"$HEAPTOP" "$@" >raw 2>err || fail "heaptop $*: status $?: $(cat err)"
	sort raw >"$to"
	[ -s "$to" ] || fail "heaptop $*: nothing"
}

# The same in every form, of all that was allocated too.
begin
record
tell pear 4096
tell drop apple
tell apple 1024
shows '1\.0 MiB .*apple'
shows '6\.0 MiB .*pear'
told
press w '^ wrote heaptop-.*, [0-9]+ snapshots$'
for kind in '--text --show_bytes' '--collapsed' \
    '--collapsed --alloc_space' '--text --inuse_objects' \
    '--text --alloc_objects --lines' '--collapsed --threads'; do
	report live $kind -p "$pid"
	report replayed $kind "$recording"
	cmp live replayed || fail "$kind: $(diff live replayed)"
done
# a dump too, but for what is no figure
for of in "-p $pid" "$recording"; do
	report "dump${of%% *}" --heap $of
	grep -v -e '^# heaptop' -e ' 00000000 ' "dump${of%% *}" >"$(echo \
	    "of${of%% *}" | tr -d ./)"
done
cmp of-p "of$(echo "$recording" | tr -d ./)" ||
    fail "--heap: $(diff of-p "of$(echo "$recording" | tr -d ./)")"

# A second one has a name of its own or the user's consent: the first stays.
cp "$recording" first
press w '^ record to heaptop-'
keys C-u
type second.htd.gz
press Enter '^ recording to second'
tell plums 1024
shows '2\.0 MiB .*plum'
cmp "$recording" first || fail 'the first recording has changed'

# What is killed while it is recorded: its last moment is in.
kill -9 "$pid"
shows 'SIGKILL'
report last --text second.htd.gz
grep -q '2\.0 .*plum' last || fail "not its last moment: $(cat last)"
gzip -t second.htd.gz || fail 'the recording is not whole'

# heaptop is killed instead: what it wrote can be read.
begin
record
tell pear 4096
shows '6\.0 MiB .*pear'
sleep 0.3 # a few snapshots more
heaptop=$(ask '#{pane_pid}')
kill -9 "$heaptop"
gone "$heaptop"
lives "$pid"
"$HEAPTOP" --text "$recording" >out 2>err
[ $? = 1 ] || fail 'a cut recording is not said to be one'
grep -q '6\.0 .*pear' out || fail "not what it had: $(cat out err)"
grep -q "$recording" err || fail 'nothing is said of the cut'

# What a recording shows without a terminal.
"$HEAPTOP" -b first >out 2>err </dev/null || fail "-b: $(cat err)"
grep -q 'pear' out || fail '-b: no rows'
