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
exit 0
