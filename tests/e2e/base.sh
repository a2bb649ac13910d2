# Compared with a dump, a recording, a saved report; of the same build or not.

fail() {
	echo "$*"
	cat out err
	exit 1
}

cat >prog.c <<'END'
#include <stdlib.h>
void *volatile keep[4096];
int n;
__attribute__((noinline)) void parse(int k) { while (k-- > 0) keep[n++] = malloc(1 << 20); }
__attribute__((noinline)) void cache(int k) { while (k-- > 0) keep[n++] = malloc(1 << 20); }
#ifdef OTHER
__attribute__((noinline)) void added(int k) { while (k-- > 0) keep[n++] = malloc(1 << 20); }
#endif
int main(int argc, char **argv)
{
	parse(atoi(argv[1]));
	cache(atoi(argv[2]));
#ifdef OTHER
	added(8);
#endif
	return argc < 3;
}
END
"$CC" -O1 -g -o prog prog.c && "$CC" -O0 -g -DOTHER -o other prog.c || exit 1

# dump FILE PROGRAM PARSE CACHE: of so many MiB each, written by the library
dump() {
	MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$PWD/dumped" \
	    LD_PRELOAD=$BUILD/libheaptop.so "./$2" "$3" "$4" >out 2>err ||
	    fail "$1: status $?"
	mv dumped.*.heap "$1" || fail "$1: no dump"
}

# compare PATTERN OPTION...: a line of the table
compare() {
	pattern=$1
	shift
	"$HEAPTOP" "$@" >out 2>err || fail "$*: status $?"
	grep -q -e "$pattern" out || fail "$*: not $pattern"
}

dump a.heap prog 64 64
dump b.heap prog 96 80

# jeprof's form, and ours.
compare '^Total: 48.0 MB$' --text --base=a.heap b.heap
compare '^Delta: +48.0 MB (+37.5%)$' --text --base=a.heap b.heap
compare '^ *32.0  66.7%  66.7%  *32.0  66.7% parse$' --text --base=a.heap b.heap
for option in --diff_base --diff-base --diff_b; do
	compare '^Delta: +48.0 MB (+37.5%)$' --text $option=a.heap b.heap
	! grep -q Total out || fail 'a total in our form'
	compare '^ *+32.0  66.7%  66.7%  *+32.0  66.7% parse$' \
	    --text $option=a.heap b.heap
	compare '^ *+16.0  33.3% 100.0%  *+16.0  33.3% cache$' \
	    --text $option a.heap ./prog b.heap
done
! grep -q 'compared with' err || fail 'the same build, and yet by name'
compare '^Delta: -48.0 MB (-27.3%)$' --text --base=b.heap a.heap
compare '^ *-32.0  66.7% 100.0%  *-32.0  66.7% parse$' --text --base=b.heap a.heap
compare '^Delta: 0.0 MB (0.0%)$' --text --base=a.heap a.heap
grep -q 'nothing has changed' err || fail 'not said that nothing changed'

# Saved reports: as base, as input, as both.
"$HEAPTOP" --text a.heap >a.txt 2>err || fail 'no a.txt'
"$HEAPTOP" --text b.heap >b.txt 2>err || fail 'no b.txt'
"$HEAPTOP" --text --show_bytes a.heap >a.bytes 2>err || fail 'no a.bytes'
for pair in 'a.heap b.txt' 'a.txt b.heap' 'a.txt b.txt' 'a.bytes b.heap'; do
	# shellcheck disable=SC2086 # base and dump
	set -- $pair
	compare '^ *+32.0  66.[67]%  66.[67]%  *+32.0  66.[67]% parse$' \
	    --text --diff_base="$1" "$2" # rounded twice
	grep -q '^Delta: +48.0 MB (+37.5%)$' out || fail "$pair: not 48 MB"
	grep -q "compared with $1 by the names" err ||
	    fail "$pair: not said that it is by name"
done
"$HEAPTOP" --text --drop_negative --base=a.txt b.heap >out 2>err &&
    fail 'a report has no stacks to drop'

# Another build: by name, which is said once.
dump other.heap other 32 64
compare '^Delta: -24.0 MB (-18.8%)$' --text --base=a.heap other.heap
[ "$(grep -c 'compared with a.heap by the names of functions: it is of another build' err)" = 1 ] ||
    fail 'not said that it is another build'
compare '^ *-32.0 .* parse$' --text --base=a.heap other.heap
compare '^ *+8.0 .* added$' --text --diff_base=a.heap other.heap
! grep -q ' cache$' out || fail 'cache has not changed'
compare '^Delta: +8.0 MB (+6.[23]%)$' --text --drop_negative --base=a.heap other.heap
# The same name, rebuilt in place.
cp prog prog.old && cp other prog
dump c.heap prog 32 64
cp prog.old prog
compare '^ *-32.0 .* parse$' --text --base=a.heap ./other c.heap
grep -q 'it is of another build of prog' err || fail 'prog is another build'

# No name in common.
cat >alien.heap <<'END'
--- symbol
binary=/nowhere/alien
0x0000000000000fff quite_another
---
--- heap
heap_v2/1
  t*: 1: 1048576 [0: 0]
