# -b and a report: each snapshot in that format; of a document the last one is
# kept, whole at any moment.

fail() {
	echo "$*"
	cat err
	exit 1
}

# What grows by 1 MiB each 50 ms, in blocks of 64 KiB, until it has N of them.
cat >grow.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *kept[4096];

__attribute__((noinline)) static void
keep_block(int i)
{
	kept[i] = memset(malloc(65536), 1, 65536);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 16;

	setvbuf(stdout, NULL, _IONBF, 0);
	printf("%ld\n", (long)getpid());
	for (int i = 0; i < n; i++) {
		keep_block(i);
		if (i % 16 == 15)
			usleep(50000);
	}
	puts("grown");
	if (argc > 2)
		pause();
	return 0;
}
END
"$CC" -g -O1 -fno-builtin-malloc -o grow grow.c || exit 1

# grown: wait until it says so
grown() {
	for _ in $(seq 200); do
		grep -q grown out 2>/dev/null && return
		sleep 0.05
	done
	fail 'it did not grow'
}

# total FILE: what the real jeprof makes of it, else what heaptop does
total() {
	if command -v jeprof >/dev/null; then
		jeprof --text --show_bytes ./grow "$1" 2>/dev/null
	else
		"$HEAPTOP" --text --show_bytes ./grow "$1" 2>/dev/null
	fi | sed -n 's/^Total: \([0-9]*\) B/\1/p'
}

# Killed outright: the last dump is whole and true, the status the signal's.
# In a file of an earlier run there is that or a whole new one.
echo old >last.heap
chmod 600 last.heap
"$HEAPTOP" -b --exact --heap --interval=100ms -o last.heap -- ./grow 64 wait \
    >out 2>err &
heaptop=$!
grown
sleep 0.5
[ "$(head -c 8 last.heap)" = heap_v2/ ] || fail 'no dump while it runs'
grep -q '^MAPPED_LIBRARIES:' last.heap || fail 'a cut one while it runs'
[ "$(total last.heap)" -ge 4194304 ] || fail "while it runs: $(total last.heap)"
kill -9 "$(head -n 1 out)"
wait $heaptop
[ $? = 137 ] || fail 'not the status of a SIGKILL'
sum=$(total last.heap)
[ "$sum" -ge 4194304 ] && [ "$sum" -lt 4300000 ] || fail "at the end: $sum"
[ "$(stat -c %a last.heap)" = 600 ] || fail 'other rights'
[ "$(find . -name '*.part')" = '' ] || fail 'something is left over'

# Never anything but whole: read while it is written.
"$HEAPTOP" -b --exact --json --interval=10ms -o last.json -- ./grow 256 \
    >out 2>err &
heaptop=$!
read=0
while kill -0 $heaptop 2>/dev/null; do
	[ -s last.json ] || continue
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' last.json ||
	    fail 'a piece of a document'
	read=$((read + 1))
done
wait $heaptop || fail 'status of --json'
[ $read -gt 0 ] || fail 'nothing was read'
# through a symbolic link
mkdir there
ln -s there/x.svg link
"$HEAPTOP" -b --exact --flamegraph -n 1 --interval=100ms -o link -- ./grow 64 \
    >out 2>err || fail 'status of --flamegraph'
[ -L link ] && grep -q '</svg>' there/x.svg || fail 'the link was replaced'

# Texts follow one another; -n says how many; sentences come at the end only.
"$HEAPTOP" -b --exact --text --interval=100ms -o texts -- ./grow 256 >out \
    2>err || fail 'status of --text'
n=$(grep -c '^Total:' texts)
[ "$n" -gt 2 ] || fail "$n texts"
[ "$(grep -c '^$' texts)" = $((n - 1)) ] || fail 'no lines between'
awk '/^Total:/ { last = "" } { last = last $0 "\n" } END { print last }' texts |
    grep -q keep_block || fail 'no names'
[ "$(sort err | uniq -d)" = '' ] || fail 'said more than once'
"$HEAPTOP" -n 2 --exact --stats --interval=100ms -- ./grow 256 >out 2>err ||
    fail 'status of --stats'
[ "$(grep -c '^live  ' err)" = 2 ] || fail 'not two'
grep -q '^rss .*resident' err || fail 'no rss'

# Of a process that runs.
mkdir -m 700 r
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB ./grow 64 wait >out &
pid=$!
grown
"$HEAPTOP" -b -n 2 --heap --interval=100ms -o attached.heap -p $pid >two 2>err ||
    fail 'status of -p'
[ "$(total attached.heap)" -ge 4194304 ] || fail '-p: not its total'
"$HEAPTOP" -b -n 2 --text --interval=100ms -p $pid >two 2>err ||
    fail 'status of -p --text'
[ "$(grep -c '^Total:' two)" = 2 ] || fail '-p: not two'
kill $pid
# Where it cannot be written.
"$HEAPTOP" -b --heap -o no/such.heap -- ./grow >out 2>err
[ $? = 125 ] && grep -q 'cannot write no/such.heap' err || fail 'no directory'
[ -s out ] && fail 'it was started all the same'
exit 0
