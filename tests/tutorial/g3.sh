# The third guide, from a first leak to production: T47 to T64.
# shellcheck shell=sh disable=SC2154,SC2034 # tests/tutorial.sh reads this

begin_g3() {
	program leak_example
	cp "$SRC/tests/targets/leak_example.c" .
	MALLOC_CONF="prof:true,lg_prof_sample:10,prof_prefix:$W/jeprof_demo.out"
	HEAPTOP_CONF=prof_seed:3 # one run in a thousand would be three errors off
	export MALLOC_CONF HEAPTOP_CONF
}

# $D, the dump that T47 leaves
have_demo() {
	has 'jeprof_demo.out.*.f.heap' 1 || {
		rm -f jeprof_demo.out.*
		LD_PRELOAD=$LH ./leak_example >out 2>err || fail 'its status'
	}
	D=$(echo "$W"/jeprof_demo.out.*.f.heap)
	[ -s "$D" ] || fail 'no dump'
}

# share FILE NAME: its percentage of the total
share() {
	sed -n -E -e "s/^ *[0-9.]+ +([0-9.]+)% .* $2( .*)?\$/\1/p" "$1"
}

# 1,184,000 B are 1.13 MiB; sampled at 1,024 B the error is 0.02.
T47() {
	rm -f jeprof_demo.out.*
	have_demo
	heaptop --text ./leak_example "$D" >out 2>err || fail 'it is not 0'
	case $(mib out) in
	1.1 | 1.2) ;;
	*) fail "Total: $(mib out) MB" ;;
	esac
	within "$(share out constant_leak)" 82 90 ||
	    fail "constant_leak $(share out constant_leak) %"
	within "$(share out conditional_leak)" 10 18 ||
	    fail "conditional_leak $(share out conditional_leak) %"
	cum=$(sed -n 's/^.* \([0-9.]*\)% main$/\1/p' out)
	within "$cum" 99 100 || fail "main $cum %"
	lacks out 'libstdc'
}

T48() {
	have_demo
	n=$(grep -n 'malloc(1024)' leak_example.c | cut -d: -f1)
	heaptop --text --lines ./leak_example "$D" >report.txt ||
	    fail 'it is not 0'
	has_line report.txt "[01]\\.[0-9] .* constant_leak .*leak_example\\.c:$n"
}

turn() {
	sed -n '$s/turn //p' turns
}

turned() {
	[ "$(turn)" -ge "$1" ] 2>/dev/null
}

# Dumps at about the turns 100, 500 and 900; between which two each one
# was written is in seen.
have_three() {
	[ ! -s seen ] || return 0
	rm -f three.*
	: >turns
	: >seen.new
	MALLOC_CONF="prof:true,lg_prof_sample:10,prof_prefix:$W/three" \
	    LD_PRELOAD=$LH ./leak_example >turns 2>err &
	PID=$!
	for n in 0 1 2; do
		until_true turned $((100 + n * 400)) ||
		    until_true turned $((100 + n * 400)) || fail 'it is too slow'
		turn >before
		kill -USR1 $PID
		until_true has "three.$PID.$n.m$n.heap" 1 || fail "no file $n"
		echo "$(cat before) $(turn)" >>seen.new
	done
	wait $PID
	echo $? >status.three
	mv seen.new seen
}

T49() {
	rm -f seen
	have_three
	has 'three.*.m*.heap' 3 || fail 'not three m files'
	[ "$(cat status.three)" = 0 ] || fail "exit $(cat status.three)"
	seq 1000 | sed 's/^/turn /' | cmp - turns || fail 'its output'
}

