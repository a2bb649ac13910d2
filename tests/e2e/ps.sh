# The list of what can be watched.

steady=$TARGETS/steady
XDG_RUNTIME_DIR=$PWD/r
export XDG_RUNTIME_DIR
mkdir -m 700 r
all=
trap 'kill -CONT $all 2>/dev/null; kill $all 2>/dev/null' EXIT

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

until_true() {
	for _ in $(seq 100); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

# row PID: its line in the list, into $row
row() {
	row=$(awk -v pid="$1" '$1 == pid' out)
	[ "$row" ] || fail "no row of $1"
}

list() {
	"$HEAPTOP" ps >out 2>err || fail "status $?"
}

listens() {
	[ -S "$XDG_RUNTIME_DIR/heaptop/$1.sock" ]
}

HEAPTOP_CONF=lg_prof_sample:0 LD_PRELOAD=$LIB "$steady" 600 >/dev/null 2>&1 &
exact=$! all="$all $!"
LD_PRELOAD=$LIB "$steady" 600 >/dev/null 2>&1 &
plain=$! all="$all $!"
MALLOC_CONF=prof_active:false LD_PRELOAD=$LIB "$steady" 600 >/dev/null 2>&1 &
waiting=$! all="$all $!"
"$steady" 600 >/dev/null 2>&1 &
without=$! all="$all $!"
"$HEAPTOP" -b --interval=1h -s 4K "$steady" 600 >/dev/null 2>&1 &
parent=$! all="$all $!"
until_true listens $exact && until_true listens $plain || fail 'not listening'
launched() {
	kid=$(pgrep -P $parent steady) && [ "$kid" ] && listens "$kid"
}
until_true launched || fail 'a launched program does not listen'
all="$all $kid"

list
head -n 1 out | grep -q '^ *PID  *LIVE  *RSS  SAMPLING  *PARENT  COMMAND$' ||
    fail 'heading'
row $exact
case $row in *' 2.0 MiB '*' exact '*"$$  $steady 600") ;; *) fail "$row" ;; esac
row $plain
case $row in *' 2.0 MiB '*' 1/512 KiB '*"$steady 600") ;; *) fail "$row" ;; esac
row $waiting
case $row in *' no sample yet '*"$steady 600") ;; *) fail "$row" ;; esac
row "$kid"
case $row in *' 2.0 MiB '*' 1/4 KiB '*" $parent  $steady 600") ;; *) fail "$row" ;; esac
awk -v pid=$without '$1 == pid { exit 1 }' out || fail 'not preloaded, listed'
awk -v pid=$parent '$1 == pid { exit 1 }' out || fail 'heaptop, listed'
awk 'NR > 1 { print $1 }' out >pids
sort -n pids | cmp -s - pids || fail 'not by pid'

# What was switched off, or does not answer.
"$HEAPTOP" ctl $plain prof.active=false >out 2>err || fail 'ctl'
kill -STOP $exact
before=$(date +%s)
list
[ $(($(date +%s) - before)) -le 5 ] || fail 'took long'
row $plain
case $row in *' off '*) ;; *) fail "$row" ;; esac
row $exact
case $row in *' no answer '*) ;; *) fail "$row" ;; esac
case $row in *MiB*MiB*) fail "no answer, and a figure: $row" ;; esac
kill -CONT $exact

# A name is a name: it sends nothing to the terminal and stays in its line.
name=$(printf 'a\nb\033[31m\302\233c\377d\303\251')
cp "$steady" "./$name"
LD_PRELOAD=$LIB "./$name" 600 >/dev/null 2>&1 &
odd=$! all="$all $!"
until_true listens $odd || fail 'not listening'
list
row $odd
case $row in *' ./a?b?[31m?c?dé 600') ;; *) fail "$row" ;; esac

# The dead are not listed, whatever they leave.
kill -9 $plain
wait $plain 2>/dev/null
list
awk -v pid=$plain '$1 == pid { exit 1 }' out || fail 'listed though dead'

# Elsewhere: with -o, nowhere to write to, as somebody who may see nothing.
"$HEAPTOP" -o list ps >out 2>err || fail '-o'
[ -s list ] && [ ! -s out ] || fail '-o'
"$HEAPTOP" ps >/dev/full 2>err
[ $? = 1 ] || fail 'written to a full disk'
[ "$(id -u)" = 0 ] && setpriv --version >/dev/null 2>&1 || exit 0
there=$(mktemp -d /tmp/heaptop-ps.XXXXXX) || exit 1
chmod 755 "$there"
cp "$HEAPTOP" "$there"
(
	unset XDG_RUNTIME_DIR
	setpriv --reuid=54321 --regid=54321 --clear-groups "$there/heaptop" ps
) >out 2>err
got=$?
rm -r "$there"
[ $got = 0 ] || fail "as another user: status $got"
awk -v pid=$exact '$1 == pid { exit 1 }' out || fail 'listed to another user'
grep -q '^heaptop: [0-9]* processes cannot be looked into' err ||
    fail 'not said that others are there'
exit 0
