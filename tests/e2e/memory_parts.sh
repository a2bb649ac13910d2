# What resident memory is made of: the parts add up to what the kernel counts,
# within 1 %, and what a program has mapped is where it belongs.

XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
all=
trap 'kill $all 2>/dev/null' EXIT

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

# Resident bytes, by the kernel.
rollup() {
	awk '/^Rss:/ { print $2 * 1024 }' "/proc/$1/smaps_rollup"
}

# part LABEL: its bytes
part() {
	awk -v label="$1" 'index($0, label "  ") == 1 {
		sub(label, "")
		print $1
	}' out
}

# compare NAME PID: all parts against the kernel's sum before and after, as
# the program may go on meanwhile.
compare() {
	before=$(rollup "$2")
	"$HEAPTOP" -p "$2" --memory --show_bytes >out 2>err ||
	    fail "$1: status $?"
	after=$(rollup "$2")
	awk -v before="$before" -v after="$after" '
		/^rss / { rss = $2; exit }
		/^[a-z]/ { match($0, /  +-?[0-9]+ /); sum += substr($0, RSTART) }
		END {
			low = (before < after ? before : after) * .99
			high = (before > after ? before : after) * 1.01
			print "sum", sum, "rss", rss, "between", low, high
			exit !(sum == rss && rss > low && rss < high)
		}' out >sum || fail "$1: $(cat sum)"
	grep -q '^not known' out && fail "$1: something is not known"
	[ "$(part 'own data')" -gt 100000 ] || fail "$1: no own data"
	return 0
}

# start NAME COMMAND...: in the background, its output in NAME.out; until it
# can be watched.
start() {
	name=$1
	shift
	"$HEAPTOP" exec -s 16K -- "$@" >"$name.out" 2>&1 &
	pid=$!
	all="$all $pid"
	for _ in $(seq 200); do
		[ -S "r/heaptop/$pid.sock" ] && return 0
		sleep 0.05
	done
	fail "$name: $(cat "$name.out")"
}

start demo "$BUILD/assets/demo" --seconds=60
for _ in $(seq 100); do # its index is written page by page
	compare demo "$pid"
	[ "$(part 'live objects')" -gt 30000000 ] && break
	sleep 0.1
done
[ "$(part 'live objects')" -gt 30000000 ] || fail 'demo: its index is not live'

if command -v redis-server >/dev/null; then
	start redis redis-server --port 0 --unixsocket "$PWD/redis" --save ''
	compare redis "$pid"
fi

if command -v node >/dev/null; then
	start node node -e 'a = []; for (i = 0; i < 3e5; i++) a.push({ i });
	    setTimeout(() => a, 60000)'
	sleep 1
	compare node "$pid"
fi

command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
cat >maps.py <<'END'
import mmap, time
own = mmap.mmap(-1, 20 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
shared = mmap.mmap(-1, 10 << 20)
with open("file", "wb") as f:
    f.write(bytes(8 << 20))
with open("file", "rb") as f:
    file = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
for m in own, shared:
    for i in range(0, len(m), 4096):
        m[i] = 1
seen = sum(file[i] for i in range(0, len(file), 4096))
live = bytearray(b"x") * (30 << 20)
# blocks with mappings of their own, which grow, move and go
huge = bytearray(b"y") * (70 << 20)
for i in range(40):
    huge += bytes(1 << 20)
gone = bytearray(90 << 20)
del gone, huge
print("ready", flush=True)
time.sleep(60)
END
start python python3 maps.py
for _ in $(seq 200); do
	grep -q ready python.out && break
	sleep 0.05
done
compare python "$pid"
# about LABEL MIB MORE: that much and at most so many MiB more
about() {
	if [ "$(part "$1")" -lt $(($2 << 20)) ] ||
	    [ "$(part "$1")" -gt $((($2 + $3) << 20)) ]; then
		fail "$1: $(part "$1") bytes are not $2 MiB"
	fi
}
about 'other memory' 20 8 # small objects live in mappings of python's own
about 'shared memory' 10 1
about files 8 2
[ "$(part 'live objects')" -ge $((30 << 20)) ] || fail 'python: not live'
# What is taken for the heap is as much as the allocator has mapped.
heap=$(awk '/ page heap/ { print $2 }' out)
[ "$heap" = "$(part mapped)" ] || fail "python: a page heap of $heap"
grep -q "  $PWD/file$" out || fail 'python: its file is not among them'
exit 0
