# Can it be watched, is it, where do dumps go, are there names.

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

# check STATUS WORD
check() {
	"$HEAPTOP" check "$2" >out 2>err
	got=$?
	[ $got = "$1" ] || fail "check $2: status $got, not $1"
	# each line a question and its answer, each no with what to do
	[ -z "$(grep -v '^[a-z ]*: .' out)" ] || fail "check $2: no question"
	[ -z "$(grep '^[a-z ]*: no$' out)" ] || fail "check $2: a bare no"
}

# line QUESTION ANSWER: the answer begins so
line() {
	grep -q "^$1: $2" out || fail "no line $1: $2"
}

cat >p.c <<'END'
#include <stdlib.h>
#include <unistd.h>
void *volatile kept;
int main(void) { kept = malloc(3000000); pause(); return kept == 0; }
END
$CC -w -O1 -g -o prog p.c || exit 1
check 0 ./prog
line 'can be watched' 'yes$'
line 'runs preloaded' 'no: it does not run; start it with `heaptop ./prog`'
line dumps 'nowhere: .*heaptop ctl PID prof.dump=FILE'
line 'function names' 'yes$'
line 'debug lines' 'yes$'
[ "$(wc -l <out)" = 5 ] || fail 'not five lines'
check 0 "$PWD/prog"

$CC -w -O1 -o nog p.c && check 0 ./nog
line 'function names' 'yes$'
line 'debug lines' 'no: build it with -g'
strip -o stripped prog 2>/dev/null && check 0 ./stripped &&
    line 'function names' 'no: it is stripped' &&
    line 'debug lines' 'no: build it with -g, or install'
# by the search path
PATH=$PWD:$PATH check 0 prog
line 'can be watched' yes

# Nothing to watch.
$CC -w -static -o static p.c 2>/dev/null && {
	check 1 ./static
	line 'can be watched' 'no: ./static is a static program'
	line 'runs preloaded' 'no: it does not run$'
	line dumps 'nowhere: it cannot be watched'
	line 'function names' 'yes'
}
tc=$(ls /usr/lib/*/libtcmalloc_minimal.a 2>/dev/null | head -n 1)
[ "$tc" ] && ${CXX:-c++} -w -x c++ -fpermissive -o tc p.c -x none "$tc" -pthread 2>/dev/null && {
	check 0 ./tc
	line 'can be watched' 'in part: ./tc has an allocator of its own'
}
$CC -w -fsanitize=address -o asan p.c 2>/dev/null && {
	check 1 ./asan
	line 'can be watched' 'no: ./asan is built with AddressSanitizer'
}
command -v musl-gcc >/dev/null && musl-gcc -w -o musl p.c 2>/dev/null && {
	check 1 ./musl
	line 'can be watched' 'no: ./musl uses musl'
}
$CC -w -m32 -o small p.c 2>/dev/null && {
	check 1 ./small
	line 'can be watched' 'no: ./small is a 32-bit program'
}
cp prog setid
chmod u+s setid && [ "$(id -u)" != 0 ] && {
	chmod u+s setid
	check 0 ./setid # our own: then nothing is gained
}
printf 'words\n' >text
chmod +x text
check 1 ./text
line 'can be watched' 'no: ./text is no program'
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
check 0 ./script
line 'can be watched' yes
line 'runs preloaded' 'not known: ./script is run by /bin/sh'

# No such thing.
"$HEAPTOP" check ./lost >out 2>err
[ $? = 2 ] && grep -q './lost' err && [ ! -s out ] || fail 'lost'
"$HEAPTOP" check 99999999 >out 2>err
[ $? = 2 ] && grep -q 'no process 99999999' err || fail 'no process'
# a file may be called by a number
cp prog 99999999 && check 0 ./99999999

# Where dumps go.
dumps() {
	line dumps "$1"
}
MALLOC_CONF=prof:true check 0 ./prog
dumps 'at its end jeprof.PID.0.f.heap'
MALLOC_CONF=prof:true,prof_prefix:$PWD/x check 0 ./prog
dumps "at its end $PWD/x.PID.0.f.heap"
mkdir dir
MALLOC_CONF=prof:true HEAPTOP_CONF=prof_prefix:dir check 0 ./prog
dumps 'at its end dir/PROGRAM.PID.SECONDS.f.heap'
MALLOC_CONF='prof:true, prof_final:false' check 0 ./prog
dumps nowhere
MALLOC_CONF=prof:true HEAPTOP_CONF=prof:false check 0 ./prog
dumps nowhere
MALLOC_CONF=prof:true,prof_prefix:/no/such/x check 0 ./prog
dumps 'nowhere: /no/such/x: No such file.*make its directory'

# Processes: preloaded, about to be, not.
listens() {
	for _ in $(seq 100); do
		[ -S "$XDG_RUNTIME_DIR/heaptop/$1.sock" ] && return 0
		sleep 0.05
	done
	fail 'not listening'
}
MALLOC_CONF=prof:true LD_PRELOAD=$LIB ./prog &
pid=$! all="$all $!"
listens $pid
check 0 $pid
line program "$PWD/prog$"
line 'can be watched' 'yes$'
line 'runs preloaded' 'yes$'
line dumps "at its end $PWD/jeprof.$pid.0.f.heap"
line 'function names' 'yes$'
line 'debug lines' 'yes$'
check 0 ./prog
line 'runs preloaded' "yes: $pid"
MALLOC_CONF=prof_active:false LD_PRELOAD=$LIB ./nog &
waiting=$! all="$all $!"
./stripped &
without=$! all="$all $!"
sleep 0.3
check 0 $waiting
line 'can be watched' 'yes, as soon as it has made a sample'
line 'runs preloaded' 'yes$'
check 1 $without
line 'can be watched' "no: process $without .* does not run under"
line 'runs preloaded' "no: restart it with .heaptop exec $PWD/stripped"
check 0 ./stripped
line 'runs preloaded' "no: $without without libheaptop.so; restart"
# its file is gone, its names are not
rm prog
check 0 $pid
line 'function names' 'yes$'
exit 0
