# Each key of each view, for tests of the screen: a table of view, key and
# what must be seen after it.  A test reads this in with
#
#	. "$SRC/tests/views.sh"
#
# and then says
#
#	view NAME        what follows is pressed in this view, which is opened
#	k KEY REGEX      press a key, named as in ui/keymap.h, which is to show
#	                 what was not there before
#	gone_by KEY REGEX      ... and what was there goes
#	row KEY N        ... and the N-th row is selected, which was not
#	below KEY        ... and a row below the first is
#	other KEY AWK    ... and of the screen what AWK prints is another
#	nothing KEY      ... and the view stays as it is
#	stays N KEY...   press these, and the N-th row is selected as it was
#	back             Esc, out of what was opened: its frame or prompt goes
#	all_keys         fail if an action that holds in a view was not done there
#	                 by one of its keys, or with every=yes by each of them
#
# Each of them waits for what comes of its key: what is looked at next is not
# what was there before.  Where nothing is to be seen of a key, taken() waits
# until it was taken; where the screen as it is now is kept, it is settled().
#
# The table below, keys_of_*, is what all kinds of sources have in
# common.  What they differ in are variables:
#	now then then10     the state with the newest snapshot, and after [ and {
#	past clicked        a column of the timeline, and the state after a click
#	live                yes: there is a process
#	dead_at_end         yes: of the first rows of Growth nothing lives then
#	sideways            what finds a bar in Flame, and keys from there, each
#	                    with the name that it leads to: KEY=NAME
#	few                 views with one row alone, " threads "
#	something           a pattern of names that some frames match, not all
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

: >pressed
number=1

# With every key, not one of each action alone.
if [ "${every:=}" ]; then
	lefts='Left h' rights='Right l'
else
	lefts='Left' rights='Right'
fi

to_right() {
	case $1 in
	h) echo l ;;
	*) echo Right ;;
	esac
}

# tmux's name of a key
tmux_key() {
	case $1 in
	Esc) echo Escape ;;
	PgUp) echo PageUp ;;
	PgDn) echo PageDown ;;
	Backspace) echo BSpace ;;
	space) echo Space ;;
	*) echo "$1" ;;
	esac
}

number_of() {
	case $1 in
	top) echo 1 ;;
	growth) echo 2 ;;
	tree) echo 3 ;;
	flame) echo 4 ;;
	snapshots) echo 5 ;;
	threads) echo 6 ;;
	memory) echo 7 ;;
	esac
}

view() {
	view=$1 number=$(number_of "$1")
	keys "$number"
	shows "\\[$number "
}

# note KEY: it was pressed here
note() {
	echo "$view $1" >>pressed
	key=$(tmux_key "$1")
}

k() {
	note "$1"
	press "$key" "$2"
}

gone_by() {
	note "$1"
	shows "$2"
	keys "$key"
	hides "$2"
}

