# What can happen to the screen, the program and the terminal: sizes, a
# compiler, death, suspension, signals, a terminal that goes away.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# A program that stays, with a heap known to the byte.
start() {
	screen "$1" "$HEAPTOP" --exact --interval=100ms "$obeys" "$orders"
	tell apple 3072
	tell pear 2048
	shows '2\.0 MiB .*pear'
	heaptop=$(ask '#{pane_pid}')
	pid=$(target)
}

# Leave the program running, and end it.
finish() {
	tell exit 0
	shows '■ exited 0'
	keys q
	left 'exit 0'
	restored
}

# What stays the same on a still screen: a rate is said after some seconds,
# and its digits become fewer.
still() {
	look | sed -e '1,4d' -e 's/[-+][0-9.]* [KM]*i*B\/s; //' \
	    -e 's/[0-9]/#/g' -e '/since/d'
}

same_still() {
	still | cmp -s - "$1"
}

# ---- sizes: a storm of them, then it looks as before -----------------------

# Nothing more comes: two looks, some snapshots apart, are the same.
settled() {
	still >before
	sleep 0.4
	same_still before
}

start 80x24
until_true settled || fail 'it is never still'
random=4711
for _ in $(seq 60); do
	random=$(((random * 75 + 74) % 65537))
	width=$((random % 200 + 1))
	random=$(((random * 75 + 74) % 65537))
	resize ${width}x$((random % 60 + 1))
done
for size in 1x1 2x1 1x2 3x3 5x2 8x3 19x3 20x4; do
	resize $size
	lives "$heaptop"
done
resize 12x3
shows '^5\.0 MiB$'
resize 36x8
shows '^▌ +3\.0 MiB  apple$'
keys / x Escape
keys '?'
for size in 10x2 36x8 9x1 200x60; do
	resize $size
done
keys Escape
resize 80x24
until_true same_still before || fail "not as before: $(still | diff before -)"
finish

# ---- a live compiler: the process that matters is shown --------------------

cat >x.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> m;
	for (int i = 0; i < argc; i++)
		m[argv[i]].push_back(i);
	for (auto &p : m)
		std::sort(p.second.begin(), p.second.end());
	return m.size() != 1;
}
END
echo 'int main() { return oops; }' >bad.cc

# The program itself, not only what is shown of it, has ended.
program_gone() {
	for child in $(pgrep -P "$heaptop"); do
		pgrep -P "$child" >/dev/null && return 1
	done
	return 0
}

screen 80x24 "$HEAPTOP" --interval=200ms "$CXX" -O2 -c x.cc
heaptop=$(ask '#{pane_pid}')
shows '^ cc1plus '
shows '● live'
shows ' [KM]iB .* ← '
shows '■ ended at'
until_true program_gone || fail 'the compiler does not end'
keys q
left 'exit 0'
[ -s x.o ] || fail 'nothing was compiled'
screen 80x24 "$HEAPTOP" "$CXX" -O2 -c bad.cc
heaptop=$(ask '#{pane_pid}')
shows '■ ended at'
until_true program_gone || fail 'the compiler does not end'
press o 'oops.* was not declared'
keys q
left 'exit 1'

# ---- death -----------------------------------------------------------------

# ends SECONDS ORDER STATE SENTENCE HOW
ends() {
	start 80x24
	tell say these are my last words
	tell "$1"
	shows "$2"
	shows "$3"
	shows '^   these are my last words$'
	shows '3\.0 MiB .*apple' # all stays readable
	keys q
	left "$4"
	restored
}

ends 'exit 3' '■ exited 3 at [0-9]+:[0-9][0-9]$' '^─ obeys exited 3 ─' 'exit 3'
ends 'raise 11' '✕ SIGSEGV at [0-9]+:[0-9][0-9]$' \
    '^─ obeys was killed by SIGSEGV' 'signal 11'
ends 'raise 9' '✕ SIGKILL at [0-9]+:[0-9][0-9]$' \
    '^─ obeys was killed by SIGKILL ─' 'signal 9'
# A shell says the same.
screen 80x24 sh -c "'$HEAPTOP' --exact '$obeys' '$orders'; echo \"status \$?\""
tell apple 3072
shows apple
tell raise 11
shows '✕ SIGSEGV'
keys q
shows 'status 139$'

