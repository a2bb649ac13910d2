#!/bin/sh
# How soon a series of 1,000 dumps is there.
#
#	HEAPTOP=.../heaptop SRC=... sh series.sh [COUNT [STACKS]]
set -eu
: "${HEAPTOP:?}" "${SRC:?}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -B "$SRC/tests/bench/series.py" "$HEAPTOP" "$dir" "$@"
