# The options that make the allocator stricter: zero, junk, abort, xmalloc,
# zero_realloc, tcache; abort_conf, confirm_conf and stats_print.

fail() {
	echo "$*"
	cat out err
	exit 1
}

# with OPTIONS WORD...: the status is of $status
with() {
	options=$1
	shift
	MALLOC_CONF=$options LD_PRELOAD=$LIB "$TARGETS/strict" "$@" \
	    >out 2>err
	status=$?
}

# fine OPTIONS WORD...
fine() {
	with "$@"
	[ "$status" = 0 ] && grep -q '^fine$' out || fail "$*: status $status"
}

# aborts SENTENCE OPTIONS WORD...
aborts() {
	sentence=$1
	shift
	with "$@"
	[ "$status" = 134 ] && grep -q "^heaptop: .*$sentence" err ||
	    fail "$*: status $status"
}

# Every block, sampled or not.
for rate in prof:false lg_prof_sample:19 lg_prof_sample:6 lg_prof_sample:0; do
	fine "$rate" fills -1 -1
	fine "$rate,zero:true" fills 0 -1
	fine "$rate,junk:true" fills 0xa5 0x5a
	fine "$rate,junk:alloc" fills 0xa5 -1
	fine "$rate,junk:free" fills -1 0x5a
	fine "$rate,junk:true,zero:true" fills 0 0x5a
	fine "$rate,tcache:false" fills -1 -1
	fine "$rate,tcache_max:1024" fills -1 -1
	rate_said=$(grep -v 'no dump is written without prof:true' err)
	[ -z "$rate_said" ] || fail "$rate: something was said"
done
# and of a program with threads and much to do
MALLOC_CONF=junk:true,abort:true LD_PRELOAD=$LIB timeout 100 \
    "$TARGETS/alloc_stress" >out 2>err || fail 'alloc_stress with junk'

# A free that is none ends the program where it is, with a stack.
for size in 40 40000 400000; do
	for more in prof:true,prof_final:false lg_prof_sample:0 prof:false; do
		aborts 'not a live block' "abort:true,$more" twice $size
		[ "$more" = prof:false ] || grep -q 'at strict+0x' err ||
		    fail "twice $size: no stack"
		[ -s out ] && fail "twice $size: went on"
		aborts 'not a live block' "abort:true,$more" inside $size
	done
done
fine '' twice 400000
grep -q 'not a live block' err || fail 'twice, and nothing said'

# No memory.
for way in malloc calloc realloc memalign posix_memalign mallocx; do
	fine xmalloc:false much $way
	grep -q block out && fail "much $way"
	aborts 'there is no memory' xmalloc:true much $way
done

# realloc(p, 0)
fine '' nothing x && grep -q none out || fail 'the default'
fine zero_realloc:free nothing x && grep -q none out || fail free
fine zero_realloc:alloc nothing x && grep -q block out || fail alloc
aborts 'realloc to 0' zero_realloc:abort nothing x

# Wrong options.
fine nonsense:1 fills -1 -1
grep -q 'nonsense:1 is left out' err || fail 'nonsense is taken'
aborts 'nonsense:1 is left out' abort_conf:true,nonsense:1 fills -1 -1
aborts 'junk:2 is left out' junk:2,abort_conf:true fills -1 -1
fine abort_conf:true,zero:true,narenas:1 fills 0 -1
[ -s err ] && fail 'abort_conf: something was said'

# What was read and set; what has no effect says so.
HEAPTOP_CONF=zero:false fine confirm_conf:true,narenas:3,zero:true fills -1 -1
sed 's/^heaptop: //' err >told
cat >wanted <<'END'
options #1 (the variable HEAPTOP_DEFAULTS, of heaptop's): ""
options #2 (the program's malloc_conf): ""
options #3 (the symbolic link /etc/malloc.conf): ""
options #4 (the variable MALLOC_CONF): "confirm_conf:true,narenas:3,zero:true"
-- set confirm_conf:true
-- narenas:3 has no effect here
-- set zero:true
options #5 (the variable HEAPTOP_CONF): "zero:false"
-- set zero:false
END
if [ ! -L /etc/malloc.conf ]; then
	cmp -s told wanted || fail "confirm_conf: $(diff wanted told)"
fi

# Figures at exit.
fine stats_print:true fills -1 -1
grep -q '^Allocated: [0-9]*, .*mapped: [0-9]' err || fail 'stats_print'
fine prof:false,stats_print:true,stats_print_opts:J fills -1 -1
python3 -c 'import json, sys
s = json.load(sys.stdin)["jemalloc"]["stats"]
sys.exit(not 0 < s["allocated"] <= s["active"] <= s["mapped"])' <err ||
    fail 'stats_print_opts:J'
exit 0
