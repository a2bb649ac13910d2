# Each key of each view on a recording: what must be seen after it.
# shellcheck disable=SC2034,SC2154 # names that are used, or come from, there
. "$SRC/tests/views.sh"

size=120x45 live='' few='' dead_at_end='' something=start_thread
sideways='Right Left'
past=16 now='^ live .* 8579 objects' then='^ live .* 8559 objects' then10='^ live 32\.0 MiB'
clicked='^ live 36\.4 MiB'

start "$HEAPTOP $SRC/tests/data/demo.htd.gz"
for name in ${VIEWS:-top growth tree flame snapshots threads memory}; do
	keys_of_view "$name"
done
keys_of_tabs
all_keys