# Which row is selected, from 1; in Flame which level
selected_row() {
	look | awk '
		/^.[1-7] .*\[[1-7] |^\[1 / { tabs = NR; flame = /\[4 / }
		tabs && (flame && /▌/ || /^▌/) {
			print NR - tabs - 1
			exit
		}'
}

is_row() {
	[ "$(selected_row)" = "$1" ]
}

is_not_row() {
	! is_row "$1"
}

is_below() {
	[ "$(selected_row)" -gt 1 ] 2>/dev/null
}

row() {
	until_true is_not_row "$2" ||
	    fail "$view: before $1 the selected row is $2 already"
	note "$1"
	keys "$key"
	until_true is_row "$2" || fail "$view: after $1 row $2 is not selected"
}

# Home, wherever it is now
first_row() {
	keys Home
	until_true is_row 1 || fail "$view: Home does not lead to the first row"
}

# End: to what is not the first row
last_row() {
	first_row
	keys End
	until_true is_below || fail "$view: End does not lead below the first row"
}

below() {
	until_true is_row 1 || fail "$view: before $1 it is not the first row"
	note "$1"
	keys "$key"
	until_true is_below || fail "$view: after $1 it is the first row still"
}

# taken: what was pressed before was taken, and is on the screen; and nothing
# is open
taken() {
	press : '^ :  '
	keys Escape
	hides '^ :  '
}

is_same() {
	look | awk "$1" >again
	[ -s again ] && cmp -s "$2" again && return
	mv again "$2"
	return 1
}

# settled AWK FILE: lines of the screen, twice the same: not in the middle of
# being drawn
settled() {
	: >"$2"
	until_true is_same "$1" "$2" || fail "$view: the screen does not settle"
}

# lines AWK: the screen as it is now, for is_other
lines() {
	part=$1
	settled "$part" before
}

is_other() {
	look | awk "$part" | cmp -s - before && return 1
	return 0
}

other() {
	note "$1"
	lines "$2"
	keys "$key"
	until_true is_other || fail "$view: $1 changes nothing ($part)"
}

# What is opened shows one of these, and no view does.
over='· esc back|esc (cancel|clear|stay)|┌─ |^ :  |^ [/\\] '

# stays N KEY...
stays() {
	stays=$1
	shift
	until_true is_row "$stays" ||
	    fail "$view: before $* the selected row is not $stays"
	for move; do
		note "$move"
		keys "$key"
	done
	taken # only now: with one row there is nowhere to go in between
	is_row "$stays" || fail "$view: after $* row $stays is not selected"
}

# nothing KEY: a view that has no use for it stays as it is
nothing() {
	if [ $view = memory ]; then # whose figures are of this second
		stays "$(selected_row)" "$1"
		shows '\[7 '
		return
	fi
	taken
	lines 'NR > 4'
	note "$1"
	keys "$key"
	taken
	is_other && fail "$view: $1 does something"
	return 0
}

back() {
	keys Escape
	hides "$over|is still running"
}

# start COMMAND...: in a shell that one can come back to
start() {
	screen "$size" env PS1='prompt> ' HISTFILE= bash --norc --noprofile -i
	shows '^prompt>'
	command=$*
	again
}

again() {
	type "clear; $command"
	keys Enter
	shows '^\[1 Top\] '
	shows "$now"
}

# ---- the table -----------------------------------------------------------------

# Lines of the screen: column titles; tabs; the selected row; Flame's crumbs;
# what the view draws; the ruler
titles='/▼|▲/'
tabs='/\[[1-7] /'
selected='/^▌/'
crumb='/% of (all|the top bar)/'
body='NR > 5'
ruler='/\[[1-7] / { print above; exit } { above = $0 }'

# What does the same in every view.
keys_of_all() {
	taken
	if [ $view = growth ] && seen '\(u to show\)'; then # so that there are rows
		keys u
		hides '\(u to show\)'
	fi
	first_row
	nothing "$number"
	k '[' "$then"
	k ']' "$now"
	k '{' "$then10"
	k '}' "$now"
	keys '['
	shows "$then"
	if [ "$live" ] && [ $view = memory ]; then # which takes snapshots there
		other a "$ruler"
		k F "$now"
	else
		k F "$now"
		other a "$ruler"
	fi
	keys '{'
	shows "$then10"
	keys 5
	shows '\[5 '
	hides '^.◆ ' # B without a mark is the moment that is shown
	note b
	keys b ']'
	shows '^.◆ '
	keys "$number"
	shows "\\[$number "
	other x "$ruler"
	keys F
	shows "$now"
	k space '‖ paused'
	gone_by space '‖ paused'

	k : '^ :  '
	back
	k e '┌─ Export what is shown ─'
	back
	k '?' '┌─ Keys ─'
	back
	k o 'target output · esc back'
	gone_by Esc 'target output'
	k P 'there is no other process'
	k C-l '\? help' # which the sentence had covered
	tm send-keys -t t -R
	keys C-l
	shows "\\[$number "
	if [ "$every" ]; then
		k F1 '┌─ Keys ─'
		back
		note F5 # which leads there from there too
		keys F5
		shows '\[3 '
		keys "$number"
		shows "\\[$number "
	fi
	k C-z 'Stopped'
	shows '^prompt>'
	type 'clear; fg'
	keys Enter
	shows "\\[$number "
	shows "$now"
}

keys_of_moves() {
	first_row
	case $few in
	*" $view "*)
		stays 1 Down j PgDn C-f C-d End G
		stays 1 Up k PgUp C-b C-u Home
		return
		;;
	esac
	row Down 2
	row Up 1
	below PgDn
	row PgUp 1
	below C-d
	row C-u 1
	below End
	row Home 1
	[ "$every" ] || return 0
	row j 2
	row k 1
	below C-f
	row C-b 1
	below G
	row Home 1
}

# keys_of_metric NEXT FIRST: what shows it
keys_of_metric() {
	k m "$1"
	keys m m m
	shows "$2"
}

# The filter that is kept.
keys_of_keeping() {
	k '\' '^ \\ '
	type "$something"
	press Enter "\\\\$something\$"
	if [ "$every" ]; then
		k F3 '^ / '
		back
		k F4 '^ \\ '
		back
	fi
	keys '\'
	shows "^ \\\\ $something"
	keys C-u Enter
	hides "\\\\$something\$"
}

# A bar or row alone, or without it, at the row that is selected.
keys_of_only() {
	k '*' '(·|  |^).*\\[^ ]'
	keys '\'
	shows '^ \\ '
	keys C-u Enter
	shows '\? help'
	hides '\\[^ ]'
	k '!' '\\![^ ]'
	keys '\'
	shows '^ \\ '
	keys C-u Enter
	shows '\? help'
	hides '\\![^ ]'
}

# cycle KEY REGEX: again until it shows
cycle() {
	for _ in 1 2 3 4 5 6 7 8 9; do
		lines "$titles"
		seen "$2" && return
		keys "$1"
		until_true is_other || fail "$view: $1 changes no title"
	done
	fail "$view: $1 does not lead to: $2"
}

# What of rows can be filtered and found by text.
keys_of_finding() {
	first_row
	k / '^ / '
	type "$something"
	press Enter "/$something\$"
	gone_by Esc "/$something\$"
	case $few in
	*" $view "*)
		stays 1 n N
		return
		;;
	esac
	for next in n N; do
		first_row
		other $next "$selected"
	done
}

# The names of the selected row's site: of a list, of Tree, of Flame; as
# patterns.
site() {
	settled 'NR > 4' screen
	case $view in
	tree) awk -F' › ' '/^▌/ {
			sub(/.*─(─|▾|▸) /, "", $NF)
			split($NF, word, " ")
			print word[1]
		}' screen ;;
	flame) awk -F' › ' '/\[4 / {
			getline
			sub(/ +[0-9.]+% of .*/, "", $NF)
			print $NF
		}' screen ;;
	*) awk -F' ← ' '/^▌/ {
			n = split($1, word, " ")
			print word[n]
		}' screen ;;
	esac | sed 's/[][+*.()|^$\\]/\\&/g'
}

