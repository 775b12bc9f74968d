# SPDX-License-Identifier: Apache-2.0
"""The demo's child processes: all of them end when the demo does, however it ends."""

import ctypes
import os
import pathlib
import signal
import subprocess
import time

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 10
_libc = ctypes.CDLL(None)


class Failed(Exception):
    """The demo cannot go on; the text is for the person who started it."""


def _die_with_parent():
    # Even a demo that is killed outright leaves nothing behind.
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def wait_until(condition, what, seconds=15.0):
    """The condition's first true value. A poll, since what is awaited lives in another process."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failed(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.05)


class Children:
    """Started in order, stopped in reverse."""

    def __init__(self, log_folder: pathlib.Path):
        self._log_folder = log_folder
        self._running = []
        log_folder.mkdir(parents=True, exist_ok=True)

    def start(self, name, command, env=None):
        log = self._log_folder / f"{name}.log"
        with open(log, "w", encoding="utf-8") as out:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                preexec_fn=_die_with_parent,
                start_new_session=True,  # Ctrl-C reaches the demo, which then stops them in order
            )
        self._running.append((name, process, log))
        return process, log

    def require_alive(self, process, log):
        if process.poll() is not None:
            tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
            raise Failed(f"{process.args[0]} ended with {process.returncode}:\n{tail}")

    def stop(self):
        """SIGTERM and a wait for each, last started first; SIGKILL for what does not listen."""
        stubborn = []
        for name, process, _ in reversed(self._running):
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                stubborn.append(name)
        self._running.clear()
        return stubborn
