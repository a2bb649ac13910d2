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

# Keys by the one table of keys: each is told of in heaptop(1), and
# heaptop-config(5) has the table itself.
tr '\n' ' ' <"$SRC/ui/keymap.h" | tr -s ' \t' ' ' | sed 's/\\ / /g' |
    grep -oE 'X\([A-Z_]+, "[^"]+", ' | sed -E 's/^X\(//;s/\\\\/\\/;s/, "/ /;s/", $//' |
    awk '{ $1 = tolower($1); gsub(/_/, "-", $1); print }' | sort >actions.txt
[ "$(wc -l <actions.txt)" -gt 50 ] || { echo "keymap.h was not read"; failed=1; }
sed -nE 's/^\.It Cm ([a-z-]+) Ta Ic (.*) Ta .*/\1 \2/p' "$SRC/man/heaptop-config.5" |
    sed 's/\\&//g;s/\\e/\\/g' | sort >told.txt
diff actions.txt told.txt >diff.txt || {
	echo "< only in keymap.h, > only in heaptop-config(5):"
	grep '^[<>]' diff.txt
	failed=1
}
cut -d ' ' -f 2- actions.txt | tr ' ' '\n' | sort -u >keys.txt
sed -nE '/^\.Ss The screen/,/^\.Ss What the screen/{s/\\&//g;s/\\e/\\/g;/^\.(It )?Ic /p;}' "$SRC/man/heaptop.1" |
    tr ' ' '\n' | sort -u >told.txt
while read -r key; do
	grep -qxF -- "$key" told.txt || {
		echo "heaptop(1) does not tell of the key $key"
		failed=1
	}
done <keys.txt

# Commands likewise.
sed -nE 's/^	X\([A-Z]+, "([a-z]+)", .*/\1/p' "$SRC/ui/command.h" | sort >commands.txt
[ "$(wc -l <commands.txt)" -gt 20 ] || { echo "command.h was not read"; failed=1; }
sed -nE '/^Commands, behind/,/^\.El/{s/^\.It Cm //p;}' "$SRC/man/heaptop.1" |
    tr ' ' '\n' | sort -u >told.txt
while read -r command; do
	grep -qxF -- "$command" told.txt || {
		echo "heaptop(1) does not tell of the command $command"
		failed=1
	}
done <commands.txt
exit $failed