# The same stack in the other shapes, from the selected row of a list.
keys_of_shapes() {
	if [ "$dead_at_end" ]; then # what is gone has no bar
		keys '['
		shows "$then"
	fi
	first_row
	name=$(site)
	k t '\[3 '
	if [ $view = threads ]; then # that of its heaviest stack
		name=$(view=tree site)
	fi
	[ "$name" ] || fail "$view: t leads nowhere"
	shows "^▌.*$name"
	keys "$number"
	shows "\\[$number "
	k f '\[4 '
	shows "› $name +[0-9.]+% of all"
	keys "$number" F
	shows "\\[$number "
	shows "$now"
}

# The ages of what lives, where that is known, and back to what was there.
keys_of_ages() {
	settled "$titles || $tabs" at_first
	k D "$1|no ages of objects"
	for _ in 1 2 3 4 5; do
		lines "$titles || $tabs"
		cmp -s at_first before && return
		keys D
		until_true is_other || break
	done
	fail "$view: D does not lead back"
}

keys_of_source() {
	k v '^ no line is known of .*build it with -g$|is not here; set [A-Z_]+$'
	k Y 'copied the stack, [0-9]+ lines'
}

# How many there are, where that is said: in their view.
snapshots() {
	look | sed -n 's/.* \([0-9]*\) snapshots in .*/\1/p'
}

has_snapshots() {
	found=$(snapshots)
	[ "${found:-0}" -ge "$1" ]
}

# snapshots_more N: wait until there are so many more.  Old ones become fewer
# in the meantime: so many are new.
snapshots_more() {
	found=$(snapshots)
	until_true has_snapshots $((${found:-0} + $1)) ||
	    fail 'there are no more snapshots'
}

# every_interval TIME: from now on
every_interval() {
	press : '^ :  '
	type "interval $1"
	press Enter "a snapshot every $1"
}

# The ruler ends with the newest one; within a second that may be the same.
another_snapshot() {
	keys d
	sleep 0.1
	is_other
}

