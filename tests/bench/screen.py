"""What the screen costs and how fast it answers.

    screen.py HEAPTOP STACKS BIG

STACKS is the program of stacks.c, BIG one with much debug information.  All
runs are in a pty of 100 columns by 30 rows.  Prints a line for each figure
with its budget; a figure over budget ends in OVER.
"""
import os
import re
import subprocess
import sys
import time

from ptyscreen import Screen

heaptop, stacks, big = sys.argv[1:4]
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(path):
    with open(path) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def child(pid, name):
    """The process of that name which descends from heaptop or its keeper."""
    out = subprocess.run(["pgrep", "-n", "-x", name], capture_output=True, text=True)
    return int(out.stdout.split()[0])


def figure(what, value, unit, budget):
    over = "   OVER" if value > budget else ""
    print("%-52s %8.2f %-4s (%g)%s" % (what, value, unit, budget, over))


def first_screen():
    best = []
    for _ in range(5):
        s = Screen(heaptop, stacks, "100", "1")
        best.append((s.until(rb"LIVE", 5) - 0.05) * 1000)
        s.end()
    figure("launch to the first screen, median of 5", sorted(best)[2], "ms", 300)


def keys_while_names_load():
    s = Screen(heaptop, "-s", "4K", big)
    s.until(rb"LIVE", 10)
    took = []
    end = time.monotonic() + 6
    keys = [b"m", b"g", b"S"]  # each changes something, whatever is shown
    while time.monotonic() < end:
        for key in keys:
            took.append(s.answer(key) * 1000)
    took.sort()
    figure("key to screen while names load: median", took[len(took) // 2], "ms", 50)
    figure("key to screen while names load: worst of %d" % len(took), took[-1], "ms", 50)
    s.end()


def idle():
    s = Screen(heaptop, stacks, "1000", "1")
    s.until(rb"LIVE", 5)
    time.sleep(3)
    s.read(0.2)
    os.write(s.fd, b" ")  # pause
    s.read(1.5)  # figures that had just changed become as the others
    drawn = max(len(s.read(1)) for _ in range(4))
    figure("bytes drawn in a second, paused: its clock", drawn, "B", 40)
    s.end()


def watched(count):
    s = Screen(heaptop, "-s", "4K", stacks, str(count), str(count // 20))
    s.until(rb"LIVE", 30)
    time.sleep(8)
    s.read(0)
    target = child(s.pid, "stacks")
    tasks = sorted(int(t) for t in os.listdir("/proc/%d/task" % target))
    helper = "/proc/%d/task/%d/stat" % (target, tasks[-1])
    own = "/proc/%d/stat" % s.pid
    began, h0, o0 = time.monotonic(), cpu(helper), cpu(own)
    while time.monotonic() - began < 20:
        s.read(1)
    took = time.monotonic() - began
    figure("%d stacks at 1 Hz: heaptop" % count, (cpu(own) - o0) / took * 100, "%", 1)
    figure("%d stacks at 1 Hz: the target's helper" % count,
           (cpu(helper) - h0) / took * 100, "%", 0.5)
    with open("/proc/%d/status" % s.pid) as f:
        rss = int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024
    figure("%d stacks: heaptop's memory" % count, rss, "MiB", 64)
    took = sorted(s.answer(k) * 1000 for k in [b"m", b"g", b"S"] * 10)
    figure("%d stacks: key to screen, worst of 30" % count, took[-1], "ms", 50)
    s.end()


first_screen()
idle()
watched(10000)
keys_while_names_load()
