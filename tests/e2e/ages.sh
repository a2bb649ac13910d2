# Ages of live objects, of a program that says when it took them: exact and
# sampled, at its end and after SIGKILL, while it runs, and of what a fork child
# has from its parent.
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}

cat >check.py <<'X'
import json, sys
report, when, exact, old_live = sys.argv[1:]
r = json.load(open(report))
now = r['process']['now_ns']
exact = exact == 'exact'
rows = {w['name']: w for w in r['rows']}
failed = False
for line in open(when):
    name, first, last = line.split()
    if name == 'young' and 'young_ones' not in rows:
        continue
    a = rows[name + '_ones']['ages']
    # births are known to 10 ms, by a clock that is 4 ms coarse at most
    least = now - int(last)
    most = now - int(first) + 20000000
    good = least <= a['youngest_ns'] <= a['median_ns'] <= a['oldest_ns'] <= most
    live = int(old_live) if name == 'old' else 100
    if exact:
        good &= a['exact'] and a['samples'] == a['objects'] == live
    good &= not a['part'] and a['exact'] == exact
    if not good:
        print(report, name, a, 'not from', least, 'to', most)
        failed = True
old = rows['old_ones']
if exact and old_live == '100':
    # 100 of 200 went after 300 ms: [256, 1024) ms
    want = [0] * 12
    want[4] = 100
    if old['lifetimes'] != want:
        print(report, old['lifetimes'])
        failed = True
sys.exit(failed)
X

check() {
	python3 check.py "$@" || exit 1
}

json() {
	to=$1
	shift
	"$HEAPTOP" --json -o "$to" "$@" >when 2>err ||
	    [ "$?" = "${want:-0}" ] || {
		cat err
		exit 1
	}
}

ages=$TARGETS/ages
json exact.json --exact -- "$ages"
check exact.json when exact 100
json sampled.json -s 4K -- "$ages"
check sampled.json when sampled 100
want=137 json killed.json --exact -- "$ages" kill
check killed.json when exact 100

# In words: what was freed lived for 300 ms.
"$HEAPTOP" --stats -o stats --exact -- "$ages" >when 2>err || exit 1
for line in 'median age  *[0-9.]*m*s' 'oldest live  *[0-9.]*m*s' \
    'youngest live  *[0-9.]*m*s' 'median life  *256ms  to 1s, of 100 freed'; do
	grep -q "^$line" stats || {
		echo "no $line"
		cat stats
		exit 1
	}
done

# While it runs.
mkfifo hold
HOLD=1 "$HEAPTOP" exec --exact -- "$ages" <hold >when 2>err &
exec 3>hold
pid=$!
i=0
until [ "$(wc -l <when)" = 2 ] || [ "$i" -gt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
sleep 0.3
"$HEAPTOP" --json -o live.json -p "$pid" 2>err || exit 1
check live.json when exact 100
exec 3>&-
wait "$pid" || exit 1

# The child has the old ones from its parent, with their true ages.
HOLD=1 "$HEAPTOP" exec --exact -- "$ages" fork <hold >when 2>err &
exec 3>hold
pid=$!
i=0
until [ "$(wc -l <when)" = 2 ] || [ "$i" -gt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
sleep 0.3
child=$(ps -o pid= --ppid "$pid" | tr -d ' ')
"$HEAPTOP" --json -o child.json -p "$child" 2>err || exit 1
check child.json when exact 100
"$HEAPTOP" --json -o parent.json -p "$pid" 2>err || exit 1
check parent.json when exact 200
exec 3>&-
wait "$pid"
