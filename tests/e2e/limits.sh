# Little memory, few descriptors, no files, no processes, no place for
# sockets: the program runs as it does alone, and heaptop says what is lost.

steady=$TARGETS/steady
run=$XDG_RUNTIME_DIR/heaptop

fail() {
	echo "$*"
	cat err snap 2>/dev/null
	exit 1
}

# limited NAME LIMIT COMMAND: under `ulimit LIMIT`, watched and alone
limited() {
	name=$1 limit=$2
	shift 2
	(ulimit $limit && exec "$@") >alone 2>alone.err
	a=$?
	rm -f snap
	"$HEAPTOP" -b --interval=200ms -o snap -- sh -c \
	    "ulimit $limit && exec \"\$@\"" sh "$@" >out 2>err
	b=$?
	[ $a = $b ] || fail "$name: status $b, not $a"
	cmp alone out || fail "$name: output"
	LD_PRELOAD=$LIB sh -c "ulimit $limit && exec \"\$@\"" sh "$@" \
	    >out 2>pre.err
	b=$?
	[ $a = $b ] || fail "$name: preloaded: status $b, not $a: $(cat pre.err)"
	cmp alone out || fail "$name: preloaded: output"
}

seen() {
	grep -q "2.0 MiB .* kept_mib ← " snap || fail "$1: not seen"
}

limited memory '-v 262144' "$steady" 30 10
seen memory
for n in 3 4 5 6 7 8 9 10 12 16; do
	limited "$n descriptors" "-n $n" "$steady" 30 10
	[ $n -lt 10 ] || seen "$n descriptors"
done
# Who calls when no descriptor is left waits; the helper must not spin on it.
cat >call.c <<'END'
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
/* Connects five times, says nothing and stays. */
int main(int argc, char **argv) {
	struct sockaddr_un a = { AF_UNIX, "" };
	strncpy(a.sun_path, argv[argc - 1], sizeof a.sun_path - 1);
	for (int i = 0; i < 5; i++)
		if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&a,
			sizeof a))
			return 1;
	sleep(2);
	return 0;
}
END
$CC -w -o call call.c || exit 1
# shellcheck disable=SC3045 # every shell of Linux has it
(ulimit -n 4 && LD_PRELOAD=$LIB exec "$steady" 150 20) >out 2>err 3<&- &
pid=$!
sleep 0.5
[ -S "$run/$pid.sock" ] || fail 'four descriptors: no socket'
./call "$run/$pid.sock" || fail 'four descriptors: nobody listens'
used=$(awk '{ print $14 + $15 }' /proc/$pid/stat)
[ "$used" -le 20 ] || fail "a helper that cannot accept spins: $used"
wait $pid
[ $? = 7 ] || fail 'four descriptors: status'

# Descriptors that are taken away later: the helper goes, the program stays.
cat >lower.c <<'END'
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
static void *volatile kept;
__attribute__((noinline)) static void kept_mib(void) { kept = malloc(2 << 20); }
int main(void) {
	struct rlimit none = { 0, 0 };
	kept_mib();
	usleep(300000);
	setrlimit(RLIMIT_NOFILE, &none);
	for (int i = 0; i < 20; i++) { free(malloc(100000)); usleep(30000); }
	return 7;
}
END
$CC -O1 -g -w -o lower lower.c || exit 1
"$HEAPTOP" -b --exact --interval=50ms -o snap -- ./lower >out 2>err
[ $? = 7 ] || fail 'descriptors taken away: status'
seen 'descriptors taken away'

# The table has no file then; the helper still answers.
limited 'files of 512 KiB' '-f 512' "$steady" 30 10
seen 'files of 512 KiB'
limited 'no files' '-f 0' "$TARGETS/ends" exit
limited 'no core, no stack to speak of' '-s 256' "$steady" 30 10
seen 'a small stack'

