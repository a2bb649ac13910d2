# What is left at exit, told by the program itself.

# shellcheck disable=SC1091,SC2154 # it sets pid, answer and status
. "$SRC/tests/targets/asks.sh"

# leak OPTIONS: asks keeps 160 blocks; what it says
leak() {
	printf 'grow 160\nexit 6\n' | MALLOC_CONF=$1 LD_PRELOAD=$LIB \
	    "$TARGETS/asks" >out 2>err
	status=$?
}

# prof_leak alone: jemalloc's line, stacks as module+0xoffset, and the line to
# run, which works and gives the names.
leak prof_leak:true,lg_prof_sample:0
[ $status = 6 ] || fail "status $status"
[ "$(tail -n 1 out)" != '' ] || fail 'its output'
# 160 blocks of 64 KiB are 10,485,760 bytes
grep -q -x 'heaptop: Leak approximation summary: ~10485760 bytes, ~160 objects, >= 1 context' \
    err || fail 'no summary'
frame=$(sed -n 's/^heaptop:   ~10485760 bytes, ~160 objects: asks+\(0x[0-9a-f]*\) .*/\1/p' err)
[ "$frame" ] || fail 'no stack'
addr2line -f -e "$TARGETS/asks" "$frame" | grep -q -x grown ||
    fail "$frame is not in grown"
command=$(sed -n 's/^heaptop: Run heaptop \(--text .*\) for names and more$/\1/p' err)
[ "$command" ] || fail 'no line to run'
# shellcheck disable=SC2086
"$HEAPTOP" $command >text 2>text.err || fail "heaptop $command"
grep -q ' grown$' text || fail 'no names'

# An error if it is asked for; what the program printed is whole.
leak prof_leak_error:true,lg_prof_sample:0,prof_prefix:e
[ $status = 1 ] || fail "prof_leak_error: status $status"
grep -q 'Leak approximation summary' err || fail 'prof_leak_error: not told'
[ "$(wc -l <out)" = 2 ] || fail 'prof_leak_error: output'
cat >prints.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void *volatile p;
int main(void) { p = malloc(100000); printf("not flushed"); return 0; }
END
$CC -O0 -o prints prints.c || exit 1
[ "$(MALLOC_CONF=prof_leak_error:true,lg_prof_sample:0,prof_final:false \
    LD_PRELOAD=$LIB ./prints 2>err | cat)" = 'not flushed' ] ||
    fail 'prof_leak_error: streams are not flushed'
grep -q 'Run heaptop --text -- ' err || fail 'without a dump: no line to run'
has 'jeprof.*' 1 || fail 'prof_final:false, and a dump'

# Nothing left, nothing said, no error.
cat >clean.c <<'END'
#include <stdlib.h>
int main(void) { void *volatile p = malloc(100000); free(p); return 5; }
END
$CC -O0 -o clean clean.c || exit 1
MALLOC_CONF=prof_leak_error:true,lg_prof_sample:0,prof_prefix:c \
    LD_PRELOAD=$LIB ./clean >out 2>err
[ $? = 5 ] && [ ! -s err ] || fail 'clean'

# Sampled: estimates, each within a few of its errors (160 blocks at a mean
# distance of 64 KiB: 101 samples expected, sigma 7.6 % of the sum).
leak prof_leak:true,lg_prof_sample:16,prof_seed:5,prof_prefix:s
n=$(sed -n 's/.*summary: ~\([0-9]*\) bytes.*/\1/p' err)
[ "$n" -gt 7300000 ] && [ "$n" -lt 13700000 ] || fail "estimated $n"
exit 0