# At a moment that has passed, where Memory takes none by itself.
key_of_snapshot() {
	keys '['
	shows "$then"
	note d
	lines "$ruler"
	until_true another_snapshot || fail "$view: d takes no snapshot"
	keys F
	shows "$now"
}

# What a process is for, and leaving.
keys_of_process() {
	if [ ! "$live" ]; then
		k d 'there is no process to ask'
		k w 'there is no process to record'
		k F9 'there is no program of ours to end'
		k q '^prompt>'
		again
		return
	fi
	key_of_snapshot
	k w '^ record to heaptop-[0-9]+\.htd\.gz'
	back
	for leave in F9 q C-c F10; do
		k $leave 'is still running'
		back
	done
}

# rules_to COLUMN: the ruler ends there, so all is drawn for that width
rules_to() {
	look | awk "$ruler" | grep -q -E "^.{$1}\$"
}

# Plumbing is told of where the terminal is wide.
keys_of_plumbing() {
	resize 200x45
	until_true rules_to 199 || fail "$view: it does not become wide"
	for how in shown hidden; do
		note p
		keys p 1
		shows "^\\[1 .*plumbing $how"
		keys "$number"
		shows "\\[$number "
	done
	resize "$size"
	until_true rules_to $((${size%x*} - 1)) ||
	    fail "$view: it does not become narrow"
}

# The detail of the selected row, over the screen or in its pane.
keys_of_detail() {
	k Enter '^▌#0 '
	gone_by Esc '^▌#0 '
	k Tab 'frame 0 of|heaviest of'
	gone_by Esc 'frame 0 of|heaviest of'
}

keys_of_rows() {
	other S "$titles"
	other S "$titles"
	keys_of_moves
	keys_of_finding
	keys_of_shapes
	keys_of_source
	keys_of_ages ' AGE|SURVIVING'
	keys_of_plumbing
	for aside in $lefts $rights; do
		nothing "$aside"
	done
}

keys_of_grouping() {
	k g 'by function'
	keys g g g g g
	shows 'by stack'
}

keys_of_top() {
	keys_of_grouping
	k s 'CHANGE▼'
	cycle s 'LIVE▼'
	[ "$every" ] && k F6 'CHANGE▼' && cycle s 'LIVE▼'
	keys_of_rows
	keys_of_metric 'live objects' 'live bytes'
	keys_of_keeping
	keys_of_only
	keys_of_detail
}

keys_of_growth() {
	keys_of_grouping
	other s "$titles"
	cycle s 'CHANGE▼'
	[ "$every" ] && other F6 "$titles" && cycle s 'CHANGE▼'
	other r "$titles"
	other r "$titles"
	k u '\(u to show\)'
	gone_by u '\(u to show\)'
	keys_of_rows
	keys_of_metric 'live objects' 'live bytes'
	keys_of_keeping
	keys_of_only
	keys_of_detail
}

keys_of_tree() {
	keys_of_moves
	k i 'callees → callers'
	keys i
	shows 'callers → callees'
	other c "$body"
	other c "$body"
	first_row
	for aside in $lefts; do
		gone_by $aside '[├└]'
		k "$(to_right $aside)" '[├└]'
	done
	keys +
	hides '[├└]─▸'
	k - '[├└]─▸'
	gone_by + '[├└]─▸'
	keys_of_metric 'OBJECTS▼' 'LIVE▼'
	keys_of_finding
	until_true is_below || fail "$view: N leads to the first row"
	other z "$body"
	other Backspace "$body"
	keys_of_ages 'CHANGE▼|AGE'
	keys_of_keeping
	keys_of_source
	keys_of_plumbing
	first_row
	row Down 2
	keys_of_only
	keys_of_detail
	name=$(site)
	k f '\[4 '
	shows "› $name +[0-9.]+% of all"
	keys "$number"
	shows "\\[$number "
}

# What is beside a bar.
keys_of_sides() {
	# shellcheck disable=SC2086
	set -- $sideways
	k / '^ /  '
	type "$1"
	press Enter ' found '
	shows "(^| › )[^ ]*$1 +[0-9.]+% of all"
	gone_by Esc ' found '
	shift
	for aside; do
		k "${aside%%=*}" "(^| › )${aside#*=} +[0-9.]+% of all"
	done
}

