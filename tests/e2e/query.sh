# What is left out of reports, and what is said of it.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# Three stacks of 1 byte a sample, so figures are exact: "a" 64 blocks of 1 MiB
# under "top", "b" 2048 of 8 KiB under "top", "c" 8192 of 512 B alone, by
# another thread.
cat >d.heap <<'END'
--- symbol
binary=/nowhere/prog
0x0000000000000fff a
0x0000000000001fff b
0x0000000000002fff c
0x0000000000003fff top
---
--- heap
heap_v2/1
  t*: 10304: 88080384 [0: 0]
  t0: 2112: 83886080 [0: 0]
  t5: 8192: 4194304 [0: 0]
@ 0xfff 0x4000
  t*: 64: 67108864 [0: 0]
  t0: 64: 67108864 [0: 0]
@ 0x1fff 0x4000
  t*: 2048: 16777216 [0: 0]
  t0: 2048: 16777216 [0: 0]
@ 0x2fff
  t*: 8192: 4194304 [0: 0]
  t5: 8192: 4194304 [0: 0]

MAPPED_LIBRARIES:
00000000-00010000 r-xp 00000000 08:01 1 /nowhere/prog
END

# has NAMES NOT OPTION...: a row for each of the first, for none of the second
has() {
	names=$1 not=$2
	shift 2
	"$HEAPTOP" --text "$@" d.heap >out 2>err || fail "$*: status $?"
	for name in $names; do
		grep -q " $name\$" out || fail "$*: no $name"
	done
	for name in $not; do
		! grep -q " $name\$" out || fail "$*: $name is there"
	done
}

# says PATTERN: on stderr, as a sentence
says() {
	grep -q -e "^heaptop: $1" err || fail "not said: $1"
}

has 'a b c top' ''
! grep -q leaves err || fail 'something said of no filter'

# Stacks.
has 'a top' 'b c' --focus='^a$'
grep -q '^Total: 84.0 MB' out || fail 'the total is not the whole'
grep -q "^After focusing on '^a\\$': 64.0 MB of 84.0 MB (76.2%)" out ||
    fail 'not said what is left'
! grep -q leaves err || fail 'most is left, and yet it is said'
has 'c' 'a b top' --ignore=top
says '--ignore=top leaves 4.0 MiB of 84.0 MiB (4.8%)'
has 'b top' 'a c' --focus=top --ignore='^a$'
says '--focus=top, --ignore=^a\$ leave 16.0 MiB of 84.0 MiB (19.0%)'
has '' 'a b c top' --focus=nothing
says '--focus=nothing leaves nothing of 84.0 MiB'

# Frames; jeprof's names do the same.
for show in --show --retain; do
	has 'a' 'b c top' $show='^a$'
	says '--show=^a\$ leaves 64.0 MiB of 84.0 MiB (76.2%)'
done
for hide in --hide --exclude; do
	has 'a b c' top $hide=top
	has 'b top' 'a c' $hide='^[ac]$'
done
has 'c' 'a b top' --hide='top|^[ab]$'
says '--hide=.* leaves 4.0 MiB of'

# Sizes: at least, and below; what falls on a limit falls into one report.
sum=0
for sizes in '--max-size=1K' '--min-size=1K --max-size=8K' \
    '--min-size=8K --max-size=1M' '--min-size=1M'; do
	# shellcheck disable=SC2086 # two options
	has '' '' $sizes
	says ".*average"
	part=$(sed -n 's/^Total: \(.*\)\.0 MB$/\1/p' out)
	sum=$((sum + ${part:-0}))
done
[ $sum = 84 ] || fail "the sizes add up to $sum"
has 'b top' 'a c' --min-size=8K --max-size=8193
grep -q '^Total: 16.0 MB' out || fail 'not 16 MB of 8 KiB'

# Threads.
has 'c' 'a b top' --thread=5
grep -q '^Total (t5): 4.0 MB' out || fail 'not the total of t5'
has 'a b c' '' --thread='*'
[ "$(grep -c '^Total (t[05])' out)" = 2 ] || fail 'not a report for each'
"$HEAPTOP" --text --thread=3 d.heap >out 2>err && fail 'a thread that is not'
says 'there is no thread 3; --threads lists those'

# Order and limits.
has 'top' '' --cum
[ "$(sed -n '2s/.* //p' out)" = top ] || fail '--cum: top is not first'
has 'a' 'b c top' --nodecount=1
grep -q '(3 more)' out || fail '--nodecount: no rest'
has 'a b top' 'c' --cum --nodefraction=10%
"$HEAPTOP" --dot d.heap >out 2>err || fail '--dot'
[ "$(grep -c '^N[0-9]* \[label=' out)" = 4 ] || fail '--dot: not four nodes'
"$HEAPTOP" --dot --nodecount=2 d.heap >out 2>err || fail '--nodecount'
[ "$(grep -c '^N[0-9]* \[label=' out)" = 2 ] || fail '--nodecount: not two nodes'
"$HEAPTOP" --dot --nodefraction=.1 d.heap >out 2>err || fail '--nodefraction'
[ "$(grep -c '^N[0-9]* \[label=' out)" = 3 ] || fail 'not three nodes'

# On every report.
for report in --top --tree --collapsed --dot --flamegraph --callgrind \
    --speedscope --json --csv --markdown --raw --heap; do
	"$HEAPTOP" $report --lines --focus='^b$' d.heap >out 2>err ||
	    fail "$report: status $?"
	case $report in
	--heap) ! grep -q '67108864 \[' out || fail '--heap: a is there' ;;
	*) grep -q -w b out || fail "$report: no b" ;;
	esac
done
exit 0
