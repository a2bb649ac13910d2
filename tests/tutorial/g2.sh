# The second guide, a hunt for a leak: T31 to T46.
# shellcheck shell=sh disable=SC2154,SC2034 # tests/tutorial.sh reads this

begin_g2() {
	program logbuf
}

# hunt DIRECTORY COMMAND...: its dumps are there, D0 D1 D2, all counted
hunt() {
	rm -rf "$1"
	mkdir "$1"
	MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$W/$1/jeprof" \
	    hunted "$@"
	D0=$(echo "$W/$1"/jeprof.*.0.m0.heap)
	D1=$(echo "$W/$1"/jeprof.*.1.m1.heap)
	D2=$(echo "$W/$1"/jeprof.*.2.f.heap)
	[ -s "$D0" ] && [ -s "$D1" ] && [ -s "$D2" ] || fail "$1: $(ls "$1")"
}

hunted() {
	dir=$1
	shift
	export MALLOC_CONF
	LD_PRELOAD=$LH "$@" >"$dir/out" || fail "$*: its status"
}

have_hunt() {
	[ -d hunt ] || hunt hunt ./logbuf
	D0=$(echo "$W"/hunt/jeprof.*.0.m0.heap)
	D1=$(echo "$W"/hunt/jeprof.*.1.m1.heap)
	D2=$(echo "$W"/hunt/jeprof.*.2.f.heap)
}

# What there is at the second dump: 12 + 300 MiB.
rows_are_right() {
	total_is "$1" 312.0
	has_line "$1" \
	    '210\.0 +67\.3% .* 280\.0 +89\.7% build_log_message' \
	    '17\.0 +5\.4% .* 17\.0 +5\.4% open_files' \
	    '10\.0 +3\.2% .* 10\.0 +3\.2% read_config' \
	    '5\.0 +1\.6% .* 312\.0 +100\.0% main' \
	    '70\.0 +22\.4% .* 70\.0 +22\.4% [_A-Z]*strdup'
}

T31() {
	rm -rf T31
	mkdir T31
	MALLOC_CONF="prof:true,lg_prof_sample:19,prof_prefix:$W/T31/jeprof"
	export MALLOC_CONF
	LD_PRELOAD=$LH ./logbuf >out || fail 'its status'
	ls -lh "$W"/T31/jeprof.*.heap >out
	[ "$(wc -l <out)" = 3 ] || fail 'not three files'
	tail -n 1 out | grep -q '\.f\.heap$' || fail 'the last is not f'
	for file in "$W"/T31/jeprof.*.heap; do
		[ "$(head -n 1 "$file")" = heap_v2/524288 ] || fail "$file"
	done
}

T32() {
	rm -rf e
	mkdir e
	cd "$W/e" || exit 1
	MALLOC_CONF=prof:true,lg_prof_sample:0 LD_PRELOAD=$LH ../logbuf \
	    >out || fail 'its status'
	has './jeprof.[0-9]*.2.f.heap' 1 || fail "$(ls)"
}

T33() {
	needs /usr/bin/jeprof # not the wrapper
	have_hunt
	[ -d T31 ] || (T31) || exit 1
	for file in "$D2" "$W"/T31/jeprof.*.f.heap; do
		heaptop --text ./logbuf "$file" >out 2>err || fail 'it is not 0'
		/usr/bin/jeprof --text ./logbuf "$file" >theirs 2>err ||
		    fail 'jeprof is not 0'
		grep -q '^Total: [1-9]' out || fail 'no total'
		[ "$(head -n 1 out)" = "$(grep '^Total' theirs)" ] ||
		    fail "$(head -n 1 out), jeprof $(grep '^Total' theirs)"
	done
	heaptop --text ./logbuf "$D2" >out 2>err
	total_is out 340.0
}

T34() {
	have_hunt
	heaptop --text --base="$D0" ./logbuf "$D1" >out 2>err ||
	    fail 'it is not 0'
	total_is out 300.0
	has_line out '210\.0 .* 280\.0 +93\.3% build_log_message' \
	    '10\.0 +3\.3% .* 10\.0 +3\.3% read_config' \
	    '5\.0 +1\.7% .* 300\.0 +100\.0% main'
}

T35() {
	have_hunt
	heaptop --text --focus=build_log_message ./logbuf "$D1" >out 2>err ||
	    fail 'it is not 0'
	total_is out 280.0
	lacks out 'read_config|open_files'
	heaptop --tree --focus=build_log_message ./logbuf "$D1" >out 2>err ||
	    fail '--tree: it is not 0'
	sed -n '/build_log_message/,$p' out |
	    sed -n '1s/ MiB.*//p; 1d; s/ MiB.*//p' >figures
	[ "$(sed -n 1p figures | tr -d ' ')" = 280.0 ] || fail 'not 280.0 in all'
	[ "$(sed 1d figures | awk '{ s += $1 } END { print s }')" = 280 ] ||
	    fail "children: $(sed 1d figures | tr '\n' ' ')"
}

T36() {
	strip -o logbuf.s logbuf || fail strip
	hunt stripped ./logbuf.s
	heaptop --text ./logbuf "$D1" >out 2>err || fail 'it is not 0'
	rows_are_right out
	heaptop --text ./logbuf.s "$D1" >out 2>err || fail 'it is not 0'
	total_is out 312.0
	lacks out 'build_log_message|read_config'
	has_line out '210\.0 .* logbuf\.s\+0x[0-9a-f]+'
	grep -q 'logbuf\.s is stripped' err || fail 'the reason is not said'
}