# In n turns constant_leak grows by n * 1,024 B; with samples 1,024 B apart
# each block that was seen counts for 1 / (1 - 1/e) blocks, so the error is
# 1,024 * sqrt(0.582 n), of which four are allowed.
T50() {
	needs dot
	have_three
	D0=$(echo "$W"/three.*.0.m0.heap)
	D2=$(echo "$W"/three.*.2.m2.heap)
	heaptop --pdf ./leak_example "$D2" >callgraph.pdf || fail '--pdf'
	is_pdf callgraph.pdf constant_leak conditional_leak main
	heaptop --dot ./leak_example "$D2" >callgraph.dot || fail '--dot'
	grep -q '^digraph' callgraph.dot && grep -q constant_leak callgraph.dot ||
	    fail 'callgraph.dot'
	heaptop --text --base="$D0" ./leak_example "$D2" >diff_report.txt ||
	    fail '--base'
	least=$(awk 'NR == 1 { a = $2 } NR == 3 { n = $1 - a
	    print (n * 1024 - 4 * 1024 * sqrt(.582 * n)) / 1048576 - .05 }' seen)
	most=$(awk 'NR == 1 { a = $1 } NR == 3 { n = $2 - a
	    print (n * 1024 + 4 * 1024 * sqrt(.582 * n)) / 1048576 + .05 }' seen)
	cat diff_report.txt
	grown=$(sed -n -E 's/^ *([0-9.]+) .* constant_leak$/\1/p' diff_report.txt)
	within "$grown" "$least" "$most" ||
	    fail "constant_leak grew by «$grown» MB, not $least to $most"
}

# of_type DIRECTORY LETTER: how many dumps
of_type() {
	ls "$1" >names
	grep -c "\\.$2[0-9]*\\.heap\$" names
}

# with OPTION: server writes to the directory T51
with() {
	program server
	rm -rf T51
	mkdir T51
	printf 'base\ngrow\n' |
	    MALLOC_CONF="prof:true,lg_prof_sample:0,$1,prof_prefix:$W/T51/x" \
	        LD_PRELOAD=$LH ./server >out 2>err || fail "$1: its status"
}

T51() {
	with prof_active:false
	has 'T51/*' 0 || fail 'prof_active:false, and files'
	with prof_gdump:true
	within "$(of_type T51 u)" 1 20 || fail "$(of_type T51 u) u files"
	with lg_prof_interval:20
	# 128 + 48 MiB
	within "$(of_type T51 i)" 174 178 || fail "$(of_type T51 i) i files"
}

# What the lines above have used.
T52() {
	if command -v man >/dev/null; then
		cd "$SRC/man" && MANWIDTH=200 man -l heaptop.1 libheaptop.3
	else
		cd "$SRC/man" && mandoc heaptop.1 libheaptop.3
	fi >"$W/pages.8" || fail 'man is not 0'
	cd "$W" || exit 1
	sed "s/.$(printf '\b')//g" pages.8 >pages
	for word in --version --text --sum --stats --top --focus --ignore \
	    --diff_base --flamegraph --pdf --threads --max-size --min-size \
	    --base --tree --svg --dot --nodefraction --edgefraction --markdown \
	    --growth --heap --lines --memory --interval -b -n -p \
	    prof lg_prof_sample prof_prefix prof_compress prof_active \
	    prof_max_depth prof_gdump lg_prof_interval prof_final \
	    prof.dump prof.active prof.lg_sample ctl check mallctl je_; do
		grep -q -F -e "$word" pages || fail "no $word"
	done
}

T55() {
	needs pidof
	program server
	cp server ci_service
	rm -rf ci elsewhere
	mkdir ci elsewhere
	cd ci || exit 1
	start MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:test_heap \
	    ../ci_service
	tell "cd $W/elsewhere"
	tell base
	# shellcheck disable=SC2046 # as it is typed
	kill -USR1 $(pidof ci_service)
	until_true has 'test_heap*.heap' 1 || fail 'no file'
	# shellcheck disable=SC2012 # as it is typed
	LATEST=$(ls -t test_heap*.heap | head -1)
	heaptop --text ../ci_service "$LATEST" >memory_report.txt ||
	    fail 'it is not 0'
	finish
	total_is memory_report.txt 128.0
	has "$W/elsewhere/*" 0 || fail 'files elsewhere'
}

T56() {
	have_demo
	heaptop --fail-above=1M,constant_leak ./leak_example "$D" >out 2>err ||
	    fail '1M: it is not 0'
	heaptop --fail-above=100K,constant_leak ./leak_example "$D" >out 2>err
	got=$?
	[ $got = 3 ] || fail "100K: status $got"
	grep -q -E -e '(1\.0 MiB|[0-9.]+ KiB) ±.*above 100\.0 KiB.*constant_leak < main' err ||
	    fail "$(cat err)"
}

