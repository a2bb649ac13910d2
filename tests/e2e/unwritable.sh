# What cannot be written or used: a sentence says so, the program is unharmed.

fail() {
	echo "$*"
	cat out err
	exit 1
}

cat >hello.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 100; i++)
		if (!malloc(10000))
			return 5;
	return write(1, "hello\n", 6) == 6 ? 4 : 6;
}
END
$CC -O0 -o hello hello.c || exit 1
printf 'heap_v2/1\n@ 0x1000\n  t*: 1: 4096 [0: 0]\n\nMAPPED_LIBRARIES:\n' \
    >d.heap

# said STATUS PATTERN COMMAND...: one sentence, which has the pattern
said() {
	wanted=$1 pattern=$2
	shift 2
	"$@" >out 2>err </dev/null
	got=$?
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
	[ "$(grep -c '^heaptop: ' err)" = 1 ] || fail "$*: not one sentence"
	grep -q -e "$pattern" err || fail "$*: no '$pattern'"
}

# -o: told before anything runs, where that can be known.
mkdir directory
for file in /no/such/file directory; do
	said 1 "cannot write $file" "$HEAPTOP" --text -o $file d.heap
	for kind in -b --text; do
		said 125 "cannot write $file" "$HEAPTOP" $kind -o $file -- \
		    ./hello
		[ ! -s out ] || fail "$kind -o $file: was run"
	done
done
if [ -c /dev/full ]; then
	said 1 'cannot write /dev/full' "$HEAPTOP" --text -o /dev/full d.heap
	for kind in -b --text; do
		said 4 'cannot write /dev/full' "$HEAPTOP" $kind --exact \
		    -o /dev/full -- ./hello
	done
fi
long=$(printf '%0300d' 0)
said 1 'cannot write .*: File name too long' \
    "$HEAPTOP" --text -o "$long" d.heap

# Standard descriptors that are closed, full or without a reader.
# shellcheck disable=SC2016
said 1 'cannot write stdout' sh -c '"$0" --text d.heap >&-' "$HEAPTOP"
mkfifo pipe
(exec 3>pipe && sleep 0.3 && exec "$HEAPTOP" --text d.heap >&3) 2>err &
head -c 0 pipe >out
wait $!
got=$?
[ $got = 1 ] || fail "no reader: status $got"
grep -q 'cannot write stdout: Broken pipe' err || fail 'no reader: not said'
for to in '>&-' '2>&-' '2>/dev/full'; do
	[ "$to" != '2>/dev/full' ] || [ -c /dev/full ] || continue
	sh -c "\"\$0\" -b --exact -- sh -c 'exit 4' $to" "$HEAPTOP" >out 2>err
	got=$?
	[ $got = 4 ] || fail "$to: status $got"
done
(exec 3>pipe && exec "$HEAPTOP" -b --exact -- \
    sh -c 'sleep 0.3; exit 4' 2>&3) &
head -c 0 pipe >out
wait $!
got=$?
[ $got = 4 ] || fail "a program and no reader: status $got"

# The dump at the end of a program on its own.
dump() {
	said 4 'could not be written' env LD_PRELOAD="$LIB" \
	    MALLOC_CONF="prof:true,lg_prof_sample:10,prof_prefix:$1" ./hello
	grep -q -e "$2" err || fail "$1: no '$2'"
	[ "$(cat out)" = hello ] || fail "$1: harmed"
}
dump /nonexistent/x 'its directory is not there'
dump "$PWD/hello/x" 'could not be written'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	place=$(mktemp -d /tmp/heaptop-unwritable.XXXXXX)
	chmod 755 "$place"
	cp hello "$LIB" "$place"
	said 4 'permission denied' setpriv --reuid=12345 --clear-groups \
	    env LD_PRELOAD="$place/libheaptop.so" \
	    MALLOC_CONF="prof:true,lg_prof_sample:10,prof_prefix:$place/x" \
	    "$place/hello"
	rm -r "$place"
fi
# Files may not grow: no signal reaches the program for our sake.
(
	ulimit -f 0
	LD_PRELOAD=$LIB MALLOC_CONF=prof:true,lg_prof_sample:10,prof_prefix:x \
	    ./hello 2>&1
	echo "status $?"
) | cat >out
grep -q 'status 4' out || fail 'a limit of files: not its status'
grep -q 'may not grow' out || fail 'a limit of files: not said'
for file in x.*; do
	[ ! -e "$file" ] || fail 'a limit of files: a part is left'
done

# Runtime directories: a strange one is left alone, and said.
watched() {
	env XDG_RUNTIME_DIR="$1" "$HEAPTOP" -b --exact -- ./hello >out 2>err
	got=$?
	[ $got = 4 ] || fail "XDG_RUNTIME_DIR=$1: status $got"
	grep -q LIVE err || fail "XDG_RUNTIME_DIR=$1: not watched"
}
deep=$(printf '%0120d' 0) # more than a socket's name can hold
mkdir -m 700 'a b' link file open "$deep"
mkdir -m 777 open/heaptop && chmod 777 open/heaptop
ln -s /tmp link/heaptop
: >file/heaptop
watched ''
watched relative
watched /nonexistent
watched /dev/null
watched "$PWD/a b"
watched "$PWD/$deep"
watched "$PWD/open"
[ "$(stat -c %a open/heaptop)" = 700 ] || fail 'others may enter still'
for dir in link file; do
	said 125 "$dir/heaptop is not a directory" \
	    env XDG_RUNTIME_DIR="$PWD/$dir" "$HEAPTOP" -b -- ./hello
	[ ! -s out ] || fail "$dir: was run"
done
if [ "$(id -u)" = 0 ]; then
	mkdir -m 700 other && mkdir other/heaptop && chown 12345 other/heaptop
	said 125 'other/heaptop belongs to another user' \
	    env XDG_RUNTIME_DIR="$PWD/other" "$HEAPTOP" -b -- ./hello
fi
exit 0
