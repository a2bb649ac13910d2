# Each key of Top in a real terminal, on a program whose heap is known to the
# byte: what must be seen after it, which was not there before.  Keys that
# write files are in screen_write.sh, those of the output in screen_output.sh.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# rows PATTERN...: the rows below the titles match these, in this order, and
# there are no more of them
are_rows() {
	look | awk '/▼|▲/ { on = 1; next } /^─ / { on = 0 } on && NF' >rows
	[ "$(wc -l <rows)" = $# ] || return 1
	for pattern; do
		IFS= read -r row
		echo "$row" | grep -q -E -e "$pattern" || return 1
	done <rows
}

rows() {
	until_true are_rows "$@" || fail "these are not the rows: $*"
}

# The command line: command TEXT REGEX
command_line() {
	press : '^ :  '
	type "$1"
	press Enter "$2"
}

HEAPTOP_SOURCE_PATH=$SRC # the compiler may have had a relative name
export HEAPTOP_SOURCE_PATH
screen 120x30 "$HEAPTOP" --exact --interval=100ms --target-output=log \
    "$obeys" "$orders"
shows 'Waiting for the first sample'
tell apple 3072
tell pear 2048
tell plums 1024
rows '^▌ +3\.0 MiB  50\.0 █+ +\+3\.0 MiB +1  apple ← obey ← main' \
    '^  +2\.0 MiB  33\.3 █.* +\+2\.0 MiB +1  pear ← basket ← obey ← main' \
    '^  +1\.0 MiB  16\.7 █.* +\+1\.0 MiB +1024  plum ← obey ← main'
shows '^ live 6\.0 MiB .* 1026 objects .* exact'
shows 'pid [0-9]+  up .*  1 thread    ● live  every 100ms$'
shows '^\[1 Top\] .* live bytes · by stack · since start$'
shows '^ ↵ open  / filter .* \? help  .* 1–3 of 3$'

# What is measured.  As long as none was chosen the first row is selected,
# then the one that was.
press m 'live objects · by stack'
shows '^▌ +1024 .*plum'
keys m m m
shows ' live bytes · by stack'
press Down '^▌ +2\.0 MiB .*pear'
press Up '^▌ +3\.0 MiB .*apple'
press m 'live objects · by stack'
rows '^  +1024  99\.8 █+ .*plum' '^▌ +1   0\.1 .*apple' \
    '^  +1   0\.1 .*pear'
press m 'allocated bytes · by stack'
rows '^▌ +3\.0 MiB .*apple' '2\.0 MiB .*pear' '1\.0 MiB .*plum'
press m 'allocated objects · by stack'
rows '1024 .*plum' '^▌ +1 .*apple' '1 .*pear'
press m ' live bytes · by stack'

# How it is grouped.
press g 'by function'
shows '^▌ +3\.0 MiB .* apple( .*obeys\.c:[0-9]+)?$'
shows '^  +2\.0 MiB .* pear( .*obeys\.c:[0-9]+)?$'
press g 'by line'
shows '^▌ +3\.0 MiB .* apple( .*obeys\.c:[0-9]+)?$'
press g 'by file'
shows '^▌ +6\.0 MiB 100\.0 .*/obeys\.c$'
press g 'by library'
shows '^▌ +6\.0 MiB 100\.0 .* obeys$'
press g 'by thread'
shows '^▌ +6\.0 MiB 100\.0 .* obeys$'
press g 'by stack'

# The order.
press s ' CHANGE▼'
press s ' OBJS▼'
rows '1\.0 MiB .*plum' '3\.0 MiB .*apple' '2\.0 MiB .*pear'
press S ' OBJS▲'
rows '.*' '.*' '1\.0 MiB .*plum'
press S ' OBJS▼'
press s 'SITE ← CALLERS ▲'
rows apple pear plum
press s ' LIVE▼'
press F6 ' CHANGE▼'
keys F6 F6 F6
shows ' LIVE▼'

# Moving, and the detail below the list.
press Down '^▌ +2\.0 MiB .*pear'
shows '^─ pear +.*obeys\.c:[0-9]+ ─+ 1 sample +exact'
shows '2\.0 MiB live, 1 object.*#0 pear '
press End '^▌ +1\.0 MiB .*plum'
press k '^▌ +2\.0 MiB .*pear'
press Home '^▌ +3\.0 MiB .*apple'
press j '^▌ +2\.0 MiB .*pear'
press PageDown '^▌ +1\.0 MiB .*plum'
press PageUp '^▌ +3\.0 MiB .*apple'
for down in G C-f C-d NPage End; do
	press $down '^▌ +1\.0 MiB .*plum'
	press Home '^▌ +3\.0 MiB .*apple'
done
for up in C-b C-u PPage Home; do
	press G '^▌ +1\.0 MiB .*plum'
	press $up '^▌ +3\.0 MiB .*apple'
done
press Tab 'frame 0 of 6$'
press Down 'frame 1 of 6$'
press Tab '1–3 of 3$'

# The detail over the whole screen, with the source.
press Enter 'stack 1 of 3 · esc back'
shows '^▌#0 apple +.*obeys\.c:[0-9]+ +obeys$'
shows '[0-9]+ ▸ +kept = put\(&apples, malloc\(size\)\);'
press Down '^▌#1 obey '
shows '[0-9]+ ▸ +apple\(\(size_t\)n << 10\);'
press Escape '1–3 of 3$'

# Filters: while one types, what matches stays; ! turns it round; esc ends it.
press / '^ / '
type pea
rows '^▌ +2\.0 MiB .*pear' '^  +4\.0 MiB  66\.7 .*… 2 stacks not matching'
shows '^ / pea.* 1 of 3 stacks +2\.0 MiB +33\.3%'
press Enter 'stack.*  /pea$'
press Escape '1–3 of 3$'
hides '/pea$'
press / '^ / '
keys C-u
type '!pea'
rows '3\.0 MiB .*apple' '1\.0 MiB .*plum' '2\.0 MiB .*… 1 stack not'
press Enter 'stack.*  /!pea$'
press Escape '1–3 of 3$'
press '\' '^ \\ '
type basket
press Enter '\\basket$'
rows '^▌ +2\.0 MiB .*pear' '4\.0 MiB .*… 2 stacks not matching'
escape # which does not end this one
shows '\\basket$'
press '\' '^ \\ basket'
keys C-u
press Enter '1–3 of 3$'
press '*' '\\.pear.$'
rows '^▌ +2\.0 MiB .*pear' '4\.0 MiB .*… 2 stacks not matching'
press '\' '^ \\ .*pear'
keys C-u
press Enter '1–3 of 3$'
press '!' '\\!.pear.$'
rows '3\.0 MiB .*apple' '1\.0 MiB .*plum' '2\.0 MiB .*… 1 stack not matching'
press '\' '^ \\ '
keys C-u
press Enter '1–3 of 3$'
press F3 '^ / '
press Escape '1–3 of 3$'
press F4 '^ \\ '
press Escape '1–3 of 3$'
press / '^ / '
type 'pear|plum'
press Enter 'stack.*  /pear\|plum$'
press Escape '1–3 of 3$'
press Home '^▌ +3\.0 MiB .*apple'
press n '^▌ +2\.0 MiB .*pear'
press n '^▌ +1\.0 MiB .*plum'
press N '^▌ +2\.0 MiB .*pear'

# Time: a mark, what has changed since, another, and the two swapped.
press a 'A→B$'
rows '  ·  .*apple' '  ·  .*pear' '  ·  .*plum'
shows '^ 0:0.*A [0-9]+:[0-9][0-9]'
tell pear 4096
rows '6\.0 MiB .* \+4\.0 MiB +2  pear' '3\.0 MiB .* · .*apple' \
    '1\.0 MiB .* · .*plum'
press b '◆ at [0-9]+:[0-9][0-9]( |$)'
tell drop apple
told
shows '^ live 10\.0 MiB '
press x '^ live 6\.0 MiB ' # we look at B, which was A
rows '3\.0 MiB .*apple' '2\.0 MiB .* -4\.0 MiB .*pear' '1\.0 MiB .*plum'
press x '^ live 10\.0 MiB '
press F '● live  every 100ms$'
shows '^ live 7\.0 MiB '
rows '6\.0 MiB .*pear' '1\.0 MiB .*plum' '· .* -3\.0 MiB .*apple'

# Back and forth: with a snapshot an hour there is just what d takes.
command_line 'interval 1h' 'a snapshot every 1h 0m'
shows '● live  every 1h 0m$'
tell apple 10240
told
press d '^ live 17\.0 MiB '
tell apple 10240
told
press d '^ live 27\.0 MiB '
press '[' '^ live 17\.0 MiB '
shows '◆ at [0-9]+:[0-9][0-9]( |$)'
press '[' '^ live 7\.0 MiB '
press ']' '^ live 17\.0 MiB '
press ']' '● live  every 1h 0m$'
shows '^ live 27\.0 MiB '
press '{' '◆ at '
press '}' '● live  every 1h 0m$'

# Paused, the screen holds.
press Space '‖ paused 0:0'
tell drop apple
told
keys d
shows '^ live 27\.0 MiB '
press Space '^ live 7\.0 MiB '

# How it is sampled.
command_line 'sample 4K' '1/4 KiB from now on'
shows '^ live .* 1/4 KiB '
command_line 'active off' 'sampling is off'
tell plum 30720
told
press d '^ live 37\.0 MiB .* sampling off '
shows '1\.0 MiB .*plum' # what nobody looked at is in the total alone
command_line 'active on' 'sampling is on'
tell plum 102400 # a thread that was off notices within 64 MiB
tell plum 30720
told
press d '^ live 167\.0 MiB .* 1/4 KiB'
shows '^. +(30|130)\.. MiB .*plum'
command_line 'sample 7x' 'sample wants a size from 1 to 1T'
command_line 'dance' 'dance: no such command'

# Another process.
command_line 'interval 100ms' 'a snapshot every 100ms'
press P 'there is no other process'
tell child 204800
shows '^ heaptop .* 2 of 2 '
shows '200\.0 MiB .*child_block ← child'
press P ' 1 of 2 '
hides 'child_block'
press P 'child_block'
press P ' 1 of 2 '

# The mouse: a row, and again; the detail; a moment of the timeline.
press End '^▌ +1\.0 MiB .*plum'
click 20 8
shows '^▌ +6\.0 MiB .*pear'
click 20 8
shows 'stack 2 of 3 · esc back'
press Escape '^\[1 Top\].*by stack'
click 60 26
shows 'frame 0 of'
press Escape '1–'
click 3 3
shows '◆ at 0:0'
press F '● live'

# Drawn again after something has spoiled it.
tm send-keys -t t -R
keys C-l
shows '^\[1 Top\]'

# Commands that keys have too.
command_line 'mark a' 'A [0-9]+:[0-9][0-9]'
command_line 'metric live obj' 'live objects · by stack'
command_line 'metric live byt' 'live bytes · by stack'
command_line 'group library' 'by library'
command_line 'group stack' 'by stack'
command_line 'filter pear' ' /pear$'
command_line 'filter' '1–[23] of [23]$'
command_line 'at 0:01' '◆ at 0:0'
command_line 'at live' '● live'
command_line 'at never' 'a moment is such as 9:15'
command_line 'top x' 'x: nothing may follow this'
command_line help 'COMMANDS, behind :'
keys Escape
hides '┌─ Keys ─'

# Help, by the table of the keys.
press F1 '┌─ Keys ─'
shows 'MEASURE'
press G 'leave +│'
press Home 'VIEWS'
keys Escape
hides '┌─ Keys ─'

# Leaving: it is asked; esc stays, Enter leaves the program running.
pid=$(watched | head -n 1)
press q 'obeys is still running\.   t terminate   ↵ leave it running'
shows '   esc stay$'
press Escape '/ filter'
press F9 'is still running'
# nothing that moves is an answer
keys Down Up G Home PageDown j k C-d C-u Left Right
shows 'is still running'
press Escape '/ filter'
press F10 'is still running'
press Escape '/ filter'
press C-c 'is still running'
keys Enter
left 'exit 0'
restored
prints 'goes on running; heaptop -p [0-9]+ watches it again'
lives "$pid"

# Watched again from outside, nothing is asked.
screen 80x24 "$HEAPTOP" -p "$pid"
shows 'plum ← obey'
keys q
left 'exit 0'
restored
lives "$pid"
kill_watched

# And t ends it.
screen 80x24 "$HEAPTOP" --exact "$obeys" "$orders"
tell apple 1024
shows apple
pid=$(target)
press q 'is still running'
keys t
left 'signal 15'
gone "$pid"

# Asked for before the first sample, it is told when the program begins.
screen 80x24 "$HEAPTOP" "$obeys" "$orders"
shows 'Waiting for the first sample'
press : '^ :  '
type 'sam'
press Tab '^ : sample '
type '4K'
press Enter 'kept for when the program allocates'
shows '1/4 KiB$'
tell plums 20480
shows '^ live .* 1/4 KiB$'
shows 'plum ← obey'
