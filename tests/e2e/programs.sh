# Real programs: their output and status are the same with heaptop as without,
# byte for byte, and the last snapshot names functions.  Programs that are not
# installed are told, and skipped if they are optional.

missing=

# program NAME NAMES COMMAND...: NAMES is a pattern that a row must match
program() {
	name=$1 names=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		missing="$missing $name"
		return
	fi
	"$@" <in >$name.out.alone 2>$name.err.alone
	alone=$?
	"$HEAPTOP" -b -n 1 -s 4K --conf=prof_seed:1 -o $name.snapshot -- "$@" \
	    <in >$name.out.with 2>$name.err.all
	with=$?
	grep -v '^heaptop: ' $name.err.all >$name.err.with
	if [ $alone != $with ]; then
		echo "$name: status $alone alone, $with with heaptop"
		head -c 2000 $name.err.all
		exit 1
	fi
	cmp $name.out.alone $name.out.with || exit 1
	cmp $name.err.alone $name.err.with || exit 1
	if ! grep -E -q "$names" $name.snapshot; then
		echo "$name: no row matches $names"
		cat $name.snapshot
		exit 1
	fi
	echo "$name: same output, status $with, $(grep -E -o -m 1 "$names" \
	    $name.snapshot | head -n 1)"
}

cat >script.py <<'P'
import json, sqlite3, zlib
data = {str(i): [i] * 20 for i in range(5000)}
text = json.dumps(data)
print(len(text), len(zlib.compress(text.encode())))
db = sqlite3.connect(":memory:")
db.execute("create table t (a, b)")
db.executemany("insert into t values (?, ?)", ((i, str(i)) for i in range(9999)))
print(db.execute("select count(*), sum(a) from t").fetchall())
P
cat >script.pl <<'P'
my %h; $h{$_} = "x" x ($_ % 50) for 1 .. 50000;
print join(",", (sort { $a <=> $b } keys %h)[0 .. 5]), "\n";
warn "to stderr\n"; exit 3;
P
cat >script.js <<'P'
const zlib = require('zlib');
const a = []; for (let i = 0; i < 100000; i++) a.push('line ' + i);
console.log(zlib.gzipSync(a.join('\n')).length, a.length);
P
cat >script.sql <<'P'
create table t (a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000)
insert into t select i, 'text ' || i from n;
create index x on t (b);
select count(*), max(b) from t;
P
cat >code.cc <<'P'
#include <map>
#include <regex>
#include <string>
std::map<std::string, int> words(const std::string &s)
{
	std::map<std::string, int> m;
	std::regex re("[a-z]+");
	for (std::sregex_iterator i(s.begin(), s.end(), re), e; i != e; ++i)
		m[i->str()]++;
	return m;
}
P
cat script.py script.pl >in
head -c 3000000 "$HEAPTOP" >blob

# itself, not a script that looks for it
python=$(python3 -c 'import sys; print(sys.executable)' || echo python3)
program python3 'Py[A-Z_]|sqlite3|deflate' "$python" script.py
program perl 'Perl_' perl script.pl
program sqlite3 'sqlite3' sqlite3 -batch :memory: '.read script.sql'
program xz 'lzma_|liblzma' xz -T2 -1 -k -c blob
program g++ 'cc1plus|as\+0x|main' g++ -O1 -c -o /dev/null code.cc
program node 'node::|v8::|uv_|CRYPTO_|ossl_|asn1_' node script.js
program threads 'std::|work' "$TARGETS/crowd" 64

# git: a repository of its own
if command -v git >/dev/null; then
	git init -q repo && cd repo || exit 1
	for i in 1 2 3; do
		seq $((i * 2000)) >file
		git add file
		GIT_AUTHOR_DATE="2020-01-0$i 00:00" \
		GIT_COMMITTER_DATE="2020-01-0$i 00:00" \
		    git -c user.name=a -c user.email=a@b commit -q -m "part $i"
	done
	cd ..
	program git 'git\+0x|xmalloc|xrealloc|git_|deflateInit' \
	    git -C repo --no-pager log -p --stat
else
	missing="$missing git"
fi

# redis: its own figure of its memory is the truth; 2 % and the error
if command -v redis-server >/dev/null && command -v redis-cli >/dev/null; then
	s=$PWD/redis.sock
	"$HEAPTOP" -b --show_bytes --interval=500ms -o redis.snapshot -- \
	    redis-server --unixsocket "$s" --port 0 --save '' >redis.log 2>&1 &
	pid=$!
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		redis-cli -s "$s" ping 2>/dev/null | grep -q PONG && break
		sleep 0.25
	done
	redis-benchmark -s "$s" -q -n 60000 -r 50000 -d 300 -t set,lpush \
	    >redis.bench 2>&1 || { cat redis.bench redis.log; exit 1; }
	sleep 1.2
	used=$(redis-cli -s "$s" info memory |
	    sed -n 's/^used_memory:\([0-9]*\).*/\1/p')
	sleep 0.7
	redis-cli -s "$s" shutdown nosave
	wait $pid || { echo "redis: status $?"; cat redis.log; exit 1; }
	python3 - "$used" <<'P' || exit 1
import re, sys
used = int(sys.argv[1])
unit = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
lives = re.findall(r"live ([0-9.]+) (\S+)", open("redis.snapshot").read())
best = min(abs(float(n) * unit[u] / used - 1) for n, u in lives)
print(f"redis: used_memory {used}, nearest live figure {100 * best:.2f} % off")
sys.exit(best > 0.02)
P
	grep -q 'sdsnewlen' redis.snapshot || { echo 'redis: no names'; exit 1; }
else
	missing="$missing redis"
fi

if [ -n "$missing" ]; then
	echo "not installed:$missing"
	exit 77
fi
