# Terminals: those it works on, those it refuses with a sentence, colours and
# signs only where they are wanted.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

escape_sign=$(printf '\033')
colour="$escape_sign\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[0-9;]*)?m"

# raw ENVIRONMENT... -- OPTION...: the bytes of a short run
raw() {
	before=
	while [ "$1" != -- ]; do
		before="$before $1"
		shift
	done
	shift
	screen 80x24 sh -c "read x
	    exec env $before '$HEAPTOP' --exact $* '$obeys' '$orders'"
	tm pipe-pane -t t "cat >'$here/bytes'"
	keys Enter
	tell apple 3072
	tell pear 2048
	shows '2\.0 MiB .*pear'
	press Down '^[▌>] +2\.0 MiB .*pear'
	press '?' 'VIEWS'
	press Escape '/ filter'
	tell exit 0
	shows 'exited 0 at'
	keys q
	left 'exit 0'
	[ -s bytes ] || fail 'no bytes'
}

has_colours() {
	grep -q -a -E "$colour" bytes
}

for term in xterm xterm-256color screen linux vt100; do
	raw TERM=$term --
	case $term in
	vt100) has_colours && fail "$term: colours" ;;
	*) has_colours || fail "$term: no colours" ;;
	esac
	# what linux sends last tmux takes for a title
	[ $term = linux ] || restored
done

# Without colours; what is selected is still to be seen.
raw NO_COLOR=1 --
has_colours && fail 'NO_COLOR: colours'
grep -q -a "$escape_sign\[[0-9;]*7m" bytes || fail 'NO_COLOR: not reversed'
grep -q -a "$escape_sign\[?1000h" bytes || fail 'it does not ask for a mouse'
raw NO_COLOR= --
has_colours || fail 'an empty NO_COLOR: no colours'

# Nothing but ASCII where the locale has nothing else, or on demand.
only_ascii() {
	[ "$(LC_ALL=C tr -d '\000-\177' <bytes | wc -c)" = 0 ] ||
	    fail "$1: bytes that are not ASCII"
}

raw LC_ALL=C -- --color=never --no-mouse
only_ascii LC_ALL=C
has_colours && fail '--color=never: colours'
grep -q -a "$escape_sign\[?100[0-9]h" bytes && fail '--no-mouse: a mouse'
raw -u LC_ALL LANG=C -- --color=16
only_ascii LANG=C
has_colours || fail '--color=16: no colours'
grep -q -a "$escape_sign\[[0-9;]*[34]8;5;" bytes && fail '--color=16: more'
raw -- --ascii
only_ascii --ascii

# Refused, with a sentence: before anything is started.
refused() {
	screen 80x24 sh -c "$1 '$HEAPTOP' touch started; echo \"status \$?\"; read x"
	shows '^status 125$'
	shows "^heaptop: .*$2"
	restored
	[ ! -e started ] || fail "$1: it was started"
}

refused 'TERM=dumb' dumb
refused 'unset TERM;' TERM
refused 'TERM=nosuchterminal' nosuchterminal

# What runs already is not watched; that is no failure to start.
"$HEAPTOP" exec "$obeys" "$orders" &
pid=$!
tell apple 3072
target >/dev/null
for term in dumb nosuchterminal; do
	screen 80x24 sh -c "TERM=$term '$HEAPTOP' -p $pid; echo \"status \$?\"; read x"
	shows '^status 1$'
	shows "^heaptop: .*$term"
done
lives $pid
tell exit 0
wait $pid || fail "the program's status"
