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
#	other KEY [AWK]  ... and the screen (the lines that AWK prints) is another
#	and_row KEY N    ... and the N-th row is selected, or is it still
#	back             Esc, out of what was opened: its frame or prompt goes
#	all_keys         fail if an action that holds in a view was not done there
#	                 by one of its keys, or with every=yes by each of them
#
# The table below, keys_of_*, is what all kinds of sources have in
# common.  What they differ in are variables:
#	now then then10     the state with the newest snapshot, and after [ and {
#	past clicked        a column of the timeline, and the state after a click
#	live                yes: there is a process
#	dead_at_end         yes: of the first rows of Growth nothing lives then
#	sideways            keys of Flame from the end of the widest bars; not live
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
	and_row "$1" "$2"
}

and_row() {
	note "$1"
	keys "$key"
	until_true is_row "$2" || fail "$view: after $1 row $2 is not selected"
}

below() {
	until_true is_row 1 || fail "$view: before $1 it is not the first row"
	note "$1"
	keys "$key"
	until_true is_below || fail "$view: after $1 it is the first row still"
}

# lines AWK: the screen as it is now, for is_other
lines() {
	part=$1
	look | awk "$part" >before
}

is_other() {
	look | awk "$part" | cmp -s - before && return 1
	return 0
}

other() {
	note "$1"
	lines "${2:-1}"
	keys "$key"
	until_true is_other || fail "$view: $1 changes nothing ($part)"
}

# What is opened shows one of these, and no view does.
over='· esc back|esc (cancel|clear|stay)|┌─ |^ :  |^ [/\\] '

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

# Lines of the screen: column titles; the selected row; Flame's crumbs; what
# the view draws; the ruler
titles='/▼|▲/'
selected='/^▌/'
crumb='/% of (all|the top bar)/'
body='NR > 5'
ruler='/^ (A |B |◆ )?[0-9][0-9:]* [─━]|[─━].*[0-9] *$/ && !/─ ─/'

# What does the same in every view.
keys_of_all() {
	if [ $view = growth ] && seen '\(u to show\)'; then # so that there are rows
		keys u
		hides '\(u to show\)'
	fi
	# from the first row, wherever that is
	keys Home
	until_true is_row 1 || fail "$view: Home does not lead to the first row"

	nothing "$number"
	k '[' "$then"
	k ']' "$now"
	k '{' "$then10"
	k '}' "$now"
	keys '['
	shows "$then"
	k F "$now"
	other a "$ruler"
	keys '{'
	shows "$then10"
	note b # which without it would be the moment that is shown
	keys b 5 ']'
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
	type 'clear; fg'
	keys Enter
	shows "\\[$number "
	shows "$now"
}

keys_of_moves() {
	keys Home
	until_true is_row 1 || fail "$view: Home does not lead to the first row"
	case $few in
	*" $view "*)
		for move in Down j PgDn C-f C-d End G Up k PgUp C-b C-u Home; do
			and_row $move 1
		done
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
	k '!' '\\![^ ]'
	keys '\'
	shows '^ \\ '
	keys C-u Enter
	hides '\\![^ ]'
}

# cycle KEY REGEX: again until it shows
cycle() {
	for _ in 1 2 3 4 5 6 7 8 9; do
		seen "$2" && return
		lines "$titles"
		keys "$1"
		until_true is_other || fail "$view: $1 changes no title"
	done
	fail "$view: $1 does not lead to: $2"
}

# What of rows can be filtered and found by text.
keys_of_finding() {
	keys Home
	until_true is_row 1
	k / '^ / '
	type "$something"
	press Enter "/$something\$"
	gone_by Esc "/$something\$"
	case $few in
	*" $view "*)
		and_row n 1
		and_row N 1
		return
		;;
	esac
	for next in n N; do
		keys Home
		until_true is_row 1
		other $next "$selected"
	done
}

# The names of the selected row's site: of a list, of Tree, of Flame; as
# patterns.
site() {
	case $view in
	tree) look | awk -F' › ' '/^▌/ {
			sub(/.*─(─|▾|▸) /, "", $NF)
			split($NF, word, " ")
			print word[1]
		}' ;;
	flame) look | awk -F' › ' '/\[4 / {
			getline
			sub(/ +[0-9.]+% of .*/, "", $NF)
			print $NF
		}' ;;
	*) look | awk -F' ← ' '/^▌/ {
			n = split($1, word, " ")
			print word[n]
		}' ;;
	esac | sed 's/[][+*.()|^$\\]/\\&/g'
}

# The same stack in the other shapes, from the selected row of a list.
keys_of_shapes() {
	if [ "$dead_at_end" ]; then # what is gone has no bar
		keys '['
		shows "$then"
	fi
	keys Home
	until_true is_row 1
	name=$(site)
	k t '\[3 '
	if [ $view = threads ]; then # that of its heaviest stack
		name=$(view=tree site)
	fi
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
	look | awk "$titles" >at_first
	k D ' AGE|SURVIVING|no ages of objects'
	for _ in 1 2 3 4 5; do
		look | awk "$titles" | cmp -s - at_first && return
		lines "$titles"
		keys D
		until_true is_other || break
	done
	fail "$view: D does not lead back"
}

keys_of_source() {
	k v '^ no line is known of .*build it with -g$|is not here; set [A-Z_]+$'
	k Y 'copied the stack, [0-9]+ lines'
}

