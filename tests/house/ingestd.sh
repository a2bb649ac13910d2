#!/bin/sh
#
# tests/data/ingestd.py writes the same bytes every time, and heaptop reads
# them: 412.6 MiB in 317 stacks.
set -eu

python3 -B "$SRC/tests/data/ingestd.py" one
python3 -B "$SRC/tests/data/ingestd.py" two
diff -r one two

# 412.6 MiB are 432642457.6 bytes; a line a stack follows
for name in ingestd whole aged; do
	"$HEAPTOP" --text --stacks --show_bytes one/$name.htd.gz >text 2>notes
	head -n 1 text
	grep -q '^Total: 43264245[78] B$' text
	[ "$(wc -l <text)" = 318 ]
done
