#!/bin/sh
# Every file that the README names is there, and its two commands are the
# ones that work.
set -u
cd "$SRC" || exit 1
failed=0

grep -oE '\]\([^)#:]+\)|`(prof|src|ui|tests|man)/[^` ]+`' README.md |
    sed 's/^](//; s/[)`]//g' | sort -u >"${TMPDIR:-/tmp}/readme.$$"
while read -r name; do
	# a name may be a pattern
	# shellcheck disable=SC2086
	set -- $name
	[ -e "$1" ] || { echo "README.md names $name, which is not there"; failed=1; }
done <"${TMPDIR:-/tmp}/readme.$$"
rm -f "${TMPDIR:-/tmp}/readme.$$"

for goal in demo check; do
	grep -qx "./configure --install-deps && make $goal" README.md || {
		echo "README.md lacks the command for make $goal"
		failed=1
	}
done
exit $failed
