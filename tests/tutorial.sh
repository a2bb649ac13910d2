#!/bin/sh
#
# The lines that popular guides to jemalloc and jeprof teach, typed at heaptop
# as they stand there, and what their readers were promised.
#
#   tests/tutorial.sh [BUILD] [T10 ... | build | g1 | g2 | g3 | jeprof]
#
# BUILD is where heaptop was built, this directory unless given; without more
# words all lines are run.  Each prints `ok T10', `FAIL T10 why', with V=1
# what it printed as well, or `SKIP T10 what is not here', which with CI=true
# is a failure; the end tells how many and which are still owed.  The exit
# status is 1 if one failed.
#
# The lines are functions in tests/tutorial/, a file for each of the three
# guides.  They work in a directory for each guide, $W, where its program
# lies; their programs are tests/targets/{server,logbuf,leak_example}.c, where
# it is written how much each of their functions keeps.
# shellcheck disable=SC2034,SC2154 # those files use what is set here

owed='T07 T25 T27 T30 T53 T54 T61'
lines_build='T02 T04 T05 T06 T08'
lines_slow='T01 T03' # only if they are named: each builds all
lines_g1='T09 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20 T21 T22 T23 T24 T26
    T28 T29'
lines_g2='T31 T32 T33 T34 T35 T36 T37 T38 T39 T40 T41 T42 T43 T46'
lines_g3='T47 T48 T49 T50 T51 T52 T55 T56 T57 T58 T59 T63 T64'
lines_jeprof='T62'

SRC=${SRC:-$(dirname "$0")/..}
SRC=$(cd "$SRC" && pwd) || exit 1
BUILD=${BUILD:-$PWD}
if [ -d "${1-}" ]; then
	BUILD=$1
	shift
fi
BUILD=$(cd "$BUILD" && pwd) || exit 1
LH=$BUILD/libheaptop.so LIB=$LH
TARGETS=$BUILD/o/targets
: "${MAKE:=make}" "${CC:=cc}" "${CXX:=c++}" "${CI:=false}"
[ -x "$BUILD/heaptop" ] || {
	echo "there is no heaptop in $BUILD; tests/tutorial.sh BUILD ..."
	exit 1
}
[ -x "$TARGETS/server" ] || "$MAKE" -C "$BUILD" targets >/dev/null || exit 1

unset MALLOC_CONF HEAPTOP_CONF HEAPTOP_SOCKET HEAPTOP_DEFAULTS LD_PRELOAD \
    MAKEFLAGS MFLAGS MAKELEVEL
LC_ALL=C.UTF-8
export LC_ALL SRC BUILD LH LIB TARGETS

top=$(mktemp -d "${TMPDIR:-/tmp}/heaptop-tutorial.XXXXXX") || exit 1
trap 'rm -rf "$top"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$top/bin" "$top/run"
chmod 755 "$top" # another user has a line, too
ln -s "$BUILD/heaptop" "$top/bin/heaptop"
PATH=$top/bin:$PATH

# What a test of the suite has already is as good.
[ "${XDG_RUNTIME_DIR-}" ] && [ -w "$XDG_RUNTIME_DIR" ] ||
    XDG_RUNTIME_DIR=$top/run
chmod 700 "$top/run"
export PATH XDG_RUNTIME_DIR

# ---- for the lines ---------------------------------------------------------

# shellcheck source=/dev/null
. "$SRC/tests/targets/asks.sh"

fail() {
	echo "$*" >"$top/why"
	echo "why: $*"
	tail -n 40 out err 2>/dev/null
	exit 1
}

# needs PROGRAM...
needs() {
	for p in "$@"; do
		command -v "$p" >/dev/null && continue
		echo "no $p" >"$top/why"
		[ "$CI" = true ] || exit 77
		exit 1
	done
}

# What is typed: heaptop, or, for T62, jeprof.
typed=heaptop
heaptop() {
	command "$typed" "$@"
}

