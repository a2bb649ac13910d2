# Not one of the tests that always run: what redis holds differs from run to
# run, and some keys want a stack wide enough to be a bar.  Copy it to tests/e2e
# and: make check T=e2e/views_live
#
# Each key of each view on a server under load: what must be seen after it.
# While keys are pressed snapshots are taken by hand, so that nothing but the
# key changes the screen.
# shellcheck disable=SC2034,SC2154 # names that are used, or come from, there
every=yes
. "$SRC/tests/views.sh"

size=120x45 live=yes few=' threads ' dead_at_end='' something=sdsnewlen
past=3 now='● live' then='◆ at ' then10='◆ at ' clicked='◆ at '

has_snapshots() {
	found=$(look | sed -n 's/.* \([0-9]*\) snapshots in .*/\1/p')
	[ "${found:-0}" -ge "$1" ]
}

socket=$here/redis
start "$HEAPTOP --interval=100ms --target-output=log redis-server --save '' \
--appendonly no --port 0 --unixsocket $socket"
until_true test -S "$socket" || fail 'redis does not start'
redis-benchmark -s "$socket" -t set -c 4 -r 20000 -d 1000 -n 100000000 -q \
    >/dev/null 2>&1 9>&- &
load=$!
trap 'kill $load 2>/dev/null; clean_up' EXIT

# where the bytes are, and how they got there
shows 'MiB .*_sdsnewlen ← createStringObject'
shows '_sdsnewlen ← dbAdd'
keys 5
until_true has_snapshots 45 || fail 'there are no snapshots'
press : '^ :  '
type 'interval 1h'
press Enter 'a snapshot every 1h'

for name in ${VIEWS:-top growth tree flame snapshots threads memory}; do
	keys_of_view "$name"
done
keys_of_tabs
all_keys
