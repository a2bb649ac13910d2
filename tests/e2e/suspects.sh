# The demo leaks in two places, fills a cache in five seconds, and churns.
# Within 40 s the leaks are named as suspects, and nothing else is; whether that
# is so with other seeds is for tests/bench/suspects.sh.

demo=$BUILD/assets/demo
[ -x "$demo" ] || "$MAKE" -C "$BUILD" assets/demo >/dev/null || exit 1

for seed in 1 2; do
	"$HEAPTOP" --growth --conf="prof_seed:$seed" -o "growth.$seed" -- \
	    "$demo" --seconds=40 --seed="$seed" >"said.$seed" 2>&1 &
done
wait

for seed in 1 2; do
	sed -n '/^suspects:/,/FIRST/p' "growth.$seed" |
	    sed -n 's/^  [0-9]*\. \([a-z_]*\) .*/\1/p' >"named.$seed"
	printf 'open_session\nparse_header\n' | cmp -s - "named.$seed" || {
		echo "seed $seed: suspects are not the two leaks"
		cat "growth.$seed" "said.$seed"
		exit 1
	}
done
exit 0
