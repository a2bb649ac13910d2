# For scripts that steer the target asks: `. "$SRC/tests/targets/asks.sh"'.
# shellcheck disable=SC2034 # who reads this uses them

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

# start OPTIONS COMMAND...: in $pid, its stdin on descriptor 3, told its pid
start() {
	options=$1
	shift
	rm -f in out
	mkfifo in
	# shellcheck disable=SC2086
	env $options LD_PRELOAD="$LIB" "$@" <in >out 2>err &
	job=$!
	exec 3>in
	until_true [ -s out ] || fail 'it does not start'
	pid=$(head -n 1 out)
}

until_true() {
	for _ in $(seq 200); do
		"$@" && return 0
		sleep 0.01
	done
	return 1
}

# tell LINE: and wait for the answer, which is in $answer
tell() {
	before=$(wc -l <out)
	echo "$1" >&3
	until_true more_than "$before" || fail "no answer to: $1"
	answer=$(tail -n 1 out)
}

more_than() {
	[ "$(wc -l <out)" -gt "$1" ]
}

finish() {
	exec 3>&-
	wait $job
	status=$?
}

# files PATTERN: how many there are
files() {
	# shellcheck disable=SC2086
	set -- $1
	[ -e "$1" ] && echo $# || echo 0
}

has() {
	[ "$(files "$1")" = "$2" ]
}

total() {
	"$HEAPTOP" --text "$TARGETS/asks" "$1" 2>/dev/null | head -n 1
}
