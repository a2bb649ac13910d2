#!/bin/sh
# The pages are sound mdoc, and heaptop(1) and --help tell of the same long
# options.
command -v mandoc >/dev/null || { echo "mandoc is not here"; exit 77; }
failed=0
mandoc -Tlint -Wwarning "$SRC"/man/*.[15] || failed=1

long_options() {
	grep -oE -e '--[a-z][a-z_-]+' | sort -u
}

"$HEAPTOP" --help | long_options >help.txt
# Only lines that introduce an option, not the prose about them.
sed -nE '/^\.(It )?Fl |^\.It Fl /{s/(Fl|,) -([a-z])/\1 --\2/g;p;}' \
    "$SRC/man/heaptop.1" | long_options >man.txt
[ -s help.txt ] || { echo "--help names no options"; exit 1; }
diff help.txt man.txt >diff.txt || {
	echo "< only in --help, > only in heaptop(1):"
	grep '^[<>]' diff.txt
	failed=1
}
exit $failed
