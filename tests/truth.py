#!/usr/bin/env python3
"""How often do heaptop's intervals cover the truth?

    truth.py HEAPTOP TRUTH RUNS [LG ...]

TRUTH is the target tests/targets/truth.c, which prints what lives at each of
its sixteen stacks.  At rate 0 every figure must be the truth.  At each other
rate (12 and 19 unless given) RUNS runs are made, prof_seed 1 to RUNS, with 1 to
64 threads; counted are the pairs (run, stack) that can be expected to hold at
least 10 samples, and of them those whose 95 % interval holds the true bytes.
Fewer than 93 % fail, where there are pairs enough to tell (2,000); for less,
the bar is 93 % minus three standard deviations of such a share.
"""
import math
import re
import subprocess
import sys

THREADS = [1, 2, 3, 4, 8, 16, 32, 64]
EXPECTED = 10  # samples


def run(heaptop, truth, lg, seed, threads, size):
    out = f"truth.{lg}.out"
    cmd = [heaptop, "--top=100", "--stacks", "--show_bytes", "-o", out]
    cmd += ["--exact"] if lg == 0 else ["-s", str(1 << lg)]
    cmd += [f"--conf=prof_seed:{seed}", "--", truth, str(threads), str(size),
            str(seed)]
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True)
    if p.returncode:
        sys.exit(f"{' '.join(cmd)}: status {p.returncode}\n{p.stderr}")
    want = {}
    for line in p.stdout.splitlines():
        name, size_, count = line.split()
        want[name] = (int(size_), int(count))
    got = {}
    for line in open(out):
        m = re.match(r"\s*(\d+)\s+\S+\s+(?:(\d+)\s+)?(\d+)\s+(site_\d+) ", line)
        if m:
            half = int(m[2] or 0)
            live, _, count = int(m[1]), half, int(m[3])
            a = got.get(m[4], (0, 0, 0))
            got[m[4]] = (a[0] + live, math.hypot(a[1], half), a[2] + count)
    return want, got


def exact(heaptop, truth, runs):
    bad = 0
    for seed in range(1, runs + 1):
        threads = THREADS[seed % len(THREADS)]
        want, got = run(heaptop, truth, 0, seed, threads, 400000)
        for name, (size, count) in want.items():
            live, half, objects = got.get(name, (0, 0, 0))
            if (live, half, objects) != (size, 0, count):
                print(f"rate 0, seed {seed}, {threads} threads, {name}: "
                      f"{live} ±{half} in {objects}, is {size} in {count}")
                bad += 1
    print(f"rate 0: {runs} runs of {len(want)} stacks, {bad} differ")
    return bad == 0


def covered(heaptop, truth, lg, runs):
    size = max(16 << lg, 1 << 20)  # at least 16 samples a stack
    pairs = hits = 0
    bias = 0.0
    for seed in range(1, runs + 1):
        threads = THREADS[seed % len(THREADS)]
        want, got = run(heaptop, truth, lg, seed, threads, size)
        for name, (true, count) in want.items():
            mean = true / count
            samples = count * -math.expm1(-mean / (1 << lg))
            if samples < EXPECTED:
                continue
            live, half, _ = got.get(name, (0, 0, 0))
            pairs += 1
            hits += abs(live - true) <= half
            bias += live / true - 1
    share = hits / pairs if pairs else 0
    bar = 0.93
    if pairs < 2000:
        bar -= 3 * math.sqrt(0.93 * 0.07 / max(pairs, 1))
    print(f"rate 2^{lg}: {pairs} pairs, {100 * share:.1f} % covered "
          f"(at least {100 * bar:.1f}), mean error "
          f"{100 * bias / max(pairs, 1):+.2f} %")
    return pairs > 0 and share >= bar


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    heaptop, truth, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    good = exact(heaptop, truth, runs)
    for lg in map(int, sys.argv[4:] or ["12", "19"]):
        good = covered(heaptop, truth, lg, runs) and good
    sys.exit(not good)


main()