T37() {
	for flags in -no-pie '-fpie -pie' -fno-omit-frame-pointer; do
		# shellcheck disable=SC2086
		$CC -D_GNU_SOURCE -O1 -g $flags -o logbuf.v \
		    "$SRC/tests/targets/logbuf.c" || fail "$flags: cc"
		hunt variant ./logbuf.v
		heaptop --text ./logbuf.v "$D1" >out 2>err || fail "$flags"
		rows_are_right out
	done
	setarch -R true || return 0
	hunt variant setarch -R ./logbuf
	heaptop --text ./logbuf "$D1" >out 2>err || fail 'setarch -R'
	rows_are_right out
}

T38() {
	needs dot xmllint pdftotext
	have_hunt
	heaptop --pdf --focus=build_log_message ./logbuf "$D1" >leak_focus.pdf ||
	    fail 'it is not 0'
	is_pdf leak_focus.pdf build_log_message strdup
	lacks leak_focus.pdf.txt read_config
	heaptop --pdf ./logbuf "$D1" >all.pdf || fail '--pdf'
	is_pdf all.pdf build_log_message read_config open_files
	heaptop --pdf --nodefraction=0.05 --edgefraction=0.01 ./logbuf "$D1" \
	    >fewer.pdf || fail '--nodefraction'
	is_pdf fewer.pdf build_log_message open_files # 5.4 %
	lacks fewer.pdf.txt read_config               # 3.2 %
	heaptop --svg ./logbuf "$D1" >mem_report.svg || fail '--svg'
	xmllint --noout mem_report.svg || fail 'xmllint'
	# 210 and 280 MiB, 71,680 messages of three parts and a copy
	tr '\n' ' ' <mem_report.svg |
	    grep -o '<title>build_log_message[^<]*</title>' >title
	grep -q 220200960 title && grep -q 293601280 title ||
	    grep -q '210\.0.*280\.0' title || fail "no bytes in $(cat title)"
	heaptop --dot ./logbuf "$D1" | dot -Tsvg >dot.svg || fail '--dot'
	xmllint --noout dot.svg && grep -q build_log_message dot.svg ||
	    fail 'dot -Tsvg'
}

T39() {
	have_hunt
	heaptop --markdown --base="$D0" ./logbuf "$D1" >leak.md ||
	    fail 'it is not 0'
	for regex in 'Sampling \| (exact|1/)' 'Build-id \| .[0-9a-f]{40}' \
	    'From \| 20' 'To \| 20' '[Ss]uspected.* .build_log_message' \
	    'logbuf\.c:[0-9]+' 'heaptop --markdown --base=' 'MALLOC_CONF='; do
		grep -q -E "$regex" leak.md || fail "no $regex"
	done
	lacks leak.md '0x[0-9a-f]'
}

T40() {
	have_hunt
	heaptop --growth ./logbuf "$D0" "$D1" "$D2" >out 2>err ||
	    fail 'it is not 0'
	sed '1,/SITE/d' out | grep -v ':$' | head -n 1 >first
	grep -q ' 2 of 2 .* build_log_message ' first || fail "$(cat first)"
	# 210 and then 21 MiB
	grep -q '0 B  *231\.0 MiB  *+231\.0 MiB ' first || fail "$(cat first)"
}

T41() {
	have_hunt
	cp "$D1" old.heap
	$CC -D_GNU_SOURCE -O1 -g -DFIXED -o logbuf_fixed \
	    "$SRC/tests/targets/logbuf.c" || fail cc
	hunt fixed ./logbuf_fixed
	cp "$D1" new.heap
	heaptop --text --base=old.heap ./logbuf_fixed new.heap >out 2>err ||
	    fail 'it is not 0'
	has_line out '-210\.0 .* -280\.0 .* build_log_message'
	[ "$(grep -c 'another build' err)" = 1 ] || fail 'another build: not said'
}

# Of 60 runs with different samples of 1 MiB at 512 KiB, e^-2 have none.
T42() {
	program snippets
	for seed in $(seq 60); do
		rm -f T42.*
		MALLOC_CONF="prof:true,lg_prof_sample:19,prof_seed:$seed,prof_prefix:$W/T42" \
		    LD_PRELOAD=$LH ./snippets small || fail 'its status'
		grep -q '^@' T42.*.heap || break
	done
	has 'T42.*.f.heap' 1 && ! grep -q '^@' T42.*.heap || fail 'none is empty'
	heaptop --text ./snippets T42.*.f.heap >out 2>err || fail 'it is not 0'
	lacks out '[1-9]' # jeprof, too, prints nothing of such a dump
	grep -q 'lg_prof_sample:16 or 14' err || fail 'no advice'
}

T43() {
	program snippets
	for lg in 19 17; do
		MALLOC_CONF="prof:true, lg_prof_sample:$lg" LD_PRELOAD=$LH \
		    ./snippets options >out 2>err || fail 'its status'
		[ "$(cat out)" = "1 $lg 1 128" ] && [ ! -s err ] || fail "$(cat out)"
	done
}

T46() {
	program snippets
	rm -f T46.*
	MALLOC_CONF="prof:true,lg_prof_sample:0,prof_prefix:$W/T46" \
	    LD_PRELOAD=$LH ./snippets alloc dump >out || fail 'its status'
	[ "$(cat out)" = 0 ] || fail "mallctl: $(cat out)"
	has 'T46.[0-9]*.0.m0.heap' 1 || fail 'no m file'
}