# Within a second it may show the same.
another_snapshot() {
	keys d
	sleep 0.1
	is_other
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
	note d
	lines 1
	until_true another_snapshot || fail "$view: d changes nothing"
	k w '^ record to heaptop-[0-9]+\.htd\.gz'
	back
	for leave in F9 q C-c F10; do
		k $leave 'is still running'
		back
	done
}

# Plumbing is told of where the terminal is wide.
keys_of_plumbing() {
	resize 200x45
	shows "\\[$number "
	for how in shown hidden; do
		note p
		keys p 1
		shows "^\\[1 .*plumbing $how"
		keys "$number"
		shows "\\[$number "
	done
	resize "$size"
	shows "\\[$number "
}

# The detail of the selected row, over the screen or in its pane.
keys_of_detail() {
	k Enter '^▌#0 '
	gone_by Esc '^▌#0 '
	k Tab 'frame 0 of|heaviest of'
	gone_by Esc 'frame 0 of|heaviest of'
}

# A view that has no use for the key stays as it is.
nothing() {
	if [ $view = memory ]; then # which is of this second
		and_row "$1" "$(selected_row)"
		shows '\[7 '
		return
	fi
	note "$1"
	press : '^ :  ' # which is taken after what there was before
	back
	for _ in 1 2 3 4 5; do # names may still come
		lines 'NR > 4'
		keys "$key"
		press : '^ :  '
		back
		is_other || return 0
	done
	fail "$view: $1 does something"
}

keys_of_rows() {
	other S "$titles"
	other S "$titles"
	keys_of_moves
	keys_of_finding
	keys_of_shapes
	keys_of_source
	keys_of_ages
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
	keys Home
	until_true is_row 1
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
	until_true is_below
	other z "$body"
	other Backspace "$body"
	k D 'CHANGE▼|AGE|no ages of objects'
	keys D D D
	keys_of_keeping
	keys_of_source
	keys_of_plumbing
	keys Home
	until_true is_row 1
	row Down 2
	keys_of_only
	keys_of_detail
	name=$(site)
	k f '\[4 '
	shows "› $name +[0-9.]+% of all"
	keys "$number"
	shows "\\[$number "
}

# Whether a key changes the crumb, within a second.
moves_aside() {
	note "$1"
	lines "$crumb"
	keys "$1"
	for _ in 1 2 3 4 5; do
		is_other && return 0
		sleep 0.2
	done
	return 1
}

# What is beside a bar of a program that runs is not known: from the end
# upwards until there is something, then there and back.
aside() {
	for _ in $(seq 12); do
		if moves_aside Right; then
			back='Left h' on=l
			break
		elif moves_aside Left; then
			back='Right l' on=h
			break
		fi
		keys Up
	done
	# shellcheck disable=SC2086 # two keys
	set -- $back
	other "$1" "$crumb"
	if [ "$every" ]; then
		other $on "$crumb"
		other "$2" "$crumb"
	fi
	note Left
	note Right
}

keys_of_flame() {
	keys_of_moves
	k i 'callees ↓ callers'
	keys i
	shows 'callers ↓ callees'
	keys_of_metric 'live objects' 'live bytes'
	keys End
	until_true is_below
	if [ "$live" ]; then
		aside
	else
		for aside in $sideways; do
			other "$aside" "$crumb"
		done
	fi
	keys Home
	until_true is_row 1
	keys Down
	until_true is_row 2
	other z "$body"
	k Backspace '^ [▏▌]all'
	k / '^ /  '
	type "$something"
	press Enter '[0-9]+ of [0-9]+ found'
	for next in n N; do
		keys Home
		until_true is_row 1
		other $next "$crumb"
	done
	gone_by Esc ' found '
	k Enter '^ ▌'
	other Esc "$body"
	k D 'change A→B|median age|no ages of objects'
	keys D D D
	keys_of_keeping
	keys_of_source
	keys_of_plumbing
	keys End
	until_true is_below
	keys_of_only
	keys Home Down
	until_true is_row 2
	k Tab 'heaviest of'
	gone_by Esc 'heaviest of'
	keys Home
	until_true is_row 1
	keys End
	until_true is_below
	name=$(site)
	k t '\[3 '
	shows "^▌.*$name"
	keys 4
	shows '\[4 '
}

keys_of_snapshots() {
	keys_of_moves
	keys End
	until_true is_below
	k Enter "$then10"
	k Esc "$now"
	if [ "$live" ]; then # there are gaps
		keys Home
		until_true is_row 1
		gone_by + ' ⋮ '
		k - ' ⋮ '
		for aside in $lefts; do
			keys End
			until_true is_below
			keys Up
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

# click_on TEXT [LINE]: there, in the line that matches; what is before it in
# the line is ASCII
click_on() {
	place=$(look | awk -v text="$1" -v line="${2:-.}" '
		$0 ~ line && (x = index($0, text)) { print x, NR; exit }')
	[ "$place" ] || fail "the screen does not show, to click on: $1"
	# shellcheck disable=SC2086
	click $place
}

# By mouse: the tab, a row and again, a moment of the timeline, a title.
mouse_in_view() {
	click_on "$number " '\[[1-7] '
	shows "\\[$number "
	top=$(look | awk '/\[[1-7] / { print NR + 2; exit }')
	keys Home
	until_true is_row 1
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
