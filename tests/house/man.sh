#!/bin/sh
# The pages are sound mdoc, and heaptop(1) and --help tell of the same long
# options.
command -v mandoc >/dev/null || { echo "mandoc is not here"; exit 77; }
failed=0
mandoc -Tlint -Wwarning "$SRC"/man/*.[1-9] || failed=1

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

# Keys of what there is, by the one table of keys; views to come are not told.
tr '\n' ' ' <"$SRC/ui/keymap.h" | tr -s ' \t\\' ' ' | grep -oE 'X\([A-Z_]+, "[^"]+", [^"]+,' |
    grep -vE ', (IN\((TREE|FLAME|GROWTH|SNAPSHOTS|MEMORY)\)|IN_SHAPES),|VIEW_[GTFSM]|TO_TREE|TO_FLAME' |
    sed -E 's/^[^"]*"([^"]*)".*/\1/' | tr ' ' '\n' | grep . | sort -u >keys.txt
sed -nE '/^\.Ss The screen/,/^\.Ss How far/{s/\\&//g;s/\\e/\\/g;/^\.(It )?Ic /p;}' "$SRC/man/heaptop.1" |
    tr ' ' '\n' | sort -u >told.txt
[ "$(wc -l <keys.txt)" -gt 30 ] || { echo "keymap.h was not read"; failed=1; }
while read -r key; do
	grep -qxF -- "$key" told.txt || {
		echo "heaptop(1) does not tell of the key $key"
		failed=1
	}
done <keys.txt
exit $failed