keys_of_flame() {
	keys_of_moves
	k i 'callees ↓ callers'
	keys i
	shows 'callers ↓ callees'
	keys_of_metric 'live objects' 'live bytes'
	keys_of_sides
	first_row
	row Down 2
	other z "$body"
	k Backspace '^ [▏▌]all'
	k / '^ /  '
	type "$something"
	press Enter '[0-9]+ of [0-9]+ found'
	for next in n N; do
		first_row
		other $next "$crumb"
	done
	gone_by Esc ' found '
	k Enter '^ ▌'
	other Esc "$body"
	keys_of_ages 'change A→B|median age'
	keys_of_keeping
	keys_of_source
	keys_of_plumbing
	last_row
	keys_of_only
	first_row
	row Down 2
	k Tab 'heaviest of'
	gone_by Esc 'heaviest of'
	last_row
	name=$(site)
	[ "$name" ] || fail "$view: no bar is selected"
	k t '\[3 '
	shows "^▌.*$name"
	keys 4
	shows '\[4 '
}

# From the end upwards; below the gap is the first snapshot, and the peak if
# that is old.
to_last_gap() {
	last_row
	settled "$body" screen
	up=$(awk '/ ⋮ / { gap = NR } /^▌/ { at = NR } END { print at - gap }' \
	    screen)
	for _ in $(seq "$up"); do
		keys Up
	done
}

keys_of_snapshots() {
	keys_of_moves
	last_row
	k Enter "$then10"
	k Esc "$now"
	if [ "$live" ]; then # there are gaps, if there are more than rows
		every_interval 100ms
		for _ in 1 2 3 4; do
			snapshots_more 10
		done
		every_interval 1h
		first_row
		gone_by + ' ⋮ '
		k - ' ⋮ '
		for aside in $lefts; do
			to_last_gap
			shows '^▌ +⋮ '
			other "$(to_right $aside)" "$body"
			other $aside "$body"
		done
	else
		nothing -
		nothing +
		for aside in $lefts $rights; do
			nothing "$aside"
		done
	fi
	nothing Tab
}

keys_of_threads() {
	k g 'rows are threads here'
	other s "$titles"
	cycle s 'LIVE▼'
	[ "$every" ] && other F6 "$titles" && cycle s 'LIVE▼'
	keys_of_rows
	keys_of_metric 'live objects' 'live bytes'
	keys_of_keeping
	k ! 'a thread cannot be hidden'
	k '*' 'esc shows all'
	keys Enter
	shows 'all threads again'
	k Enter 'esc shows all'
	gone_by Esc '\[6 .*  thread '
	nothing Tab
}

keys_of_memory() {
	keys_of_moves
	for aside in $lefts $rights; do
		nothing "$aside"
	done
	nothing Tab
	nothing Enter
}

# ---- all of it -------------------------------------------------------------------

# From each view to each other: seven is a prime, so steps of one to six views
# lead through all.
keys_of_tabs() {
	for step in 1 2 3 4 5 6; do
		number=1
		for _ in 1 2 3 4 5 6 7; do
			set -- top growth tree flame snapshots threads memory
			shift $((number - 1))
			view=$1
			number=$(((number + step - 1) % 7 + 1))
			note "$number"
			keys "$number"
			shows "\\[$number "
		done
		keys 1
		shows '^\[1 '
	done
}

hints_at() {
	look | sed -n "$1p" | grep -q '? help'
}

# In smaller and larger terminals it is drawn again.
sizes_of_view() {
	for other_size in 60x15 80x24 160x40 "$size"; do
		resize "$other_size"
		until_true hints_at "${other_size#*x}" ||
		    fail "$view: no hints in $other_size"
		shows "\\[$number "
	done
}

# click_on TEXT [AWK]: there, in the line that AWK chooses; what is before it
# in the line is ASCII
click_on() {
	place=$(look | awk -v text="$1" "${2:-1} {"'
		if (x = index($0, text)) { print x, NR; exit }
	}')
	[ "$place" ] || fail "the screen does not show, to click on: $1"
	# shellcheck disable=SC2086
	click $place
}

