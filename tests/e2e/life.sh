# The turns a program's life takes: exec, fork, daemons, jails, filters, death.
# Its status is its own, its heap is seen, and nothing is left behind.

life=$TARGETS/life
# of our own, so that what is left there is ours
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
run=$XDG_RUNTIME_DIR/heaptop

fail() {
	echo "$*"
	cat err snap
	exit 1
}

# watch WANTED COMMAND...: run it, exactly sampled; its status is WANTED
watch() {
	wanted=$1
	shift
	"$HEAPTOP" -b --exact --interval=150ms -o snap -- "$@" >out 2>err
	got=$?
	[ $got != 77 ] || [ "$wanted" = 77 ] || return 77
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
	[ -z "$(ls -A "$run" 2>/dev/null)" ] || fail "$*: left $(ls -A "$run")"
	return 0
}

# The rows of the last snapshot whose first line has the pattern.
last() {
	awk -v pattern="$1" '
	    /^pid / { on = $0 ~ pattern; if (on) rows = "" }
	    on { rows = rows $0 "\n" }
	    END { printf "%s", rows }' snap
}

# has PATTERN SIZE FUNCTION: there is that row in that last snapshot
has() {
	last "$1" | grep -q "^ *$2  .*  $3 ← " || fail "$1: not $2 in $3"
}

hasnt() {
	last "$1" | grep -q " $2 ← " && fail "$1: there is $2"
	return 0
}

# The same process under two commands: the new image has a heap of its own.
watch 0 "$life" exec
has 'life exec$' '1.0 MiB' first_mib
has 'life exec again now' '3.0 MiB' then_mib
has 'life exec again now' '1.0 MiB' first_mib
grep -q 'exec again now' snap || fail 'exec: no new command'

# A child has what it took itself, and not what it gave back; the parent is
# not touched by that.
watch 0 "$life" fork
parent=$(awk '/ exited 0/ { print $2 }' snap)
child=$(awk '/ ended/ { print $2 }' snap | grep -v -w -e "$parent" | head -n 1)
[ "$child" ] || fail 'fork: no child'
has "pid $child " '5.0 MiB' child_mib
hasnt "pid $child " first_mib
has "pid $parent " '1.0 MiB' first_mib
has "pid $parent " '3.0 MiB' then_mib
hasnt "pid $parent " child_mib

for turn in vfork closeall chroot drop unshare seccomp; do
	watch 0 "$life" $turn || {
		echo "$turn: not allowed here" >>skipped
		continue
	}
	has "life $turn" '3.0 MiB' then_mib
	has "life $turn" '1.0 MiB' first_mib
done

watch 137 "$life" kill9
has 'life kill9' '3.0 MiB' then_mib
grep -q 'killed by SIGKILL' snap || fail 'kill9: how it ended is missing'

# A daemon lives on when heaptop has gone with the process it launched; then
# anybody may watch it.
"$HEAPTOP" -b --exact --interval=150ms -o snap -- "$life" daemon >out 2>err ||
    fail "daemon: status $?"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	set -- "$run"/*.sock
	[ -S "$1" ] && break
	sleep 0.03
done
if [ -S "$1" ]; then
	pid=${1##*/} pid=${pid%.sock}
	"$HEAPTOP" -b -n 1 -o snap -p "$pid" 2>err &&
	    has 'life daemon' '5.0 MiB' child_mib
fi
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(ls -A "$run")" ] || break
	sleep 0.2
done
[ -z "$(ls -A "$run")" ] || fail "daemon: left $(ls -A "$run")"

# Chains of exec are one run.
watch 5 sh -c "exec '$TARGETS/ends' exit"
has 'ends exit' '1.0 MiB' only_mib
watch 5 env A=1 "$TARGETS/ends" exit
has 'ends exit' '1.0 MiB' only_mib
watch 5 sh -c "env A=1 sh -c 'exec $TARGETS/ends exit'"
has 'ends exit' '1.0 MiB' only_mib

# Dead at once after the first allocation: seen all the same.
for end in segv:139 fault:139 abort:134 kill:137; do
	watch ${end#*:} "$TARGETS/ends" ${end%:*}
	has "ends ${end%:*}" '1.0 MiB' only_mib
done

# Many children, some of which open a table of their own.
watch 0 "$TARGETS/forks" 3000
[ "$(cat out)" = '3000 of 3000' ] || fail "forks: $(cat out)"
has "pid $(awk '/ exited 0/ { print $2 }' snap) " '3.0 MiB' fill
"$HEAPTOP" -b -o snap -- "$TARGETS/forks" 3000 >out 2>err ||
    fail "forks, sampled: $? $(cat out)"

# A child of vfork that allocates leaves its parent's helper to the parent.
cat >vforked.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile a, *volatile b;
__attribute__((noinline)) static void early(void) { a = malloc(1 << 20); }
__attribute__((noinline)) static void late(void) { b = malloc(2 << 20); }
int main(void) {
	if (vfork() == 0) { early(); _exit(0); }
	wait(NULL);
	late();
	usleep(300000);
	_exit(6);
}
END
$CC -O1 -g -w -o vforked vforked.c || exit 1
watch 6 ./vforked
has vforked '2.0 MiB' late

# What a child inherits is as deep as it was.
cat >deep.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile a, *volatile b;
__attribute__((noinline)) static int down(int n) {
	if (n == 0) { a = malloc(1 << 20); return 0; }
	return down(n - 1) + 1;
}
int main(void) {
	down(300);
	if (fork() == 0) { b = malloc(1 << 16); return 0; }
	wait(NULL);
	return 0;
}
END
$CC -O0 -g -w -o deep deep.c || exit 1
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_bt_max:400,prof_prefix:deep \
    LD_PRELOAD=$LIB ./deep || fail 'deep: status'
for f in deep.*.heap; do
	awk '/^@/ && NF > 300 { found = 1 } END { exit !found }' "$f" ||
	    fail "deep: $f has cut stacks"
done
[ "$(ls deep.*.heap | wc -l)" = 2 ] || fail 'deep: not two dumps'

if [ -s skipped ]; then
	cat skipped
fi
exit 0
