# Each key of each view on a recording: what must be seen after it.
# shellcheck disable=SC2034,SC2154 # names that are used, or come from, there
. "$SRC/tests/views.sh"

size=120x45 live='' few='' dead_at_end='' something=start_thread
sideways='0x1853 Right=demo\+0x15de Left=demo\+0x1853'
past=16 now='^ live .* 8579 objects' then='^ live .* 8559 objects' then10='^ live 32\.0 MiB'
clicked='^ live 36\.4 MiB'

start "$HEAPTOP $SRC/tests/data/demo.htd.gz"
for name in ${VIEWS:-top growth tree flame snapshots threads memory}; do
	keys_of_view "$name"
done
keys_of_tabs

# Under a name of one's own, and once more.
view tree
for answer in '^ wrote own\.folded, 4 stacks' '^ own\.folded exists'; do
	press e '┌─ Export what is shown ─'
	press f '^ write to heaptop-.*\.folded '
	keys C-u
	type own.folded
	press Enter "$answer"
done
press o '^ wrote own\.folded, 4 stacks'
[ "$(wc -l <own.folded)" = 4 ] || fail 'what was exported is not there'
all_keys
