#!/usr/bin/env python3
"""How long reports take beside the real jeprof: each started fresh, in turns.

    jeprof.py HEAPTOP DUMPS ROUNDS [CASE...]

DUMPS is laid out as tests/refs.py says.  All dumps of more than 1,000 stacks
are read.  A row has medians of the rounds and the median ratio of a round's
two; memory is the most that one process of each had.  A row fails below 20
times, --text of 50,000 stacks over 1 s, and 64 MiB where jeprof takes over
100.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..'))
from refs import commands, prepare  # noqa: E402

TIMES, SECONDS, MIB, THEIR_MIB = 20, 1, 64, 100


def once(words, where):
    """Wall seconds, CPU seconds, MiB of the largest process."""
    env = dict(os.environ, LC_ALL='C')
    start = time.monotonic()
    with open('/dev/null', 'w') as null:
        p = subprocess.Popen(words, cwd=where, stdout=null, stderr=null,
                             env=env)
        _, status, used = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 1):
        sys.exit(f'{" ".join(words)}: status {p.returncode}')
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def stacks(path):
    """How many different ones there are; hashes take little memory."""
    with open(path, errors='replace') as f:
        return len({hash(line.partition('@')[2]) for line in f
                    if line.startswith('@') or '] @ 0x' in line})


def apart(call, *args):
    """In a process of its own: what is started inherits this one's peak."""
    pid = os.fork()
    if pid == 0:
        call(*args)
        os._exit(0)
    os.waitpid(pid, 0)


def program_of(where):
    for words, _ in commands(where):
        for w in words:
            if not w.startswith('--') and not w.endswith('.heap'):
                return w
    return None


def measure(heaptop, where, program, dump, rounds, n):
    failed = False
    for mode in '--text', '--dot':
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(once([heaptop, mode, program, dump], where))
            theirs.append(once(['jeprof', mode, program, dump], where))
        ratio = statistics.median(t[0] / o[0] for o, t in zip(ours, theirs))
        cpu = statistics.median(t[1] / max(o[1], .001)
                                for o, t in zip(ours, theirs))
        a, b = ([statistics.median(x[i] for x in side) for i in range(3)]
                for side in (ours, theirs))
        bad = []
        if ratio < TIMES:
            bad.append(f'under {TIMES} times')
        if n > 50000 and mode == '--text' and a[0] > SECONDS:
            bad.append(f'over {SECONDS} s')
        if b[2] > THEIR_MIB and a[2] > MIB:
            bad.append(f'over {MIB} MiB')
        print(f'{dump:28.28} {n:6} {mode:6} {a[0]:8.3f} {b[0]:8.2f} '
              f'{ratio:7.1f} {cpu:7.1f} {a[2]:7.1f} {b[2]:7.1f}  '
              f'{", ".join(bad) or "ok"}', flush=True)
        failed |= bool(bad)
    return failed


def main():
    if len(sys.argv) < 4 or not shutil.which('jeprof'):
        sys.exit('jeprof is not here' if len(sys.argv) > 3 else __doc__)
    heaptop, dumps = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds, only = int(sys.argv[3]), sys.argv[4:]
    failed = False
    print(f'{"dump":28} stacks mode          s jeprof s   times CPU x '
          f'   MiB  jeprof')
    for case in sorted(os.listdir(dumps)):
        source = os.path.join(dumps, case)
        if not os.path.exists(os.path.join(source, 'CMD')) or \
                only and case not in only:
            continue
        with tempfile.TemporaryDirectory() as tmp:
            where = os.path.join(tmp, case)
            apart(prepare, source, where)
            program = program_of(where)
            for name in sorted(os.listdir(where)):
                if not name.endswith('.heap'):
                    continue
                n = stacks(os.path.join(where, name))
                if n > 1000:
                    failed |= measure(heaptop, where, program, name, rounds,
                                      n)
    sys.exit(1 if failed else 0)


main()
