# SPDX-License-Identifier: Apache-2.0
"""A server of a test's own: its folder, its processes, and its end.

As a program, `private_server.py FOLDER` is the guard that clears the folder and all who work in it
away once its standard input ends."""

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START_S = float(os.environ.get("WEIR_PATIENCE_S", "30"))
HANDED_OUT = set()
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class ServerError(Exception):
    """A server could not be had or did not do as told; the text says what to do."""


def fixed_port():
    """A free port below those that the system gives to outgoing connections, so that a server that
    was away finds its port free when it comes back. This process gets none twice."""
    low = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(200):
        port = random.SystemRandom().randrange(10000, max(low, 10200))
        with socket.socket() as probe:
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                if port not in HANDED_OUT:
                    HANDED_OUT.add(port)
                    return port
    raise ServerError("no free port on 127.0.0.1")


def members(folder):
    """The processes that work in a folder: a server and all of its children, who may have process
    groups of their own (each backend of Postgres has)."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                where = Path(os.readlink(f"/proc/{entry}/cwd"))
                if where == folder or folder in where.parents:
                    found.append(int(entry))
    return sorted(found)


def is_stopped(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "TZX"
    return True


def tell_all(folder, number, is_done):
    """Sends the signal until is_done(pid) of every member, however many they become meanwhile."""
    end = time.monotonic() + START_S
    while True:
        left = [pid for pid in members(folder) if not is_done(pid)]
        if not left:
            return
        if time.monotonic() > end:
            raise ServerError(f"processes {left} in {folder} do not heed signal {number}")
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(0.005)


def bury(folder):
    """Ends whatever works in the folder and removes it; safe to repeat."""
    with contextlib.suppress(ServerError):
        tell_all(folder, signal.SIGKILL, lambda pid: False)
    # A Postgres that was killed leaves the segment by which it would have known a second one.
    with contextlib.suppress(OSError, IndexError):
        shared = (folder / "data" / "postmaster.pid").read_text().splitlines()[6].split()[1]
        subprocess.run(["ipcrm", "-m", shared], capture_output=True, check=False)
    shutil.rmtree(folder, ignore_errors=True)


def guard(folder):
    """Waits until the one who started it closes the pipe or dies, and clears up after it."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    bury(folder)


def unprivileged():
    """The words before a command that make it run as nobody in particular, and that user's ids;
    Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return [], None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            words = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
            return words, (user.pw_uid, user.pw_gid)
    raise ServerError("neither a user postgres nor a user nobody to run a server as")


def program(name, *folders):
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))
    if not found:
        raise ServerError(f"{name} is not installed; packaging/install-deps.sh installs it")
    return found


class PrivateServer:
    """What both servers have in common. Started when made; close() takes it and its folder away, and
    so does the end of this process, however it ends. Use from one thread at a time."""

    ready = ""

    def __init__(self, name):
        self.folder = Path(tempfile.mkdtemp(prefix=f"weir-{name}-")).resolve()
        self._as_user, self._owner = unprivileged()
        if self._owner:
            os.chown(self.folder, *self._owner)
        self._guard = subprocess.Popen(
            [sys.executable, "-B", __file__, self.folder],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.process = None
        self.port = None
        try:
            self.set_up()
            self._start_somewhere()
            self.fill()
        except BaseException:
            self.close()
            raise

    # What a server must say of itself

    def set_up(self):
        """Prepares the folder for the first start."""

    def fill(self):
        """What an empty server is given once it serves."""

    def command(self):
        """The server's command line, with self.port."""
        raise NotImplementedError

    # Verbs

    def start(self):
        """Starts it where it does not run, on the port it always had, and waits until it serves."""
        if self.is_running():
            return
        log = self.folder / "log"
        with open(log, "ab") as out:
            begin = out.tell()
            self.process = self._spawn(self.command(), stdout=out, stderr=subprocess.STDOUT)
        end = time.monotonic() + START_S
        while self.ready.encode() not in log.read_bytes()[begin:]:
            if self.process.poll() is not None or time.monotonic() > end:
                shown = log.read_bytes()[begin:].decode(errors="replace")[-2000:]
                raise ServerError(f"{self.process.args[-1]} does not serve:\n{shown}")
            time.sleep(0.01)

    def stop(self):
        """A clean end, as an administrator's."""
        if not self.is_running():
            return
        self.resume()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(START_S)
        tell_all(self.folder, 0, lambda pid: False)

    def kill(self):
        """kill -9 of the whole server; what it had told others to be safe is safe all the same."""
        tell_all(self.folder, signal.SIGKILL, lambda pid: False)
        if self.process:
            self.process.wait()

    def pause(self):
        """SIGSTOP of the whole server: connections are accepted by the kernel, nobody answers."""
        tell_all(self.folder, signal.SIGSTOP, is_stopped)

    def resume(self):
        for pid in members(self.folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def restart(self, empty=False):
        """Away and back: with all it knew, or `empty`."""
        self.stop()
        if empty:
            self.forget()
        self.start()
        if empty:
            self.fill()

    def forget(self):
        """Removes what the server knows, while it does not run."""
        raise NotImplementedError

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def close(self):
        if self._guard:
            self._guard.stdin.close()
            self._guard.wait()
            self._guard = None
            if self.process:
                self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # How

    def _spawn(self, words, **more):
        return subprocess.Popen(
            [*self._as_user, *map(str, words)],
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            **more,
        )

    def _start_somewhere(self):
        for _ in range(5):
            self.port = fixed_port()
            try:
                self.start()
                return
            except ServerError as error:
                if "in use" not in str(error):
                    raise
        self.start()


if __name__ == "__main__":
    guard(Path(sys.argv[1]))
