#!/bin/sh
#
# Makes a picture of the screen, as a person sees it in a terminal:
#
#	make && HEAPTOP=$PWD/heaptop sh tests/picture.sh \
#	    doc/screen.png 100x30 12 ./assets/demo
#
# The file, the size, how many seconds to wait, then what heaptop is given;
# PICTURE_KEYS are keys that are pressed in the middle.  Not part of `make
# check': it wants Xvfb, xterm and ImageMagick beside tmux.

# shellcheck disable=SC2154 # names that come from tmux.sh
[ $# -ge 4 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 2; }

picture=$(realpath "$1") size=$2 seconds=$3
shift 3
SRC=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d) || exit 1
at=$PWD
cd "$work" || exit 1
. "$SRC/tests/tmux.sh"
: "${HEAPTOP:=heaptop}"

Xvfb :77 -screen 0 1800x1200x24 >/dev/null 2>&1 &
x=$!
trap 'clean_up; sleep 0.3; kill $x; rm -rf "$work"' EXIT

screen "$size" sh -c "cd '$at' && exec \"\$@\"" sh "$HEAPTOP" "$@"
shows .
until_true test -S /tmp/.X11-unix/X77 || fail 'no X server'
DISPLAY=:77 LC_ALL=C.UTF-8 xterm -geometry "$size+0+0" -b 6 -bw 0 +sb -uc \
    -fa 'DejaVu Sans Mono' -fs 11 -bg '#1c1c1c' -fg '#d0d0d0' \
    -tn xterm-256color -e tmux -S "$here/tmux" attach &
sleep $((seconds / 2))
# shellcheck disable=SC2086 # several keys
[ -z "$PICTURE_KEYS" ] || keys $PICTURE_KEYS
sleep $((seconds - seconds / 2))
DISPLAY=:77 import -window root "$work/root.png" &&
    convert "$work/root.png" -trim +repage "PNG8:$picture" &&
    ls -l "$picture"
