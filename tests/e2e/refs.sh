# Dumps of jemalloc and gperftools with jeprof's reports of them: the same
# totals, rows and figures to the printed digit, where jeprof is right.  See
# tests/refs.py, which also runs on more such dumps than are kept here.

for tool in python3 nm readelf; do
	command -v $tool >/dev/null || { echo "$tool is not here"; exit 77; }
done
python3 -B "$SRC/tests/refs.py" "$HEAPTOP" "$SRC/tests/data/refs" >out 2>&1 || {
	grep -v '^ok ' out
	exit 1
}
# none was left out
[ "$(grep -c '^ok ' out)" = "$(cat "$SRC"/tests/data/refs/*/CMD | wc -l)" ] || {
	cat out
	exit 1
}
exit 0
