# Bad usage is status 2 with one sentence, and nothing is started.

# bad PATTERN ARGUMENT...: refused, and the sentence has PATTERN
bad() {
	pattern=$1
	shift
	rm -f started
	"$HEAPTOP" "$@" >out 2>err
	got=$?
	if [ $got != 2 ] || [ -e started ] || [ -s out ] ||
	    [ "$(wc -l <err)" != 1 ] || ! grep -q -e "$pattern" err; then
		echo "heaptop $*: status $got"
		ls started 2>/dev/null
		cat out err
		exit 1
	fi
}

start='touch started'
printf 'heap_v2/1\n@ 0x1000\n  t*: 1: 4096 [0: 0]\n\nMAPPED_LIBRARIES:\n' \
    >d.dump

# Every option that takes no value refuses one.
"$HEAPTOP" --help >help || exit 1
for option in help version text tree collapsed dot heap svg pdf ps png \
    flamegraph callgrind raw pprof speedscope json csv growth sizes stats \
    memory markdown functions lines \
    files modules addresses stacks threads inuse_space inuse_objects \
    alloc_space alloc_objects show_bytes sum exact ascii no-mouse \
    cum invert drop_negative; do
	grep -q -e "--$option" help || { echo "$option: not in help" && exit 1; }
	for value in '' 1; do
		bad "takes no value, not '$value'" "--$option=$value" -- \
		    sh -c "$start"
	done
done
bad "^heaptop: -b takes no value, not '3'" -b=3 -- sh -c "$start"
bad 'no option -3' -b3 -- sh -c "$start"

# wrong OPTION ACCEPTS VALUE...: each value is refused, and what is accepted
# is said; and so it is where the value is missing.
wrong() {
	option=$1 accepts=$2
	shift 2
	for value; do
		bad "^heaptop: $option takes $accepts" "$option=$value" -b -- \
		    sh -c "$start"
	done
}
bytes=$(printf '\377\376')
long=99999999999999999999999999999999999999999999
wrong --top 'a whole number from 1 to 1000000000' \
    '' 0 -1 x 1x 1.5 1000000001 18446744073709551617 "$long" "$bytes"
wrong -n 'a whole number from 1 to 1000000000' \
    '' 0 -1 x +1 0x10 1000000001 18446744073709551617 "$long" "$bytes"
wrong --interval 'a duration from 10ms to 24h' \
    '' 0 -1 soon 1e3 9ms 25h 5x inf nan "$long" "$bytes"
wrong -s 'a size from 1 to 128T' \
    '' 0 -1 big 1e3 256T KB 1KK 0.4 inf nan "$long" "$bytes"
wrong --max-depth 'a number of frames from 1 to 4096' \
    '' 0 -1 x 4097 0x10 18446744073709551617 "$long" "$bytes"
wrong --conf 'options such as' '' x : :b a:b,c a:b, 'a b:c' A:b "$bytes"
wrong -o 'the name of a file' ''
wrong -p 'a process id' ''
wrong --target-output 'the name of a file' ''
wrong --color 'auto, never, 16 or 256' '' 8 AUTO red "$bytes"
wrong --theme 'auto, dark or light' '' blue 16 "$bytes"
wrong --seconds 'a duration from 10ms to 24h' '' 0 -1 soon 25h
for option in --focus --ignore --show --hide --retain --exclude; do
	wrong $option 'a regular expression' '' '*' '*x'
