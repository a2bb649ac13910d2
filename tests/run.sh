#!/bin/sh
#
# Runs the tests and prints one line for each: `ok NAME', `SKIP NAME why' or
# `FAIL NAME' with what it printed, and at the end
# `N passed, N failed, N skipped'.  `make check' starts it in the build
# directory, with SRC, MAKE, CC and CXX set; arguments are names of tests to
# run instead of all.
#
# Unit tests run in the source directory.  Scripts (tests/e2e, tests/house,
# tests/*.sh) run in an empty directory of their own, which is removed
# afterwards, and find in the environment
#   HEAPTOP  the program           LIB   libheaptop.so
#   TARGETS  the built programs    SRC   the sources
#   BUILD    the build directory   CC CXX MAKE
# Exit status 77 skips, with the reason on the last line.
#
# With CI=true a skipped test is a failure, unless it is named here: Java is
# a large thing to install, the other architecture a rare thing to have.
optional='e2e/java'

limit=300 # seconds a test may take

BUILD=$(pwd)
SRC=$(cd "${SRC:-.}" && pwd) || exit 1
HEAPTOP=$BUILD/heaptop
LIB=$BUILD/libheaptop.so
TARGETS=$BUILD/o/targets
: "${MAKE:=make}" "${CC:=cc}" "${CXX:=c++}" "${CI:=false}"
export BUILD SRC HEAPTOP LIB TARGETS MAKE CC CXX CI
# What would change what is tested, and only here.
unset MALLOC_CONF HEAPTOP_CONF HEAPTOP_SOCKET HEAPTOP_DEFAULTS LD_PRELOAD \
    MAKEFLAGS MFLAGS MAKELEVEL
LC_ALL=C.UTF-8
export LC_ALL

work=$(mktemp -d "${TMPDIR:-/tmp}/heaptop-check.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
XDG_RUNTIME_DIR=$work/run
export XDG_RUNTIME_DIR
mkdir -m 700 "$XDG_RUNTIME_DIR"
XDG_CONFIG_HOME=$work/config # where nobody has settings
export XDG_CONFIG_HOME

passed=0 failed=0 skipped=0

listed() {
	case " $optional " in
	*" $1 "*) return 0 ;;
	*) return 1 ;;
	esac
}

# report NAME STATUS OUTPUT
report() {
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "ok $1"
	elif [ "$2" = 77 ] && { [ "$CI" != true ] || listed "$1"; }; then
		skipped=$((skipped + 1))
		echo "SKIP $1 $(tail -n 1 "$3")"
	else
		failed=$((failed + 1))
		case $2 in
		77) echo "FAIL $1 (skipped, which counts here)" ;;
		124 | 137) echo "FAIL $1 (longer than $limit s, or killed)" ;;
		*) echo "FAIL $1 (status $2)" ;;
		esac
		tail -n 200 "$3" | sed 's/^/    /'
	fi
}

# run_in DIRECTORY NAME COMMAND...
run_in() {
	dir=$1 name=$2
	shift 2
	(cd "$dir" && exec timeout -k 10 $limit "$@") \
	    >"$work/output" 2>&1 </dev/null
	report "$name" $? "$work/output"
}

run_unit() {
	if [ -x "$BUILD/o/unit/test_$1" ]; then
		run_in "$SRC" "unit/$1" "$BUILD/o/unit/test_$1"
	else
		echo "it could not be built" >"$work/output"
		report "unit/$1" 1 "$work/output"
	fi
}

run_script() {
	case $(head -n 1 "$2") in
	*bash*) shell='bash' ;;
	*) shell='sh' ;;
	esac
	mkdir "$work/dir"
	run_in "$work/dir" "$1" $shell "$2"
	rm -rf "$work/dir"
}

all_names() {
	for f in "$SRC"/tests/*.sh "$SRC"/tests/unit/test_*.c \
	    "$SRC"/tests/house/*.sh "$SRC"/tests/e2e/*.sh; do
		[ -f "$f" ] || continue
		case $f in
		*/tests/run.sh | */tests/chroot.sh | */tests/tmux.sh | \
		    */tests/views.sh | */tests/picture.sh | \
		    */tests/tutorial.sh) ;;
		*/test_*.c) f=${f##*/test_} && echo "unit/${f%.c}" ;;
		*) f=${f#"$SRC/tests/"} && echo "${f%.sh}" ;;
		esac
	done
}

[ $# -gt 0 ] || eval "set -- $(all_names | tr '\n' ' ')"
for name in "$@"; do
	case $name in
	unit/*) run_unit "${name#unit/}" ;;
	*) run_script "$name" "$SRC/tests/$name.sh" ;;
	esac
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
