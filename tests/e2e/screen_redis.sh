# A real server under load, at three sizes of the terminal, equal to what is
# in tests/data/screen.
#
# Other values, names and bars each time: what must be the same is the form.
# So of each screen
#   - in the titles, tabs and hints each sign counts;
#   - in the rows each cell must be in its columns, of its format, and
#     becomes # (a number), = (a bar) or NAME; rows of one form become one,
#     and the row of the remainder, which there may be or not, goes;
#   - where text flows (the head, the ruler, titles of the detail), a number
#     with its unit becomes #, some blanks one blank; rates and paths, which
#     there may be room for or not, are left out, and so is how many names
#     have been found so far;
#   - of the detail's lines the first word is kept where it says what the line
#     is; the timeline must consist of its signs.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

cat >mask.py <<'END'
import re, sys

BYTES = r"\d[\d.]* (B  |KiB|MiB|GiB)"
# where the cells are: first column, width, what is right
CELLS = {
    60: [(1, 9, BYTES), (11, 5, r"<?[\d.]+")],
    80: [(1, 9, BYTES), (11, 5, r"<?[\d.]+"), (17, 6, r"[█▉▊▋▌▍▎▏]*"),
         (24, 10, r"·|[-+]" + BYTES)],
    160: [(1, 9, BYTES), (11, 5, r"<?[\d.]+"), (17, 10, r"[█▉▊▋▌▍▎▏]*"),
          (28, 10, r"·|[-+]" + BYTES), (39, 5, r"·|[\d.]+[kM]?")],
}
SITE = {60: 18, 80: 36, 160: 46}
LIST = {60: 60, 80: 80, 160: 102}


def flow(s):
    s = re.sub(r" [-+][\d.]+ \w+/s", "", s)
    s = re.sub(r"redis-server --.*  pid", "redis-server ARGUMENTS pid", s)
    s = re.sub(r"exe /\S+", "exe PATH", s)
    s = re.sub(r"\d+ms|\d+[ms]( ?\d+s)?", "#", s)
    s = re.sub(r"<?[\d.]*\d[kM]?( (B|KiB|MiB)\b)?", "#", s)
    return re.sub(r" +", " ", s).rstrip()


def row(s, width):
    if not s[1:].strip():
        return None
    out = list(s[0].ljust(SITE[width]))
    free = set(range(1, SITE[width]))
    for x, w, form in CELLS[width]:
        cell = s[x:x + w]
        bar = "█" in form
        if not re.fullmatch(form, cell.rstrip() if bar else cell.lstrip()):
            # the last row has no bar
            return "bad cell at %d: %r in %r" % (x, cell, s)
        sign = "#" if not bar else "=" if cell.strip() else " "
        out[x:x + w] = sign * w
        free -= set(range(x, x + w))
    for x in free:
        if s[x:x + 1] not in (" ", ""):
            return "not blank at %d: %r" % (x, s)
    name = s[SITE[width]:]
    if not name.strip() or len(s) > LIST[width]:
        return "no name, or too long: %r" % s
    rest = re.fullmatch(r"… \d+ smaller stacks?", name)
    return "".join(out) + ("smaller" if rest else "NAME")


def screen(lines, width, height):
    side = width >= 140
    out, seen, at = [], set(), 0
    for y, s in enumerate(lines):
        s = re.sub(r" +symbols \d+%", "", s)
        if len(s) > width:
            out.append("too wide: " + s)
        right = ""
        if side and LIST[width] < len(s) and s[LIST[width]] == "│":
            s, right = s[:LIST[width]].rstrip(), s[LIST[width]:]
        if y == len(lines) - 1:
            out.append(re.sub(r"  +\d+–\d+ of \d+$", "  #–# of #", s))
        elif s.startswith("[1 Top]"):
            out.append(s)
            at = 1
        elif at == 0 and re.fullmatch(r"[ ▁▂▃▄▅▆▇█]+", s):
            out.append("timeline") if "timeline" not in out[-1:] else None
        elif at == 0:
            out.append(re.sub("─+", "─", flow(s)))
        elif at == 1:
            out.append(s.rstrip())
            at = 2
        elif at == 2 and s.startswith("─ "):
            s = re.sub(r"─ .* ─+ (\d+ samples?)", r"─ NAME ─ \1", s)
            out.append(flow(re.sub("─+", "─", s)))
            at = 3
        elif at == 2:
            r = row(s, width)
            if r and r not in seen and "smaller" not in r:
                seen.add(r)
                out.append(r)
        if right:
            word = re.match(r"│ (live|change|churn|age|STACK|SOURCE|#0)\b",
                            right)
            if word and word.group(1) not in seen:
                seen.add(word.group(1))
                out.append("side: " + word.group(1))
    if len(lines) != height:
        out.append("%d lines" % len(lines))
    return out


w, h = map(int, sys.argv[1].split("x"))
print("\n".join(screen(sys.stdin.read().split("\n")[:-1], w, h)))
END

socket=$here/redis
screen 80x24 "$HEAPTOP" redis-server --save '' --appendonly no --port 0 \
    --unixsocket "$socket"
until_true test -S "$socket" || fail 'redis does not start'
# 20,000 keys of 2,000 bytes, again and again
redis-benchmark -s "$socket" -t set -r 20000 -d 2000 -n 1000000 -l -q \
    >/dev/null 2>&1 9>&- &
load=$!
trap 'kill $load 2>/dev/null; clean_up' EXIT

filled() {
	look | grep -q -E '^ live +[3-9][0-9]\.[0-9] MiB'
}
until_true filled || fail 'redis has not got its data'
# where the bytes are, and how they got there
shows '^.[ 0-9.]+ MiB .*createStringObject|_sdsnewlen'
press End '[0-9]+–([0-9]+) of \1$'
press Home '^▌ *[2-4][0-9]\.. MiB'

failed=0
for size in 60x15 80x24 160x45; do
	resize $size
	case $size in
	160x45) shows '│ STACK' ;;
	80x24) shows '^─ ' ;;
	*) shows '● live$' ;;
	esac
	look >"screen.$size"
	python3 mask.py $size <"screen.$size" >"masked.$size"
	diff -u "$SRC/tests/data/screen/redis.$size" "masked.$size" || {
		cat "screen.$size"
		failed=1
	}
done
kill $load
[ $failed = 0 ] || exit 1

# Asked to end it saves nothing and goes.
pid=$(target)
press q 'is still running'
keys t
left 'exit 0'
restored
gone "$pid"
