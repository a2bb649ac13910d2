#!/bin/sh
# Who is suspected?  The demo runs RUNS times for SECONDS, each time with other
# seeds; its two leaks must be named, its bounded cache, which is full after
# five seconds, and its churn must not.
#
#	HEAPTOP=... SRC=... [RUNS=20] [SECONDS_EACH=60] [AT_ONCE=4] sh suspects.sh
#
# With so many it takes five minutes.
set -eu
: "${HEAPTOP:?}" "${SRC:?}" "${RUNS:=20}" "${SECONDS_EACH:=60}" "${AT_ONCE:=4}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"${CC:-cc}" -O2 -g -pthread -o "$dir/demo" "$SRC/assets/demo.c"

run() {
	"$HEAPTOP" --growth --conf="prof_seed:$1" -o "$dir/$1" -- \
	    "$dir/demo" --seconds="$SECONDS_EACH" --seed="$1" >"$dir/$1.said" 2>&1
}

seed=1
while [ "$seed" -le "$RUNS" ]; do
	pids=
	for _ in $(seq "$AT_ONCE"); do
		[ "$seed" -le "$RUNS" ] || break
		run "$seed" &
		pids="$pids $!"
		seed=$((seed + 1))
	done
	for pid in $pids; do
		wait "$pid" || { cat "$dir"/*.said; exit 1; }
	done
done

# suspected FUNCTION FILE: it stands in the list of suspects
suspected() {
	awk -v f="$1" '/^suspects:/ { on = 1; next } /^[^ ]/ || /FIRST/ { on = 0 }
	    on && $2 == f { found = 1 } END { exit !found }' "$2"
}

good=0
seed=1
while [ "$seed" -le "$RUNS" ]; do
	wrong=
	for f in open_session parse_header; do
		suspected $f "$dir/$seed" || wrong="$wrong $f is not named;"
	done
	for f in cache_page render_page load_index; do
		! suspected $f "$dir/$seed" || wrong="$wrong $f is;"
	done
	if [ -z "$wrong" ]; then
		good=$((good + 1))
	else
		echo "seed $seed:$wrong"
		cat "$dir/$seed"
	fi
	seed=$((seed + 1))
done
echo "suspects: $good of $RUNS runs of $SECONDS_EACH s as they should be"
[ "$good" -eq "$RUNS" ]
