#!/bin/sh
# What sampling costs real programs: CPU and peak memory of each of those
# that are found, with glibc's malloc and with ours, profiling off and at
# 2^19, 2^12 and 2^0 bytes, in turns.
#
#	LIB=.../libheaptop.so SRC=... [ROUNDS=2] sh sampling.sh
#
# A claim wants ROUNDS=15 or more.
set -eu
: "${LIB:?}" "${SRC:?}" "${ROUNDS:=2}"
unset LD_PRELOAD MALLOC_CONF HEAPTOP_CONF HEAPTOP_DEFAULTS HEAPTOP_SOCKET
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
here=$SRC/tests/bench
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -o "$dir/cost" "$here/cost.c"
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -fno-builtin -o "$dir/malloc" \
    "$here/malloc.c" -lpthread
cc1=$("${CC:-cc}" -print-prog-name=cc1 2>/dev/null || :)
"${CC:-cc}" -std=c11 -D_GNU_SOURCE -E "$here/malloc.c" >"$dir/compiled.i"

cat >"$dir/hash.pl" <<'X'
for (1 .. 20) { my %h; $h{$_} = [$_, "x$_"] for 1 .. 20000 }
X
cat >"$dir/list.py" <<'X'
import json
d = [{"k%d" % i: [str(j) for j in range(40)]} for i in range(2000)]
for _ in range(4):
    json.loads(json.dumps(d))
X
cat >"$dir/index.sql" <<'X'
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000)
insert into t select x, hex(x) from c;
create index i on t(b);
select count(distinct a % 977) from t;
X

# run NAME ROUND VARIABLES... : every program once
run() {
	name=$1 round=$2
	shift 2
	[ -x "$cc1" ] && row cc1 "$cc1" -quiet -O2 -o /dev/null \
	    "$dir/compiled.i"
	command -v perl >/dev/null && row perl perl "$dir/hash.pl"
	command -v python3 >/dev/null &&
	    row python "$(python3 -c 'import sys; print(sys.executable)')" \
	        "$dir/list.py"
	command -v sqlite3 >/dev/null && row sqlite sqlite3 :memory: \
	    ".read $dir/index.sql"
	command -v xz >/dev/null && row xz xz -T2 -1 -kc "$LIB"
	row mixed_small "$dir/malloc" -s 0.6 mixed_small
	row two_threads "$dir/malloc" -s 0.6 two_threads
}

# row NAME COMMAND... ; $env is the variables
row() {
	program=$1
	shift
	# shellcheck disable=SC2086
	"$dir/cost" $env "$@" | while read -r cpu kib; do
		echo "$name $round $program $cpu"
		echo "$name $round ${program}_kib $kib"
	done
}

config() {
	case $1 in
	glibc) env='-e NONE=1' ;;
	off) env="-e LD_PRELOAD=$LIB -e MALLOC_CONF=prof:false" ;;
	*) env="-e LD_PRELOAD=$LIB -e MALLOC_CONF=lg_prof_sample:$1" ;;
	esac
	run "$1" "$2"
}

r=0
all='glibc off 19 12 0'
while [ "$r" -lt "$ROUNDS" ]; do
	r=$((r + 1))
	for c in $all; do
		config "$c" "$r"
	done
	# Who goes first changes, as a busy machine drifts.
	all="${all#* } ${all%% *}"
done >"$dir/all"

ratio() {
	awk -v of="$1" -v to="$2" -v each="$3" -v mean="$4" -v title="$5" \
	    -f "$here/ratio.awk" "$dir/all"
}
ratio off glibc 1.15 '' 'profiling off'
ratio 19 off 1.06 1.02 'a sample per 512 KiB'
ratio 12 off '' 1.25 'a sample per 4 KiB'
ratio 0 glibc '' 3 'exact'
