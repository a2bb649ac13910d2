# The first guide, of jeprof and a server in production: T09 to T30.
# shellcheck shell=sh disable=SC2154,SC2034 # tests/tutorial.sh reads this

begin_g1() {
	program server
	MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$W/prod"
	export MALLOC_CONF
}

# The dump that T09 leaves, in $W/prod.
have_prod() {
	[ -d prod ] || mkdir prod || exit 1
	has 'prod/server.*.f*.heap' 1 || {
		rm -f prod/*
		echo base | LD_PRELOAD=$LH ./server >out 2>err
	}
	has 'prod/server.*.f*.heap' 1 || fail 'no dump in prod'
}

# b.heap.1, of base, and a.heap.2, after it has grown
have_both() {
	[ ! -e a.heap.2 ] || return 0
	rm -rf both
	mkdir both
	start "MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$W/both/d" \
	    ./server
	tell base
	tell dump
	cp "$answer" b.heap.1 || fail 'no b.heap.1'
	tell grow
	tell dump
	cp "$answer" a.heap.2 || fail 'no a.heap.2'
	finish
	cp a.heap.2 a.heap
	cp b.heap.1 b.heap
}

T09() {
	rm -rf prod
	now=$(date +%s)
	mkdir -p "$W/prod"
	echo base | LD_PRELOAD=$LH ./server >out 2>err || fail 'its status'
	has "$W/prod/*" 1 || fail "files: $(ls prod)"
	set -- "$W"/prod/server."$(head -n 1 out)".*.f*.heap
	[ -s "$1" ] || fail "name: $(ls prod)"
	time=${1#"$W"/prod/server.*.} time=${time%%.*}
	within "$time" $((now - 1)) $((now + 60)) || fail "time $time, not $now"
	[ ! -s err ] || fail 'something was said'
}

T10() {
	have_prod
	heaptop --text ./server "$W"/prod/server.*.heap >out 2>err ||
	    fail 'it is not 0'
	[ "$(head -n 1 out)" = 'Total: 128.0 MB' ] || fail "$(head -n 1 out)"
	sed -n 2,5p out >rows
	has_line rows \
	    '64\.0 +50\.0% +50\.0% +64\.0 +50\.0% process_request' \
	    '32\.0 +25\.0% +75\.0% +32\.0 +25\.0% parse_json' \
	    '16\.0 +12\.5% +87\.5% +16\.0 +12\.5% cache_lookup' \
	    '8\.0 +6\.2% .* 8\.0 +6\.2% (logger_write|other_functions)'
}

# signalled SIGNAL N: N files within a second
signalled() {
	begin=$(date +%s%N)
	env kill "-$1" "$pid" # dash's own knows no SIG in front
	until_true has "$W/T11/server.$pid.*.heap" "$2" || fail "$1: no file"
	took=$((($(date +%s%N) - begin) / 1000000))
	[ $took -le 1000 ] || fail "$1: $took ms"
}

T11() {
	rm -rf T11
	mkdir T11
	start "MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$W/T11" \
	    ./server
	tell base
	signalled SIGUSR2 1
	signalled USR2 2
	ls -l "$W"/T11/server.*.heap
	tell dump
	[ -s "$answer" ] || fail 'it is not alive'
	finish
	[ $status = 0 ] || fail "status $status"
}

T12() {
	rm -rf T12
	mkdir T12
	start "MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$W/T12" \
	    ./server
	tell base
	kill -USR2 "$pid"
	until_true has 'T12/server.*.heap' 1 || fail 'no first file'
	kill -USR2 "$pid"
	until_true has 'T12/server.*.heap' 2 || fail 'no second file'
	finish
	has 'T12/server.*.heap' 3 || fail 'not three files'
	heaptop --text ./server "$W"/T12/server.*.heap >out 2>err ||
	    fail 'it is not 0'
	total_is out 128.0
	set -- T12/server."$pid".*.f.heap
	grep -q -F "$1" err || fail "the file used, $1, is not named"
	heaptop --text --sum ./server "$W"/T12/server.*.heap >out 2>err ||
	    fail '--sum: it is not 0'
	total_is out 384.0
}

# 640 + 6144 + 8192 + 32768 + 128 + 2048 blocks are 49,920
T13() {
	have_prod
	heaptop --stats ./server "$W"/prod/server.*.heap >out 2>err ||
	    fail 'it is not 0'
	has_line out 'in this report +128\.0 MiB .*' 'sampling +exact .*' \
	    'depth +[0-9]+ .*' 'lost samples +0.*' \
	    'live samples +49\.9k .*' 'samples +(49\.9k|50\.0k).*'
}

T14() {
	have_prod
	name=mem_snapshot_$(date +%F_%H%M).txt
	heaptop --text ./server "$W"/prod/server.*.heap >"$name" ||
	    fail 'it is not 0'
	head -n 1 "$name" | grep -q -x 'Total: 128.0 MB' || fail "$name"
}

T15() {
	have_prod
	heaptop --top 20 ./server "$W"/prod/server.*.heap >out 2>err ||
	    fail '--top: it is not 0'
	sed '1,/SITE/d; / … .* more /d' out >rows
	n=$(wc -l <rows)
	[ "$n" -ge 5 ] && [ "$n" -le 20 ] || fail "--top 20: $n rows"
	heaptop --text --focus=process_request ./server \
	    "$W"/prod/server.*.heap >out 2>err || fail '--focus: it is not 0'
	total_is out 64.0
	has_line out "$(row '64\.0' process_request)"
	lacks out 'parse_json|cache_lookup|logger_write|other_functions|consumer'
	heaptop --text --ignore='logger_*' ./server \
	    "$W"/prod/server.*.heap >out 2>err || fail '--ignore: it is not 0'
	total_is out 120.0
	has_line out "$(row '64\.0' process_request)" "$(row '8\.0' other_functions)"
	lacks out ' logger_'
}

# base_profile FILE, the dump grown after it: what T16 and T17 have in common
delta() {
	heaptop --diff_base="$1" --text ./server "$2" >out 2>err ||
	    fail 'it is not 0'
	has_line out 'Delta: \+48\.0 MB \(\+37\.5%\)' \
	    '\+32\.0 +66\.7% +66\.7% +\+32\.0 +66\.7% new_cache_entry' \
	    '\+16\.0 +33\.3% +100\.0% +\+16\.0 +33\.3% handle_new_connection'
}

T16() {
	have_both
	heaptop --text ./server b.heap.1 >base_profile.txt || fail base
	heaptop --text ./server a.heap.2 >after_profile.txt || fail after
	delta base_profile.txt after_profile.txt
}

T17() {
	have_both
	delta b.heap a.heap
}

T18() {
	needs xmllint
	have_prod
	set -- "$W"/prod/server.*.heap
	mkdir -p "$top/nodot"
	[ -e "$top/nodot/sh" ] || cp -s /usr/bin/* "$top/nodot"
	rm -f "$top/nodot/dot"
	(
		PATH=${jeprof_bin:-$top/bin}:$top/bin:$top/nodot
		command -v dot && exit 9
		heaptop --flamegraph ./server "$1" >memory_flamegraph.svg
	) || fail 'it is not 0'
	xmllint --noout memory_flamegraph.svg || fail xmllint
	for word in process_request parse_json cache_lookup logger_write \
	    other_functions; do
		grep -q "$word" memory_flamegraph.svg || fail "no $word"
	done
}

T19() {
	needs dot pdftotext
	have_prod
	set -- "$W"/prod/server.*.heap
	heaptop --pdf ./server "$1" >memory_callgraph.pdf || fail 'it is not 0'
	is_pdf memory_callgraph.pdf process_request parse_json cache_lookup \
	    logger_write other_functions
	heaptop --pdf --focus=index_insert ./server "$1" >index_memory.pdf ||
	    fail '--focus: it is not 0'
	is_pdf index_memory.pdf index_insert cache_lookup
	lacks index_memory.pdf.txt process_request
}

T20() {
	have_prod
	set -- "$W"/prod/server.*.heap
	heaptop --text --threads ./server "$1" >out || fail 'it is not 0'
	has_line out '96\.0 .* producer' '32\.0 .* consumer'
}

T21() {
	have_prod
	set -- "$W"/prod/server.*.heap
	for truth in handle_user_profile:40.0 buffer_pool_:8.0 \
	    message_process:56.0; do
		heaptop --text --focus="${truth%:*}" ./server "$1" >out 2>err ||
		    fail "$truth: it is not 0"
		total_is out "${truth#*:}"
	done
}

T22() {
	have_prod
	set -- "$W"/prod/server.*.heap
	heaptop --text --max-size=1K ./server "$1" >out || fail '< 1K'
	total_is out 16.0
	heaptop --text --min-size=1K --max-size=10K ./server "$1" >out ||
	    fail '1K to 10K'
	total_is out 64.0
	heaptop --text --min-size=10K ./server "$1" >out || fail '>= 10K'
	total_is out 48.0 # and 16 + 64 + 48 are 128
}

T23() {
	program snippets
	rm -rf T23
	mkdir T23
	start "MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$W/T23" \
	    ./server
	tell base
	tell dump
	[ -s "$answer" ] || fail "no file of the name «$answer»"
	finish
	heaptop --text ./server "$answer" >out || fail 'its dump'
	total_is out 128.0
	MALLOC_CONF="prof:true,prof_prefix:$W/T23" LD_PRELOAD=$LH \
	    ./snippets name off on >out || fail 'its status'
	[ -s "$(sed -n 1p out)" ] || fail "no file of the name «$(cat out)»"
	[ "$(sed -n '2,3p' out | tr '\n' ' ')" = '0 0 ' ] || fail 'prof.active'
}

T24() {
	rm -rf T24
	mkdir T24
	start "MALLOC_CONF=prof:true,lg_prof_sample:0,prof_prefix:$W/T24" \
	    ./server
	tell base
	who=server # or which of them, if someone else has one
	[ "$(heaptop ps | grep -c ' \./server$')" = 1 ] || who=$pid
	env -i "$BUILD/heaptop" ctl "$who" prof.active=false >ctl.out 2>&1 ||
	    fail "off: $(cat ctl.out)"
	tell grow
	tell dump
	env -i "$BUILD/heaptop" ctl "$who" prof.active=true >ctl.out 2>&1 ||
	    fail "on: $(cat ctl.out)"
	finish
	[ "$(key "$answer" active)" = 0 ] || fail 'it does not say that it is off'
	heaptop --stats ./server "$answer" >out 2>err || fail stats
	grep -q 'sampling was off' out || fail 'not said that it was off'
	heaptop --text ./server "$answer" >out 2>err || fail text
	total_is out 128.0
	lacks out 'new_cache_entry|handle_new_connection'
}

T26() {
	rm -rf T26
	mkdir T26
	echo base | MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$W/T26,prof_compress:true" \
	    LD_PRELOAD=$LH ./server >out
	heaptop --text ./server "$W"/T26/*.heap.gz >out 2>err ||
	    fail 'it is not 0'
	total_is out 128.0
	gzip -t T26/*.heap.gz || fail 'gzip -t'
}

# option CONF OPTIONS SNAPSHOT: as snippets has them, as heaptop -b says it
option() {
	printf 'base\nbase\n' | MALLOC_CONF=$1 heaptop -b -n1 -- ./server >out 2>err ||
	    fail "$1 under heaptop: its status"
	grep -q -e "$3" err || fail "$1 under heaptop: no $3"
	MALLOC_CONF=$1 LD_PRELOAD=$LH ./snippets options >out 2>/dev/null
	[ "$(cat out)" = "$2" ] || fail "$1 preloaded: $(cat out)"
	echo base | MALLOC_CONF=$1 LD_PRELOAD=$LH ./server >out 2>err ||
	    fail "$1 preloaded: its status"
	[ "$(grep -c '^heaptop: ' err)" = 1 ] ||
	    fail "$1 preloaded: not one sentence"
}

T28() {
	program snippets
	option lg_prof_sample:18 '1 18 1 128' 'sampled 1/256 KiB'
	option lg_prof_sample:22 '1 22 1 128' 'sampled 1/4 MiB'
	option lg_prof_sample:24 '1 24 1 128' 'sampled 1/16 MiB'
	option prof_active:false '1 19 0 128' 'no allocation was sampled'
	option prof_max_depth:20 '1 19 1 20' 'sampled 1/64 KiB'
}

as_nobody() {
	setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}

T29() {
	MALLOC_CONF="prof:true,prof_prefix:/no/such/x" LD_PRELOAD=$LH ./server \
	    </dev/null >out 2>err || fail 'its status'
	[ "$(grep -c '^heaptop: .*/no/such/x' err)" = 1 ] || fail 'not said'
	rm -rf shut
	mkdir -m 700 shut
	cp "$LH" ./lh.so
	chmod 755 "$W" lh.so
	as_nobody test -x "$W/server" || return 0
	as_nobody env LD_PRELOAD="$W/lh.so" \
	    MALLOC_CONF="prof:true,prof_prefix:$W/shut/x" ./server \
	    </dev/null >out 2>err || fail 'its status, as nobody'
	[ "$(grep -c "^heaptop: .*user.*$(id -u nobody).*shut/x" err)" = 1 ] ||
	    fail 'not said with path and user'
}
