# Programs that are linked with the library, shared and static, need no
# LD_PRELOAD; of either the dump has the program's own functions.

fail() {
	echo "$*"
	cat out err 2>/dev/null
	exit 1
}

cat >holds.c <<'END'
#include <stdio.h>
#include "heaptop.h"
#include <stdlib.h>
static void *volatile kept;
__attribute__((noinline)) static void holds_mib(void) { kept = malloc(1 << 20); }
int main(void)
{
	char name[1500] = "";
	size_t len = sizeof name;

	holds_mib();
	if (mallctl("prof.dump", name, &len, NULL, 0) != 0)
		return 1;
	puts(name);
	return 3;
}
END
flags="-g -O0 -I$SRC/prof"
# shellcheck disable=SC2086
$CC $flags -o shared holds.c -L"$BUILD" -lheaptop -Wl,-rpath,"$BUILD" ||
    fail 'it cannot be linked'
# shellcheck disable=SC2086
$CC $flags -o static holds.c "$BUILD/libheaptop.a" ||
    fail 'it cannot be linked with libheaptop.a'
ldd shared | grep -q libheaptop.so || fail 'shared: not linked'
ldd static | grep -q libheaptop.so && fail 'static: the shared one is there'
for how in shared static; do
	MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$PWD/$how.d ./$how \
	    >out 2>err
	[ $? = 3 ] || fail "$how: status"
	[ ! -s err ] || fail "$how: something was said"
	for file in "$(cat out)" $how.d.*.f.heap; do
		"$HEAPTOP" --text ./$how "$file" >text 2>&1 ||
		    fail "$how: $(cat text)"
		grep -q '^ *1\.0 .* holds_mib$' text || fail "$how: $(cat text)"
		# none of ours is in a stack
		grep -q 'alloc_new\|sample_alloc' text && fail "$how: own frames"
	done
	# as bare as without it
	MALLOC_CONF=prof:false ./$how >out 2>err
	[ $? = 1 ] && [ ! -s err ] || fail "$how: prof:false"
done
exit 0