# has_line FILE REGEX...: a whole line, extended, blanks before it aside
has_line() {
	file=$1
	shift
	for regex in "$@"; do
		grep -q -E -e "^ *$regex\$" "$file" ||
		    fail "$file has no line $regex"
	done
}

# lacks FILE REGEX
lacks() {
	! grep -q -E -e "$2" "$1" || fail "$1 has $2"
}

# row FIGURES NAME: the rest of such a row of a table is not told
row() {
	echo "$1 .*$2( \(inline\))?"
}

# mib FILE: the figure of a table's total, or of what --focus leaves of it
mib() {
	sed -n -E -e 's/^(Total|After [^:]*): ([0-9.]+) MB.*/\2/p' "$1" |
	    tail -n 1
}

# total_is FILE MIB
total_is() {
	[ "$(mib "$1")" = "$2" ] || fail "$1: $(mib "$1") MB, not $2"
}

# key FILE KEY: the value of a line of ours in a dump
key() {
	sed -n "s/^# heaptop $2=//p" "$1"
}

# within FIGURE LEAST MOST: they may have fractions
within() {
	awk "BEGIN { exit !($1 + 0 >= $2 && $1 + 0 <= $3) }"
}

# program NAME...: here
program() {
	for p in "$@"; do
		[ -e "$p" ] || cp "$TARGETS/$p" . || fail "no $p"
	done
}

# is_pdf FILE NAME...
is_pdf() {
	needs pdftotext
	file=$1
	shift
	[ "$(head -c 4 "$file")" = %PDF ] || fail "$file is no PDF"
	pdftotext "$file" "$file.txt" || fail "$file cannot be read"
	for word in "$@"; do
		grep -q "$word" "$file.txt" || fail "$file has no $word"
	done
}

for file in build g1 g2 g3 jeprof; do
	# shellcheck source=/dev/null
	. "$SRC/tests/tutorial/$file.sh"
done

# ---- running them ----------------------------------------------------------

guide_of() {
	case $1 in
	T0[1-8]) echo build ;;
	T09 | T[12]? | T30) echo g1 ;;
	T3? | T4[0-6]) echo g2 ;;
	T62) echo jeprof ;;
	*) echo g3 ;;
	esac
}

# line NAME: in the guide's directory
line() {
	guide=$(guide_of "$1")
	W=$top/$guide
	mkdir -p "$W"
	cd "$W" && rm -f out err in && "begin_$guide" && "$1"
}

passed=0 failed=0 skipped=0
run() {
	: >"$top/why"
	(line "$1") >"$top/log" 2>&1 </dev/null
	case $? in
	0)
		passed=$((passed + 1))
		echo "ok $1"
		;;
	77)
		skipped=$((skipped + 1))
		echo "SKIP $1 $(head -n 1 "$top/why")"
		;;
	*)
		failed=$((failed + 1))
		echo "FAIL $1 $(head -n 1 "$top/why")"
		[ "${V-}" != 1 ] || sed 's/^/    /' "$top/log"
		;;
	esac
}

[ $# -gt 0 ] || set -- build g1 g2 g3 jeprof
for word in "$@"; do
	case $word in
	build) words=$lines_build ;;
	g1) words=$lines_g1 ;;
	g2) words=$lines_g2 ;;
	g3) words=$lines_g3 ;;
	jeprof) words=$lines_jeprof ;;
	*) words=$word ;;
	esac
	for name in $words; do
		case " $(echo $owed $lines_build $lines_slow $lines_g1 $lines_g2 $lines_g3 \
		    $lines_jeprof) " in
		*" $name "*) ;;
		*)
			echo "there is no line $name here"
			exit 1
			;;
		esac
		case " $owed " in
		*" $name "*) ;;
		*) run "$name" ;;
		esac
	done
done

echo "$passed passed, $failed failed, $skipped skipped"
echo "still owed: $owed"
echo "elsewhere: T44 in e2e/check, T45 in e2e/batch_reports, T60 in e2e/pool"
echo "only if named: $lines_slow"
[ $failed = 0 ]
