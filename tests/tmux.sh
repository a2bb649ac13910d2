# For tests of the live screen: a terminal to run heaptop in, with `tmux'
# of our own.  A test reads this in with
#
#	. "$SRC/tests/tmux.sh"
#
# and then says
#
#	screen 80x24 COMMAND...   start it in a new terminal of that size
#	shows REGEX               wait until the screen shows it
#	hides REGEX               wait until it does not
#	prints REGEX              wait until that was printed outside the screen
#	press KEY REGEX           press a key, and wait for what comes of it,
#	                          which must not be there before, or goes
#	keys KEY...               press keys, as tmux calls them
#	type TEXT                 type that
#	look                      the screen as text
#	left NAME                 wait until the command has ended, as NAME says:
#	                          `exit 3', `signal 9'
#
# Nothing waits for a fixed time: only until something is seen, or until
# $patience seconds have passed, and then the test fails and shows the screen.
# What runs under heaptop and outlives it is killed at the end of the test.

command -v tmux >/dev/null || { echo "tmux is not here"; exit 77; }

here=$PWD
XDG_RUNTIME_DIR=$here/r # of our own, so that we know who is watched
export XDG_RUNTIME_DIR
mkdir -m 700 "$here/r"
patience=${PATIENCE:-20}

# A name that says nothing of the terminal that the tests run in.
unset TMUX TMUX_PANE COLORFGBG NO_COLOR COLORTERM
cat >"$here/tmux.conf" <<'END'
set -g default-terminal screen-256color
set -g default-shell /bin/sh
set -g escape-time 0
set -g status off
set -g remain-on-exit on
set -g history-limit 1000
set -s exit-empty off
END

tm() {
	tmux -S "$here/tmux" -f "$here/tmux.conf" "$@" 9>&-
}

# Processes that are or can be watched here: those that have allocated.
watched() {
	for sock in "$here"/r/heaptop/*.sock; do
		found=${sock##*/}
		[ -S "$sock" ] && echo "${found%.sock}"
	done
}

any_watched() {
	[ "$(watched)" ]
}

# The one that is watched.
target() {
	until_true any_watched || echo 'nothing is watched' >&2
	watched
}

kill_watched() {
	for found in $(watched); do
		kill -9 "$found" 2>/dev/null
	done
}

clean_up() {
	kill_watched
	tm kill-server 2>/dev/null
	kill_watched
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

look() {
	tm capture-pane -p -t t
}

fail() {
	echo "$*"
	ask '#{pane_width}x#{pane_height}, dead: #{pane_dead}' 2>&1
	look 2>&1 | sed 's/^/  |/'
	exit 1
}

# until_true COMMAND...: again and again until it succeeds; 1: it never did
until_true() {
	tries=$((patience * 20))
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.03
	done
}

screen() {
	size=$1
	shift
	tm kill-session -t t 2>/dev/null
	tm new-session -d -s t -x "${size%x*}" -y "${size#*x}" "$@" ||
	    { echo "tmux does not start"; exit 1; }
}

# resize 80x24
resize() {
	tm resize-window -t t -x "${1%x*}" -y "${1#*x}"
}

seen() {
	look | grep -q -E -e "$1"
}

unseen() {
	! seen "$1"
}

shows() {
	until_true seen "$1" || fail "the screen does not show: $1"
}

# What was printed on the terminal, before and after the screen: lines that
# were wrapped are whole, those that have scrolled away are there.
said() {
	tm capture-pane -p -J -S - -t t | grep -q -E -e "$1"
}

prints() {
	until_true said "$1" || fail "the terminal does not show: $1"
}

hides() {
	until_true unseen "$1" || fail "the screen still shows: $1"
}

keys() {
	tm send-keys -t t "$@"
}

type() {
	tm send-keys -t t -l "$1"
}

press() {
	# what was done before may still be on its way to the screen
	until_true unseen "$2" ||
	    fail "before $1 the screen shows already: $2"
	keys "$1"
	until_true seen "$2" || fail "after $1 the screen does not show: $2"
}

# Esc, where nothing is to be seen of it.  What comes at once behind it would
# be taken for the rest of a sequence.
escape() {
	keys Escape
	sleep 0.3
}

# A click of the left button, column and row from 1, as terminals send it.
click() {
	type "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"
}

# ask FORMAT: what tmux knows of the terminal
ask() {
	tm display-message -p -t t "$1"
}

dead() {
	# At first tmux knows only that the terminal was closed, and now and
	# then it forgets to look how the command has ended.
	case $(ask '#{pane_dead} #{pane_dead_status}#{pane_dead_signal}') in
	'1 '?*) return 0 ;;
	'1 ') kill -CHLD "$(ask '#{pid}')" ;;
	esac
	return 1
}

left() {
	until_true dead || fail 'it has not ended'
	how="exit $(ask '#{pane_dead_status}')"
	signal=$(ask '#{pane_dead_signal}')
	[ "${signal:-0}" = 0 ] || how="signal $signal"
	[ "$how" = "$1" ] || fail "it ended with $how, not with $1"
}

# The terminal as it was: no alternate screen, a cursor, no mouse, no
# application keys.  (tmux itself hides the cursor when the command has ended.)
restored() {
	modes=$(ask '#{alternate_on} #{mouse_any_flag} #{keypad_cursor_flag}')
	modes="$modes $(ask '#{keypad_flag} #{cursor_flag} #{pane_dead}')"
	case $modes in
	'0 0 0 0 1 '? | '0 0 0 0 0 1') ;;
	*) fail "alternate screen, mouse, keys (2), cursor, dead: $modes" ;;
	esac
}

# gone PID: wait until there is no such process, or it is a zombie
is_gone() {
	case $(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) in
	'' | Z | X) return 0 ;;
	*) return 1 ;;
	esac
}

gone() {
	until_true is_gone "$1" || fail "process $1 lives on"
}

lives() {
	is_gone "$1" && fail "process $1 is gone"
	return 0
}

# The program that does what it is told, and a line for it: tell WORDS...
# When the test ends, so does it.
obeys=$TARGETS/obeys
export obeys
orders=$here/orders
mkfifo "$orders"
exec 9<>"$orders"

tell() {
	echo "$*" >&9
}

# told: wait until it has done all of this; only with --target-output=log
told() {
	asked=$((${asked:-0} + 1))
	tell say "told $asked"
	until_true grep -q "^told $asked" log || fail 'the program does not answer'
}
