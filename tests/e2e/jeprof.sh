# What people type at jeprof: the command of that name, and heaptop itself.
# Each option of jeprof works in both and gives the same, or is answered with
# a sentence.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# As it is installed, in a directory whose name is awkward.
mkdir -p 'a b/lib/heaptop/compat/bin' 'a b/bin'
cp "$SRC/assets/compat/bin/jeprof" 'a b/lib/heaptop/compat/bin/jeprof'
ln -s "$HEAPTOP" 'a b/bin/heaptop'
theirs=$(command -v jeprof)
jeprof="$PWD/a b/lib/heaptop/compat/bin/jeprof"

# Two dumps, in which all is known: every allocation is sampled, and each size
# is one of malloc's.  After the first: 1 MiB by big.  At the end: 3 MiB by
# big in 3 objects, 6400 bytes by small in 100, together 3152128 in 103; and
# 64000 bytes in 1000 objects are gone, which makes 3216128 and 1103 in all.
cat >prog.c <<'END'
#include <stdlib.h>

int mallctl(const char *, void *, size_t *, void *, size_t);

static void *volatile kept[200];
static int count;

__attribute__((noinline)) static void big(void)
{
	kept[count++] = malloc(1 << 20);
}

__attribute__((noinline)) static void small(void)
{
	for (int i = 0; i < 100; i++)
		kept[count++] = malloc(64);
}

__attribute__((noinline)) static void passing(void)
{
	for (int i = 0; i < 1000; i++) {
		void *volatile p = malloc(64);

		free(p);
	}
}

int main(void)
{
	big();
	if (mallctl("prof.dump", NULL, NULL, NULL, 0))
		return 1;
	big();
	big();
	small();
	passing();
	return 0;
}
END
$CC -g -O1 -o prog prog.c "$LIB" -Wl,-rpath,"$BUILD" || exit 1
MALLOC_CONF="prof:true,lg_prof_sample:0,prof_accum:true,prof_prefix:$PWD/p" \
    ./prog || exit 1
first=$(echo p.*.0.m0.heap) last=$(echo p.*.1.f.heap)
[ -f "$first" ] && [ -f "$last" ] || fail "no two dumps: $(ls)"

