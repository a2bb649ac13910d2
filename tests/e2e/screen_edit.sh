# The source in the user's editor, and a stack in the clipboard.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# An editor that notes what it was given and waits for a key, as they do.
cat >editor <<'END'
#!/bin/sh
[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminal >>"${0%/*}/edited"
echo "preload: ${LD_PRELOAD-none} ${HEAPTOP_SOCKET-none}" >>"${0%/*}/edited"
echo "words: $*" >>"${0%/*}/edited"
stty -a | grep -q ' icanon' && echo canonical >>"${0%/*}/edited"
trap '' INT
echo 'EDITING'
read -r answer
exit "${answer:-0}"
END
chmod +x editor

edited() {
	until_true grep -q -E -e "$1" edited ||
	    fail "the editor was not given $1: $(cat edited)"
}

HEAPTOP_SOURCE_PATH=$SRC # the compiler may have had a relative name
export HEAPTOP_SOURCE_PATH
screen 100x30 env EDITOR=false VISUAL="$here/editor --wait" LD_PRELOAD= \
    "$HEAPTOP" --exact --interval=100ms --target-output=log "$obeys" "$orders"
tell apple 3072
tell pear 2048
shows '2\.0 MiB .*pear'
keys v
shows EDITING
edited '^words: --wait \+[0-9]+ .*obeys\.c$'
edited '^preload: none none$'
edited '^terminal$'
edited '^canonical$'
[ "$(ask '#{alternate_on} #{mouse_any_flag}')" = '0 0' ] ||
    fail 'the terminal was not given back'
line=$(sed -n 's/.*+\([0-9]*\) .*/\1/p' edited)
sed -n "${line}p" "$SRC/tests/targets/obeys.c" | grep -q 'apple\|kept' ||
    fail "line $line is not that of apple"

# Meanwhile the program runs on, and what it prints is taken.
tell plums 1024
told
keys C-c # it is the editor's business, not ours
sleep 0.2
keys Enter
shows '1\.0 MiB .*plum'
shows '^▌ +3\.0 MiB'

press q 'is still running'
keys t
left 'signal 15'

# How it failed is said.
: >edited
screen 100x30 env VISUAL="$here/editor" "$HEAPTOP" --exact \
    --target-output=log "$obeys" "$orders"
tell apple 3072
shows apple
press Enter 'esc back'
press Down '^▌#1 obey '
keys v
shows EDITING
edited '^words: \+[0-9]+ .*obeys\.c$'
type 3
press Enter 'the editor editor ended with status 3'
shows '^▌#1 obey ' # where one was
press Down '^▌#2 main '
keys v
shows EDITING
type 0
keys Enter
shows '^▌#2 main '
[ "$(sed -n 's/^words: +\([0-9]*\) .*/\1/p' edited | sort -u | wc -l)" = 2 ] ||
    fail 'both frames have one line'
press End '^▌#[0-9] _start'
press v 'no line is known of _start'
press Escape '1.1 of 1$'
resize 80x24
shows '^ obeys .*live'
press q 'is still running'
keys t
left 'signal 15'
screen 100x30 env VISUAL=/nowhere/vi "$HEAPTOP" --exact "$obeys" "$orders"
tell apple 3072
shows apple
press v 'the editor vi was not found; set VISUAL or EDITOR'
shows '^\[1 Top\]'

# A stack, to where tmux keeps what was copied.
tm set -s set-clipboard on
press Y '^ copied the stack, [0-9]+ lines$'
tm show-buffer >copied
grep -q '^  #0 apple ' copied && grep -q '^  #1 obey ' copied ||
    fail "this was copied: $(cat copied)"
[ "$(look | sed -n 's/^ copied the stack, \([0-9]*\) .*/\1/p')" = \
    "$(wc -l <copied)" ] || fail 'there are more lines, or less'
shows '^\[1 Top\]'
press q 'is still running'
keys t
left 'signal 15'
restored

# Source that is not there.
cp "$obeys" moved
unset HEAPTOP_SOURCE_PATH
mkdir s
cat >s/lost.c <<'END'
#include <stdlib.h>
#include <unistd.h>
char *p;
int main(void) { p = malloc(1 << 20); return sleep(100); }
END
(cd s && $CC -g -o ../lost lost.c) && rm s/lost.c ||
    { echo 'cannot compile'; exit 1; }
screen 100x30 env VISUAL="$here/editor" "$HEAPTOP" --exact ./lost
shows '1\.0 MiB .*main'
press v 'lost\.c is not here; set HEAPTOP_SOURCE_PATH'
press q 'is still running'
keys t
left 'signal 15'