done
wrong --thread 'the id of a thread' '' x t 1x -1 '**' 4294967296 "$long"
wrong --min-size 'a size such as' '' 0 -1 big 1e3 KB "$long" "$bytes"
wrong --max-size 'a size such as' '' 0 -1 big 1e3 KB "$long" "$bytes"
wrong --nodecount 'a whole number from 0' '' -1 x 1.5 "$long" "$bytes"
wrong --maxdegree 'a whole number from 0' '' -1 x 1.5 "$long" "$bytes"
wrong --nodefraction 'a part of the whole' '' -1 x 1.5 101% 1e-3 nan "$bytes"
wrong --edgefraction 'a part of the whole' '' -1 x 1.5 101% 1e-3 nan "$bytes"
wrong --list 'a regular expression' '' '*' '*x'
wrong --base 'the name of a dump' ''
wrong --diff-base 'the name of a dump' ''
wrong --lib-prefix 'directories' ''
wrong --fail-above 'SIZE or SIZE,REGEX' '' x -1 1e3 ,x "$long" "$bytes"
wrong --fail-growth 'SIZE or SIZE,REGEX' '' x -1 1e3 ,x 1K, "$long" "$bytes"
for option in -n -s -o --interval --max-depth --conf --target-output --color \
    --theme --seconds --focus --ignore --show --hide --retain --exclude \
    --thread --min-size --max-size --nodecount --nodefraction --edgefraction \
    --maxdegree --base --diff-base --lib-prefix --fail-above --fail-growth; do
	bad "^heaptop: $option wants a value: " $option
	bad "^heaptop: $option wants a value: " -b $option
done

# Of several values the last one counts; reports are not added up.
bad '^heaptop: --text and --tree are two reports' --text --tree d.dump
"$HEAPTOP" --text --text --lines --lines d.dump >out 2>err || {
	echo 'the same twice was refused'
	cat err
	exit 1
}

# Names: abbreviated, unknown, nearly right, of odd bytes.
bad '^heaptop: --t may be one of --text, --top, --tree, --threads' --t d.dump
bad '^heaptop: --inuse may be one of' --inuse sh -c "$start"
bad '^heaptop: --s may be one of' --s=3 sh -c "$start"
bad 'no option --nothing; ' --nothing -- sh -c "$start"
bad 'no option --textt (--text?)' --textt d.dump
bad 'no option --TREE (--tree?)' --TREE d.dump
bad 'no option --max-depht (--max-depth?)' --max-depht=3 sh -c "$start"
bad 'no option --show_bytez (--show-bytes?)' --show_bytez d.dump
bad 'no option --; ' --=3 sh -c "$start"
bad 'no option -z; ' -z sh -c "$start"
bad 'no option -z; ' -bz sh -c "$start"
bad 'no option -é; ' -é sh -c "$start"
bad 'no option -??; ' "-$bytes" sh -c "$start"
bad 'no option --??; ' "--$bytes" sh -c "$start"
bad 'no option --a?b?\[31m; ' "$(printf -- '--a\nb\033[31m')" sh -c "$start"
# A sentence stays a sentence, and keeps its end.
name=$(printf '%05000d' 0)
bad "^heaptop: there is no option --000.*\.\.\.0*; heaptop --help" "--$name"
bad "^heaptop: no file '000.*\.\.\..*put -- before" "$name.heap"

# Expressions that are none, and what is not one but was meant as one.
bad '^heaptop: --focus: "(x" is not a regular expression' --focus='(x' d.dump
bad '^heaptop: --hide: "a\[" is not a regular expression' --hide='a[' d.dump
bad "write '.\*_x'" --ignore='*_x' -- sh -c "$start"
bad "write '.\*x'" --fail-above='1M,*x' d.dump
bad '^heaptop: --fail-above: "x{" is' --fail-above='1M,x{' d.dump

# What does not go together, or nowhere.
for option in --nodecount=3 --maxdegree=3 --nodefraction=.1 --edgefraction=.1 \
    --base=d.dump --diff_base=d.dump; do
	bad 'give --text or another report with it' $option d.dump
	bad 'give --text or another report with it' $option -- sh -c "$start"
	bad "^heaptop: ps has no use for" $option ps
	bad '^heaptop: exec becomes' exec $option sh -c "$start"
done
for option in --focus=x --hide=x --thread=1 --min-size=1 --cum --invert; do
	bad "^heaptop: ps has no use for" $option ps
	bad '^heaptop: exec becomes' exec $option sh -c "$start"