# gives OPTION...: of the last dump, both give the same and nothing is wrong
gives() {
	"$jeprof" "$@" ./prog "$last" >out 2>err ||
	    fail "jeprof $*: status $?"
	"$HEAPTOP" "$@" ./prog "$last" >direct 2>err ||
	    fail "heaptop $*: status $?"
	[ -s out ] || fail "jeprof $*: nothing"
	cmp -s out direct || fail "$*: not the same"
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

# refused TEXT OPTION...: both say one sentence with TEXT in it, and stop
refused() {
	text=$1
	shift
	for command in "$jeprof" "$HEAPTOP"; do
		"$command" "$@" ./prog "$last" >out 2>err
		[ $? = 2 ] || fail "$*: not 2"
		[ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
		    grep -qF -e "$text" err || fail "$*: no '$text'"
	done
}

# ---- figures and rows ----

gives --text --show_bytes
has 'Total: 3152128 B' ' 3145728  99.8%  99.8%  3145728  99.8% big' ' small'
gives --text
has 'Total: 3.0 MB'
gives --text --inuse_space
has 'Total: 3.0 MB'
gives --text --inuse_objects
has 'Total: 103 objects' ' 100  97.1%  97.1%      100  97.1% small'
gives --text --alloc_space --show_bytes
has 'Total: 3216128 B' ' 64000 ' ' passing'
gives --text --alloc_objects
has 'Total: 1103 objects'
gives --text --functions
has ' big'
gives --text --lines
has ' big ' '/prog.c:10' ' small ' '/prog.c:16'
gives --text --files
has '/prog.c'
hasnt ' big'
gives --text --addresses
grep -qE ' [0-9a-f]{16} big .*/prog.c:10$' out || fail '--addresses'
gives --text --cum
sed 1d out | awk '{ print $4 }' | sort -c -rn || fail '--cum: the order'
gives --text '--thread=*' --show_bytes
has 'Total (t'
id=$(sed -n 's/^Total (t\([0-9]*\)): 3152128 B$/\1/p' out)
gives --text --thread="$id" --show_bytes
has "Total (t$id): 3152128 B" ' big'

# ---- what is left out ----

gives --text --focus=small --show_bytes
has 'Total: 3152128 B' "focusing on 'small': 6400 B of 3152128 B" \
    ' 6400 100.0% 100.0%     6400 100.0% small'
hasnt ' big'
gives --text --ignore=small --show_bytes
has ' 3145728 100.0%'
hasnt ' small'
gives --text --retain=small --show_bytes
has ' small'
hasnt ' main' ' big'
gives --text --exclude=small --show_bytes
has ' 6400   0.2% 100.0%  3152128 100.0% main'
hasnt ' small'
gives --text --focus small --ignore nothing_such

# ---- a base ----

gives --text --show_bytes --base="$first"
has 'Total: 2103552 B' ' 2097152  99.7%  99.7%  2097152  99.7% big'
gives --text --show_bytes --diff_base="$first"
has '+2103552 B' ' +2097152 '
"$jeprof" --text --base="$last" --drop_negative --show_bytes ./prog "$first" \
    >out 2>err || fail '--drop_negative'
hasnt ' big' ' small'
"$jeprof" --text --base="$last" --show_bytes ./prog "$first" >out 2>err ||
    fail '--base the other way'
has ' -2097152 '
# a saved report
"$jeprof" --text --show_bytes ./prog "$first" >first.txt 2>err || fail 'saving'
gives --text --show_bytes --diff_base=first.txt
has ' +2097152 '

# ---- graphs and what other programs read ----

nodes() {
	grep -c '^N[0-9]* \[label=' out
}
gives --dot
has 'digraph' 'N1 ->'
gives --dot --heapcheck
gives --dot --nodecount=2
[ "$(nodes)" = 2 ] || fail '--nodecount'
gives --dot --nodefraction=.5
has 'big'
hasnt 'small\n'
gives --dot --edgefraction=.5 --nodefraction=0
gives --dot --maxdegree=1 --nodefraction=0
gives --callgrind
has 'fn=' 'big'
gives --collapsed
[ "$(awk '{ s += $NF } END { print s }' out)" = 3152128 ] ||
    fail '--collapsed: another sum'
has ';main;small 6400'
gives --list=small
has 'small' 'prog.c' 'kept[count++] = malloc(64);'
gives --raw
has '--- symbol' 'heap profile:'
cp out raw.heap
"$jeprof" --text --show_bytes raw.heap >out 2>err || fail 'reading --raw'
has 'Total: 3152128 B' ' big' ' small'
if command -v dot >/dev/null; then
	gives --svg
	has '<svg' 'big'
	gives --gif
	[ "$(head -c 4 out)" = GIF8 ] || fail '--gif: no GIF'
	for form in 'ps %!PS' 'pdf %PDF'; do
		"$jeprof" "--${form% *}" ./prog "$last" >out 2>err ||
		    fail "--${form% *}: status $?"
		[ "$(head -c 4 out)" = "${form#* }" ] || fail "${form% *}"
	done
fi

# ---- without effect: nothing is left to do ----

gives --text --show_bytes
cp out plain
for option in --tools=/nonexistent/ '--tools nm:/nonexistent' \
    --debug-syms-by-id --lib_prefix=/nonexistent; do
	# an option and its value
	# shellcheck disable=SC2086
	gives --text --show_bytes $option
	cmp -s out plain || fail "$option makes a difference"
done
JEPROF_TOOLS=/nonexistent/ JEPROF_TMPDIR=/nonexistent
export JEPROF_TOOLS JEPROF_TMPDIR
gives --text --show_bytes
cmp -s out plain || fail 'the environment makes a difference'
unset JEPROF_TOOLS JEPROF_TMPDIR

# ---- answered ----

refused '--ps -o heap.ps' --gv
refused '--pdf -o heap.pdf' --evince
refused '--svg -o heap.svg' --web
refused '--svg' --scale=2 --svg
refused '--list=REGEX' --disasm=small
refused '--list=REGEX' --disasm small
refused '--raw' --symbols
refused '--lib_prefix=DIR' --add_lib=/lib/x.so --text
refused '-p PID' --seconds=3 --text
refused '--inuse_space' --total_delay
refused '--inuse_space' --contentions --text
refused '--inuse_space' --mean_delay
refused 'heaptop check' --debug --text
refused 'make check' --test
refused 'make check' --test_stride=2
refused 'a terminal' --interactive
refused '--cum' --nocum --text
refused '--lines' --no-lines --text
refused '--base=DUMP' --drop_negative --text
refused 'two reports' --text --dot
refused 'no option --stray' --stray

# ---- spelling ----

gives --te --show_b
cmp -s out plain || fail 'shortened'
gives -text -show_bytes
cmp -s out plain || fail 'one dash'
gives --lines --text --functions --show_bytes
cmp -s out plain || fail 'the last grouping does not count'
for way in "./prog $last --text --show_bytes" \
    "./prog --text $last --show_bytes" "--show_bytes -- ./prog $last" \
    "--show_bytes ./prog $last" "--show_bytes $last"; do
	# words
	# shellcheck disable=SC2086
	"$jeprof" $way >out 2>err || fail "jeprof $way: status $?"
	cmp -s out plain || fail "jeprof $way: another report"
done
"$jeprof" --help >out 2>err || fail '--help'
has 'Usage: ' '--focus'
"$jeprof" --version >out 2>err || fail '--version'
has 'heaptop '

# ---- several add up ----

"$jeprof" --text --show_bytes ./prog "$first" "$last" >out 2>err ||
    fail 'two dumps'
has 'Total: 4200704 B' # 1048576 + 3152128
has ' 4194304  99.8%  99.8%  4194304  99.8% big'

# sum TOTAL UNIT OPTION...: what the jeprof of jemalloc 5.3.0 prints of these
# three dumps, which cuts off what heaptop rounds
sum() {
	wanted=$1 unit=$2
	shift 2
	"$jeprof" --text "$@" "$SRC"/tests/data/mt.6930.*.heap >out 2>err ||
	    fail "jeprof $*: status $?"
	got=$(sed -n "s/^Total: \([0-9]*\) $unit\$/\1/p" out)
	[ "$got" = "$wanted" ] || [ "$got" = $((wanted + 1)) ] ||
	    fail "jeprof $*: $got, not $wanted"
}
sum 98235580 B --show_bytes
sum 92401 objects --inuse_objects
sum 384855234 B --alloc_space --show_bytes
sum 389416 objects --alloc_objects

# ---- nothing is run, whatever is typed ----

for words in '--text' '' '--text --' '--'; do
	# shellcheck disable=SC2086
	"$jeprof" $words touch started >out 2>err
	[ $? = 2 ] || fail "jeprof $words touch: not 2"
	[ ! -e started ] || fail "jeprof $words touch: it was run"
done
"$jeprof" >out 2>err
[ $? = 2 ] || fail 'nothing given: not 2'
"$jeprof" --text ./prog missing.heap >out 2>err
[ $? = 2 ] || fail 'missing: not 2'
for remote in http://localhost:1/pprof/heap localhost:1; do
	"$jeprof" --text $remote >out 2>err
	[ $? = 2 ] && grep -q 'curl' err || fail "$remote"
done

# ---- where heaptop is ----

ln -s "$jeprof" link
./link --version >out 2>err || fail 'by a link'
mkdir empty
cp "$jeprof" empty/jeprof
PATH="$PWD/a b/bin:$PATH" empty/jeprof --version >out 2>err || fail 'by PATH'
PATH=$PWD/empty empty/jeprof --version >out 2>err
[ $? = 127 ] && grep -q 'PATH' err || fail 'no heaptop: not 127'

# ---- beside jeprof ----

if [ "$theirs" ]; then
	for options in --text '--text --inuse_objects' \
	    '--text --alloc_space' '--text --alloc_objects' \
	    '--text --show_bytes' '--text --cum --retain=small|big' \
	    '--text --retain=small' '--text --exclude=small' \
	    "--text --thread=$id"; do
		for dumps in "$last" "$first $last"; do
			# of several dumps it counts a thread in the first only
			case $options in
			*thread*) dumps=$last ;;
			esac
			# options and files
			# shellcheck disable=SC2086
			"$theirs" $options ./prog $dumps >theirs 2>err ||
			    fail "their jeprof $options: status $?"
			# shellcheck disable=SC2086
			"$jeprof" $options ./prog $dumps >out 2>err ||
			    fail "jeprof $options: status $?"
			# libc's functions are stripped, and 0 themselves
			for f in theirs out; do
				awk '$1 != 0' $f >$f.rows
			done
			diff theirs.rows out.rows >diff.txt ||
			    fail "$options $dumps: $(cat diff.txt)"
		done
	done
fi

# ---- on a terminal ----

command -v tmux >/dev/null || exit 0
. "$SRC/tests/tmux.sh"
for options in '' --interactive; do
	# none or one
	# shellcheck disable=SC2086
	screen 80x24 "$jeprof" $options ./prog "$first" "$last"
	shows '3\.0 MiB .*big'
	keys q
	left 'exit 0'
done
