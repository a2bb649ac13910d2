"""heaptop's screen in a pty of 100 columns by 30 rows, for benchmarks."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time


class Screen:
    def __init__(self, heaptop, *words):
        self.began = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.environ["LC_ALL"] = "C.UTF-8"
            time.sleep(0.05)  # until the size is set
            os.execv(heaptop, [heaptop, *words])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.seen = b""

    def read(self, seconds):
        """What comes within that time; what is at hand, for 0."""
        end, got = time.monotonic() + seconds, b""
        while True:
            left = end - time.monotonic()
            if not select.select([self.fd], [], [], max(left, 0))[0]:
                break
            try:
                got += os.read(self.fd, 65536)
            except OSError:
                break
        self.seen += got
        return got

    def until(self, pattern, seconds):
        """Seconds until the pattern is on the screen (since it began)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.01)[0]:
                self.seen += os.read(self.fd, 65536)
            if re.search(pattern, self.seen):
                return time.monotonic() - self.began
        raise SystemExit("not on the screen: %r\n%r" % (pattern, self.seen[-2000:]))

    def answer(self, key):
        """Seconds from a key to the first byte drawn for it."""
        self.read(0)
        began = time.monotonic()
        os.write(self.fd, key)
        if not select.select([self.fd], [], [], 5)[0]:
            raise SystemExit("no answer to a key")
        took = time.monotonic() - began
        self.read(0.06)  # as fast as a key repeats
        return took

    def end(self):
        os.write(self.fd, b"q")
        time.sleep(0.2)
        try:
            os.write(self.fd, b"t")
        except OSError:
            pass
        for _ in range(50):
            self.read(0.1)
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
