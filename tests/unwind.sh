# The unwinder against libunwind, and against stacks that want it dead.
#
# Builds the probe (targets/unwind_probe.c), a preload library that captures
# a stack in every Nth allocation of any program and compares it.

P=$SRC/prof
T=$SRC/tests/targets
flags='-std=c11 -D_GNU_SOURCE -O2 -g'
pic='-fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-builtin-malloc'

fail() {
	echo "$*"
	exit 1
}

$CC $flags $pic -shared -o libheaptop-check.so "$P/unwind_check.c" \
    -lunwind 2>cc.err || {
	echo 'libunwind cannot be linked'
	exit 77
}
# shellcheck disable=SC2086
$CC $flags $pic -I"$P" -shared -Wl,-z,now -o probe.so "$T/unwind_probe.c" \
    "$P/readmem.c" "$P/rulecache.c" "$P/cfi.c" "$P/cfi_read.c" \
    "$P/cfi_step.c" "$P/modinfo.c" "$P/stackmem.c" "$P/unwind.c" \
    "$P/walk_slow.c" "$P/memo.c" "$P/unwind_compare.c" "$P/os.c" || fail 'the probe does not build'
for t in kinds reuse garbage step live; do
	$CC $flags -w -I"$P" -Wl,-z,lazy -Wl,-rpath,"$PWD" -pthread -o $t \
	    "$T/unwind_$t.c" probe.so -lm || fail "$t does not build"
done
# A program whose segments have gaps: the dynamic linker knows them one by one.
# shellcheck disable=SC2086
$CC $flags -w -I"$P" -no-pie -fno-pie -Wl,-z,max-page-size=0x200000 \
    -Wl,-rpath,"$PWD" -pthread -o gaps "$T/unwind_kinds.c" probe.so ||
    fail 'gaps does not build'
for n in 64 100; do
	$CC $flags -fPIC -shared -DROOM=$n -o plugin$n.so "$T/unwind_plugin.c"
done

# probed EVERY COMMAND...: under the probe; what it says goes to ./said.
probed() {
	every=$1
	shift
	UNWIND_PROBE_EVERY=$every LD_PRELOAD=$PWD/probe.so "$@" \
	    >out 2>said </dev/null
}

probed 1000000 ./kinds || fail "kinds of stacks: $(grep WRONG out)"
probed 1000000 ./gaps || fail "segments with gaps: $(grep WRONG out)"
UNWIND_PROBE_TIME=1 probed 1000000 ./reuse ./plugin64.so ./plugin100.so ||
    fail "unloaded plugins: $(cat out)"
# The test can fail: so many are wrong when nobody tells of the unloading.
UNWIND_PROBE_TIME=1 UNWIND_PROBE_WATCH=0 \
    probed 1000000 ./reuse ./plugin64.so ./plugin100.so &&
    fail 'unloaded plugins: none wrong without the watch'
UNWIND_PROBE_TIME=1 probed 1000000 ./garbage ./plugin64.so 500000 ||
    fail "garbage: status $?"
UNWIND_PROBE_TIME=1 probed 1000000 ./live ./plugin64.so 100 ||
    fail "threads and forks: $(cat out)"
probed 1000000 ./step || fail "every instruction: $(cat out)"

# same EVERY COMMAND...: every stack of it must be libunwind's.
same() {
	command -v "$2" >/dev/null || return 0
	probed "$@" || fail "$2: status $?"
	grep -q ' differ, ' said || fail "$2: nothing compared"
	bad=$(grep ' differ, ' said | grep -v ' 0 differ, ')
	[ -z "$bad" ] || fail "$2: $(cat said)"
}

echo 'int main() { return 0; }' >a.cc
printf '#include <map>\n#include <string>\nstd::map<std::string, int> m;\n' \
    >>a.cc
same 17 perl -e 'my %h; $h{"k$_"} = [1 .. 5] for 1 .. 3000;
    print join ",", sort keys %h'
same 7 /usr/bin/python3 -c 'import json, re
print(len(json.dumps([dict(a=i) for i in range(3000)])))'
same 5 sqlite3 :memory: 'with recursive c(x) as (select 1 union all
    select x + 1 from c where x < 2000) select group_concat(hex(x)) from c'
same 97 "$CXX" -O1 -c a.cc -o a.o
UNWIND_PROBE_SIGNAL=1
export UNWIND_PROBE_SIGNAL
same 1 perl -e 'my %h; $h{"k$_"} = [1 .. 5] for 1 .. 300000'