# names FILE: of the rows
names() {
	sed -E '/^(Total|After)/d; s/^ *[-0-9.]+ +[-0-9.]+% +[-0-9.]+% +[-0-9.]+ +[-0-9.]+% //' "$1"
}

T57() {
	program cxx
	has 'T57.*.heap' 1 ||
	    MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$W/T57" \
	        LD_PRELOAD=$LH ./cxx || fail 'its status'
	D=$(echo T57.*.heap)
	heaptop --text --show='MyNamespace|my_' ./cxx "$D" >out 2>err ||
	    fail '--show: it is not 0'
	has_line out "$(row '8\.0' MyNamespace::Cache::insert)" \
	    "$(row '4\.0' my_parse)"
	names out >rows
	[ "$(wc -l <rows)" = 2 ] || fail "--show: $(cat rows)"
	# of 15 MiB and what libstdc++ has
	grep -q 'show=.*leaves 12\.0 MiB of 15\.[01] MiB' err ||
	    fail '--show: not said how much'
	heaptop --text --hide='__|_|std::|operator new|malloc' ./cxx "$D" \
	    >out 2>err || fail '--hide: it is not 0'
	has_line out "$(row '8\.0' MyNamespace::Cache::insert)" \
	    "$(row '2\.0' plain)" "$(row '4\.0' main)"
	names out | grep -E '__|_|std::|operator new|malloc' &&
	    fail '--hide: a row that is to be hidden'
	grep -q 'hide=.*leaves 14\.[01] MiB of 15\.[01] MiB' err ||
	    fail '--hide: not said how much'
}

T58() {
	program snippets
	rm -f T58.*
	MALLOC_CONF="prof:true,prof_active:false,lg_prof_sample:0,prof_prefix:$W/T58" \
	    LD_PRELOAD=$LH ./snippets alloc wait on alloc name >out ||
	    fail 'its status'
	[ "$(sed -n 1p out)" = 0 ] || fail "mallctl: $(cat out)"
	D=$(sed -n 2p out)
	start_ns=$(key "$D" start_ns)
	within $(($(key "$D" active_since_ns) - start_ns)) 90000000 5000000000 ||
	    fail 'since when is not in the dump'
	heaptop --text ./snippets "$D" >out 2>err || fail text
	total_is out 1.0
	heaptop --stats ./snippets "$D" >out 2>err || fail stats
	has_line out 'sampling off +[1-9][0-9.]*m?s .*'
}

T59() {
	program snippets
	MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:/dev/shm/ht \
	    LD_PRELOAD=$LH ./snippets alloc &
	pid=$!
	wait $pid || fail 'its status'
	has "/dev/shm/ht.$pid.*.f.heap" 1 || fail 'no file'
	mv "/dev/shm/ht.$pid".*.f.heap T59.heap
	heaptop --text ./snippets T59.heap >out || fail 'it is not 0'
	total_is out 1.0
}

T63() {
	program server
	heaptop --text ./server '/tmp/nothing.*.heap' >out 2>err
	got=$?
	[ $got = 2 ] || fail "status $got"
	[ "$(grep -c '^heaptop: ' err)" = 1 ] && [ "$(wc -l <err)" = 1 ] ||
	    fail 'not one sentence'
	[ ! -s out ] || fail 'server was started'
}

redis() {
	redis-cli -s "$W/redis.sock" "$@"
}

T64() {
	needs redis-server redis-cli
	rm -rf T64
	mkdir T64
	(cd T64 && MALLOC_CONF=prof:true,prof_final:true LD_PRELOAD=$LH \
	    exec redis-server --port 0 --save '' --unixsocket "$W/redis.sock" \
	    >redis.out 2>redis.err) &
	job=$!
	until_true [ -S redis.sock ] || fail 'it does not start'
	# some 10 MiB
	redis eval "for i = 1, 20000 do
	    redis.call('set', i, string.rep('x', 500)) end" 0
	redis shutdown nosave
	wait $job || fail 'its status'
	set -- T64/jeprof.heaptop.*.f.heap
	[ -s "$1" ] || fail "no exit file: $(ls T64)"
	heaptop --text "$(command -v redis-server)" "$1" >out 2>err ||
	    fail 'it is not 0'
	within "$(mib out)" 5 20 || fail "Total: $(mib out) MB"
}
