# Time, on a program that goes on: looking back and to what is new, marks, the
# timeline by mouse, and View 5 while snapshots come.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# until the view has at least COUNT snapshots
has_snapshots() {
	found=$(look | sed -n 's/.* \([0-9]*\) snapshots in .*/\1/p')
	[ "${found:-0}" -ge "$1" ]
}

screen 120x30 "$HEAPTOP" --exact --interval=100ms "$obeys" "$orders"
tell apple 3072
shows '^ live 3\.0 MiB '
press 5 '\[5 Snapshots\]'
until_true has_snapshots 8 || fail 'there are no snapshots'
shows '^▌ .* 3\.0 MiB '
shows ' first sample$'

# The moment stays, and how far back it is grows; the rest goes on.
keys End
press a '^▌A '
shows '^─ A 0:[0-9]+ → B 0:'
tell pear 2048
shows '^ live 5\.0 MiB '
keys End
press Enter '◆ at 0:0[0-9]'
shows '^ live 3\.0 MiB '
shows '◆ at 0:0[0-9]  2s back *$'
shows '◆ at 0:0[0-9]  3s back *$'
press 1 '^\[1 Top\]'
shows '◆ at 0:0[0-9]'
hides 'pear'
press Escape '● live'
shows '2\.0 MiB .*pear ← basket'

# B is set at the selected snapshot; the screen can be held, and let go.
press 5 '\[5 Snapshots\]'
keys Home
shows '^▌B '
keys Down Down
hides '^▌B '
press b '^▌B '
shows '◆ at 0:'
press x '^─ A 0:0[1-9] → B 0:00 '
press F '● live'
press Space '‖ paused 0:00'
shows '‖ paused 0:0[1-9] *$' # of a program that does nothing, too
press Space '● live'

# By mouse: a click looks there, drawing compares, the right button too.
click 3 4
shows '◆ at 0:0[0-9]'
press Escape '● live'
type "$(printf '\033[<0;40;4M\033[<32;80;4M\033[<0;80;4m')"
shows '^ 0:00 .*A 0:[0-9]+ .*B 0:[0-9]+'
shows '◆ at 0:'
press F '● live'
type "$(printf '\033[<2;60;4M\033[<2;60;4m')"
shows '^ 0:00 .*A 0:[0-9]+ ━+ B 0:[0-9]+$'
tell exit 0
shows '■ exited 0 at 0:'
keys q
left 'exit 0'
restored
