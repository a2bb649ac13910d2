# What our dumps tell besides the profile, and that heaptop shows it: the
# process, the allocator, how it was sampled, and which build each file was.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# key FILE KEY: the value of a line of ours
key() {
	sed -n "s/^# heaptop $2=//p" "$1"
}

cat >p.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int mallctl(const char *, void *, size_t *, void *, size_t);
void extra(void);

__attribute__((noinline)) static void *
hold_it(size_t size)
{
	return memset(malloc(size), 1, size);
}

static void *volatile held[64];

int
main(void)
{
	const char *name = "own.heap";
	char line[256];
	FILE *f;

#ifdef OTHER
	extra();
	extra();
#endif
	for (int i = 0; i < 64; i++)
		held[i] = hold_it(300000);
	if (mallctl("prof.dump", NULL, NULL, &name, sizeof name) != 0)
		return 1;
	f = fopen("/proc/self/status", "r");
	while (fgets(line, sizeof line, f))
		if (strncmp(line, "Vm", 2) == 0 || strncmp(line, "Rss", 3) == 0)
			fputs(line, stdout);
	return 0;
}

void
extra(void)
{
	held[0] = hold_it(10);
}
END
# build FILE OPTION...
build() {
	file=$1
	shift
	"$CC" -g -O1 -fno-builtin-malloc -Wl,--build-id "$@" -o "$file" p.c \
	    -L"$(dirname "$LIB")" -l:libheaptop.so ||
	    exit 1
}

# run PROGRAM: its status, as the kernel sees it, in out
run() {
	MALLOC_CONF=prof:true,prof_final:false,lg_prof_sample:12,prof_bt_max:9 \
	    LD_LIBRARY_PATH=$(dirname "$LIB") "$1" >out 2>err || fail "$1"
}

# near KEY WORD: within 2 MiB of what status said behind that word
near() {
	told=$(key own.heap "$1")
	is=$(($(sed -n "s/^$2:[^0-9]*\([0-9]*\) kB/\1/p" out) * 1024))
	off=$((told - is))
	[ "$off" -gt -2097152 ] && [ "$off" -lt 2097152 ] ||
	    fail "$1 is $told, not $is"
}

build p
run ./p
near rss_bytes VmRSS
near virtual_bytes VmSize
near anon_bytes RssAnon
near file_bytes RssFile
[ "$(key own.heap rss_bytes)" -gt 19000000 ] || fail 'rss'
[ "$(key own.heap bt_max)" = 9 ] || fail 'depth'
[ "$(key own.heap mapped_bytes)" -ge "$(key own.heap live_bytes)" ] ||
    fail 'mapped'

# All of it is on the screen of --stats and --memory, and parts add up.
"$HEAPTOP" --stats --show_bytes ./p own.heap >stats 2>err || fail 'status'
grep -q 'not known' stats && fail "$(grep 'not known' stats)"
for label in 'running for' 'live objects' allocated sampling 'sampling off' \
    samples 'live samples' depth 'lost samples' 'truncated stacks' mapped \
    cached dirty retained meta rss virtual swap 'major faults'; do
	grep -q "^$label  " stats || fail "--stats: no $label"
done
for pair in 'rss rss_bytes' 'mapped mapped_bytes' 'meta meta_bytes' \
    'samples samples' 'virtual virtual_bytes' 'live live_bytes'; do
	shown=$(sed -n "s/^${pair% *}  *\([0-9]*\).*/\1/p" stats)
	[ "$shown" = "$(key own.heap "${pair#* }")" ] || fail "$pair: $shown"
done
"$HEAPTOP" --memory --show_bytes ./p own.heap >memory 2>err || fail 'status'
grep -q 'not known' memory && fail "$(grep 'not known' memory)"
awk -v rss="$(key own.heap rss_bytes)" '/^[a-z ]*  *-?[0-9]+ .*%?/ {
	match($0, /-?[0-9]+/); v = substr($0, RSTART, RLENGTH)
	if ($1 == "rss") { exit !(v == rss && sum == rss) }
	sum += v }' memory || fail "--memory: $(cat memory)"

# The build-id of each file that frames are in.
id=$(readelf -n p | sed -n 's/.*Build ID: //p')
sed -n "s/^# heaptop module=[0-9a-f]*-[0-9a-f]* [0-9a-f]* $id .*\/p$/yes/p" \
    own.heap | grep -q yes || fail "no $id: $(key own.heap module)"
"$HEAPTOP" --text ./p own.heap >text 2>err || fail 'status'
grep -q hold_it text && [ ! -s err ] || fail 'no names, or something was said'

# The same build under another name fits; another build does not, however
# alike it is; nor where it took the place of the file.
cp p moved
"$HEAPTOP" --text ./moved own.heap >text 2>err && grep -q hold_it text ||
    fail 'moved'
build other -DOTHER
mv p hidden
"$HEAPTOP" --text ./other own.heap >text 2>err
grep -q 'another build' err && ! grep -q hold_it text || fail 'other'
mv hidden p
cp own.heap first.heap
mv other p
"$HEAPTOP" --text first.heap >text 2>err
grep -q 'another build' err && ! grep -q hold_it text || fail 'replaced'
mv moved p
"$HEAPTOP" --text first.heap >text 2>err
grep -q hold_it text && [ ! -s err ] || fail 'put back'

# heaptop's own --heap tells the same on.
"$HEAPTOP" --heap -o again.heap first.heap 2>err || fail 'status of --heap'
for k in rss_bytes mapped_bytes meta_bytes virtual_bytes samples live_bytes \
    file_bytes; do
	[ "$(key again.heap $k)" = "$(key first.heap $k)" ] || fail "again: $k"
done
grep -q "^# heaptop module=.* $id " again.heap || fail 'again: no build-id'
"$HEAPTOP" --text again.heap >text 2>err
grep -q hold_it text || fail 'again: no names'

# A library that was unloaded before the dump still has its place.
cat >gone.c <<'END'
#include <stdlib.h>
#include <string.h>

void *
get_from_gone(size_t n)
{
	void *p = malloc(n);

	return p ? memset(p, 1, n) : NULL;
}
END
cat >host.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>

static void *volatile kept[200];

int
main(int argc, char **argv)
{
	void *lib = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	void *(*get)(size_t);

	if (!lib)
		return 1;
	*(void **)&get = dlsym(lib, "get_from_gone");
	for (int i = 0; i < 200; i++)
		kept[i] = get(5000);
	return dlclose(lib);
}
END
"$CC" -g -O1 -fno-builtin-malloc -fPIC -shared -Wl,--build-id -o gone.so \
    gone.c && "$CC" -g -O1 -o host host.c || exit 1
MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/host LD_PRELOAD=$LIB \
    ./host "$PWD/gone.so" 2>err || fail 'host'
sed -n '/^MAPPED/,$p' host.*.f.heap | grep -q gone.so && fail 'not unloaded'
"$HEAPTOP" --text ./host host.*.f.heap >text 2>err || fail 'status'
grep -q get_from_gone text || fail 'the unloaded library has no names'
exit 0
