# What there is to say of options is said once in a tree of processes, by its
# first one.

fail() {
	echo "$*"
	cat err
	exit 1
}

# said PATTERN COUNT COMMAND...: all of the library's sentences are that one
said() {
	pattern=$1 count=$2
	shift 2
	"$@" >out 2>err || fail "$*: status $?"
	[ "$(grep -c -e "^heaptop: .*$pattern" err)" = "$count" ] &&
	    [ "$(grep -c '^heaptop: ' err)" = "$count" ] ||
	    fail "$*: not $count times: $pattern"
}

tree='"$0"; "$0"; (exec "$0"); sh -c "$0; true"'
program=$TARGETS/standing
exec 5</dev/null 9</dev/null

for word in 'lg_prof_sample:0 no.dump.is.written' \
    'nonsense:1,prof:true nonsense:1.is.left.out'; do
	options=${word% *} pattern=${word#* }
	said "$pattern" 1 env LD_PRELOAD="$LIB" MALLOC_CONF="$options" \
	    "$program"
	said "$pattern" 1 env LD_PRELOAD="$LIB" MALLOC_CONF="$options" \
	    sh -c "$tree" "$program"
	# each is the first of a tree of its own
	said "$pattern" 2 sh -c "LD_PRELOAD='$LIB' MALLOC_CONF=$options '$program'
	    LD_PRELOAD='$LIB' MALLOC_CONF=$options '$program'"
	rm -f jeprof.*
done
said 'could not be written' 1 env LD_PRELOAD="$LIB" \
    MALLOC_CONF=prof:true,prof_final:false,prof_prefix:/nowhere/x \
    sh -c "$tree" "$program"
exit 0
