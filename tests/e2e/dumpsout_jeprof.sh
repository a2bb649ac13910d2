# Dumps of real programs, asked for by a signal while they are at work or
# written at their end: the real jeprof reads them and finds the same totals as
# heaptop, and at each address the same flat figure, to the byte (jeprof cuts
# fractions, heaptop rounds).

command -v jeprof >/dev/null || { echo 'jeprof is not here'; exit 77; }
compared=0

fail() {
	echo "$*"
	exit 1
}

# flat REPORT DUMP: what is allocated at each address, sorted.  Names differ
# where a program is stripped: jeprof takes the nearest one.  It has a row for
# each function inlined at an address, the innermost of which has the figure.
# In the dynamic linker, whose malloc is inlined, addr2line takes one for the
# other, and jeprof drops what called it: that is added up.
flat() {
	awk 'FNR == 1 { n++ }
		n == 1 && /ld-linux/ {
			split($1, ends, "-")
			low[++modules] = sprintf("%16s", ends[1])
			high[modules] = sprintf("%16s", ends[2])
			gsub(/ /, "0", low[modules])
			gsub(/ /, "0", high[modules])
		}
		n == 2 && FNR > 1 {
			at = $6
			for (i = 1; i <= modules; i++)
				if ($6 "" >= low[i] "" && $6 "" < high[i] "")
					at = "ld.so"
			sum[at] += $1
		}
		END { for (a in sum) if (sum[a] >= 2) print a, sum[a] }' \
	    "$2" "$1" | sort
}

# compare NAME FILE PROGRAM
compare() {
	[ -s "$2" ] || fail "$1: no dump"
	program=$(readlink -f "$3")
	for by in --functions --addresses; do
		jeprof --text --show_bytes $by "$program" "$2" >theirs \
		    2>theirs.err || fail "$1: jeprof: $(cat theirs.err)"
		"$HEAPTOP" --text --show_bytes $by "$program" "$2" >ours \
		    2>ours.err || fail "$1: $(cat ours.err)"
		set -- "$1" "$2" "$3" \
		    "$(sed -n 's/^Total: \([0-9]*\) B/\1/p' theirs)" \
		    "$(sed -n 's/^Total: \([0-9]*\) B/\1/p' ours)"
		[ "$4" ] && [ "$5" ] && [ "$4" -gt 20000 ] &&
		    [ $(($5 - $4)) -ge 0 ] && [ $(($5 - $4)) -le 1 ] ||
		    fail "$1 $by: totals $4 $5"
	done
	flat theirs "$2" >theirs.flat
	flat ours "$2" >ours.flat
	# an address of jeprof's that heaptop has not, or the other way round,
	# counts as 0
	join -a 1 -a 2 -e 0 -o 0,1.2,2.2 theirs.flat ours.flat |
	    awk '{ d = $3 - $2; more = $1 == "ld.so" ? 20 : 1 }
		d < -more || d > more { print; bad = 1 }
		END { exit bad }' >differ ||
	    fail "$1: $(wc -l <differ) figures differ: $(head -n 3 differ)"
	[ "$(wc -l <ours.flat)" -ge 2 ] || fail "$1: too few rows to tell"
	compared=$((compared + 1))
}

# dump NAME COMMAND...: sampled at 512 bytes, it signals itself
dump() {
	name=$1
	shift
	command -v "$1" >/dev/null || return
	MALLOC_CONF=prof:true,prof_final:false,lg_prof_sample:9,prof_prefix:$name \
	    LD_PRELOAD=$LIB "$@" >out 2>err </dev/null || fail "$name: $(cat err)"
	# what it started may have answered too
	for file in "$name".*.m0.heap; do
		[ -e "$file" ] || fail "$name: no dump"
		case $(sed -n 's/^# heaptop program=//p' "$file") in
		*/"${1##*/}"*) compare "$name" "$file" "$(command -v "$1")" ;;
		esac
	done
}

# final NAME COMMAND...: its dump is that of its end
final() {
	name=$1
	shift
	command -v "$1" >/dev/null || return
	MALLOC_CONF=prof:true,lg_prof_sample:9,prof_prefix:$name \
	    LD_PRELOAD=$LIB "$@" >out 2>err </dev/null || fail "$name: $(cat err)"
	found=
	for file in "$name".*.f.heap; do
		case $(sed -n 's/^# heaptop program=//p' "$file") in
		*/"${1##*/}"*) compare "$name" "$file" "$(command -v "$1")" ;;
		*) continue ;;
		esac
		found=1
	done
	[ "$found" ] || fail "$name: no dump"
}

cat >fill.sql <<'END'
create table t(a integer primary key, b text);
create index i on t(b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000)
    insert into t select x, hex(randomblob(20)) from c;
.shell kill -USR1 $PPID; sleep 0.3
END
dump sqlite sqlite3 :memory: '.read fill.sql'
cat >fill.py <<'END'
import json, os, signal, time
kept = [json.loads('{"k%d": [1.5, "text %d"]}' % (i, i)) for i in range(20000)]
big = [bytearray(3000 + i) for i in range(1000)]
os.kill(os.getpid(), signal.SIGUSR1)
time.sleep(0.3)
END
dump python /usr/bin/python3 fill.py
# shellcheck disable=SC2016
dump perl perl -e 'my %h = map { $_ => [1 .. 5, "x" x $_] } 1 .. 3000;
    kill "USR2", $$; select(undef, undef, undef, 0.3)'
# shellcheck disable=SC2016
dump bash bash -c 'for ((i = 0; i < 3000; i++)); do a[i]=$i$i$i; done
    declare -A m; for ((i = 0; i < 3000; i++)); do m[k$i]=v$i; done
    f() { echo "${#a[@]}"; }; kill -USR1 $$; sleep 0.3; :'
cat >hard.cc <<'END'
#include <map>
#include <string>
int main() { std::map<std::string, int> m; return ++m["a"]; }
END
compiler=$("$CXX" -print-prog-name=cc1plus 2>/dev/null)
final cc1plus "${compiler:-cc1plus}" -quiet -O1 -D_GNU_SOURCE \
    -imultiarch "$("$CXX" -print-multiarch)" hard.cc -o hard.s
if command -v git >/dev/null; then
	git init -q r
	for i in 1 2 3 4 5 6 7 8; do
		seq $i $((i * 500)) >r/file$((i % 3))
		git -C r add -A
		git -C r -c user.name=t -c user.email=t@example.invalid \
		    commit -qm "$i"
	done
	final git git -C r --no-pager log --stat -p
fi
if command -v redis-server >/dev/null; then
	MALLOC_CONF=prof:true,prof_final:false,lg_prof_sample:12,prof_prefix:redis \
	    LD_PRELOAD=$LIB redis-server --port 0 --save '' \
	    --enable-debug-command yes --unixsocket "$PWD/s" >out 2>&1 &
	job=$!
	for _ in $(seq 100); do
		[ -S s ] && break
		sleep 0.05
	done
	redis-cli -s s debug populate 20000 key 100 >/dev/null
	kill -USR2 $job
	sleep 0.5
	redis-cli -s s shutdown nosave >/dev/null
	wait $job
	for file in redis.*.m0.heap; do
		compare redis "$file" "$(command -v redis-server)"
	done
fi
[ $compared -ge 5 ] || { echo "only $compared programs are here"; exit 77; }
exit 0
