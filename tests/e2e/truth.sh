# Figures of programs whose heap is known: exact at rate 0, else the stated
# intervals cover the truth as often as they say.  A few runs; the whole proof is
# `make truth`.
python3 "$SRC/tests/truth.py" "$HEAPTOP" "$TARGETS/truth" 4 12 16
