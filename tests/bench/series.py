"""How soon a series of dumps is there: on the screen, and as --growth.

    series.py HEAPTOP DIRECTORY [COUNT [STACKS]]

Writes COUNT (1,000) exact dumps of one process into DIRECTORY, of STACKS
(500) stacks of 12 to 30 frames each, of which one in ten changes from one dump
to the next; then three rounds of each.  A figure over its budget ends in OVER.
"""
import os
import random
import subprocess
import sys
import time

from ptyscreen import Screen

heaptop, where = os.path.abspath(sys.argv[1]), sys.argv[2]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
stacks = int(sys.argv[4]) if len(sys.argv) > 4 else 500
BUDGET = 2.0
MAPS = ("\nMAPPED_LIBRARIES:\n"
        "00400000-00500000 r-xp 00000000 08:01 1 /nowhere/program\n"
        "7f0000000000-7f0000100000 r-xp 00000000 08:01 2 /nowhere/libc.so\n")


def write_all():
    draw = random.Random(1)
    lines = ["@ " + " ".join("%#x" % (0x400000 + draw.randrange(1 << 16) * 16)
                             for _ in range(draw.randrange(12, 31)))
             for _ in range(stacks)]
    live = [draw.randrange(1, 50) for _ in lines]
    for n in range(count):
        for _ in range(stacks // 10):
            live[draw.randrange(stacks)] += draw.randrange(-1, 3)
        live = [max(k, 1) for k in live]
        with open("%s/p.77.%d.i%d.heap" % (where, n, n), "w") as f:
            f.write("heap_v2/1\n  t*: %d: %d [0: 0]\n" %
                    (sum(live), sum(live) * 1024))
            for line, k in zip(lines, live):
                f.write("%s\n  t*: %d: %d [0: 0]\n" % (line, k, k * 1024))
            f.write(MAPS)


def row(name, seconds, budget=BUDGET):
    print("%-28s %6.2f s %s" %
          (name, seconds, "OVER" if seconds > budget else "within"))


def growth(files):
    began = time.monotonic()
    subprocess.run([heaptop, "--growth", *files], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def screen(files):
    """Seconds until there are rows, until all is read; and the slowest answer
    to a key meanwhile."""
    s = Screen(heaptop, *files)
    rows, worst = s.until(rb"program\+0x", 60), 0
    done = b"p.77.%d.i%d.heap" % (count - 1, count - 1)
    while done not in s.seen:  # in the first row, once all is read
        if time.monotonic() - s.began > 60:
            raise SystemExit("not all is read: %r" % s.seen[-2000:])
        worst = max(worst, s.answer(b"\f"))  # which draws all again
        s.read(0.05)
    read = time.monotonic() - s.began
    s.end()
    return rows, read, worst


write_all()
os.chdir(where)
names = ["p.77.%d.i%d.heap" % (n, n) for n in range(count)]
print("%d dumps of %d stacks, %d MB" %
      (count, stacks, sum(os.path.getsize(n) for n in names) // 1000000))
for turn in range(3):
    row("growth", growth(names))
    rows, read, worst = screen(names)
    row("screen with its rows", rows)
    row("all is read", read)
    row("slowest key meanwhile", worst, 0.1)
