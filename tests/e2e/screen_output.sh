# What the program prints and reads while heaptop has the terminal: the view
# of its output, keys for the program, its input from a pipe; and that its
# output is whole even if heaptop is killed in the middle of it.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# The view of the output: follows the end; back, found, saved.
screen 80x24 "$HEAPTOP" --target-output=log "$obeys" "$orders"
shows 'Waiting for the first sample'
tell say first of all
tell print 200
tell say the needle is here
tell print 100
tell say last of all
press o '^ output of obeys'
shows '^ last of all$'
shows ' of 303$'
press Home '^ first of all$'
press End '^ last of all$'
press PageUp '^ 72 '
press / '↵ find'
type needle
press Enter '^▌the needle is here$'
press / '↵ find'
keys C-u
type nowhere
press Enter '^ no line .*nowhere'
press F '^ last of all$'
press s '^ save to heaptop-[0-9]+\.out '
keys C-u
type saved
press Enter '^ wrote saved, 303 lines$'
cmp saved log || fail 'what is saved is not what was printed'
[ "$(wc -l <log)" = 303 ] || fail 'not all lines are in the log'
tell say one more
shows '^ one more$'
tell apple 10240 # the first sample takes nothing away
shows '● live'
tell say after it
shows '^ after it$'
shows '^ one more$'
press Escape '^▌.*apple'
keys q
shows 'is still running'
keys t
left 'signal 15'

# Keys for the program; those that mean something to heaptop too.
cat >asks.sh <<'END'
while read -r line; do
	echo "you said <$line>"
done
END
screen 80x24 "$HEAPTOP" sh asks.sh
press o '^ output of sh'
press i '^ keys go to sh   C-\] back'
type 'quit? q'
keys Enter
shows '^ you said <quit\? q>$'
press C-] '/ find'
press i '^ keys go to sh'
keys C-d
shows '■ exited 0 at'
shows '/ find'
press Escape '^\[1 Top\] .*by stack'
keys q
left 'exit 0'

# Input from a pipe is the program's, keys are ours.
screen 80x24 sh -c "seq 5 | '$HEAPTOP' --target-output=piped cat"
shows '■ exited 0 at '
press o '^ 5$'
shows '^ 1$'
keys i # it does not read from the terminal
press Escape '\[1 Top\] .*by stack'
keys q
left 'exit 0'
seq 5 | cmp - piped || fail 'cat did not get its input'

# A megabyte a second, heaptop killed in the middle: the program does not
# notice, and nothing is missing from the log.
cat >counts.py <<'END'
import os, sys, time
n, begin = 0, time.time()
while n < 6 << 20:
    line = b"%9d %53s\n" % (n // 64, b".")
    n += os.write(1, line)
    ahead = n / (1 << 20) - (time.time() - begin)
    if ahead > 0.01:
        time.sleep(ahead)
os.write(1, b"done\n")
END
screen 80x24 "$HEAPTOP" --target-output=counted "$(command -v python3)" \
    counts.py
shows '● live'
pid=$(target)
heaptop=$(ask '#{pane_pid}')
press o '[0-9]{4} +\.$'
kill -9 "$heaptop"
left 'signal 9'
lives "$pid"
size=$(wc -c <counted)
[ "$size" -lt 6000000 ] || fail 'it was too fast to be killed in the middle'
gone "$pid"
tail -n 1 counted | grep -q '^done$' || fail 'it has not ended itself'
awk '$1 != NR - 1 && $1 != "done" { exit 1 }
    END { exit NR != 98305 }' counted || fail 'the log is not whole'
