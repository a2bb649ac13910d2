# Limits for scripts: status 3, with what is over which limit.

fail() {
	echo "$*"
	cat out err
	exit 1
}

cat >leak.c <<'END'
#include <stdlib.h>
void *volatile keep[1000];
__attribute__((noinline)) void leaks(int i) { keep[i] = malloc(10240); }
__attribute__((noinline)) void fine(int i) { keep[i] = malloc(1024); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 50; i++)
		leaks(i);
	for (int i = 100; i < 150; i++)
		fine(i);
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
"$CC" -O1 -g -o leak leak.c || exit 1

# gate STATUS PATTERN ARGUMENT...: what is said begins with an option
gate() {
	wanted=$1 pattern=$2
	shift 2
	"$HEAPTOP" "$@" >out 2>err
	got=$?
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
	[ -z "$pattern" ] || grep -q -e "^heaptop: $pattern" err ||
	    fail "$*: not said: $pattern"
}

# leaks holds 50 * 10240 bytes = 500 KiB, fine 50 KiB; all is counted, so
# there is no error.
gate 3 '--fail-above=499K,leaks: 500.0 KiB, which is above 499.0 KiB; the largest stack, 500.0 KiB: leaks < main' \
    --exact --fail-above=499K,leaks -- ./leak
gate 0 '--fail-above=500K,leaks: 500.0 KiB, not above' \
    --exact --fail-above=500K,leaks -- ./leak
gate 3 '--fail-above=1K,main: 550.0 KiB, which is above' \
    --exact --fail-above=1K,main -- ./leak
gate 3 '--fail-above=512K: ' --exact --fail-above=512K -- ./leak
gate 0 '--fail-above=0,nobody: 0 B, not above 0 B' \
    --exact --fail-above=0,nobody -- ./leak
[ ! -s out ] || fail 'something on stdout'

# The program's own status comes first.
gate 7 '--fail-above=1K,leaks: .* above' --exact --fail-above=1K,leaks -- \
    ./leak 7

# With a report both are printed, and only what is above is said.
gate 3 '--fail-above=1K,leaks: ' --exact --text -o report \
    --fail-above=1K,leaks -- ./leak
grep -q ' leaks$' report || fail 'no report'
gate 0 '' --exact --text -o report --fail-above=2M,leaks -- ./leak
! grep -q fail-above err || fail 'said what is not above'
gate 0 '' --exact --fail-above=1K,leaks --focus=fine --text -o report -- ./leak

# dump FILE PROGRAM: by the library
dump() {
	MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$PWD/dumped" \
	    LD_PRELOAD=$BUILD/libheaptop.so "./$2" >out 2>err ||
	    fail "$1: status $?"
	mv dumped.*.heap "$1" || fail "$1: no dump"
}

# Growth, of a run and of a dump, against a dump of another build, which must
# still be there to name its places.
dump old.heap leak
sed -i s/10240/20480/ leak.c && "$CC" -O1 -g -o leak2 leak.c || exit 1
gate 3 '--fail-growth=499K,leaks: 500.0 KiB more, which is above' \
    --exact --fail-growth=499K,leaks --base=old.heap -- ./leak2
gate 0 '--fail-growth=500K,leaks: 500.0 KiB more, not above' \
    --exact --fail-growth=500K,leaks --base=old.heap -- ./leak2
dump new.heap leak2
gate 0 '--fail-growth=1K,fine: 0 B more, not above' \
    --fail-growth=1K,fine --base=old.heap new.heap
gate 3 '--fail-growth=1K,leaks: ' --fail-growth=1K,leaks --base=old.heap new.heap
gate 3 '--fail-above=1K,leaks: ' --fail-above=1K,leaks new.heap

# Within its error a figure does not fail: 200 objects of 32 KiB sampled at
# 64 KiB are 6.25 MiB +- 11 %.
cat >many.heap <<'END'
heap_v2/65536
  t*: 79: 2578595 [0: 0]
  t0: 79: 2578595 [0: 0]
@ 0x1000 0x2000
  t*: 79: 2578595 [0: 0]
  t0: 79: 2578595 [0: 0]

MAPPED_LIBRARIES:
00001000-00003000 r-xp 00000000 08:01 1 /nowhere/prog
END
gate 0 '--fail-above=6M: .*, above 6.0 MiB, but by less than the error: no failure; the largest stack' \
    --fail-above=6M many.heap
gate 3 '--fail-above=4M: .* ±.*, which is above 4.0 MiB' \
    --fail-above=4M many.heap
exit 0
