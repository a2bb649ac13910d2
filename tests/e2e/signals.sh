# Signals ask for dumps: complete within a second, the program's own handlers
# and its default actions left alone.

# shellcheck disable=SC1091,SC2154 # it sets pid, answer and status
. "$SRC/tests/targets/asks.sh"

# File mode: both signals, one file for each, in time, and whole.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:a "$TARGETS/asks"
tell 'grow 160'
kill -USR1 "$pid"
until_true has "a.$pid.0.m0.heap" 1 || fail 'USR1: no file'
tell 'grow 160'
kill -USR2 "$pid"
until_true has "a.$pid.1.m1.heap" 1 || fail 'USR2: no file'
finish
[ $status = 0 ] || fail "two signals: status $status"
has "a.$pid.2.f.heap" 1 || fail 'no file at exit'
has 'a.*' 3 || fail 'other files'
[ "$(total "a.$pid.0.m0.heap")" = 'Total: 10.0 MB' ] || fail 'the first'
[ "$(total "a.$pid.1.m1.heap")" = 'Total: 20.0 MB' ] || fail 'the second'
[ ! -s err ] || fail 'something was said'

# Before the first sample there is an answer too: an empty dump.
start MALLOC_CONF=prof:true,lg_prof_sample:40,prof_prefix:b "$TARGETS/asks"
tell 'grow 1'
kill -USR1 "$pid"
until_true has "b.$pid.0.m0.heap" 1 || fail 'before the first sample'
finish

# The program's own handler wins.  It may come later than ours, and the
# other signal stays.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:c "$TARGETS/asks"
tell own
tell 'grow 1'
kill -USR1 "$pid"
until_true grep -q -x own out || fail 'its own handler was not called'
kill -USR2 "$pid"
until_true has "c.$pid.0.m0.heap" 1 || fail 'USR2 beside it'
finish
has "c.$pid.*.m*" 1 || fail 'own handler and a dump'

# An ignored signal stays ignored.
# shellcheck disable=SC2016
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:d \
    sh -c 'trap "" USR1; exec "$0"' "$TARGETS/asks"
kill -USR1 "$pid"
tell 'grow 1'
finish
has "d.$pid.*.m*" 0 || fail 'an ignored signal made a dump'
[ $status = 0 ] || fail 'an ignored signal: status'

# One of them, none of them, and without prof:true: the default action is
# death, and stays it.
dies() {
	start "$1" "$TARGETS/asks"
	tell 'grow 1'
	kill "-$2" "$pid"
	finish 2>/dev/null
	[ $status -gt 128 ] || fail "$1: $2 does not kill"
}
dies MALLOC_CONF=prof:true,prof_dump_signal:usr1 USR2
dies MALLOC_CONF=prof:true,prof_dump_signal:usr2 USR1
dies MALLOC_CONF=prof:true,prof_dump_signal:none USR1
dies HEAPTOP_CONF=lg_prof_sample:10 USR1
dies HEAPTOP_CONF=prof_final:true,prof_prefix:x USR2

# Without a helper: told once, counted, the program goes on.
start MALLOC_CONF=prof:true,thread:false,lg_prof_sample:0,prof_prefix:e \
    "$TARGETS/asks"
tell 'grow 1'
kill -USR1 "$pid"
until_true [ -s err ] || fail 'thread:false: nothing said'
kill -USR1 "$pid"
tell 'get u64 prof.dumps_failed'
[ "$answer" = '0 2' ] || fail "thread:false: counted $answer"
finish
[ $status = 0 ] || fail "thread:false: status $status"
[ "$(grep -c 'is not written: .*thread:false' err)" = 1 ] ||
    fail 'thread:false: not said once'
has "e.$pid.*.f.heap" 1 || fail 'thread:false: no file at exit'
has "e.$pid.*.m*" 0 || fail 'thread:false: a file'

# A child made by fork answers too, under its own pid; or not at all.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:f "$TARGETS/asks"
tell 'fork usr1'
[ "${answer#* }" = 0 ] || fail "child: status ${answer#* }"
has "f.${answer% *}.*.m0.heap" 1 || fail 'child: no file for its signal'
has "f.${answer% *}.*.f.heap" 1 || fail 'child: no file at its exit'
finish
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:g,prof_children:false \
    "$TARGETS/asks"
tell 'fork usr1'
has "g.${answer% *}.*" 0 || fail 'prof_children:false: files'
finish
has "g.$pid.*.f.heap" 1 || fail 'prof_children:false: none of its own'

# Over 10,000 stacks, each time within a second, while it works on.
cat >stacks.cc <<'END'
#include <cstdio>
#include <cstdlib>
#include <ctime>
static void *volatile kept;
template <int D> struct step {
	static __attribute__((noinline)) void go(unsigned n);
	static __attribute__((noinline)) void turn(unsigned n);
};
template <int D> void step<D>::go(unsigned n) {
	if (n & 1) step<D - 1>::go(n >> 1); else step<D - 1>::turn(n >> 1);
	asm volatile("");
}
template <int D> void step<D>::turn(unsigned n) {
	if (n & 1) step<D - 1>::turn(n >> 1); else step<D - 1>::go(n >> 1);
	asm volatile("");
}
template <> void step<0>::go(unsigned) { kept = malloc(200); }
template <> void step<0>::turn(unsigned) { kept = malloc(300); }
int main() {
	for (unsigned i = 0; i < 16384; i++)
		step<14>::go(i);
	puts("ready");
	fflush(stdout);
	for (time_t end = time(0) + 3; time(0) < end;)
		for (unsigned i = 0; i < 100; i++)
			step<14>::go(i), free(kept);
	puts("end");
	return 3;
}
END
$CXX -O1 -g -o stacks stacks.cc || exit 1
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:h LD_PRELOAD=$LIB \
    ./stacks >out 2>err &
pid=$!
until_true grep -q ready out || fail 'many stacks: not ready'
for n in 0 1; do
	begin=$(date +%s%N)
	kill -USR2 $pid
	until_true has "h.$pid.$n.m$n.heap" 1 || fail 'many stacks: no file'
	took=$((($(date +%s%N) - begin) / 1000000))
	[ $took -le 1000 ] || fail "many stacks: $took ms"
	tail -n 1 "h.$pid.$n.m$n.heap" | grep -q '\[vsyscall\]\|\[vdso\]\|\[stack\]' ||
	    fail 'many stacks: not whole'
done
wait $pid
[ $? = 3 ] || fail 'many stacks: status'
grep -q -x end out || fail 'many stacks: output'
[ "$(grep -c '^@' "h.$pid.0.m0.heap")" -gt 10000 ] || fail 'too few stacks'
[ "$(files '*.part')" = 0 ] || fail 'a part of a file is left'
exit 0
