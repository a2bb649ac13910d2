# Threads and Memory of a program that runs: what is looked at is there at
# once, again and again, not while the screen is paused, and what it says is
# the process.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

screen 100x30 "$HEAPTOP" "$BUILD/assets/demo" --seconds=120
shows ' live .* rss '
press 7 ' page heap'
shows 'looked at 0:'
shows '  own data  '
shows '  live objects .* usable sizes, counted exactly'
shows '^ *[0-9.]* MiB 100\.0 .* rss '

# Its sum is what the kernel counts, within 1 % and what comes in a second.
pid=$(target)
sum=$(look | awk '$2 == "MiB" && $3 == "100.0" { print $1 * 1024 }')
now=$(awk '/^Rss:/ { print $2 }' "/proc/$pid/smaps_rollup")
awk -v sum="$sum" -v now="$now" 'BEGIN {
	exit !(sum > now * .99 - 20480 && sum < now * 1.01) }' ||
    fail "$sum KiB are not about $now"

# It goes on, and stops where the screen is paused.
first=$(look | grep -o 'looked at [0-9:]*')
hides "$first "
press space ' paused '
first=$(look | grep -o 'looked at [0-9:]*')
sleep 2
shows "$first "
press space '● live'

# A mapping.
keys End
shows 'smaller mappings|the kernel'
keys Home

# Threads, one of them alone.
press 6 ' THREAD .* TID .* ALLOCATED'
shows '  demo  main '
press Enter 'all views show only what demo allocated'
press 1 "\[1 Top\].* thread demo $pid\$"
shows ' 1–1 of 1$'
press 6 'only this one'
press Enter 'all views show all threads again'
press 1 '\[1 Top\]'
hides ' thread demo '
kill -9 "$pid"
shows ' SIGKILL '

# Afterwards what was seen last is still there.
press 7 ' page heap'
shows '  own data  '
keys q
left 'signal 9'
