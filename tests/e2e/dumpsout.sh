# Names, places and contents of the dumps that the library writes by itself.

# shellcheck disable=SC1091,SC2154 # it sets pid, answer and status
. "$SRC/tests/targets/asks.sh"

# key FILE KEY: the value of a line of ours
key() {
	sed -n "s/^# heaptop $2=//p" "$1"
}

# In a directory: the program, its pid, the time.
mkdir -p prod
now=$(date +%s)
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/prod \
    "$TARGETS/asks"
tell 'grow 16'
tell dump
finish
set -- prod/asks."$pid".*.m0.heap prod/asks."$pid".*.f.heap
[ -s "$1" ] && [ -s "$2" ] || fail "directory: $(ls prod)"
[ "$answer" = "0 $PWD/$1" ] || fail "directory: $answer"
time=${2#prod/asks."$pid".} time=${time%.f.heap}
[ $((time - now)) -ge 0 ] && [ $((time - now)) -lt 60 ] || fail "time $time"

# A relative prefix is meant from where the program started.
mkdir else
start MALLOC_CONF=prof:true,lg_prof_sample:0 "$TARGETS/asks"
tell 'grow 16'
tell "cd $PWD/else"
kill -USR1 "$pid"
until_true has "jeprof.$pid.0.m0.heap" 1 || fail 'chdir: no file'
finish
has "jeprof.$pid.1.f.heap" 1 || fail 'chdir: no file at exit'
has 'else/*' 0 || fail 'chdir: files elsewhere'

# Blanks after commas; an empty prefix; nothing without prof:true.
echo 'grow 16' | MALLOC_CONF='prof:true, lg_prof_sample:0, prof_prefix:b' \
    LD_PRELOAD=$LIB "$TARGETS/asks" >out 2>err
pid=$(head -n 1 out)
[ "$(total "b.$pid.0.f.heap")" = 'Total: 1.0 MB' ] || fail 'blanks'
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix: "$TARGETS/asks"
kill -USR1 "$pid"
tell 'grow 1'
finish
has "jeprof.$pid.*" 0 || fail 'an empty prefix, and files'
start 'HEAPTOP_CONF=lg_prof_sample:0' "$TARGETS/asks"
tell 'grow 1'
finish
start 'MALLOC_CONF=prof:true,prof_final:false,prof_prefix:no' "$TARGETS/asks"
tell 'grow 1'
finish
has 'no.*' 0 && has '.*.heap' 0 && has "jeprof.$pid.*" 0 || fail 'unwanted'

# Never active: no file.  Switched on later: one.  Nothing sampled: an empty
# one.
start MALLOC_CONF=prof:true,prof_active:false,prof_prefix:off "$TARGETS/asks"
tell 'grow 1000'
finish
has 'off.*' 0 || fail 'never active, and a file'
start MALLOC_CONF=prof:true,prof_active:false,lg_prof_sample:0,prof_prefix:on \
    "$TARGETS/asks"
tell 'grow 16'
sleep 0.2
tell 'set bool prof.active true'
tell 'grow 32'
finish
[ "$(total "on.$pid.0.f.heap")" = 'Total: 2.0 MB' ] || fail 'switched on'
[ "$(key "on.$pid.0.f.heap" active)" = 1 ] || fail 'active'
[ "$(key "on.$pid.0.f.heap" inactive_ns)" -gt 150000000 ] || fail 'time off'
since=$(key "on.$pid.0.f.heap" active_since_ns)
[ "$since" -gt $(($(key "on.$pid.0.f.heap" start_ns) + 150000000)) ] &&
    [ "$since" -le "$(key "on.$pid.0.f.heap" wall_ns)" ] || fail 'on since'
start MALLOC_CONF=prof:true,lg_prof_sample:40,prof_prefix:none "$TARGETS/asks"
tell 'grow 16'
finish
"$HEAPTOP" --text "none.$pid.0.f.heap" >text 2>text.err || fail 'an empty dump'
grep -q 'lg_prof_sample:16 or 14' text.err || fail 'an empty dump: no advice'

# While it is off the dump says since when, and has nothing of that time.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:p "$TARGETS/asks"
tell 'grow 16'
tell 'set bool prof.active false'
off=$(date +%s%N)
tell 'grow 16'
kill -USR1 "$pid"
until_true has "p.$pid.0.m0.heap" 1 || fail 'off: no dump'
finish
file=p.$pid.0.m0.heap
[ "$(total "$file")" = 'Total: 1.0 MB' ] || fail 'off: not what was before'
[ "$(key "$file" active)" = 0 ] || fail 'off: active'
since=$(key "$file" inactive_since_ns)
[ $((since - off)) -lt 500000000 ] && [ $((off - since)) -lt 500000000 ] ||
    fail "off: since $since, not $off"

# When, and how long: the clock of the wall, the start before the dump.
wall=$(key "$file" wall_ns) begun=$(key "$file" start_ns)
[ $((wall - off)) -lt 5000000000 ] && [ "$wall" -gt "$begun" ] &&
    [ $((wall - begun)) -lt 10000000000 ] || fail "times $begun $wall"
[ $(($(key "$file" now_ns) - $(key "$file" image_ns))) = $((wall - begun)) ] ||
    fail 'the two clocks disagree'
[ "$(key "$file" type)" = m ] && [ "$(key "$file" pid)" = "$pid" ] &&
    [ "$(key "$file" program)" = "$TARGETS/asks" ] || fail 'who wrote it'

# Packed: gzip and heaptop read it.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_compress:true,prof_prefix:z \
    "$TARGETS/asks"
tell 'grow 160'
finish
gzip -t "z.$pid.0.f.heap.gz" || fail 'gzip -t'
[ "$(total "z.$pid.0.f.heap.gz")" = 'Total: 10.0 MB' ] || fail 'packed'
gzip -dc "z.$pid.0.f.heap.gz" | tail -n 1 |
    grep -q '^[0-9a-f]*-[0-9a-f]* ' ||
    fail 'packed: not whole'

# Only the newest few stay.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_keep:2,prof_prefix:k \
    "$TARGETS/asks"
for _ in 1 2 3 4; do
	tell dump
done
tell "dump $PWD/named.heap"
finish
has 'k.*' 2 && has "k.$pid.3.m3.heap" 1 && has "k.$pid.4.f.heap" 1 ||
    fail "prof_keep: $(ls k.*)"
has named.heap 1 || fail 'prof_keep: a dump of a name is gone'

# What was freed too: only with prof_accum.
for accum in true false; do
	start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_accum:$accum,prof_prefix:a-$accum \
	    "$TARGETS/asks"
	tell 'grow 16'
	tell 'churn 160'
	finish
done
jeprof --text --alloc_space "$TARGETS/asks" a-true.*.f.heap >text 2>/dev/null
grep -q ' 10.0 .* churned$' text || fail "prof_accum: $(cat text)"
jeprof --text "$TARGETS/asks" a-true.*.f.heap 2>/dev/null |
    grep -q '^Total: 1.0 MB' || fail 'prof_accum: what lives'
grep -q '\[[1-9]' a-false.*.f.heap && fail 'accumulated figures unasked'

# Samples of several rates in one dump, each with its weight.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:r "$TARGETS/asks"
tell 'grow 320'
tell 'set size prof.lg_sample 26'
tell 'grow 1'
finish
head -n 1 r.*.f.heap | grep -q -x heap_v2/1 || fail 'the header of two rates'
[ "$(key "r.$pid.0.f.heap" rate_changes)" = 1 ] || fail 'rate_changes'
"$HEAPTOP" --text "$TARGETS/asks" r.*.f.heap 2>/dev/null >text
jeprof --text "$TARGETS/asks" r.*.f.heap 2>/dev/null >text2
for file in text text2; do
	set -- "$(sed -n 's/^Total: \([0-9]*\).*/\1/p' $file)"
	[ "$1" -ge 20 ] || fail "two rates: $(cat $file)"
done

# The symbol malloc_conf; a name that jemalloc's options overrule.
cat >own.c <<'END'
#include <stdlib.h>
const char *malloc_conf = "prof:true,lg_prof_sample:0,prof_prefix:symbol";
void *volatile p;
int main(void) { p = malloc(100000); return 4; }
END
$CC -O0 -rdynamic -o own own.c || exit 1
LD_PRELOAD=$LIB ./own
[ $? = 4 ] && has 'symbol.*.0.f.heap' 1 || fail 'malloc_conf'
MALLOC_CONF=prof_prefix:env LD_PRELOAD=$LIB ./own
has 'env.*.0.f.heap' 1 || fail 'MALLOC_CONF over malloc_conf'

# A disk that is full, a place that cannot be: told once, counted, unharmed.
start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:/no/such/x \
    "$TARGETS/asks"
[ "$(grep -c 'could not be written: its directory is not there: /no/such/x' \
    err)" = 1 ] || fail 'no such place: not told at the start'
tell 'grow 1'
tell dump
[ "${answer% *}" = 14 ] || fail "no such place: $answer"
tell dump
tell 'get u64 prof.dumps_failed'
[ "$answer" = '0 2' ] || fail "no such place: counted $answer"
finish
[ $status = 0 ] || fail 'no such place: status'
[ "$(grep -c '^heaptop: ' err)" = 2 ] || fail 'no such place: what is said'
grep -q ' 3 dumps could not be written' err || fail 'no such place: how many'
if [ "$(id -u)" = 0 ] && mkdir full &&
    mount -t tmpfs -o size=16k tmpfs full 2>/dev/null; then
	head -c 16384 /dev/zero >full/most
	start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:full/x \
	    "$TARGETS/asks"
	tell 'grow 1'
	tell dump
	rm full/most
	tell dump
	finish
	set -- full/*
	umount_later=$*
	cp full/x.*.m1.heap after.heap 2>/dev/null
	umount full
	[ $status = 0 ] || fail 'full disk: status'
	grep -q 'no space is left on the device' err || fail 'full disk: not told'
	[ -s after.heap ] || fail "full disk: $umount_later"
	[ "$(key after.heap dumps_failed)" = 1 ] || fail 'full disk: not counted'
	case $umount_later in
	*.part*) fail 'full disk: a part is left' ;;
	esac
fi

# The mode of a file is the program's.
(umask 027 && MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:u \
    LD_PRELOAD=$LIB sh -c 'exec "$0"' "$TARGETS/asks") </dev/null >out 2>err
[ "$(stat -c %a u.*.f.heap | sort -u)" = 640 ] || fail 'the mode of a file'

# A program whose malloc is its own: told, no file, no handler.
cat >alone.c <<'END'
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
static char heap[1 << 20] __attribute__((aligned(16)));
static size_t used;
void *malloc(size_t n) { used = (used + 15) & ~(size_t)15; used += n; return heap + used - n; }
void *calloc(size_t n, size_t k) { return malloc(n * k); }
void free(void *p) { (void)p; }
void *realloc(void *p, size_t n) { (void)p; return malloc(n); }
int main(void) { raise(SIGUSR1); return 0; }
END
$CC -O0 -w -fno-builtin -rdynamic -o alone alone.c || exit 1
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:alone.dump LD_PRELOAD=$LIB \
    ./alone >out 2>err
[ $? -gt 128 ] || fail 'own malloc: the signal has lost its default action'
grep -q 'has a malloc of its own' err || fail 'own malloc: not told'
has 'alone.dump.*' 0 || fail 'own malloc: files'

# Its address of malloc is its own, malloc is not.
cat >taken.c <<'END'
#include <stdlib.h>
void *(*volatile get)(size_t) = malloc;
int main(void) { return get(100000) ? 3 : 1; }
END
$CC -O0 -no-pie -fno-pie -fno-plt -o taken taken.c || exit 1
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:taken.d LD_PRELOAD=$LIB \
    ./taken >out 2>err
[ $? = 3 ] && [ ! -s err ] && has 'taken.d.*' 1 || fail 'the address of malloc'

# A program that links jemalloc, whose own dumps are not ours.
if command -v redis-server >/dev/null &&
    ldd "$(command -v redis-server)" | grep -q libjemalloc; then
	MALLOC_CONF=prof:true,lg_prof_sample:10,prof_prefix:$PWD/redis \
	    LD_PRELOAD=$LIB redis-server --port 0 --save '' \
	    --unixsocket "$PWD/redis.sock" >out 2>err &
	job=$!
	until_true [ -S redis.sock ] || fail 'redis does not start'
	redis-cli -s redis.sock shutdown nosave >/dev/null
	wait $job
	grep -q 'links jemalloc.*redis.heaptop' err || fail 'redis: not told'
	"$HEAPTOP" --text "redis.heaptop.$job.0.f.heap" 2>/dev/null |
	    grep -q ' zmalloc' || fail 'redis: nothing in ours'
fi
[ "$(files '*.part')" = 0 ] || fail 'a part of a file is left'
exit 0
