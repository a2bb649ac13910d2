# Reports for people, of a program whose memory is known: what grew, by size,
# totals, annotated source, Markdown.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# run ARGUMENT...: what heaptop prints goes to `out'
run() {
	"$HEAPTOP" "$@" >out 2>err || fail "heaptop $*: status $?"
}

# has TEXT...: each is in `out'
has() {
	for text; do
		grep -qF -e "$text" out || fail "no '$text'"
	done
}

hasnt() {
	for text; do
		! grep -qF -e "$text" out || fail "there is '$text'"
	done
}

cat >logbuf.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int mallctl(const char *, void *, size_t *, void *, size_t);

static void *volatile kept[1024];
static int count;

__attribute__((noinline)) static void build_log_message(void)
{
	kept[count++] = malloc(1 << 20);
}

__attribute__((noinline)) static void read_config(void)
{
	kept[count++] = malloc(10 << 20);
}

static void dump(void)
{
	usleep(20000);
	if (mallctl("prof.dump", NULL, NULL, NULL, 0))
		puts("no dump");
}

int main(void)
{
	kept[count++] = malloc(3000);
	dump();
	read_config();
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 140; i++)
			build_log_message();
		dump();
	}
	return 0;
}
END
$CC -g -O1 -o logbuf logbuf.c "$LIB" -Wl,-rpath,"$BUILD" || exit 1
mkdir d
MALLOC_CONF="prof:true,lg_prof_sample:0,prof_final:false,prof_prefix:$PWD/d/p" \
    ./logbuf >out 2>err || fail 'the program failed'
set -- d/p.*.m0.heap d/p.*.m1.heap d/p.*.m2.heap
[ -f "$3" ] || fail "no three dumps: $(ls d)"

# What never fell comes first; nothing is sampled, so all is certain.
run --growth ./logbuf "$@"
has '3 snapshots'
sed -n '/^grew and never fell/{n;p;q;}' out >row
grep -q ' 2 of 2 .*build_log_message' row || fail 'the first row'
grep -q '+280.0 MiB .*/s ' row || fail 'its change'
grep -q ' 1 of 2 .*read_config' out || fail 'no read_config'

# One dump has no growth, which is said.
"$HEAPTOP" --growth ./logbuf "$3" >out 2>err
[ $? = 1 ] || fail '--growth of one dump: not 1'
grep -q 'about two dumps or more' err || fail '--growth of one dump: not said'

# 280 objects of 1 MiB; one of 10, which is over 8.
run --sizes ./logbuf "$3"
awk '/1.0 MiB .*280.0 MiB .* 280 .*build_log_message/ { a = 1 }
    /16.0 MiB .*10.0 MiB .* 1 .*read_config/ { b = 1 }
    END { exit !(a && b) }' out || fail 'sizes'
has 'average'

run --stats ./logbuf "$3"
grep -q '^live  *290.0 MiB' out || fail 'live'
has 'exact' 'samples' 'depth' 'lost samples'

run --memory ./logbuf "$3"
grep -q '^live objects  *290.0 MiB' out || fail 'live objects'

run --list='^build_log|read_c' ./logbuf "$3"
has 'ROUTINE ====================== build_log_message in ' \
    'ROUTINE ====================== read_config in '
grep -q '^ *280.0 *280.0 *[0-9]*: .*malloc(1 << 20)' out || fail 'its line'
grep -q '^ *10.0 *10.0 *[0-9]*: .*malloc(10 << 20)' out || fail 'its line'

# The source is elsewhere, then nowhere.
mkdir elsewhere
mv logbuf.c elsewhere
run --list=build_log ./logbuf "$3"
has 'cannot be read here' '280.0'
hasnt '<< 20'
HEAPTOP_SOURCE_PATH=$PWD/elsewhere
export HEAPTOP_SOURCE_PATH
run --list=build_log ./logbuf "$3"
has '1 << 20'
run --list=no_such_function ./logbuf "$3"
has 'no function'

# For a team: who, when, how, where; no addresses.
run --markdown --base="$1" ./logbuf "$3"
has 'Delta: **+290.0 MiB' '**Suspected:** `build_log_message`' \
    'logbuf.c:' '96.6% of all that grew' '| Build-id | `' '| Sampling |' \
    '| From |' '| To |' '## Evidence' '## Call tree' '## To repeat it' \
    '--markdown'
grep -q 'main › build_log_message\|^ *+280.0 MiB .*build_log_message' out ||
    fail 'the tree'
hasnt 0x
run --markdown ./logbuf "$3"
has '**Holds much:** `build_log_message`' 'two dumps can'
hasnt Suspect