done
bad 'two reports' --list=x --text d.dump
bad "write '.\*x'" --list='*x' d.dump
bad '^heaptop: --growth compares the dumps given' --growth --base=d.dump d.dump
bad '^heaptop: --growth needs some time' --growth -p 1
bad 'is about a difference' --text --drop_negative d.dump
bad 'is about a difference' --fail-growth=1K d.dump
bad 'give one of them' --text --seconds=1 --base=d.dump -p 1
bad 'no object is as large' --text --min-size=2K --max-size=2K d.dump
bad '^heaptop: --fail-above is one report' -b --fail-above=1 -- sh -c "$start"
bad 'put -- before it' --fail-above=1 sh -c "$start"
# A base that is none, before anything is started.
bad '^heaptop: cannot read lost.dump: No such file' --text --base=lost.dump \
    -- sh -c "$start"
bad 'a program, a dump or -p'
bad 'a program, a dump or -p' --
bad 'a program, a dump or -p' --top
bad 'two reports' --text --tree -- sh -c "$start"
bad 'one report' -b --text d.dump
bad 'one report' -b --text --seconds=1 -p 1
bad 'one report' -n 3 --text d.dump
bad 'give one of them' --exact -s 4K -- sh -c "$start"
bad 'put -- before it' --text sh -c "$start"
bad '^heaptop: --sum adds up' --sum -- sh -c "$start"
bad "no file '\*.heap'" sh -c "$start" '*.heap'
bad 'no file' sh -c "$start" lost.heap.1
bad 'no file' d.dump lost.heap
bad "'lost' is no file" d.dump lost
for option in -s4K --exact --max-depth=3 --conf=a:b; do
	bad 'is for a program that heaptop starts' $option d.dump
	bad 'is for a program that heaptop starts' $option -p 1
done
bad 'exec wants a program' exec
bad 'give one of them' exec -p 1 sh -c "$start"
for option in -b -n1 -o=f --interval=1 --text --top=3 --lines --inuse_objects \
    --show_bytes --target-output=f; do
	bad '^heaptop: exec becomes' exec $option sh -c "$start"
done
bad 'has no place' -p 1 sh -c "$start"
bad 'has no place' -p 1 -- sh -c "$start"
# Without a value -p asks on the terminal, and here is none.
for option in -b --text --lines; do
	setsid -w "$HEAPTOP" $option -p >out 2>err </dev/null
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
	    grep -q '^heaptop: -p wants a value' err || {
		echo "$option -p without a terminal"
		cat out err
		exit 1
	}
done
for option in -b -n1 --interval=1 --text --top=3 --lines --inuse_objects \
    --show_bytes --sum --seconds=3; do
	bad "^heaptop: ps has no use for" $option ps
	bad "^heaptop: ctl has no use for" $option ctl prof.active
	bad "^heaptop: check has no use for" $option check sh
done
for option in -s4K --exact --max-depth=3 --conf=a:b --target-output=f; do
	bad 'is for a program that heaptop starts' $option ps
done
bad "ps lists all it can; '1' has no place" ps 1
bad 'ctl wants a name such as' ctl
bad 'check wants a program' check
bad "check looks at one program; 'x' has no place" check sh x
bad 'is a command of its own' -p 1 ps
bad '^heaptop: --seconds is for' --seconds=3 -p 1
bad '^heaptop: --seconds is for' --seconds=3 --text -- sh -c "$start"
bad 'is for a program that heaptop starts' --target-output=f d.dump

"$HEAPTOP" --version >out 2>err || exit 1
grep -q '^heaptop [0-9]' out || exit 1
"$HEAPTOP" --help >out 2>err || exit 1
grep -q '^Usage: heaptop' out || exit 1
[ ! -s err ] || exit 1
# Every option that help names is one.
for option in $(grep -o -e '--[a-z][a-z_-]*' out | sort -u); do
	"$HEAPTOP" "$option" >out 2>err
	if grep -q 'no option' err; then
		cat err
		exit 1
	fi
done
# Output that cannot be written is told.
"$HEAPTOP" --version >&- 2>err
[ $? = 1 ] || { echo 'closed stdout: not 1' && exit 1; }
grep -q 'cannot write stdout' err || exit 1
exit 0