# Of a process that is none of ours: its end is told, the status is heaptop's.
"$HEAPTOP" exec --exact "$obeys" "$orders" 9>&- &
pid=$!
tell apple 3072
target >/dev/null
screen 80x24 "$HEAPTOP" -p "$pid"
shows '^▌ +3\.0 MiB .*apple'
tell raise 9
shows "^─ obeys \(process $pid\) ended"
shows '^▌ +3\.0 MiB .*apple'
keys q
left 'exit 0'
restored
wait $pid

# Before its first sample there is nothing that could tell of the end.
LD_PRELOAD=$BUILD/libheaptop.so "$obeys" "$orders" 9>&- &
pid=$!
screen 80x24 "$HEAPTOP" -p "$pid"
shows '○ waiting$'
shows ' 1/512 KiB$'
shows "   process $pid "
kill -9 "$pid"
shows '■ ended at [0-9]+:[0-9][0-9]$'
shows "^   process $pid ended$"
hides 'keeps running'
press 2 '\[2 Growth\]'
shows '■ ended at '
keys q
left 'exit 0'
restored
wait $pid

# One that ends at once, before it could be looked at.
for _ in 1 2 3 4 5 6 7 8; do
	screen 80x24 "$HEAPTOP" true
	shows '^ true .*■ exited 0'
	keys q
	left 'exit 0'
done

# Without its keeper nobody knows how, but that it has.
start 80x24
kill -9 "$(pgrep -P "$heaptop" -x heaptop-keeper)"
shows '■ ended at [0-9]+:[0-9][0-9]$'
shows '^─ obeys ended ─'
keys q
left 'exit 125'
restored
prints 'the keeper of .* was killed'
rm -f "$here/r/heaptop/$pid.sock" # nobody may have reaped it

# ---- a program that does not answer -----------------------------------------

start 80x24
kill -STOP "$pid"
shows '◌ no answer [2-9]s$'
shows '3\.0 MiB .*apple'
kill -CONT "$pid"
shows '● live '
finish

# ---- suspension ------------------------------------------------------------

screen 80x24 env PS1='prompt> ' HISTFILE= bash --norc --noprofile -i
shows '^prompt>'
type "'$HEAPTOP' --exact --interval=100ms '$obeys' '$orders'"
keys Enter
tell apple 3072
tell pear 2048
shows '2\.0 MiB .*pear'
pid=$(target)

# back: the shell has the terminal, and it echoes; fg brings the screen
back_and_forth() {
	shows '^prompt>$'
	restored
	type "stty -a | grep -c -w -e 'icanon' -e '[^-]echo'; echo 'back again'"
	keys Enter
	shows '^back again$'
	shows '^[1-9]$'
	lives "$pid"
	type 'clear; fg'
	keys Enter
	shows '[0-9] MiB .*pear'
	shows '● live'
}

press C-z 'Stopped'
tell pear 1024
back_and_forth
shows '3\.0 MiB .*pear' # the program has not been stopped
heaptop=$(pgrep -P "$(ask '#{pane_pid}')" -x heaptop | head -n 1)
kill -TSTP "$heaptop"
shows 'Stopped'
tell drop pear
tell pear 2048
back_and_forth
# Stopped without a chance to tidy up, it draws all of it again.
kill -STOP "$heaptop"
shows 'Stopped'
type clear
keys Enter
hides '\[1 Top\]'
type fg
keys Enter
shows '^\[1 Top\]'
hides 'prompt>'
shows '^▌ +3\.0 MiB .*apple'
press q 'is still running'
keys Enter
prints 'goes on running'
restored
lives "$pid"
type "stty -a | grep -c -w -e '[^-]echo'; echo 'after all'"
keys Enter
shows '^after all$'
tell exit 0
gone "$pid"

# ---- signals ---------------------------------------------------------------

# The terminal is as it was; heaptop dies of it; the program does not.
for death in TERM:143 HUP:129 INT:130 SEGV:139; do
	signal=${death%:*}
	screen 80x24 sh -c "stty -a >modes.before
	    '$HEAPTOP' --exact '$obeys' '$orders'
	    status=\$?
	    stty -a >modes.after
	    echo \"status \$status\""
	tell apple 3072
	shows apple
	pid=$(target)
	heaptop=$(pgrep -P "$(ask '#{pane_pid}')" -x heaptop | head -n 1)
	kill -"$signal" "$heaptop"
	shows "^status ${death#*:}\$"
	restored
	cmp modes.before modes.after || fail "$signal: terminal modes"
	lives "$pid"
	tell exit 0
	gone "$pid"
done

# ---- the terminal is closed ------------------------------------------------

start 80x24
tm kill-session -t t
gone "$heaptop"
lives "$pid"
tell exit 0
gone "$pid"
