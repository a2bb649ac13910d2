# Names with markup, quotes, backslashes, newlines, escape sequences, other
# scripts, and one of 10 kB: whole in every format, and only text.  See
# escaping.py, which asks each format's own program.

command -v python3 >/dev/null || { echo 'python3 is not here'; exit 77; }
export HOME="$PWD" PPROF_TMPDIR="$PWD"

python3 -B "$SRC/tests/e2e/escaping.py" make odd.pb.gz || exit 1
python3 -B "$SRC/tests/e2e/escaping.py" check "$HEAPTOP" odd.pb.gz