# No more processes, which a helper is one of: only for who is not root.
few() {
	prlimit --nproc=1 setpriv --reuid=54321 --regid=54321 --clear-groups \
	    env "$@" sh -c 'cd "$0"/run && exec ../steady 30 10' "$there"
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
    command -v prlimit >/dev/null; then
	there=$(mktemp -d /tmp/heaptop-few.XXXXXX) || exit 1
	chmod 755 "$there"
	cp "$LIB" "$there/lib.so"
	cp "$steady" "$there/steady"
	mkdir -m 700 "$there/run"
	chown 54321 "$there/run"
	few LD_PRELOAD="$there/lib.so" XDG_RUNTIME_DIR="$there/run" >out 2>err
	a=$?
	few LD_PRELOAD="$there/lib.so" XDG_RUNTIME_DIR="$there/run" \
	    MALLOC_CONF=prof:true,lg_prof_sample:0 >out.dump 2>>err
	b=$?
	rows=$(cat "$there"/run/jeprof.*.f.heap | grep -c '^@')
	rm -r "$there"
	[ $a = 7 ] && [ $b = 7 ] || fail "no processes: status $a, $b"
	[ "$(tail -n 1 out)" = '30 lines' ] || fail 'no processes: output'
	[ ! -s err ] || fail 'no processes: something was said'
	[ "$rows" -gt 0 ] || fail 'no processes: no dump at exit'
fi

# A place for the socket that is not ours, or none: no socket, no harm.
place() {
	name=$1
	shift
	env "$@" LD_PRELOAD="$LIB" "$steady" 10 10 >out 2>err
	got=$?
	[ $got = 7 ] || fail "$name: status $got"
	[ "$(tail -n 1 out)" = '10 lines' ] || fail "$name: output"
	[ ! -s err ] || fail "$name: something was said"
	env "$@" "$HEAPTOP" -b --exact -o snap -- "$steady" 10 10 >out 2>err
	got=$?
	# heaptop may refuse (125), in a sentence, before anything runs
	if [ $got = 125 ]; then
		[ "$(grep -c '^heaptop: ' err)" = 1 ] || fail "$name: not said"
		[ ! -s out ] || fail "$name: run although refused"
	else
		[ $got = 7 ] || fail "$name: status $got"
		seen "$name"
	fi
}
mkdir -m 700 elsewhere link wrong file gone
mkdir -m 777 wrong/heaptop
chmod 777 wrong/heaptop
ln -s "$PWD/elsewhere" link/heaptop
echo text >file/heaptop
place 'a symbolic link' XDG_RUNTIME_DIR="$PWD/link"
[ -z "$(ls -A elsewhere)" ] || fail 'a symbolic link was followed'
place 'a file' XDG_RUNTIME_DIR="$PWD/file"
[ "$(cat file/heaptop)" = text ] || fail 'the file was touched'
place 'a directory open to all' XDG_RUNTIME_DIR="$PWD/wrong"
place 'no such directory' XDG_RUNTIME_DIR="$PWD/none"
place 'a relative path' XDG_RUNTIME_DIR=run
place 'an empty path' XDG_RUNTIME_DIR=
place 'a long path' XDG_RUNTIME_DIR="$PWD/$(printf '%0100d' 0)"

# A file system that is read-only, where we may mount one: the runtime
# directory's, and /tmp's if nothing of ours is there.
mkdir -m 700 readonly
read_only() {
	dir=$1
	shift
	unshare -m sh -c 'mount -t tmpfs -o ro,mode=700 none "$0" && exec "$@"' \
	    "$dir" "$@" LD_PRELOAD="$LIB" "$steady" 10 10 >out 2>err
	got=$?
	[ $got = 7 ] || fail "read-only $dir: status $got"
	[ ! -s err ] || fail "read-only $dir: something was said"
}
if unshare -m true 2>/dev/null; then
	read_only "$PWD/readonly" env XDG_RUNTIME_DIR="$PWD/readonly"
	case $LIB$steady in
	*/tmp/*) ;;
	*) read_only /tmp env -u XDG_RUNTIME_DIR ;;
	esac
fi
exit 0