@ 0xfff
  t*: 1: 1048576 [0: 0]

MAPPED_LIBRARIES:
00000000-00010000 r-xp 00000000 08:01 1 /nowhere/alien
END
"$HEAPTOP" --text --base=alien.heap b.heap >out 2>err
[ $? = 1 ] || fail 'nothing in common, and not 1'
grep -q 'no function has a name that is in both' err || fail 'not said why'

# A run's end and a running process against a dump.
compare '^Delta: +16.0 MB (+12.5%)$' --exact --text -o out --base=a.heap -- \
    ./prog 64 80

# A library that was unloaded in between: its stacks are still the same.
kept() { # MAPPED LIVE
	cat <<END
heap_v2/1
  t*: $2: $((1048576 * $2)) [0: 0]
@ 0x7f0000001010 0x401010
  t*: $2: $((1048576 * $2)) [0: 0]
@ 0x401020 0x401010
  t*: $((2 * $2)): $((1048576 * 2 * $2)) [0: 0]

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 1 /nowhere/program
END
	if [ "$1" = plugin ]; then
		echo '7f0000000000-7f0000010000 r-xp 00000000 08:01 2 /nowhere/plug.so'
	fi
}
kept plugin 1 >loaded.heap
kept no 1 >same.heap
kept no 3 >grown.heap
compare '^Delta: 0.0 MB (0.0%)$' --text --base=loaded.heap same.heap
compare '^Delta: 0.0 MB (0.0%)$' --text --base=same.heap loaded.heap
[ "$(grep -c % out)" = 1 ] || fail 'an unloaded library makes rows'
compare '^ *2.0  33.3% 100.0%  *2.0  33.3% 0x7f0000001010$' --text \
    --base=loaded.heap grown.heap

# Nor did its figures change in a series.
cp loaded.heap p.77.0.m0.heap
cp grown.heap p.77.1.m1.heap
"$HEAPTOP" --growth --show_bytes p.77.*.heap >out 2>err
grep -q ' 1048576 *3145728 .* plug.so+0x1010 ' out ||
    fail 'an unloaded library in a series'
grep -q ' 0x7f0000001010' out && fail 'it is there twice'

# Not so where the process is another one, its libc elsewhere: what lies at an
# address of the one says nothing of the other.
echo '7f0000100000-7f0000200000 r-xp 00000000 08:01 3 /nowhere/libc.so' \
    >>loaded.heap
echo '7f1000100000-7f1000200000 r-xp 00000000 08:01 3 /nowhere/libc.so' \
    >>grown.heap
compare '^ *3.0 .* 0x7f0000001010$' --text --base=loaded.heap grown.heap
grep -q '^ *-1.0 .* plug.so+0x1010$' out || fail 'of another process'

# Every report takes a base.
for report in --top --tree --collapsed --dot --flamegraph --callgrind \
    --speedscope --json --csv --markdown --raw --heap --pprof; do
	"$HEAPTOP" $report --base=a.heap b.heap >out 2>err ||
	    fail "$report: status $?"
	[ -s out ] || fail "$report: empty"
done

# The real jeprof, which compares by address: so both at the same addresses.
if command -v jeprof >/dev/null && setarch -R true 2>/dev/null; then
	for run in '1 16 24' '2 40 8'; do
		# shellcheck disable=SC2086 # file, parse, cache
		set -- $run
		MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$PWD/dumped" \
		    LD_PRELOAD=$BUILD/libheaptop.so setarch -R ./prog "$2" "$3" \
		    2>err || fail 'prog under setarch'
		mv dumped.*.heap "same.$1" || fail 'no dump under setarch'
	done
	figures() { # total, and flat and cum with their shares, by name
		sed -n -e 's/^Total: //p' -e '/ main$/p; / parse$/p; / cache$/p' \
		    "$1" | sed 's/  */ /g' | sort
	}
	for drop in '' --drop_negative; do
		# shellcheck disable=SC2086 # an option or none
		jeprof --text $drop --base=same.1 ./prog same.2 >theirs 2>err ||
		    fail 'jeprof --base'
		# shellcheck disable=SC2086
		"$HEAPTOP" --text $drop --base=same.1 ./prog same.2 >out 2>err ||
		    fail '--base ./prog'
		figures theirs >theirs.figures
		figures out >our.figures
		grep -q ' parse$' our.figures || fail 'no parse in the figures'
		diff theirs.figures our.figures || fail "jeprof $drop differs"
	done
fi

# Bases that are none.
: >empty.heap
mkfifo pipe.heap
head -c 300 a.heap >cut.heap
base() { # STATUS PATTERN BASE
	timeout 20 "$HEAPTOP" --text --base="$3" b.heap >out 2>err
	got=$?
	[ $got = "$1" ] || fail "$3: status $got, not $1"
	grep -q -e "^heaptop: .*$2" err || fail "$3: not said: $2"
}
base 2 'lost.heap: No such file' lost.heap
base 1 'is a directory' .
base 1 'is a FIFO' pipe.heap
base 1 'is empty' empty.heap
base 1 'cannot be read here' prog
base 1 'cut.heap' cut.heap
exit 0