# By mouse: the tab, a row and again, a moment of the timeline, a title.
mouse_in_view() {
	keys $((number % 6 + 1)) # not Memory, which takes snapshots
	hides "\\[$number "
	click_on "$number " "$tabs"
	shows "\\[$number "
	first_row
	top=$(look | awk "$tabs { print NR + 2; exit }")
	case $few in
	*" $view "*) ;;
	*)
		click 4 $((top + 1))
		until_true is_row 2 || fail "$view: a click does not select"
		;;
	esac
	case $view in
	top | growth)
		click 4 $((top + 1))
		shows '^▌#0 '
		gone_by Esc '^▌#0 '
		;;
	threads)
		click 4 $((top + $(selected_row) - 1))
		shows 'esc shows all'
		gone_by Esc '\[6 .*  thread '
		;;
	flame)
		click 4 $((top + 1))
		hides '^ [▏▌]all'
		k Backspace '^ [▏▌]all'
		;;
	esac
	click "$past" 3
	shows "$clicked"
	keys F
	shows "$now"
	case $view in
	top) click_on 'CHANGE' && shows 'CHANGE▼' && cycle s 'LIVE▼' ;;
	threads) click_on 'OBJS' && shows 'OBJS▼' && cycle s 'LIVE▼' ;;
	growth)
		click_on CHANGE
		shows 'CHANGE▲'
		cycle r 'CHANGE▼'
		press u '\(u to show\)'
		;;
	esac
}

# The command that opens it.
command_of_view() {
	[ "$number" = 1 ] || keys 1
	[ "$number" = 1 ] && keys 2
	hides "\\[$number "
	press : '^ :  '
	type "$view"
	press Enter "\\[$number "
}

keys_of_view() {
	view "$1"
	keys_of_all
	"keys_of_$1"
	mouse_in_view
	[ ! "$live" ] || sizes_of_view
	keys_of_process
	command_of_view
}

# The keys of the table, as lines "top F6"; those of one action are lines of
# one number.
table_keys() {
	awk '
	function holds(set,   n, i, part, not, sign, word, out) {
		n = split(set, part, " ")
		out = ""
		for (i = 1; i <= n; i++) {
			word = part[i]
			if (word == "|" || word == "&") {
				sign = word
				continue
			}
			not = sub(/^~/, "", word)
			if (word ~ /^IN\(/) {
				sub(/^IN\(/, "", word)
				sub(/\)$/, "", word)
				word = " " tolower(word) " "
			} else
				word = word == "IN_ALL" ? all : sets[word]
			if (sign == "&" && not)
				out = without(out, word)
			else
				out = out word
		}
		return out
	}
	function without(from, what,   n, i, part, out) {
		n = split(from, part, " ")
		out = " "
		for (i = 1; i <= n; i++)
			if (!index(what, " " part[i] " "))
				out = out part[i] " "
		return out
	}
	BEGIN {
		all = " top growth tree flame snapshots threads memory detail"
		all = all " output over "
		views = " top growth tree flame snapshots threads memory "
	}
	{
		while (sub(/\\$/, "") && (getline more) > 0)
			$0 = $0 more
	}
	/^#define IN_[A-Z]+ / && $2 != "IN_ALL" {
		set = $0
		sub(/^#define [A-Z_]+ +\(/, "", set)
		sub(/\)$/, "", set)
		sets[$2] = holds(set)
	}
	/^#define ACTIONS/ {
		n = split($0, part, / X\(|\tX\(/)
		for (i = 2; i <= n; i++) {
			split(part[i], field, "\"")
			keys = field[2]
			if (keys == "\\\\ F4")
				keys = "\\ F4"
			set = field[3]
			sub(/^, */, "", set)
			sub(/, [A-Z]+, *$/, "", set)
			m = split(keys, key, " ")
			w = split(holds(set), where, " ")
			for (j = 1; j <= w; j++)
				if (index(views, " " where[j] " "))
					for (l = 1; l <= m; l++)
						if (!seen[i, j, l, where[j]]++)
							print i, where[j], key[l]
		}
	}' "$SRC/ui/keymap.h" | sort -u
}

# Every key, or (all_keys) one of each action, in each view
all_keys() {
	table_keys >table
	[ "$(wc -l <table)" -gt 300 ] || fail 'the table of keys was not read'
	awk -v every="$every" '
	FILENAME == "pressed" { pressed[$1 " " $2] = 1; next }
	{ missing[$1 " " $2] = missing[$1 " " $2] " " $3 }
	$2 " " $3 in pressed { some[$1 " " $2] = 1; next }
	every { print "in " $2 " nobody has pressed " $3 }
	END {
		if (every) exit
		for (a in missing) if (!(a in some))
			print "nobody has pressed" missing[a] " in " a
	}' pressed table >missing
	[ -s missing ] && fail "$(cat missing)"
	return 0
}
