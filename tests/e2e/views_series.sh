# Each key of each view on a series of saved dumps: what must be seen after it.
# shellcheck disable=SC2034,SC2154 # names that are used, or come from, there
. "$SRC/tests/views.sh"

size=120x45 live='' few='' dead_at_end=yes something=libstdc
sideways='0x4329 Left=mt\+0x434c Right=mt\+0x4329'
past=3 now='▸ (mt|lg12)\.6930\.2\.f\.heap' then='▸ (mt|lg12)\.6930\.1\.i1' then10='▸ (mt|lg12)\.6930\.0\.i0'
clicked=$then10

dumps="$SRC/tests/data/mt.*.heap"
if [ -d "${SHARED:-}/dumps/mt" ]; then # the same, of the whole collection
	dumps="$SHARED/dumps/mt/lg12.*.heap"
fi
start "$HEAPTOP $dumps"
for name in ${VIEWS:-top growth tree flame snapshots threads memory}; do
	keys_of_view "$name"
done
keys_of_tabs
all_keys
