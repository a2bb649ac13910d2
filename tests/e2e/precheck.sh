# What cannot be watched is told before anything runs.

fail() {
	echo "$*"
	cat err
	exit 1
}

cat >hello.c <<'END'
#include <stdio.h>
int main(void) { puts("hello"); return 4; }
END
$CC -static -o static hello.c 2>/dev/null || {
	echo 'no static C library'
	exit 77
}

# Static: -b and exec run it all the same, with a sentence.
"$HEAPTOP" -b -- ./static >out 2>err
got=$?
[ $got = 4 ] || fail "static: status $got"
[ "$(cat out)" = hello ] || fail 'static: not run'
grep -q '^heaptop: ./static' err || fail 'static: nothing said'
"$HEAPTOP" exec ./static >out 2>err
got=$?
[ $got = 4 ] || fail "exec static: status $got"
grep -q '^heaptop: ./static' err || fail 'exec static: nothing said'

# A report is impossible: refused, nothing runs.
"$HEAPTOP" --text -- ./static >out 2>err
got=$?
[ $got = 125 ] || fail "static with a report: status $got"
[ ! -s out ] || fail 'static with a report: was run'

# Set-user-ID.
$CC -o setuid hello.c || exit 1
chmod u+s setuid
if [ -u setuid ] && [ "$(id -u)" = 0 ]; then
	chown 65534 setuid && chmod u+s setuid
	"$HEAPTOP" -b -- ./setuid >out 2>err
	got=$?
	[ $got = 4 ] || fail "set-user-ID: status $got"
	grep -q '^heaptop: ./setuid' err || fail 'set-user-ID: nothing said'
fi

# A sanitizer's runtime must come first: it would fail with us.
if $CC -fsanitize=address -o asan hello.c 2>/dev/null; then
	"$HEAPTOP" -b -- ./asan >out 2>err
	got=$?
	[ $got = 125 ] || fail "ASan: status $got"
	[ ! -s out ] || fail 'ASan: was run'
fi

# told STATUS PATTERN COMMAND...: one sentence of heaptop's with the pattern
told() {
	wanted=$1 pattern=$2
	shift 2
	"$HEAPTOP" -b -- "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$wanted" ] || fail "$*: status $got, not $wanted"
	[ "$(grep -c '^heaptop: ' err)" = 1 ] || fail "$*: not one sentence"
	grep -q -e "$pattern" err || fail "$*: no '$pattern'"
}

# What is no program.
mkdir directory && mkfifo fifo && chmod +x fifo
told 126 'directory is a directory' ./directory
told 126 'fifo is no file, but a FIFO' ./fifo
told 126 '/dev/null is no file, but' /dev/null
told 127 'missing: not found' ./missing
told 127 'static/x: not found' ./static/x
cp "$(command -v env)" plain && chmod -x plain
told 126 'plain is not executable' ./plain
printf 'MZ\000\000' >mz
head -c 40 static >broken
printf '\177ELF' >short
head -c 100 plain >begun
chmod +x mz broken short begun
for f in mz broken short begun; do
	told 126 "$f is no program that this system can run" ./$f
done
# A header that points out of the file.
{
	head -c 32 plain && printf '\377\377\377\377\377\377\377\177' &&
	    tail -c +41 plain
} >wild
chmod +x wild
told 126 'wild is no program' ./wild
# Another machine, one that nothing can run, and another word size.
{ head -c 18 plain && printf '\377\000' && tail -c +21 plain; } >machine
chmod +x machine
told 126 'machine is built for another machine' ./machine
printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0' >narrow
head -c 100 /dev/zero >>narrow
chmod +x narrow
told 126 'narrow is a 32-bit program' ./narrow

# Scripts: no interpreter, none that may run, in a circle, a static one.
printf '#!/no/such/interpreter\n' >lost
printf '#!./plain\n' >denied
printf '#!./circle\n' >circle
printf '#! ./static\n' >by-static
printf '#!\nexit 4\n' >nameless
chmod +x lost denied circle by-static nameless
told 127 'lost cannot be run: its interpreter' ./lost
told 126 'denied cannot be run: its interpreter' ./denied
told 126 'circle cannot be run: its interpreter' ./circle
told 4 'by-static (run by ./static) is a static program' ./by-static
"$HEAPTOP" -b -- ./nameless >out 2>err
[ $? = 4 ] || fail 'a script without a name after #!'

# PATH: what may run comes before what may not.
mkdir one two
cp plain one/it
printf '#!/bin/sh\nexit 4\n' >two/it && chmod +x two/it
PATH=$PWD/one:$PWD/two:$PATH "$HEAPTOP" -b -- it >out 2>err
[ $? = 4 ] || fail 'PATH: the second was not run'
PATH=$PWD/one "$HEAPTOP" -b -- it >out 2>err
[ $? = 126 ] || fail 'PATH: not 126'
PATH=/nonexistent "$HEAPTOP" -b -- it >out 2>err
[ $? = 127 ] || fail 'PATH: not 127'
PATH='' "$HEAPTOP" -b -- by-static >out 2>err
[ $? = 4 ] || fail 'PATH: empty is not here'

# heaptop, its library and the program where LD_PRELOAD cannot point to.
cat >some.c <<'END'
#include <stdlib.h>
int main(void) { return malloc(100000) ? 4 : 5; }
END
$CC -O0 -o some some.c || exit 1
# shellcheck disable=SC2016
for dir in 'a b:c' 'do$lar' "$(printf 'new\nline\377')"; do
	mkdir "$dir" && cp "$HEAPTOP" "$LIB" "$dir" && cp some "$dir/the one"
	"$dir/heaptop" -b --exact -- "./$dir/the one" >out 2>err
	got=$?
	[ $got = 4 ] || fail "$dir: status $got"
	grep -q LIVE err || fail "$dir: not watched"
	"$dir/heaptop" exec -- "./$dir/the one" >out 2>err
	got=$?
	[ $got = 4 ] || fail "exec in $dir: status $got"
done
# The library is gone: nothing runs.
mkdir alone && cp "$HEAPTOP" alone
if ! alone/heaptop -b -- sh -c 'echo ran' >out 2>err; then
	grep -q 'libheaptop.so is neither' err || fail 'alone: no reason'
	[ ! -s out ] || fail 'alone: was run'
fi
exit 0
