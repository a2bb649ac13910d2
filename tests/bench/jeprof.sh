#!/bin/sh
# Reports beside the real jeprof, in one run: seconds, ratio, memory.
#
#	HEAPTOP=.../heaptop SRC=... DUMPS=... [ROUNDS=3] sh jeprof.sh [CASE...]
#
# DUMPS: dumps with their programs and a CMD file, as tests/refs.py says.
set -eu
: "${HEAPTOP:?}" "${SRC:?}" "${DUMPS:?}" "${ROUNDS:=3}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
exec python3 -B "$SRC/tests/bench/jeprof.py" "$HEAPTOP" "$DUMPS" "$ROUNDS" "$@"
