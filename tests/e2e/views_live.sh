# Each key of each view on a server under load: what must be seen after it.
# What the server holds is known: so many rounds of the same commands, in the
# same order, each with an allocation of its own that is as wide as it says,
# and a few snapshots of each round.  While keys are pressed snapshots are
# taken by hand, so that nothing but the key changes the screen.
# shellcheck disable=SC2034,SC2154 # names that are used, or come from, there
every=yes
. "$SRC/tests/views.sh"

size=120x45 live=yes few=' threads ' dead_at_end='' something=sdsnewlen
past=3 now='● live' then='◆ at ' then10='◆ at ' clicked='◆ at '
# Bars are in the order in which they first appeared: so are the commands.
sideways='saddCommand Right=zadd[A-Za-z]+ Left=saddCommand
Left=[a-z]*push[A-Za-z]+ Right=saddCommand h=[a-z]*push[A-Za-z]+ l=saddCommand'

command -v redis-server >/dev/null || { echo 'redis is not here'; exit 77; }

# commands ROUND: what is added in it, most of it to sets; as redis wants it
commands() {
	awk -v round="$1" '
	function command(line,   n, i, word) {
		n = split(line, word, " ")
		printf "*%d\r\n", n
		for (i = 1; i <= n; i++)
			printf "$%d\r\n%s\r\n", length(word[i]), word[i]
	}
	function bytes(n) {
		return sprintf("%0" n "d", i)
	}
	BEGIN {
		for (i = 0; i < 75; i++) {
			command("SET string:" round ":" i " " bytes(1000))
			command("HSET hash " round ":" i " " bytes(1500))
			command("RPUSH list " bytes(1200))
			command("SADD set " round ":" bytes(3000))
			command("ZADD sorted 1 " round ":" bytes(2000))
			command("XADD stream * field " bytes(800))
		}
	}'
}

socket=$here/redis
start "$HEAPTOP --exact --interval=100ms --target-output=log redis-server \
--save '' --appendonly no --port 0 --unixsocket $socket"
until_true test -S "$socket" || fail 'redis does not start'

keys 5
for round in 1 2 3 4 5 6 7 8; do
	commands $round | redis-cli -s "$socket" --pipe >replies 2>&1
	grep -q '^errors: 0, replies: 450$' replies ||
	    fail "redis says: $(tail -n 3 replies)"
	snapshots_more 4
done
every_interval 1h
keys 1
shows ' 600  _?sdsnewlen ← .*saddCommand '
shows ' 600  _?sdsnewlen ← .* ← zadd'
shows ' 600  _?sdsnewlen ← .* ← hsetCommand '

# What is there is read and replaced as long as keys are pressed.  Without the
# reader, or the file when the test has ended, the writer ends too.
for i in 1 2 3 4 5 6 7 8 9; do
	printf 'GET string:1:%d\nSET string:1:%d %01000d\n' $i $i $i
done >load
while cat load; do
	sleep 0.5
done 2>/dev/null 9>&- | redis-cli -s "$socket" >replies 2>&1 9>&- &
load=$!
trap 'kill $load 2>/dev/null; clean_up' EXIT

for name in ${VIEWS:-top growth tree flame snapshots threads memory}; do
	keys_of_view "$name"
done
keys_of_tabs
all_keys
