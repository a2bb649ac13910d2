# The library without heaptop: nothing but a socket shows that it is there.
# Viewers come, go, stall and talk nonsense; the program does not notice.

steady=$TARGETS/steady
# of our own, so that what is left there is ours
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
run=$XDG_RUNTIME_DIR/heaptop

fail() {
	echo "$*"
	cat err 2>/dev/null
	exit 1
}

# until COMMAND...: at most 5 seconds
until_true() {
	for _ in $(seq 100); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

# the helper has as many descriptors as before
fds_are_back() {
	[ "$(ls "${helper%/comm}/fd" | wc -l)" = "$their_fds" ]
}

# start LINES: a steady program in $pid, listening
start() {
	# exact: its block of 1 MiB is there in every snapshot
	HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB "$steady" "$1" 20 \
	    >out 2>err &
	pid=$!
	until_true [ -S "$run/$pid.sock" ] || fail 'no socket'
}

# ended LINES: it has ended as it does alone
ended() {
	wait $pid
	got=$?
	[ $got = 7 ] || fail "status $got"
	[ "$(tail -n 1 out)" = "$1 lines" ] || fail "output: $(tail -n 1 out)"
	[ ! -s err ] || fail 'something was said'
	[ ! -e "$run/$pid.sock" ] || fail 'the socket is still there'
}

# Output and status are the same.
"$steady" 5 1 >alone 2>alone.err
for cmd in "$steady 5 1" "$TARGETS/ends exit" "$TARGETS/ends segv" \
    "sort /etc/passwd" "sh -c 'echo a; echo b >&2; exit 3'"; do
	sh -c "exec $cmd" >alone 2>alone.err
	a=$?
	LD_PRELOAD=$LIB sh -c "exec $cmd" >out 2>err
	b=$?
	[ $a = $b ] || fail "$cmd: status $b, not $a"
	cmp alone out || fail "$cmd: output"
	cmp alone.err err || fail "$cmd: errors"
done

start 60
[ "$(stat -c '%a %F' "$run")" = '700 directory' ] || fail 'mode of directory'
[ "$(stat -c '%a %F' "$run/$pid.sock")" = '600 socket' ] ||
    [ "$(stat -c '%a %F' "$run/$pid.sock")" = '700 socket' ] ||
    fail "mode of socket: $(stat -c %a "$run/$pid.sock")"
"$HEAPTOP" -b -n 1 -p $pid >snap 2>said || fail "attach: $(cat said)"
grep -q '2.0 MiB .* kept_mib ← main' snap || fail "snapshot: $(cat snap)"
ended 60

# The helper counts where the kernel counts, and nowhere grows.
memory() {
	awk '/^(VmRSS|VmSize|Threads):/ { print $2 }' /proc/$pid/status
}
start 5000 # longer than all this takes
for i in $(seq 20); do
	"$HEAPTOP" -b -n 1 -p $pid >snap 2>said || fail "attach: $(cat said)"
done
fds=$(ls /proc/$pid/fd | wc -l) before=$(memory)
helper=$(grep -l -x heaptop /proc/$pid/task/*/comm)
their_fds=$(ls "${helper%/comm}/fd" | wc -l)
for i in $(seq 50); do
	"$HEAPTOP" -b -n 1 -p $pid >snap 2>said || fail "attach $i: $(cat said)"
done
sleep 0.1
[ "$(ls /proc/$pid/fd | wc -l)" = "$fds" ] || fail 'descriptors grew'
[ "$(ls "${helper%/comm}/fd" | wc -l)" = "$their_fds" ] ||
    fail "the helper's descriptors grew"
[ "$(ls /proc/$pid/task | wc -l)" = 2 ] || fail 'threads'
# shellcheck disable=SC2046
set -- $before $(memory)
# two that overlap want a buffer each
[ $(($4 - $1)) -le 600 ] || fail "virtual memory grew: $*"
[ $(($5 - $2)) -le 128 ] || fail "memory grew: $*"
[ "$3" = "$6" ] || fail "threads: $*"

# Viewers that are no good: they say nothing, take nothing, say nonsense, go
# in the middle of a word, offer what is no pipe, come in crowds.
cat >bad.py <<'END'
import array, os, random, socket, struct, sys, time
path = sys.argv[1]
def head(kind, size, zero=0):
    return struct.pack('<IHH', size, kind, zero)
PIPE, PULL, CTL = head(33, 0), head(34, 0), 35
def call():
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.settimeout(3)
    return s
def offer(s, fds, data=PIPE):
    s.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                        array.array('i', fds))])
def quiet(f):
    try:
        f()
    except OSError:
        pass
keep = []
# never reads its pipe, and asks on and on
s = call(); r, w = os.pipe(); offer(s, [w]); keep += [s, r, w]
def many_pulls():
    s.setblocking(False)
    for i in range(5000):
        s.send(PULL)
quiet(many_pulls)
# never reads its answers
s2 = call(); s2.setblocking(False)
def many_questions():
    for i in range(5000):
        s2.send(head(CTL, 8 + 11) + struct.pack('<HHI', 11, 0, 0)
                + b'prof.active')
quiet(many_questions); keep.append(s2)
# the read end is gone
s = call(); r, w = os.pipe(); os.close(r); offer(s, [w]); os.close(w)
quiet(lambda: s.send(PULL)); keep.append(s)
# no pipe: a directory, a read-only file, its own socket, several, none
for fds in ([os.open('.', os.O_RDONLY)], [os.open('/dev/null', os.O_RDONLY)],
            [s.fileno()], [0, 0, 0, 0], list(range(3)) * 8, []):
    s = call(); quiet(lambda: offer(s, fds) if fds else s.send(PIPE))
    quiet(lambda: s.send(PULL)); keep.append(s)
# sizes that are none, kinds that are none, halves
random.seed(1)
for data in (head(34, 0xffffffff), head(35, 505), head(35, 3) + b'abc',
             head(35, 8) + struct.pack('<HHI', 65535, 65535, 1),
             head(35, 8) + struct.pack('<HHI', 8, 65528, 1),
             head(9999, 4) + b'abcd', b'\0' * 4096, b'\xff' * 4096,
             PULL[:5], b'GET / HTTP/1.0\r\n\r\n',
             random.randbytes(100000)):
    s = call(); quiet(lambda: s.sendall(data)); keep.append(s)
for i in range(300):
    s = call(); quiet(lambda: s.send(random.randbytes(random.randrange(600))))
    s.close()
print('called', flush=True)
time.sleep(float(sys.argv[2]))
END
if command -v python3 >/dev/null; then
	python3 bad.py "$run/$pid.sock" 30 >called 2>bad.err &
	bad=$!
	until_true [ -s called ] || fail "viewers: $(cat bad.err)"
	was=$(awk '{ print $14 + $15 }' "${helper%/comm}/stat")
	"$HEAPTOP" -b -n 2 --interval=200ms -p $pid >snap 2>said ||
	    fail "others are not served: $(cat said)"
	grep -q 'kept_mib ← main' snap || fail 'others see nothing'
	sleep 1
	is=$(awk '{ print $14 + $15 }' "${helper%/comm}/stat")
	[ $((is - was)) -le 20 ] || fail "the helper is busy: $((is - was))"
	# a crowd that fills all places and stays: still no harm
	kill $bad
	wait $bad 2>/dev/null
	until_true fds_are_back ||
	    fail 'descriptors of bad viewers stay'
fi

# Others may not: not through the directory, nor if that were open.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cat >knock.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
/* Prints how many bytes of a greeting come, -1 without a connection. */
int main(int argc, char **argv) {
	struct sockaddr_un a = { AF_UNIX, "" };
	char buf[100];
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	strncpy(a.sun_path, argv[argc - 1], sizeof a.sun_path - 1);
	if (connect(s, (void *)&a, sizeof a)) { puts("-1"); return 0; }
	printf("%d\n", (int)read(s, buf, sizeof buf));
}
END
	# where everybody may go
	there=$(mktemp -d /tmp/heaptop-knock.XXXXXX) || exit 1
	chmod 755 "$there"
	$CC -w -o "$there/knock" knock.c || exit 1
	knock() {
		setpriv --reuid=54321 --regid=54321 --clear-groups \
		    "$there/knock" "$1"
	}
	got=$("$there/knock" "$run/$pid.sock")
	[ "$got" -gt 0 ] || fail "we are not greeted: $got"
	denied=$(knock "$run/$pid.sock")
	# a directory that everybody may pass: then it is asked who calls
	ln "$run/$pid.sock" "$there/sock" 2>/dev/null &&
	    chmod 777 "$there/sock"
	asked=$(knock "$there/sock")
	ours=$("$there/knock" "$there/sock")
	rm -r "$there"
	[ "$denied" = -1 ] || fail "another user got in: $denied"
	[ "$ours" -le 0 ] || [ "$asked" = 0 ] ||
	    fail "another user was greeted: $asked"
fi

kill $pid
wait $pid 2>/dev/null
[ -e "$run/$pid.sock" ] || exit 0 # killed: the next one takes it away
old=$pid
start 5
ended 5
[ ! -e "$run/$old.sock" ] || fail 'a dead socket stays'
exit 0
